"""What sees single accesses of guest code, with a Python call for each."""
