"""Tells the cycles of programs beside those of the program that says what is right.

Both make the same calls, and the same model prices them, so that a porter knows whether a routine
got slower. Where no model prices both, as of 68K code beside PowerPC code, each has its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from emu.base.errors import GuestError, MacproofError, UsageError
from emu.base.processes.workers import Workers
from emu.cases.case import Case, KnownCase
from emu.cases.keys.parts import Scene
from emu.cases.keys.references import OtherProgram
from emu.cases.known_case import case_as_known
from emu.cases.programs.subject import UNICORN, Subject
from emu.cycles.base.counting import Counts
from emu.cycles.base.model import CycleModel
from emu.cycles.comparison import FunctionCycles, NamedCycles, ProgramCycles
from emu.cycles.models import model_for
from emu.cycles.pricing import Pricing, price
from emu.cycles.profile import FunctionCost, make_profile
from emu.machine import GuestFault
from emu.machine.guest_process import run_apart
from emu.program import Symbol
from emu.program.functions.find_functions import known_functions
from emu.verify.answers.oracle import oracle_of
from emu.verify.batches.bench import Bench
from emu.verify.images.scene_images import ExpectedImages
from emu.verify.places.bound_case import BoundCase
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_spec import SceneSpec

MOST_SCENES = 30
"""On so many scenes cycles are counted, spread evenly over those of a verification."""


def require_other_program(case: Case) -> None:
    """Refuse a case whose reference has no cycles.

    Raises:
        UsageError: no other program says what is right.
    """
    if not isinstance(case.routine, OtherProgram):
        raise UsageError(
            f"--cycles tells those of two programs, and no program says what is right for "
            f"{case.name}: give --against, such as a build or the file of the old program"
        )


def cycles_beside(
    case: Case, subjects: Sequence[Subject], specs: Sequence[SceneSpec], workers: Workers
) -> tuple[ProgramCycles, ...]:
    """The cycles of programs beside those of the one that says what is right.

    Args:
        case: the case.
        subjects: the programs. One that is there on several engines is told once.
        specs: the scenes of their verification, of which `MOST_SCENES` are taken.
        workers: worker processes. They are left running.

    Raises:
        UsageError: as of `require_other_program`.
    """
    require_other_program(case)
    chosen = _spread(specs)
    plain = list(dict.fromkeys(replace(one, engine=UNICORN, native=None) for one in subjects))
    calls = [(case.known_case, subject, chosen) for subject in plain]
    found = dict(workers.each(_compare, calls, alone=_compare_apart))
    return tuple(found[index] for index in range(len(plain)))


def _spread(specs: Sequence[SceneSpec]) -> tuple[SceneSpec, ...]:
    """At most `MOST_SCENES` scenes, each once: the first, the last and others between them."""
    scenes = list({spec.scene: spec for spec in specs}.values())
    if len(scenes) <= MOST_SCENES:
        return tuple(scenes)
    return tuple(scenes[n * (len(scenes) - 1) // (MOST_SCENES - 1)] for n in range(MOST_SCENES))


def _compare_apart(known: KnownCase, subject: Subject, specs: Sequence[SceneSpec]) -> ProgramCycles:
    try:
        return run_apart(_compare, known, subject, specs, program=_name(subject))
    except GuestError as error:
        return ProgramCycles(_name(subject), "", None, why=str(error))


def _name(subject: Subject) -> str:
    return f"{subject.cpu} {subject.build}"


def _compare(known: KnownCase, subject: Subject, specs: Sequence[SceneSpec]) -> ProgramCycles:
    """Count the calls that both programs make alike, and price them."""
    case = case_as_known(known)
    try:
        return _compared(case, subject, Scenes.make(case, specs))
    except MacproofError as error:
        why = str(error).partition("\n")[0].rstrip(".")
        return ProgramCycles(_name(subject), "", None, why=why)


def _compared(case: Case, subject: Subject, scenes: Scenes) -> ProgramCycles:
    assert isinstance(case.routine, OtherProgram)
    new, old = Bench.of(case, subject), oracle_of(case, case.routine).bench
    images = new.expect(new.before(scenes.scenes), scenes.references)
    alike = _alike(new, images)
    if not alike:
        raise GuestError("no call that was counted leaves what the old routine leaves")
    model = model_for(new.machine.cpu.name)
    is_same_code = old.machine.cpu.architecture == new.machine.cpu.architecture
    old_model = model if is_same_code else model_for(old.machine.cpu.name)
    chosen = [scenes.scenes[row] for row in alike]
    return _side_by_side(
        _name(subject),
        _Costs(old, _counted(old, chosen), old_model),
        _Costs(new, _counted(new, chosen), model),
    )


def _counted(bench: Bench, scenes: Sequence[Scene]) -> Counts:
    """What the calls of scenes execute; of calls that ask the Toolbox, without what that does.

    Raises:
        GuestFault: a call does not return.
        GuestError: they execute code that can be written, or routines that are called before them
            ask the Toolbox.
    """
    try:
        return bench.count(bench.before(scenes))
    except GuestFault:
        raise
    except GuestError:  # what asks the Toolbox is counted only where that answers
        pass
    machine = bench.machine
    covering = Bench(BoundCase.on(bench.case, machine.program, machine.cpu, covers=True))
    images = covering.before(scenes)
    return covering.stages(images).calls.count_answered(images)


def _alike(bench: Bench, images: ExpectedImages) -> list[int]:
    """The scenes on which a program leaves what it should, up to the first that does not return."""
    batch = bench.run(images)
    done = batch.completed
    wrong = set(bench.differences(images).rows(images.expected[:done], batch.after))
    return [row for row in range(done) if row not in wrong and row not in batch.violations]


class _Costs:
    """What the calls of one program cost, as a whole and by function."""

    def __init__(self, bench: Bench, counts: Counts, model: CycleModel) -> None:
        self.cpu, self.calls = model.cpu, counts.calls
        self.pricing: Pricing = price(counts, model)
        program = bench.machine.program
        functions = make_profile(counts, self.pricing, model, program).functions
        if any(one.name is None for one in functions):
            named = replace(program, symbols=(*program.symbols, *_found_functions(bench)))
            functions = make_profile(counts, self.pricing, model, named).functions
        self.functions: dict[str, FunctionCost] = {one.name or "": one for one in functions}

    def of(self, name: str) -> tuple[int, float]:
        """Instructions and cycles of a function in all calls; 0 if it is not executed."""
        one = self.functions.get(name)
        if one is None:
            return 0, 0.0
        return round(one.instructions * self.calls), one.cycles * self.calls


def _found_functions(bench: Bench) -> Iterator[Symbol]:
    """Functions that a program has no names for: the case's routines by theirs, others by places.

    Raises:
        ProgramError: as of `known_functions`.
    """
    routines = bench.bound.calls.routines
    names = {site.routine: n for site, n in zip(routines.sites, routines.names, strict=True)}
    for one in known_functions(bench.machine.program).functions:
        yield Symbol(names.get(one.address, one.label), one.address, one.size, "function")


def _side_by_side(name: str, old: _Costs, new: _Costs) -> ProgramCycles:
    return ProgramCycles(
        name,
        old.cpu,
        FunctionCycles(
            new.cpu,
            new.calls,
            0,
            old.pricing.instructions,
            old.pricing.cycles,
            new.pricing.instructions,
            new.pricing.cycles,
        ),
        tuple(sorted(_by_function(old, new), key=lambda one: -one.cycles.old - one.cycles.new)),
    )


def _by_function(old: _Costs, new: _Costs) -> Iterator[NamedCycles]:
    for name in dict.fromkeys((*new.functions, *old.functions)):
        yield NamedCycles(name, FunctionCycles(new.cpu, new.calls, 0, *old.of(name), *new.of(name)))
