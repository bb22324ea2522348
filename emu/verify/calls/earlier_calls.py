"""Earlier calls, for the fill KEPT: a later call finds the ignored variables as they left them.

Nobody compares an ignored variable. So only a later call can show a mistake in it, such as a table
that is not cleared or a counter that is not set back. Before a call, such a variable holds what it
holds as loaded, or what calls of the routine itself have left. The program can be in both states.
It need not be right with any other contents: a routine may build a table once, and note that in a
flag.

If a scene is several calls in a row, state already goes on from call to call within the scene, and
the reference says what each call does. There, the routines that the case calls before a scene, such
as one that empties a queue, are called between one scene and the next, too.
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
    """Earlier calls that are made in one batch: the n-th of each later call.

    Attributes:
        rows: for each of them, the row of the later call that it comes before.
        scenes: the scene of each.
        states: by the index in ``rows``, the ignored bytes that the call before it left; absent if
            it is the first.
    """

    rows: Sequence[int]
    scenes: Sequence[Scene]
    states: Mapping[int, NDArray[np.uint8]]


class EarlierCalls:
    """The calls of `Preparation.earlier`, and the ignored bytes that they leave.

    `BeforeImages` makes the calls: it takes each round of `rounds`, and gives the batch to `note`.

    Args:
        case: the case.
        places: the offsets in an image of the bytes that one call leaves to the next.
        preparations: the preparations of the later calls.

    Attributes:
        states: by the row of the later call, the bytes that the last earlier call left in
            ``places``; absent if one of its earlier calls could not be used.
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
        """The rows of later calls whose earlier calls could not be used.

        Either an earlier call asked the Toolbox, so that it may have left a handle, which means
        nothing in the next call's Toolbox; or the engine does not execute one of its instructions.
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
        """Keep the ignored bytes that the calls of a round have left.

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
