"""The 68K convention of GCC for computers without an operating system (m68k-elf).

It is that of Linux but for two things about structs that are returned: the address of one that does
not fit into registers is passed in A0, not in A1; and one of 2, 4 or 8 bytes that may lie at an odd
address, because all its members are bytes, is returned in memory, too.
Source: GCC 12.2, config/m68k/m68kelf.h and `m68k_return_in_memory` in m68k.cc.
"""

from __future__ import annotations

from typing import ClassVar

from emu.machine.abi.call_form import ValueForm, is_aggregate
from emu.machine.abi.m68k_elf import M68kElf
from emu.program import GuestType


class M68kBare(M68kElf):
    """Calls routines compiled by GCC for m68k-elf."""

    name: ClassVar[str] = "m68k-bare"
    struct_register: ClassVar[str] = "a0"

    def _struct(self, kind: GuestType) -> ValueForm:
        if kind.size > 1 and is_aggregate(kind) and _is_of_bytes(kind):
            return self._in_memory()
        return super()._struct(kind)


def _is_of_bytes(kind: GuestType) -> bool:
    """Whether a type consists of nothing wider than a byte."""
    if is_aggregate(kind.scalar):
        return all(_is_of_bytes(field.type) for field in kind.scalar.fields)
    return kind.scalar.size == 1
