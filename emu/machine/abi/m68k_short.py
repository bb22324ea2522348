"""The 68K convention of GCC with ``-mshort``, where an ``int`` has 16 bits.

It is the convention of ELF systems, but arguments are 16-bit slots on the stack: a ``char`` lies in
the low byte of one, a ``long`` takes two. Measured on GCC 12.2.
"""

from __future__ import annotations

from typing import ClassVar

from emu.machine.abi.m68k_elf import M68kElf


class M68kShort(M68kElf):
    """Calls routines compiled by stock GCC for 68K ELF with ``-mshort``."""

    name: ClassVar[str] = "m68k-elf-short"
    slot: ClassVar[int] = 2
    int_size: ClassVar[int] = 2
