"""The main job: run every program on every scene and compare with the reference."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from emu.case import Case, read_case
from emu.compare import Comparison, Divergence
from emu.machine import CPUS, Machine
from emu.program import read_elf

VERIFIED, REFUTED, INCONCLUSIVE = "verified", "refuted", "inconclusive"
_CHUNK = 50
_FAILURES_KEPT = 10


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """What a scene is made from again."""

    generator: str
    objects: int
    seed: int

    def __str__(self) -> str:
        return f"{self.generator}, {self.objects} objects, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Subject:
    """One program on one processor."""

    cpu: str
    build: str
    program: Path


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
        fault: why the subject was given up, or "".
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
    instructions: int = 0
    blocks: int = 0
    measured: SceneSpec | None = None

    @property
    def verdict(self) -> str:
        """Verified needs comparisons and no failure; a fault alone decides nothing."""
        if self.diverged or self.violated:
            return REFUTED
        if self.fault or not self.comparisons:
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
    """``count`` scenes, spread evenly over the case's generators and numbers of objects."""
    sizes = sorted(objects if objects is not None else case.objects, reverse=True)
    kinds = [(generator, size) for size in sizes for generator in case.generators]
    return [
        SceneSpec(*kinds[index % len(kinds)], seed + index // len(kinds)) for index in range(count)
    ]


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
    run = _Run(case, list(subjects), list(_chunks(specs)), jobs or default_jobs(), on_progress)
    return run.results()


def _chunks(specs: Sequence[SceneSpec]) -> Iterator[list[SceneSpec]]:
    """Scenes with equal numbers of objects together, in pieces that fit a cache."""
    by_size: dict[int, list[SceneSpec]] = {}
    for spec in specs:
        by_size.setdefault(spec.objects, []).append(spec)
    for same in by_size.values():
        for start in range(0, len(same), _CHUNK):
            yield same[start : start + _CHUNK]


@dataclass(slots=True)
class _Run:
    """The bookkeeping of one `verify`: which chunks are done for which subjects."""

    case: Case
    subjects: list[Subject]
    chunks: list[list[SceneSpec]]
    jobs: int
    on_progress: Callable[[int], None]
    given_up: dict[Subject, str] = field(default_factory=dict)
    parts: dict[tuple[Subject, int], Result] = field(default_factory=dict)

    def results(self) -> list[Result]:
        waiting = list(range(len(self.chunks)))
        while waiting and self._live():
            waiting = self._run_pool(waiting)
        merged = []
        for subject in self.subjects:
            result = Result(subject)
            for index in range(len(self.chunks)):
                result += self.parts.get((subject, index), Result(subject))
            if subject in self.given_up and not result.fault:
                result = replace(result, fault=self.given_up[subject])
            merged.append(result)
        return merged

    def _live(self) -> list[Subject]:
        return [subject for subject in self.subjects if subject not in self.given_up]

    def _run_pool(self, waiting: list[int]) -> list[int]:
        """Work until all is done or a worker dies; the chunks that remain."""
        queue = list(waiting)
        under_way: dict[Future[list[Result]], int] = {}
        workers = min(self.jobs, len(waiting))
        with _pool(workers) as pool:
            try:
                while queue or under_way:
                    while queue and len(under_way) < workers + 1 and self._live():
                        index = queue.pop(0)
                        under_way[self._submit(pool, index, self._live())] = index
                    if not under_way:
                        return []
                    for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                        self._take(future.result(), under_way[future])
                        del under_way[future]
            except BrokenProcessPool:
                suspects = sorted(under_way.values())
                self._find_culprits(suspects)
                return [*suspects, *queue]
        return []

    def _submit(
        self, pool: ProcessPoolExecutor, index: int, subjects: Sequence[Subject]
    ) -> Future[list[Result]]:
        return pool.submit(_run_chunk, self.case.path, subjects, self.chunks[index], index == 0)

    def _take(self, results: Sequence[Result], index: int) -> None:
        for result in results:
            self.parts[result.subject, index] = result
            if result.fault:
                self.given_up.setdefault(result.subject, result.fault)
            self.on_progress(result.scenes)

    def _find_culprits(self, suspects: Sequence[int]) -> None:
        """Run each subject alone, to learn which of them takes its process down."""
        for subject in self._live():
            for index in suspects:
                with _pool(1) as pool:
                    try:
                        self._submit(pool, index, [subject]).result()
                    except BrokenProcessPool:
                        self.given_up[subject] = (
                            "the guest code made the engine end its process "
                            f"(scenes with {self.chunks[index][0].objects} objects)"
                        )
                        break


def _pool(workers: int) -> ProcessPoolExecutor:
    # Never fork: an engine of this process would not survive it.
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


@functools.cache
def comparison_for(case_path: Path, cpu: str, program: Path) -> Comparison:
    """A machine bound to a case, built once in each process and kept."""
    return Comparison(read_case(case_path), Machine(read_elf(program), CPUS[cpu]))


def _run_chunk(
    case_path: Path, subjects: Sequence[Subject], specs: Sequence[SceneSpec], measure: bool
) -> list[Result]:
    case = read_case(case_path)
    scenes = [case.make_scene(spec.generator, spec.objects, spec.seed) for spec in specs]
    references = [case.expect(scene) for scene in scenes]
    results = []
    for subject in subjects:
        comparison = comparison_for(case_path, subject.cpu, subject.program)
        machine = comparison.machine
        before = comparison.before(scenes)
        expected, values = comparison.expected(before, references)
        result = Result(subject, abi=machine.convention.name)
        if measure:
            trace, _ = machine.trace(comparison.routine, before[0])
            if trace.completed:
                result = replace(
                    result,
                    instructions=machine.instructions(trace),
                    blocks=trace.blocks,
                    measured=specs[0],
                )
        batch = machine.run_batch(comparison.routine, before)
        done = batch.completed
        wrong = (batch.after != expected[:done]).any(axis=1)
        failures = []
        for index in sorted({*np.flatnonzero(wrong)[:_FAILURES_KEPT], *batch.violations}):
            failures.append(
                Failure(
                    specs[index],
                    comparison.divergence(expected[index], batch.after[index]),
                    batch.violations.get(int(index), ()),
                )
            )
        fault = ""
        if batch.fault is not None:
            fault = f"{batch.fault.reason} at {batch.fault.location} ({specs[done]})"
            failures.append(Failure(specs[done], fault=batch.fault.describe()))
        per_scene = values // len(specs) + comparison.inputs_compared(specs[0].objects)
        results.append(
            replace(
                result,
                scenes=done,
                comparisons=done * per_scene,
                bytes_compared=int(batch.after.size),
                diverged=int(wrong.sum()),
                violated=len(batch.violations),
                failures=tuple(failures[:_FAILURES_KEPT]),
                fault=fault,
            )
        )
    return results
