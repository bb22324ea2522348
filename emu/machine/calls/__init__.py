"""Calls of a routine: how they are made on each engine, and what they must keep."""
