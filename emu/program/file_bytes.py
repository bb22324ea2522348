"""The bytes of a program file."""

from __future__ import annotations

from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.files import read_at_most

_LARGEST = 256 << 20


def whole_program(path: Path) -> bytes:
    """Read a program file.

    Raises:
        ProgramError: it is missing, or too large to be a program.
    """
    return read_at_most(path, _LARGEST, "a program", ProgramError)
