"""What a port holds: bit maps, inks, patterns, recordings."""
