"""Runs programs counted, checks what they left, and prices what they executed.

A program whose results are wrong is not timed: its speed would be that of something else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from emu.base.errors import MacproofError
from emu.cases.case import Case, read_case
from emu.cases.programs import Subject
from emu.cycles.counting import Counts, count_calls
from emu.cycles.model import CycleModel, Source
from emu.cycles.models import model_for
from emu.cycles.pricing import Pricing, price
from emu.machine import Machine, layout
from emu.machine.apart import GuestWorkers, run_apart
from emu.verify.bound_case import BoundCase
from emu.verify.prepared_scenes import Scenes
from emu.verify.scene_runs import require_correct, run_scenes
from emu.verify.verdicts import SceneSpec


@dataclass(frozen=True, slots=True)
class Plan:
    """Which scenes are timed.

    Attributes:
        generator: what makes them.
        objects: the numbers of objects, ascending.
        scenes: how many of each.
        seed: of the first.
    """

    generator: str
    objects: tuple[int, ...]
    scenes: int
    seed: int

    def specs(self, objects: int) -> tuple[SceneSpec, ...]:
        """The scenes with a number of objects."""
        return tuple(
            SceneSpec(self.generator, objects, self.seed + number) for number in range(self.scenes)
        )


@dataclass(frozen=True, slots=True)
class TimedProgram:
    """A program to be timed.

    Attributes:
        subject: the program.
        source: what it was compiled from, in words a table has room for.
    """

    subject: Subject
    source: str

    def __str__(self) -> str:
        return f"{self.subject.cpu} {self.subject.build} ({self.source})"


@dataclass(frozen=True, slots=True, eq=False)
class CountedCalls:
    """What a program executed on scenes of one size, and what a model makes of it.

    For whoever wants to know more than the sums: which instructions, and where.
    """

    counts: Counts
    pricing: Pricing


@dataclass(frozen=True, slots=True)
class SizePrediction:
    """What a call takes with some number of objects; means over the scenes.

    Attributes:
        objects: their number.
        calls: how many calls were counted, and found right.
        comparisons: bytes of data memory compared with what they had to be, in all calls.
        instructions: executed in a call.
        cycles: of a call, by the model.
        mix: instructions of a call, by mnemonic.
        by_source: cycles of a call, by what their prices rest on.
        varied: cycles of a call by the model with one thing changed, by what was changed.
        code_bytes: bytes of code executed at all.
        stack_bytes: bytes of stack used by the last call.
    """

    objects: int
    calls: int
    comparisons: int
    instructions: float
    cycles: float
    mix: Mapping[str, float]
    by_source: Mapping[Source, float]
    varied: Mapping[str, float]
    code_bytes: int
    stack_bytes: int

    @property
    def cycles_per_instruction(self) -> float:
        """Cycles over instructions."""
        return self.cycles / self.instructions

    def per_second(self, megahertz: float) -> float:
        """Calls in a second at a clock."""
        return megahertz * 1e6 / self.cycles


@dataclass(frozen=True, slots=True)
class Prediction:
    """What is predicted of a program.

    Attributes:
        program: which.
        sizes: by number of objects, ascending.
        data_bytes: size of all data segments of the program: more than a call can touch of them.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O2"])
        >>> (found,) = macproof.predict(case, programs, objects=[200], scenes=1)
        >>> found.sizes[200].per_second(80) > 1000  # calls in a second at 80 MHz
        True
    """

    program: TimedProgram
    sizes: Mapping[int, SizePrediction]
    data_bytes: int

    @property
    def cpu(self) -> str:
        """The processor's name."""
        return self.program.subject.cpu

    @property
    def build(self) -> str:
        """The build's name."""
        return self.program.subject.build


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A program that did what it should, but has code that the model does not know.

    Attributes:
        program: which.
        why: what the model says, as a clause.
    """

    program: TimedProgram
    why: str


class UnpricedError(MacproofError):
    """The model has no price for code that was executed.

    Example:
        >>> issubclass(macproof.UnpricedError, macproof.MacproofError)
        True
    """


def predict_programs(
    case: Case,
    programs: Sequence[TimedProgram],
    plan: Plan,
    *,
    varied: Callable[[TimedProgram], bool] = lambda program: False,
    jobs: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[Prediction | Unpriced]:
    """Time every program, in worker processes.

    Args:
        case: the case.
        programs: what to time.
        plan: the scenes.
        varied: whether a program is priced by the varied models too.
        jobs: worker processes; 0 is one for each processor.
        on_progress: called with 1 for each program that is done.

    Returns:
        One prediction for each program, in order, where the model knows its code.

    Raises:
        WrongResultError: a program does not do what the reference does.
        GuestError: one does not come back, or brings its process down.
    """
    found: dict[int, Prediction | Unpriced] = {}
    calls = [(case.path, program, plan, varied(program)) for program in programs]
    with GuestWorkers(jobs) as workers:
        for index, outcome in workers.each(_predict_task, calls, alone=_predict_apart):
            found[index] = outcome
            on_progress(1)
    return [found[index] for index in range(len(programs))]


def _predict_apart(
    case_path: Path, program: TimedProgram, plan: Plan, is_varied: bool
) -> Prediction | Unpriced:
    return run_apart(_predict_task, case_path, program, plan, is_varied, program=program)


def _predict_task(
    case_path: Path, program: TimedProgram, plan: Plan, is_varied: bool
) -> Prediction | Unpriced:
    try:
        return predict_program(read_case(case_path), program, plan, is_varied=is_varied)
    except UnpricedError as error:
        return Unpriced(program, str(error))


def predict_program(
    case: Case,
    program: TimedProgram,
    plan: Plan,
    *,
    is_varied: bool = False,
    model: CycleModel | None = None,
) -> Prediction:
    """Time one program, in this process.

    Raises:
        WrongResultError, GuestError: like `predict_programs`.
        UnpricedError: there is code that the model does not know.
    """
    model = model or model_for(program.subject.cpu)
    variants = model.sensitivities() if is_varied else {}
    bound = _bind(case, program.subject)
    sizes = {
        objects: _predict_size(bound, program, plan.specs(objects), model, variants)
        for objects in plan.objects
    }
    segments = bound.machine.program.segments
    data_bytes = sum(segment.size for segment in segments if not segment.executable)
    return Prediction(program, sizes, data_bytes)


def count_program(
    case_path: Path, program: TimedProgram, specs: Sequence[SceneSpec]
) -> CountedCalls:
    """Count and price one program on some scenes of one size, checked like all others.

    It executes guest code, so call it by `emu.machine.apart.run_apart`.

    Raises:
        WrongResultError, GuestError, UnpricedError: like `predict_program`.
    """
    bound = _bind(read_case(case_path), program.subject)
    counts, _, _ = _count(bound, program, specs)
    return CountedCalls(counts, _price(counts, model_for(program.subject.cpu)))


def _price(counts: Counts, model: CycleModel) -> Pricing:
    try:
        return price(counts, model)
    except MacproofError as error:
        raise UnpricedError(str(error)) from error


def _bind(case: Case, subject: Subject) -> BoundCase:
    return BoundCase(case, Machine(subject, heap_size=0))


def _predict_size(
    bound: BoundCase,
    program: TimedProgram,
    specs: Sequence[SceneSpec],
    model: CycleModel,
    variants: Mapping[str, CycleModel],
) -> SizePrediction:
    counts, compared, stack_bytes = _count(bound, program, specs)
    pricing = _price(counts, model)
    calls = counts.calls
    return SizePrediction(
        objects=specs[0].objects,
        calls=calls,
        comparisons=compared,
        instructions=pricing.instructions / calls,
        cycles=pricing.cycles / calls,
        mix={word: number / calls for word, number in pricing.mix.items()},
        by_source={source: cycles / calls for source, cycles in pricing.by_source.items()},
        varied={word: _price(counts, other).cycles / calls for word, other in variants.items()},
        code_bytes=_bytes_covered(counts),
        stack_bytes=stack_bytes,
    )


def _count(
    bound: BoundCase, program: TimedProgram, specs: Sequence[SceneSpec]
) -> tuple[Counts, int, int]:
    """Run the scenes, check them, and run them counted.

    Returns:
        The counts, how many bytes were compared, and how deep the last call's stack was.
    """
    scenes = _scenes(bound.case.path, tuple(specs))
    machine = bound.machine
    result = run_scenes(program.subject, bound, scenes)
    stack_bytes = _stack_used(machine)
    require_correct(result, str(program))
    counts = count_calls(machine, bound.routine, bound.before(scenes.scenes))
    return counts, result.bytes_compared, stack_bytes


@functools.lru_cache(maxsize=16)
def _scenes(case_path: Path, specs: tuple[SceneSpec, ...]) -> Scenes:
    """Scenes and what the reference says of them, made once for all programs of a process."""
    return Scenes.make(read_case(case_path), specs)


def _stack_used(machine: Machine) -> int:
    """How many bytes below the caller's frame do not hold what the stack was filled with."""
    stack = machine.memory.region("stack")
    below = machine.memory.view(stack.address, stack.size - layout.FRAME_SIZE)
    used = np.flatnonzero(below != layout.FILL)
    return len(below) - int(used[0]) if len(used) else 0


def _bytes_covered(counts: Counts) -> int:
    """How many bytes lie in any block; blocks may overlap."""
    total, end = 0, 0
    for address, size in sorted(counts.code):
        total += max(0, address + size - max(address, end))
        end = max(end, address + size)
    return total
