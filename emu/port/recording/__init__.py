"""Calls of old functions as they happened in a real run, and where they are kept."""
