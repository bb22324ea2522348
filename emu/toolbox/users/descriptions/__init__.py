"""What a user could do, written down for the author of a script."""
