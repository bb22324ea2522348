"""What is done in place of an engine, or because of what it does wrongly."""
