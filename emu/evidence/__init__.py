"""Verdicts in the forms people and machines read."""
