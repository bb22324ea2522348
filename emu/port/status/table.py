"""Every function of the old program with its facts, its state, and what to port next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CaseError, ProgramError
from emu.base.yaml_document import nearest
from emu.port.model import (
    GLOBAL,
    IN_LIBRARY,
    INCONCLUSIVE,
    NOT_BEGUN,
    PROVED,
    REFUTED,
    STUBBED,
    VERIFIED,
    FunctionVerdict,
    Mark,
)
from emu.port.project.marked_text import MarkedTexts, SourceExcerpt
from emu.port.project.marks import read_marks
from emu.port.project.project import Project
from emu.port.status.states import state_of, two_at_one_place
from emu.port.status.verdicts import read_verdicts
from emu.program.declarations.places import find_routine
from emu.program.functions.find_functions import known_functions
from emu.program.functions.model import OWN, ProgramFunction, ProgramFunctions

SCHEMA = "macproof.port-status/1"
STATES = (PROVED, VERIFIED, INCONCLUSIVE, REFUTED, STUBBED, NOT_BEGUN, IN_LIBRARY)
"""All states of a function, the best first; those of the library are nobody's work."""
DONE = (PROVED, VERIFIED, IN_LIBRARY)
_MOST_NEXT = 10


@dataclass(frozen=True, slots=True)
class PortedFunction:
    """A function of the old program, and how far its port is.

    Attributes:
        place: where it lies.
        name: its name in the old program; "" if it has none.
        size: its bytes.
        kind: what it is by its shape: "", "glue", "start-up code" or "library".
        state: one of `STATES`.
        new_name: its name in the new source; "" if no mark names it.
        file: the file of the new source with it, relative to port.yaml; "" without one.
        line: the line of that file.
        callers: the places of functions that call it.
        callees: the places of functions that it calls.
        toolbox: the Toolbox routines that it calls, by name, with the number of instructions.
        imports: the functions of other files that it calls, likewise.
        globals: the places of the globals that it uses.
        floating_point: "FPU", "SANE", "FPU and SANE", or "".
        verdict: what is known of it, or null.
    """

    place: str
    name: str
    size: int
    kind: str
    state: str
    new_name: str
    file: str
    line: int
    callers: Sequence[str]
    callees: Sequence[str]
    toolbox: Mapping[str, int]
    imports: Mapping[str, int]
    globals: Sequence[str]
    floating_point: str
    verdict: FunctionVerdict | None = None

    @property
    def label(self) -> str:
        """Its new name, or its old one, or its place."""
        return self.new_name or self.name or self.place


@dataclass(frozen=True, slots=True)
class StateTotal:
    """How much of the old program has a state.

    Attributes:
        state: the state.
        functions: how many functions.
        bytes: how many bytes they have together.
    """

    state: str
    functions: int
    bytes: int


@dataclass(frozen=True, slots=True)
class PortStatus:
    """How far a port is.

    Attributes:
        original: the old program.
        digest: its digest.
        cpu: the processor that it runs on.
        convention: how its compiler called functions.
        totals: how much of it has each state.
        functions: its functions, in the order of addresses.
        next: the places of functions to port next, the best choice first.
        unplaced: marks of functions at whose places no function was found, a sentence each.
    """

    original: str
    digest: str
    cpu: str
    convention: str
    totals: Sequence[StateTotal]
    functions: Sequence[PortedFunction]
    next: Sequence[str]
    unplaced: Sequence[str]


@dataclass(frozen=True)
class Survey:
    """A port's status with what it was made of.

    Attributes:
        project: the port.
        functions: the functions of the old program.
        status: how far it is.
        marks: the marks, of which each place has one or more.
        excerpts: the new functions, by the places of the old ones.
    """

    project: Project
    functions: ProgramFunctions
    status: PortStatus
    marks: Sequence[Mark]
    excerpts: Mapping[str, SourceExcerpt]


