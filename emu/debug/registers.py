"""All registers of a processor that stands between two instructions."""

from __future__ import annotations

from typing import Protocol

from emu.debug.registers_m68k import M68kRegisters
from emu.debug.registers_powerpc import PowerPcRegisters
from emu.debug.requests import RegisterValue
from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine


class RegisterFile(Protocol):
    """Reads and writes registers, and changes nothing else by it."""

    def read(self) -> tuple[RegisterValue, ...]:
        """All registers; see `RegisterValue` for names and order."""

    def write(self, name: str, value: int) -> str:
        """Change one; the problem in words, or ""."""


def register_file(cpu: Cpu, engine: HostedEngine) -> RegisterFile:
    """The registers of an engine."""
    if cpu.architecture == "m68k":
        return M68kRegisters(cpu, engine)
    return PowerPcRegisters(cpu, engine)
