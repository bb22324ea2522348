"""The files that PortCheck on a Macintosh reads and writes: scenes and results."""
