"""Conformity: each instruction against test vectors that others have made, outside of macproof.

Engines with one origin agree in their mistakes, so agreement proves nothing. A vector is a state of
the processor, one instruction, and the state that a real processor, or a gate-level model of one,
has after it.
"""
