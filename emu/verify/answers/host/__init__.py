"""Functions of a library of this computer: called, and what they write."""
