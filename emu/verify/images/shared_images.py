"""Lets programs in which values lie alike share the images of a batch of scenes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from emu.verify.images.scene_images import SceneImages
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.image_layout import image_layout
from emu.verify.scenes.columns import Columns

_Images = TypeVar("_Images", bound=SceneImages)


class SharedImages:
    """The images that a program shares with others; see `image_layout`.

    Args:
        bound: the case laid onto the program.
    """

    def __init__(self, bound: BoundCase) -> None:
        self._bound = bound
        self._layout = image_layout(bound)

    def get(
        self,
        items: Sequence[Any],
        key: Hashable,
        make: Callable[[], _Images],
        array: Callable[[_Images], NDArray[np.uint8]],
    ) -> _Images:
        """Images of some scenes or answers, which another program may have made.

        Args:
            items: the scenes or answers; what is made of others than `Columns` is not shared.
            key: what the images depend on beside the items and the layout.
            make: makes them for this program.
            array: the array that is made; what is shared cannot be written to.
        """
        if not (self._layout and isinstance(items, Columns)):
            return make()

        def lay() -> _Images:
            images = make()
            array(images).setflags(write=False)
            return images

        images = items.recent.get((self._layout, key), lay)
        if images.misfits and images.bound is not self._bound:  # their words name the program
            return make()
        return replace(images, bound=self._bound)
