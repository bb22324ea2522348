"""Predicts how many clock cycles executed code would have taken on the machines of the time."""
