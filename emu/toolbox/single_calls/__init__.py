"""What a single call of a routine finds of a Macintosh, and what it leaves of it."""
