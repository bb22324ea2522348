"""Images of guest memory: scenes written into them, and in what two of them differ."""
