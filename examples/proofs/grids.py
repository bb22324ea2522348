"""What the sector grid has to do with one object and with two, and scenes to try it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import PCG64

COLUMNS, ROWS, SECTOR = 11, 9, 64
NONE = -1


@dataclass(frozen=True)
class Grid:
    """Objects, and a grid that is moved by half a sector or not at all."""

    x: np.ndarray
    y: np.ndarray
    is_moved_right: int
    is_moved_down: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many objects."""
        return len(self.x)

    @property
    def right(self) -> int:
        """How far the grid is moved, in pixels."""
        return self.is_moved_right * (SECTOR // 2)

    @property
    def down(self) -> int:
        """How far the grid is moved, in pixels."""
        return self.is_moved_down * (SECTOR // 2)

    def keep(self, indices: Sequence[int]) -> Grid:
        """The same with some of the objects."""
        return replace(self, x=self.x[indices], y=self.y[indices])


@dataclass(frozen=True)
class Filing:
    """The first object of each sector, and the next one of the same sector for each object."""

    sector_heads: list[list[Any]]
    sector_links: list[int]


def make_grid(generator: str, objects: int, seed: int, *, width: int, height: int) -> Grid:
    """Objects on the screen."""
    words = PCG64(seed).random_raw(2 * objects + 2).astype(np.int64)
    x, y = words[:objects] % width, words[objects:-2] % height
    return Grid(x, y, int(words[-2] % 2), int(words[-1] % 2), generator, seed)


def file_one(scene: Grid) -> Filing:
    """One object is the first of its sector, and all other sectors are empty."""
    (x,), (y,) = scene.x.tolist(), scene.y.tolist()
    column, row = (x + scene.right) // SECTOR, (y + scene.down) // SECTOR
    return Filing(
        [[((column == c) & (row == r)) + NONE for r in range(ROWS)] for c in range(COLUMNS)],
        [NONE],
    )


@dataclass(frozen=True)
class Pair:
    """Two objects of one size."""

    x: np.ndarray
    y: np.ndarray
    size: int
    generator: str
    seed: int
    objects: int = 2

    def keep(self, indices: Sequence[int]) -> Pair:
        """The same: there are always two."""
        return self


@dataclass(frozen=True)
class Together:
    """Whether they share a sector if they overlap."""

    is_found: int


def make_pair(generator: str, objects: int, seed: int, *, width: int, height: int) -> Pair:
    """Two objects near each other, and how far apart they may be."""
    words = PCG64(seed).random_raw(5).astype(np.int64)
    x = int(words[0] % width) + np.array([0, int(words[1] % 40)])
    y = int(words[2] % height) + np.array([0, int(words[3] % 40)])
    return Pair(x, y, int(words[4] % 34), generator, seed)


def find_together(scene: Pair) -> Together:
    """They do: that is the theorem of the method, for objects of up to 33 pixels."""
    return Together(1)
