"""One trial: a routine of a case called on one scene, and all that can be said of it.

This is what a worker process does. A trial is not a verification: the scene may be one that the
case's reference refuses, because the routine leaves its tables there, and to see that is the point.
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

from emu.base.errors import ProgramError, UsageError
from emu.cases.case import Case, Scene, read_case
from emu.cases.programs import Subject
from emu.cases.scenes import ask_reference
from emu.machine import CPUS, Budget, Fault, Machine
from emu.program import Program
from emu.verify.bound_case import BoundCase
from emu.verify.fills import Fill, Preparation
from emu.verify.trials.places import find_place

_HEAP_SIZE = 4096
BUDGET = Budget(blocks=400_000, patience=0.1)
"""Enough for some frames of a game; what takes longer counts as not coming back."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a trial differs from what the case itself does.

    Attributes:
        entry: the routine that is called in place of the case's own, or "".
        defines: preprocessor names that the program is compiled with.
        point: guest pointers by name, and the places (see `emu.verify.trials.places`) that they are
            made to point at before the call.
        watch: places for which it is wanted whether the routine stored into them.
        keep: sources of the case that stay when another takes the place of the rest, such as one
            that calls the routine.
        read: places whose words are wanted, as what they point at.
        also: guest variables that are wanted beside what the case observes and fills in, as far
            as the program has them.
        blocks: the call's budget in translation blocks; 0 for the usual one.
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
        """What makes another machine necessary, beside another program."""
        return self.entry, self.blocks


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What became of a call on one scene.

    Attributes:
        cpu: the processor's name.
        build: the build's name.
        program: the program's file.
        fault: why the call did not come back, or None.
        crash: why nothing at all can be said: the engine's process went down; or "".
        violations: broken rules of the contract of a call, in words.
        values: what the case observes or fills in, by its name in the program, as
            `emu.verify.bound_case.BoundCase.observation` has it; after a fault as the routine left
            it.
        stored: for each watched place that the program has, whether the routine stored into all
            its bytes.
        pointers: for each place that was read, what its word points at: "gObjects[0]", "null", or
            "nothing" where it points at no element of the case's arrays; or "fault" where the call
            ended with an access to this place.
        agrees: whether all data memory is as the reference demands; None if it refuses the scene,
            or there is nothing to compare.
        difference: where memory first differs, or why the reference refuses.
        comparisons: values that were compared with the reference, or kept their input.
        instructions: guest instructions of the call, where places were watched, else 0.
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
        """Whether the call came back and kept its contract."""
        return self.fault is None and not self.crash and not self.violations


def try_scenes(
    case_path: Path, subject: Subject, setup: Setup, scenes: Sequence[Scene]
) -> list[Outcome]:
    """Call a subject's routine on scenes, one by one, whatever happens.

    Raises:
        CaseError, ProgramError, UsageError: a scene, place or name does not fit the program.
    """
    return [_try(case_path, subject, setup, scene) for scene in scenes]


@functools.lru_cache(maxsize=32)
def _case(path: Path) -> Case:
    return read_case(path)


@functools.lru_cache(maxsize=64)
def _program(subject: Subject) -> Program:
    return subject.read()


@functools.lru_cache(maxsize=64)
def _bound(case_path: Path, subject: Subject, key: tuple[str, int]) -> BoundCase:
    entry, blocks = key
    case = _case(case_path)
    budget = replace(BUDGET, blocks=blocks) if blocks else BUDGET
    machine = Machine(_program(subject), CPUS[subject.cpu], budget=budget, heap_size=_HEAP_SIZE)
    return BoundCase(replace(case, call=entry or case.call), machine)


def _try(case_path: Path, subject: Subject, setup: Setup, scene: Scene) -> Outcome:
    bound = _bound(case_path, subject, setup.key)
    machine = bound.machine
    # A scene says by its seed what memory it begins with: findings are about that, too.
    preparation = Preparation(Fill.POISON if scene.seed % 2 else Fill.LOADED)
    before = bound.before([scene], [preparation])
    for pointer, target in setup.point.items():
        place = find_place(machine, pointer)
        offset = machine.data.offset(place.address)
        address = find_place(machine, target).address
        before[0, offset : offset + 4] = list(address.to_bytes(4, "big"))
    stored, instructions = _watch(bound, setup.watch, before[0])
    batch = machine.run_batch(bound.routine, before)
    found = Outcome(
        cpu=subject.cpu,
        build=subject.build,
        program=subject.program,
        fault=batch.fault,
        violations=batch.violations.get(0, ()),
        stored=stored,
        instructions=instructions,
    )
    if batch.fault is not None:
        found = _with_memory(found, bound, setup, machine.data.copy())
        _bound.cache_clear()  # an engine may not survive what it met
        return found
    after = batch.after[0]
    found = _with_memory(found, bound, setup, after)
    if setup.entry:
        return replace(found, difference="the reference is of another routine")
    return _compared(found, bound, scene, before, after)


def _with_memory(
    found: Outcome, bound: BoundCase, setup: Setup, image: NDArray[np.uint8]
) -> Outcome:
    """The outcome with what was wanted of memory, as an image has it."""
    machine = bound.machine
    values = dict(bound.observation(image))
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
            address = find_place(machine, text).address
            if found.fault is not None and f"at 0x{address:08x}" in found.fault.reason:
                pointers[text] = "fault"
                continue
            start = machine.data.offset(address)
            word = int.from_bytes(image[start : start + 4].tobytes(), "big")
            pointers[text] = _target(bound, word)
    return replace(found, values=values, pointers=pointers)


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
    found: Outcome,
    bound: BoundCase,
    scene: Scene,
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> Outcome:
    case: Case = bound.case
    try:
        answer = ask_reference(case, scene)
    except UsageError as error:
        return replace(found, difference=str(error))
    expected, values = bound.expected(before, [answer])
    divergence = bound.divergence(expected[0], after)
    return replace(
        found,
        agrees=divergence is None,
        difference=str(divergence or ""),
        comparisons=values + bound.inputs_compared([scene]),
    )


def _watch(
    bound: BoundCase, watch: Sequence[str], before: NDArray[np.uint8]
) -> tuple[dict[str, bool], int]:
    if not watch:
        return {}, 0
    machine = bound.machine
    places = {}
    for text in watch:
        with contextlib.suppress(ProgramError):  # the other form may have no such thing
            places[text] = find_place(machine, text)
    if not places:
        return {}, 0
    ends = [(place.address, place.address + place.size) for place in places.values()]
    trace, _ = machine.trace(
        bound.routine,
        before,
        watch=range(min(start for start, _ in ends), max(end for _, end in ends)),
    )
    stored = {
        text: all(place.address + i in trace.stores for i in range(place.size))
        for text, place in places.items()
    }
    return stored, machine.instructions(trace) if trace.completed else 0
