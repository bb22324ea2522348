"""One sector grid in which adjacent sectors are searched too, for many scenes at once.

:mod:`pyref.sectors.adjacent_sectors` is the specification. The functions here say the same of each
scene, in a small part of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.reported_pairs import MAX_OBJECTS
from pyref.scene import SAFE_HEIGHT, SAFE_WIDTH, Scene
from pyref.sectors.adjacent_sectors import (
    AROUND,
    LATER,
    SCREEN_COLUMNS,
    SCREEN_ROWS,
    SectorDetection,
    require_safe,
)
from pyref.sectors.sector_lists import (
    NULL,
    Batch,
    SectorLists,
    batches_of,
    file_objects,
    overlapping_pairs,
    runs,
    split_pairs,
)

_Pairs: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]  # places in `SectorLists.objects`
_Steps: TypeAlias = Sequence[tuple[int, int]]


def as_counted(scenes: Sequence[Scene]) -> list[SectorDetection]:
    """What `pyref.sectors.adjacent_sectors.as_counted` says of each scene.

    Raises:
        ValueError: as that function.
    """
    return _detect_all(scenes, 64, _pairs_of_nine)


def with_eight(scenes: Sequence[Scene]) -> list[SectorDetection]:
    """What `pyref.sectors.adjacent_sectors.with_eight` says of each scene."""
    return _detect_all(scenes, 64, lambda grid: _pairs_by_steps(grid, AROUND))


def by_halves_64(scenes: Sequence[Scene]) -> list[SectorDetection]:
    """What `pyref.sectors.adjacent_sectors.by_halves_64` says of each scene."""
    return _detect_all(scenes, 64, lambda grid: _pairs_by_steps(grid, LATER))


def by_halves_32(scenes: Sequence[Scene]) -> list[SectorDetection]:
    """What `pyref.sectors.adjacent_sectors.by_halves_32` says of each scene."""
    return _detect_all(scenes, 32, lambda grid: _pairs_by_steps(grid, LATER))


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """The sectors of a batch of scenes.

    Attributes:
        columns: the number of columns of sectors in a scene.
        rows: the number of rows.
        lists: the lists of the sectors, scene after scene, column by column.
        starts: where each sector's list begins in ``lists.objects``, ``(scenes * sectors,)``.
        sizes: how many objects each list has, likewise.
    """

    columns: int
    rows: int
    lists: SectorLists
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, batch: Batch, size: int) -> _Grid:
        """File the objects of scenes under sectors of a size in pixels."""
        columns, rows = -(-SAFE_WIDTH // size), -(-SAFE_HEIGHT // size)
        column, row = (batch.corners // size).T
        sectors = (batch.scene * columns + column) * rows + row
        lists = file_objects(batch.order, sectors[batch.order])
        sizes = np.bincount(lists.sectors, minlength=len(batch.scenes) * columns * rows)
        return cls(columns, rows, lists, np.cumsum(sizes) - sizes, sizes)

    def beside(self, sectors: NDArray[np.int64], step: tuple[int, int]) -> _Pairs:
        """Where the lists one step away begin, and their sizes; 0 where there is no sector."""
        column, row = sectors // self.rows % self.columns + step[0], sectors % self.rows + step[1]
        is_there = (column >= 0) & (column < self.columns) & (row >= 0) & (row < self.rows)
        other = np.where(is_there, sectors + step[0] * self.rows + step[1], 0)
        return self.starts[other], np.where(is_there, self.sizes[other], 0)


def _pairs_by_steps(grid: _Grid, steps: _Steps) -> _Pairs:
    """Pair each object with the rest of its own list, then with the lists that steps lead to."""
    sectors = grid.lists.sectors
    place = np.arange(len(sectors))
    beside = [grid.beside(sectors, step) for step in steps]
    starts = np.stack([place + 1, *(start for start, _ in beside)], axis=1)
    sizes = np.stack([grid.lists.followers, *(size for _, size in beside)], axis=1)
    return np.repeat(place, sizes.sum(axis=1)), runs(starts.reshape(-1), sizes.reshape(-1))


def _pairs_of_nine(grid: _Grid) -> _Pairs:
    """Pair all objects of a sector and of those around it with one another."""
    every = np.arange(len(grid.sizes))
    is_shown = (every // grid.rows % grid.columns < SCREEN_COLUMNS) & (
        every % grid.rows < SCREEN_ROWS
    )
    shown = every[is_shown]
    beside = [grid.beside(shown, step) for step in ((0, 0), *AROUND)]
    starts = np.stack([start for start, _ in beside], axis=1)
    sizes = np.stack([size for _, size in beside], axis=1)
    near = runs(starts.reshape(-1), sizes.reshape(-1))
    first, second = SectorLists(near, np.repeat(shown, sizes.sum(axis=1))).pairs()
    return near[first], near[second]


def _detect_all(
    scenes: Sequence[Scene], size: int, pairs_of: Callable[[_Grid], _Pairs]
) -> list[SectorDetection]:
    for scene in scenes:
        require_safe(scene)
    return [
        answer
        for batch in batches_of(scenes)
        for answer in _detect(batch, _Grid.of(batch, size), pairs_of)
    ]


def _detect(
    batch: Batch, grid: _Grid, pairs_of: Callable[[_Grid], _Pairs]
) -> list[SectorDetection]:
    objects = grid.lists.objects
    first, second = pairs_of(grid)
    tests = np.bincount(batch.scene[objects[first]], minlength=len(batch.scenes))
    reports = split_pairs(batch, *overlapping_pairs(batch, objects, first, second))
    links = np.full(len(batch.corners), NULL, dtype=np.int16)
    for scene, start in zip(batch.scenes, batch.starts, strict=False):
        old = scene.old_links  # an unlisted object keeps its own
        links[start : start + len(old)] = old
    heads = grid.lists.left(batch, grid.columns * grid.rows, links)
    flags = np.zeros((len(batch.scenes), MAX_OBJECTS), dtype=np.uint8)
    for flagged, reported in zip(flags, reports, strict=True):
        flagged[reported] = 1
    return list(
        map(
            SectorDetection,
            flags,
            reports,
            tests.tolist(),
            [scene.objects for scene in batch.scenes],
            heads,
            np.split(links, batch.starts[1:-1]),
        )
    )
