"""Places in guest memory: how they are declared, and who writes to them."""
