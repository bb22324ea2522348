"""The sizes of blocks that a case gives a routine, as words in the images of its calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory.data_image import DataImage
from emu.verify.places.slots.argument_layout import DISPOSED, Length
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.columns import Column


def bring_home(pointers: NDArray[Any], moved: Iterable[tuple[range, int]]) -> None:
    """Change pointers into moved blocks, so that they lead to where the blocks lie in images.

    Args:
        pointers: the pointers, which are changed.
        moved: for each block, the addresses where it was, and the address where it belongs.
    """
    for place, home in moved:
        inside = (pointers >= place.start) & (pointers < place.stop)
        if inside.any():
            pointers[inside] += np.array(home - place.start).astype(pointers.dtype)


class BlockLengths:
    """The sizes of blocks, before and after calls.

    Args:
        lengths: for the memory of each block, by its name, where its size is.
        data: says where addresses are in an image.
    """

    def __init__(self, lengths: Mapping[str, Length], data: DataImage) -> None:
        self._lengths = lengths
        self._starts = {
            name: data.offset(length.variable.address) for name, length in lengths.items()
        }

    def give(self, slot: Slot, images: NDArray[np.uint8], column: Column) -> None:
        """Write the size of a slot's block before the call: that of the values a scene gives."""
        if slot.variable.name in self._lengths:
            self._put(slot, images, column, keeps=False)

    def expect(self, slot: Slot, images: NDArray[np.uint8], column: Column) -> None:
        """Write the size that a slot's block should have after the call: that of the answer.

        If the case does not call it a handle, the answer may have only the first of its elements.
        """
        length = self._lengths.get(slot.variable.name)
        if length is not None:
            self._put(slot, images, column, keeps=not length.is_exact)

    def elements(self, slot: Slot, image: NDArray[np.uint8]) -> int | None:
        """How many elements of a place its block has in an image; None if it is in no block."""
        shape = slot.variable.type.shape
        if slot.variable.name not in self._lengths or not shape or not slot.shape:
            return None
        start = self._starts[slot.variable.name]
        size = int.from_bytes(image[start : start + 4].tobytes(), "big")
        return 0 if size == DISPOSED else size // (slot.variable.type.size // shape[0])

    def _put(self, slot: Slot, images: NDArray[np.uint8], column: Column, *, keeps: bool) -> None:
        shape = slot.shape
        if not slot.variable.type.shape or not shape:
            return
        element = slot.variable.type.size // slot.variable.type.shape[0]
        sizes = column.sizes // int(np.prod(shape[1:], dtype=np.int64)) * element
        start = self._starts[slot.variable.name]
        words = images[:, start : start + 4]
        if keeps:
            before = np.ascontiguousarray(words).view(">u4")[:, 0]
            sizes = np.maximum(sizes, before)
        words[...] = sizes.astype(">u4").view(np.uint8).reshape(-1, 4)
