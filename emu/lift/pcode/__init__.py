"""P-code: what instructions are lifted to, how it is built, and what it computes."""
