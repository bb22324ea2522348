"""Segments, traps, and what a program may ask about its Macintosh."""
