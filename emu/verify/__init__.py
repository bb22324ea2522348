"""Runs programs of a case on scenes and compares the result with the reference: the verdict."""
