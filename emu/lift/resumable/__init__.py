"""Translates code that can be left before any instruction, where the processor itself goes on.

`emu.lift.native` translates calls, which are made once more if they come to what is not translated.
A whole program cannot be run once more each time, so here the registers are as the processor has
them wherever code is left, and code is entered at many places. `access_screen` leaves code before
each access of which something might have to be told.
"""
