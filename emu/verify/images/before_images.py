"""Writes scenes into images of memory: what the calls of a routine begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.arguments import Phrase
from emu.cases.keys.parts import InitialValue, Scene
from emu.machine import Batch, Surroundings
from emu.verify.calls.earlier_calls import EarlierCalls
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.answer_images import AnswerImages
from emu.verify.images.filled_images import FilledImages, places_to_fill
from emu.verify.images.linked_values import LinkedValues
from emu.verify.images.scene_images import SceneImages
from emu.verify.images.settled_calls import SettledCalls
from emu.verify.images.slot_values import SlotValues
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.misfits import Misfits
from emu.verify.places.slots.fields import Slot
from emu.verify.places.toolbox_answers import store_answers
from emu.verify.scenes.columns import Column, Columns
from emu.verify.scenes.fills import Donors, Preparation, Preparations

_AS_LOADED = (Preparation(),)


class BeforeImages:
    """Makes the images that calls on one program begin with.

    Args:
        bound: the case laid onto the program.
        settled: makes calls that come before others.
        values: puts values into places.
        linked: puts trees and lists there.
        answers: says what calls leave, for memory as another scene's results had left it.
    """

    def __init__(
        self,
        bound: BoundCase,
        settled: SettledCalls,
        values: SlotValues,
        linked: LinkedValues,
        answers: AnswerImages,
    ) -> None:
        self._bound = bound
        self._settled = settled
        self._values = values
        self._linked = linked
        self._answers = answers
        self._addresses = bound.slots.pools.some_addresses()
        data, layout, slots = bound.machine.data, bound.layout, bound.slots
        self._told = [
            Slot(
                answer,
                (),
                answer.type,
                data.offset(answer.address),
                Phrase(bound.case.toolbox[name]),
            )
            for name, answer in layout.answers.items()
        ]
        first = data.offset(layout.start) if layout.start else 0
        heap = slice(first, first + layout.size if layout.start else 0)
        scratch = slots.ignored_as(InitialValue.SCRATCH)
        size = len(bound.machine.pristine)
        places = places_to_fill(slots.every, size, [heap, *scratch])
        self._filled = FilledImages(bound.machine.pristine, places)
        kept = np.zeros(size, np.bool_)
        for part in [*slots.ignored_as(InitialValue.KEPT), *scratch]:
            kept[part] = True
        self._kept = np.flatnonzero(kept)
        self._constants = [
            (data.offset(place), np.frombuffer(address.to_bytes(4, "big"), np.uint8))
            for place, address in layout.addresses.items()
        ]

    def make(
        self, scenes: Sequence[Scene], preparations: Sequence[Preparation] | None = None
    ) -> SceneImages:
        """The images to begin calls with.

        Arrays of the scenes may have different lengths; calls of one batch are most alike in
        their work if the scenes have the same number of objects.

        Args:
            scenes: the scenes.
            preparations: how memory that is promised to nobody is filled, for each of them; as
                the loader leaves it if left out.

        Raises:
            CaseError: a scene lacks what the case fills in, or it does not fit the program.
            PrecedingCallError: a routine that is called before did not return, or broke a rule.
        """
        self._settled.attend()
        plan = Preparations.of(preparations or [Preparation()] * len(scenes))
        return self._make(scenes, plan, None)

    def surroundings(self, preparations: Sequence[Preparation]) -> list[Surroundings]:
        """What calls that are prepared so find on the stack and in registers."""
        return Preparations.of(preparations).surroundings(self._addresses)

    def _make(
        self,
        scenes: Sequence[Scene],
        plan: Preparations,
        states: Mapping[int, NDArray[np.uint8]] | None,
    ) -> SceneImages:
        """The images; ``states`` says what some find of earlier calls, None makes these first."""
        bound, misfits = self._bound, Misfits()
        around = self.surroundings(plan)
        written = np.zeros(len(bound.machine.pristine), np.bool_)
        images = self._loaded(scenes, plan, written)
        earlier = EarlierCalls(bound.case, self._kept, plan)
        if bound.case.is_in_a_row:
            self._go_on(images, earlier, states, written)
        loaded = images
        images, has_asked = self._called_before(loaded, around, written)
        for place, address in self._constants:
            images[:, place : place + 4] = address
        self._give(images, scenes, bound.slots.inputs, misfits)
        self._linked.lay(images, scenes)
        self._require_room(images)
        if not bound.case.is_in_a_row:
            self._go_on(images, earlier, states, written)
        return SceneImages(
            bound,
            scenes,
            plan,
            images,
            around,
            loaded if has_asked else None,
            misfits.rows,
            earlier.not_kept,
            written if bound.case.before else None,
        )

    def _loaded(
        self, scenes: Sequence[Scene], plan: Preparations, written: NDArray[np.bool_]
    ) -> NDArray[np.uint8]:
        """Images that no routine has been called on, with the scenes' answers of the Toolbox."""
        bound = self._bound
        left = self._left_by(plan.donors, written) if plan.donors.rows else None
        images = self._filled.make(plan, left)
        fixed = bound.layout.fixed
        for address in fixed.values():  # the routines that are called before need it, too
            value = bound.layout.addresses.get(address, 0)
            place = bound.machine.data.offset(address)
            images[:, place : place + 4] = np.frombuffer(value.to_bytes(4, "big"), np.uint8)
        own = [slot for slot in bound.slots.inputs if slot.variable.name in fixed] if fixed else []
        self._give(images, scenes, own, Misfits())
        for slot in self._told:
            store_answers(bound.case, slot, images, self._values.inputs(scenes, slot).arrays)
        return images

    def _left_by(self, donors: Donors, written: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Images as calls on other scenes leave them."""
        try:
            laid = self._make(donors.scenes, Preparations.of(_AS_LOADED * len(donors.rows)), {})
        except PrecedingCallError as failed:
            failed.row = donors.rows[failed.row]
            raise
        _add(written, laid.written)
        images, _ = self._answers.answered(laid.before, donors.answers, Misfits())
        slots = self._bound.slots
        for slot in slots.inputs:
            _go_round(slot, images, self._values.inputs(donors.scenes, slot))
        for slot in slots.observed:
            if slot not in slots.results:
                _go_round(slot, images, self._values.answered(donors.answers, slot))
        return images

    def _called_before(
        self, images: NDArray[np.uint8], around: Sequence[Surroundings], written: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint8], bool]:
        """The images that the routines leave that are called before; whether these ask."""
        if not self._bound.case.before:
            return images, False
        left, has_asked = self._bound.preceding.call(images, around)
        _add(written, (left != images).any(axis=0))
        return left, has_asked

    def _give(
        self,
        images: NDArray[np.uint8],
        scenes: Sequence[Scene],
        slots: Sequence[Slot],
        misfits: Misfits,
    ) -> None:
        """Put what scenes give into some places of their images."""
        columns = Columns.of(scenes)
        for slot in slots:
            given = self._values.inputs(columns, slot)
            with self._bound.slots.about(slot):
                what = f"the scene's {slot.phrase.attribute}"
                self._values.store(slot, images, given, what, misfits)
            self._bound.lengths.give(slot, images, given)

    def _go_on(
        self,
        images: NDArray[np.uint8],
        earlier: EarlierCalls,
        states: Mapping[int, NDArray[np.uint8]] | None,
        written: NDArray[np.bool_],
    ) -> None:
        """Let calls find what earlier ones have left; make those if their states are not known."""
        if states is None:
            states = self._states_after(earlier, written)
        for row, state in states.items():
            images[row, self._kept] = state

    def _states_after(
        self, earlier: EarlierCalls, written: NDArray[np.bool_]
    ) -> dict[int, NDArray[np.uint8]]:
        """Make all earlier calls; what the last of each row leaves."""
        for calls in earlier.rounds():
            plan = Preparations.of(_AS_LOADED * len(calls.rows))
            try:
                laid = self._make(calls.scenes, plan, calls.states)
            except PrecedingCallError as failed:
                failed.row = calls.rows[failed.row]
                raise
            _add(written, laid.written)
            if laid.loaded is not None:  # what they got from the Toolbox is of no use later
                batch = Batch(laid.before, {}, None, asked=tuple(range(len(calls.rows))))
            else:
                batch = self._settled.run(laid.before, laid.around)
            earlier.note(calls, batch)
        return earlier.states

    def _require_room(self, images: NDArray[np.uint8]) -> None:
        """Raise CaseError if a scene asks for more calls of ``repeat`` than it may have."""
        case, calls = self._bound.case, self._bound.calls
        if not calls.routines.counter or not case.repeat:
            return
        count = int(calls.counts(images).max(initial=0))
        if count > calls.routines.most:
            raise case.error(
                "repeat:",
                f"the scene's {case.repeat} is {count:,}, more than the {calls.routines.most:,} of "
                "the most objects that a scene has",
                remedy="Let scenes have as many objects as there are calls.",
            )


def _go_round(slot: Slot, images: NDArray[np.uint8], column: Column) -> None:
    """Let an array that a scene fills in part go on with the same values.

    So its unused end looks like the rest of it. A routine that goes too far meets numbers and
    pointers there that are as good as any: of 5 objects in an array of 8, the sixth is the first.
    """
    values = slot.view(images)
    for alike in column.alike:
        if slot.shape and 0 < alike.shape[0] < slot.shape[0]:
            every = len(alike.rows) == len(images)
            rows = slice(None) if every else alike.rows
            again = np.arange(alike.shape[0], slot.shape[0]) % alike.shape[0]
            values[rows, alike.shape[0] :] = values[rows].take(again, axis=1)


def _add(written: NDArray[np.bool_], more: NDArray[np.bool_] | None) -> None:
    if more is not None:
        written |= more
