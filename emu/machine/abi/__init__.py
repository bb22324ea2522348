"""Calling conventions, one file each."""

from __future__ import annotations

from emu.machine.abi.base import CallingConvention, CallPlaces
from emu.machine.abi.m68k_elf import M68kElf
from emu.machine.abi.ppc_sysv import PpcSysV

CALLING_CONVENTIONS: dict[str, CallingConvention] = {
    convention.name: convention for convention in (M68kElf(), PpcSysV())
}
"""By name."""

DEFAULT_CONVENTIONS = {
    convention.architecture: convention for convention in CALLING_CONVENTIONS.values()
}
"""What a plain ELF program of each architecture uses."""

__all__ = [
    "CALLING_CONVENTIONS",
    "DEFAULT_CONVENTIONS",
    "CallPlaces",
    "CallingConvention",
    "M68kElf",
    "PpcSysV",
]
