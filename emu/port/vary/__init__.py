"""Changes recorded calls in what the old function reads, and makes them on both functions."""
