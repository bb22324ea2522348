"""What images say of the places that a case observes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.verify.places.bound_case import BoundCase


def observation(bound: BoundCase, image: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """Everything a case observes or fills in, from an image of shape (image size,).

    Pointers appear as the index of the element they point at: -1 for null, -2 for anything
    outside. Values are in the host's byte order, so observations of different processors
    can be compared; long doubles are `WideFloat` objects.

    Args:
        bound: where the values lie.
        image: the image.
    """
    values = {}
    for slot in bound.slots.every:
        raw = slot.numbers(slot.values(image[np.newaxis])[0])
        if slot.type.kind == "pointer":
            values[slot.name] = bound.slots.pools.indices(slot, raw)
        else:
            host = np.float64 if slot.type.kind == "float" else np.int64
            with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
                values[slot.name] = raw if slot.type.wide is not None else raw.astype(host)
    return values


def unchanged(
    bound: BoundCase, before: NDArray[np.uint8], after: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """What a call should leave if nobody says what is right: what is observed may change.

    Args:
        bound: where the values lie.
        before: (image size,) the image that the call began with.
        after: (image size,) what it left. Where a case observes trees or lists, all of it.
    """
    if bound.slots.linked:
        return after
    image = before.copy()
    for slot in bound.slots.observed:
        slot.view(image[np.newaxis])[...] = slot.view(after[np.newaxis])
    return image
