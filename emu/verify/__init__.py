"""Verdicts: what a program does on scenes, compared with what the reference says."""
