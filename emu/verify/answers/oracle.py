"""Asks a routine of another program what is right: the program that was ported.

The routine is called on a scene twice: on memory filled with random bytes, and on the same with
their complement. After the calls a value of an observed place is one of three things:

* the same after both calls: the routine wrote it, and it is the answer;
* after each call what it was before: the routine did not write it (it is masked in the answer), and
  the routine under test must leave it as it was, too;
* anything else: it depends on memory that the scene does not fill, which is an error of the case.

Whatever else the routine writes belongs to its answer, too (`emu.verify.places.slots.effects`).
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError, ToolMissingError
from emu.base.masks import same_bytes
from emu.cases.case import Case, KnownCase
from emu.cases.change_marks import change_clause
from emu.cases.keys.parts import Scene, describe_scene
from emu.cases.keys.references import OtherProgram
from emu.cases.programs.completion import complete
from emu.checks.isa_model import REFUTES
from emu.machine.cpu import CPUS
from emu.program import GuestType, Program, read_program, untyped, with_types
from emu.program.model.signatures import Signature
from emu.verify.answers.determined_values import values_left
from emu.verify.answers.effect_finder import EffectFinder
from emu.verify.answers.host.host_call import PlaceResult
from emu.verify.batches.bench import Bench
from emu.verify.calls.call_sequence import NO_CALL
from emu.verify.calls.executed_code import missing_instructions, words_of
from emu.verify.images.observations import observation
from emu.verify.images.scene_images import SceneImages
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.own_program import own_program
from emu.verify.places.slots.effects import EFFECTS
from emu.verify.scenes.fills import Fill, Preparation, environment_of, is_odd

_KEPT = 2
_kept: dict[KnownCase, Oracle] = {}
_NOISE = (Preparation(Fill.NOISE, 0), Preparation(Fill.NOISE, 0, inverted=True))
_AROUND = (Preparation(Fill.NOISE, 0), Preparation(Fill.NOISE, 1))


class Oracle:
    """A case laid onto the program whose routine says what is right.

    Raises:
        CaseError, ProgramError: the case does not fit that program.
        ToolMissingError: its types have to be taken from the case's own program, which cannot be
            compiled here.
    """

    def __init__(self, case: Case, reference: OtherProgram) -> None:
        self._case = case
        self._reference = reference
        cpu = _cpu_of(case, reference)
        program = _program_of(case, reference, cpu)
        self._bench = Bench.on(
            replace(
                case,
                before=case.before if reference.before is None else reference.before,
                ignored=tuple(
                    ignored
                    for ignored in case.ignored
                    if ignored.variable in program.variables or ignored.variable.startswith("*")
                ),
                lines={**case.lines, **dict.fromkeys(_calls_of(case), case.lines["reference:"])},
            ),
            program,
            CPUS[cpu],
        )
        self._effects: dict[BoundCase, EffectFinder] = {}
        self._unfilled: tuple[str, ...] | None = None

    @property
    def bench(self) -> Bench:
        """The case on that program."""
        return self._bench

    def answer(self, scene: Scene) -> SimpleNamespace:
        """Call the routine twice on a scene, and read what it left in every observed place.

        Returns:
            One attribute for each place, with the place's name. A masked value was not written.

        Raises:
            GuestError: the routine does not return, or breaks a rule that every call must keep.
            CaseError: a value that it leaves depends on memory that the scene does not fill.
        """
        bench = self._bench
        environment, odd = environment_of(scene.seed), is_odd(scene.seed)
        noise, prepared = (
            [
                replace(preparation, environment=environment, is_odd=odd)
                for preparation in preparations
            ]
            for preparations in (_NOISE, _AROUND)
        )
        laid = bench.before([scene, scene], noise)
        images = replace(laid, around=bench.stages(laid).before.surroundings(prepared))
        after = self._called(images)
        values = self._values_left(images, after)
        effects = self._finder(images).find(images, after)
        if self._unfilled is None:
            against, watch = self._case.against, bench.stages(images).watch
            name = self._reference.program.name if against is None else against.name
            unfilled = watch.unfilled(images.before[0], images.around[0])
            self._unfilled = tuple(f"{place} of {name}" for place in unfilled)
        effects = replace(effects, unfilled=self._unfilled)
        setattr(values, EFFECTS, effects.without(self._reference.ignored))
        return values

    def _called(self, images: SceneImages) -> NDArray[np.uint8]:
        """(2, image size) uint8, the images that the two calls on a scene leave.

        Raises:
            GuestError: they do not return, or break a rule that every call must keep.
        """
        machine, scene = self._bench.machine, images.scenes[0]
        batch = self._bench.run(images)
        if batch.fault is not None:
            raise self._unusable(f"did not return: {words_of(machine, batch.fault)}", scene)
        for finding in missing_instructions(machine, self._bench.code.take()):
            if finding.weight == REFUTES:
                raise self._unusable(f"would not run on its {machine.cpu.name}: {finding}", scene)
        for sentences in batch.violations.values():
            raise self._unusable(f"broke a rule of its calls: {'; '.join(sentences)}", scene)
        return batch.after

    def _values_left(self, images: SceneImages, after: NDArray[np.uint8]) -> SimpleNamespace:
        """The values that the two calls leave in every observed place, as `answer` returns them."""
        bound, before = images.bound, images.before
        values_of, values = SimpleNamespace(), observation(bound, after[0])
        who = f"{self._reference.words}, asked about {describe_scene(images.scenes[0])},"
        plan = bound.calls.plan(before[:1])[0]
        numbers = plan[plan != NO_CALL].tolist()
        for slot in bound.slots.observed:
            left = _place_result(slot.values(before), slot.values(after), values[slot.name])
            routine = bound.slots.results.get(slot)
            if routine is not None:
                left = _of_calls(left, np.array(numbers) == routine)
            is_pointer = slot.type.kind == "pointer"
            value = values_left(self._case, who, slot.name, left, is_pointer=is_pointer)
            value = value[: bound.lengths.elements(slot, after[0])] if value.ndim else value
            if routine is None:
                setattr(values_of, slot.phrase.attribute, value)
                continue
            # With several calls it is one list of all results, which the routines fill in turn.
            results = vars(values_of).setdefault(slot.phrase.attribute, [None] * len(numbers))
            for step, called in enumerate(numbers):
                if called == routine:
                    results[step] = value[step]
        return values_of

    def _finder(self, images: SceneImages) -> EffectFinder:
        """The finder of effects for the layout of these images; there is one for each layout."""
        if images.bound not in self._effects:
            self._effects[images.bound] = EffectFinder(self._bench, images)
        return self._effects[images.bound]

    def _unusable(self, what: str, scene: Scene) -> GuestError:
        changes = change_clause(self._case.marks)
        return GuestError(
            f"{self._reference.words}, which says what is right, {what} "
            f"({describe_scene(scene)}). So there is no verdict on {', '.join(self._case.called)}"
            f"{changes and f'; {changes}'}"
        )


def _of_calls(left: PlaceResult, is_own: NDArray[np.bool_]) -> PlaceResult:
    """The part of a result that belongs to the calls of one routine."""
    count = len(is_own)
    return PlaceResult(
        left.value[:count], left.unwritten[:count] & is_own, left.unclear[:count] & is_own
    )


def _place_result(before: NDArray[Any], after: NDArray[Any], value: NDArray[Any]) -> PlaceResult:
    """Compare the values of a place before and after two calls.

    Args:
        before: the values before each call, of shape (2, *shape of the place).
        after: the values after each call, of the same shape.
        value: the values after the first call, with pointers as indices.
    """
    same = same_bytes(after[0], after[1])
    unwritten = ~same & same_bytes(before[0], after[0]) & same_bytes(before[1], after[1])
    return PlaceResult(value, unwritten, unclear=~(same | unwritten))


def oracle_of(case: Case, reference: OtherProgram) -> Oracle:
    """The oracle of a case. A process keeps the last few."""
    key = case.known_case
    if key not in _kept:
        while len(_kept) >= _KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = Oracle(case, reference)
    return _kept[key]


def _cpu_of(case: Case, reference: OtherProgram) -> str:
    """The processor that runs the reference's program."""
    names = [reference.cpu] if reference.cpu else [*case.cpus, *CPUS]
    first = CPUS[names[0]].architecture if reference.cpu else None
    program = read_program(reference.program, architecture=first)
    for name in names:
        if CPUS[name].accepts(program):
            return name
    raise case.error(
        "reference.cpu:",
        f"{reference.program.name} is a {program.architecture} program, which no {names[0]} runs",
    )


def _calls_of(case: Case) -> list[str]:
    """The names of the lines of a case that say what is called."""
    return [*case.called, *(f"calls[{number}]" for number in range(len(case.calls)))]


def _program_of(case: Case, reference: OtherProgram, cpu: str) -> Program:
    """The reference's program; types that it lacks come from the case's own."""
    program = read_program(reference.program, architecture=CPUS[cpu].architecture)

    def donor() -> Program | None:
        try:
            return own_program(case, cpu)
        except ToolMissingError as error:
            raise ToolMissingError(
                f"{reference.program.name} does not tell its types, and the case's own program is "
                f"needed for them: {error}"
            ) from error

    def find_type(name: str) -> GuestType | None:
        own = None if program.has_debug_information else donor()
        return None if own is None else own.types.get(name)

    def find_signature(name: str) -> Signature | None:
        own = donor()
        return None if own is None else own.signature(name)

    completed = complete(
        program,
        CPUS[cpu],
        reference.declared,
        find_type=find_type,
        find_signature=find_signature,
    )
    names = untyped(completed, case.variables)
    own = donor() if names else None
    return completed if own is None else with_types(completed, own, names)
