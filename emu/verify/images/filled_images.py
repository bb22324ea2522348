"""Fills the memory of images that a routine must not rely on; see `Fill`.

The lowest layer of `BeforeImages`: `Preparations` go in, images (uint8) come out. There are few
different patterns, so each is made once and copied: 6 us a scene with all later layers.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from emu.program import value_bits
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.fills import Fill, Preparation, Preparations


def places_to_fill(slots: Iterable[Slot], size: int, parts: Iterable[slice]) -> NDArray[np.bool_]:
    """Which bytes of an image may begin as anything, bool of shape (size,).

    Args:
        slots: all places that a case fills in or observes.
        size: the size of an image in bytes.
        parts: further bytes of the image: the heap of a routine's arguments, and scratch.
    """
    fillable = np.zeros((1, size), dtype=np.uint8)
    padding = np.zeros_like(fillable)
    for slot in slots:
        every = slot.view(fillable)
        bits, itemsize = slot.type.bits, every.dtype.itemsize
        if bits is not None:
            part = slice(slot.start, slot.start + slot.variable.type.size)
            padding[0, part] = ~value_bits(slot.variable.type)
        full = np.frombuffer(b"\xff" * itemsize, every.dtype)
        every[...] = full if bits is None else bits.put(every, bits.read(full))
    for part in parts:
        fillable[0, part] = 0xFF
    # A byte with several bit-fields is filled only if the case names all of them: the others are
    # promised to hold what they hold as loaded.
    return np.asarray((fillable[0] != 0) & ((fillable[0] | padding[0]) == 0xFF))


class FilledImages:
    """Makes images as a program is loaded, with some places filled.

    Args:
        pristine: (image size,) the image of the program as loaded.
        places: (image size,) which bytes are filled.
    """

    def __init__(self, pristine: NDArray[np.uint8], places: NDArray[np.bool_]) -> None:
        self._pristine = pristine
        self._places = places
        self._fixed = ~places
        self._patterns: dict[tuple[Fill, int], NDArray[np.uint8]] = {}

    def make(self, preparations: Preparations, left: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
        """(preparations, image size) images, each filled as its preparation says.

        Args:
            preparations: how each is filled.
            left: (donors, image size) what calls on the scenes of `Preparations.donors` would
                leave; it is changed. None if there are no donors.
        """
        images = np.empty((len(preparations), len(self._pristine)), dtype=np.uint8)
        for rows in preparations.varieties.values():
            images[rows] = self._patterned(preparations[rows[0]])
        if left is not None:
            np.copyto(left, self._pristine, where=self._fixed)
            images[preparations.donors.rows] = left
        for row in [row for row, preparation in enumerate(preparations) if preparation.inverted]:
            np.bitwise_xor(images[row], 0xFF, out=images[row], where=self._places)
        return images

    def _patterned(self, preparation: Preparation) -> NDArray[np.uint8]:
        """The image filled with the pattern of a preparation; as loaded if its fill has none."""
        if preparation.fill in (Fill.LOADED, Fill.STALE, Fill.KEPT):
            return self._pristine
        patterned = self._patterns.get(preparation.variety)
        if patterned is None:
            patterned = np.where(
                self._places, preparation.pattern(len(self._pristine)), self._pristine
            )
            self._patterns[preparation.variety] = patterned
        return patterned
