"""Predicts the time of calls: counts executed instructions and prices them with a cycle model.

The results of every call are compared with the reference first. The speed of a program that
computes something else is of no use.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.subject import Subject
from emu.cycles.base.counting import Counts
from emu.cycles.base.model import CycleModel, Source
from emu.cycles.models import model_for
from emu.cycles.pricing import Pricing, price
from emu.machine import BareMachine
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.machine.memory import layout
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import require_correct, run_scenes
from emu.verify.scenes.scene_spec import SceneSpec

FEWEST_TRANSLATED = 500
"""So many calls of a program are counted in translated code, in a fifth of Unicorn's time. Of fewer
the translation takes longer than that saves: 0.3 to 3.4 s, and 0.1 s where it is kept."""


@dataclass(frozen=True, slots=True)
class TimingPlan:
    """The scenes that are timed.

    Attributes:
        generator: the name of the generator.
        objects: the numbers of objects, ascending.
        scenes: the number of scenes for each number of objects.
        seed: the seed of the first scene; the others follow.
    """

    generator: str
    objects: tuple[int, ...]
    scenes: int
    seed: int

    def specs(self, objects: int) -> tuple[SceneSpec, ...]:
        """The scenes with this number of objects."""
        return tuple(
            SceneSpec(self.generator, objects, self.seed + number) for number in range(self.scenes)
        )


@dataclass(frozen=True, slots=True)
class TimedProgram:
    """A program to be timed.

    Attributes:
        subject: the program.
        source: a short name of the source it was compiled from, such as "four_shifts.cpp".
        memory: the Macintosh whose memory it is priced with, a name in ``buses.yaml``; "" is what
            the processor's model usually has.
    """

    subject: Subject
    source: str
    memory: str = ""

    def __str__(self) -> str:
        return f"{self.subject.cpu} {self.subject.build} ({self.source})"


@dataclass(frozen=True, slots=True, eq=False)
class PricedCounts:
    """The executed instructions of a program on some scenes, and their prices.

    Attributes:
        counts: how often each block of code was executed.
        pricing: the cycles of each instruction by the model.
    """

    counts: Counts
    pricing: Pricing


@dataclass(frozen=True, slots=True)
class SizePrediction:
    """The predicted time of a call with one number of objects. Figures are means per call.

    Attributes:
        objects: the number of objects.
        calls: the number of calls that were counted; all of them had right results.
        comparisons: the number of bytes of data memory compared with the reference, in all calls.
        instructions: the number of executed instructions.
        cycles: the cycles by the model.
        mix: the number of executed instructions, by mnemonic.
        by_source: the cycles, by the source of their prices, such as a manual.
        varied: the cycles by the model with one thing changed, by the name of the change.
        code_bytes: the size of all code that was executed, in bytes.
        stack_bytes: the size of the stack that the last call used, in bytes.
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
        """Cycles per instruction."""
        return self.cycles / self.instructions

    def per_second(self, megahertz: float) -> float:
        """Calls per second at a clock in MHz."""
        return megahertz * 1e6 / self.cycles


