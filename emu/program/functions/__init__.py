"""The functions of a program, with or without names, and the facts of each."""
