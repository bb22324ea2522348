"""The instructions of a processor's whole opcode map, made from tables of its instructions."""
