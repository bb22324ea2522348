"""Draws conclusions from the figures, by rules that name no system.

A system can be chosen if it tells which objects collide, was right about that in every scene, has
no known defect, and did on every processor what its reference does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from posts.comparison.measure import SystemResult
from posts.comparison.system import System

CLOSE = 0.10
"""Systems whose cycles exceed the fewest by no more than this fraction count as equally good,
because the cycle models are not more precise than that."""

AGREE, DISAGREE, INCONCLUSIVE = "agree", "disagree", "inconclusive"

Cycles: TypeAlias = Mapping[str, Mapping[int, float]]
"""Cycles of a call by system and number of objects."""


@dataclass(frozen=True, slots=True)
class BestSystem:
    """The system with the fewest cycles for a number of objects.

    Attributes:
        objects: the number of objects.
        system: the system's name.
        cycles: how many cycles a call takes.
        close: the names of other systems that are equally good.
    """

    objects: int
    system: str
    cycles: float
    close: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crossover:
    """Two numbers of objects between which the best system changes.

    Attributes:
        before: the best system with ``low`` objects.
        after: the best system with ``high`` objects.
        low: a number of objects that was run.
        high: the next number of objects that was run.
        at: the number of objects at which both take equally many cycles, if cycles are straight
            lines on logarithmic scales between ``low`` and ``high``. None if ``before`` was not
            run with ``high`` objects, or ``after`` not with ``low``.
    """

    before: str
    after: str
    low: int
    high: int
    at: float | None


@dataclass(frozen=True, slots=True)
class AllRound:
    """The system whose worst case is the best.

    Attributes:
        system: the system's name.
        ratio: its cycles over the fewest cycles of any system, in its worst case.
        generator: the kind of scenes of the worst case.
        objects: the number of objects of the worst case.
    """

    system: str
    ratio: float
    generator: str
    objects: int


def eligible(systems: Iterable[System], cells: Sequence[SystemResult]) -> tuple[str, ...]:
    """The names of the systems that can be chosen."""
    wrong = {
        cell.system
        for cell in cells
        if not cell.agrees or any(run.problem for run in cell.runs.values())
    }
    took = {cell.system for cell in cells if not cell.refused}
    return tuple(
        system.name
        for system in systems
        if system.contender.collided
        and not system.contender.defect
        and system.name in took
        and system.name not in wrong
    )


def cycles_of(
    cells: Iterable[SystemResult], cpu: str, generator: str
) -> dict[str, dict[int, float]]:
    """The cycles of a call by system and number of objects; a cell without cycles is left out."""
    cycles: dict[str, dict[int, float]] = {}
    for cell in cells:
        run = cell.runs.get(cpu)
        if cell.generator == generator and run is not None and not run.problem:
            cycles.setdefault(cell.system, {})[cell.objects] = run.cycles
    return cycles


def best_of(cycles: Cycles) -> list[BestSystem]:
    """The best system for each number of objects, ascending; of two equal ones the first."""
    best = []
    for objects in sorted({n for by_size in cycles.values() for n in by_size}):
        here = {name: sizes[objects] for name, sizes in cycles.items() if objects in sizes}
        name = min(here, key=lambda system: here[system])
        limit = here[name] * (1 + CLOSE)
        close = [other for other in here if other != name and here[other] <= limit]
        best.append(BestSystem(objects, name, here[name], tuple(close)))
    return best


def crossovers(best: Sequence[BestSystem], cycles: Cycles) -> list[Crossover]:
    """Every place where the best system changes."""
    return [
        Crossover(
            before=low.system,
            after=high.system,
            low=low.objects,
            high=high.objects,
            at=_equal(cycles[low.system], cycles[high.system], low.objects, high.objects),
        )
        for low, high in itertools.pairwise(best)
        if low.system != high.system
    ]


def _equal(
    first: Mapping[int, float], second: Mapping[int, float], low: int, high: int
) -> float | None:
    if high not in first or low not in second:
        return None
    below = math.log(second[low] / first[low])
    above = math.log(first[high] / second[high])
    if below + above == 0:
        return None
    return math.exp(math.log(low) + math.log(high / low) * below / (below + above))


def all_round(by_generator: Mapping[str, Cycles]) -> AllRound | None:
    """Of the systems that took all scenes, the one whose worst case is the best."""
    worst: dict[str, AllRound] = {}
    wanted = sum(len(best_of(cycles)) for cycles in by_generator.values())
    for name in dict.fromkeys(name for cycles in by_generator.values() for name in cycles):
        ratios = [
            AllRound(name, cycles[name][best.objects] / best.cycles, generator, best.objects)
            for generator, cycles in by_generator.items()
            for best in best_of(cycles)
            if best.objects in cycles.get(name, {})
        ]
        if len(ratios) == wanted:
            worst[name] = max(ratios, key=lambda ratio: ratio.ratio)
    return min(worst.values(), key=lambda ratio: ratio.ratio, default=None)


def most_objects(cycles: Mapping[int, float], limit: float) -> tuple[str, float]:
    """The most objects with which a call stays within a number of cycles.

    Between numbers of objects that were run, cycles are taken as a straight line on logarithmic
    scales.

    Args:
        cycles: by number of objects.
        limit: the number of cycles.

    Returns:
        "at" and the number of objects; or "more than" or "fewer than" and the largest or smallest
        number that was run, if the answer lies beyond it.
    """
    sizes = sorted(cycles)
    if cycles[sizes[0]] > limit:
        return "fewer than", sizes[0]
    for low, high in itertools.pairwise(sizes):
        if cycles[high] > limit:
            part = math.log(limit / cycles[low]) / math.log(cycles[high] / cycles[low])
            return "at", math.exp(math.log(low) + part * math.log(high / low))
    return "more than", sizes[-1]


def verdict_of_cells(systems: Iterable[System], cells: Sequence[SystemResult]) -> str:
    """The verdict: "agree", "disagree" or "inconclusive".

    A known defect excuses a wrong answer about which objects collide, but no other failure. If
    nothing was judged, the verdict is "inconclusive".
    """
    excused = {system.name for system in systems if system.contender.defect}
    runs = [run for cell in cells for run in cell.runs.values()]
    if any(run.is_wrong for run in runs):
        return DISAGREE
    if any(not cell.agrees and cell.system not in excused for cell in cells):
        return DISAGREE
    if any(run.problem for run in runs) or not any(run.comparisons for run in runs):
        return INCONCLUSIVE
    return AGREE
