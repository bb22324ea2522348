"""Runs programs on the same scenes, one after the other, in this process."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from types import MappingProxyType

from emu.base.errors import InputError
from emu.cases.case import Case
from emu.cases.known_case import require_same
from emu.cases.programs.subject import Subject
from emu.checks.levels import CheckLevel
from emu.checks.memory import Mistake
from emu.engines.registry import engine_of
from emu.verify.batches.benches import bench_for
from emu.verify.runs.odd_addresses import hook_plan, with_usual_checks
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import count_instructions, run_scenes, run_small_scenes
from emu.verify.runs.unfit_ports import refuted_as_unfit
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.sample import NO_SCENE, Sample


def run_programs(
    case: Case,
    subjects: Sequence[Subject],
    scenes: Scenes,
    *,
    is_first: bool,
    watched: Sample = NO_SCENE,
    covers: bool = False,
    checks: CheckLevel = CheckLevel.USUAL,
    translated: Collection[Subject] = (),
    known: Mapping[Subject, frozenset[Mistake]] = MappingProxyType({}),
    run: Hashable = None,
) -> list[Result]:
    """Run programs on scenes in this process.

    Args:
        case: the case.
        subjects: the programs.
        scenes: the scenes.
        is_first: whether these are the first scenes of a run. Then the instructions of the first
            call are counted, if the program is run on Unicorn and has no sanitizers, and a program
            that does not return from it is run on small scenes.
        watched: the scenes in which odd addresses are looked for without full checks.
        covers: whether results tell which code was executed, as far as the engine can tell.
        checks: how much of memory is checked.
        translated: the programs whose calls translated code makes, where that is possible.
        known: the mistakes with memory that programs have made on earlier scenes of the run. They
            are left out of the results, so their callers are looked for once in a run: 18 of 27 s
            of four-shifts-experiment-as-printed went there.
        run: stands for the run of which this is a part; see `ReachedCode`.

    Returns:
        One result for each program, in order.

    Raises:
        CaseError: a file of the case was changed since it was read.
    """
    results = []
    looked_at = watched.rows(scenes.specs)
    for subject in subjects:
        try:
            is_fast = subject in translated
            bench = bench_for(
                case,
                subject,
                covers=covers,
                checked=checks is CheckLevel.FULL,
                screened=checks is not CheckLevel.USUAL,
                translated=is_fast,
            )
            require_same(bench.case, case.read_from)
            bench.code.begin(run)
            plan = hook_plan(subject, checks, watched, known.get(subject, ()))
            result = run_scenes(subject, bench, scenes, plan)
        except InputError as error:
            unfit = refuted_as_unfit(case, subject, scenes, error)
            if unfit is None:
                raise
            results.append(unfit)
            continue
        if checks is not CheckLevel.FULL and bench.machine.calls.screen is None:
            result = with_usual_checks(result, bench, scenes, looked_at, checks, plan.known)
        counts = engine_of(subject.engine).abilities.counts and not bench.has_sanitizers
        if is_first and result.scenes and counts:
            result = count_instructions(result, bench, scenes)
        if is_first and result.fault and not result.scenes:
            result += run_small_scenes(subject, bench, case)
        results.append(result)
    return results
