"""Finds globals that an old program's routine sets whatever they held before, such as ``gErr = 0``.

If ``gErr`` holds 0 already, memory after the call does not show that it was set. So the calls are
made again, with the complement in all globals that no scene fills. A global that the routine sets
then ends as it did after the first calls; one that it does not touch still holds the complement. If
anything else differs, the routine reads one of these globals. Then each half of them is tried
alone, and so on; a global that makes a difference by itself is left out from then on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.program import Variable
from emu.verify.batches.bench import Bench
from emu.verify.images.scene_images import SceneImages


class OverwriteSearch:
    """Finds the bytes of globals that calls set, whatever they held.

    Args:
        bench: the case on the program. Places that it fills, observes or ignores are not searched.
        images: what some of its calls begin with; they give the layout.
        variables: the globals of the program.
    """

    def __init__(self, bench: Bench, images: SceneImages, variables: Sequence[Variable]) -> None:
        self._bench = bench
        self._differences = bench.differences(images)
        data = bench.machine.data
        kept = np.zeros(data.size, np.uint8)
        for slot in images.bound.slots.every:
            view = slot.view(kept[np.newaxis])
            view[...] = np.frombuffer(b"\xff" * view.dtype.itemsize, view.dtype)[0]
        kept[self._differences.padding] = 0xFF
        starts = [(data.offset(variable.address), variable.type.size) for variable in variables]
        places = [np.arange(at, at + length) for at, length in starts]
        self._places = [place[kept[place] == 0] for place in places]
        """The bytes of each global to try; one that the routine reads is taken out."""

    def find(self, images: SceneImages, after: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Find the bytes that the calls set: bool of shape (image size,).

        Args:
            images: what the calls began with.
            after: (calls, image size) uint8, what they left.
        """
        before = images.before
        changed = np.zeros(before.shape[1], np.bool_)
        tried = [self._places]
        while tried:
            some = [rows for rows in tried.pop() if len(rows)]
            if not some:
                continue
            places = np.concatenate(some)
            other = before.copy()
            other[:, places] ^= 0xFF
            batch = self._bench.run(images.on(other))
            left = batch.after
            if batch.fault is None and self._is_same(after, left, other, places):
                changed[places] = (left[:, places] != other[:, places]).all(axis=0)
            elif len(some) > 1:
                half = len(some) // 2
                tried += [some[:half], some[half:]]
            else:
                self._places = [place for place in self._places if place is not some[0]]
        return changed

    def _is_same(
        self,
        after: NDArray[np.uint8],
        left: NDArray[np.uint8],
        other: NDArray[np.uint8],
        places: NDArray[np.int64],
    ) -> bool:
        """Whether calls left the same again, but for the complement where they stored nothing."""
        wanted, untouched = after.copy(), left[:, places] == other[:, places]
        wanted[:, places] = np.where(untouched, left[:, places], after[:, places])
        return not self._differences.rows(wanted, left)
