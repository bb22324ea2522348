"""The cycle model of the PowerPC 601."""
