"""The Macintosh Toolbox, written in Python: its routines answer the calls of guest programs."""
