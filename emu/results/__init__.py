"""Files that travel to a Macintosh and back: scenes for PortCheck, and the results it writes."""
