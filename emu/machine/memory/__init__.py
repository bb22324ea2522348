"""Guest memory: its layout, its contents before a call, and the surroundings of a call."""
