"""Searches that try many programs or changed scenes: for failures, for limits, for weak scenes."""
