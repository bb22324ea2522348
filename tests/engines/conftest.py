"""What tests of engines share: what is installed, and the program of misbehaving routines."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from emu.machine import CPUS, BareMachine
from emu.machine.calls.other_engine import MakeEngine
from emu.program import read_elf

PROGRAMS = Path(__file__).parents[1] / "programs"


@pytest.fixture
def qemu() -> None:
    """The tests that use it need qemu-user and the compilers of its driver."""
    for command in ("qemu-m68k", "qemu-ppc", "m68k-linux-gnu-g++", "powerpc-linux-gnu-g++"):
        if shutil.which(command) is None:
            pytest.skip(f"{command} is not installed")


def machine_on(engine: MakeEngine | None, cpu: str = "68040", program: str = "m68k") -> BareMachine:
    """A machine around `calls.cpp` whose calls are made on an engine."""
    read = read_elf(PROGRAMS / f"calls-{program}.elf")
    return BareMachine(read, CPUS[cpu], heap_size=8192, engine=engine)
