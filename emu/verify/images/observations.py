"""Reads the observed values out of images: the way back from memory to Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.verify.places.bound_case import BoundCase


def observations(bound: BoundCase, images: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """Read every place that a case observes or fills in, in many images.

    Args:
        bound: where the values lie.
        images: (images, image size) uint8.

    Returns:
        The values by the names of their places, with an axis for the images first. Whole numbers
        are int64, floats float64, in the host's byte order, so that programs of different
        processors can be compared. A pointer is the index of the element that it points at: -1 for
        null, -2 for anything outside. Long doubles are `WideFloat` objects.
    """
    values = {}
    for slot in bound.slots.every:
        raw = slot.numbers(slot.values(images))
        if slot.type.kind == "pointer":
            values[slot.name] = bound.slots.pools.indices(slot, raw)
        else:
            host = np.float64 if slot.type.kind == "float" else np.int64
            with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
                values[slot.name] = raw if slot.type.wide is not None else raw.astype(host)
    return values


def observation(bound: BoundCase, image: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """The same of one image, (image size,) uint8, without the axis for images."""
    return {name: each[0] for name, each in observations(bound, image[np.newaxis]).items()}


def unchanged(
    bound: BoundCase, before: NDArray[np.uint8], after: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """The image that a call should leave if nobody says which observed values are right.

    It is ``before`` with the observed values of ``after``. So a comparison finds what the call
    changed beside them. If the case observes trees or lists, it is ``after``: nothing is compared,
    since their nodes may lie anywhere.

    Args:
        bound: where the values lie.
        before: (image size,) the image that the call began with; or those of many calls.
        after: the image that it left, of the same shape.
    """
    if bound.slots.linked:
        return after
    image = before.copy()
    for slot in bound.slots.observed:
        slot.view(np.atleast_2d(image))[...] = slot.view(np.atleast_2d(after))
    return image
