"""Prices habits of compilers: how many cycles each adds to the events of a case's routine.

Each habit is a build of its own: another build with some flags, or with source in which the habit
is spelled out. All builds are executed on the same scenes, compared with the reference, and priced
by the same cycle model. Combinations of habits are first computed by adding what each alone adds;
those that come near the published figures are then built. The published figures are known before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from emu.cases.case_file import read_case
from emu.cycles.models import model_for
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.timing.predict import TimedProgram, TimingPlan, predict_program
from emu.toolchain.builds import BUILDS, Build
from macproof import Case, programs_of
from posts.habits.price_file import HabitsFile, PricedHabit, PricedMachine, Targets
from posts.timing.comparison import Spread, published_cycles
from posts.timing.events import count_events, work_of
from posts.timing.fit import EventCosts, fit_events

MOST_BUILT = 12
"""How many combinations are built for a machine: those that reach the targets by adding, and then
those whose shape is nearest."""

_FELT = 0.001
"""The least part of a call's cycles that a habit has to change to be combined with others."""

Habits = tuple[PricedHabit, ...]
Cycles = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class HabitCombination:
    """A build with some habits, beside published figures.

    Attributes:
        habits: the habits; none of the build that they are added to.
        cycles: the cycles of a call by number of objects.
        fit: the cost of each event.
        spread: predicted over published speeds.
    """

    habits: Habits
    cycles: Cycles
    fit: EventCosts
    spread: Spread

    def reaches(self, targets: Targets) -> bool:
        """Whether it reaches all of the targets."""
        return (
            self.spread.rms <= targets.shape
            and self.spread.worst <= targets.worst
            and all(targets.least <= ratio <= targets.most for ratio in self.spread.ratios.values())
        )


@dataclass(frozen=True, slots=True)
class MachinePrices:
    """The prices of habits on one machine.

    Attributes:
        machine: the machine.
        published: the cost of each event by the published figures.
        base: the build without any of the habits.
        single: a build with each habit alone, in the order of the file.
        tried: how many combinations were computed by adding.
        near: how many of these reach the targets.
        built: the combinations that were built, the smallest shape error first.
    """

    machine: PricedMachine
    published: EventCosts
    base: HabitCombination
    single: tuple[HabitCombination, ...]
    tried: int
    near: int
    built: tuple[HabitCombination, ...]


def price_habits(
    case: Case,
    file: HabitsFile,
    plan: TimingPlan,
    *,
    jobs: int = 0,
    on_progress: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> list[MachinePrices]:
    """Price all habits of a file, on each of its machines.

    Args:
        case: the case.
        file: the habits.
        plan: the scenes.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        on_progress: called with the kind of work, the builds just finished, and all builds.

    Raises:
        ToolMissingError: a compiler is missing.
        CompileError: a build does not compile.
        WrongResultError: the result of a build differs from the reference's.
        GuestError: a call does not return.
    """
    events = count_events(case, plan, work_of(case).events)
    return [
        _Pricing(
            case=case,
            source=file.source,
            machine=machine,
            plan=plan,
            events=events,
            jobs=jobs,
            on_progress=on_progress,
        ).run()
        for machine in file.machines
    ]


@dataclass(frozen=True, slots=True)
class _Pricing:
    """The pricing of habits on one machine."""

    case: Case
    source: Path
    machine: PricedMachine
    plan: TimingPlan
    events: Mapping[int, Mapping[str, float]]
    jobs: int
    on_progress: Callable[[str, int, int], None]

    def run(self) -> MachinePrices:
        published = published_cycles(self.machine.figures)
        base, *single = self._price_builds([(), *((habit,) for habit in self.machine.habits)])
        felt = [combination for combination in single if _is_felt(combination, base)]
        added = [self._added(base, chosen) for chosen in _subsets(felt)]
        near = [combination for combination in added if combination.reaches(self.machine.targets)]
        far = sorted(
            (combination for combination in added if combination not in near),
            key=lambda price: price.spread.rms,
        )
        best = [*sorted(near, key=lambda price: price.spread.rms), *far][:MOST_BUILT]
        built = sorted(
            self._price_builds([combination.habits for combination in best]),
            key=lambda price: price.spread.rms,
        )
        fit = fit_events(self.events, published)
        return MachinePrices(
            machine=self.machine,
            published=fit,
            base=base,
            single=tuple(single),
            tried=len(added),
            near=len(near),
            built=tuple(built),
        )

    def _added(self, base: HabitCombination, parts: Sequence[HabitCombination]) -> HabitCombination:
        """A combination of habits, if each adds what it adds alone."""
        cycles = {
            n: each + sum(part.cycles[n] - each for part in parts)
            for n, each in base.cycles.items()
        }
        return self._priced(tuple(part.habits[0] for part in parts), cycles)

    def _priced(self, habits: Habits, cycles: Cycles) -> HabitCombination:
        published = published_cycles(self.machine.figures)
        ratios = {n: published[n] / each for n, each in cycles.items() if n in published}
        return HabitCombination(habits, cycles, fit_events(self.events, cycles), Spread.of(ratios))

    def _price_builds(self, wanted: Sequence[Habits]) -> list[HabitCombination]:
        """Compile, execute and price builds with habits."""
        what = self.machine.figures.machine
        self.on_progress(what, 0, len(wanted))
        base = BUILDS[self.machine.build]
        builds = {
            f"habits-{n}": Build(
                f"habits-{n}", (*base.flags, *(flag for one in habits for flag in one.flags))
            )
            for n, habits in enumerate(wanted)
        }
        case = replace(self.case, cpus=(self.machine.code,), builds=builds)
        chosen = programs_of(case, builds=list(builds), source=self.source, use="compiled")
        cpu = self.machine.figures.cpu
        calls = [
            (self.case.path, TimedProgram(subject, self.source.name), self.plan, cpu)
            for subject in chosen
        ]
        cycles_of: dict[int, Cycles] = {}
        with GuestWorkers(self.jobs) as workers:
            for index, cycles in workers.each(_cycles, calls, alone=_cycles_apart):
                cycles_of[index] = cycles
                self.on_progress(what, 1, len(wanted))
        return [self._priced(habits, cycles_of[n]) for n, habits in enumerate(wanted)]


def _is_felt(one: HabitCombination, base: HabitCombination) -> bool:
    return any(abs(one.cycles[n] / each - 1) > _FELT for n, each in base.cycles.items())


def _subsets(single: Sequence[HabitCombination]) -> Iterator[tuple[HabitCombination, ...]]:
    """The combinations of two or more habits, without those that exclude each other."""
    for size in range(2, len(single) + 1):
        for chosen in combinations(single, size):
            kinds = [kind for combination in chosen if (kind := combination.habits[0].instead)]
            if len(kinds) == len(set(kinds)):
                yield chosen


def _cycles(case_path: Path, program: TimedProgram, plan: TimingPlan, cpu: str) -> Cycles:
    """The cycles of a call by number of objects, on the processor of that name."""
    prediction = predict_program(read_case(case_path), program, plan, model=model_for(cpu))
    return {n: size.cycles for n, size in prediction.sizes.items()}


def _cycles_apart(case_path: Path, program: TimedProgram, plan: TimingPlan, cpu: str) -> Cycles:
    return run_apart(_cycles, case_path, program, plan, cpu, program=program)
