"""Reads 32-bit XCOFF files: the objects and linked programs of Retro68's PowerPC compiler.

Source: AIX Files Reference, "XCOFF Object File Format". Retro68 links with every section group at
address 0, so an address means nothing without its section; symbols are kept as offsets.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ProgramError
from emu.program.pef_relocations import Relocations, overlapping

XCOFF_MAGIC = b"\x01\xdf"
_HEADER = struct.Struct(">HHiIiHH")
_AUXILIARY_HEADER = struct.Struct(">HH7I6H")
_SECTION = struct.Struct(">8s6IHHI")
_LINKED = 0x0002
_KINDS = {0x20: "code", 0x40: "data", 0x80: "zeroed data", 0x1000: "loader"}
_MOST_MEMORY = 64 << 20
_MOST_NAMES = 16
"""All names together may have this many times the bytes of the file, for some names share bytes.
More means a damaged file."""

_SYMBOL = np.dtype(
    [
        ("zeroes", ">u4"),
        ("offset", ">u4"),
        ("value", ">u4"),
        ("section", ">i2"),
        ("type", ">u2"),
        ("storage", "u1"),
        ("auxiliaries", "u1"),
    ]
)
_CSECT = np.dtype(
    [
        ("length", ">u4"),
        ("hash", "V6"),
        ("type", "u1"),
        ("mapping", "u1"),
        ("stab", "V6"),
    ]
)
_EXTERNAL, _HIDDEN, _WEAK = 2, 107, 111  # storage classes of symbols that name memory
_SECTION_DEFINITION, _LABEL, _COMMON = 1, 2, 3  # types of such symbols

# Storage mapping classes.
_CODE_CLASSES = {0, 6}  # PR program code, GL glue
_DATA_CLASSES = {1, 5, 9, 11}  # RO constants, RW data, BS zeroed data, UC Fortran common
_DESCRIPTOR, _CONTENTS_ANCHOR = 10, 15

_LOADER = struct.Struct(">8I")
_LOADER_SYMBOL = struct.Struct(">8sIhBBII")
_LOADER_RELOCATION = np.dtype(
    [("address", ">u4"), ("symbol", ">u4"), ("type", ">u2"), ("section", ">u2")]
)
_WORD_TO_ADDRESS = 0x1F00  # 32 bits, plus the address of what the symbol names
_IMPORT, _WEAK_SYMBOL = 0x40, 0x08
_NO_LIBRARY = 0


@dataclass(frozen=True, slots=True)
class XcoffSection:
    """A section; ``kind`` is "code", "data", "zeroed data", "loader" or "other"."""

    index: int
    name: str
    kind: str
    address: int
    size: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class XcoffSymbol:
    """A name for a place in a section.

    Attributes:
        name: as it is in the file: code has a dot before the name in the source.
        section: the section's index.
        offset: bytes from the section's beginning.
        size: bytes up to the end of what it names; 0 is unknown.
        kind: "code", "data", "descriptor" (a routine's transition vector), "contents" (the anchor
            of the table of contents), or "other" (entries of that table, for one).
    """

    name: str
    section: int
    offset: int
    size: int
    kind: str


@dataclass(frozen=True, slots=True)
class XcoffImport:
    """A symbol of another fragment; a weak symbol that no fragment has is at address 0."""

    name: str
    weak: bool


@dataclass(frozen=True, slots=True, eq=False)
class XcoffFile:
    """An XCOFF file that was read and found sound.

    Attributes:
        path: the file it came from.
        linked: whether it is a program, and not an object to be linked.
        sections: by index.
        symbols: names of places in them, in the order of the file.
        entry: section index and offset of the main transition vector, or None.
        contents: section index and offset of the table of contents' anchor, or None.
        imports: symbols that other fragments have to give, by index.
        relocations: for each section, the words that depend on addresses.
    """

    path: Path
    linked: bool
    sections: tuple[XcoffSection, ...]
    symbols: tuple[XcoffSymbol, ...] = field(repr=False)
    entry: tuple[int, int] | None
    contents: tuple[int, int] | None
    imports: tuple[XcoffImport, ...]
    relocations: tuple[Relocations, ...] = field(repr=False)

    def section(self, kind: str) -> XcoffSection | None:
        """The section of a kind, if there is one."""
        return next((s for s in self.sections if s.kind == kind), None)


def is_xcoff(data: bytes) -> bool:
    """Whether data begin like a 32-bit XCOFF file."""
    return data[:2] == XCOFF_MAGIC and len(data) >= _HEADER.size


def parse_xcoff(data: bytes, path: Path) -> XcoffFile:
    """Read an XCOFF file.

    Raises:
        ProgramError: it is not a 32-bit XCOFF file, is truncated or damaged, or asks for more than
            64 MiB of memory.
    """
    return _Reader(data, path).read()


class _Reader:
    def __init__(self, data: bytes, path: Path) -> None:
        self._data = data
        self._path = path

    def read(self) -> XcoffFile:
        if not is_xcoff(self._data):
            raise ProgramError(self._path, "it is not a 32-bit XCOFF file", where="offset 0")
        _, count, _, symbols_at, symbol_count, auxiliary, flags = _HEADER.unpack_from(self._data)
        linked = bool(flags & _LINKED)
        sections = self._sections(count, _HEADER.size + auxiliary)
        entry = contents = None
        if auxiliary >= _AUXILIARY_HEADER.size:
            self._require(_HEADER.size, auxiliary, "the auxiliary header")
            header = _AUXILIARY_HEADER.unpack_from(self._data, _HEADER.size)
            if linked:
                entry = self._place(sections, header[9], header[5], "the entry point")
            contents = self._place(sections, header[12], header[8], "the table of contents")
        loader = next((s for s in sections if s.kind == "loader"), None)
        imports: tuple[XcoffImport, ...] = ()
        relocations = tuple(Relocations() for _ in sections)
        if linked and loader is not None:
            imports, relocations = _LoaderSection(loader.data, sections, self._path).read()
        return XcoffFile(
            path=self._path,
            linked=linked,
            sections=sections,
            symbols=_Symbols(self._data, symbols_at, symbol_count, sections, self._path).read(),
            entry=entry,
            contents=contents,
            imports=imports,
            relocations=relocations,
        )

    def _sections(self, count: int, start: int) -> tuple[XcoffSection, ...]:
        self._require(start, count * _SECTION.size, "the table of sections")
        sections: list[XcoffSection] = []
        in_file = in_memory = 0
        for index in range(count):
            name, _, address, size, offset, _, _, _, _, flags = _SECTION.unpack_from(
                self._data, start + index * _SECTION.size
            )
            kind = _KINDS.get(flags & 0xFFFF, "other")
            label = name.rstrip(b"\0").decode("mac_roman")
            data = b""
            if offset and kind != "zeroed data":
                self._require(offset, size, f"section {label}")
                in_file += size
                data = self._data[offset : offset + size] if kind != "other" else b""
            if kind in ("code", "data", "zeroed data"):
                in_memory += size
            if kind != "other" and any(s.kind == kind for s in sections):
                raise self._error(f"it has two sections of {kind}")
            sections.append(XcoffSection(index, label, kind, address, size, data))
        if in_file > len(self._data):
            raise self._error(f"its sections have {in_file} bytes, the file {len(self._data)}")
        if in_memory > _MOST_MEMORY:
            raise self._error(
                f"its sections take {in_memory:,} bytes of memory, more than "
                f"{_MOST_MEMORY >> 20} MiB"
            )
        return tuple(sections)

    def _place(
        self, sections: Sequence[XcoffSection], number: int, address: int, what: str
    ) -> tuple[int, int] | None:
        if number == 0:
            return None
        if number > len(sections):
            raise self._error(f"{what} is in section {number} of {len(sections)}")
        section = sections[number - 1]
        # The anchor lies up to 32 KiB behind the beginning of its table: behind a small one's end.
        if not 0 <= address - section.address <= section.size + 0x8000:
            raise self._error(f"{what} is at 0x{address:x}, outside section {section.name}")
        return section.index, address - section.address

    def _require(self, offset: int, size: int, what: str) -> None:
        if offset + size > len(self._data):
            raise self._error(
                f"it is truncated: {what} ends at offset {offset + size}, the file at "
                f"{len(self._data)}"
            )

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self._path, problem)


class _Symbols:
    """Reads the symbol table; a program with debugging information has 250,000 symbols."""

    def __init__(
        self,
        data: bytes,
        start: int,
        count: int,
        sections: Sequence[XcoffSection],
        path: Path,
    ) -> None:
        self._data = data
        self._start = start
        self._count = count
        self._sections = sections
        self._path = path
        self._names = 0

    def read(self) -> tuple[XcoffSymbol, ...]:
        end = self._start + self._count * _SYMBOL.itemsize
        if self._count < 0 or end > len(self._data):
            raise self._error(
                f"its symbol table ends at offset {end}, the file at {len(self._data)}"
            )
        if not self._count:
            return ()
        table: NDArray[Any] = np.frombuffer(self._data, _SYMBOL, self._count, self._start)
        csects: NDArray[Any] = np.frombuffer(self._data, _CSECT, self._count, self._start)
        rows = self._rows(table["auxiliaries"].tolist())
        kept = rows[
            np.isin(table["storage"][rows], (_EXTERNAL, _HIDDEN, _WEAK))
            & (table["section"][rows] > 0)
            & (table["auxiliaries"][rows] > 0)
        ]
        last = csects[kept + table["auxiliaries"][kept]]
        kinds = last["type"] & 7
        named = np.isin(kinds, (_SECTION_DEFINITION, _LABEL, _COMMON))
        kept, last, kinds = kept[named], last[named], kinds[named]
        sizes = self._sizes(table[kept], kept, last, kinds)
        symbols = []
        for row, size, mapping in zip(
            table[kept].tolist(), sizes.tolist(), last["mapping"].tolist(), strict=True
        ):
            zeroes, offset, value, number = row[:4]
            if number > len(self._sections):
                raise self._error(f"a symbol is in section {number} of {len(self._sections)}")
            section = self._sections[number - 1]
            place = value - section.address
            if not 0 <= place <= section.size:
                raise self._error(f"a symbol is at 0x{value:x}, outside section {section.name}")
            name = self._name(zeroes, offset)
            symbols.append(XcoffSymbol(name, section.index, place, size, _kind_of(mapping)))
        return tuple(symbols)

    def _rows(self, auxiliaries: list[int]) -> NDArray[np.int64]:
        """The indexes of entries that are symbols; others hold details of the symbol before."""
        rows = []
        row = 0
        while row < self._count:
            rows.append(row)
            row += 1 + auxiliaries[row]
        if row != self._count:
            raise self._error("its symbol table ends in the middle of a symbol")
        return np.array(rows, dtype=np.int64)

    def _sizes(
        self,
        rows: NDArray[Any],
        indices: NDArray[np.int64],
        csects: NDArray[Any],
        kinds: NDArray[np.uint8],
    ) -> NDArray[np.int64]:
        """How many bytes each symbol names.

        A csect (control section) states its size. A label names a place in a csect, and reaches
        to the next label of that csect or to the csect's end.
        """
        lengths = csects["length"].astype(np.int64)
        starts = rows["value"].astype(np.int64)
        is_label = kinds == _LABEL
        # A label names its csect by the csect's index in the symbol table.
        where = np.searchsorted(indices, lengths)
        where = np.minimum(where, max(len(indices) - 1, 0))
        found = is_label & (indices[where] == lengths) & (kinds[where] != _LABEL)
        ends = np.where(found, starts[where] + lengths[where], starts)
        ends = np.where(is_label, ends, starts + lengths)
        # The next label of the same csect, in order of address.
        owner = np.where(found, where, -1)
        order = np.lexsort((starts, owner))
        following = np.full(len(starts), np.iinfo(np.int64).max)
        previous: tuple[int, int] = (-1, -1)
        next_start = 0
        for index in order[::-1].tolist():
            if owner[index] < 0:
                break
            here = (int(owner[index]), int(starts[index]))
            if here[0] != previous[0]:
                next_start = int(np.iinfo(np.int64).max)
            elif here[1] != previous[1]:
                next_start = previous[1]
            following[index] = next_start
            previous = here
        sizes = np.minimum(ends, following) - starts
        return np.where((sizes > 0) & (sizes < _MOST_MEMORY), sizes, 0)

    def _name(self, zeroes: int, offset: int) -> str:
        if not zeroes and not offset:
            return ""
        if zeroes:
            name = struct.pack(">II", zeroes, offset).rstrip(b"\0")
        else:
            start = self._start + self._count * _SYMBOL.itemsize + offset
            end = self._data.find(b"\0", start, start + 0x10000) if offset >= 4 else -1
            if end < 0:
                raise self._error(f"a symbol's name at {offset} is not in the table of strings")
            name = self._data[start:end]
        self._names += len(name)
        if self._names > _MOST_NAMES * len(self._data):
            raise self._error("its names together are much longer than the whole file")
        return name.decode("mac_roman")

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self._path, problem, where="symbol table")


def _kind_of(mapping: int) -> str:
    if mapping in _CODE_CLASSES:
        return "code"
    if mapping in _DATA_CLASSES:
        return "data"
    return {_DESCRIPTOR: "descriptor", _CONTENTS_ANCHOR: "contents"}.get(mapping, "other")


class _LoaderSection:
    """Reads the loader section: what has to be done when a linked program is put into memory."""

    def __init__(self, data: bytes, sections: Sequence[XcoffSection], path: Path) -> None:
        self._data = data
        self._sections = sections
        self._path = path

    def read(self) -> tuple[tuple[XcoffImport, ...], tuple[Relocations, ...]]:
        """The imports, and the relocations of each section."""
        self._require(_LOADER.size, "its header")
        header = _LOADER.unpack_from(self._data)
        version, symbol_count, relocation_count, _, _, _, strings_size, strings = header
        if version != 1:
            raise self._error(f"it is of version {version}, not 1")
        after_symbols = _LOADER.size + symbol_count * _LOADER_SYMBOL.size
        self._require(after_symbols, "its table of symbols")
        self._require(
            after_symbols + relocation_count * _LOADER_RELOCATION.itemsize, "its relocations"
        )
        self._require(strings + strings_size, "its table of strings")
        imports: list[XcoffImport] = []
        sources = [self._named("code"), self._named("data"), self._named("zeroed data")]
        for index in range(symbol_count):
            name, _, _, kind, _, library, _ = _LOADER_SYMBOL.unpack_from(
                self._data, _LOADER.size + index * _LOADER_SYMBOL.size
            )
            if kind & _IMPORT:
                sources.append(-1 - len(imports))
                weak = bool(kind & _WEAK_SYMBOL) and library == _NO_LIBRARY
                imports.append(XcoffImport(self._name(name, strings), weak))
            else:
                sources.append(None)
        table: NDArray[Any] = np.frombuffer(
            self._data, _LOADER_RELOCATION, relocation_count, after_symbols
        )
        return tuple(imports), self._relocations(table, sources)

    def _relocations(
        self, table: NDArray[Any], sources: list[int | None]
    ) -> tuple[Relocations, ...]:
        if (table["type"] != _WORD_TO_ADDRESS).any():
            kind = int(table["type"][table["type"] != _WORD_TO_ADDRESS][0])
            raise self._error(f"a relocation is of the unknown kind 0x{kind:04x}")
        if len(table) and int(table["symbol"].max()) >= len(sources):
            raise self._error(f"a relocation names symbol {int(table['symbol'].max())}")
        known = np.array([s is not None for s in sources])
        if not known[table["symbol"]].all():
            raise self._error("a relocation names a symbol that is neither section nor import")
        values = np.array([s or 0 for s in sources], dtype=np.int64)
        relocations = []
        count = 0
        for section in self._sections:
            own = table[table["section"] == section.index + 1]
            count += len(own)
            offsets = own["address"].astype(np.int64) - section.address
            if len(own) and (offsets.min() < 0 or offsets.max() + 4 > len(section.data)):
                raise self._error(f"a relocation lies outside section {section.name}")
            if overlapping(offsets):
                raise self._error("two relocated words overlap")
            relocations.append(Relocations(offsets, values[own["symbol"]]))
        if count != len(table):
            raise self._error("a relocation is in a section that does not exist")
        return tuple(relocations)

    def _named(self, kind: str) -> int | None:
        return next((s.index for s in self._sections if s.kind == kind), None)

    def _name(self, name: bytes, strings: int) -> str:
        if name[:4] != b"\0\0\0\0":
            return name.rstrip(b"\0").decode("mac_roman")
        start = strings + int.from_bytes(name[4:], "big")
        # Its length stands in the two bytes before.
        if start < 2 or start > len(self._data):
            raise self._error("a symbol's name is not in its table of strings")
        length = min(int.from_bytes(self._data[start - 2 : start], "big"), 0x400)
        return self._data[start : start + length].split(b"\0")[0].decode("mac_roman")

    def _require(self, end: int, what: str) -> None:
        if end > len(self._data):
            raise self._error(f"{what} ends at byte {end} of {len(self._data)}")

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self._path, problem, where="loader section")
