"""Executes a program's busy code as native code where every access to memory is looked at.

`translated_code` translates it, `exchanges` moves registers between it and the engine, and
`busy_blocks` decides what is worth it. Native code leaves before each access of which something
might have to be told; the engine goes on there, and its hooks tell.
"""
