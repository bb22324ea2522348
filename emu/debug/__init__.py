"""Stops a program, looks at it, and goes back in time."""
