"""Lifts guest instructions to operations whose meaning is a number computed from numbers.

`decoder` reads an instruction as SLEIGH, a part of Ghidra, describes it, and `amendments_m68k` and
`amendments_ppc` mend what SLEIGH says wrongly. What comes out is read by several domains: native
code, bits that nobody has stored, terms of a prover, integers of Python.
"""
