"""The neighbours of cells, for many scenes at once.

:mod:`pyref.quadtree.neighbour_search` is the specification. The functions here say the same of each
scene, in a small part of the time: all cells of all scenes are one array. The right neighbours are
found by dilated arithmetic, one step along each axis for all eight of them (see
:mod:`pyref.quadtree.morton`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pyref.quadtree import neighbour_search as plain
from pyref.quadtree.morton import NARROW, OFFSETS, WIDE, Codes, CodeSize, step_x, step_y
from pyref.quadtree.neighbour_search import AssemblyAnswer, Cells, PrintedAnswer, RightAnswer

_Answer = TypeVar("_Answer", RightAnswer, PrintedAnswer, AssemblyAnswer)


def find_neighbours(scenes: Sequence[Cells]) -> list[RightAnswer]:
    """What `pyref.quadtree.neighbour_search.find_neighbours` says of each scene."""
    return _of_all(_find, scenes)


def find_neighbours_as_printed(scenes: Sequence[Cells]) -> list[PrintedAnswer]:
    """What `pyref.quadtree.neighbour_search.find_neighbours_as_printed` says of each scene."""
    return _of_all(plain.find_neighbours_as_printed, scenes)


def find_neighbours_in_assembly(scenes: Sequence[Cells]) -> list[AssemblyAnswer]:
    """What `pyref.quadtree.neighbour_search.find_neighbours_in_assembly` says of each scene."""
    return _of_all(plain.find_neighbours_in_assembly, scenes)


def _of_all(answer: Callable[[Cells], _Answer], scenes: Sequence[Cells]) -> list[_Answer]:
    """Ask about all cells of all scenes as one, and divide the answer, which has a row for each."""
    if not scenes:
        return []
    narrow = np.concatenate([scene.codes for scene in scenes])
    wide = np.concatenate([scene.wide_codes for scene in scenes])
    whole = answer(Cells(narrow, wide, "several", 0))
    ends = np.cumsum([scene.objects for scene in scenes])[:-1]
    parts = [np.split(getattr(whole, field.name), ends) for field in fields(whole)]
    return [type(whole)(*rows) for rows in zip(*parts, strict=True)]


def _find(cells: Cells) -> RightAnswer:
    narrow, bounded, existing = _around(cells.codes, NARROW)
    wide, wide_bounded, wide_existing = _around(cells.wide_codes, WIDE)
    return RightAnswer(
        toroidal=narrow.astype(np.uint16),
        wide_toroidal=wide.astype(np.uint32),
        bounded=bounded.astype(np.uint16),
        wide_bounded=wide_bounded.astype(np.uint32),
        existing=existing,
        wide_existing=wide_existing,
    )


def _around(
    codes: NDArray[np.unsignedinteger], size: CodeSize
) -> tuple[Codes, Codes, NDArray[np.uint8]]:
    """The neighbours on a torus, those on a plane, and a bit for each that a plane has."""
    own = codes.astype(np.int64)
    columns = {dx: step_x(own, dx, size) & size.mask_x for dx in (-1, 0, 1)}
    rows = {dy: step_y(own, dy, size) & size.mask_y for dy in (-1, 0, 1)}
    has_column = _inside(columns[0], size.mask_x)
    has_row = _inside(rows[0], size.mask_y)
    neighbours = np.stack([columns[dx] | rows[dy] for dx, dy in OFFSETS], axis=-1)
    exists = np.stack([has_column[dx] & has_row[dy] for dx, dy in OFFSETS], axis=-1)
    bounded = np.where(exists, neighbours, own[:, np.newaxis])
    return neighbours, bounded, np.packbits(exists, axis=-1, bitorder="little")[..., 0]


def _inside(places: Codes, last: int) -> dict[int, NDArray[np.bool_]]:
    """Whether there is a place one before, at, and one after each on its axis."""
    return {-1: places > 0, 0: np.ones(len(places), np.bool_), 1: places < last}
