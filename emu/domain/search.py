"""The search: for each program the box of inputs for which it is correct and safe.

A box is evidence, not proof: it held on so many scenes. Chance depends on the seed alone, and each
program is searched apart, so the number of worker processes changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from emu.base.arguments import strings, whole_number
from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.programs import Selection
from emu.cases.scenes import scene_of
from emu.cases.subject import Subject
from emu.domain.dimensions import Box, Dimension, dimensions_of
from emu.domain.execute import NO_PLACE, REFUSED, Executor, Failed
from emu.domain.faces import Faces, Limit
from emu.domain.probes import Probes
from emu.domain.report import (
    FAILS,
    FOUND,
    NO_FARTHER,
    NOT_INSIDE,
    Counterexample,
    DimensionRange,
    DomainReport,
    Face,
    ProgramDomain,
    Tied,
)
from emu.domain.smallest import smallest
from emu.machine import Budget
from emu.machine.apart import GuestWorkers
from emu.toolchain.gcc import BuiltProgram
from emu.verify.finding import make_finding
from emu.verify.receipt import CaseFile
from emu.verify.scene_plan import plan_scenes
from emu.verify.scene_runs import bound_case_for
from emu.verify.schedule import case_as_known
from emu.verify.verdicts import SceneSpec

DEFAULT_SCENES, DEFAULT_EXECUTIONS = 512, 30_000
_KINDS_OF_SCENES = 64  # scenes of the case that show the usual ranges
_BUDGET = Budget(blocks=200_000, patience=0.1)


def domain(
    selection: Selection,
    folder: Path,
    *,
    scenes: int = DEFAULT_SCENES,
    executions: int = DEFAULT_EXECUTIONS,
    seed: int = DEFAULT_SEED,
    objects: Sequence[int] | None = None,
    jobs: int = 0,
    command: Sequence[str] = (),
    on_progress: Callable[[int], None] = lambda done: None,
) -> DomainReport:
    """Search for the inputs for which programs are correct and safe.

    Args:
        selection: the programs.
        folder: where the scenes just outside are written, a file for each.
        scenes: how many scenes a box has to hold on.
        executions: after how many scenes no new step of the search begins, for each program.
        seed: the seed of chance, and of the scenes that are changed.
        objects: numbers of objects in these; None is the case's own.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        command: a command line that does the same, one string for each word.
        on_progress: called with the number of programs that are done.

    Raises:
        UsageError: the scenes of the case have no numbers.
    """
    case, count = selection.case, whole_number(scenes, "scenes")
    most, words = whole_number(executions, "executions"), strings(command, "command")
    specs = tuple(dict.fromkeys(plan_scenes(case, _KINDS_OF_SCENES, seed, objects)))
    found: dict[int, ProgramDomain] = {}
    with GuestWorkers(jobs) as workers:
        calls = [
            (case.path, case.known, one, built, specs, seed, count, most, folder, words)
            for one, built in zip(selection.subjects, selection.executed, strict=True)
        ]
        for index, one in workers.each(search_program, calls):
            found[index] = one
            on_progress(len(found))
    programs = tuple(found[index] for index in range(len(calls)))
    return DomainReport(
        verdict=NOT_INSIDE if any(one.failure for one in programs) else FOUND,
        case=CaseFile(case.name, case.title, case.credit, str(case.path), case.sha256),
        reference_files=dict(case.python),
        seed=seed,
        scenes=count,
        executions=most,
        programs=programs,
        command=words,
    )


def search_program(
    case_path: Path,
    known: tuple[tuple[str, str], ...],
    subject: Subject,
    built: BuiltProgram,
    specs: Sequence[SceneSpec],
    seed: int,
    scenes: int,
    most: int,
    folder: Path,
    command: tuple[str, ...],
) -> ProgramDomain:
    """Search for the box of one program, in this process; see `domain`."""
    begins = time.process_time()
    case = case_as_known(case_path, known)
    dimensions = dimensions_of(case, [scene_of(case, *one.scene) for one in specs])
    if not dimensions:
        raise UsageError(f"the scenes of {case.name} have no numbers that a search could change")
    bound = bound_case_for(case_path, subject, known, checked=True)
    bound.machine.budget = _BUDGET
    executor, probes = Executor(case, bound), Probes(case, dimensions, specs, seed)
    search = Faces(case, dimensions, executor, probes, most)
    keeper = _Keeper(case, search, built, subject, folder, command)
    failed = search.fails_within(search.usual(), scenes)
    tied: list[Tied] = []
    if failed is not None and failed.kind == NO_PLACE:
        tied = search.leave_out_tied()
        failed = search.fails_within(search.usual(), scenes)
    if failed is not None and failed.kind == REFUSED:
        search.accepts_refused = True  # the ranges hang together; safety can still be searched
        failed = search.fails_within(search.usual(), scenes)
    failure, ranges = None, []
    if failed is not None:
        failure = keeper.keep(failed, "usual", search.usual(), None)
    else:
        alone = {
            (one.name, side): search.alone(one, side)
            for one in search.dimensions
            for side in (0, 1)
        }
        box = search.joint(alone, scenes)
        for one in search.dimensions:
            sides = [keeper.face(one, side, alone[one.name, side], box) for side in (0, 1)]
            ranges.append(DimensionRange(one.name, *sides))
    return ProgramDomain(
        subject.cpu,
        subject.build,
        built.sha256,
        failure,
        tuple(ranges),
        tuple(tied),
        search.held,
        search.held_refused,
        executor.undecided,
        executor.ran,
        round(time.process_time() - begins, 3),
    )


class _Keeper:
    """Tells what was found, and writes the scenes that fail."""

    def __init__(
        self,
        case: Case,
        search: Faces,
        built: BuiltProgram,
        subject: Subject,
        folder: Path,
        command: tuple[str, ...],
    ) -> None:
        self._case = case
        self._search = search
        self._built, self._subject = built, subject
        self._name = f"{subject.cpu}-{subject.build}"
        self._folder = folder
        self._command = command
        self._written = 0

    def face(self, one: Dimension, side: int, alone: Limit, box: Box) -> Face:
        """What is told of one direction of one number."""
        limit = self._search.limits[one.name, side]
        why, example = "the budget of scenes was used up", None
        if limit.ends == NO_FARTHER:
            why = one.ends[side]
        elif limit.ends == FAILS and limit.failed is not None:
            example = self.keep(limit.failed, f"{one.name}-{side}", box, limit.beyond)
            why = example.summary
        usual = (one.low, one.high)[side]
        return Face(usual, alone.value, limit.value, limit.ends, why, example)

    def keep(self, failed: Failed, what: str, box: Box, value: int | None) -> Counterexample:
        """A scene that fails, made small; it is written if there is one."""
        search = self._search
        failed = smallest(self._case, search.executor, search.dimensions, box, failed)
        objects = failed.scene.spec.objects if failed.made is None else failed.made.objects
        file = ""
        if failed.made is not None and failed.kind not in (NO_PLACE, REFUSED):
            found = make_finding(
                self._case,
                self._built,
                self._subject,
                failed.scene,
                kind=failed.kind,
                place=failed.place,
                summary=failed.summary,
                refused=failed.refused,
                objects=objects,
                executions=search.executor.ran,
                seconds=0.0,
                command=self._command,
            )
            self._written += 1
            file = f"{self._written:03}-{failed.kind.replace(' ', '-')}-{self._name}.json"
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / file, found.to_json().encode("utf-8", "backslashreplace"))
        return Counterexample(value, failed.kind, failed.summary, failed.refused, objects, file)
