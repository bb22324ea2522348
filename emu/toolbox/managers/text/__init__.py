"""TextEdit, the scrap, and routines on strings."""
