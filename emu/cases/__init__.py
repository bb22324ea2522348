"""Cases as data: the file of a case, its scenes, its sources, and the Python functions it names."""
