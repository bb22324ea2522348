"""Reads a case in another process than the one that knows it, and sees that it is the same."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace

from emu.base.errors import CaseError
from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case


@functools.lru_cache(maxsize=4)
def case_as_known(known: KnownCase) -> Case:
    """Read a case; cached by its files' digests, as reading takes as long as a hundred calls.

    Raises:
        CaseError: a file was changed since these digests were made.
    """
    fitting = dict(known.files).get(known.path.name, "")
    case = read_case(known.path, fitting=fitting, against=known.against)
    require_same(case, dict(known.files))
    return case if known.budget is None else replace(case, budget=known.budget)


def require_same(case: Case, digests: Mapping[str, str]) -> None:
    """Make sure that a case was read from files with these digests, as `Case.read_from` has them.

    Raises:
        CaseError: a file was changed in between.
    """
    read = case.read_from
    for name in sorted(digests.keys() | read.keys()):
        if read.get(name) != digests.get(name):
            raise changed_during_run(case, name)


def changed_during_run(case: Case, name: str) -> CaseError:
    """The error that a file on which results depend is another than it was."""
    return CaseError(
        case.path,
        f"{name} was changed during the run",
        remedy="Run it again, with the case loaded again",
    )
