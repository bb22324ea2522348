"""Macintosh files: both forks, in whatever container or disk image they come."""
