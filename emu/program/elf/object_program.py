"""Reads a relocatable ELF object into a Program, so that its code can be looked at.

Nothing of it can run. Sections get addresses that lie apart. What other files have to give gets an
address, too, without memory; the symbol there tells what it is.
Sources of relocation types: System V ABI, PowerPC Processor Supplement; binutils' elf/m68k.h.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section, SymbolTableSection

from emu.base.errors import ProgramError
from emu.program.elf.dwarf import told_as_damaged
from emu.program.elf.elf import check_extents
from emu.program.model.lines import LineTable
from emu.program.model.model import Program, Segment, Symbol

_ARCHITECTURES = {"EM_68K": "m68k", "EM_PPC": "powerpc"}
_KINDS = {"STT_FUNC": "function", "STT_OBJECT": "object"}
_FIRST, _FIRST_OUTSIDE, _END = 0x10000, 0x800000, 0x2000000
"""Addresses of sections and of what is outside: calls of the PowerPC reach 32 MiB."""
_OUTSIDE_SIZE = 0x1000
_DEBUG = ".debug_"
_ALLOCATED, _WRITABLE, _EXECUTABLE = 2, 1, 4

_Write = Callable[[bytearray, int, int, int], None]


def object_program(image: bytes, path: Path) -> Program:
    """Read a relocatable object of a 68K or PowerPC compiler.

    Args:
        image: the object file.
        path: the file that messages name.

    Raises:
        ProgramError: it is damaged, no such object, or too large.
    """
    check_extents(image, path)
    with told_as_damaged(path, "its object file"):
        return _reader(image, path).program()


def debug_image(image: bytes, path: Path) -> tuple[bytes, Program]:
    """Apply the relocations of an object's debugging information, too.

    Args:
        image: the object file.
        path: the file that messages name.

    Returns:
        The object file with debugging information as if it was linked, with addresses of the
        program; and the program, as of `object_program`.

    Raises:
        ProgramError: as of `object_program`.
    """
    check_extents(image, path)
    with told_as_damaged(path, "its object file"):
        reader = _reader(image, path)
        return reader.with_debug_relocations(image), reader.program()


def _reader(image: bytes, path: Path) -> _ObjectReader:
    elf = ELFFile(io.BytesIO(image))
    architecture = _ARCHITECTURES.get(elf["e_machine"])
    if architecture is None or elf["e_type"] != "ET_REL":
        raise ProgramError(path, "it is no object file for the 68K or the PowerPC")
    return _ObjectReader(elf, architecture, path)


class _ObjectReader:
    """Places the sections of one object, and applies its relocations."""

    def __init__(self, elf: ELFFile, architecture: str, path: Path) -> None:
        self._elf = elf
        self._architecture = architecture
        self._path = path
        self._addresses: dict[int, int] = {}  # of sections, by their index
        self._outside: dict[str, int] = {}
        self._contents: dict[int, bytearray] = {}
        address = _FIRST
        for index, section in enumerate(elf.iter_sections()):
            if section["sh_flags"] & _ALLOCATED and section["sh_size"]:
                self._addresses[index] = address
                is_empty = section["sh_type"] == "SHT_NOBITS"
                self._contents[index] = bytearray(b"" if is_empty else section.data())
                address += -(-section["sh_size"] // 16) * 16 + 16
        if address > _FIRST_OUTSIDE:
            raise ProgramError(path, f"its object file has {address - _FIRST:,} bytes, too many")

    def program(self) -> Program:
        """The object with all its relocations applied."""
        for section in self._elf.iter_sections():
            if isinstance(section, RelocationSection) and section["sh_info"] in self._contents:
                self._relocate(section)
        outside = [
            Symbol(name, address, _OUTSIDE_SIZE, "other") for name, address in self._outside.items()
        ]
        return Program(
            path=self._path,
            architecture=self._architecture,
            byte_order=">",
            segments=[
                _segment(self._elf.get_section(index), address, bytes(self._contents[index]))
                for index, address in self._addresses.items()
            ],
            symbols=[*self._symbols(), *outside],
            variables={},
            functions={},
            lines=LineTable(),
            has_debug_information=False,
        )

    def with_debug_relocations(self, image: bytes) -> bytes:
        """The file with its debugging information relocated; sections of it begin at 0."""
        debug = {
            index: section
            for index, section in enumerate(self._elf.iter_sections())
            if section.name.startswith(_DEBUG)
        }
        self._contents |= {index: bytearray(section.data()) for index, section in debug.items()}
        for section in self._elf.iter_sections():
            if isinstance(section, RelocationSection) and section["sh_info"] in debug:
                self._relocate(section)
        linked = bytearray(image)
        for index, section in debug.items():
            start = section["sh_offset"]
            linked[start : start + section["sh_size"]] = self._contents.pop(index)
        return bytes(linked)

    def _symbols(self) -> Iterator[Symbol]:
        for table in self._elf.iter_sections("SHT_SYMTAB"):
            for entry in table.iter_symbols():
                kind = _KINDS.get(entry["st_info"]["type"])
                address = self._addresses.get(entry["st_shndx"])
                if kind is not None and address is not None:
                    yield Symbol(entry.name, address + entry["st_value"], entry["st_size"], kind)

    def _relocate(self, relocations: RelocationSection) -> None:
        index = relocations["sh_info"]
        symbols = self._elf.get_section(relocations["sh_link"])
        writers = _WRITERS[self._architecture]
        values: dict[int, int] = {}  # most relocations are for few symbols
        for relocation in relocations.iter_relocations():
            write = writers.get(relocation["r_info_type"])
            if write is None or not isinstance(symbols, SymbolTableSection):
                continue
            offset = relocation["r_offset"]
            if offset + 4 > len(self._contents[index]) + 2:
                raise ProgramError(self._path, "its object file is damaged: a relocation leads out")
            number = relocation["r_info_sym"]
            if number not in values:
                values[number] = self._value(symbols.get_symbol(number))
            value = values[number] + (relocation["r_addend"] if relocation.is_RELA() else 0)
            write(self._contents[index], offset, value, self._addresses.get(index, 0) + offset)

    def _value(self, symbol: Section) -> int:
        """The address of a symbol."""
        section = symbol["st_shndx"]
        if section in self._addresses:
            return int(self._addresses[section] + symbol["st_value"])
        if section == "SHN_ABS" or section in self._contents:  # debugging information begins at 0
            return int(symbol["st_value"])
        address = _FIRST_OUTSIDE + _OUTSIDE_SIZE * len(self._outside)
        if address >= _END:
            raise ProgramError(self._path, "it needs too much from other files")
        return self._outside.setdefault(symbol.name, address)


def _segment(section: Section, address: int, content: bytes) -> Segment:
    flags = section["sh_flags"]
    return Segment(
        section.name,
        address,
        section["sh_size"],
        content,
        writable=bool(flags & _WRITABLE),
        executable=bool(flags & _EXECUTABLE),
    )


def _long(content: bytearray, at: int, value: int, place: int) -> None:
    struct.pack_into(">I", content, at, value & 0xFFFFFFFF)


def _word(content: bytearray, at: int, value: int, place: int) -> None:
    struct.pack_into(">H", content, at, value & 0xFFFF)


def _upper(content: bytearray, at: int, value: int, place: int) -> None:
    _word(content, at, value >> 16, place)


def _adjusted(content: bytearray, at: int, value: int, place: int) -> None:
    _word(content, at, (value + 0x8000) >> 16, place)


def _relative_long(content: bytearray, at: int, value: int, place: int) -> None:
    _long(content, at, value - place, place)


def _relative_word(content: bytearray, at: int, value: int, place: int) -> None:
    _word(content, at, value - place, place)


def _branch(content: bytearray, at: int, value: int, place: int) -> None:
    (word,) = struct.unpack_from(">I", content, at)
    struct.pack_into(">I", content, at, word & ~0x03FFFFFC | value - place & 0x03FFFFFC)


_WRITERS: dict[str, dict[int, _Write]] = {
    "m68k": {1: _long, 2: _word, 4: _relative_long, 5: _relative_word},
    "powerpc": {
        1: _long,
        3: _word,
        4: _word,
        5: _upper,
        6: _adjusted,
        10: _branch,
        18: _branch,
        23: _branch,
        26: _relative_long,
    },
}
"""What writes a relocated value, by architecture and type. Those of debugging are left out."""
