"""A running Macintosh in a process of its own, and copies of it at earlier moments."""
