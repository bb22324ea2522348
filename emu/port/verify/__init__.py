"""Verdicts of a port's functions, by recorded calls on the old and the new function."""
