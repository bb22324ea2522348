"""Makes calls on images, and then settles what they left, so that it can be compared byte for byte.

To settle is: bytes behind a text that is compared alone are put back, and trees and lists are
replaced by their transcripts. Images go in; a `Batch` with settled images comes out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.machine import Batch, Surroundings
from emu.verify.calls.successive_calls import Begin
from emu.verify.images.asking_calls import AskingCalls
from emu.verify.images.linked_values import LinkedValues
from emu.verify.images.text_ends import settle_ends
from emu.verify.places.bound_case import BoundCase


class SettledCalls:
    """Makes calls on images of one program.

    Args:
        bound: the case laid onto the program.
        asking: what the calls find of the Toolbox.
        linked: writes transcripts of the trees and lists that they leave.
    """

    def __init__(self, bound: BoundCase, asking: AskingCalls, linked: LinkedValues) -> None:
        self._bound = bound
        self._asking = asking
        self._linked = linked

    def attend(self) -> None:
        """Let the machine's next calls find the Toolbox of this case; see `AskingCalls.attend`."""
        self._asking.attend()

    def run(
        self, before: NDArray[np.uint8], around: Sequence[Surroundings], begin: Begin | None = None
    ) -> Batch:
        """Make the calls of each image and settle them; the arguments are of `CallSequence.run`."""
        self.attend()
        batch = self._bound.calls.run(before, around, begin)
        begun = before[: batch.completed]
        settle_ends(self._bound.slots.observed, begun, batch.after)
        if self._bound.slots.linked:
            self._linked.settle(begun, batch.after)
        return batch
