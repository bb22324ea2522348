"""Runs one system on scenes of one kind: what collides, what is executed, what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.functions import call
from emu.cases.case_file import read_case
from emu.cycles.models import model_for
from emu.cycles.pricing import price
from emu.machine import Budget
from emu.verify.batches.benches import bench_for
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from macproof import Case, CaseError, GuestError, Subject, UsageError
from posts.comparison.contender import Contender
from posts.comparison.plan import ComparisonPlan

# Testing each object with each other executes millions of blocks for thousands of objects.
_BUDGET = Budget(blocks=1_000_000_000, patience=120.0, seconds=240.0)


@dataclass(frozen=True, slots=True)
class ProcessorCost:
    """The cost of a call on one processor; figures are means over the scenes.

    Attributes:
        instructions: how many instructions are executed; counted.
        cycles: how many cycles they take; predicted by the processor's model.
        comparisons: how many bytes of data memory were compared with the reference, in all calls.
        problem: how the guest failed, or "". If it failed there are no figures.
        is_wrong: whether the failure refutes the program. A guest that ends the engine's process
            is not refuted: there is no verdict.
        per_second: calls in a second at the clock of the report, or None.
    """

    instructions: float = 0.0
    cycles: float = 0.0
    comparisons: int = 0
    problem: str = ""
    is_wrong: bool = False
    per_second: float | None = None


@dataclass(frozen=True, slots=True)
class SystemResult:
    """The result of one system on scenes of one kind with one number of objects.

    Attributes:
        system: the case's name.
        generator: the kind of scenes.
        objects: how many objects each has.
        scenes: how many scenes there were.
        refused: why the system cannot take the scenes, or "". If it refused there is nothing else.
        stand_in: the case with more room that was run in place of the system's own, or "".
        tests: how often two objects are tested in a call; the mean over the scenes.
        colliding: how many objects collide by the system's own rule, in all scenes.
        missed: how many of them the system did not find.
        invented: how many objects the system found although they do not collide.
        runs: the cost of a call, by processor.
    """

    system: str
    generator: str
    objects: int
    scenes: int = 0
    refused: str = ""
    stand_in: str = ""
    tests: float = 0.0
    colliding: int = 0
    missed: int = 0
    invented: int = 0
    runs: Mapping[str, ProcessorCost] = field(default_factory=dict)

    @property
    def agrees(self) -> bool:
        """Whether the system found exactly the objects that collide; true if it refused."""
        return not (self.missed or self.invented)


@dataclass(frozen=True, slots=True)
class Task:
    """The work of one worker process: one system, one kind of scenes, one number of objects.

    Attributes:
        system: the case's name.
        contender: the section ``compare`` of its file.
        forms: case files and their programs by processor; later ones have more room.
        generator: the kind of scenes.
        objects: how many objects each scene has.
        timed: the form whose programs are timed in place of the first form's, or None.
    """

    system: str
    contender: Contender
    forms: tuple[tuple[Path, Mapping[str, Subject]], ...]
    generator: str
    objects: int
    timed: tuple[Path, Mapping[str, Subject]] | None = None


def measure(task: Task, plan: ComparisonPlan) -> SystemResult:
    """Run a system on scenes.

    It executes guest code, so call it in a worker process; see `emu.base.processes.workers`.

    Raises:
        MacproofError: a Python function that a file names fails or returns something wrong.
    """
    corners = plan.corners(task.generator, task.objects)
    refused = ""
    for number, (path, subjects) in enumerate(task.forms):
        case = read_case(path)
        try:
            return _measure(case, subjects, task, plan, corners, is_stand_in=number > 0)
        except _RefusedError as error:
            refused = refused or str(error)
    return SystemResult(task.system, task.generator, task.objects, len(corners), refused=refused)


class _RefusedError(Exception):
    """A system cannot take the scenes."""


def _measure(
    case: Case,
    subjects: Mapping[str, Subject],
    task: Task,
    plan: ComparisonPlan,
    corners: Sequence[NDArray[np.int32]],
    *,
    is_stand_in: bool,
) -> SystemResult:
    contender = task.contender
    scenes = _scenes(case, contender.scene, corners)
    setups = _scenes(case, contender.setup, corners) if contender.setup else None
    tests = _tests(contender, scenes) - (_tests(contender, setups) if setups is not None else 0)
    judged = [
        _judge(case, contender, plan, answer, places)
        for answer, places in zip(scenes.references, corners, strict=True)
    ]
    return SystemResult(
        system=task.system,
        generator=task.generator,
        objects=task.objects,
        scenes=len(corners),
        stand_in=case.name if is_stand_in else "",
        tests=tests / len(corners),
        colliding=sum(judgement[0] for judgement in judged),
        missed=sum(judgement[1] for judgement in judged),
        invented=sum(judgement[2] for judgement in judged),
        runs=_runs(case, subjects, task, scenes, setups),
    )


def _runs(
    case: Case,
    subjects: Mapping[str, Subject],
    task: Task,
    scenes: Scenes,
    setups: Scenes | None,
) -> dict[str, ProcessorCost]:
    """The cost of a call by processor, of the form that is timed. Every form is checked."""
    if task.timed is None:
        return {cpu: _run(case, subject, scenes, setups) for cpu, subject in subjects.items()}
    path, timed = task.timed
    bare = read_case(path)
    runs = {}
    for cpu, subject in subjects.items():
        checked = _check(case, subject, scenes)
        if not checked.problem:
            run = _run(bare, timed[cpu], scenes, setups)
            checked = replace(run, comparisons=run.comparisons + checked.comparisons)
        runs[cpu] = checked
    return runs


def _scenes(case: Case, make: str, corners: Sequence[NDArray[np.int32]]) -> Scenes:
    """The scenes with given objects, and the reference's answers."""
    try:
        return Scenes.of(case, [call(make, case.path.parent, places) for places in corners])
    except UsageError as error:
        if isinstance(error.__cause__, ValueError):  # a reference refuses a scene in this way
            raise _RefusedError(str(error.__cause__)) from error
        raise


