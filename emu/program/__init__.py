"""Reading executables. A `Program` has segments, symbols, types and lines, and no behaviour."""

from __future__ import annotations

from emu.program.elf import parse_elf, read_elf
from emu.program.lines import LineRow, LineTable
from emu.program.model import Location, Program, Segment, Symbol, Variable, source_name
from emu.program.types import Field, GuestType

__all__ = [
    "Field",
    "GuestType",
    "LineRow",
    "LineTable",
    "Location",
    "Program",
    "Segment",
    "Symbol",
    "Variable",
    "parse_elf",
    "read_elf",
    "source_name",
]
