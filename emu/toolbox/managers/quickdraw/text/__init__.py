"""Text in ports, and its fonts."""
