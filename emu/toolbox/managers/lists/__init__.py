"""The List Manager."""
