"""The Printing Manager: pages of programs as pictures."""
