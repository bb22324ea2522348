"""Runs whole programs without a display, and reports what they did."""
