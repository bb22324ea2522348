"""What StepLife has to do, in Python, and the cells to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

SIZE = 16


@dataclass(frozen=True)
class Life:
    """A scene: the rows and columns of the living cells, no two the same."""

    row: np.ndarray
    column: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many cells live."""
        return len(self.row)

    @property
    def cells(self) -> np.ndarray:
        """(rows, columns) 1 for a living cell."""
        cells = np.zeros((SIZE, SIZE), np.int64)
        cells[self.row, self.column] = 1
        return cells

    def keep(self, indices: np.ndarray) -> Life:
        """The same with some of the living cells only, for `macproof explain`."""
        return replace(self, row=self.row[indices], column=self.column[indices])


@dataclass(frozen=True)
class Answer:
    """The reference's answer."""

    cells: np.ndarray


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Life:
    """The scene of a seed, the same on every machine."""
    order = np.argsort(PCG64(seed).random_raw(SIZE * SIZE))
    row, column = order // SIZE, order % SIZE
    if generator == "edges":  # cells at the edges first, whose neighbours are at the other side
        inside = (row % (SIZE - 1) > 0) & (column % (SIZE - 1) > 0)
        order = np.argsort(inside, kind="stable")
        row, column = row[order], column[order]
    return Life(row[:objects], column[:objects], generator, seed)


def step(scene: Life) -> Answer:
    """All cells at once."""
    cells = scene.cells
    around = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    neighbours = sum(np.roll(cells, shift, (0, 1)) for shift in around)
    return Answer(((neighbours == 3) | ((cells == 1) & (neighbours == 2))).astype(np.int64))
