"""The Memory Manager: the heap, and routines on its blocks."""
