"""The corrected sector grid with four shifts, for many scenes at once.

:mod:`pyref.sectors.four_shifts_corrected` is the specification. What is here says the same of each
scene, in a small part of the time: NumPy files the objects and tests the pairs of many scenes
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyref.scene import Scene
from pyref.sectors import four_shifts_corrected as corrected
from pyref.sectors.four_shifts import (
    MAX_OBJECTS,
    SECTOR_SIZE,
    SHIFTS,
    X_LIMIT,
    X_SECTORS,
    Y_LIMIT,
    Y_SECTORS,
)
from pyref.sectors.sector_lists import (
    NULL,
    Batch,
    SectorLists,
    batches_of,
    file_objects,
    overlapping_pairs,
    split_pairs,
)

_SECTORS = X_SECTORS * Y_SECTORS


def determine_collisions(scenes: Sequence[Scene]) -> list[corrected.CorrectedDetection]:
    """Find every object that overlaps another, in each scene.

    Args:
        scenes: scenes of up to 200 objects each, anywhere.

    Returns:
        What `pyref.sectors.four_shifts_corrected.determine_collisions` says of each scene.

    Raises:
        ValueError: as that function.
    """
    for scene in scenes:
        corrected.require_room(scene)
    answers: list[corrected.CorrectedDetection] = []
    for batch in batches_of(scenes):
        passes = _run_passes(batch)
        answers += map(
            corrected.CorrectedDetection,
            _flags(batch, passes.flags, MAX_OBJECTS),
            *_lists(batch, passes.last),
            _reported(batch, passes),
            passes.tests.tolist(),
        )
    return answers


def _placed(batch: Batch) -> NDArray[np.int32]:
    """Where objects are filed, int32 of shape ``(2, filed)``: within the table, x and y."""
    limits = np.array([X_LIMIT, Y_LIMIT])
    inside = np.minimum(np.maximum(batch.corners[batch.order], 0), limits)
    return np.ascontiguousarray(inside.T, dtype=np.int32)


def _file(batch: Batch, placed: NDArray[np.int32], shift: tuple[int, int]) -> SectorLists:
    """File the objects of all scenes for one pass; each scene has sectors of its own."""
    column, row = (
        (values + more) // SECTOR_SIZE for values, more in zip(placed, shift, strict=True)
    )
    sectors = batch.scene[batch.order] * _SECTORS + (column * Y_SECTORS + row)
    return file_objects(batch.order, sectors)


@dataclass(frozen=True, slots=True, eq=False)
class _Passes:
    """What the four passes find.

    Attributes:
        flags: whether each object overlaps another, of shape ``(objects,)``.
        last: the lists of the last pass.
        tests: the number of tests in each scene, int64.
        hits: for each pass the first and the second objects of the pairs that overlap.
    """

    flags: NDArray[np.bool_]
    last: SectorLists
    tests: NDArray[np.int64]
    hits: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]


def _run_passes(batch: Batch) -> _Passes:
    flags = np.zeros(len(batch.corners), dtype=bool)
    tests = np.zeros(len(batch.starts) - 1, dtype=np.int64)
    hits = []
    placed = _placed(batch)
    for shift in SHIFTS:
        lists = _file(batch, placed, shift)
        tests += np.bincount(batch.scene[lists.objects], lists.followers, len(tests)).astype(int)
        hits.append(overlapping_pairs(batch, lists.objects, *lists.pairs()))
        flags[hits[-1][0]] = flags[hits[-1][1]] = True
    return _Passes(flags, lists, tests, tuple(hits))


def _reported(batch: Batch, passes: _Passes) -> list[NDArray[np.int16]]:
    """The pairs that overlap in each scene, pass after pass; int16 of shape ``(hits, 2)``."""
    firsts, seconds = (np.concatenate(hits) for hits in zip(*passes.hits, strict=True))
    return split_pairs(batch, firsts, seconds)


def _flags(batch: Batch, flagged: NDArray[np.bool_], room: int) -> NDArray[np.uint8]:
    """The flags of each scene's objects, and of the elements behind them."""
    flags = np.zeros((len(batch.scenes), room), dtype=np.uint8)
    flags[batch.scene, batch.within] = flagged
    return flags


def _lists(batch: Batch, lists: SectorLists) -> tuple[NDArray[np.int16], list[NDArray[np.int16]]]:
    """The heads and links that the last pass leaves of each scene."""
    links = np.full(len(batch.corners), NULL, dtype=np.int16)
    heads = lists.left(batch, _SECTORS, links)
    return heads.reshape(-1, X_SECTORS, Y_SECTORS), np.split(links, batch.starts[1:-1])
