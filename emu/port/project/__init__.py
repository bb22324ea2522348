"""A port as its author writes it: port.yaml, and the marks in the sources."""
