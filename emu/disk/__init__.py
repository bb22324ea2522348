"""Disk images and shared folders for emulated and real Macintoshes, and the emulators' settings."""
