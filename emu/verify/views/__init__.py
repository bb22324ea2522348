"""Shows a failing scene to a reader: pictures, and the line of the source."""
