"""Reads of an ELF file what a debugger relocates: the sections that take memory, and routines."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from emu.base.errors import ProgramError
from emu.base.files import read_at_most
from emu.program.elf.dwarf import told_as_damaged
from emu.program.elf.elf import check_extents
from emu.program.model.model import source_name

_LARGEST = 256 << 20
_ALLOCATED, _EXECUTABLE = 2, 4
_NO_CONTENTS = "SHT_NOBITS"


@dataclass(frozen=True, slots=True)
class ElfSection:
    """A section that takes memory; ``data`` is empty for zeroed data."""

    name: str
    address: int
    size: int
    is_code: bool
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ElfOutline:
    """Sections of a linked file in its order, its routines' addresses, and its contents."""

    sections: tuple[ElfSection, ...]
    routines: Mapping[str, int]
    image: bytes = field(repr=False)


def read_outline(path: Path) -> ElfOutline:
    """Read a linked ELF file.

    Raises:
        ProgramError: it cannot be read, or is damaged.
    """
    image = read_at_most(path, _LARGEST, "an ELF file", ProgramError)
    check_extents(image, path)
    with told_as_damaged(path, "its sections"):
        elf = ELFFile(io.BytesIO(image))
        return ElfOutline(tuple(_sections(elf)), dict(_routines(elf)), image)


def _sections(elf: ELFFile) -> Iterator[ElfSection]:
    for section in elf.iter_sections():
        if section["sh_flags"] & _ALLOCATED:
            yield ElfSection(
                section.name,
                section["sh_addr"],
                section["sh_size"],
                bool(section["sh_flags"] & _EXECUTABLE),
                b"" if section["sh_type"] == _NO_CONTENTS else section.data(),
            )


def _routines(elf: ELFFile) -> Iterator[tuple[str, int]]:
    table = elf.get_section_by_name(".symtab")
    if isinstance(table, SymbolTableSection):
        for symbol in table.iter_symbols():
            if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF":
                yield source_name(symbol.name), symbol["st_value"]
                yield symbol.name, symbol["st_value"]
