"""The cases that a worker process has laid onto programs, which it keeps from task to task."""

from __future__ import annotations

import functools
from dataclasses import replace

from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case
from emu.cases.programs.subject import Subject
from emu.verify.batches.bench import Bench

_MACHINES_KEPT = 24  # of 15 MB each; four processors with six builds


def bench_for(
    case: Case, subject: Subject, *, covers: bool = False, checked: bool = False
) -> Bench:
    """The case laid onto a program. A process keeps those of the last case.

    Args:
        case: the case; after one of its files has changed, it is laid onto the program anew.
        subject: the program.
        covers: whether its machine keeps which code calls execute.
        checked: whether its accesses to memory are checked.
    """
    return _kept_case(case.known_case, subject, covers, checked)


def keeps_machines() -> bool:
    """Whether this process has laid a case onto a program, and so has a machine."""
    return _kept_case.cache_info().currsize > 0


@functools.lru_cache(maxsize=_MACHINES_KEPT)
def _kept_case(known_case: KnownCase, subject: Subject, covers: bool, checked: bool) -> Bench:
    case = replace(read_case(known_case.path), budget=known_case.budget or 0)
    return Bench.of(case, subject, covers=covers, checked=checked)
