"""The search: for each program the box of inputs for which it is correct and safe.

A box is evidence, not proof: it held on so many scenes. Chance depends on the seed alone, and each
program is searched apart, so the number of worker processes changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.base.arguments import strings, whole_number
from emu.base.errors import UsageError
from emu.cases.case import DEFAULT_SEED, Case, KnownCase
from emu.cases.known_case import case_as_known
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.cases.scenes import scene_of
from emu.machine.guest_process import GuestWorkers
from emu.search.basis import SearchBasis, UnwatchedMemory
from emu.search.budget import BlockBudget
from emu.search.domain.dependent_numbers import tied_numbers
from emu.search.domain.dimensions import Box, Dimension, dimensions_of
from emu.search.domain.execute import Executor, SceneFailure
from emu.search.domain.faces import Faces, Limit, Limits, is_usual
from emu.search.domain.probes import Probes
from emu.search.domain.report import (
    BUDGET,
    FAILS,
    NO_FARTHER,
    NO_PLACE,
    REFUSED,
    VERDICTS,
    Counterexample,
    DimensionRange,
    DomainReport,
    Face,
    ProgramDomain,
    SafeFace,
)
from emu.search.domain.smallest import smallest
from emu.search.findings import write_finding
from emu.toolchain.programs.gcc import BuiltProgram
from emu.verify.batches.benches import bench_for
from emu.verify.explain.finding import make_finding
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

DEFAULT_SCENES, DEFAULT_EXECUTIONS = 512, 30_000
_KINDS_OF_SCENES = 64  # scenes of the case that show the usual ranges


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
        executions: how many scenes a search may run, for each program.
        seed: the seed of chance, and of the scenes that are changed.
        objects: numbers of objects in these; None is the case's own.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        command: a command line that does the same, one string for each word.
        on_progress: called with the number of programs that are done.

    Raises:
        UsageError: the scenes of the case have no numbers.
    """
    case, count = selection.case, whole_number(scenes, "scenes", 1)
    most, words = whole_number(executions, "executions"), strings(command, "command")
    specs = tuple(dict.fromkeys(plan_scenes(case, _KINDS_OF_SCENES, seed, objects)))
    programs_done: dict[int, ProgramDomain] = {}
    with GuestWorkers(jobs) as workers:
        calls = [
            (case.known_case, subject, built, specs, seed, count, most, folder, words)
            for subject, built in zip(selection.subjects, selection.executed, strict=True)
        ]
        for index, program in workers.each(search_program, calls):
            programs_done[index] = program
            on_progress(len(programs_done))
    programs = tuple(programs_done[index] for index in range(len(calls)))
    return DomainReport(
        verdict=min((program.verdict for program in programs), key=VERDICTS.index),
        basis=SearchBasis.of(case, seed),
        scenes=count,
        executions=most,
        programs=programs,
        command=words,
        unwatched=UnwatchedMemory.of(case),
    )


