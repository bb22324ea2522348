"""The main job: run every program on every scene and compare with the reference."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from emu.case import Case, Scene, read_case
from emu.compare import Comparison, Divergence
from emu.errors import GuestError, MacproofError
from emu.machine import CPUS, Budget, Machine
from emu.program import Program, read_program, with_types
from emu.workers import WorkerDied, run_apart, submit, worker_pool

VERIFIED, REFUTED, INCONCLUSIVE = "verified", "refuted", "inconclusive"
_CHUNK = 50
_FAILURES_KEPT = 10
_RESCUE_SCENES = 20
_RESCUE_BUDGET = Budget(blocks=20_000, patience=0.02)


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """What a scene is made from again."""

    generator: str
    objects: int
    seed: int

    def __str__(self) -> str:
        plural = "" if self.objects == 1 else "s"
        return f"{self.generator}, {self.objects} object{plural}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class BorrowedTypes:
    """Globals whose types a program does not give, and a program of the same declarations.

    ``build`` is the name of the build by which the case's own program was made.
    """

    program: Path
    build: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """One program on one processor.

    Attributes:
        cpu: the processor's name.
        build: the build's name; "given" for a program that somebody else has built.
        program: the program's file, of any format that `read_program` knows.
        types: where types come from that the program itself does not give, or None.
        symbols: the file beside the program that its symbols are from, if there is one.
    """

    cpu: str
    build: str
    program: Path
    types: BorrowedTypes | None = None
    symbols: Path | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A scene on which a subject did not do what it should, and how that shows."""

    spec: SceneSpec
    divergence: Divergence | None = None
    violations: tuple[str, ...] = ()
    fault: str = ""

    def __str__(self) -> str:
        return "; ".join(
            [*([str(self.divergence)] if self.divergence else []), *self.violations, self.fault]
        ).rstrip("; ")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one subject.

    Attributes:
        scenes: how many scenes ran to their end.
        comparisons: values compared with the reference or with the input they had to keep.
        bytes_compared: bytes of data memory compared.
        diverged: scenes whose memory was not as expected.
        violated: scenes that broke the contract of a call.
        failures: the first of them, in the order of the scenes.
        fault: the first call that did not come back, or "".
        crash: why nothing more can be said though no call is known to be wrong: the engine went
            down, or the block budget is too small; or "".
        instructions: guest instructions of one call, for the scene in ``measured``.
    """

    subject: Subject
    abi: str = ""
    scenes: int = 0
    comparisons: int = 0
    bytes_compared: int = 0
    diverged: int = 0
    violated: int = 0
    failures: tuple[Failure, ...] = ()
    fault: str = ""
    crash: str = ""
    instructions: int = 0
    blocks: int = 0
    measured: SceneSpec | None = None

    @property
    def verdict(self) -> str:
        """Verified needs comparisons and no failure.

        To come back is part of the contract, so a routine that returns from some scenes and not
        from others is refuted. One that never returned was perhaps never called as it should be:
        that decides nothing, nor does an engine that went down.
        """
        if self.diverged or self.violated or (self.fault and self.scenes):
            return REFUTED
        if self.fault or self.crash or not self.comparisons:
            return INCONCLUSIVE
        return VERIFIED

    def __add__(self, other: Result) -> Result:
        failures = (*self.failures, *other.failures)[:_FAILURES_KEPT]
        first = self if self.measured else other
        return replace(
            self,
            abi=self.abi or other.abi,
            scenes=self.scenes + other.scenes,
            comparisons=self.comparisons + other.comparisons,
            bytes_compared=self.bytes_compared + other.bytes_compared,
            diverged=self.diverged + other.diverged,
            violated=self.violated + other.violated,
            failures=failures,
            fault=self.fault or other.fault,
            crash=self.crash or other.crash,
            instructions=first.instructions,
            blocks=first.blocks,
            measured=first.measured,
        )


def verdict_of(results: Sequence[Result]) -> str:
    """One verdict for many: any refutation refutes, anything undecided leaves it undecided."""
    verdicts = {result.verdict for result in results}
    for verdict in (REFUTED, INCONCLUSIVE):
        if verdict in verdicts:
            return verdict
    return VERIFIED if results else INCONCLUSIVE


def plan_scenes(
    case: Case, count: int, seed: int, objects: Sequence[int] | None = None
) -> list[SceneSpec]:
    """``count`` scenes, spread evenly over the case's generators and numbers of objects.

    Kinds of scenes begin with ``seed`` and the seed after it in turn, since memory is made ready
    in another way for odd seeds, and a short run should see both.
    """
    sizes = sorted(objects if objects is not None else case.objects, reverse=True)
    kinds = [(generator, size) for size in sizes for generator in case.generators]
    specs = []
    for index in range(count):
        number, kind = divmod(index, len(kinds))
        specs.append(SceneSpec(*kinds[kind], seed + number + kind % 2))
    return specs


def default_jobs() -> int:
    """As many worker processes as processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def verify(
    case: Case,
    subjects: Sequence[Subject],
    specs: Sequence[SceneSpec],
    *,
    jobs: int = 0,
    on_progress: Callable[[int], None] = lambda scenes: None,
) -> list[Result]:
    """Run every subject on every scene.

    Guest code runs in worker processes, since some of it can bring an engine and its process
    down; a subject that does is given up, as is one that faults, and the others go on.

    Args:
        case: the case.
        subjects: the programs.
        specs: the scenes.
        jobs: worker processes; 0 is one for each processor.
        on_progress: called with the number of calls just finished.

    Returns:
        One result for each subject, in order.
    """
    return _Run(case, list(subjects), jobs or default_jobs(), on_progress).run(_chunks(specs))


