"""The Macintosh Toolbox in high-level form."""
