"""The data of ``macproof cases``: what a user can type, and what each of these cases is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.case_file import read_outline
from emu.cases.files.places import cases_here, find_cases, word_for
from emu.cases.keys.libraries import Library

SCHEMA = "macproof.cases/1"


class CaseLocation(Enum):
    """Where a case file is."""

    KIT = "kit"
    """It comes with macproof."""
    HERE = "here"
    """It is in the current folder, or in a folder in that."""


class ReferenceKind(Enum):
    """What says which values are right."""

    PYTHON = "Python"
    PROGRAM = "another program"
    LIBRARY = "a library of this computer"


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A case that can be used.

    Attributes:
        word: what a user types for it.
        place: where it is.
        name: its name.
        title: its title.
        file: its file.
        entry: the routines that are called, the first one first.
        cpus: the processors that it is for.
        builds: the builds that its programs have.
        reference: the name of the reference: that of a Python function, or of routines and the
            file that they are in.
        reference_kind: what that is.
    """

    word: str
    place: CaseLocation
    name: str
    title: str
    file: str
    entry: Sequence[str]
    cpus: Sequence[str]
    builds: Sequence[str]
    reference: str
    reference_kind: ReferenceKind


@dataclass(frozen=True, slots=True)
class WrongCase:
    """A case file that cannot be used.

    Attributes:
        file: the file.
        why: what is wrong with it, with the line, as a sentence.
    """

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class CasesReport:
    """The cases that there are.

    Attributes:
        cases: those that can be used: first those that come with macproof.
        wrong: the others.
    """

    cases: Sequence[ListedCase]
    wrong: Sequence[WrongCase]


def list_cases() -> CasesReport:
    """Read the case files of the kit and of the current folder, without executing any Python."""
    cases: list[ListedCase] = []
    wrong: list[WrongCase] = []
    files = [(path, CaseLocation.KIT) for path in find_cases()]
    for path, place in [*files, *((path, CaseLocation.HERE) for path in cases_here())]:
        try:
            case = read_outline(path)
        except MacproofError as error:
            wrong.append(WrongCase(str(path), str(error)))
        else:
            word = case.name if place is CaseLocation.KIT else word_for(path)
            cases.append(_listed(case, word, path, place))
    return CasesReport(cases, wrong)


def _listed(case: Case, word: str, path: Path, place: CaseLocation) -> ListedCase:
    kind = ReferenceKind.PYTHON
    if case.routine is not None:
        is_library = isinstance(case.routine, Library)
        kind = ReferenceKind.LIBRARY if is_library else ReferenceKind.PROGRAM
    return ListedCase(
        word=word,
        place=place,
        name=case.name,
        title=case.title,
        file=str(path),
        entry=case.called,
        cpus=case.cpus,
        builds=tuple(case.builds),
        reference=case.reference,
        reference_kind=kind,
    )
