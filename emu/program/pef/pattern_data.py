"""Pattern-initialised data: the compressed form of a PEF container's data sections.

A section is a sequence of instructions. Each has an opcode of three bits and a count of five bits.
A larger count is written as 0 and follows the instruction, seven bits in each byte; the high bit
is set in all its bytes but the last.
Source: Mac OS Runtime Architectures, chapter 8, "Pattern-Initialized Data".
"""

from __future__ import annotations

from pathlib import Path

from emu.base.errors import ProgramError

_ZERO, _BLOCK, _REPEAT, _REPEAT_WITH_COPY, _REPEAT_WITH_ZERO = range(5)
_LONGEST_COUNT = 5  # bytes; a count is of 32 bits


def unpack_pattern_data(packed: bytes, size: int, path: Path, where: str) -> bytes:
    """The unpacked contents of a section, made by carrying out its instructions.

    Args:
        packed: the instructions.
        size: how many bytes they must make.
        path: the file, for messages.
        where: which section it is, for messages.

    Raises:
        ProgramError: an instruction is unknown, is cut off, or makes more than ``size`` bytes, or
            all of them together make fewer.
    """
    return _Unpacker(packed, size, path, where).run()


class _Unpacker:
    def __init__(self, packed: bytes, size: int, path: Path, where: str) -> None:
        self._packed = packed
        self._size = size
        self._path = path
        self._where = where
        self._position = 0
        self._made = bytearray()

    def run(self) -> bytes:
        while self._position < len(self._packed):
            self._instruction()
        if len(self._made) != self._size:
            raise self._error(f"its patterns make {len(self._made)} of {self._size} bytes")
        return bytes(self._made)

    def _instruction(self) -> None:
        place = self._position
        first = self._take(1)[0]
        opcode, count = first >> 5, first & 0x1F
        if count == 0:
            count = self._count()
        if opcode == _ZERO:
            self._put(b"\0", count)
        elif opcode == _BLOCK:
            self._put(self._take(count), 1)
        elif opcode == _REPEAT:
            repeats = self._count() + 1
            self._put(self._take(count), repeats)
        elif opcode in (_REPEAT_WITH_COPY, _REPEAT_WITH_ZERO):
            custom, repeats = self._count(), self._count()
            # The size is checked once, before the loop, so that a huge count costs no time.
            self._require((count + custom) * repeats + count)
            common = self._take(count) if opcode == _REPEAT_WITH_COPY else b"\0" * count
            if not custom:
                self._put(common, repeats + 1)
                return
            unique = self._take(custom * repeats)
            for start in range(0, len(unique), custom):
                self._made += common
                self._made += unique[start : start + custom]
            self._made += common
        else:
            raise self._error(f"the pattern at byte {place} has the unknown opcode {opcode}")

    def _take(self, count: int) -> bytes:
        end = self._position + count
        if end > len(self._packed):
            raise self._error(
                f"the pattern at byte {self._position} reaches beyond the section's "
                f"{len(self._packed)} bytes"
            )
        taken = self._packed[self._position : end]
        self._position = end
        return taken

    def _count(self) -> int:
        value = 0
        for _ in range(_LONGEST_COUNT):
            byte = self._take(1)[0]
            value = value << 7 | byte & 0x7F
            if not byte & 0x80:
                return value
        raise self._error(f"the count before byte {self._position} is too long")

    def _put(self, block: bytes, times: int) -> None:
        self._require(len(block) * times)
        self._made += block * times if block else b""

    def _require(self, count: int) -> None:
        if len(self._made) + count > self._size:
            raise self._error(
                f"its patterns make {len(self._made) + count} bytes, more than the {self._size} "
                "it announces"
            )

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self._path, problem, where=self._where)
