"""The 68K convention of GCC for computers without an operating system (m68k-elf).

It is that of Linux but for one thing: the address of a struct that does not fit into registers is
passed in A0, not in A1. Source: GCC 12.2, config/m68k/m68kelf.h and m68k.cc.
"""

from __future__ import annotations

from typing import ClassVar

from emu.machine.abi.m68k_elf import M68kElf


class M68kBare(M68kElf):
    """Calls routines compiled by GCC for m68k-elf."""

    name: ClassVar[str] = "m68k-bare"
    struct_register: ClassVar[str] = "a0"
