"""The old program with new functions in the place of old ones, beside the old program alone."""