def _chunks(specs: Sequence[SceneSpec]) -> list[list[SceneSpec]]:
    """Cut scenes into pieces with equal numbers of objects that fit a cache.

    The first scene makes a piece of its own.
    """
    by_size: dict[int, list[SceneSpec]] = {}
    for spec in specs[1:]:
        by_size.setdefault(spec.objects, []).append(spec)
    pieces = [list(specs[:1])] if specs else []
    for same in by_size.values():
        pieces += [same[start : start + _CHUNK] for start in range(0, len(same), _CHUNK)]
    return pieces


@dataclass(slots=True)
class _Run:
    """The bookkeeping of one `verify`: what remains to be done, and what came of the rest."""

    case: Case
    subjects: list[Subject]
    jobs: int
    on_progress: Callable[[int], None]
    given_up: set[Subject] = field(default_factory=set)
    parts: dict[tuple[Subject, int], Result] = field(default_factory=dict)

    def run(self, chunks: Sequence[list[SceneSpec]]) -> list[Result]:
        # The first scenes go to each worker with a share of the subjects, and only when they are
        # done the rest: a routine that never returns is found out once, not by every worker.
        share = -(-len(self.subjects) // self.jobs) or 1
        first = [self.subjects[i : i + share] for i in range(0, len(self.subjects), share)]
        self._work([_Task(0, tuple(part), tuple(chunk)) for chunk in chunks[:1] for part in first])
        everyone = tuple(self.subjects)
        self._work([_Task(key, everyone, tuple(chunk)) for key, chunk in enumerate(chunks) if key])
        return [self._total(subject, len(chunks)) for subject in self.subjects]

    def _total(self, subject: Subject, chunks: int) -> Result:
        """The sum of a subject's parts, up to the first it did not come back from.

        How many more were under way by then depends on the number of workers; the result must not.
        """
        total = Result(subject)
        for key in range(chunks):
            part = self.parts.get((subject, key))
            if part is None:
                break
            total += part
            if part.fault or part.crash:
                break
        return total

    def _work(self, tasks: list[_Task]) -> None:
        while tasks:
            tasks = self._run_pool(tasks)

    def _run_pool(self, tasks: list[_Task]) -> list[_Task]:
        """Work until all is done or a worker dies; the tasks that remain."""
        queue = list(tasks)
        under_way: dict[Future[list[Result]], _Task] = {}
        workers = min(self.jobs, len(tasks))
        with worker_pool(workers) as pool:
            try:
                while queue or under_way:
                    while queue and len(under_way) < workers + 1:
                        task = queue[0].without(self.given_up)
                        if task.subjects:
                            under_way[submit(pool, _run_task, self.case.path, task)] = task
                        del queue[0]
                    for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                        self._take(future.result(), under_way[future])
                        del under_way[future]
            except WorkerDied:
                self._run_apart(under_way.values())
                return queue
        return []

    def _take(self, results: Sequence[Result], task: _Task) -> None:
        for result in results:
            self.parts[result.subject, task.key] = result
            if result.fault or result.crash:
                self.given_up.add(result.subject)
            self.on_progress(result.scenes)

    def _run_apart(self, suspects: Iterable[_Task]) -> None:
        """Run each subject alone, to learn which of them takes its process down."""
        for task in suspects:
            # All of them: one that was given up meanwhile, on later scenes, is still owed these.
            for subject in task.subjects:
                alone = replace(task, subjects=(subject,))
                try:
                    self._take(run_apart(_run_task, self.case.path, alone), alone)
                except GuestError as error:
                    more = f" and {len(task.specs) - 1} more" if task.specs[1:] else ""
                    crash = f"{error} ({task.specs[0]}{more})"
                    self.parts[subject, task.key] = Result(subject, crash=crash)
                    self.given_up.add(subject)


@dataclass(frozen=True, slots=True)
class _Task:
    """Some subjects on some scenes with equal numbers of objects."""

    key: int
    subjects: tuple[Subject, ...]
    specs: tuple[SceneSpec, ...]

    def without(self, given_up: set[Subject]) -> _Task:
        return replace(self, subjects=tuple(s for s in self.subjects if s not in given_up))


@functools.cache
def comparison_for(case_path: Path, subject: Subject) -> Comparison:
    """A machine bound to a case, built once in each process and kept."""
    return Comparison(read_case(case_path), Machine(program_of(subject), CPUS[subject.cpu]))


def program_of(subject: Subject) -> Program:
    """A subject's program, with all types.

    Raises:
        ProgramError: it cannot be read, or its globals are not those that its types are of.
    """
    program = read_program(subject.program, architecture=CPUS[subject.cpu].architecture)
    if subject.types is None:
        return program
    return with_types(program, read_program(subject.types.program), subject.types.variables)


def _run_task(case_path: Path, task: _Task) -> list[Result]:
    case = read_case(case_path)
    scenes = _Scenes.make(case, task.specs)
    results = []
    for subject in task.subjects:
        comparison = comparison_for(case_path, subject)
        result = run_scenes(subject, comparison, scenes)
        if task.key == 0 and result.scenes:
            result = _measure(result, comparison, scenes)
        if task.key == 0 and result.fault and not result.scenes:
            result += _rescue(subject, comparison, case)
        results.append(result)
    return results


@dataclass(frozen=True, slots=True)
class _Scenes:
    """Scenes with equal numbers of objects, and what the reference says of them."""

    specs: tuple[SceneSpec, ...]
    scenes: tuple[Scene, ...]
    references: tuple[Any, ...]

    @classmethod
    def make(cls, case: Case, specs: Sequence[SceneSpec]) -> _Scenes:
        scenes = tuple(case.make_scene(spec.generator, spec.objects, spec.seed) for spec in specs)
        return cls(tuple(specs), scenes, tuple(case.expect(scene) for scene in scenes))


def run_scenes(subject: Subject, comparison: Comparison, scenes: _Scenes) -> Result:
    """Run one subject on scenes, up to the first that it does not come back from."""
    machine = comparison.machine
    before = comparison.before(scenes.scenes)
    expected, values = comparison.expected(before, scenes.references)
    batch = machine.run_batch(comparison.routine, before)
    done = batch.completed
    wrong = (batch.after != expected[:done]).any(axis=1)
    failures = [
        Failure(
            scenes.specs[index],
            comparison.divergence(expected[index], batch.after[index]),
            batch.violations.get(int(index), ()),
        )
        for index in sorted({*np.flatnonzero(wrong)[:_FAILURES_KEPT], *batch.violations})
    ]
    fault = ""
    if batch.fault is not None:
        spec = scenes.specs[done]
        fault = f"{batch.fault.reason}, at {batch.fault.location} ({spec})"
        failures.append(Failure(spec, fault=batch.fault.describe()))
    specs = scenes.specs
    per_scene = values // len(specs) + comparison.inputs_compared(specs[0].objects)
    return Result(
        subject,
        abi=machine.convention.name,
        scenes=done,
        comparisons=done * per_scene,
        bytes_compared=int(batch.after.size),
        diverged=int(wrong.sum()),
        violated=len(batch.violations),
        failures=tuple(failures[:_FAILURES_KEPT]),
        fault=fault,
    )


def _measure(result: Result, comparison: Comparison, scenes: _Scenes) -> Result:
    machine = comparison.machine
    trace, _ = machine.trace(comparison.routine, comparison.before(scenes.scenes[:1])[0])
    if not trace.completed:
        # It came back at full speed, where only the clock counts, and so is not known to be wrong.
        why = f"it did not come back within {trace.exceeded}, counted"
        return replace(result, crash=f"{why} ({scenes.specs[0]})")
    try:
        instructions = machine.instructions(trace)
    except MacproofError:
        return result  # a block that cannot be decoded is not counted; the verdict stands
    return replace(
        result,
        instructions=instructions,
        blocks=trace.blocks,
        measured=scenes.specs[0],
    )


def _rescue(subject: Subject, comparison: Comparison, case: Case) -> Result:
    """After a fault on the first scene: does the routine come back from any, however small?"""
    machine = comparison.machine
    budget, machine.budget = machine.budget, _RESCUE_BUDGET
    result = Result(subject)
    smallest = min((size for size in case.objects if size), default=0)
    for seed in range(_RESCUE_SCENES):
        generator = case.generators[seed % len(case.generators)]
        # Even seeds, on which memory begins as the loader leaves it.
        scenes = _Scenes.make(case, [SceneSpec(generator, smallest, 2 * seed)])
        one = run_scenes(subject, comparison, scenes)
        if not one.fault:
            result += one
    machine.budget = budget
    return result
