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

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.parts import Scene, describe_scene
from emu.machine import Batch
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.scenes.fills import Preparation

CallOnce = Callable[[Sequence[Scene], Callable[[NDArray[np.uint8]], None]], Batch]
"""Makes a call on each of some scenes, whose images a function changes before."""


class EarlierCalls:
    """Makes the calls of `Preparation.earlier`, and keeps what they leave of what is ignored.

    Args:
        case: the case.
        kept: the bytes of an image that one call leaves to the next.
        size: the size of an image in bytes.
        call: makes the calls.

    Attributes:
        not_kept: which of the images that `lay` changed last have nothing of earlier calls.
    """

    def __init__(self, case: Case, kept: Sequence[slice], size: int, call: CallOnce) -> None:
        self._case = case
        places = np.zeros(size, np.bool_)
        for part in kept:
            places[part] = True
        self._places = np.flatnonzero(places)
        self._call = call
        self.not_kept: frozenset[int] = frozenset()

    def lay(self, images: NDArray[np.uint8], preparations: Sequence[Preparation]) -> None:
        """Change images to what earlier calls leave, where preparations have such calls.

        What calls leave that ask the Toolbox, such as a handle, is of no use to a call that finds
        another Macintosh. So their images stay as they are.

        Args:
            images: (calls, image size) those that the calls begin with.
            preparations: how each is prepared; none if no call has earlier ones.

        Raises:
            BeforeFailed: an earlier call did not return, or broke the call contract.
        """
        rows = np.array([row for row, one in enumerate(preparations) if one.earlier], np.intp)
        if not len(rows) or not len(self._places):
            self.not_kept = frozenset()
            return
        left = self._left(rows, [preparations[row].earlier for row in rows])
        for row, state in left.items():
            images[row, self._places] = state
        self.not_kept = frozenset(rows.tolist()) - left.keys()

    def _left(
        self, rows: NDArray[np.intp], earlier: Sequence[tuple[Scene, ...]]
    ) -> dict[int, NDArray[np.uint8]]:
        """The state that the last earlier call leaves, by row; only where all could be made."""
        states: dict[int, NDArray[np.uint8]] = {}
        going_on = list(zip(rows.tolist(), earlier, strict=True))
        for number in range(max(map(len, earlier))):
            calls = [(row, scenes[number]) for row, scenes in going_on if number < len(scenes)]
            batch = self._next([row for row, _ in calls], [scene for _, scene in calls], states)
            lost = {row for place, (row, _) in enumerate(calls) if place in batch.asked}
            lost |= {row for row, _ in calls[batch.completed :]}
            states |= {
                row: image[self._places]
                for (row, _), image in zip(calls, batch.after, strict=False)
                if row not in lost
            }
            for row in lost:
                states.pop(row, None)
            going_on = [one for one in going_on if one[0] not in lost]
        return states

    def _next(
        self,
        rows: Sequence[int],
        scenes: Sequence[Scene],
        states: dict[int, NDArray[np.uint8]],
    ) -> Batch:
        """Make the next earlier call of each row, which finds what the one before has left."""

        def go_on(images: NDArray[np.uint8]) -> None:
            for image, row in zip(images, rows, strict=True):
                if row in states:
                    image[self._places] = states[row]

        if not rows:
            return Batch(np.empty((0, 0), np.uint8), {}, None)
        try:
            batch = self._call(scenes, go_on)
        except PrecedingCallError as failed:
            failed.row = rows[failed.row]
            raise
        for place, sentences in sorted(batch.violations.items()):
            broken = tuple(f"{self._words(scenes[place])}: {clause}" for clause in sentences)
            raise PrecedingCallError(rows[place], "; ".join(broken), violations=broken)
        fault = batch.fault
        if fault is not None and not fault.is_undecided:
            words = self._words(scenes[batch.completed])
            reason = f"{words}: {fault.reason}, at {fault.location}"
            raise PrecedingCallError(rows[batch.completed], reason, f"{words}: {fault.describe()}")
        return batch

    def _words(self, scene: Scene) -> str:
        return f"an earlier call of {self._case.call} ({describe_scene(scene)})"
