"""The Window Manager."""
