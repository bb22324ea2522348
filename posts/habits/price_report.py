"""The data of ``macproof timing --habits``, the JSON form ``macproof.habit-prices/1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.timing.predict import TimingPlan
from posts.habits.price_file import HabitCount, HabitsFile, Targets, shown_in
from posts.habits.prices import HabitCombination, MachinePrices

SCHEMA = "macproof.habit-prices/1"


@dataclass(frozen=True, slots=True)
class PricedBuild:
    """A build with some habits.

    Attributes:
        habits: the names of its habits.
        adds: the cycles that it adds to each event, by the event's name.
        cycles: the cycles of a call, by number of objects.
        ratios: predicted over published speed, by number of objects.
        scale: the geometric mean of the ratios.
        shape_rms: the shape error as a root mean square.
        shape_worst: the largest shape error.
        reaches: whether it reaches all targets.
    """

    habits: Sequence[str]
    adds: Mapping[str, float]
    cycles: Mapping[int, float]
    ratios: Mapping[int, float]
    scale: float
    shape_rms: float
    shape_worst: float
    reaches: bool


@dataclass(frozen=True, slots=True)
class HabitPrice:
    """A habit and its price.

    Attributes:
        build: the build that has this habit alone.
        what: what the compiler does, a clause.
        flags: the compiler's flags for it.
        sources: where the habit is known from.
        shown: what programs of the time show of it, or None.
    """

    build: PricedBuild
    what: str
    flags: Sequence[str]
    sources: Sequence[str]
    shown: HabitCount | None


@dataclass(frozen=True, slots=True)
class MachineHabits:
    """The habits on one machine.

    Attributes:
        machine: the machine.
        cpu: its processor, by whose cycle model everything is priced.
        code: the processor that the code is for.
        build: the build that habits are added to.
        published: cycles of each event by the published figures.
        base: cycles of each event of the build without habits.
        base_build: the same build beside the figures.
        habits: each habit alone.
        targets: what combinations are to reach.
        tried: how many combinations were computed by adding what each habit adds alone.
        near: how many of these reach the targets.
        combinations: those that were built, the smallest shape error first.
    """

    machine: str
    cpu: str
    code: str
    build: str
    published: Mapping[str, float]
    base: Mapping[str, float]
    base_build: PricedBuild
    habits: Sequence[HabitPrice]
    targets: Targets
    tried: int
    near: int
    combinations: Sequence[PricedBuild]


@dataclass(frozen=True, slots=True)
class HabitPricesReport:
    """Prices of habits.

    Attributes:
        note: how the numbers came about.
        case: the case's name.
        source: the source that was compiled.
        scenes: how many scenes of each number of objects.
        seed: the seed of the first.
        machines: the machines.
        command: the command line, one string for each word.
    """

    note: str
    case: str
    source: Path
    scenes: int
    seed: int
    machines: Sequence[MachineHabits]
    command: Sequence[str]


NOTE = (
    "Instruction counts are exact. Cycles are computed by a model, not measured. Habits and their "
    "combinations were chosen after the published figures were known, so none of this is a "
    "prediction."
)


def make_price_report(
    case: str,
    file: HabitsFile,
    plan: TimingPlan,
    prices_of_machines: Sequence[MachinePrices],
    command: Sequence[str] = (),
) -> HabitPricesReport:
    """Make the report of priced habits.

    Args:
        case: the case's name.
        file: the habits.
        plan: the scenes.
        prices_of_machines: the prices, from `posts.habits.prices.price_habits`.
        command: the command line, one string for each word.
    """
    machines = tuple(_machine(prices) for prices in prices_of_machines)
    return HabitPricesReport(
        NOTE, case, file.source, plan.scenes, plan.seed, machines, tuple(command)
    )


def _machine(prices: MachinePrices) -> MachineHabits:
    machine = prices.machine
    return MachineHabits(
        machine=machine.figures.machine,
        cpu=machine.figures.cpu,
        code=machine.code,
        build=machine.build,
        published=prices.published.cycles_of_one,
        base=prices.base.fit.cycles_of_one,
        base_build=_build(prices.base, prices),
        habits=tuple(
            HabitPrice(
                _build(combination, prices),
                combination.habits[0].what,
                combination.habits[0].flags,
                combination.habits[0].sources,
                shown_in(machine.table, combination.habits[0].shown),
            )
            for combination in prices.single
        ),
        targets=machine.targets,
        tried=prices.tried,
        near=prices.near,
        combinations=tuple(_build(combination, prices) for combination in prices.built),
    )


def _build(one: HabitCombination, found: MachinePrices) -> PricedBuild:
    base = found.base.fit.cycles_of_one
    return PricedBuild(
        habits=tuple(habit.name for habit in one.habits),
        adds={event: cost - base[event] for event, cost in one.fit.cycles_of_one.items()},
        cycles=one.cycles,
        ratios=one.spread.ratios,
        scale=one.spread.scale,
        shape_rms=one.spread.rms,
        shape_worst=one.spread.worst,
        reaches=one.reaches(found.machine.targets),
    )