def _tests(contender: Contender, scenes: Scenes) -> int:
    return sum(int(_attribute(answer, contender.tests)) for answer in scenes.references)


def _judge(
    case: Case, contender: Contender, plan: ComparisonPlan, answer: Any, corners: NDArray[np.int32]
) -> tuple[int, int, int]:
    """How many objects collide, how many of them were missed, how many others were found."""
    if not contender.collided:
        return 0, 0, 0
    dotted = contender.truth or plan.truth
    folder = case.path.parent if contender.truth else None
    truth = np.asarray(call(dotted, folder, corners)) != 0
    collided = np.asarray(_attribute(answer, contender.collided)) != 0
    if truth.shape != (len(corners),) or collided.ndim != 1 or len(collided) < len(corners):
        raise UsageError(
            f"{dotted} gives {truth.shape} and {contender.collided} has {collided.shape}, where "
            f"one value for each of {len(corners)} objects is wanted"
        )
    among = collided[: len(corners)]
    invented = int((among & ~truth).sum()) + int(collided[len(corners) :].sum())
    return int(truth.sum()), int((truth & ~among).sum()), invented


def _attribute(answer: Any, name: str) -> Any:
    try:
        return getattr(answer, name)
    except AttributeError as error:
        raise UsageError(f"the reference's answer has no {name}: {error}") from error


def _run(case: Case, subject: Subject, scenes: Scenes, setups: Scenes | None) -> ProcessorCost:
    """Check the program, count its instructions and predict cycles, without those of the set-up."""
    try:
        whole = _count(case, subject, scenes)
        if setups is None or whole.problem:
            return whole
        first = _count(case, subject, setups)
    except GuestError as error:
        return ProcessorCost(problem=str(error))
    return (
        first
        if first.problem
        else ProcessorCost(
            whole.instructions - first.instructions,
            whole.cycles - first.cycles,
            whole.comparisons + first.comparisons,
        )
    )


def _count(case: Case, subject: Subject, scenes: Scenes) -> ProcessorCost:
    checked = _check(case, subject, scenes)
    if checked.problem:
        return checked
    bench = bench_for(case, subject)
    counts = bench.count(bench.before(scenes.scenes))
    pricing = price(counts, model_for(subject.cpu))
    calls = counts.calls
    return ProcessorCost(pricing.instructions / calls, pricing.cycles / calls, checked.comparisons)


def _check(case: Case, subject: Subject, scenes: Scenes) -> ProcessorCost:
    """Run a program and compare it with the reference; nothing is counted."""
    bench = bench_for(case, subject)
    bench.machine.budget = _BUDGET
    try:
        bench.before(scenes.scenes)
    except CaseError as error:
        raise _RefusedError(error.problem) from error
    try:
        result = run_scenes(subject, bench, scenes)
    except GuestError as error:
        return ProcessorCost(problem=str(error))
    if result.crash:
        return ProcessorCost(problem=result.crash)
    if result.fault:
        return ProcessorCost(problem=f"it did not come back: {result.fault}", is_wrong=True)
    if result.failures:
        return ProcessorCost(problem=str(result.failures[0]), is_wrong=True)
    return ProcessorCost(comparisons=result.bytes_compared)
