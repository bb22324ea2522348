"""The report of a verification: its data and its files."""
