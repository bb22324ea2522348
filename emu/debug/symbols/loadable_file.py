"""A file with symbols of a program whose segments are put somewhere in memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from emu.debug.symbols.unloaded_code import UNLOADED, UnloadedSection

GLOBALS = "globals below A5"
"""The name of a 68K program's globals among the loaded segments."""

FIXED = "fixed"
"""The name of a segment that begins at address 0: for what lies where its file says."""

_SEGMENT = re.compile(r"(CODE -?\d+|section \d+)\b")


def segment_key(name: str) -> str:
    """What tells a segment from others: "CODE 1" of "CODE 1 Main"; "" for none of a program."""
    match = _SEGMENT.match(name)
    return match[0] if match is not None else name if name == GLOBALS else ""


@dataclass(frozen=True, slots=True)
class FileSection:
    """A section of a file that takes memory.

    Attributes:
        name: its name.
        address: where the file says that it lies.
        size: how many bytes it has.
        segment: the name of the program's segment that it is part of; "" if none is.
        offset: where it begins in that segment.
        is_code: whether it holds instructions.
        data: its contents; b"" if it has none, or the file does not hold them.
    """

    name: str
    address: int
    size: int
    segment: str
    offset: int
    is_code: bool
    data: bytes = field(default=b"", repr=False)

    def place(self, segments: Mapping[str, int]) -> int:
        """Its address now, by those of the loaded segments.

        What is not loaded lies where there is no memory.
        """
        start = segments.get(self.segment)
        return UNLOADED + self.address if start is None else start + self.offset

    def distance(self, segments: Mapping[str, int]) -> int:
        """How far it lies now from where the file says."""
        return self.place(segments) - self.address


@dataclass(frozen=True, slots=True)
class LoadableFile:
    """A file with symbols.

    Attributes:
        path: the file.
        sections: its sections that take memory, in its order.
        routines: addresses of routines by their names, as the file says.
        image: its contents.
    """

    path: Path
    sections: tuple[FileSection, ...]
    routines: Mapping[str, int]
    image: bytes = field(repr=False)

    def find(self, name: str, segments: Mapping[str, int]) -> int | None:
        """Where a routine lies now; None if there is none of that name."""
        address = self.routines.get(name)
        if address is None:
            return None
        return next(
            (
                address + section.distance(segments)
                for section in self.sections
                if section.address <= address < section.address + section.size
            ),
            None,
        )

    def unloaded(self) -> tuple[UnloadedSection, ...]:
        """The code as it is shown while it is not loaded."""
        return tuple(
            UnloadedSection(UNLOADED + section.address & 0xFFFF_FFFF, section.data)
            for section in self.sections
            if section.is_code
        )
