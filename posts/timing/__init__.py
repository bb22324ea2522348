"""Predictions beside the speeds published in 1994, and beside measured ones."""
