"""The program that guides a search: it records which numbers it compares.

Chance alone rarely makes a number that a program asks for. This program tells which number that
is, and which of two scenes comes nearer to it. It is compiled from the same sources as the programs
that are searched. What goes wrong in it is not told: it has to show in one of those.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from emu.base.errors import CaseError, ToolMissingError, UsageError
from emu.cases.case import Case
from emu.cases.programs.programs import provide_for
from emu.cases.programs.selection import Selection
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.checks.comparisons import ComparisonLog, OperandPairs, records_comparisons
from emu.engines.registry import TRANSLATED
from emu.machine import Budget
from emu.machine.calls.other_engine import EngineRefusal
from emu.search.asked_scene import AskedScene
from emu.toolchain.builds import targets_of
from emu.toolchain.sanitizers import tracing_comparisons
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.runs.prepared_scenes import prepare

_MOST_PAIRS = 64
_COMPARED = -1  # in place of the number of a program


@dataclass(frozen=True, slots=True)
class Guidance:
    """What a scene tells a search.

    Attributes:
        features: numbers that stand for a comparison and how near its two numbers came, roughly.
        pairs: pairs of unsigned numbers of 32 bits that were compared, and differed.
    """

    features: frozenset[int] = frozenset()
    pairs: tuple[tuple[int, int], ...] = ()


def guide_of(selection: Selection) -> Subject | None:
    """The first program of a selection, compiled so that it records what it compares.

    Returns:
        None if it was not compiled here, or compares nothing.

    Raises:
        CompileError: as of `programs_of`.
    """
    case, first = selection.case, next(iter(selection.built), None)
    if first is None or first.origin not in ("compiled", "cache"):
        return None
    build = case.builds[re.split(r"[+,]", first.build)[0]]
    targets = targets_of([first.cpu])
    tree = source_tree(case, selection.source)
    provision = provide_for(case, tree, targets, [tracing_comparisons(build)], use="compiled")
    (program,) = provision.programs
    own = Subject(program.cpu, program.build, program.path, sha256=program.sha256)
    return own.of_case(case) if records_comparisons(own.read()) else None


def guidance(case: Case, guide: Subject, asked: AskedScene, budget: Budget) -> Guidance:
    """What a scene tells a search; nothing if the guide's call does not return.

    Args:
        case: the case.
        guide: what `guide_of` gave.
        asked: the scene.
        budget: the limits of the call.

    Raises:
        CaseError, UsageError: the program has no place for the scene.
    """
    bench = bench_for(case, guide)
    bench.machine.budget = budget
    try:
        images = bench.before([asked.scene], [prepare(case, asked.changed.spec)])
    except PrecedingCallError:
        return Guidance()
    batch = bench.run(images)
    if not batch.completed:
        return Guidance()
    (compared,) = _log_of(bench).read(batch.after[:1])
    return Guidance(_features(compared), _pairs(compared))


def guidance_together(
    case: Case, guide: Subject, scenes: Mapping[int, AskedScene]
) -> dict[int, Guidance]:
    """What scenes tell a search, by their numbers; the guide is executed as translated code.

    Args:
        case: the case.
        guide: what `guide_of` gave.
        scenes: the scenes, by their numbers.

    Returns:
        That of the scenes whose calls are made; nothing is said of the others.
    """
    try:
        bench = bench_for(case, replace(guide, engine=TRANSLATED))
    except (EngineRefusal, ToolMissingError):
        return {}
    numbers = list(scenes)
    plans = [prepare(case, scenes[number].changed.spec) for number in numbers]
    found: dict[int, Guidance] = {}
    for rows in bench.alike(plans):
        try:
            made = [scenes[numbers[row]].scene for row in rows]
            batch = bench.run(bench.before(made, [plans[row] for row in rows]))
        except (CaseError, UsageError, PrecedingCallError):
            continue
        for row, compared in zip(rows, _log_of(bench).read(batch.after), strict=False):
            found[numbers[row]] = Guidance(_features(compared), _pairs(compared))
    return found


@functools.lru_cache(maxsize=4)
def _log_of(bench: Bench) -> ComparisonLog:
    return ComparisonLog(bench.machine)


def _features(compared: Sequence[OperandPairs]) -> frozenset[int]:
    each = [_nearness(pairs.code, pairs.nearest.bit_length()) for pairs in compared]
    return frozenset().union(*each)


@functools.lru_cache(maxsize=1 << 14)
def _nearness(code: int, bits: int) -> frozenset[int]:
    """A comparison that comes nearer is new, and so is each distance that it came through."""
    return frozenset(hash((_COMPARED, code, further)) for further in range(bits, 33))


def _pairs(compared: Sequence[OperandPairs]) -> tuple[tuple[int, int], ...]:
    pairs_seen = dict.fromkeys(pair for pairs in compared for pair in pairs.pairs)
    return tuple(pairs_seen)[:_MOST_PAIRS]
