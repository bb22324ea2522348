"""Machines around the guest programs of `tests/programs`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.machine import CPUS, BareMachine, Budget
from emu.program import Program, read_elf

PROGRAMS = Path(__file__).parents[1] / "programs"
HEAP = 8192


@functools.cache
def _program(cpu: str) -> Program:
    family = {"601": "ppc", "mips": "mips"}.get(cpu, "m68k")
    return read_elf(PROGRAMS / f"calls-{family}.elf")


@functools.cache
def _machine(cpu: str) -> BareMachine:
    return BareMachine(_program(cpu), CPUS[cpu], heap_size=HEAP)


@pytest.fixture(params=["68040", "601", "mips"])
def cpu(request: pytest.FixtureRequest) -> str:
    """The name of a processor: a test that uses it runs once on each."""
    return str(request.param)


@pytest.fixture
def program(cpu: str) -> Program:
    """The program of `calls.cpp` for the processor."""
    return _program(cpu)


@pytest.fixture
def machine(cpu: str) -> BareMachine:
    """A machine that is kept between tests, as machines are meant to be; data and budget are as
    at the beginning. It has met every fault of the tests before."""
    kept = _machine(cpu)
    kept.budget = Budget()
    kept.reset()
    return kept


@pytest.fixture
def m68k() -> BareMachine:
    """The 68040's machine alone."""
    kept = _machine("68040")
    kept.budget = Budget()
    kept.reset()
    return kept


@pytest.fixture
def ppc() -> BareMachine:
    """The 601's machine alone."""
    kept = _machine("601")
    kept.budget = Budget()
    kept.reset()
    return kept


@pytest.fixture
def mips() -> BareMachine:
    """The MIPS's machine alone."""
    kept = _machine("mips")
    kept.budget = Budget()
    kept.reset()
    return kept


@pytest.fixture
def new_machine() -> Callable[..., BareMachine]:
    """Makes a machine of its own: by processor, with further arguments of `BareMachine`."""

    def make(cpu: str, **options: object) -> BareMachine:
        return BareMachine(_program(cpu), CPUS[cpu], **options)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def line_of() -> Callable[[str], int]:
    """The number of the line of calls.cpp that is marked "// at NAME"."""
    lines = (PROGRAMS / "calls.cpp").read_text().splitlines()

    def find(name: str) -> int:
        (number,) = [n for n, line in enumerate(lines, 1) if line.endswith(f"// at {name}")]
        return number

    return find
