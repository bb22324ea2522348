"""What instructions of the 68K do where SLEIGH describes them wrongly or not at all.

`emu.lift.amendments_m68k` has the table of them. The modules here have the functions that it names,
each for instructions of one kind; all build with `M68kBuilder`, which knows operands and flags.
Source, if no other is named: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4.
"""
