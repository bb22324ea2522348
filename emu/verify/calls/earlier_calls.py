"""What earlier calls of a routine leave of variables that are ignored, for a later call to find.

Nobody compares such a variable, so a later call is all that can tell what was left in it: a table
that nobody has cleared, a counter that is never set back. It may hold what it holds as loaded, or
what calls of the routine itself have left there. Both are states that the program can be in. Other
contents need not be: a routine may build a table once, and note that in a flag.

A call goes on with what an earlier call has left. Where a scene is several calls in a row, that
happens within the scene, and the reference says what each of them does. So the routines that are
called before it, such as one that empties a queue, are called between one scene and the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.parts import Scene, describe_scene
from emu.machine import Batch
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.scenes.fills import Preparation


@dataclass(frozen=True, slots=True, eq=False)
class EarlierRound:
    """Earlier calls that are made at once.

    Attributes:
        rows: for each of them, the call that it comes before.
        scenes: the scene of each.
        states: by its place among them, what a call finds that another has left.
    """

    rows: Sequence[int]
    scenes: Sequence[Scene]
    states: Mapping[int, NDArray[np.uint8]]


class EarlierCalls:
    """The calls of `Preparation.earlier`, and what they leave of what is ignored.

    Whoever makes the calls asks for `rounds`, and gives each batch to `note`.

    Args:
        case: the case.
        places: the bytes of an image, by their offsets, that one call leaves to the next.
        preparations: how the calls are prepared that come after them.

    Attributes:
        states: what the last earlier call leaves in these places, by the row of the call that
            comes after it; only where all could be made.
    """

    def __init__(
        self, case: Case, places: NDArray[np.intp], preparations: Sequence[Preparation]
    ) -> None:
        self._case = case
        self._places = places
        rows = [
            row
            for row, preparation in enumerate(preparations)
            if preparation.earlier and len(places)
        ]
        self._rows = frozenset(rows)
        self._going_on = [(row, preparations[row].earlier) for row in rows]
        self.states: dict[int, NDArray[np.uint8]] = {}

    @property
    def not_kept(self) -> frozenset[int]:
        """The rows of calls that find nothing of earlier ones.

        What calls leave that ask the Toolbox, such as a handle, is of no use to a call that finds
        another Macintosh. Others have an instruction that the engine does not execute.
        """
        return self._rows - self.states.keys()

    def rounds(self) -> Iterator[EarlierRound]:
        """The first call of each row, then the second of those whose first returned, and so on."""
        for number in range(max((len(scenes) for _, scenes in self._going_on), default=0)):
            calls = [(row, given[number]) for row, given in self._going_on if number < len(given)]
            if calls:
                yield EarlierRound(
                    [row for row, _ in calls],
                    [scene for _, scene in calls],
                    {
                        place: self.states[row]
                        for place, (row, _) in enumerate(calls)
                        if row in self.states
                    },
                )

    def note(self, calls: EarlierRound, batch: Batch) -> None:
        """Note what a round has left.

        Raises:
            PrecedingCallError: a call did not return, or broke the call contract.
        """
        self._require_good(calls, batch)
        lost = {row for place, row in enumerate(calls.rows) if place in batch.asked}
        lost |= set(calls.rows[batch.completed :])
        for row, image in zip(calls.rows, batch.after, strict=False):
            if row not in lost:
                self.states[row] = image[self._places]
        for row in lost:
            self.states.pop(row, None)
        self._going_on = [call for call in self._going_on if call[0] not in lost]

    def _require_good(self, calls: EarlierRound, batch: Batch) -> None:
        rows, scenes = calls.rows, calls.scenes
        for place, sentences in sorted(batch.violations.items()):
            broken = tuple(f"{self._words(scenes[place])}: {clause}" for clause in sentences)
            raise PrecedingCallError(rows[place], "; ".join(broken), violations=broken)
        fault = batch.fault
        if fault is not None and not fault.is_undecided:
            words = self._words(scenes[batch.completed])
            reason = f"{words}: {fault.reason}, at {fault.location}"
            raise PrecedingCallError(rows[batch.completed], reason, f"{words}: {fault.describe()}")

    def _words(self, scene: Scene) -> str:
        return f"an earlier call of {self._case.call} ({describe_scene(scene)})"
