"""Predicts the speeds of programs, and shows where their cycles go."""
