"""The workbench: runs compiled code for the measurements of claims, and predicts its cycles.

A measurement is a function that a claim file names as ``run: {with: ...}``. It gets a workbench.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from emu.base.processes.workers import Workers
from emu.cases.case import KnownCase
from emu.cases.keys.parts import Figures as PublishedFigures
from emu.cases.keys.parts import Scene
from emu.cases.known_case import case_as_known
from emu.cycles.models import MODELS, model_for
from emu.cycles.pricing import price
from emu.machine.guest_process import GuestWorkers
from emu.verify.batches.benches import bench_for
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import require_correct, run_scenes
from macproof import GuestError, Subject, load_case
from posts.trials.trial import Setup, TrialOutcome
from posts.trials.trial_runner import TrialRunner

Figures: TypeAlias = Mapping[str, float]

BUILD = "O2"
"""The build that is called to see what a routine does."""
TIMED_BUILD = "period"
"""The build whose cycles are predicted. It resembles the code of a compiler of 1994."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one call.

    Attributes:
        instructions: how many instructions are executed; counted.
        cycles: how many cycles they take; predicted by the processor's model.
        per_second: calls in a second at the clock of the model; predicted.
    """

    instructions: int
    cycles: float
    per_second: float


@dataclass(slots=True)
class Workbench:
    """Calls compiled routines for measurements. Use it in a ``with`` statement.

    Attributes:
        jobs: worker processes; 0 is one for each processor of this computer.
        programs: where programs come from, see `emu.cases.programs.programs.programs_of`.
    """

    jobs: int = 0
    programs: str = "auto"
    _stack: ExitStack = field(default_factory=ExitStack)
    _runners: dict[str, TrialRunner] = field(default_factory=dict)
    _workers: Workers = field(init=False)

    def __post_init__(self) -> None:
        self._workers = self._stack.enter_context(GuestWorkers(self.jobs))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stack.__exit__(*exception)

    def start(
        self,
        case: str,
        scenes: Sequence[Scene],
        *,
        defines: Sequence[str] = (),
        in_front: str = "",
    ) -> Callable[[], dict[str, list[TrialOutcome]]]:
        """Start calls of a case's routine without waiting for them.

        Args:
            case: the case's name.
            scenes: the scenes that it is called on.
            defines: preprocessor words to compile with.
            in_front: a source file beside the case's own that is put in front of them, so that they
                are one translation unit; or "".

        Returns:
            A function that waits for the calls and returns their outcomes by processor.

        Raises:
            MacproofError: a program cannot be made, or a scene does not fit the case.
        """
        loaded = load_case(case)
        if in_front:
            loaded = replace(loaded, units=((in_front, *loaded.sources),))
        return self._runner(BUILD).start(loaded, scenes, Setup(defines=tuple(defines)))

    def returned(
        self,
        case: str,
        scenes: Sequence[Scene],
        *,
        defines: Sequence[str] = (),
        in_front: str = "",
    ) -> dict[str, list[TrialOutcome]]:
        """The outcomes of calls by processor; the arguments are those of `start`.

        Raises:
            GuestError: a call did not return.
            MacproofError: as for `start`.
        """
        by_cpu = self.start(case, scenes, defines=defines, in_front=in_front)()
        for outcome in (outcome for outcomes in by_cpu.values() for outcome in outcomes):
            if not outcome.returned:
                why = outcome.crash or outcome.fault or "; ".join(outcome.violations)
                raise GuestError(f"the {outcome.cpu}, build {outcome.build}: {why}")
        return by_cpu

    def published(self, case: str) -> Sequence[PublishedFigures]:
        """The published speeds in a case's file; empty if it has none."""
        timing = load_case(case).timing
        return timing.figures if timing is not None else ()

    def costs(self, case: str, scenes: Sequence[Scene]) -> dict[str, list[Cost]]:
        """The cost of a call on each scene, by processor.

        Processors without a cycle model are left out. A program is checked on the scenes before
        its instructions are counted, because the speed of a wrong program means nothing.

        Raises:
            WrongResultError: a program's results differ from its reference's.
            GuestError: a call did not return.
            MacproofError: a program cannot be made.
        """
        loaded = load_case(case)
        subjects = self._runner(TIMED_BUILD).subjects(loaded)
        under_way = {
            subject.cpu: self._workers.submit(count_costs, loaded.known_case, subject, list(scenes))
            for subject in subjects
            if subject.cpu in MODELS
        }
        return {cpu: call.result() for cpu, call in under_way.items()}

    # -- inside ------------------------------------------------------------------------------

    def _runner(self, build: str) -> TrialRunner:
        if build not in self._runners:
            runner = TrialRunner(
                (build,), jobs=self.jobs, programs=self.programs, workers=self._workers
            )
            self._runners[build] = self._stack.enter_context(runner)
        return self._runners[build]


def count_costs(known_case: KnownCase, subject: Subject, scenes: list[Scene]) -> list[Cost]:
    """Check a program on scenes, count the instructions of its calls, and predict their cycles.

    It executes guest code, so call it in a worker process.

    Raises:
        WrongResultError: the program's results differ from its reference's.
        GuestError: a call did not return.
    """
    case = case_as_known(known_case)
    bench, model = bench_for(case, subject), model_for(subject.cpu)
    result = run_scenes(subject, bench, Scenes.of(case, scenes))
    require_correct(result, f"{case.name} {subject.cpu} {subject.build}")
    images = bench.before(scenes)
    costs = []
    for index in range(len(scenes)):
        call = bench.count(images.take([index]))
        priced = price(call, model)
        per_second = priced.calls_per_second(model.megahertz)
        costs.append(Cost(priced.instructions, priced.cycles, per_second))
    return costs
