"""Finds by search for which inputs a routine is correct and safe: a range for each number."""
