"""What executed code would have cost on the machines of the time."""
