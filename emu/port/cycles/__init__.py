"""Cycles of old and new functions on recorded calls."""
