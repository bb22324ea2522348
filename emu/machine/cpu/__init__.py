"""Processors, one file for each family. `CPUS` lists the models a user can name."""

from __future__ import annotations

from emu.machine.cpu.base import CacheEffect, Cpu, Probe
from emu.machine.cpu.m68k import M68000, M68020, M68030, M68040
from emu.machine.cpu.mips import MIPS
from emu.machine.cpu.ppc import PPC601
from emu.machine.cpu.special import (
    AccessRefusedError,
    ExceptionTakenError,
    FloatRegisters,
    NotExecutableError,
    OutcomeUnknownError,
    ProcessorState,
    SpecialInstruction,
    StatusInstructions,
)

CPUS = {cpu.name: cpu for cpu in (M68000, M68020, M68030, M68040, PPC601, MIPS)}

MAC_CPUS = tuple(cpu.name for cpu in (M68000, M68040, PPC601))
"""The processors of Macintoshes that whole programs are run on."""

__all__ = [
    "CPUS",
    "M68000",
    "M68020",
    "M68030",
    "M68040",
    "MAC_CPUS",
    "MIPS",
    "PPC601",
    "AccessRefusedError",
    "CacheEffect",
    "Cpu",
    "ExceptionTakenError",
    "FloatRegisters",
    "NotExecutableError",
    "OutcomeUnknownError",
    "Probe",
    "ProcessorState",
    "SpecialInstruction",
    "StatusInstructions",
]
