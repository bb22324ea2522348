"""A file that records which instruction an engine executes, and that survives a crash.

A process gets such a file only when its work has crashed another process before: recording every
instruction makes an engine about a hundred times slower.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

_INSTRUCTION = struct.Struct("<8sQ24s")
_PROGRAM = struct.Struct("<H1024s")
_PROGRAM_AT = 64
_SIZE = 4096
LONGEST = 22
"""Bytes of the longest instruction there is: the 68020 and its successors have it."""


@dataclass(frozen=True, slots=True)
class LastInstruction:
    """The instruction that an engine began last.

    Attributes:
        cpu: the processor's name.
        address: where the instruction is.
        code: its bytes, and some that follow it.
        program: the program's file, or None if nobody has said which.
    """

    cpu: str
    address: int
    code: bytes
    program: Path | None


class BlackBox:
    """The file, open for writing.

    Args:
        path: an empty file, or one that does not exist.
    """

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(_SIZE))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)

    def note(self, cpu: bytes, address: int, code: bytes) -> None:
        """Record that the engine begins an instruction."""
        _INSTRUCTION.pack_into(self._map, 0, cpu, address, code)

    def note_program(self, path: Path) -> None:
        """Record the file of the program that is executed from now on."""
        name = str(path).encode("utf-8", "surrogateescape")[:1024]
        _PROGRAM.pack_into(self._map, _PROGRAM_AT, len(name), name)


def read_black_box(path: Path) -> LastInstruction | None:
    """The instruction that was recorded last; None if there was none."""
    data = path.read_bytes().ljust(_SIZE, b"\0")
    cpu, address, code = _INSTRUCTION.unpack_from(data)
    if not cpu.rstrip(b"\0"):
        return None
    length, name = _PROGRAM.unpack_from(data, _PROGRAM_AT)
    program = Path(name[:length].decode("utf-8", "surrogateescape")) if length else None
    return LastInstruction(cpu.rstrip(b"\0").decode(), address, code[:LONGEST], program)


_current: list[BlackBox] = []


def switch_on(path: Path) -> None:
    """Let every engine that this process opens from now on write to a file."""
    _current[:] = [BlackBox(path)]


def black_box() -> BlackBox | None:
    """The file that this process's engines write to, or None."""
    return _current[0] if _current else None
