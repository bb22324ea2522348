"""Users who sit before the Macintosh: by script, with patience, or describing it."""
