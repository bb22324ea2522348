"""What an XCOFF file holds: sections, symbols, imports and relocations."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from emu.program.pef.pef_relocations import Relocations

MOST_MEMORY = 64 << 20
"""The most bytes of memory that sections may take."""


@dataclass(frozen=True, slots=True)
class XcoffSection:
    """A section.

    ``kind`` is "code", "data", "zeroed data", "loader", "debug" (one of DWARF's) or "other".
    """

    index: int
    name: str
    kind: str
    address: int
    size: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class XcoffSymbol:
    """A name for a place in a section.

    Attributes:
        name: as it is in the file: code has a dot before the name in the source.
        section: the section's index.
        offset: bytes from the section's beginning.
        size: bytes up to the end of what it names; 0 is unknown.
        kind: "code", "data", "descriptor" (a routine's transition vector), "contents" (the anchor
            of the table of contents), or "other" (entries of that table, for one).
    """

    name: str
    section: int
    offset: int
    size: int
    kind: str


@dataclass(frozen=True, slots=True)
class XcoffImport:
    """A symbol of another fragment; a weak symbol that no fragment has is at address 0."""

    name: str
    weak: bool


@dataclass(frozen=True, slots=True, eq=False)
class XcoffFile:
    """An XCOFF file that was read and found sound.

    Attributes:
        path: the file it came from.
        linked: whether it is a program, and not an object to be linked.
        sections: by index.
        symbols: names of places in them, in the order of the file.
        entry: section index and offset of the main transition vector, or None.
        contents: section index and offset of the table of contents' anchor, or None.
        imports: symbols that other fragments have to give, by index.
        relocations: for each section, the words that depend on addresses.
    """

    path: Path
    linked: bool
    sections: tuple[XcoffSection, ...]
    symbols: tuple[XcoffSymbol, ...] = field(repr=False)
    entry: tuple[int, int] | None
    contents: tuple[int, int] | None
    imports: tuple[XcoffImport, ...]
    relocations: tuple[Relocations, ...] = field(repr=False)

    def section(self, kind: str) -> XcoffSection | None:
        """The section of a kind, if there is one."""
        return next((s for s in self.sections if s.kind == kind), None)