def survey_port(project: Project) -> Survey:
    """Find the functions of the old program, and the state of each. Nothing runs or is compiled.

    Raises:
        CaseError: a mark is wrong, or two contradict each other; the message has file and line.
        InputError: verdicts.json is damaged.
        ProgramError: the old program cannot be read.
    """
    functions = known_functions(project.read_original())
    marks = read_marks(project.marked_files)
    texts = MarkedTexts(project.marked_files)
    by_address, unplaced = _marks_by_address(functions, marks, texts)
    verdicts = read_verdicts(project)
    excerpts: dict[str, SourceExcerpt] = {}
    rows: list[PortedFunction] = []
    for function in functions.functions:
        mark = by_address.get(function.address)
        excerpt = texts.definition(mark) if mark is not None else None
        if excerpt is not None:
            excerpts[function.place] = excerpt
        state = _state(function, mark, excerpt, verdicts.get(function.place))
        name = texts.name(mark) if mark is not None else ""
        rows.append(_row(project, functions, function, state, name, excerpt, verdicts))
    status = PortStatus(
        str(project.original),
        project.digest,
        project.cpu,
        project.convention,
        tuple(_totals(rows)),
        tuple(rows),
        tuple(row.place for row in next_functions(rows)[:_MOST_NEXT]),
        tuple(unplaced),
    )
    return Survey(project, functions, status, marks, excerpts)


def _marks_by_address(
    functions: ProgramFunctions, marks: Sequence[Mark], texts: MarkedTexts
) -> tuple[dict[int, Mark], list[str]]:
    """The marks of functions, and a sentence for each at whose place no function was found.

    Raises:
        CaseError: two functions have one place, or a place lies outside the program's code.
    """
    found: dict[int, Mark] = {}
    unplaced: list[str] = []
    for mark in marks:
        if mark.kind == GLOBAL:
            continue
        try:
            address = find_routine(functions.program, mark.place)
        except ProgramError as error:
            raise CaseError(mark.file, error.problem, where=f"line {mark.line}") from error
        other = found.setdefault(address, mark)
        if other is not mark and texts.name(other) != texts.name(mark):
            raise two_at_one_place(mark, texts.name(other), other.file, other.line)
        if texts.definition(mark) is not None:
            found[address] = mark
        if address not in functions.by_address:
            unplaced.append(
                f"{mark.file.name}, line {mark.line}: no function was found at {mark.place}"
            )
    return found, unplaced


def _state(
    function: ProgramFunction,
    mark: Mark | None,
    excerpt: SourceExcerpt | None,
    verdict: FunctionVerdict | None,
) -> str:
    if mark is None:
        return NOT_BEGUN if function.kind == OWN else IN_LIBRARY
    return state_of(mark, is_defined=excerpt is not None, verdict=verdict)


def _row(
    project: Project,
    functions: ProgramFunctions,
    function: ProgramFunction,
    state: str,
    name: str,
    excerpt: SourceExcerpt | None,
    verdicts: Mapping[str, FunctionVerdict],
) -> PortedFunction:
    def places(addresses: Sequence[int]) -> tuple[str, ...]:
        known = (functions.by_address.get(address) for address in addresses)
        return tuple(one.place for one in known if one is not None)

    return PortedFunction(
        function.place,
        function.name,
        function.size,
        function.kind,
        state,
        name,
        _relative(excerpt.file, project.folder) if excerpt else "",
        excerpt.first if excerpt else 0,
        places(function.callers),
        places(tuple(function.callees)),
        function.toolbox,
        function.imports,
        tuple(use.place for use in function.contents.globals),
        function.contents.floating_point,
        verdicts.get(function.place)
        if state in (VERIFIED, REFUTED, INCONCLUSIVE, PROVED)
        else None,
    )


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


def _totals(rows: Sequence[PortedFunction]) -> list[StateTotal]:
    return [
        StateTotal(state, len(sizes), sum(sizes))
        for state in STATES
        for sizes in [[row.size for row in rows if row.state == state]]
    ]


def next_functions(rows: Sequence[PortedFunction]) -> list[PortedFunction]:
    """The functions that are not begun, or stubs: leaves first, then those that most call.

    A leaf is a function all of whose callees are done; then they can be trusted while it is
    compared.
    """
    state = {row.place: row.state for row in rows}

    def rank(row: PortedFunction) -> tuple[int, int, int]:
        others = [place for place in row.callees if place != row.place]
        missing = sum(state[place] not in DONE for place in others)
        return (missing, -len(row.callers), row.size)

    return sorted((row for row in rows if row.state in (NOT_BEGUN, STUBBED)), key=rank)


def find_row(status: PortStatus, wanted: str) -> PortedFunction:
    """A function by its new name, its old one, or its place.

    Raises:
        CaseError: there is none.
    """
    for row in status.functions:
        if wanted in (row.new_name, row.name, row.place):
            return row
    names = [name for row in status.functions for name in (row.new_name, row.name, row.place)]
    raise CaseError(Path(status.original), f"it has no function {wanted}{nearest(wanted, names)}")
