"""Proves that a routine is right for all inputs: ``macproof prove``.

A case on a program goes in, a verdict comes out. `paths` executes guest instructions on terms of
z3, `numbers` lets Python functions compute with such terms, and `calls` joins both: it lays a call
whose inputs are not known, asks the reference about the same inputs, and compares.
"""
