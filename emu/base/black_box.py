"""What an engine does at every moment, in a file that outlives a process which goes down.

A process is given one only when what it does has taken another down already: writing the place of
every instruction makes an engine some hundred times slower.
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
"""Bytes that an instruction can have: those of the 68020 and later."""


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
        """An instruction begins."""
        _INSTRUCTION.pack_into(self._map, 0, cpu, address, code)

    def note_program(self, path: Path) -> None:
        """What is executed from now on is of this program."""
        name = str(path).encode("utf-8", "surrogateescape")[:1024]
        _PROGRAM.pack_into(self._map, _PROGRAM_AT, len(name), name)


def read_black_box(path: Path) -> LastInstruction | None:
    """What was noted last; None if no instruction was."""
    data = path.read_bytes().ljust(_SIZE, b"\0")
    cpu, address, code = _INSTRUCTION.unpack_from(data)
    if not cpu.rstrip(b"\0"):
        return None
    length, name = _PROGRAM.unpack_from(data, _PROGRAM_AT)
    program = Path(name[:length].decode("utf-8", "surrogateescape")) if length else None
    return LastInstruction(cpu.rstrip(b"\0").decode(), address, code[:LONGEST], program)


_current: list[BlackBox] = []


def switch_on(path: Path) -> None:
    """From now on, engines that are opened in this process write here."""
    _current[:] = [BlackBox(path)]


def black_box() -> BlackBox | None:
    """Where this process's engines write, or None."""
    return _current[0] if _current else None
