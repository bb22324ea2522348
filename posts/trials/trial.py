"""A trial: calls a case's routine on one scene and records everything that it does.

Worker processes do this. A trial is not a verification, because its scene may be one that the
case's reference refuses. For example, a scene with too many objects shows that the routine writes
behind the end of its table.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case_file import read_case
from emu.cases.keys.parts import Scene
from emu.machine import CPUS, Budget, Fault
from emu.program import Program
from emu.verify.answers.answers import ask_reference
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.images.scene_images import SceneImages
from emu.verify.places.bound_case import BoundCase
from emu.verify.scenes.fills import Fill, Preparation
from macproof import Case, Machine, ProgramError, Subject, UsageError
from posts.trials.locations import find_location

_HEAP_SIZE = 4096
BUDGET = Budget(blocks=400_000, patience=0.1)
"""Enough for some frames of a game. A call that takes longer counts as one that does not return."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a trial differs from what the case does. Locations are those of `find_location`.

    Attributes:
        entry: the routine to call; "" is the case's own.
        defines: preprocessor names that are defined (``-D``) when the program is compiled.
        point: pointers that are set before the call: locations of pointers, with the locations that
            they point to.
        watch: locations; `TrialOutcome.stored` says whether the routine stored into them.
        keep: the names of sources of the case that are still compiled if a file replaces the
            case's sources, for example a source that calls the routine.
        read: locations of pointers; `TrialOutcome.pointers` says where they point after the call.
        also: global variables whose values are wanted in addition to those that the case observes
            or fills in. Variables that the program does not have are left out.
        blocks: the budget of the call, in translation blocks of the engine; 0 is `BUDGET`.
    """

    entry: str = ""
    defines: tuple[str, ...] = ()
    point: Mapping[str, str] = field(default_factory=dict)
    watch: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    blocks: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """The settings that need a machine of their own."""
        return self.entry, self.blocks


@dataclass(frozen=True, slots=True, eq=False)
class TrialOutcome:
    """The outcome of a call on one scene.

    Attributes:
        cpu: the processor's name.
        build: the build's name.
        program: the program's file.
        fault: why the call did not return; None if it did.
        crash: how the engine's process crashed, in which case nothing else is known; "" if it
            did not.
        violations: the rules of the call contract that were broken, a clause each.
        values: the variables that the case observes or fills in, after the call or at the fault, by
            their names in the program; see `emu.verify.images.observations.observation`.
        stored: for each watched location that the program has, whether the routine stored into all
            of its bytes.
        pointers: for each location of a pointer that was read, where it points: "gObjects[0]" for
            an element of one of the case's arrays, "null", or "nothing" for anything else. It is
            "fault" if the call ended with an access to that location.
        agrees: whether data memory is as the reference says; None if the reference refuses the
            scene, or is the reference of another routine.
        difference: the first difference in memory, or why the reference refuses the scene.
        comparisons: the number of values compared with the reference or with their input.
        instructions: the number of guest instructions of the call; 0 if no location was watched.
    """

    cpu: str
    build: str
    program: Path
    fault: Fault | None = None
    crash: str = ""
    violations: tuple[str, ...] = ()
    values: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    stored: Mapping[str, bool] = field(default_factory=dict)
    pointers: Mapping[str, str] = field(default_factory=dict)
    agrees: bool | None = None
    difference: str = ""
    comparisons: int = 0
    instructions: int = 0

    @property
    def returned(self) -> bool:
        """Whether the call returned and kept the call contract."""
        return self.fault is None and not self.crash and not self.violations


def try_scenes(
    case_path: Path, subject: Subject, setup: Setup, scenes: Sequence[Scene]
) -> list[TrialOutcome]:
    """Call a program's routine on scenes, one after the other, even after a fault.

    Guest code runs in this process and may crash it.

    Args:
        case_path: the case file.
        subject: the program.
        setup: how the trial differs from what the case does.
        scenes: the scenes.

    Returns:
        One outcome for each scene, in order.

    Raises:
        CaseError: a scene has no attribute that the case names.
        ProgramError: the program has no variable that a location names.
        UsageError: a location is not written like one.
    """
    return [_try(case_path, subject, setup, scene) for scene in scenes]


@functools.lru_cache(maxsize=32)
def _case(path: Path) -> Case:
    return read_case(path)


@functools.lru_cache(maxsize=64)
def _program(subject: Subject) -> Program:
    return subject.read()


@functools.lru_cache(maxsize=64)
def _bench(case_path: Path, subject: Subject, key: tuple[str, int]) -> Bench:
    entry, blocks = key
    case = _case(case_path)
    budget = replace(BUDGET, blocks=blocks) if blocks else BUDGET
    machine = Machine(_program(subject), CPUS[subject.cpu], budget=budget, heap_size=_HEAP_SIZE)
    return Bench.lay(replace(case, call=entry or case.call), machine)


def _try(case_path: Path, subject: Subject, setup: Setup, scene: Scene) -> TrialOutcome:
    bench = _bench(case_path, subject, setup.key)
    machine = bench.machine
    # The seed also chooses the fill, because some findings are about what memory holds before.
    preparation = Preparation(Fill.POISON if scene.seed % 2 else Fill.LOADED)
    images = bench.before([scene], [preparation])
    bound, before = images.bound, images.before
    for pointer, target in setup.point.items():
        place = find_location(machine, pointer)
        offset = machine.data.offset(place.address)
        address = find_location(machine, target).address
        before[0, offset : offset + 4] = list(address.to_bytes(4, "big"))
    stored, instructions = _stores_into(bound, setup.watch, before[0])
    batch = bound.calls.run(before)
    outcome = TrialOutcome(
        cpu=subject.cpu,
        build=subject.build,
        program=subject.program,
        fault=batch.fault,
        violations=batch.violations.get(0, ()),
        stored=stored,
        instructions=instructions,
    )
    if batch.fault is not None:
        outcome = _with_memory(outcome, bound, setup, machine.data.copy())
        _bench.cache_clear()  # a fault may leave the engine unusable
        return outcome
    after = batch.after[0]
    outcome = _with_memory(outcome, bound, setup, after)
    if setup.entry:
        return replace(outcome, difference="the case's reference is of another routine")
    return _compared(outcome, bench, images, after)


def _with_memory(
    outcome: TrialOutcome, bound: BoundCase, setup: Setup, image: NDArray[np.uint8]
) -> TrialOutcome:
    """Add the wanted variables and pointers of a memory image to an outcome."""
    machine = bound.machine
    values = dict(observation(bound, image))
    for name in setup.also:
        if name in values or name not in machine.program.variables:
            continue
        variable = machine.program.variable(name)
        if variable.type.scalar.kind in ("integer", "boolean", "enumeration"):
            start = machine.data.offset(variable.address)
            raw = image[start : start + variable.type.size].copy().view(variable.type.dtype)
            values[name] = raw.reshape(variable.type.shape).astype(np.int64)
    pointers = {}
    for text in setup.read:
        with contextlib.suppress(ProgramError, UsageError):
            address = find_location(machine, text).address
            if outcome.fault is not None and f"at 0x{address:08x}" in outcome.fault.reason:
                pointers[text] = "fault"
                continue
            start = machine.data.offset(address)
            word = int.from_bytes(image[start : start + 4].tobytes(), "big")
            pointers[text] = _target(bound, word)
    return replace(outcome, values=values, pointers=pointers)


def _target(bound: BoundCase, address: int) -> str:
    if address == 0:
        return "null"
    program = bound.machine.program
    for name in bound.case.variables:
        variable = program.variable(name)
        index, rest = divmod(address - variable.address, variable.type.dtype.itemsize)
        if variable.type.shape and rest == 0 and 0 <= index < variable.type.shape[0]:
            return f"{name}[{index}]"
    return "nothing"


def _compared(
    outcome: TrialOutcome,
    bench: Bench,
    images: SceneImages,
    after: NDArray[np.uint8],
) -> TrialOutcome:
    case, scene = bench.case, images.scenes[0]
    try:
        answer = ask_reference(case, scene)
    except UsageError as error:
        return replace(outcome, difference=str(error))
    expected = bench.expect(images, [answer])
    divergence = bench.differences(expected).first(expected.expected[0], after)
    inputs = bench.stages(images).answers.inputs_compared([scene])
    return replace(
        outcome,
        agrees=divergence is None,
        difference=str(divergence or ""),
        comparisons=expected.values + inputs,
    )


def _stores_into(
    bound: BoundCase, watch: Sequence[str], before: NDArray[np.uint8]
) -> tuple[dict[str, bool], int]:
    if not watch:
        return {}, 0
    machine = bound.machine
    locations = {}
    for text in watch:
        with contextlib.suppress(
            ProgramError
        ):  # another form of the program may not have this variable
            locations[text] = find_location(machine, text)
    if not locations:
        return {}, 0
    ends = [(place.address, place.address + place.size) for place in locations.values()]
    trace, _ = machine.calls.trace(
        bound.calls.first,
        before,
        watch=range(min(start for start, _ in ends), max(end for _, end in ends)),
    )
    stored = {
        text: all(place.address + i in trace.stores for i in range(place.size))
        for text, place in locations.items()
    }
    return stored, machine.calls.instructions(trace) if trace.completed else 0
