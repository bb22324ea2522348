"""The Sound Manager."""
