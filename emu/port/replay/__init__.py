"""Runs old and new functions from the same recorded moment, and compares what they leave."""
