"""A case as data: its file, its scenes, its sources, and the Python functions it names."""
