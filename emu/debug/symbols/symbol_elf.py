"""Writes an ELF file of nothing but names, for code whose symbols come from elsewhere.

A debugger reads names from files only. Programs of 1994 have them in their code (see
`emu.program.symbols.macsbug_names`), and the routines of the ROM have them here.
Source of the format: System V Application Binary Interface, chapter 4 "Object Files"; the
numbers of processors are those of its supplements for the 68K and the PowerPC.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

_HEADER = struct.Struct(">16sHHIIIIIHHHHHH")
_SECTION = struct.Struct(">IIIIIIIIII")
_SYMBOL = struct.Struct(">IIIBBH")
_IDENT = b"\x7fELF\x01\x02\x01".ljust(16, b"\0")  # of 32 bits, high byte first
_EXECUTABLE_FILE = 2
_MACHINES = {"m68k": 4, "powerpc": 20}
_SYMBOL_TABLE, _STRINGS, _NO_CONTENTS = 2, 3, 8
_ALLOCATED_CODE = 2 | 4
_ALIGNMENT = 2
_GLOBAL_FUNCTION = 1 << 4 | 2


@dataclass(frozen=True, slots=True)
class NamedRoutine:
    """A routine by its name, its address and its size in bytes, 0 if that is not known."""

    name: str
    address: int
    size: int = 0


@dataclass(frozen=True, slots=True)
class CodeSection:
    """A piece of code: the section's name, its address and size, and the routines in it."""

    name: str
    address: int
    size: int
    routines: tuple[NamedRoutine, ...]


class _Strings:
    """A table of strings that end in a zero byte."""

    def __init__(self) -> None:
        self.data = bytearray(1)

    def add(self, text: str) -> int:
        start = len(self.data)
        self.data += text.encode("utf-8").replace(b"\0", b"") + b"\0"
        return start


def symbol_elf(architecture: str, sections: Sequence[CodeSection], entry: int = 0) -> bytes:
    """Make the file.

    Args:
        architecture: "m68k" or "powerpc".
        sections: the code; the file has no contents for it.
        entry: the address at which a debugger finds the program's beginning.
    """
    names, section_names = _Strings(), _Strings()
    symbols = bytearray(_SYMBOL.size)
    for number, section in enumerate(sections, start=1):
        for routine in section.routines:
            symbols += _SYMBOL.pack(
                names.add(routine.name),
                routine.address,
                routine.size,
                _GLOBAL_FUNCTION,
                0,
                number,
            )
    table_at = _HEADER.size
    names_at = table_at + len(symbols)
    headers = bytearray(_SECTION.size)
    for section in sections:
        headers += _SECTION.pack(
            section_names.add(section.name), _NO_CONTENTS, _ALLOCATED_CODE,
            section.address, table_at, section.size, 0, 0, _ALIGNMENT, 0,
        )  # fmt: skip
    count = len(sections) + 4
    headers += _SECTION.pack(
        section_names.add(".symtab"), _SYMBOL_TABLE, 0, 0, table_at, len(symbols),
        count - 2, 1, 4, _SYMBOL.size,
    )  # fmt: skip
    headers += _SECTION.pack(
        section_names.add(".strtab"), _STRINGS, 0, 0, names_at, len(names.data), 0, 0, 1, 0
    )
    last = section_names.add(".shstrtab")
    section_names_at = names_at + len(names.data)
    headers += _SECTION.pack(
        last, _STRINGS, 0, 0, section_names_at, len(section_names.data), 0, 0, 1, 0
    )
    end = section_names_at + len(section_names.data)
    padding = bytes(-end % 4)
    header = _HEADER.pack(
        _IDENT, _EXECUTABLE_FILE, _MACHINES[architecture], 1, entry, 0, end + len(padding), 0,
        _HEADER.size, 0, 0, _SECTION.size, count, count - 1,
    )  # fmt: skip
    return b"".join([header, symbols, names.data, section_names.data, padding, headers])
