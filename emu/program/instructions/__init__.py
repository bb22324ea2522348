"""Static analysis of instructions: disassembly, branches, traps, reachable code."""
