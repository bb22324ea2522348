"""Cycle models of the 68K processors."""
