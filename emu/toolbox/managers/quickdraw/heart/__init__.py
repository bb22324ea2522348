"""The current port, painting in it, and the bottleneck procedures."""
