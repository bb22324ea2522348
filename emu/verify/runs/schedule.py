"""Schedules a verification: runs every program on every scene in worker processes.

Programs and `SceneSpec` values go in; one `Result` for each program comes out. A task is a chunk of
scenes and some programs; its worker makes the scenes once, and runs all these programs on them.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from emu.base.errors import GuestError, MacproofError
from emu.base.processes.workers import Workers
from emu.cases.case import Case, KnownCase
from emu.cases.files.python_files import changed_since, files_read
from emu.cases.known_case import case_as_known, changed_during_run
from emu.cases.programs.subject import Subject
from emu.checks.levels import CheckLevel
from emu.checks.memory import Mistake
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.verify.batches.benches import keeps_machines
from emu.verify.runs.odd_addresses import how_many_watched
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.sample import EVERY_SCENE, NO_SCENE, Sample
from emu.verify.scenes.scene_plan import chunks
from emu.verify.scenes.scene_spec import SceneSpec

FEWEST_INSTRUCTIONS = 100_000_000
"""A program is translated if its calls were to execute so many instructions, all as many as the
first one. To translate it costs 0.06 to 0.17 s, once. That is what it saves if it executes some 25
million; the first scene is one of the largest, and others have a quarter as much to do."""


def verify(
    case: Case,
    subjects: Sequence[Subject],
    specs: Sequence[SceneSpec],
    *,
    jobs: int = 0,
    workers: Workers | None = None,
    covers: bool = False,
    checks: CheckLevel = CheckLevel.USUAL,
    on_progress: Callable[[int], None] = lambda scenes: None,
) -> list[Result]:
    """Run every program on every scene.

    Guest code runs in worker processes, because it may crash the engine and its process. A program
    that crashes or faults is stopped, and the others go on.

    Args:
        case: the case.
        subjects: the programs.
        specs: the calls: scenes with fills.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        workers: worker processes to use in place of new ones. They are left running.
        covers: whether results tell which code was executed, as far as the engine can tell.
        checks: how much of memory is checked.
        on_progress: called with the number of calls that have just finished.

    Returns:
        One result for each program, in order.

    Raises:
        CaseError: a file of the case or its reference was changed during the run; or a scene or
            the reference is not the same each time.
    """
    run = Run(case, list(subjects), list(specs), covers, checks, on_progress)
    verify_run(run, jobs, workers)
    return run.results()


def verify_run(run: Run, jobs: int = 0, workers: Workers | None = None) -> None:
    """Do all the work of a run; the arguments and errors are those of `verify`."""
    with contextlib.ExitStack() as stack:
        if workers is None:
            workers = stack.enter_context(GuestWorkers(jobs))
        if not run.once(workers):
            for _ in verify_each([run], workers):
                pass


def verify_each(runs: Iterable[Run], workers: Workers) -> Iterator[Run]:
    """Do the work of several runs one after the other; yield each as soon as it is done.

    The next run is taken from ``runs``, and begins, while the workers are busy with the last tasks
    of the one before. If ``runs`` raises an error, it is raised here after the runs before are
    done.

    Args:
        runs: the runs.
        workers: worker processes. They are left running.

    Yields:
        Each run, when its `Run.results` are there.

    Raises:
        CaseError: as of `verify`.
        MacproofError: what ``runs`` raises.
    """
    owners: list[Run] = []
    begun: deque[Run] = deque()
    errors: list[MacproofError] = []

    def calls() -> Iterator[_Arguments | None]:
        try:
            for run in runs:
                begun.append(run)
                for call in run.calls(workers.processes):
                    if call is not None:
                        owners.append(run)
                    yield call
        except MacproofError as error:
            errors.append(error)

    for index, done in workers.each(_run_task, calls(), alone=_run_each_apart):
        owners[index].keep(*done)
        while begun and begun[0].is_done:
            yield begun.popleft()
    yield from begun  # the last has no calls, if there are no scenes or programs
    for error in errors:
        raise error


@dataclass(slots=True)
class Run:
    """A verification: programs and scenes, the finished parts, and the programs that were stopped.

    Attributes:
        case: the case.
        subjects: the programs.
        specs: the scenes.
        covers, checks, on_progress: as for `verify`.
        may_translate: whether translated code makes calls of programs on Unicorn, where that pays;
            see `FEWEST_INSTRUCTIONS`.
        is_done: whether all calls have ended.
        began: when this was made, by `time.monotonic`.
    """

    case: Case
    subjects: list[Subject]
    specs: Sequence[SceneSpec]
    covers: bool = False
    checks: CheckLevel = CheckLevel.USUAL
    on_progress: Callable[[int], None] = lambda scenes: None
    may_translate: bool = False
    is_done: bool = False
    began: float = field(default_factory=time.monotonic)
    _given_up: set[Subject] = field(default_factory=set)
    _parts: dict[tuple[Subject, int], Result] = field(default_factory=dict)
    _known: dict[Subject, frozenset[Mistake]] = field(default_factory=dict)
    _under_way: int = 0
    _all_begun: bool = False
    _sample: Sample = EVERY_SCENE
    _watched: Sample = NO_SCENE

    def __post_init__(self) -> None:
        self._known = dict.fromkeys(self.subjects, frozenset())
        names = {spec.scene for spec in self.specs}
        self._watched = Sample.exactly(names, how_many_watched(len(names)))
        if self.case.bulk_reference:
            self._sample = Sample.of(spec.scene for spec in self.specs)

    def once(self, workers: Workers) -> bool:
        """Do all the work in one process that is forked from this one, if it is a single task.

        Returns:
            Whether it was done. It is not if there is more than one task, or if this process has a
            machine, which a fork would copy.
        """
        if workers.processes > 1 and len(self.subjects) > 1:
            return False
        pieces = chunks(self.specs)
        if len(pieces) != 1 or not self.subjects or keeps_machines():
            return False
        arguments = self._arguments(self._task(0, self.subjects, pieces[0]))
        self._under_way, self._all_begun = 1, True
        self.keep(*workers.once(_run_task, *arguments, alone=_run_each_apart))
        return True

    def calls(self, processes: int) -> Iterator[_Arguments | None]:
        """The arguments of each task for a worker; None to wait for results of earlier tasks."""
        pieces = chunks(self.specs)
        # First, each worker gets the first scene with a share of the programs. All else waits for
        # that, so that a routine that never returns costs one worker its time, and not all of them.
        share = -(-len(self.subjects) // processes) or 1
        shares = [self.subjects[i : i + share] for i in range(0, len(self.subjects), share)]
        for part, chunk in itertools.product(shares, pieces[:1]):
            yield self._begin(self._task(0, part, chunk))
        while self._under_way:
            yield None
        for key, chunk in enumerate(pieces[1:], 1):
            left = [subject for subject in self.subjects if subject not in self._given_up]
            if left:
                yield self._begin(self._task(key, left, chunk))
        self._all_begun = True
        self.is_done = not self._under_way

    def keep(self, task: _Task, results: Sequence[Result]) -> None:
        """Keep the results of a task that a worker has finished."""
        for result in results:
            self._parts[result.subject, task.key] = result
            self._known[result.subject] = self._known[result.subject] | result.mistakes
            if result.fault or result.crash:
                self._given_up.add(result.subject)
            self.on_progress(sum(result.calls))
        self._under_way -= 1
        self.is_done = self._all_begun and not self._under_way

    def results(self) -> list[Result]:
        """The result of each program.

        Raises:
            CaseError: a file that the case's Python has read was changed during the run.
        """
        count = len(chunks(self.specs))
        results = [self._total(subject, count) for subject in self.subjects]
        read = sorted({file for result in results for file in result.read})
        for name in changed_since(self.case.path.parent, read):
            raise changed_during_run(self.case, name)
        return results

    def _task(self, key: int, subjects: Sequence[Subject], chunk: Sequence[SceneSpec]) -> _Task:
        return _Task(
            key,
            tuple(subjects),
            tuple(chunk),
            self.covers,
            self.checks,
            self.began,
            self._sample,
            self._watched,
            tuple(filter(self._pays, subjects)) if key else (),
            {subject: self._known[subject] for subject in subjects},
        )

    def _pays(self, subject: Subject) -> bool:
        """Whether a program executes enough to be translated, as far as its first call tells."""
        first = self._parts.get((subject, 0)) if self.may_translate else None
        if first is None or first.instructions is None:
            return False
        return first.instructions.count * len(self.specs) >= FEWEST_INSTRUCTIONS

    def _arguments(self, task: _Task) -> _Arguments:
        return self.case.known_case, task

    def _begin(self, task: _Task) -> _Arguments:
        self._under_way += 1
        return self._arguments(task)

    def _total(self, subject: Subject, chunks: int) -> Result:
        """The sum of a program's results, up to the first chunk with a call that did not return.

        Workers may have finished later chunks by then. Their results are left out, so that the sum
        does not depend on the number of workers.
        """
        total = Result(subject)
        for key in range(chunks):
            part = self._parts.get((subject, key))
            if part is None:
                break
            total += part
            if part.fault or part.crash:
                break
        return total


@dataclass(frozen=True, slots=True)
class _Task:
    """A chunk of scenes, and the programs to run on it.

    ``key`` is the index of the chunk. ``covers`` and ``checks`` are as for `verify`. ``run``
    stands for the run, and ``sample`` has the scenes about which the reference is asked beside the
    bulk reference, ``watched`` those in which odd addresses are looked for, ``translated`` the
    programs whose calls translated code makes, and ``known`` the mistakes that each program has
    made on scenes before these.
    """

    key: int
    subjects: tuple[Subject, ...]
    specs: tuple[SceneSpec, ...]
    covers: bool = False
    checks: CheckLevel = CheckLevel.USUAL
    run: float = 0.0
    sample: Sample = EVERY_SCENE
    watched: Sample = NO_SCENE
    translated: tuple[Subject, ...] = ()
    known: Mapping[Subject, frozenset[Mistake]] = field(default_factory=dict)


_Arguments: TypeAlias = tuple[KnownCase, _Task]
"""The arguments of one call of `_run_task` in a worker."""


def _run_each_apart(known_case: KnownCase, task: _Task) -> tuple[_Task, list[Result]]:
    """Run each program of a task in a process of its own, to find the one that crashes it.

    A program that was stopped meanwhile, on a later scene, is run too: its sum needs this chunk.
    """
    results = []
    for subject in task.subjects:
        try:
            alone = replace(task, subjects=(subject,))
            results += run_apart(_run_task, known_case, alone)[1]
        except GuestError as error:
            others = len({spec.scene for spec in task.specs}) - 1
            more = f" and {others} more" if others else ""
            results.append(Result(subject, crash=f"{error} ({task.specs[0]}{more})"))
    return task, results


def _run_task(known_case: KnownCase, task: _Task) -> tuple[_Task, list[Result]]:
    case = case_as_known(known_case)
    if changed_since(case.path.parent, files_read(case.path.parent, case.python).items()):
        case_as_known.cache_clear()  # its modules may keep what they have read in an earlier run
        case = case_as_known(known_case)
    is_first = task.key == 0
    scenes = Scenes.make(case, task.specs, sample=task.sample, is_first=is_first)
    results = run_programs(
        case,
        task.subjects,
        scenes,
        is_first=is_first,
        watched=task.watched,
        covers=task.covers,
        checks=task.checks,
        translated=task.translated,
        known=task.known,
        run=task.run,
    )
    return task, results
