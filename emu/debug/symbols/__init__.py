"""What a debugger needs to show names and lines: files with symbols, and where they lie now."""
