"""Writes files as those of SingleStepTests/m68000, with vectors of our own."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_FILE, _TEST, _NAME, _STATE, _BUS = 0x1A3F5D71, 0xABC12367, 0x89ABCDEF, 0x01234567, 0x456789AB
_START = 0x1000
NAMES = (*(f"d{n}" for n in range(8)), *(f"a{n}" for n in range(7)), "usp", "ssp", "sr")


@dataclass(frozen=True)
class WrittenVector:
    """An instruction at 0x1000, with the registers and words of memory that differ from 0.

    Attributes:
        name: its name.
        code: the words of the instruction.
        before: registers before it; the status register is 0x2700 if it is not given.
        after: registers that it changes.
        memory: words by their addresses, before it.
        stored: those that it changes.
        goes_on: where the processor goes on; None for behind the instruction.
        exception: the exception that it takes, whose vector leads to 0x4000; None for none.
        reads: addresses of words that the processor is seen to read.
    """

    name: str
    code: Sequence[int]
    before: Mapping[str, int] = field(default_factory=dict)
    after: Mapping[str, int] = field(default_factory=dict)
    memory: Mapping[int, int] = field(default_factory=dict)
    stored: Mapping[int, int] = field(default_factory=dict)
    goes_on: int | None = None
    exception: int | None = None
    reads: Sequence[int] = ()

    def test(self) -> bytes:
        """The test in the form of the file."""
        memory = {_START + 2 * at: word for at, word in enumerate(self.code)} | dict(self.memory)
        pc = _START + 2 * len(self.code) if self.goes_on is None else self.goes_on
        bus = b""
        if self.exception is not None:
            pc, place = 0x4000, 4 * self.exception
            memory |= {place: 0, place + 2: 0x4000}
            for at, word in ((place, 0), (place + 2, 0x4000)):
                bus += struct.pack("<BI5I", 2, 4, 5, at, word, 1, 1)
        registers = {"sr": 0x2700, "ssp": 0x8000, **self.before}
        frame = {"ssp": registers["ssp"] - 6} if self.exception is not None else {}
        states = _state(registers, memory, _START) + _state(
            registers | frame | dict(self.after), memory | dict(self.stored), pc
        )
        for at in self.reads:
            bus += struct.pack("<BI5I", 2, 4, 5, at, memory[at], 1, 1)
        bus = struct.pack("<II", 4, len(bus) // 25) + bus
        name = self.name.encode()
        body = _block(_NAME, struct.pack("<I", len(name)) + name) + states + _block(_BUS, bus)
        return _block(_TEST, body)


def write_single_steps(path: Path, vectors: Sequence[WrittenVector]) -> Path:
    """Write a file with vectors."""
    tests = b"".join(vector.test() for vector in vectors)
    path.write_bytes(struct.pack("<II", _FILE, len(vectors)) + tests)
    return path


def _block(magic: int, data: bytes) -> bytes:
    return struct.pack("<II", len(data) + 8, magic) + data


def _state(registers: Mapping[str, int], memory: Mapping[int, int], pc: int) -> bytes:
    values = [registers.get(name, 0) for name in NAMES]
    ahead = [memory.get(pc, 0), memory.get(pc + 2, 0)]
    data = struct.pack("<19I2II", *values, pc + 4, *ahead, len(memory))
    words = (struct.pack("<IH", address, word) for address, word in memory.items())
    return _block(_STATE, data + b"".join(words))