def search_program(
    known_case: KnownCase,
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
    case = case_as_known(known_case)
    dimensions = dimensions_of(case, [scene_of(case, spec) for spec in specs])
    if not dimensions:
        raise UsageError(f"the scenes of {case.name} have no numbers that a search could change")
    bench = bench_for(case, subject, checked=True)
    executor = Executor(case, bench, BlockBudget.of(case, bench, specs))
    probes = Probes(case, dimensions, specs, seed)
    tied = tied_numbers(dimensions, executor, probes)
    dependent = {number.name for number in tied}
    free = [dimension for dimension in dimensions if dimension.name not in dependent]
    outcome = _search(Faces(case, free, executor, probes, most, scenes))
    keeper = _Keeper(case, dimensions, executor, built, subject, folder, command)
    failed = outcome.failed
    failure = None if failed is None else keeper.keep(failed, outcome.box, None)
    ranges = [
        DimensionRange(one.name, *(keeper.face(one, side, outcome) for side in (0, 1)))
        for one in (free if failed is None else ())
    ]
    return ProgramDomain(
        cpu=subject.cpu,
        build=subject.build,
        sha256=built.sha256,
        failure=failure,
        dimensions=tuple(ranges),
        tied=tuple(tied),
        held=outcome.search.held,
        held_refused=outcome.search.held_refused,
        safe_held=outcome.safe.search.held if outcome.safe else 0,
        undecided=executor.undecided,
        executions=executor.ran,
        seconds=round(time.process_time() - begins, 3),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """What a search has found.

    Attributes:
        search: the search.
        box: the box; where it began if that fails.
        alone: how far each face goes while other numbers stay where they began.
        failed: a scene within the usual ranges that fails, so that there is no box; None if none
            was found.
        safe: what a search has found that went on where nobody says what is right; None if no face
            ends there.
    """

    search: Faces
    box: Box
    alone: Limits = field(default_factory=dict)
    failed: SceneFailure | None = None
    safe: _Found | None = None


def _search(search: Faces) -> _Found:
    """Search for a box in which scenes are right, and for one in which they are safe."""
    failed = search.start_fails()
    if failed is not None and failed.symptom.kind == REFUSED:
        search = replace(search, accepts_refused=True)  # so there is only the box that is safe
        failed = search.start_fails()
    if failed is not None:
        return _Found(search, search.start(), failed=failed)
    outcome = _grown(search, {})
    search = outcome.search
    if outcome.failed is not None or not any(limit.is_refused for limit in search.limits.values()):
        return outcome
    going_on = replace(search, accepts_refused=True)  # from where all usual scenes are right
    kept = {key: limit for key, limit in search.limits.items() if not limit.is_refused}
    safe = _grown(going_on, kept)
    return replace(outcome, failed=safe.failed, safe=safe)


def _grown(search: Faces, limits: Limits) -> _Found:
    """Grow a box to the usual ranges as a whole, and only what then holds beyond them.

    So no number goes beyond its usual range at the cost of another one's.

    Args:
        search: begins in a box that holds.
        limits: the limits of faces that are known already; none of these goes farther.
    """
    sides = [(dimension, side) for dimension in search.dimensions for side in (0, 1)]
    usual = {
        (dimension.name, side): _nearer(
            limits.get((dimension.name, side)), side, _usual(dimension, side)
        )
        for dimension, side in sides
    }
    box, failed = search.box(usual)
    alone = {
        (dimension.name, side): limits.get((dimension.name, side)) or search.alone(dimension, side)
        for dimension, side in sides
    }
    for (name, side), limit in alone.items():
        is_inside = limit.value < box[name][1] if side else limit.value > box[name][0]
        if failed is None and limit.failed is not None and is_inside:
            box, failed = search.mended(box, limit.failed)
    while failed is None:
        outer = search.outwards(box)
        ends = {
            (name, side): _farther(alone[name, side], side, box[name][side])
            if limit.ends == NO_FARTHER
            else limit
            for (name, side), limit in search.limits.items()
        }
        larger, failed = outer.box(ends)
        if failed is None:
            return _Found(outer, larger, alone)
        box, failed = search.mended(box, failed)
    return _Found(search, box, alone, failed)


def _nearer(limit: Limit | None, side: int, usual: int) -> Limit:
    """The end of a usual range, or a limit that is known to lie within it."""
    is_inside = limit is not None and (limit.value < usual if side else limit.value > usual)
    return limit if limit is not None and is_inside else Limit(usual, NO_FARTHER)


def _farther(alone: Limit, side: int, held: int) -> Limit:
    """How far a face may go at most; the search for that can end before a value that has held."""
    is_nearer = alone.value < held if side else alone.value > held
    return Limit(held, BUDGET) if is_nearer else alone


def _usual(dimension: Dimension, side: int) -> int:
    """The end of a number's usual range, or where the search begins if that is farther out."""
    return (
        max(dimension.high, dimension.start[1]) if side else min(dimension.low, dimension.start[0])
    )


@dataclass(slots=True)
class _Keeper:
    """Tells what was found, and writes the scenes that fail."""

    case: Case
    dimensions: Sequence[Dimension]
    executor: Executor
    built: BuiltProgram
    subject: Subject
    folder: Path
    command: tuple[str, ...]
    written: int = 0

    def face(self, dimension: Dimension, side: int, outcome: _Found) -> Face:
        """What is told of one direction of one number."""
        limit, safe = outcome.search.limits[dimension.name, side], None
        if outcome.safe is not None:
            is_other = outcome.safe.search.limits[dimension.name, side].value != limit.value
            safe = (
                self._end(dimension, side, outcome.safe) if limit.is_refused or is_other else None
            )
        end = self._end(dimension, side, outcome)
        return Face(
            usual=(dimension.low, dimension.high)[side],
            start=dimension.start[side],
            alone=outcome.alone[dimension.name, side].value,
            joint=end.value,
            ends=end.ends,
            why=end.why,
            counterexample=end.counterexample,
            safe=safe,
        )

    def _end(self, dimension: Dimension, side: int, outcome: _Found) -> SafeFace:
        """Where a face of a box ends, and why."""
        limit = outcome.search.limits[dimension.name, side]
        why, example = "the budget of scenes was used up", None
        if limit.ends == NO_FARTHER:
            why = dimension.ends[side]
        elif limit.ends == FAILS and limit.failed is not None:
            example = self.keep(limit.failed, outcome.box, limit.beyond)
            why = example.symptom.summary
        return SafeFace(limit.value, limit.ends, why, example)

    def keep(self, failed: SceneFailure, box: Box, value: int | None) -> Counterexample:
        """A scene that fails, made small; it is written if there is one."""
        dimensions = [dimension for dimension in self.dimensions if dimension.name in box]
        is_inside = is_usual(failed, dimensions)
        if is_inside:  # so is what is made of it
            usual = {dimension.name: (dimension.low, dimension.high) for dimension in dimensions}
            box = {
                name: (max(low, usual[name][0]), min(high, usual[name][1]))
                for name, (low, high) in box.items()
            }
        failed = smallest(self.case, self.executor, dimensions, box, failed)
        objects = failed.scene.spec.objects if failed.made is None else failed.made.objects
        file = ""
        symptom = failed.symptom
        if failed.made is not None and symptom.kind not in (NO_PLACE, REFUSED):
            finding = make_finding(
                self.case,
                self.built,
                self.subject,
                failed.scene,
                symptom,
                objects=objects,
                executions=self.executor.ran,
                seconds=0.0,
                command=self.command,
            )
            self.written += 1
            file = write_finding(self.folder, self.written, finding, below=self.folder)
        return Counterexample(value, is_inside, symptom, objects, file)
