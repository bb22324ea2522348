"""Symbols for CODE resources: from the linked ELF file that Retro68 keeps beside an application.

The ELF file was linked before the segments were cut apart: its sections ``.code00001`` and so on
are, in the order of their names, the segments 1, 2, ...; ``.data`` and ``.bss`` lie below A5. Its
symbols are used only if its contents are those of the application.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.files import read_at_most
from emu.program.elf.dwarf import DebugInformation, read_debug_information, told_as_damaged
from emu.program.elf.elf import check_extents
from emu.program.model.lines import LineRow, LineTable
from emu.program.model.model import Symbol, source_name

DEBUG_SUFFIX = ".code.bin.gdb"
_LARGEST_ELF = 256 << 20
_KINDS = {"STT_FUNC": "function", "STT_OBJECT": "object"}
_CONTENTS = "SHT_PROGBITS"
_ALLOCATED = 2
_EXCEPTION_MARK = "__EH_FRAME_BEGIN__"


@dataclass(frozen=True, slots=True)
class LinkedSection:
    """A section of the ELF file; ``data`` is empty for zeroed data."""

    name: str
    address: int
    size: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SectionSymbol:
    """A symbol by its section's name and its offset in it."""

    name: str
    section: str
    offset: int
    size: int
    kind: str


@dataclass(frozen=True, slots=True)
class LinkedElf:
    """The parts of a linked ELF file that symbols and their check need.

    Attributes:
        path: the file.
        code: the code sections, in the order of the segments.
        data: the initialised data.
        zeroed: the data that begins as zeros.
        symbols: every symbol defined in one of these.
        image: the file itself, for its debugging information.
    """

    path: Path
    code: tuple[LinkedSection, ...]
    data: LinkedSection
    zeroed: LinkedSection
    symbols: tuple[SectionSymbol, ...]
    image: bytes = field(repr=False)

    def exception_start(self, section: LinkedSection) -> int:
        """Where the tables for exceptions begin in a code section; its size without any."""
        return min(
            (
                symbol.offset
                for symbol in self.symbols
                if symbol.section == section.name and symbol.name.startswith(_EXCEPTION_MARK)
            ),
            default=section.size,
        )


def read_linked_elf(path: Path) -> LinkedElf:
    """Read sections and symbols of the ELF file.

    Raises:
        ProgramError: it cannot be read, is damaged, or is no linked 68K ELF file.
    """
    image = read_at_most(path, _LARGEST_ELF, "an ELF file", ProgramError)
    check_extents(image, path)
    try:
        return _read(image, path)
    except ProgramError:
        raise
    except Exception as error:  # whatever the library stumbles over, the file is at fault
        raise ProgramError(path, f"it is damaged ({type(error).__name__}: {error})") from error


def _read(image: bytes, path: Path) -> LinkedElf:
    from elftools.elf.elffile import ELFFile  # takes 27 ms, and few programs have such a file
    from elftools.elf.sections import SymbolTableSection

    elf = ELFFile(io.BytesIO(image))
    if elf["e_machine"] != "EM_68K" or elf["e_type"] != "ET_EXEC":
        raise ProgramError(
            path, "it is no linked 68K ELF file", remedy="Give the NAME.code.bin.gdb of a program."
        )
    code: list[LinkedSection] = []
    data = LinkedSection(".data", 0, 0, b"")
    zeroed = LinkedSection(".bss", 0, 0, b"")
    names: dict[int, str] = {}
    for index, section in enumerate(elf.iter_sections()):
        allocated = section["sh_flags"] & _ALLOCATED
        has_contents = section["sh_type"] == _CONTENTS
        if not allocated or not (has_contents or section.name == ".bss"):
            continue
        contents = section.data() if has_contents else b""
        linked = LinkedSection(section.name, section["sh_addr"], section["sh_size"], contents)
        if section.name == ".data":
            data = linked
        elif section.name == ".bss":
            zeroed = linked
        else:
            code.append(linked)
        names[index] = section.name
    code.sort(key=lambda section: section.name)
    sections = {section.name: section for section in (*code, data, zeroed)}
    if len(sections) != len(code) + 2:
        raise ProgramError(path, "two of its sections have the same name")
    table = elf.get_section_by_name(".symtab")
    symbols = []
    if isinstance(table, SymbolTableSection):
        for entry in table.iter_symbols():
            where = names.get(entry["st_shndx"])
            kind = entry["st_info"]["type"]
            if entry.name and where is not None and kind not in ("STT_FILE", "STT_SECTION"):
                offset = entry["st_value"] - sections[where].address
                symbols.append(
                    SectionSymbol(
                        entry.name, where, offset, entry["st_size"], _KINDS.get(kind, "other")
                    )
                )
    return LinkedElf(path, tuple(code), data, zeroed, tuple(symbols), image)


