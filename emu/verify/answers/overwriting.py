"""Globals that an old program's routine sets, whatever they hold before: ``gErr = 0``.

If a global holds that value already, memory after the call does not show it. So the calls are made
again, with the complement in all globals that no scene fills. What is left there is the same if the
routine sets them, and the complement if it does not touch them. If anything else is not the same,
the routine reads one of them, and the others are tried without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory.data_image import DataImage
from emu.program import Variable
from emu.verify.images.differences import Differences
from emu.verify.places.slots.fields import Slot

RunAgain = Callable[[NDArray[np.uint8]], NDArray[np.uint8] | None]
"""Makes the calls on other images; what they leave, or None if one does not come back."""


class OverwriteSearch:
    """Finds which bytes of globals calls set, whatever these hold.

    Args:
        data: says where addresses are in an image.
        variables: the globals of the program.
        named: places that the case fills or observes; they are left alone.
        differences: what compares images. What it does not compare is left alone, too.
    """

    def __init__(
        self,
        data: DataImage,
        variables: Sequence[Variable],
        named: Sequence[Slot],
        differences: Differences,
    ) -> None:
        self._differences = differences
        size = data.size
        kept = np.zeros(size, np.uint8)
        for slot in named:
            view = slot.view(kept[np.newaxis])
            view[...] = np.frombuffer(b"\xff" * view.dtype.itemsize, view.dtype)[0]
        kept[differences.padding] = 0xFF
        starts = [(data.offset(one.address), one.type.size) for one in variables]
        places = [np.arange(at, at + length) for at, length in starts]
        self._places = [one[kept[one] == 0] for one in places]
        """The bytes of each global that is tried; one that the routine reads is not any more."""

    def find(
        self, before: NDArray[np.uint8], after: NDArray[np.uint8], again: RunAgain
    ) -> NDArray[np.bool_]:
        """Which bytes the calls set; shape (image size,).

        Args:
            before: (calls, image size), the images that the calls began with.
            after: what they left.
            again: makes the same calls on other images.
        """
        found = np.zeros(before.shape[1], np.bool_)
        tried = [self._places]
        while tried:
            some = [one for one in tried.pop() if len(one)]
            if not some:
                continue
            places = np.concatenate(some)
            other = before.copy()
            other[:, places] ^= 0xFF
            left = again(other)
            if left is not None and self._is_same(after, left, other, places):
                found[places] = (left[:, places] != other[:, places]).all(axis=0)
            elif len(some) > 1:
                half = len(some) // 2
                tried += [some[:half], some[half:]]
            else:
                self._places = [one for one in self._places if one is not some[0]]
        return found

    def _is_same(
        self,
        after: NDArray[np.uint8],
        left: NDArray[np.uint8],
        other: NDArray[np.uint8],
        places: NDArray[np.int64],
    ) -> bool:
        """Whether calls left the same, but for what they did not touch of some places."""
        wanted, untouched = after.copy(), left[:, places] == other[:, places]
        wanted[:, places] = np.where(untouched, left[:, places], after[:, places])
        return not self._differences.rows(wanted, left)
