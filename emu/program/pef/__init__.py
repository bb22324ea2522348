"""PEF containers, the programs of Power Macintoshes."""
