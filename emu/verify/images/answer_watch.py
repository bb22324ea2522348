"""What the answers of a case's reference are worth on one program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.recorded_calls import MOST_CALLS
from emu.machine import Surroundings
from emu.verify.calls.call_sequence import CallSequence
from emu.verify.images.answer_notes import LOOKED_AT, NO_NOTES, AnswerNotes, digest_of
from emu.verify.images.differences import Differences
from emu.verify.images.port_effects import PortEffects
from emu.verify.images.slot_values import SlotValues
from emu.verify.places.case_slots import CaseSlots
from emu.verify.places.slots.argument_layout import ArgumentLayout
from emu.verify.places.slots.effects import EFFECTS
from emu.verify.places.unfilled_globals import unfilled_globals


class AnswerWatch:
    """Lays what answers have beside the observed places, and looks at all of them.

    Args:
        case: the case.
        calls: its calls on the program's machine.
        layout: where its arguments lie.
        slots: its places.
        values: puts values into places.
        differences: what compares them.
    """

    def __init__(
        self,
        case: Case,
        calls: CallSequence,
        layout: ArgumentLayout,
        slots: CaseSlots,
        values: SlotValues,
        differences: Differences,
    ) -> None:
        self._case = case
        self._calls = calls
        self._slots = slots
        self._effects = PortEffects(slots.implied, values, differences.observe)
        data = calls.machine.data
        counts = [
            (one, one.slots(data.offset(one.variable.address))[0]) for one in layout.transcripts
        ]
        self._free = [(one, count) for one, count in counts if not one.is_compared]
        self._compared = [(one, count) for one, count in counts if one.is_compared]
        self._left_out = tuple(
            f"{what} in calls of {one.function}"
            for one in layout.transcripts
            if one.is_compared
            for what in one.left_out
        )
        self._names = [*(one.phrase.attribute for one in slots.observed), EFFECTS]
        self._names += [one.attribute for one in case.observed if one.phrase.nodes]

    def lay_effects(
        self, before: NDArray[np.uint8], images: NDArray[np.uint8], references: Sequence[Any]
    ) -> int:
        """Put into images what answers say of places that the case does not observe.

        Args:
            before: the images before the calls, in which some of these places get other values.
            images: those that the calls should leave.
            references: the answers.

        Returns:
            How many values that is.
        """
        return 0 if self._case.routine is None else self._effects.lay(before, images, references)

    def notes(
        self, references: Sequence[Any], inputs: Sequence[bytes], after: NDArray[np.uint8]
    ) -> AnswerNotes:
        """What is known of answers beside what the case observes.

        Args:
            references: the answers.
            inputs: the digests of the scenes.
            after: (scenes, image size), what the calls have left.
        """
        notes = NO_NOTES if self._case.routine is None else self._effects.notes(references)
        called = [one for one, count in self._free if one.is_free or count.view(after).any()]
        most = {one.function: int(n.view(after).max(initial=0)) for one, n in self._compared}
        return replace(
            notes,
            reference=self._case.reference,
            looked_at=frozenset(inputs[:LOOKED_AT]),
            distinct=frozenset(digest_of(one, self._names) for one in references[:LOOKED_AT]),
            free=tuple(one.function for one, _ in self._free),
            called=tuple(one.function for one in called),
            calls_beyond=tuple(one for one in most.items() if one[1] > MOST_CALLS),
            left_out=self._left_out,
        )

    def unfilled(self, before: NDArray[np.uint8], around: Surroundings) -> tuple[str, ...]:
        """The globals that the call on an image reads and no scene fills; see `unfilled_globals`.

        Args:
            before: (image size,) the image.
            around: what the call finds on the stack and in registers.
        """
        if not self._calls.is_single:
            return ()
        filled = {one.variable.addresses for one in self._slots.every}
        machine = self._calls.machine
        return unfilled_globals(machine, self._calls.first, before, around, filled)
