"""Reading executables. A `Program` has segments, symbols, types and lines, and no behaviour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.base.late_names import late_names

if TYPE_CHECKING:
    from emu.program.declarations.borrowed_types import untyped, with_types
    from emu.program.elf.elf import parse_elf, read_elf
    from emu.program.machine_words import program_of_words
    from emu.program.model.lines import LineRow, LineTable
    from emu.program.model.model import Location, Program, Segment, Symbol, Variable, source_name
    from emu.program.model.padding import value_bits
    from emu.program.model.types import Field, GuestType
    from emu.program.read import host_file, read_program
else:
    __getattr__ = late_names(
        __name__,
        {
            "declarations.borrowed_types": (
                "untyped",
                "with_types",
            ),
            "elf.elf": (
                "parse_elf",
                "read_elf",
            ),
            "machine_words": ("program_of_words",),
            "model.lines": (
                "LineRow",
                "LineTable",
            ),
            "model.model": (
                "Location",
                "Program",
                "Segment",
                "Symbol",
                "Variable",
                "source_name",
            ),
            "model.padding": ("value_bits",),
            "model.types": (
                "Field",
                "GuestType",
            ),
            "read": (
                "host_file",
                "read_program",
            ),
        },
    )

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
    "host_file",
    "parse_elf",
    "program_of_words",
    "read_elf",
    "read_program",
    "source_name",
    "untyped",
    "value_bits",
    "with_types",
]
