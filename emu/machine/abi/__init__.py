"""Calling conventions, one file each."""

from __future__ import annotations

from emu.base.errors import UsageError
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.m68k_bare import M68kBare
from emu.machine.abi.m68k_classic_c import (
    CodeWarrior,
    CodeWarriorLong,
    MpwC,
    ThinkC,
    ThinkCFpu,
    ThinkCLong,
    ThinkCLongFpu,
)
from emu.machine.abi.m68k_elf import M68kElf
from emu.machine.abi.m68k_pascal import M68kClassic, M68kPascal
from emu.machine.abi.m68k_retro68 import M68kRetro68
from emu.machine.abi.m68k_short import M68kShort
from emu.machine.abi.mips_o32 import MipsO32
from emu.machine.abi.ppc_poweropen import PpcPowerOpen
from emu.machine.abi.ppc_sysv import PpcSysV
from emu.machine.cpu import Cpu
from emu.program import Program

CALLING_CONVENTIONS: dict[str, CallingConvention] = {
    convention.name: convention
    for convention in (
        M68kElf(),
        M68kBare(),
        M68kRetro68(),
        M68kClassic(),
        M68kPascal(),
        M68kShort(),
        ThinkC(),
        ThinkCLong(),
        ThinkCFpu(),
        ThinkCLongFpu(),
        MpwC(),
        CodeWarrior(),
        CodeWarriorLong(),
        MipsO32(),
        PpcSysV(),
        PpcPowerOpen(),
    )
}
"""All calling conventions by name."""

CONVENTIONS_OF_CASES = tuple(name for name in CALLING_CONVENTIONS if name != M68kClassic.name)
"""The names of those that a case may give a routine."""

DEFAULT_CONVENTIONS = {
    convention.architecture: convention
    for convention in (CALLING_CONVENTIONS[kind.name] for kind in (M68kElf, PpcSysV, MipsO32))
}
"""The calling convention of a plain ELF program, by architecture."""


def convention_of(program: Program, cpu: Cpu) -> CallingConvention:
    """The calling convention that a program names, or else the usual one of its architecture.

    Raises:
        UsageError: there is none of the name that it gives.
    """
    if not program.convention:
        return DEFAULT_CONVENTIONS[cpu.architecture]
    if program.convention not in CALLING_CONVENTIONS:
        raise UsageError(f"{program.path}: no calling convention {program.convention}")
    return CALLING_CONVENTIONS[program.convention]
