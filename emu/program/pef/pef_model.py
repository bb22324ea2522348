"""The model of a PEF container that has been read: sections, libraries, imports and exports.

Source: Mac OS Runtime Architectures, chapter 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.program.pef.pef_relocations import Relocations

ABSOLUTE, REEXPORTED = -2, -3
"""What `PefExport.section` is for an address, and for an import that is exported again."""


@dataclass(frozen=True, slots=True)
class PefSection:
    """A section of a container.

    Attributes:
        index: its number, by which everything else in the container names it.
        name: its name, mostly "".
        kind: "code", "data", "pattern data", "constants", "executable data"; "loader", "debug",
            "exception" and "traceback" are not placed in memory.
        share: "process", "global", "protected", or "none".
        alignment: bytes its address must be a multiple of.
        size: bytes it takes in memory.
        default_address: the address it would have if it were not relocated; nearly always 0.
        data: its contents unpacked; the rest of ``size`` is zero.
        placed: whether it is given memory.
    """

    index: int
    name: str
    kind: str
    share: str
    alignment: int
    size: int
    default_address: int
    data: bytes = field(repr=False)
    placed: bool

    @property
    def writable(self) -> bool:
        """Whether the program may store into it."""
        return self.kind in ("data", "pattern data", "executable data")

    @property
    def executable(self) -> bool:
        """Whether it holds instructions."""
        return self.kind in ("code", "executable data")


@dataclass(frozen=True, slots=True)
class PefLibrary:
    """A library that symbols are imported from.

    Attributes:
        name: what it is called.
        weak: whether the program can do without it.
        initialise_before: whether it must be initialised before this fragment.
        old_version: the oldest version of it that this fragment can use.
        current_version: its version when this fragment was made.
        first: the index of the first symbol imported from it.
        count: how many there are.
    """

    name: str
    weak: bool
    initialise_before: bool
    old_version: int
    current_version: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class PefImport:
    """A symbol that another fragment has to give.

    Attributes:
        name: the symbol.
        library: the library's name.
        kind: "code", "data", "transition vector", "contents" (a table of contents), "glue".
        weak: whether the program can do without it, or without its library.
    """

    name: str
    library: str
    kind: str
    weak: bool


@dataclass(frozen=True, slots=True)
class PefExport:
    """A symbol that this fragment gives to others.

    Attributes:
        name: the symbol.
        kind: as in `PefImport`.
        section: the index of the section it lies in, or `ABSOLUTE`, or `REEXPORTED`.
        offset: bytes from the section's beginning; if ``section`` is `ABSOLUTE`, the address; if
            `REEXPORTED`, the index of the import.
    """

    name: str
    kind: str
    section: int
    offset: int


SectionOffset = tuple[int, int]
"""A section's index and an offset within it."""


@dataclass(frozen=True, slots=True, eq=False)
class PefContainer:
    """A container that was read and found sound.

    Attributes:
        path: the file it came from.
        architecture: "powerpc".
        definition_version: of a library: programs that were linked with this version of it or a
            later one can run with this container.
        implementation_version: of a library: programs that were linked with this container can run
            with this version of it or a later one.
        current_version: its own version.
        sections: all of them, by index; those with ``placed`` come first.
        libraries: in the order of their symbols.
        imports: by index.
        exports: in the order of the file.
        main: the main symbol (of an application: its transition vector), or None.
        initialise: the transition vector of the initialisation routine, or None.
        terminate: the transition vector of the termination routine, or None.
        relocations: one table for each placed section.
    """

    path: Path
    architecture: str
    definition_version: int
    implementation_version: int
    current_version: int
    sections: tuple[PefSection, ...]
    libraries: tuple[PefLibrary, ...]
    imports: tuple[PefImport, ...]
    exports: tuple[PefExport, ...]
    main: SectionOffset | None
    initialise: SectionOffset | None
    terminate: SectionOffset | None
    relocations: tuple[Relocations, ...] = field(repr=False)

    @property
    def placed(self) -> tuple[PefSection, ...]:
        """The sections that take memory; their index is their place in this tuple."""
        return self.sections[: len(self.relocations)]

    def place(self, addresses: Sequence[int], imports: Sequence[int]) -> list[bytes]:
        """The sections' images for memory.

        Args:
            addresses: where each of ``placed`` lies.
            imports: the address of each imported symbol; for a routine, of its transition vector.

        Returns:
            One image for each of ``placed``, of its full size, with all relocations applied.
        """
        moved = [
            address - section.default_address
            for address, section in zip(addresses, self.placed, strict=True)
        ]
        if len(imports) != len(self.imports):
            raise ValueError(f"{len(imports)} addresses for {len(self.imports)} imports")
        return [
            relocations.apply(section.data.ljust(section.size, b"\0"), moved, imports)
            for section, relocations in zip(self.placed, self.relocations, strict=True)
        ]
