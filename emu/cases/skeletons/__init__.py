"""New cases, written from the prototype of a function."""
