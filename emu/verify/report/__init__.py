"""The report of a verification: its data, its document, its files."""
