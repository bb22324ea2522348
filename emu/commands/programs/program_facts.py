"""What ``macproof inspect`` tells of a program file: the data of its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SCHEMA = "macproof.inspect/2"


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """A segment, a section or a resource; what its format does not have is None.

    Attributes:
        name: its name; "" for none.
        size: its bytes in memory.
        id: the ID of a CODE resource, or the number of a section.
        address: where it lies, in a linked program.
        access: what may be done with its memory, such as "rx".
        header: the header of a CODE resource, "near" or "far".
        code: how many bytes of it are code.
        entries: how many entries of the jump table lead into it.
        kind: what a section holds.
        share: how instances of a fragment share a section.
        initialised: how many bytes of a section the file gives.
    """

    name: str
    size: int
    id: int | None = None
    address: int | None = None
    access: str | None = None
    header: str | None = None
    code: int | None = None
    entries: int | None = None
    kind: str | None = None
    share: str | None = None
    initialised: int | None = None


@dataclass(frozen=True, slots=True)
class SymbolFacts:
    """A function or a global: its place as a case names it, and its bytes; 0 is unknown."""

    name: str
    place: str
    size: int


@dataclass(frozen=True, slots=True)
class SymbolsFacts:
    """The symbols: how many, where they are from, and where functions and globals lie."""

    count: int
    functions: int
    source: str
    debugging_information: bool
    places: tuple[SymbolFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class GlobalsFacts:
    """The bytes of globals on both sides of A5, and whether their initial values are known."""

    below_a5: int
    above_a5: int
    initial_values: str


@dataclass(frozen=True, slots=True)
class JumpEntryFacts:
    """An entry of the jump table: the CODE resource that it leads to, and the offset in it."""

    index: int
    segment: int
    offset: int
    far: bool


@dataclass(frozen=True, slots=True)
class JumpTableFacts:
    """The jump table: its distance from A5, its bytes, its entries."""

    offset: int
    size: int
    entries: tuple[JumpEntryFacts, ...]


@dataclass(frozen=True, slots=True)
class TrapFacts:
    """A trap word that is used: how often, by which functions, and who had it first."""

    word: str
    name: str
    count: int
    first_rom: str
    first_system: str
    functions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrapsFacts:
    """The traps, how the code was searched for them, and how much of it."""

    method: str
    bytes_covered: int
    bytes_of_code: int
    used: tuple[TrapFacts, ...]


@dataclass(frozen=True, slots=True)
class LaterFacts:
    """An instruction that a 68000 lacks: in words, the processor, its first place, how many."""

    words: str
    cpu: str
    place: str
    count: int


@dataclass(frozen=True, slots=True)
class ImportFacts:
    """A symbol of another library; a weak one may be absent."""

    name: str
    kind: str
    weak: bool


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """A library, and what is imported from it; a weak one may be absent."""

    library: str
    weak: bool
    symbols: tuple[ImportFacts, ...]


@dataclass(frozen=True, slots=True)
class ExportFacts:
    """A symbol for other fragments."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """A program in a file; what its format does not have is None or empty.

    Attributes:
        architecture: "m68k", "powerpc" or "mips".
        format: the format of the file.
        layout: the kind of layout in words.
        segments: its segments, sections or resources.
        symbols: its symbols.
        findings: what is wrong with it, as sentences without a full stop.
        globals: the room for globals of a 68K application.
        jump_table: its jump table.
        places: section and offset of the main routine and others of a fragment; None if absent.
        imports: what it needs of libraries.
        exports: what it has for others.
        traps: the traps that a 68K program uses.
        later_instructions: the instructions in it that a 68000 lacks.
    """

    architecture: str
    format: str
    layout: str
    segments: tuple[SegmentFacts, ...]
    symbols: SymbolsFacts
    findings: tuple[str, ...] = ()
    globals: GlobalsFacts | None = None
    jump_table: JumpTableFacts | None = None
    places: Mapping[str, tuple[int, int] | None] = field(default_factory=dict)
    imports: tuple[LibraryFacts, ...] = ()
    exports: tuple[ExportFacts, ...] = ()
    traps: TrapsFacts | None = None
    later_instructions: tuple[LaterFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class ResourceFacts:
    """A resource: its bytes are those in the file, where it may be compressed."""

    id: int
    name: str
    size: int
    compressed: bool


@dataclass(frozen=True, slots=True)
class MacFileFacts:
    """A file as a Macintosh sees it.

    Attributes:
        name: its own name.
        type: its type, four characters.
        creator: its creator, likewise.
        data_fork: the bytes of its data fork.
        resources: its resources by type, in the order of their IDs.
        damaged: what is wrong with resources that were left out.
    """

    name: str
    type: str
    creator: str
    data_fork: int
    resources: Mapping[str, tuple[ResourceFacts, ...]]
    damaged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InspectReport:
    """The data of the JSON form of ``macproof inspect``.

    Attributes:
        path: the file.
        container: what holds the programs, as a person calls it.
        programs: the programs in it.
        file: its forks; None for ELF and XCOFF.
    """

    path: str
    container: str
    programs: tuple[ProgramFacts, ...]
    file: MacFileFacts | None = None
