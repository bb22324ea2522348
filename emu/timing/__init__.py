"""Predicts the speeds of programs and compares them with published and measured speeds."""
