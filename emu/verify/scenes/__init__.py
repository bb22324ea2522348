"""Which scenes stand for all of them, and scenes in other forms."""
