"""Scenes with equal numbers of objects, made and kept together.

A :class:`SceneBlock` is a sequence of scenes. It also has what each scene has, in arrays of one
axis more: ``block.x[3]`` is ``block[3].x``. So whoever works on many scenes need not look at each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, overload

import numpy as np
from numpy.typing import NDArray

from pyref.scene import GENERATORS, Scene, check_origin, check_screen, frozen, listed
from pyref.streams import Streams


@dataclass(frozen=True, slots=True, eq=False)
class SceneBlock(Sequence[Scene]):
    """Scenes with equal numbers of objects, each as `pyref.scene.make_scene` makes it.

    Attributes:
        corners: int32 of shape ``(scenes, objects, 2)``, not writable; see `Scene.corners`.
        generators: the generator of each scene.
        seeds: the seed of each scene.
        order: int32 of shape ``(scenes, objects)``; see `Scene.order`.
    """

    kind: ClassVar[type[Scene]] = Scene
    """The class of its scenes."""

    corners: NDArray[np.int32]
    generators: tuple[str, ...]
    seeds: tuple[int, ...]
    order: NDArray[np.int32]

    def __len__(self) -> int:
        """How many scenes there are."""
        return len(self.seeds)

    @overload
    def __getitem__(self, index: int) -> Scene: ...
    @overload
    def __getitem__(self, index: slice) -> list[Scene]: ...
    def __getitem__(self, index: int | slice) -> Scene | list[Scene]:
        """A scene, or several."""
        if isinstance(index, slice):
            return [self[number] for number in range(len(self))[index]]
        order = self.order[index] if self.generators[index] == "shuffled" else None
        return self.kind(self.corners[index], self.generators[index], self.seeds[index], order)

    @property
    def x(self) -> NDArray[np.int32]:
        """Left edges in pixels, shape ``(scenes, objects)``."""
        return self.corners[..., 0]

    @property
    def y(self) -> NDArray[np.int32]:
        """Top edges in pixels, shape ``(scenes, objects)``."""
        return self.corners[..., 1]

    @property
    def next_object(self) -> NDArray[np.int32]:
        """The object after each one on the list, or -1; int32 of shape ``(scenes, objects)``."""
        links = np.full(self.order.shape, -1, dtype=np.int32)
        np.put_along_axis(links, self.order[:, :-1], self.order[:, 1:], axis=1)
        return links

    @classmethod
    def make(
        cls,
        generators: Sequence[str],
        objects: int,
        seeds: Sequence[int],
        *,
        width: int = 640,
        height: int = 480,
    ) -> Self:
        """Make scenes; each is what :func:`pyref.scene.make_scene` makes of its generator and seed.

        Args:
            generators: a name in `pyref.scene.GENERATORS` for each scene.
            objects: how many objects each of them has.
            seeds: the seed of each scene.
            width: of the screen in pixels.
            height: likewise.

        Raises:
            ValueError: as of that function.
            TypeError: as of that function.
        """
        for generator, seed in zip(generators, seeds, strict=True):
            check_origin(generator, seed, GENERATORS)
        check_screen(objects, width, height)
        corners = np.empty((len(seeds), objects, 2), dtype=np.int32)
        order = np.tile(np.arange(objects, dtype=np.int32), (len(seeds), 1))
        for generator in dict.fromkeys(generators):
            rows = [row for row, name in enumerate(generators) if name == generator]
            streams = Streams([seeds[row] for row in rows])
            corners[rows] = GENERATORS[generator](streams, objects, width, height)
            if generator == "shuffled":
                order[rows] = listed(streams, objects)
        return cls(frozen(corners), tuple(generators), tuple(seeds), frozen(order))


make_scenes = SceneBlock.make
