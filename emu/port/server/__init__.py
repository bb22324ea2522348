"""A port as tools of a program that drives it, by the Model Context Protocol."""
