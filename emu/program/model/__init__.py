"""What all readers of programs make: segments, symbols, types and lines."""
