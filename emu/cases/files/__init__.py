"""Where case files lie, what a user types for one, and the Python files that a case uses."""
