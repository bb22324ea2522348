"""Calls of a routine: how they begin and end, what they must keep, and what answers them."""
