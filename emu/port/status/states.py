"""The functions that a port has begun, and the state of each; the old program is not needed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CaseError
from emu.port.model import (
    GLOBAL,
    IN_LIBRARY,
    INCONCLUSIVE,
    LIBRARY,
    NOT_BEGUN,
    STUB,
    STUBBED,
    FunctionVerdict,
    Mark,
)
from emu.port.project.marked_text import MarkedTexts
from emu.port.project.marks import read_marks
from emu.port.project.project import Project
from emu.port.status.verdicts import read_verdicts


@dataclass(frozen=True, slots=True)
class BegunFunction:
    """A function of the new source.

    Attributes:
        name: its name.
        place: where the old one lies.
        state: "stub", "verified", "refuted", "inconclusive" or "proved".
        reason: why it is not verified; "" if it is, or is a stub.
        file: the file with it.
        line: the line of its mark.
    """

    name: str
    place: str
    state: str
    reason: str
    file: Path
    line: int


def begun_functions(project: Project) -> list[BegunFunction]:
    """The functions of the new source, in the order of its marks.

    Raises:
        CaseError: a mark is wrong, or two functions have one place.
        InputError: verdicts.json is damaged.
    """
    texts, verdicts = MarkedTexts(project.marked_files), read_verdicts(project)
    found: dict[str, BegunFunction] = {}
    for mark in read_marks(project.marked_files):
        excerpt = None if mark.kind in (GLOBAL, LIBRARY) else texts.definition(mark)
        if excerpt is None:
            continue
        verdict = verdicts.get(mark.place)
        state = state_of(mark, is_defined=True, verdict=verdict)
        reason = "" if state == STUBBED else "nobody has verified it"
        reason = verdict.reason if verdict is not None and state != STUBBED else reason
        name = texts.name(mark)
        begun = BegunFunction(name, mark.place, state, reason, excerpt.file, excerpt.first)
        other = found.setdefault(mark.place, begun)
        if (other.name, other.file) != (name, excerpt.file):
            raise two_at_one_place(mark, other.name, other.file, other.line)
    return list(found.values())


def state_of(mark: Mark, *, is_defined: bool, verdict: FunctionVerdict | None) -> str:
    """The state of a function with a mark.

    Args:
        mark: the mark.
        is_defined: whether the new source defines the function.
        verdict: what is known of it.
    """
    if mark.kind == LIBRARY:
        return IN_LIBRARY
    if mark.kind == STUB:
        return STUBBED
    if not is_defined:
        return NOT_BEGUN
    return verdict.verdict if verdict is not None else INCONCLUSIVE


def two_at_one_place(mark: Mark, name: str, file: Path, line: int) -> CaseError:
    """The error for a mark at whose place another function is already."""
    return CaseError(
        mark.file,
        f"{mark.place} is the place of {name or 'another function'} already ({file.name}, line "
        f"{line})",
        where=f"line {mark.line}",
    )
