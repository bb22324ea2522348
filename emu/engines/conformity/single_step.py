"""Reads the vectors of SingleStepTests/m68000: files ``v1/ADD.b.json.bin``.

They were made with MAME's microcoded model of the 68000. All numbers are little-endian. A file has
a count of tests; each test a name, two states and the transactions of the bus. A state has nineteen
registers, the two words that were fetched ahead, and words of memory by their addresses. The
program counter is that of the next fetch, 4 bytes behind the instruction.
Source: README.md and decode.py of that project.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from emu.base.errors import InputError
from emu.base.files import read_at_most
from emu.engines.conformity.manual_gaps import undefined_flags
from emu.engines.conformity.vectors import Vector, VectorState

SUFFIX = ".json.bin"

_FILE, _TEST, _NAME, _STATE, _BUS = 0x1A3F5D71, 0xABC12367, 0x89ABCDEF, 0x01234567, 0x456789AB
_NAMES = (*(f"d{n}" for n in range(8)), *(f"a{n}" for n in range(7)), "usp", "ssp", "sr")
_FETCHED_AHEAD = 4
_LARGEST = 64 << 20
_MOST_WORDS = 1 << 16
_IDLE, _READ = 0, 2
_VECTORS = 0x400
"""The size of the table of exception vectors, at address 0."""


def read_single_steps(path: Path) -> Iterator[Vector]:
    """The vectors of a file.

    Raises:
        InputError: it cannot be read, or is no such file.
    """
    data = read_at_most(path, _LARGEST, "test vectors", InputError)
    try:
        yield from _Reader(data, path.name.removesuffix(SUFFIX)).vectors()
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise InputError(path, f"these are no vectors of SingleStepTests: {error}") from error


class _Reader:
    def __init__(self, data: bytes, group: str) -> None:
        self._data, self._group, self._at = data, group, 0

    def vectors(self) -> Iterator[Vector]:
        """Each test of the file."""
        magic, count = self._take("<II")
        self._require(magic, _FILE)
        for _ in range(count):
            self._begin(_TEST)
            self._begin(_NAME)
            (length,) = self._take("<I")
            name = self._bytes(length).decode()
            before, after = self._state(), self._state()
            exception = self._exception(before, after)
            ignored = undefined_flags(self._group, after.registers["sr"], exception)
            yield Vector(self._group, name, before, after, exception, ignored)

    def _state(self) -> VectorState:
        self._begin(_STATE)
        *values, pc = self._take("<19I")
        ahead = self._take("<2I")
        (count,) = self._take("<I")
        if count > _MOST_WORDS:
            raise ValueError(f"a state of {count} words")
        memory: dict[int, int] = {}
        words = list(struct.iter_unpack("<IH", self._bytes(6 * count)))
        start = pc - _FETCHED_AHEAD & 0xFFFFFF
        words += [(start + 2 * n, word & 0xFFFF) for n, word in enumerate(ahead)]
        for address, word in words:
            memory[address & 0xFFFFFE] = word >> 8
            memory[address & 0xFFFFFE | 1] = word & 0xFF
        return VectorState(dict(zip(_NAMES, values, strict=True)), memory, pc - _FETCHED_AHEAD)

    def _exception(self, before: VectorState, after: VectorState) -> int | None:
        """The exception whose entry of the table of vectors the processor read and jumped to.

        RTR and RTS may find their target there, too, but write nothing on the system's stack.
        """
        self._begin(_BUS)
        _, count = self._take("<II")
        last, found = (0, 0), None
        for _ in range(count):
            kind, _ = self._take("<BI")
            if kind == _IDLE:
                continue
            _, address, word, *_ = self._take("<5I")
            target = (last[1] << 16 | word) & 0xFFFFFF
            if kind == _READ and address < _VECTORS and address & 3 == 2 and last[0] == address - 2:
                found = address // 4 if target == after.pc & 0xFFFFFF else found
            last = (address, word) if kind == _READ else (0, 0)
        has_frame = after.registers["ssp"] < before.registers["ssp"]
        return found if has_frame else None

    def _begin(self, magic: int) -> None:
        _, given = self._take("<II")
        self._require(given, magic)

    def _require(self, given: int, wanted: int) -> None:
        if given != wanted:
            raise ValueError(f"0x{given:08x} at byte {self._at - 4}, not 0x{wanted:08x}")

    def _take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        return values

    def _bytes(self, size: int) -> bytes:
        if self._at + size > len(self._data):
            raise ValueError("the file is cut off")
        self._at += size
        return self._data[self._at - size : self._at]
