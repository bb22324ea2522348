"""The Standard File package: dialogs in which a file is chosen."""