@dataclass(frozen=True, slots=True)
class Prediction:
    """The predicted times of a program.

    Attributes:
        program: the program.
        sizes: the times, by number of objects, ascending.
        data_bytes: the size of all data segments of the program, in bytes. A call uses a part.

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
class UnpricedProgram:
    """A program with right results, whose code has instructions that the model cannot price.

    Attributes:
        program: the program.
        why: the instruction and the reason, as a clause.
    """

    program: TimedProgram
    why: str


class UnpricedError(MacproofError):
    """The cycle model has no price for an instruction that was executed.

    Example:
        >>> issubclass(macproof.UnpricedError, macproof.MacproofError)
        True
    """


def predict_programs(
    case: Case,
    programs: Sequence[TimedProgram],
    plan: TimingPlan,
    *,
    varied: Callable[[TimedProgram], bool] = lambda program: False,
    jobs: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[Prediction | UnpricedProgram]:
    """Predict the times of programs, in worker processes.

    Args:
        case: the case.
        programs: the programs.
        plan: the scenes.
        varied: tells whether a program is also priced by models with one thing changed.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        on_progress: called with 1 when a program is finished.

    Returns:
        For each program, in order, its prediction, or a `UnpricedProgram` if the model cannot price
        it.

    Raises:
        WrongResultError: a result differs from the reference's.
        GuestError: a call does not return, or crashes its process.
    """
    predictions: dict[int, Prediction | UnpricedProgram] = {}
    calls = [(case.path, program, plan, varied(program)) for program in programs]
    with GuestWorkers(jobs) as workers:
        for index, outcome in workers.each(_predict_task, calls, alone=_predict_apart):
            predictions[index] = outcome
            on_progress(1)
    return [predictions[index] for index in range(len(programs))]


def _predict_apart(
    case_path: Path, program: TimedProgram, plan: TimingPlan, is_varied: bool
) -> Prediction | UnpricedProgram:
    return run_apart(_predict_task, case_path, program, plan, is_varied, program=program)


def _predict_task(
    case_path: Path, program: TimedProgram, plan: TimingPlan, is_varied: bool
) -> Prediction | UnpricedProgram:
    try:
        return predict_program(read_case(case_path), program, plan, is_varied=is_varied)
    except UnpricedError as error:
        return UnpricedProgram(program, str(error))


def predict_program(
    case: Case,
    program: TimedProgram,
    plan: TimingPlan,
    *,
    is_varied: bool = False,
    model: CycleModel | None = None,
) -> Prediction:
    """Predict the times of one program. Guest code runs in this process and may crash it.

    Args:
        case: the case.
        program: the program.
        plan: the scenes.
        is_varied: whether it is also priced by models with one thing changed.
        model: the cycle model; None is that of the program's processor.

    Raises:
        WrongResultError: a result differs from the reference's.
        GuestError: a call does not return.
        UnpricedError: the model has no price for an executed instruction.
    """
    model = model or model_for(program.subject.cpu, program.memory)
    variants = model.sensitivities() if is_varied else {}
    bench = Bench.of(case, program.subject)
    counting = _counting(bench, program, plan.scenes * len(plan.objects))
    sizes = {
        objects: _predict_size(bench, counting, program, plan.specs(objects), model, variants)
        for objects in plan.objects
    }
    segments = bench.machine.program.segments
    data_bytes = sum(segment.size for segment in segments if not segment.executable)
    return Prediction(program, sizes, data_bytes)


def count_program(
    case_path: Path, program: TimedProgram, specs: Sequence[SceneSpec]
) -> PricedCounts:
    """Count and price the instructions of a program on scenes with one number of objects.

    Guest code runs in this process and may crash it; `emu.machine.guest_process.run_apart` calls a
    function in a process of its own.

    Args:
        case_path: the case file.
        program: the program.
        specs: the scenes.

    Raises:
        WrongResultError: a result differs from the reference's.
        GuestError: a call does not return.
        UnpricedError: the model has no price for an executed instruction.
    """
    bench = Bench.of(read_case(case_path), program.subject)
    counts, _, _ = _count(bench, _counting(bench, program, len(specs)), program, specs)
    model = model_for(program.subject.cpu, program.memory)
    return PricedCounts(counts, _price(counts, model))


def _price(counts: Counts, model: CycleModel) -> Pricing:
    try:
        return price(counts, model)
    except MacproofError as error:
        raise UnpricedError(str(error)) from error


def _counting(bench: Bench, program: TimedProgram, calls: int) -> Bench:
    """The bench on which so many calls are counted."""
    if calls < FEWEST_TRANSLATED:
        return bench
    return Bench.of(bench.case, program.subject, covers=True, translated=True)


def _predict_size(
    bench: Bench,
    counting: Bench,
    program: TimedProgram,
    specs: Sequence[SceneSpec],
    model: CycleModel,
    variants: Mapping[str, CycleModel],
) -> SizePrediction:
    counts, compared, stack_bytes = _count(bench, counting, program, specs)
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
    bench: Bench, counting: Bench, program: TimedProgram, specs: Sequence[SceneSpec]
) -> tuple[Counts, int, int]:
    """Run the scenes and check the results; then run them again and count instructions.

    Returns:
        The counts, the number of bytes compared, and the stack used by the last call in bytes.
    """
    scenes = _scenes(bench.case.path, tuple(specs))
    machine = bench.machine
    result = run_scenes(program.subject, bench, scenes)
    stack_bytes = _stack_used(machine)
    require_correct(result, str(program))
    counts = counting.count(counting.before(scenes.scenes))
    return counts, result.bytes_compared, stack_bytes


@functools.lru_cache(maxsize=16)
def _scenes(case_path: Path, specs: tuple[SceneSpec, ...]) -> Scenes:
    """Scenes with the reference's answers, made once for all programs of a process."""
    return Scenes.make(read_case(case_path), specs)


def _stack_used(machine: BareMachine) -> int:
    """The stack used in bytes: from the lowest byte that lost its fill to the caller's frame."""
    stack = machine.memory.region("stack")
    below = machine.memory.view(stack.address, stack.size - layout.FRAME_SIZE)
    used = np.flatnonzero(below != layout.FILL)
    return len(below) - int(used[0]) if len(used) else 0


def _bytes_covered(counts: Counts) -> int:
    """The total size of all executed blocks in bytes; blocks may overlap."""
    total, end = 0, 0
    for address, size in sorted(counts.code):
        total += max(0, address + size - max(address, end))
        end = max(end, address + size)
    return total
