"""The commands of macproof, one module each. Each has `add` (its options) and `run`."""
