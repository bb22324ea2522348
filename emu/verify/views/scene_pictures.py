"""Pictures of a scene that a function of the case draws: the program's result, and the expected."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.base.functions import resolve, told_as
from emu.cases.case import Case
from emu.cases.keys.parts import Scene, describe_scene
from emu.verify.images.observations import observation
from emu.verify.places.bound_case import BoundCase

_MOST = 4096
_MARK = np.array((220, 0, 0), dtype=np.uint8)

Pixels = NDArray[np.uint8]
"""A picture, RGB: shape (height, width, 3)."""


def draw_results(
    bound: BoundCase, scene: Scene, answer: Any, actual: Pixels, expected: Pixels
) -> tuple[Pixels, Pixels]:
    """Draw a program's result and the expected result, with the case's own function.

    Args:
        bound: the case laid onto the program; its picture names a function to draw.
        scene: the scene.
        answer: the reference's answer for it.
        actual: an image of guest memory after the call.
        expected: the same as it had to be.

    Returns:
        The two pictures. Pixels of the first that are wrong are red, if both have one size.

    Raises:
        UsageError: the function raises an error, or returns no picture.
    """
    came, wanted = (
        _draw(bound.case, scene, _answer_in(bound, answer, image)) for image in (actual, expected)
    )
    if came.shape == wanted.shape:
        came = np.where((came != wanted).any(axis=2, keepdims=True), _MARK, came)
    return came, wanted


def _answer_in(bound: BoundCase, answer: Any, image: Pixels) -> SimpleNamespace:
    """What guest memory says of the attributes that are observed, as long as the reference's."""
    seen = observation(bound, image)
    named = SimpleNamespace()
    for variable in bound.case.observed:
        values: Any = seen[
            f"{variable.variable}.{variable.member}" if variable.member else variable.variable
        ]
        wanted = getattr(answer, variable.attribute)
        if values.ndim:
            values = values[: len(wanted)]
        if isinstance(wanted, (bytes, bytearray)):
            values = values.astype(np.uint8).tobytes()
        setattr(named, variable.attribute, values)
    return named


def _draw(case: Case, scene: Scene, answer: SimpleNamespace) -> Pixels:
    assert case.picture is not None
    dotted = case.picture.draw
    with told_as(f"{dotted} fails on {describe_scene(scene)}"):
        image = np.asarray(resolve(dotted, case.path.parent)(scene, answer))
    is_grey = image.ndim == 2
    if (
        image.dtype != np.uint8
        or not (is_grey or (image.ndim == 3 and image.shape[2] == 3))
        or not all(1 <= side <= _MOST for side in image.shape[:2])
    ):
        raise UsageError(
            f"{dotted} gives {image.dtype} of shape {image.shape} in place of a picture: uint8 of "
            f"shape (height, width) for grey or (height, width, 3) for RGB, of 1 to {_MOST} pixels "
            "each way"
        )
    return np.repeat(image[..., np.newaxis], 3, axis=2) if is_grey else image
