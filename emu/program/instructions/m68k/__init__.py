"""The instructions of the 68K family: one table, and the operands in their words."""
