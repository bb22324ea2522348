"""Hooks for the engine in machine code, which take no time in Python."""
