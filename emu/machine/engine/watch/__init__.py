"""Watches guest code: its accesses to memory, its blocks and edges, its calls."""
