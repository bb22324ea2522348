"""The Control Manager."""
