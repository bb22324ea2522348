"""The 68K convention of Retro68's GCC.

It is that of GCC for m68k-elf (`m68k_bare`) with these differences, measured on GCC 12.2: a routine
may change D2 as well; a char or short argument takes a slot of 2 bytes, with a char in the upper
byte; pointers return in D0. A5 belongs to the application: its globals lie below, its jump table
above. `long`, `int` and pointers take 4 bytes as everywhere.
"""

from __future__ import annotations

from typing import ClassVar

from emu.machine.abi.call_form import ValueForm, stack_piece
from emu.machine.abi.m68k_bare import M68kBare
from emu.machine.cpu import Cpu
from emu.program import GuestType


class M68kRetro68(M68kBare):
    """Calls routines of applications that Retro68 made for the 68K."""

    name: ClassVar[str] = "m68k-retro68"
    pointer_register: ClassVar[str] = "d0"
    slot: ClassVar[int] = 2

    def preserved(self, cpu: Cpu) -> dict[str, int]:
        return {name: bits for name, bits in super().preserved(cpu).items() if name != "d2"}

    def _argument(self, kind: GuestType, at: int) -> ValueForm:
        return stack_piece(kind.size, at)
