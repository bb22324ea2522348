"""Worker processes: how they start, what they are given to do, and how their ends are told."""
