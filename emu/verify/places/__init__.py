"""Where the values of a case lie in the memory of one program, and how they are declared there.

A case and a program go in; a `BoundCase` comes out. The rooms ``images`` and ``batches`` read it.
"""
