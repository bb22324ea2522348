"""The bytes behind a text, in memory that has room for a longer one.

A routine that makes ``abc`` in a Str255 may leave anything in the other 252 bytes: old text, or
what it used them for. A case says with ``alone`` that they are not compared; else they must stay as
they were before the call.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.verify.places.slots.fields import Slot


def settle_ends(slots: Sequence[Slot], before: NDArray[np.uint8], after: NDArray[np.uint8]) -> None:
    """Put the bytes behind each text that is compared alone back to what they were.

    Args:
        slots: the places that the case observes.
        before: (calls, image size) uint8, the images that calls began with.
        after: (calls, image size) uint8, the images that they left; these are changed.
    """
    for slot in slots:
        if slot.phrase.alone:
            new, old = slot.view(after), slot.view(before)
            room = new.shape[-1]
            texts = new.view(np.uint8)
            if slot.phrase.text == "pascal":
                ends = texts[..., 0].astype(np.int64) + 1
            else:
                zeros = texts == 0
                ends = np.where(zeros.any(axis=-1), zeros.argmax(axis=-1) + 1, room)
            behind = np.arange(room) >= ends[..., np.newaxis]
            np.copyto(new, old, where=behind)
