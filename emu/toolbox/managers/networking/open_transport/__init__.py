"""Open Transport on a Power Macintosh with TCP/IP set by hand, and no cable."""
