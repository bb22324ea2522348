"""Reads the loader section of a PEF container: imports, exports and relocations of a fragment.

Source: Mac OS Runtime Architectures, chapter 8, "The Loader Section".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.pef.pef_model import (
    ABSOLUTE,
    REEXPORTED,
    PefExport,
    PefImport,
    PefLibrary,
    PefSection,
    SectionOffset,
)
from emu.program.pef.pef_relocations import Relocations, StepBudget, read_relocations

_HEADER = struct.Struct(">iIiIiI8I")
_LIBRARY = struct.Struct(">IIIIIBBH")
_RELOCATION_HEADER = struct.Struct(">HHII")
_EXPORT = struct.Struct(">IIh")
_SYMBOL_KINDS = {0: "code", 1: "data", 2: "transition vector", 3: "contents", 4: "glue"}
_WEAK_LIBRARY, _INITIALISE_BEFORE = 0x40, 0x80
_WEAK_SYMBOL = 0x80
_MOST_HASH_POWER = 30
_MOST_NAMES = 16
"""All names together may have this many times the bytes of the loader section, for some names
share bytes. More means a damaged file."""
_LONGEST_NAME = 0x10000


class PefLoaderSection:
    """The section with a fragment's imports, exports and relocations.

    Args:
        data: its contents.
        placed: the sections that are placed in memory.
        path: the file, for messages.

    Raises:
        ProgramError: one of its tables does not fit into it. All methods raise it, too, if what
            they read is damaged.
    """

    def __init__(self, data: bytes, placed: Sequence[PefSection], path: Path) -> None:
        self._data = data
        self._placed = placed
        self._path = path
        self._named = 0
        self._require(0, _HEADER.size, "its header")
        self._header: tuple[int, ...] = _HEADER.unpack_from(data)
        (
            self._library_count,
            self._import_count,
            self._relocated_count,
            self._instructions,
            self._strings,
            self._hash_table,
            self._hash_power,
            self._export_count,
        ) = self._header[6:]
        self._library_table = _HEADER.size
        self._import_table = self._library_table + self._library_count * _LIBRARY.size
        self._relocation_table = self._import_table + self._import_count * 4
        end = self._relocation_table + self._relocated_count * _RELOCATION_HEADER.size
        self._require(end, 0, "its table of relocations")
        self._require(self._strings, 0, "its table of names")

    def place(self, field_index: int, what: str) -> SectionOffset | None:
        """The main, initialisation or termination symbol; None if the header names none.

        Args:
            field_index: the index in the header of the symbol's section number.
            what: the symbol, for messages.
        """
        section, offset = self._header[field_index : field_index + 2]
        if section == -1:
            return None
        if not 0 <= section < len(self._placed):
            raise self._error(f"{what} is in section {section}, which is not placed in memory")
        if offset >= self._placed[section].size:
            raise self._error(f"{what} is at offset {offset}, beyond the end of section {section}")
        return section, offset

    def imports(self) -> tuple[tuple[PefLibrary, ...], tuple[PefImport, ...]]:
        """The imported libraries, and the imported symbols by index."""
        libraries: list[PefLibrary] = []
        imports: list[PefImport] = []
        words = struct.unpack_from(f">{self._import_count}I", self._data, self._import_table)
        for index in range(self._library_count):
            name, old, current, count, first, options, _, _ = _LIBRARY.unpack_from(
                self._data, self._library_table + index * _LIBRARY.size
            )
            library = PefLibrary(
                name=self._name(name, f"library {index}"),
                weak=bool(options & _WEAK_LIBRARY),
                initialise_before=bool(options & _INITIALISE_BEFORE),
                old_version=old,
                current_version=current,
                first=first,
                count=count,
            )
            if first != len(imports) or first + count > len(words):
                raise self._error(
                    f"library {library.name} has symbols {first} to {first + count - 1}; the next "
                    f"would be {len(imports)}, and there are {len(words)}"
                )
            imports += [self._import(word, library) for word in words[first : first + count]]
            libraries.append(library)
        if len(imports) != len(words):
            raise self._error(f"{len(words) - len(imports)} imported symbols are of no library")
        return tuple(libraries), tuple(imports)

    def _import(self, word: int, library: PefLibrary) -> PefImport:
        kind = word >> 24
        name = self._name(word & 0xFFFFFF, "an imported symbol")
        return PefImport(
            name=name,
            library=library.name,
            kind=self._kind(kind & ~_WEAK_SYMBOL, name),
            weak=library.weak or bool(kind & _WEAK_SYMBOL),
        )

    def exports(self) -> Iterator[PefExport]:
        """The exported symbols, in the order of the file."""
        if not self._export_count:
            return
        if self._hash_power > _MOST_HASH_POWER:
            raise self._error(f"its hash table has 2 to the {self._hash_power} entries")
        keys = self._hash_table + (4 << self._hash_power)
        symbols = keys + 4 * self._export_count
        self._require(symbols, _EXPORT.size * self._export_count, "its table of exports")
        self._check_chains(keys)
        for index in range(self._export_count):
            length = struct.unpack_from(">H", self._data, keys + 4 * index)[0]
            word, value, section = _EXPORT.unpack_from(self._data, symbols + _EXPORT.size * index)
            start = self._strings + (word & 0xFFFFFF)
            self._require(start, length, f"the name of export {index}")
            name = self._count(self._data[start : start + length].decode("mac_roman"))
            self._check_export(name, section, value)
            yield PefExport(name, self._kind(word >> 24, name), section, value)

    def _check_chains(self, keys: int) -> None:
        """Check that the runs of exports in the hash table make up all exports."""
        slots = memoryview(self._data)[self._hash_table : keys]
        total = 0
        for (slot,) in struct.iter_unpack(">I", slots):
            count, first = slot >> 18, slot & 0x3FFFF
            if count and first + count > self._export_count:
                raise self._error(
                    f"its hash table names export {first + count - 1} of {self._export_count}"
                )
            total += count
        if total != self._export_count:
            raise self._error(f"its hash table leads to {total} of {self._export_count} exports")

    def _check_export(self, name: str, section: int, value: int) -> None:
        if section == ABSOLUTE:
            return
        if section == REEXPORTED:
            if value >= self._import_count:
                raise self._error(f"export {name} is import {value} of {self._import_count}")
        elif not 0 <= section < len(self._placed):
            raise self._error(f"export {name} is in section {section}, which is not placed")
        elif value > self._placed[section].size:
            raise self._error(f"export {name} lies beyond the end of section {section}")

    def relocations(self) -> tuple[Relocations, ...]:
        """A table for each placed section; empty for one that is not relocated."""
        tables: dict[int, Relocations] = {}
        budget = StepBudget()
        for index in range(self._relocated_count):
            section, _, count, first = _RELOCATION_HEADER.unpack_from(
                self._data, self._relocation_table + index * _RELOCATION_HEADER.size
            )
            where = f"relocations of section {section}"
            if section >= len(self._placed) or section in tables:
                state = "more than once" if section in tables else "and not placed in memory"
                raise self._error(f"section {section} is relocated {state}")
            start = self._instructions + first
            self._require(start, 2 * count, f"the end of the {where}")
            tables[section] = read_relocations(
                struct.unpack_from(f">{count}H", self._data, start),
                size=self._placed[section].size,
                sections=len(self._placed),
                imports=self._import_count,
                budget=budget,
                path=self._path,
                where=where,
            )
        return tuple(tables.get(s.index, Relocations()) for s in self._placed)

    def _kind(self, kind: int, name: str) -> str:
        if kind not in _SYMBOL_KINDS:
            raise self._error(f"symbol {name} is of the unknown class {kind}")
        return _SYMBOL_KINDS[kind]

    def _name(self, offset: int, what: str) -> str:
        where = f"name of {what}"
        return self._count(zero_ended(self._data, self._strings + offset, self._path, where))

    def _count(self, name: str) -> str:
        self._named += len(name)
        if self._named > _MOST_NAMES * len(self._data):
            raise self._error("its names together are much longer than the whole section")
        return name

    def _require(self, offset: int, size: int, what: str) -> None:
        if offset + size > len(self._data):
            raise self._error(
                f"{what} ends at byte {offset + size} of the loader section's {len(self._data)}"
            )

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self._path, problem, where="loader section")


def zero_ended(data: bytes, start: int, path: Path, where: str) -> str:
    """A name that ends with a zero byte.

    Raises:
        ProgramError: no zero byte follows ``start``.
    """
    end = data.find(b"\0", start, start + _LONGEST_NAME) if start < len(data) else -1
    if end < 0:
        raise ProgramError(path, f"no name ends behind byte {start}", where=where)
    return data[start:end].decode("mac_roman")
