"""Images of guest memory: scenes and what is right for them, written where a program has them."""
