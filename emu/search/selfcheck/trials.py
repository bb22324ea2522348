"""Verifies programs of mutants on the scenes of a case, each until something refutes it.

Most mutants fail on one of the first scenes. So these are run one by one, and a program is left
out after the first that shows a mistake. What is left is verified as ``macproof verify`` does it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from emu.base.errors import GuestError
from emu.base.processes.workers import Workers
from emu.cases.case import Case, KnownCase
from emu.cases.known_case import case_as_known
from emu.cases.programs.subject import Subject
from emu.checks.levels import CheckLevel
from emu.machine import Budget
from emu.machine.guest_process import run_apart
from emu.search.selfcheck.fates import Fate, ProgramFate, is_wrong, judged
from emu.verify.batches.benches import bench_for
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_spec import SceneSpec

_BATCH = 20  # programs that are verified together; a worker keeps 24 machines
_FIRST = 40  # scenes that come first, one by one, to leave out most mutants early
_SECOND = 400  # scenes after which those that are refuted by then are left out
_MOST_TIMES = 20  # as many blocks as the routine itself a mutant may execute on a first scene
_FEWEST = 20_000  # blocks that any mutant may execute
_PATIENCE = 0.05  # seconds of processor time before blocks are counted


def judge_programs(
    case: Case,
    original: Subject,
    mutants: Sequence[Subject],
    specs: Sequence[SceneSpec],
    workers: Workers,
    *,
    checked: bool,
    on_progress: Callable[[int], None],
) -> dict[Subject, ProgramFate]:
    """Find out what becomes of each program.

    On the first scenes a mutant may execute 20 times as many blocks as the routine itself does on
    the same scene; one that executes more has not come back. A count does not depend on the
    speed of the computer.

    Args:
        case: the case.
        original: the routine itself, which is verified on these scenes.
        mutants: the programs.
        specs: the scenes.
        workers: worker processes.
        checked: whether what survives is run once more with accesses to memory checked.
        on_progress: called with the number of programs that have just been decided.
    """
    first, second, rest = specs[:_FIRST], specs[_FIRST:_SECOND], specs[_SECOND:]
    limits = workers.submit(_limits, case.known_case, original, tuple(first)).result()
    fates: dict[Subject, ProgramFate] = {}
    for result in _first_results(case, mutants, tuple(first), limits, workers):
        fates[result.subject] = judged(result)
        on_progress(is_wrong(result))
    last = specs if checked else ()
    usual, full = CheckLevel.USUAL, CheckLevel.FULL
    for part, level in ((second, usual), (rest, usual), (last, full)):
        survivors = [subject for subject in mutants if fates[subject].fate is Fate.SURVIVED]
        for start in range(0, len(survivors) if part else 0, _BATCH):
            batch = survivors[start : start + _BATCH]
            results = verify(case, batch, part, workers=workers, checks=level)
            fates |= {result.subject: judged(result) for result in results}
            on_progress(sum(map(is_wrong, results)))
    on_progress(sum(fate.fate is Fate.SURVIVED for fate in fates.values()))
    return fates


def _limits(known_case: KnownCase, original: Subject, specs: tuple[SceneSpec, ...]) -> list[int]:
    """How many blocks a mutant may execute on each scene."""
    bench = bench_for(case_as_known(known_case), original)
    most = bench.machine.budget.blocks
    limits = []
    for scenes in _scenes_one_by_one(known_case, specs):
        try:
            counts = bench.count(bench.before(scenes.scenes, scenes.preparations))
        except GuestError:  # what it executes cannot be counted
            return [most] * len(specs)
        blocks = _MOST_TIMES * sum(counts.blocks().values())
        limits.append(min(max(blocks, _FEWEST), most))
    return limits


def _first_results(
    case: Case,
    subjects: Sequence[Subject],
    specs: tuple[SceneSpec, ...],
    limits: list[int],
    workers: Workers,
) -> list[Result]:
    """What the first scenes show of programs, each given up at the first that shows something."""
    size = -(-min(_BATCH, len(subjects)) // workers.processes) or 1
    parts = [list(subjects[start : start + size]) for start in range(0, len(subjects), size)]
    calls = [(case.known_case, part, specs, limits) for part in parts]
    by_program = workers.each(_run_first, calls, alone=_run_first_apart)
    return [result for _, results in by_program for result in results]


def _run_first_apart(
    known_case: KnownCase,
    subjects: list[Subject],
    specs: tuple[SceneSpec, ...],
    limits: list[int],
) -> list[Result]:
    """Run each program alone, to learn which of them take their process down."""
    results = []
    for subject in subjects:
        try:
            results += run_apart(_run_first, known_case, [subject], specs, limits)
        except GuestError as error:
            results.append(Result(subject, crash=str(error)))
    return results


def _run_first(
    known_case: KnownCase,
    subjects: list[Subject],
    specs: tuple[SceneSpec, ...],
    limits: list[int],
) -> list[Result]:
    case = case_as_known(known_case)
    scenes = _scenes_one_by_one(known_case, specs)
    results = []
    for subject in subjects:
        bench = bench_for(case, subject)
        usual, result = bench.machine.budget, Result(subject)
        for one_scene, blocks in zip(scenes, limits, strict=True):
            bench.machine.budget = Budget(blocks, _PATIENCE)
            result = run_scenes(subject, bench, one_scene)
            if is_wrong(result):
                break
        bench.machine.budget = usual
        results.append(result)
    return results


@functools.lru_cache(maxsize=1)
def _scenes_one_by_one(known_case: KnownCase, specs: tuple[SceneSpec, ...]) -> tuple[Scenes, ...]:
    """The scenes; a worker makes them once for all programs."""
    case = case_as_known(known_case)
    return tuple(Scenes.make(case, [spec]) for spec in specs)
