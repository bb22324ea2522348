"""Makes notes about the reference's answers: whether they are evidence for a verdict on a program.

For example, if all answers are equal, a routine that returns a constant would pass. The answers of
one batch go in, `AnswerNotes` come out, and `result_of` adds them to the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.recorded_calls import MOST_CALLS
from emu.machine import Surroundings
from emu.verify.images.answer_notes import LOOKED_AT, NO_NOTES, AnswerNotes, digest_of
from emu.verify.images.port_effects import PortEffects
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.slots.effects import EFFECTS
from emu.verify.places.unfilled_globals import unfilled_globals


class AnswerWatch:
    """Makes notes about answers, and about places that calls change and the case does not observe.

    Args:
        bound: the case laid onto a program.
        effects: finds the places that the reference's routine writes and the case does not observe.
    """

    def __init__(self, bound: BoundCase, effects: PortEffects) -> None:
        self._case = case = bound.case
        self._bound = bound
        self._effects = effects
        layout, slots = bound.layout, bound.slots
        data = bound.machine.data
        counts = [
            (transcript, transcript.slots(data.offset(transcript.variable.address))[0])
            for transcript in layout.transcripts
        ]
        self._free = [
            (transcript, count) for transcript, count in counts if not transcript.is_compared
        ]
        self._compared = [
            (transcript, count) for transcript, count in counts if transcript.is_compared
        ]
        self._left_out = tuple(
            f"{what} in calls of {transcript.function}"
            for transcript in layout.transcripts
            if transcript.is_compared
            for what in transcript.left_out
        )
        self._names = [*(slot.phrase.attribute for slot in slots.observed), EFFECTS]
        self._names += [observed.attribute for observed in case.observed if observed.phrase.nodes]

    def notes(
        self, references: Sequence[Any], inputs: Sequence[bytes], after: NDArray[np.uint8]
    ) -> AnswerNotes:
        """Make notes about the answers of one batch.

        Args:
            references: the answers.
            inputs: the digests of the scenes, from `digests_of`.
            after: (scenes, image size) uint8, what the calls have left.
        """
        notes = NO_NOTES if self._case.routine is None else self._effects.notes(references)
        called = [
            transcript
            for transcript, count in self._free
            if transcript.is_free or count.view(after).any()
        ]
        most = {
            transcript.function: int(n.view(after).max(initial=0))
            for transcript, n in self._compared
        }
        return replace(
            notes,
            reference=self._case.reference,
            looked_at=frozenset(inputs[:LOOKED_AT]),
            distinct=frozenset(
                digest_of(reference, self._names) for reference in references[:LOOKED_AT]
            ),
            free=tuple(transcript.function for transcript, _ in self._free),
            called=tuple(transcript.function for transcript in called),
            calls_beyond=tuple(pair for pair in most.items() if pair[1] > MOST_CALLS),
            left_out=self._left_out,
        )

    def unfilled(self, before: NDArray[np.uint8], around: Surroundings) -> tuple[str, ...]:
        """The globals that the call on an image reads and no scene fills; see `unfilled_globals`.

        Args:
            before: (image size,) the image.
            around: what the call finds on the stack and in registers.
        """
        bound = self._bound
        if not bound.calls.is_single:
            return ()
        filled = {slot.variable.addresses for slot in bound.slots.every}
        return unfilled_globals(bound.machine, bound.calls.first, before, around, filled)