def require_same(
    elf: LinkedElf,
    section: LinkedSection,
    contents: bytes,
    relocated: set[int],
    compared: int,
    what: str,
) -> None:
    """Check that a section has the same contents as the application.

    Args:
        elf: the file that has the section.
        section: the section.
        contents: the same part of the application.
        relocated: offsets of the longs that differ because they were relocated.
        compared: how many of the bytes are compared. The tables for exceptions behind the code are
            left out, because they change when segments are cut apart.
        what: the application's part, for the message.

    Raises:
        ProgramError: the contents differ.
    """
    problem = ""
    if len(contents) != section.size:
        problem = f"its section {section.name} has {section.size} bytes, {what} {len(contents)}"
    else:
        ours, theirs = bytearray(contents[:compared]), bytearray(section.data[:compared])
        for offset in relocated:
            for image in (ours, theirs):
                image[offset : offset + 4] = bytes(len(image[offset : offset + 4]))
        if ours != theirs:
            first = next(n for n, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
            problem = f"its section {section.name} and {what} differ at offset 0x{first:x}"
    if problem:
        raise ProgramError(
            elf.path,
            f"it does not belong to the application: {problem}",
            remedy="Build both again, or take the ELF file away to go on without symbols.",
        )


AddressOf = Callable[[str, int], int]
"""Gives the run-time address of an offset in a section, by the section's name."""


def placed_symbols(elf: LinkedElf, place: AddressOf) -> list[Symbol]:
    """The symbols, moved to their run-time addresses."""
    return [
        Symbol(symbol.name, place(symbol.section, symbol.offset), symbol.size, symbol.kind)
        for symbol in elf.symbols
    ]


def placed_debug_information(elf: LinkedElf, place: AddressOf) -> DebugInformation:
    """The debugging information, moved to where the segments are.

    Functions and variables that the linker threw away keep their entries, with addresses near 0.
    They are recognised by the lack of a symbol with that address.
    """
    from elftools.elf.elffile import ELFFile

    with told_as_damaged(elf.path, "its debugging information"):
        file = ELFFile(io.BytesIO(elf.image))
        if not file.has_dwarf_info():
            return DebugInformation()
        debug = read_debug_information(file, elf.path)
    move = _Mover(elf, place)
    functions = {
        name: [move.address(a) for a in addresses if move.is_function(name, a)]
        for name, addresses in debug.functions.items()
    }
    variables = {
        name: [
            replace(v, address=move.address(v.address))
            for v in variables_of_name
            if move.is_data(v.address)
        ]
        for name, variables_of_name in debug.variables.items()
    }
    described = {
        a
        for name, addresses in debug.functions.items()
        for a in addresses
        if move.is_function(name, a)
    }
    return DebugInformation(
        debug.present,
        {name: places for name, places in variables.items() if places},
        {name: addresses for name, addresses in functions.items() if addresses},
        LineTable(move.rows(debug.lines, described)),
        {
            name: [
                s if s.address is None else replace(s, address=move.address(s.address))
                for s in of_name
                if s.address is None or move.is_function(name, s.address)
            ]
            for name, of_name in debug.signatures.items()
        },
        dropped=debug.dropped | {name for name, places in variables.items() if not places},
    )


class _Mover:
    """Translates addresses in the ELF file to run-time addresses."""

    def __init__(self, elf: LinkedElf, place: AddressOf) -> None:
        sections = [*elf.code, elf.data, elf.zeroed]
        self._place = place
        self._sections = sorted((s for s in sections if s.size), key=lambda s: s.address)
        start = {section.name: section.address for section in sections}
        self._functions: dict[int, set[str]] = {}
        self._starts: list[tuple[int, int]] = []
        self._data: set[int] = set()
        for symbol in elf.symbols:
            address = start[symbol.section] + symbol.offset
            if symbol.kind == "function":
                self._functions.setdefault(address, set()).add(symbol.name)
                self._starts.append((address, address + symbol.size))
            else:
                self._data.add(address)
        self._starts.sort()

    def address(self, address: int) -> int:
        """The run-time address for an address in the ELF file."""
        for section in self._sections:
            if section.address <= address < section.address + section.size:
                return self._place(section.name, address - section.address)
        raise KeyError(address)

    def is_function(self, name: str, address: int) -> bool:
        """Whether a function was linked there; at address 0 its name must agree, too."""
        names = self._functions.get(address, set())
        return bool(names) and (address > 0 or any(name in (n, source_name(n)) for n in names))

    def is_data(self, address: int) -> bool:
        """Whether a variable was linked there."""
        return address in self._data and any(
            section.address <= address < section.address + section.size
            for section in self._sections
        )

    def rows(self, lines: LineTable, described: set[int]) -> list[LineRow]:
        """The line rows of the described functions; a row of line 0 ends each function."""
        rows: list[LineRow] = []
        extents = [
            (start, end) for start, end in self._starts if start in described and end > start
        ]
        index = 0
        for start, end in dict.fromkeys(extents):
            while index < len(lines.rows) and lines.rows[index].address < start:
                index += 1
            at = index
            while at < len(lines.rows) and lines.rows[at].address < end:
                row = lines.rows[at]
                rows.append(replace(row, address=self.address(row.address)))
                at += 1
            if at > index:
                rows.append(LineRow(self.address(end - 1) + 1, "", 0))
        return rows


def exception_tail(segment: bytes) -> int:
    """Where the tables for exceptions begin in a far segment that Retro68 made.

    The last long of such a segment is the distance back from itself to them.

    Returns:
        The offset in the resource, or the resource's size if the long makes no sense.
    """
    if len(segment) < 8:
        return len(segment)
    start = len(segment) - 4 + int(struct.unpack(">i", segment[-4:])[0])
    return start if 0 < start <= len(segment) - 36 else len(segment)


def symbols_by_section(elf: LinkedElf) -> Mapping[str, list[SectionSymbol]]:
    """The symbols of every section."""
    symbols: dict[str, list[SectionSymbol]] = {}
    for symbol in elf.symbols:
        symbols.setdefault(symbol.section, []).append(symbol)
    return symbols
