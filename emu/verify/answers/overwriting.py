"""Globals that an old program's routine sets, whatever they hold before: ``gErr = 0``.

If a global holds that value already, memory after the call does not show it. So the calls are made
again, with the complement in all globals that no scene fills. What is left there is the same if the
routine sets them, and the complement if it does not touch them. If anything else is not the same,
the routine reads one of them, and the others are tried without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.program import Variable
from emu.verify.batches.bench import Bench
from emu.verify.images.scene_images import SceneImages


class OverwriteSearch:
    """Finds which bytes of globals calls set, whatever these hold.

    Args:
        bench: the case on the program. What it fills, observes or ignores is left alone.
        images: what some of its calls begin with, all of which have one layout.
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
        """The bytes of each global that is tried; one that the routine reads is not any more."""

    def find(self, images: SceneImages, after: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which bytes the calls set; shape (image size,).

        Args:
            images: what the calls began with.
            after: (calls, image size), what they left.
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
        """Whether calls left the same, but for what they did not touch of some places."""
        wanted, untouched = after.copy(), left[:, places] == other[:, places]
        wanted[:, places] = np.where(untouched, left[:, places], after[:, places])
        return not self._differences.rows(wanted, left)
