"""The sector grid with four shifts (Tom Moertel, 1994) for many scenes at once.

:mod:`pyref.four_shifts` and :mod:`pyref.four_shifts_corrected` are the specification. The functions
here say the same of each scene, in a small part of the time: NumPy files the objects and tests the
pairs of many scenes together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyref import four_shifts_corrected as corrected
from pyref.four_shifts import (
    MANY_OBJECTS,
    MAX_OBJECTS,
    SECTOR_SIZE,
    SHIFTS,
    X_LIMIT,
    X_SECTORS,
    Y_LIMIT,
    Y_SECTORS,
    require_safe,
)
from pyref.scene import Scene
from pyref.sector_lists import (
    NULL,
    Batch,
    SectorLists,
    batches_of,
    file_objects,
    heads_of,
    overlapping_pairs,
    split_pairs,
)

__all__ = [
    "LeftMemory",
    "determine_collisions",
    "determine_collisions_corrected",
    "determine_collisions_of_many",
]

_SECTORS = X_SECTORS * Y_SECTORS


@dataclass(frozen=True, slots=True, eq=False)
class LeftMemory:
    """The memory that the routine of 1994 leaves behind.

    Attributes:
        flags: as `pyref.four_shifts.Detection.flags`.
        sector_heads: as `pyref.four_shifts.Detection.sector_heads`.
        sector_links: as `pyref.four_shifts.Detection.sector_links`.
    """

    flags: NDArray[np.uint8]
    sector_heads: NDArray[np.int16]
    sector_links: NDArray[np.int16]


def determine_collisions(scenes: Sequence[Scene]) -> list[LeftMemory]:
    """Find every object that overlaps another, in each scene.

    Args:
        scenes: scenes of up to 200 objects each.

    Returns:
        What `pyref.four_shifts.determine_collisions` says of each scene.

    Raises:
        ValueError: as that function.
    """
    return _left_by_all(scenes, MAX_OBJECTS)


def determine_collisions_of_many(scenes: Sequence[Scene]) -> list[LeftMemory]:
    """The same as :func:`determine_collisions`, with room for 2,000 objects."""
    return _left_by_all(scenes, MANY_OBJECTS)


def determine_collisions_corrected(scenes: Sequence[Scene]) -> list[corrected.Detection]:
    """Find every object that overlaps another, in each scene.

    Args:
        scenes: scenes of up to 200 objects each, anywhere.

    Returns:
        What `pyref.four_shifts_corrected.determine_collisions` says of each scene.

    Raises:
        ValueError: as that function.
    """
    for scene in scenes:
        corrected.require_room(scene)
    answers = []
    for batch in batches_of(scenes):
        passes = _run_passes(batch)
        for one, reported in enumerate(_reported(batch, passes)):
            flags, lists = _flags(batch, passes, one, MAX_OBJECTS), _lists(batch, passes, one)
            answers.append(corrected.Detection(flags, *lists, reported, int(passes.tests[one])))
    return answers


def _left_by_all(scenes: Sequence[Scene], room: int) -> list[LeftMemory]:
    for scene in scenes:
        require_safe(scene, room)
    answers = []
    # Without objects, the routine files an element that no scene has filled: it is at the origin.
    for batch in batches_of(scenes, at_least=1):
        passes = _run_passes(batch)
        for one in range(len(batch.starts) - 1):
            answers.append(
                LeftMemory(_flags(batch, passes, one, room), *_lists(batch, passes, one))
            )
    return answers


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
    filed = np.clip(batch.corners, 0, (X_LIMIT, Y_LIMIT))
    flags = np.zeros(len(filed), dtype=bool)
    tests = np.zeros(len(batch.starts) - 1, dtype=np.int64)
    hits = []
    for shift in SHIFTS:
        column, row = ((filed + shift) // SECTOR_SIZE).T
        sectors = batch.scene * _SECTORS + column * Y_SECTORS + row
        lists = file_objects(batch.order, sectors[batch.order])
        tests += np.bincount(batch.scene[lists.objects], lists.followers, len(tests)).astype(int)
        hits.append(overlapping_pairs(batch, lists.objects, *lists.pairs()))
        flags[hits[-1][0]] = flags[hits[-1][1]] = True
    return _Passes(flags, lists, tests, tuple(hits))


def _reported(batch: Batch, passes: _Passes) -> list[NDArray[np.int16]]:
    """The pairs that overlap in each scene, pass after pass; int16 of shape ``(hits, 2)``."""
    firsts, seconds = (np.concatenate(found) for found in zip(*passes.hits, strict=True))
    return split_pairs(batch, firsts, seconds)


def _flags(batch: Batch, passes: _Passes, one: int, room: int) -> NDArray[np.uint8]:
    """The flags of a scene's objects, and of the elements behind them."""
    found = passes.flags[slice(*batch.starts[one : one + 2])]
    flags = np.zeros(room, dtype=np.uint8)
    flags[: len(found)] = found
    return flags


def _lists(batch: Batch, passes: _Passes, one: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The heads and links that the last pass leaves of a scene."""
    links = np.full(batch.starts[one + 1] - batch.starts[one], NULL, dtype=np.int16)
    heads = heads_of(batch, passes.last, one, _SECTORS, links)
    return heads.reshape(X_SECTORS, Y_SECTORS), links
