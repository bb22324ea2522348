"""The Menu Manager."""
