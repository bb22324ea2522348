"""The old program, running with a script, with room for new functions beside it."""
