"""Reads the loader section of an XCOFF file: its imports and its relocations."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ProgramError
from emu.program.pef.pef_relocations import Relocations, overlapping
from emu.program.xcoff.xcoff_model import XcoffImport, XcoffSection

_LOADER = struct.Struct(">8I")
_LOADER_SYMBOL = struct.Struct(">8sIhBBII")
_LOADER_RELOCATION = np.dtype(
    [("address", ">u4"), ("symbol", ">u4"), ("type", ">u2"), ("section", ">u2")]
)
_WORD_TO_ADDRESS = 0x1F00  # 32 bits, plus the address of what the symbol names
_IMPORT, _WEAK_SYMBOL = 0x40, 0x08
_NO_LIBRARY = 0


class XcoffLoaderSection:
    """Reads the loader section, which says how a linked program is placed in memory.

    Args:
        data: the section.
        sections: all sections of the file.
        path: the file, for messages.
    """

    def __init__(self, data: bytes, sections: Sequence[XcoffSection], path: Path) -> None:
        self._data = data
        self._sections = sections
        self._path = path

    def read(self) -> tuple[tuple[XcoffImport, ...], tuple[Relocations, ...]]:
        """The imports, and the relocations of each section.

        Raises:
            ProgramError: the section is damaged.
        """
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
        has_source = np.array([s is not None for s in sources])
        if not has_source[table["symbol"]].all():
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
