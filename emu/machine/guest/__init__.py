"""Values, globals and functions of a guest program in Python, and Python functions for it."""
