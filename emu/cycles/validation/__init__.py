"""Figures of real programs that the cycle models are held against, and their files."""
