"""Fixed-point arithmetic, SANE, and the logical utilities."""
