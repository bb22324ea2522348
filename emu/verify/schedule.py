"""The main job: run every program on every scene and compare with the reference."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.base.errors import CaseError, GuestError
from emu.base.workers import Workers
from emu.cases.case import Case, read_case
from emu.cases.programs import BorrowedTypes, Subject
from emu.machine.apart import GuestWorkers, run_apart
from emu.verify.fills import Fill
from emu.verify.prepared_scenes import Scenes
from emu.verify.scene_runs import bound_case_for, measure, rescue, run_scenes
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
    "bound_case_for",
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
            workers = stack.enter_context(GuestWorkers(jobs))
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

    def _work(self, tasks: Iterable[_Task]) -> None:
        calls = self._remaining(tasks)
        for _, (task, results) in self.workers.each(_run_task, calls, alone=_run_each_apart):
            for result in results:
                self.parts[result.subject, task.key] = result
                if result.fault or result.crash:
                    self.given_up.add(result.subject)
                self.on_progress(sum(result.calls))

    def _remaining(self, tasks: Iterable[_Task]) -> Iterator[tuple[Path, Mapping[str, str], _Task]]:
        """What is left of tasks when it is their turn."""
        for whole in tasks:
            task = whole.without(self.given_up)
            if task.subjects:
                yield self.case.path, self.case.read_from, task


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


def _run_each_apart(
    case_path: Path, known: Mapping[str, str], task: _Task
) -> tuple[_Task, list[Result]]:
    """Run each subject alone, to learn which of them takes its process down.

    All of them: one that was given up meanwhile, on later scenes, is still owed these.
    """
    results = []
    for subject in task.subjects:
        try:
            alone = replace(task, subjects=(subject,))
            results += run_apart(_run_task, case_path, known, alone)[1]
        except GuestError as error:
            others = len({spec.scene for spec in task.specs}) - 1
            more = f" and {others} more" if others else ""
            results.append(Result(subject, crash=f"{error} ({task.specs[0]}{more})"))
    return task, results


def _run_task(case_path: Path, known: Mapping[str, str], task: _Task) -> tuple[_Task, list[Result]]:
    case = _case_of(case_path, tuple(sorted(known.items())))
    scenes = Scenes.make(case, task.specs)
    results = []
    for subject in task.subjects:
        bound = bound_case_for(case_path, subject)
        _require_same(bound.case, known)
        result = run_scenes(subject, bound, scenes)
        if task.key == 0 and result.scenes:
            result = measure(result, bound, scenes)
        if task.key == 0 and result.fault and not result.scenes:
            result += rescue(subject, bound, case)
        results.append(result)
    return task, results


def _require_same(case: Case, known: Mapping[str, str]) -> None:
    """Make sure that a process has read the same case and reference as the one that reports.

    Raises:
        CaseError: a file was changed in between.
    """
    read = case.read_from
    for name in sorted(known.keys() | read.keys()):
        if read.get(name) != known.get(name):
            raise CaseError(case.path, f"{name} was changed during the run", remedy="Run it again")
