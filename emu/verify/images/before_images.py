"""Writes scenes into images of memory: what the calls of a routine begin with.

The first stage on a program: scenes and `Preparations` go in, `SceneImages` come out. An image is
written in layers, each over the one before:

1. the program as loaded, with what nobody promised filled as the preparation says; for a STALE fill
   with what a call on another scene, the *donor*, would have left;
2. what the routines leave that the case calls before, such as ``InitLife``;
3. the inputs of the scene, and its trees and lists;
4. for a KEPT fill, the ignored variables as earlier calls left them (under layer 2 if a scene makes
   several calls in a row).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
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
from emu.verify.images.shared_images import SharedImages
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
        settled: makes the earlier calls of a KEPT fill.
        values: writes single values and arrays into images.
        linked: writes trees and lists into images.
        answers: writes the answers of donors into images, for a STALE fill.
        shared: gives images that other programs have made.
    """

    def __init__(
        self,
        bound: BoundCase,
        settled: SettledCalls,
        values: SlotValues,
        linked: LinkedValues,
        answers: AnswerImages,
        shared: SharedImages,
    ) -> None:
        self._bound = bound
        self._settled = settled
        self._values = values
        self._linked = linked
        self._answers = answers
        self._shared = shared
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
        """Make the images that the calls on some scenes begin with.

        The arrays of the scenes may have different lengths. Scenes of equal sizes are laid faster,
        since their arrays are stacked. Programs with equal layouts, which most builds of a case
        have, share the images of scenes that come as columns: these cannot be written to. See
        `image_layout`.

        Args:
            scenes: the scenes.
            preparations: how memory that nobody promised is filled, for each scene; None leaves it
                as loaded.

        Raises:
            CaseError: a scene lacks what the case fills in, or it does not fit the program.
            PrecedingCallError: a routine that is called before did not return, or broke a rule of
                the call contract.
        """
        self._settled.attend()
        plan = Preparations.of(preparations or _AS_LOADED * len(scenes))
        make = partial(self._make, scenes, plan, None)
        return self._shared.get(scenes, plan, make, lambda laid: laid.before)

    def surroundings(self, preparations: Sequence[Preparation]) -> list[Surroundings]:
        """What calls with these preparations find on the stack and in registers."""
        return Preparations.of(preparations).surroundings(self._addresses)

    def _make(
        self,
        scenes: Sequence[Scene],
        plan: Preparations,
        states: Mapping[int, NDArray[np.uint8]] | None,
    ) -> SceneImages:
        """Make the images, in the order of layers that the module names.

        ``states`` has the ignored bytes that earlier calls left, by the row of their scene; None
        makes those calls first, for which this method is called again with the states so far.
        """
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
        """Images before any call, with the answers that scenes give to Toolbox calls."""
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
        """(rows with a donor, image size) images as calls on the donors' scenes would leave them.

        No call of the routine is made: its inputs are laid, and the reference's answers over them.
        So memory holds right results of another scene, even if the program under test is wrong. It
        costs one more laying: 22 us a scene instead of 6 us for any other fill (four-shifts). A
        search has the same donors in each batch, whose images are kept: to lay them anew took a
        third of its time on ``examples/quicksort``.
        """
        make = partial(self._laid_by, donors)
        left = self._shared.get(donors.scenes, "left", make, lambda laid: laid.before)
        _add(written, left.written)
        return left.before[list(donors.places)]

    def _laid_by(self, donors: Donors) -> SceneImages:
        """The images of `_left_by`, one for each donor."""
        try:
            laid = self._make(donors.scenes, Preparations.of(_AS_LOADED * len(donors.scenes)), {})
        except PrecedingCallError as failed:
            failed.row = donors.rows_of([failed.row])[0]
            raise
        except MacproofError as failed:
            failed.rows = donors.rows_of(failed.rows)
            raise
        images, _ = self._answers.answered(laid.before, donors.answers, Misfits())
        slots = self._bound.slots
        for slot in slots.inputs:
            _go_round(slot, images, self._values.inputs(donors.scenes, slot))
        for slot in slots.observed:
            if slot not in slots.results:
                _go_round(slot, images, self._values.answered(donors.answers, slot))
        return replace(laid, before=images)

    def _called_before(
        self, images: NDArray[np.uint8], around: Sequence[Surroundings], written: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint8], bool]:
        """Call the routines that come before; their images, and whether any asked the Toolbox."""
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
        """Write the values that scenes have for some slots into their images."""
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
        """Write the ignored bytes that earlier calls left; make these calls if states is None."""
        if states is None:
            states = self._states_after(earlier, written)
        for row, state in states.items():
            images[row, self._kept] = state

    def _states_after(
        self, earlier: EarlierCalls, written: NDArray[np.bool_]
    ) -> dict[int, NDArray[np.uint8]]:
        """Make all earlier calls; the ignored bytes that the last call of each row leaves."""
        for calls in earlier.rounds():
            plan = Preparations.of(_AS_LOADED * len(calls.rows))
            try:
                laid = self._make(calls.scenes, plan, calls.states)
            except PrecedingCallError as failed:
                failed.row = calls.rows[failed.row]
                raise
            _add(written, laid.written)
            if laid.loaded is not None:  # handles they got are invalid in the next call's Toolbox
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
    """Repeat the values of an array that a scene fills in part, up to the array's end.

    For example, 5 objects in an array of 8 are followed by the first three of them again. So a
    routine that goes one too far meets a plausible object, not zeros, at which it might stop.
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
