"""The Time Manager, and dates."""
