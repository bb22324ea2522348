"""Instructions read and not executed: disassembly, branches, traps, what is reachable."""
