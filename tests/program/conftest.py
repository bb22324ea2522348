"""The guest programs of `tests/programs`, read once each."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.program import Program, read_elf

PROGRAMS = Path(__file__).parents[1] / "programs"

Reader = Callable[[str], Program]


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the guest programs and their sources."""
    return PROGRAMS


@pytest.fixture(scope="session")
def read() -> Reader:
    """Reads a guest program by the name of its file without ".elf"."""
    return functools.cache(lambda name: read_elf(PROGRAMS / f"{name}.elf"))


@pytest.fixture(scope="session")
def line_of() -> Callable[[str, str], int]:
    """The number of the one line of a source that contains a text."""

    def find(source: str, text: str) -> int:
        lines = (PROGRAMS / source).read_text().splitlines()
        (number,) = [number for number, line in enumerate(lines, 1) if text in line]
        return number

    return find
