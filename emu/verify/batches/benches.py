"""Keeps the benches of a worker process from task to task.

To make one, a program is read, a machine is made and the case is laid onto it. On four-shifts that
takes 9 ms, as long as 26 calls; a task has 50.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from emu.cases.case import Case, KnownCase
from emu.cases.case_file import read_case
from emu.cases.programs.subject import Subject
from emu.verify.batches.bench import Bench

_MACHINES_KEPT = 24  # of 15 MB each; four processors with six builds


def bench_for(
    case: Case,
    subject: Subject,
    *,
    covers: bool = False,
    checked: bool = False,
    screened: bool = False,
    translated: bool = False,
) -> Bench:
    """The bench of a case on a program. A process keeps the 24 that it has used last.

    Args:
        case: the case; if one of its files has changed, a new bench is made.
        subject: the program.
        covers: whether its machine records which code the calls execute.
        checked: whether all its accesses to memory are checked.
        screened: whether translated code checks them, where it can; as of `BoundCase.of`.
        translated: as of `emu.verify.places.bound_case.BoundCase.of`.
    """
    return _kept_case(case.known_case, subject, covers, checked, screened, translated)


def keeps_machines() -> bool:
    """Whether this process keeps a bench, and so has a machine, which a fork would copy."""
    return _kept_case.cache_info().currsize > 0


@functools.lru_cache(maxsize=_MACHINES_KEPT)
def _kept_case(
    known_case: KnownCase,
    subject: Subject,
    covers: bool,
    checked: bool,
    screened: bool,
    translated: bool,
) -> Bench:
    read = read_case(known_case.path, against=known_case.against)
    case = replace(read, budget=known_case.budget or 0)
    return Bench.of(
        case, subject, covers=covers, checked=checked, screened=screened, translated=translated
    )
