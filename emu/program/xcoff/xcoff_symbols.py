"""Reads the symbol table of an XCOFF file."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ProgramError
from emu.program.xcoff.xcoff_model import MOST_MEMORY, XcoffSection, XcoffSymbol

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


class Symbols:
    """Reads the symbol table; a program with debugging information has 250,000 symbols.

    Args:
        data: the whole file.
        start: where the table begins in it.
        count: how many entries it has.
        sections: the file's sections, which symbols lie in.
        path: the file, for messages.
    """

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
        """The symbols that name memory, in the order of the file.

        Raises:
            ProgramError: the table is damaged.
        """
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
        is_known = is_label & (indices[where] == lengths) & (kinds[where] != _LABEL)
        ends = np.where(is_known, starts[where] + lengths[where], starts)
        ends = np.where(is_label, ends, starts + lengths)
        # The next label of the same csect, in order of address.
        owner = np.where(is_known, where, -1)
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
        return np.where((sizes > 0) & (sizes < MOST_MEMORY), sizes, 0)

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
