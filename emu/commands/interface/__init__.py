"""The command line itself: its parser, options that commands share, outputs, progress, trust."""
