"""Looks for words at odd addresses in some calls, on processors that refuse these.

Unicorn's 68000 executes such an access as a 68020 does. To look at every access makes a call take
20 times as long, so that is left to full checks; here it is done for a sample of the scenes. It
depends on nothing but their names, so a verdict is the same with any number of workers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from emu.cases.case import Case
from emu.cases.programs.subject import UNICORN, Subject
from emu.checks.levels import CheckLevel
from emu.checks.memory import AlignmentCheck, LeftCalls, MemoryChecks, Mistake, ViolationKind
from emu.engines.registry import engine_of, why_unscreened
from emu.machine import CPUS
from emu.machine.engine.watch.accesses import AccessKind
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.memory.memory_checks import SceneChecks
from emu.verify.memory.screened_scenes import HookPlan
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.sample import Sample

_LEAST, _ONE_OF = 8, 1024


def how_many_watched(scenes: int) -> int:
    """How many scenes of a run are looked at: one of 1,024, and 8 at least.

    On four-shifts (3,000 scenes) with two programs that is 5% of the processor time.

    Args:
        scenes: how many scenes the run has.
    """
    return max(_LEAST, scenes // _ONE_OF)


def hook_plan(
    subject: Subject, checks: CheckLevel, watched: Sample, known: Collection[Mistake]
) -> HookPlan:
    """What hooks look at after translated code.

    Of the calls that it cannot look at, that is all with full checks; else those on the scenes in
    which odd addresses are looked for, if the processor refuses these.

    Args:
        subject: the program.
        checks: how much of memory is checked.
        watched: those scenes.
        known: mistakes of the program that are known.
    """
    if checks is CheckLevel.FULL:
        return HookPlan(known=known)
    refuses = bool(CPUS[subject.cpu].unwatched)
    return HookPlan(lambda spec: refuses and spec.scene in watched, known)


def with_usual_checks(
    result: Result,
    bench: Bench,
    scenes: Scenes,
    rows: Sequence[int],
    checks: CheckLevel,
    known: Collection[Mistake] = (),
) -> Result:
    """Add the usual checks of memory to the result of a program that no screen has looked at.

    Args:
        result: the result.
        bench: the case on the program.
        scenes: the scenes.
        rows: the indices of the scenes in which odd addresses are looked for.
        checks: how much of memory was to be checked; what was not is counted.
        known: mistakes of the program that are known.
    """
    subject = result.subject
    if checks is CheckLevel.SCREENED:
        why = why_unscreened(subject.engine, CPUS[subject.cpu]) or "sanitizers look at memory"
        left = (LeftCalls(sum(result.calls), why),)
        result = replace(result, memory=MemoryChecks((), 0, left=left))
    if bench.has_sanitizers or result.fault or result.crash:
        return result
    return replace(result, alignment=alignment_check(bench.case, subject, scenes, rows, known))


def alignment_check(
    case: Case,
    subject: Subject,
    scenes: Scenes,
    rows: Sequence[int],
    known: Collection[Mistake] = (),
) -> AlignmentCheck | None:
    """Make some of the calls on some scenes again, and see whether they use odd addresses.

    Args:
        case: the case.
        subject: the program, which returned from each of these scenes.
        scenes: the scenes.
        rows: the indices of those that are looked at.
        known: mistakes of the program that are known, and left out.

    Returns:
        What was seen; None if the processor does not refuse odd addresses, if the engine cannot
        look, or if there are no such scenes.
    """
    looks = engine_of(subject.engine).abilities.counts
    if not rows or not looks or not CPUS[subject.cpu].unwatched:
        return None
    bench = bench_for(case, replace(subject, engine=UNICORN), checked=True)
    check = AlignmentCheck()
    for layout in bench.alike([scenes.preparations[row] for row in rows]):
        check += _look(bench, scenes.take([rows[place] for place in layout]), known)
    return check


def _look(bench: Bench, scenes: Scenes, known: Collection[Mistake]) -> AlignmentCheck:
    images = bench.before(scenes.scenes, scenes.preparations)
    checks = SceneChecks(bench, images, scenes.specs, AccessKind.MISALIGNED, known)
    batch = checks.run()
    memory = checks.judge(batch)
    assert memory is not None
    seen = tuple(v for v in memory.violations if v.kind is ViolationKind.MISALIGNED)
    return AlignmentCheck(batch.completed - memory.unchecked, seen)
