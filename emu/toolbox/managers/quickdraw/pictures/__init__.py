"""Pictures: recorded, read and played."""
