"""The sector grid with four shifts (Tom Moertel, 1994) for many scenes at once.

:mod:`pyref.four_shifts` and :mod:`pyref.four_shifts_corrected` are the specification. The functions
here say the same of each scene, in a small part of the time: NumPy files the objects and tests the
pairs of many scenes together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

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
from pyref.scene import RECT_SIZE, Scene
from pyref.sector_lists import (
    NULL,
    Batch,
    SectorLists,
    batches_of,
    file_objects,
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
_OBJECTS = 20_000  # at once, so that arrays of them stay in the processor's cache


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
    answers: list[corrected.Detection] = []
    for batch in batches_of(scenes):
        passes = _run_passes(batch)
        answers += map(
            corrected.Detection,
            _flags(batch, passes.flags, MAX_OBJECTS),
            *_lists(batch, passes.last),
            _reported(batch, passes),
            passes.tests.tolist(),
        )
    return answers


def _left_by_all(scenes: Sequence[Scene], room: int) -> list[LeftMemory]:
    answers: list[LeftMemory] = []
    few = max(1, _OBJECTS // max((20, *(scene.objects for scene in scenes))))
    for first in range(0, len(scenes), few):
        # Without objects, the routine files an element that no scene has filled: it is at the
        # origin.
        batch = Batch.of(scenes[first : first + few], at_least=1)
        _require_safe(batch, room)
        answers += _left_by_few(batch, room)
    return answers


def _require_safe(batch: Batch, room: int) -> None:
    """Raise what `pyref.four_shifts.require_safe` raises for the first scene that is not safe."""
    unsafe = (batch.corners < 0) | (batch.corners > (X_LIMIT, Y_LIMIT))
    if unsafe.any() or np.diff(batch.starts).max() > room:
        for scene in batch.scenes:
            require_safe(scene, room)


def _left_by_few(batch: Batch, room: int) -> Iterator[LeftMemory]:
    flagged = np.zeros(len(batch.corners), dtype=bool)
    for lists in map(partial(_file, batch, _placed(batch)), SHIFTS):
        _flag_overlapping(batch, lists, flagged)
    return map(LeftMemory, _flags(batch, flagged, room), *_lists(batch, lists))


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


def _flag_overlapping(batch: Batch, lists: SectorLists, flagged: NDArray[np.bool_]) -> None:
    """Flag the objects that overlap another one on their list, of shape ``(objects,)``.

    Each object is held against the next on its list, then against the one after that, and so on. A
    list all of whose objects are flagged is left out, as nothing more can be learnt from it.
    """
    x, y = np.ascontiguousarray(batch.corners[lists.objects].T)
    after, number = lists.followers, lists.numbers
    found = flagged[lists.objects]
    firsts, steps = np.flatnonzero(after), 0
    while len(firsts):
        if steps & (steps - 1) == 0:  # now and then, as it takes as long as a step
            has_more = np.bincount(number[~found], minlength=len(number)) > 0
            firsts = firsts[has_more[number[firsts]]]
        steps += 1
        seconds = firsts + steps
        is_hit = abs(x[firsts] - x[seconds]) < RECT_SIZE
        is_hit &= abs(y[firsts] - y[seconds]) < RECT_SIZE
        found[firsts[is_hit]] = found[seconds[is_hit]] = True
        firsts = firsts[after[firsts] > steps]
    flagged[lists.objects] = found


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
    firsts, seconds = (np.concatenate(found) for found in zip(*passes.hits, strict=True))
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
