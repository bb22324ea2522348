"""Whole programs run without a display, and what is said about a run afterwards."""
