"""Whole numbers of which only a range is known, and Python functions that compute with them."""
