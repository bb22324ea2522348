"""The commands of macproof, one module each.

Each module has two functions. `add` declares the command's options. `run` takes the parsed options
and the console to print on, and returns the exit code.
"""
