"""Memory of a program by address: what lies there, its contents, and its texts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace

from emu.program.instructions.listing import place_of
from emu.program.model.model import Program, Segment, source_name

JUMP_TABLE = "jump table"
_JMP = 0x4EF9
_ENTRY = 8
_SHORTEST, _LONGEST = 3, 255
_TEXT = re.compile(rb"[\t\r\n\x20-\x7e\x80-\xd8\xde\xdf\xe5-\xef]+")
_LETTERS = re.compile(rb"[A-Za-z]")
_BLR = b"\x4e\x80\x00\x20"


class ProgramMemory:
    """The memory of a program, for whoever reads its code.

    Args:
        program: the program.

    Attributes:
        program: the program.
        jumps: where each entry of the jump table leads, by the address of its JMP.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        parts = [part for segment in program.segments for part in _parts(program, segment)]
        self._segments = sorted(parts, key=lambda segment: segment.address)
        self._starts = [segment.address for segment in self._segments]
        self._outside = {
            symbol.address: symbol
            for symbol in program.symbols
            if symbol.kind == "other" and self.segment(symbol.address) is None
        }
        self._outside_starts = sorted(self._outside)
        self._variables = {one.address for one in program.symbols if one.kind == "object"}
        self.jumps = dict(self._jumps())

    def segment(self, address: int) -> Segment | None:
        """The segment of an address, or None."""
        index = bisect_right(self._starts, address) - 1
        found = self._segments[index] if index >= 0 else None
        return found if found is not None and address < found.end else None

    @property
    def code(self) -> list[Segment]:
        """The segments with code, without the jump table."""
        return [s for s in self._segments if s.executable and s.size and s.name != JUMP_TABLE]

    def is_code(self, address: int) -> bool:
        """Whether an address lies in code other than the jump table."""
        segment = self.segment(address)
        return segment is not None and segment.executable and segment.name != JUMP_TABLE

    def is_data(self, address: int) -> bool:
        """Whether an address lies in memory that holds no code."""
        segment = self.segment(address)
        return segment is not None and not segment.executable

    def is_variable(self, address: int) -> bool:
        """Whether a variable begins at an address; a literal has no symbol."""
        return address in self._variables

    def read(self, address: int, size: int) -> bytes:
        """Bytes at an address; fewer where the segment's contents end before."""
        segment = self.segment(address)
        if segment is None:
            return b""
        at = address - segment.address
        return segment.data[at : at + size]

    def long(self, address: int) -> int | None:
        """The long at an address, or None."""
        content = self.read(address, 4)
        return int.from_bytes(content, "big") if len(content) == 4 else None

    def outside_name(self, address: int) -> str:
        """The name of what another file has to give, by the address that stands for it; or ""."""
        index = bisect_right(self._outside_starts, address) - 1
        if index < 0:
            return ""
        symbol = self._outside[self._outside_starts[index]]
        return source_name(symbol.name) if address < symbol.address + symbol.size else ""

    def place(self, address: int) -> str:
        """An address as a case names it; the symbol of another file, or the plain address."""
        return place_of(self.program, address) or self.outside_name(address) or f"{address:#x}"

    def text(self, address: int) -> str:
        """The text at an address, C's or Pascal's; "" if there is none of three characters."""
        content = self.read(address, _LONGEST + 1)
        if content and _SHORTEST <= content[0] < len(content):
            pascal = content[1 : 1 + content[0]]
            if _is_text(pascal):
                return pascal.decode("mac_roman")
        end = content.find(b"\0")
        if end >= _SHORTEST and _is_text(content[:end]):
            return content[:end].decode("mac_roman")
        return ""

    def _jumps(self) -> list[tuple[int, int]]:
        jumps = []
        for segment in self._segments:
            if segment.name != JUMP_TABLE:
                continue
            for at in range(0, len(segment.data) - _ENTRY + 1, _ENTRY):
                entry = segment.data[at : at + _ENTRY]
                # CodeWarrior's loader puts the jump at the beginning of an entry.
                skipped = 0 if int.from_bytes(entry[:2], "big") == _JMP else 2
                jump = entry[skipped : skipped + 6]
                if int.from_bytes(jump[:2], "big") == _JMP:
                    place = segment.address + at + skipped
                    jumps.append((place, int.from_bytes(jump[2:], "big")))
        return jumps


def _parts(program: Program, segment: Segment) -> Iterator[Segment]:
    """A segment; the code and the data of a PEF section that has both, code first.

    The code ends behind its last return: no number, text or pointer is such a word.
    """
    end = segment.data.rfind(_BLR) + len(_BLR)
    is_mixed = segment.executable and segment.writable and program.architecture == "powerpc"
    if not is_mixed or end < len(_BLR) or end % 4:
        yield segment
        return
    yield replace(segment, size=end, data=segment.data[:end])
    yield replace(
        segment,
        address=segment.address + end,
        size=segment.size - end,
        data=segment.data[end:],
        executable=False,
    )


def _is_text(content: bytes) -> bool:
    return _TEXT.fullmatch(content) is not None and len(_LETTERS.findall(content)) >= 2
