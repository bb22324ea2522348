"""The list of all cases that ``macproof cases`` prints."""
