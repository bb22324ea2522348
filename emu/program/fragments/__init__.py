"""Fragments of PowerPC code, and the shared libraries that they import from."""
