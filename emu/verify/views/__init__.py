"""What a reader is shown of a failure beside values: its line in the source, what to do next."""
