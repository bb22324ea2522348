"""Turns scenes into guest images, references into expected images, and differences into words.

The whole data memory of the program is compared, not only what a case observes: the expected
image is the image before the call with the observed values written over it. If the image after
the call equals it, every observed value is right *and* nothing else was changed. Words are
looked for only where images differ.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError, MacproofError
from emu.cases.case import Case
from emu.cases.keys.arguments import Phrase
from emu.cases.keys.parts import InitialValue, Scene
from emu.cases.programs.subject import UNICORN, Subject
from emu.checks.defects import Defect
from emu.checks.sanitizers import SanitizerLog
from emu.cycles.base.counting import Counts
from emu.engines.registry import engine_of
from emu.machine import Batch, Budget, Cpu, Surroundings
from emu.machine.calls.batch import USUAL_INSTRUCTIONS
from emu.machine.calls.other_engine import MakeEngine
from emu.machine.memory.memory import PAGE
from emu.machine.program_file import program_and_cpu
from emu.program import GuestType, Program, Variable
from emu.toolbox.single_calls.toolbox_machine import Machine
from emu.verify.calls.call_sequence import NO_CALL, CallSequence
from emu.verify.calls.earlier_calls import EarlierCalls
from emu.verify.calls.preceding_calls import CalledBefore, PrecedingCallError
from emu.verify.calls.preceding_writes import PrecedingWrites
from emu.verify.calls.reached_code import ReachedCode
from emu.verify.calls.successive_calls import Begin
from emu.verify.images.answer_watch import AnswerWatch
from emu.verify.images.asking_calls import AskingCalls
from emu.verify.images.differences import Differences, Divergence, Rerun
from emu.verify.images.filled_images import FilledImages, places_to_fill
from emu.verify.images.linked_values import LinkedValues
from emu.verify.images.slot_values import SlotValues
from emu.verify.images.text_ends import settle_ends
from emu.verify.places.argument_layer import lay_arguments, needs_heap
from emu.verify.places.case_slots import CaseSlots
from emu.verify.places.declared_types import declared_right, read_otherwise
from emu.verify.places.misfits import Misfits
from emu.verify.places.own_program import own_program
from emu.verify.places.slots.argument_layout import RECORD, ArgumentLayout, is_odd
from emu.verify.places.slots.blocks import BlockLengths
from emu.verify.places.slots.fields import Slot
from emu.verify.places.toolbox_answers import store_answers
from emu.verify.scenes.columns import Columns
from emu.verify.scenes.fills import Donors, Preparation, Preparations


class BoundCase:
    """A case bound to a machine: names resolved, types checked, offsets known.

    ``code`` tells which code its calls reach, and ``before_writes`` what the routines change that
    are called before.

    Args:
        case: the case.
        machine: the program on its processor, with a heap if the routine has arguments.
        layout: where the arguments lie in the heap, if that is known.
        usual: the case on the same machine in its usual layout; None if this is that.

    Raises:
        CaseError, ProgramError: a name of the case is not in the program, or of the wrong kind.
    """

    def __init__(
        self,
        case: Case,
        machine: Machine,
        layout: ArgumentLayout | None = None,
        usual: BoundCase | None = None,
    ) -> None:
        self.case = case
        self.machine = machine
        self._usual = usual or self
        self._layout = layout or lay_arguments(case, machine)
        self.calls = CallSequence(machine, self._layout.routines, self._settle)
        answers = self._layout.answers
        self._answers = [
            Slot(one, (), one.type, machine.data.offset(one.address), Phrase(case.toolbox[name]))
            for name, one in answers.items()
        ]
        self._before = CalledBefore(case, machine)
        self._slots = CaseSlots(case, machine, self._layout)
        self.misfits = Misfits(case, self._prototype, self._own_type)
        """The values of scenes and answers that the program cannot hold and others can."""
        self._values = SlotValues(case, self._slots, self.misfits)
        self._linked = LinkedValues(case, machine, self._slots)
        self._lengths = BlockLengths(self._layout.lengths, machine.data)
        self._asking = AskingCalls(case, machine, self._layout, self._slots.observed, self._linked)
        self._log = SanitizerLog(machine, self._layout.every())
        self.differences = Differences(
            machine,
            self._slots.pools,
            self._slots.observed,
            [*self._slots.inputs, *self._asking.unchanged],
            [*self._slots.ignored, *self._layout.unobserved],
            list(self._layout.variables.values()),
            self._layout.beside,
            self._slots.linked,
            self._log.memory,
        )
        self.answers = AnswerWatch(
            case, self.calls, self._layout, self._slots, self._values, self.differences
        )
        """What is known of the answers that are compared."""
        self._addresses = self._slots.pools.some_addresses()
        first = machine.data.offset(self._layout.start) if self._layout.start else 0
        heap = slice(first, first + self._layout.size if self._layout.start else 0)
        size, scratch = len(machine.pristine), self._slots.ignored_as(InitialValue.SCRATCH)
        places = places_to_fill(self._slots.every, size, [heap, *scratch])
        self._filled = FilledImages(machine.pristine, places)
        kept = [*self._slots.ignored_as(InitialValue.KEPT), *scratch]
        self.code: ReachedCode = usual.code if usual else ReachedCode(machine.new_code)
        self.before_writes = PrecedingWrites(machine.program, machine.data, self.variables)
        self._earlier = EarlierCalls(case, kept, size, self._call_once)
        self._constants = [
            (machine.data.offset(place), np.frombuffer(address.to_bytes(4, "big"), np.uint8))
            for place, address in self._layout.addresses.items()
        ]

    @classmethod
    def of(
        cls, case: Case, subject: Subject, *, covers: bool = False, checked: bool = False
    ) -> BoundCase:
        """The case laid onto a program, on a machine of its own.

        Args:
            case: the case.
            subject: the program.
            covers: whether the machine keeps which code calls execute.
            checked: whether its accesses to memory are checked, as far as the engine can.

        Raises:
            CaseError, ProgramError: a name of the case is not in the program, or of a wrong kind.
        """
        program, cpu = program_and_cpu(subject.of_case(case), None)
        engine = engine_of(subject.engine).made_for(subject.native)
        is_checked = checked and subject.engine == UNICORN and cpu.memory_hooks
        return cls.on(case, program, cpu, engine, covers=covers, checked=is_checked)

    @classmethod
    def on(
        cls,
        case: Case,
        program: Program,
        cpu: Cpu,
        engine: MakeEngine | None = None,
        *,
        covers: bool = False,
        checked: bool = False,
    ) -> BoundCase:
        """The case laid onto a program that has been read, on a machine of its own.

        Raises:
            CaseError, ProgramError: as of `of`.
        """
        most = case.budget or USUAL_INSTRUCTIONS
        budget = Budget(instructions=most, is_stated=bool(case.budget))
        make = partial(
            Machine, program, cpu, budget=budget, engine=engine, covers=covers, checked=checked
        )
        if not needs_heap(case):
            return cls(case, make(heap_size=0))
        machine = make(heap_size=PAGE)
        layout = lay_arguments(case, machine)
        size = max(layout.size, layout.odd().size)
        if size > PAGE:
            machine.close()
            machine = make(heap_size=size)
            layout = lay_arguments(case, machine)
        return cls(case, machine, layout)

    def at(self, seed: int) -> BoundCase:
        """The case on this machine in the layout of scenes with a seed; see `is_odd`."""
        usual = self._usual
        return usual._odd if usual._layout.byte_buffers and is_odd(seed) else usual

    def layouts(self, seeds: Sequence[int]) -> list[tuple[BoundCase, list[int]]]:
        """What `at` gives for some seeds, the usual layout first, and the places of its seeds."""
        found: dict[BoundCase, list[int]] = {}
        for place, seed in enumerate(seeds):
            found.setdefault(self.at(seed), []).append(place)
        return sorted(found.items(), key=lambda one: bool(one[0].arrangement))

    @functools.cached_property
    def _odd(self) -> BoundCase:
        return BoundCase(self.case, self.machine, self._layout.odd(), self)

    @property
    def arrangement(self) -> str:
        """What is unusual about the layout: "*s began at an odd address"; "" if nothing is."""
        if self is self._usual:
            return ""
        names = self._layout.byte_buffers
        where = "an odd address" if len(names) == 1 else "odd addresses"
        return f"{', '.join(names)} began at {where}"

    def before(
        self, scenes: Sequence[Scene], preparations: Sequence[Preparation] | None = None
    ) -> NDArray[np.uint8]:
        """(scenes, image size) images to begin calls with.

        Arrays of the scenes may have different lengths; calls of one batch are most alike in
        their work if the scenes have the same number of objects.

        Args:
            scenes: the scenes.
            preparations: how memory that is promised to nobody is filled, for each of them; as
                the loader leaves it if left out.

        Raises:
            CaseError: a scene lacks what the case fills in, or it does not fit the program.
            BeforeFailed: a routine that is called before did not return, or broke a rule.
        """
        self._asking.attend()
        return self._begun(
            scenes, preparations, lambda images: self._earlier.lay(images, preparations or ())
        )

    def _begun(
        self,
        scenes: Sequence[Scene],
        preparations: Sequence[Preparation] | None,
        go_on: Callable[[NDArray[np.uint8]], None],
    ) -> NDArray[np.uint8]:
        """The images of `before`; ``go_on`` puts what earlier calls have left into them."""
        around = None
        if preparations is not None and self.case.before:
            around = self.surroundings(preparations)
        images = self._loaded(scenes, preparations)
        if self.case.is_in_a_row:
            go_on(images)
        images, loaded = self._before.call(images, around), images
        if self.case.before:
            self.before_writes.note(loaded, images)
        for place, address in self._constants:
            images[:, place : place + 4] = address
        self.misfits.begin()
        self._give(images, scenes, self._slots.inputs)
        self._linked.lay(images, scenes)
        self._require_room(images)
        if not self.case.is_in_a_row:
            go_on(images)
        return images

    def _give(
        self, images: NDArray[np.uint8], scenes: Sequence[Scene], slots: Sequence[Slot]
    ) -> None:
        """Put what scenes give into some places of their images."""
        told = Columns.of(scenes)
        for slot in slots:
            given = self._values.given(told, slot)
            with self._slots.about(slot):
                self._values.store(slot, images, given, f"the scene's {slot.phrase.attribute}")
            self._lengths.give(slot, images, given)

    @property
    def not_kept(self) -> frozenset[int]:
        """Of the images that `before` gave last, those with nothing of earlier calls.

        They were to find what these have left of what is ignored, but those ask the Toolbox, or the
        engine does not execute them.
        """
        return self._earlier.not_kept

    def _call_once(
        self, scenes: Sequence[Scene], go_on: Callable[[NDArray[np.uint8]], None]
    ) -> Batch:
        """Make the calls of scenes, which find what ``go_on`` puts into their images."""
        images = self._begun(scenes, None, go_on)
        if self._before.has_asked:
            return Batch(images, {}, None, asked=tuple(range(len(images))))
        return self.calls.run(images)

    def _require_room(self, images: NDArray[np.uint8]) -> None:
        """Raise CaseError if a scene asks for more calls of ``repeat`` than it may have."""
        routines, case = self._layout.routines, self.case
        if not routines.counter or not case.repeat:
            return
        count = int(self.calls.counts(images).max(initial=0))
        if count > routines.most:
            raise case.error(
                "repeat:",
                f"the scene's {case.repeat} is {count:,}, more than the {routines.most:,} of the "
                "most objects that a scene has",
                remedy="Let scenes have as many objects as there are calls.",
            )

    def _loaded(
        self, scenes: Sequence[Scene], preparations: Sequence[Preparation] | None
    ) -> NDArray[np.uint8]:
        """Images that no routine has been called on, with the scenes' answers of the Toolbox."""
        preparations = Preparations.of(preparations or [Preparation()] * len(scenes))
        images = self._filled.make(preparations, self._left_by)
        fixed = self._layout.fixed
        for address in fixed.values():  # the routines that are called before need it, too
            value = self._layout.addresses.get(address, 0)
            place = self.machine.data.offset(address)
            images[:, place : place + 4] = np.frombuffer(value.to_bytes(4, "big"), np.uint8)
        own = [one for one in self._slots.inputs if one.variable.name in fixed] if fixed else []
        self._give(images, scenes, own)
        for slot in self._answers:
            store_answers(self.case, slot, images, self._values.given(scenes, slot).arrays)
        return images

    def run(
        self,
        before: NDArray[np.uint8],
        scenes: Sequence[Scene],
        preparations: Sequence[Preparation],
        around: Sequence[Surroundings] | None = None,
    ) -> Batch:
        """Make the calls of scenes.

        Args:
            before: what `before` gave for them.
            scenes: the scenes.
            preparations: how memory is filled for each of them.
            around: what the calls find on the stack and in registers; by default what these say.

        Returns:
            The images after the last call of each scene, up to the first scene with a fault. What
            sanitizers have found is among the violations, and what the program cannot hold of the
            scenes that `before` was last called with, and of their answers.
        """
        self._asking.attend()
        begin = self.begin(scenes, preparations)
        batch = self.calls.run(before, around or self.surroundings(preparations), begin)
        defects = self.defects(batch.after)
        if not defects and not self.misfits.rows and not self._declared_otherwise:
            return batch
        broken = dict(batch.violations)
        if self._declared_otherwise:
            for row in range(batch.completed):
                broken[row] = (*self._declared_otherwise, *broken.get(row, ()))
        for row, clauses in self.misfits.rows.items():
            if row < batch.completed:
                broken[row] = (*clauses, *broken.get(row, ()))
        for row, found in defects.items():
            more = f"; findings of sanitizers in all: {len(found)}" if len(found) > 1 else ""
            broken[row] = (*broken.get(row, ()), f"{found[0]}{more}")
        return replace(batch, violations=broken)

    def _prototype(self, slot: Slot) -> str:
        return self._layout.prototype(slot.variable.name, slot.member)

    @functools.cached_property
    def _declared_otherwise(self) -> tuple[str, ...]:
        """What the program declares such that it reads other values than the reference's."""
        right = declared_right(self.case, self.machine.program, self.machine.cpu.name)
        found = [] if right is None else read_otherwise(self.case, self.machine.program, right)
        return tuple(found)

    def _own_type(self, slot: Slot) -> GuestType | None:
        """What the case's own program declares in place of a slot; None if it cannot be made."""
        try:
            own = own_program(self.case, self.machine.cpu.name)
            if own is None or own.path == self.machine.program.path:
                return None
            bound = BoundCase.on(self.case, own, self.machine.cpu)
        except MacproofError:
            return None
        with closing(bound.machine):
            every = bound._slots.every
        return next((one.type for one in every if one.name == slot.name), None)

    @property
    def has_sanitizers(self) -> bool:
        """Whether the program notes what sanitizers find."""
        return bool(self._log.memory)

    def defects(self, images: NDArray[np.uint8]) -> dict[int, tuple[Defect, ...]]:
        """What the program's sanitizers have found before they left images; see `SanitizerLog`."""
        return self._log.read(images)

    def count(self, before: NDArray[np.uint8]) -> Counts:
        """Count what the calls of images execute; see `CallSequence.count`.

        Raises:
            GuestError: also if a routine that is called before asks the Toolbox.
        """
        if self._before.has_asked:
            raise GuestError("what calls the operating system is not counted")
        return self.calls.count(before)

    def begin(self, scenes: Sequence[Scene], preparations: Sequence[Preparation]) -> Begin | None:
        """What makes the calls again that precede those of scenes; None if they ask no Toolbox."""
        if not self._before.has_asked:
            return None

        def begin(row: int) -> None:
            chosen = [preparations[row]]
            image = self._loaded([scenes[row]], chosen)[0]
            self._before.again(image, self.surroundings(chosen)[0])

        return begin

    def _settle(self, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> None:
        """Make images after calls such that they can be compared."""
        settle_ends(self._slots.observed, before, after)
        if self._slots.linked:
            self._linked.settle(before, after)

    def surroundings(self, preparations: Sequence[Preparation]) -> list[Surroundings]:
        """What calls that are prepared so find on the stack and in registers."""
        return Preparations.of(preparations).surroundings(self._addresses)

    def _left_by(self, donors: Donors) -> NDArray[np.uint8]:
        """Images as calls on other scenes leave them.

        Arrays that a scene or its results do not fill go on with the same values, so that the
        end of each looks like the rest.
        """
        with self.misfits.unnoted():
            images, _ = self._answered(self.before(donors.scenes), donors.answers)
        filled = [(slot, self._values.given(donors.scenes, slot)) for slot in self._slots.inputs]
        filled += [
            (slot, self._values.answered(donors.answers, slot))
            for slot in self._slots.observed
            if slot not in self._slots.results
        ]
        for slot, column in filled:
            values = slot.view(images)
            for alike in column.alike:
                if slot.shape and 0 < alike.shape[0] < slot.shape[0]:
                    every = len(alike.rows) == len(images)
                    rows = slice(None) if every else alike.rows
                    again = np.arange(alike.shape[0], slot.shape[0]) % alike.shape[0]
                    values[rows, alike.shape[0] :] = values[rows].take(again, axis=1)
        return images

    def expected(
        self, before: NDArray[np.uint8], references: Sequence[Any]
    ) -> tuple[NDArray[np.uint8], int]:
        """The images calls should leave, and how many values of the reference they hold.

        Args:
            before: what `before` gave. Places that the reference's routine sets, whatever they hold
                and without being observed, get the complement of what it leaves there.
            references: the reference's answer to each scene, in the same order.

        Raises:
            CaseError: a reference lacks what the case observes, or it does not fit the program.
        """
        images, values = self._answered(before, references)
        return images, values + self.answers.lay_effects(before, images, references)

    def _answered(
        self, before: NDArray[np.uint8], references: Sequence[Any]
    ) -> tuple[NDArray[np.uint8], int]:
        """What `expected` gives, as far as the case observes it."""
        images, references = before.copy(), Columns.of(references)
        values = self._lay(before, images, references, self._slots.observed)
        if self._slots.linked:
            for image, answer in zip(images, references, strict=True):
                values += self._linked.expect(image, answer)
        return images, values

    def _lay(
        self,
        before: NDArray[np.uint8],
        images: NDArray[np.uint8],
        references: Columns,
        slots: Sequence[Slot],
    ) -> int:
        """Put what references say of some places into images; how many values that are."""
        values = 0
        results, routines = self._slots.results, self._layout.routines
        plan = self.calls.plan(before) if results else None
        for slot in slots:
            if plan is not None and slot in results:
                wanted = self._values.returned(slot, references, plan, routines)
            else:
                wanted = self._values.answered(references, slot)
            with self._slots.about(slot):
                self._values.store(slot, images, wanted, f"the reference's {slot.phrase.attribute}")
            self._lengths.expect(slot, images, wanted)
            values += int(wanted.sizes.sum()) - wanted.masked
        return values

    def elements(self, slot: Slot, image: NDArray[np.uint8]) -> int | None:
        """How many elements a place has in its block of a handle; None if it is in none."""
        return self._lengths.elements(slot, image)

    def unchanged(self, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """What a call should leave if nobody says what is right: what is observed may change.

        Args:
            before: (image size,) the image that the call began with.
            after: (image size,) what it left. Where a case observes trees or lists, all of it.
        """
        if self._slots.linked:
            return after
        image = before.copy()
        for slot in self._slots.observed:
            slot.view(image[np.newaxis])[...] = slot.view(after[np.newaxis])
        return image

    def partly_expected(
        self, before: NDArray[np.uint8], after: NDArray[np.uint8], answer: Any
    ) -> NDArray[np.uint8]:
        """What a call should leave if an answer says only some of what is observed.

        Args:
            before: (image size,) the image that the call began with.
            after: (image size,) what it left; what the answer lacks or masks may be anything.
            answer: an object with attributes as a reference's answer has them. Trees and lists that
                pointers link are not compared.

        Raises:
            CaseError: what it says does not fit the program.
        """
        image = self.unchanged(before, after)[np.newaxis].copy()
        said = [one for one in self._slots.observed if hasattr(answer, one.phrase.attribute)]
        self._lay(before[np.newaxis], image, Columns([answer]), said)
        return np.asarray(image[0])

    def inputs_compared(self, scenes: Sequence[Scene], count: int | None = None) -> int:
        """How many input values of scenes are checked to be untouched.

        Args:
            scenes: the scenes.
            count: how many of them, from the first; None is all.
        """
        sizes = [self._values.given(scenes, slot).sizes for slot in self._slots.inputs]
        return sum(int(one[:count].sum()) for one in sizes)

    def divergence(
        self,
        expected: NDArray[np.uint8],
        found: NDArray[np.uint8],
        rerun: Rerun | None = None,
    ) -> Divergence | None:
        """The first difference of two images of shape (image size,), or None.

        ``rerun`` says what became of the scene with its memory filled in another way.
        """
        first = self.differences.first(expected, found, rerun)
        call = re.match(rf"{RECORD}\[(\d+)\]", first.place) if first and self.case.calls else None
        if first is None or call is None:
            return first
        count = int(np.sum(self.calls.plan(expected[np.newaxis]) != NO_CALL))
        told = f"call {int(call[1]) + 1} of {count}"
        return replace(first, note="; ".join([told, first.note] if first.note else [told]))

    def rerun(
        self, before: NDArray[np.uint8], scene: Scene, preparation: Preparation
    ) -> Rerun | None:
        """The same call with the complement of every filled byte; None if it does not come back.

        ``before`` is the image the call began with.
        """
        other = replace(preparation, inverted=True)
        try:
            again = self.before([scene], [other])
        except PrecedingCallError:
            return None
        batch = self.run(again, [scene], [other])
        return Rerun(before, again[0], batch.after[0]) if batch.completed else None

    @property
    def argument_variables(self) -> list[Variable]:
        """The memory of the routine's arguments, and of the Toolbox's answers."""
        return [*self._layout.every(), *self._layout.answers.values()]

    def beside(self, address: int) -> str:
        """What an address lies behind, in words; "" if it is not just behind an argument."""
        return self._layout.beside(address)

    @property
    def observed(self) -> tuple[Slot, ...]:
        """The places that the case observes."""
        return tuple(self._slots.observed)

    @property
    def named(self) -> list[Slot]:
        """The places that the case observes, and those that it fills in."""
        return self._slots.every

    @property
    def variables(self) -> Mapping[str, Sequence[Variable]]:
        """The variables of the program and of the call's arguments, by their names."""
        own = {name: [one] for name, one in self._layout.variables.items()}
        return {**self.machine.program.variables, **own}

    @property
    def results(self) -> dict[Slot, int]:
        """Of routines that are called in a row, the places with results; see `CaseSlots`."""
        return self._slots.results

    def observation(self, image: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        """Everything a case observes or fills in, from an image of shape (image size,).

        Pointers appear as the index of the element they point at: -1 for null, -2 for anything
        outside. Values are in the host's byte order, so observations of different processors
        can be compared; long doubles are `WideFloat` objects.
        """
        values = {}
        for slot in self._slots.every:
            raw = slot.numbers(slot.values(image[np.newaxis])[0])
            if slot.type.kind == "pointer":
                values[slot.name] = self._slots.pools.indices(slot, raw)
            else:
                host = np.float64 if slot.type.kind == "float" else np.int64
                with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
                    values[slot.name] = raw if slot.type.wide is not None else raw.astype(host)
        return values
