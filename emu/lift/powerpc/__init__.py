"""What SLEIGH says wrongly, or not at all, of instructions of the PowerPC, said rightly."""
