"""The main job: run every program on every scene and compare with the reference."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.base.errors import CaseError, GuestError
from emu.base.workers import WorkerDied, Workers
from emu.cases.case import Case, read_case
from emu.cases.programs import BorrowedTypes, Subject
from emu.machine.apart import run_apart
from emu.verify.fills import Fill
from emu.verify.scene_runs import Scenes, comparison_for, measure, rescue, run_scenes
from emu.verify.verdicts import (
    INCONCLUSIVE,
    REFUTED,
    VERIFIED,
    Failure,
    Result,
    SceneSpec,
    verdict_of,
)

__all__ = [
    "INCONCLUSIVE",
    "REFUTED",
    "VERIFIED",
    "BorrowedTypes",
    "Failure",
    "Result",
    "SceneSpec",
    "Scenes",
    "Subject",
    "comparison_for",
    "plan_scenes",
    "run_scenes",
    "verdict_of",
    "verify",
]

_CHUNK = 50


def plan_scenes(
    case: Case, count: int, seed: int, objects: Sequence[int] | None = None
) -> list[SceneSpec]:
    """``count`` scenes, spread evenly over the case's generators and numbers of objects.

    ``objects`` are numbers for every generator in place of all that the case has.

    The scenes of each kind have the seeds from ``seed`` on. Each has one fill of memory, in turn,
    but the first of each kind, which is run with every fill.
    """
    sizes = sorted(objects if objects is not None else case.objects, reverse=True)
    kinds = [(generator, size) for size in sizes for generator in case.generators]
    kinds += case.also if objects is None else ()
    fills = list(Fill)
    specs = []
    for index in range(count):
        number, kind = divmod(index, len(kinds))
        for fill in [fills[number % len(fills)]] if number else fills:
            specs.append(SceneSpec(*kinds[kind], seed + number, fill))
    return specs


def verify(
    case: Case,
    subjects: Sequence[Subject],
    specs: Sequence[SceneSpec],
    *,
    jobs: int = 0,
    workers: Workers | None = None,
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
        workers: processes to use instead, and to leave running for the next case.
        on_progress: called with the number of calls just finished.

    Returns:
        One result for each subject, in order.
    """
    with contextlib.ExitStack() as stack:
        if workers is None:
            workers = stack.enter_context(Workers(jobs))
        return _Run(case, list(subjects), workers, on_progress).run(_chunks(specs))


def _chunks(specs: Sequence[SceneSpec]) -> list[list[SceneSpec]]:
    """Cut scenes into pieces with equal numbers of objects that fit a cache.

    The first scene makes a piece of its own. The calls on one scene, which follow one another,
    are in one piece.
    """
    scenes = [list(same) for _, same in itertools.groupby(specs, key=lambda spec: spec.scene)]
    pieces = scenes[:1]
    filling: dict[int, list[SceneSpec]] = {}
    for scene in scenes[1:]:
        piece = filling.get(scene[0].objects)
        if piece is None or len(piece) + len(scene) > _CHUNK:
            piece = filling[scene[0].objects] = []
            pieces.append(piece)
        piece += scene
    return pieces


@dataclass(slots=True)
class _Run:
    """The bookkeeping of one `verify`: what remains to be done, and what came of the rest."""

    case: Case
    subjects: list[Subject]
    workers: Workers
    on_progress: Callable[[int], None]
    given_up: set[Subject] = field(default_factory=set)
    parts: dict[tuple[Subject, int], Result] = field(default_factory=dict)

    def run(self, chunks: Sequence[list[SceneSpec]]) -> list[Result]:
        # The first scenes go to each worker with a share of the subjects, and only when they are
        # done the rest: a routine that never returns is found out once, not by every worker.
        share = -(-len(self.subjects) // self.workers.processes) or 1
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
        try:
            while queue or under_way:
                while queue and len(under_way) < self.workers.processes + 1:
                    task = queue[0].without(self.given_up)
                    if task.subjects:
                        under_way[self._submit(task)] = task
                    del queue[0]
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    self._take(future.result(), under_way[future])
                    del under_way[future]
        except WorkerDied:
            self._run_apart(under_way.values())
            return queue
        return []

    def _submit(self, task: _Task) -> Future[list[Result]]:
        return self.workers.submit(_run_task, self.case.path, self.case.read_from, task)

    def _take(self, results: Sequence[Result], task: _Task) -> None:
        for result in results:
            self.parts[result.subject, task.key] = result
            if result.fault or result.crash:
                self.given_up.add(result.subject)
            self.on_progress(sum(result.calls))

    def _run_apart(self, suspects: Iterable[_Task]) -> None:
        """Run each subject alone, to learn which of them takes its process down."""
        for task in suspects:
            # All of them: one that was given up meanwhile, on later scenes, is still owed these.
            for subject in task.subjects:
                alone = replace(task, subjects=(subject,))
                try:
                    self._take(
                        run_apart(_run_task, self.case.path, self.case.read_from, alone), alone
                    )
                except GuestError as error:
                    others = len({spec.scene for spec in task.specs}) - 1
                    more = f" and {others} more" if others else ""
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


@functools.lru_cache(maxsize=4)
def _case_of(path: Path, known: tuple[tuple[str, str], ...]) -> Case:
    """A case whose files were the same before: to check one takes as long as a hundred calls."""
    case = read_case(path)
    _require_same(case, dict(known))
    return case


def _run_task(case_path: Path, known: Mapping[str, str], task: _Task) -> list[Result]:
    case = _case_of(case_path, tuple(sorted(known.items())))
    scenes = Scenes.make(case, task.specs)
    results = []
    for subject in task.subjects:
        comparison = comparison_for(case_path, subject)
        _require_same(comparison.case, known)
        result = run_scenes(subject, comparison, scenes)
        if task.key == 0 and result.scenes:
            result = measure(result, comparison, scenes)
        if task.key == 0 and result.fault and not result.scenes:
            result += rescue(subject, comparison, case)
        results.append(result)
    return results


def _require_same(case: Case, known: Mapping[str, str]) -> None:
    """Make sure that a process has read the same case and reference as the one that reports.

    Raises:
        CaseError: a file was changed in between.
    """
    read = case.read_from
    for name in sorted(known.keys() | read.keys()):
        if read.get(name) != known.get(name):
            raise CaseError(case.path, f"{name} was changed during the run", remedy="Run it again")
