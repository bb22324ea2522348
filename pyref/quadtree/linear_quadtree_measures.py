"""Measures what the post on linear quadtrees claims, and what its listings compute.

Each function answers one question with whole numbers. Functions named ``judge_...`` take the
answers of a neighbour routine for every code of 16 bits in order, from
:mod:`pyref.quadtree.morton_as_printed` or from compiled code. The others make scenes and run
:mod:`pyref.quadtree.linear_quadtree` on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyref.quadtree.circle_scene import (
    CircleScene,
    circle_scene,
    make_circle_scene,
    overlapping_pairs,
)
from pyref.quadtree.linear_quadtree import (
    DESCRIBED_LEAF,
    WORLD,
    QuadtreeDetection,
    search_as_described,
    search_corrected,
)
from pyref.quadtree.morton import NARROW, SLOTS, decode, neighbours
from pyref.quadtree.morton_as_printed import as_int16


def every_code() -> NDArray[np.int64]:
    """All codes of 16 bits, in order."""
    return np.arange(NARROW.mask + 1)


# -- the listings ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopRightErrors:
    """The errors of a routine for the neighbour above and to the right, on all 65,536 codes.

    Attributes:
        wrong: how many codes have a wrong answer.
        odd_columns: how many of these are in odd columns.
        top_left: for how many of these the answer is the neighbour above and to the *left*.
    """

    wrong: int
    odd_columns: int
    top_left: int


def judge_top_right(listed_codes: NDArray[np.integer]) -> TopRightErrors:
    """Compare answers for every code, shape ``(65536,)``, with the right neighbour.

    Signed answers are taken modulo 2**16; see `negative_codes` for the effect of the sign.
    """
    codes = every_code()
    right = neighbours(codes).codes
    unsigned = listed_codes.astype(np.int64) & NARROW.mask
    wrong = unsigned != right[:, SLOTS.index("top_right")]
    columns, _ = decode(codes)
    top_left = unsigned == right[:, SLOTS.index("top_left")]
    return TopRightErrors(
        int(wrong.sum()), int((wrong & (columns % 2 == 1)).sum()), int((wrong & top_left).sum())
    )


@dataclass(frozen=True, slots=True)
class NeighbourErrors:
    """The errors of a routine for the eight neighbours on a torus, on all 65,536 codes.

    Attributes:
        wrong: for each of `pyref.quadtree.morton.SLOTS`, how many codes have a wrong answer.
        listing_themselves: how many codes have the cell itself in their list.
        with_duplicates: how many codes have a cell twice in their list.
        without_row_above: how many codes have no cell of the row above in their list.
        wrong_rows: how many codes have a wrong row in the slots left and right.
    """

    wrong: tuple[int, ...]
    listing_themselves: int
    with_duplicates: int
    without_row_above: int
    wrong_rows: int


def judge_neighbours(listed_codes: NDArray[np.integer]) -> NeighbourErrors:
    """Compare lists for every code, shape ``(65536, 8)``, with the right neighbours."""
    codes = every_code()
    listed = listed_codes.astype(np.int64)
    wrong = listed != neighbours(codes).codes
    _, rows = decode(codes)
    _, listed_rows = decode(listed)
    above = (rows - 1) % NARROW.cells
    ordered = np.sort(listed, axis=1)
    sides = listed_rows[:, [SLOTS.index("left"), SLOTS.index("right")]]
    return NeighbourErrors(
        wrong=tuple(wrong.sum(axis=0).tolist()),
        listing_themselves=int((listed == codes[:, np.newaxis]).any(axis=1).sum()),
        with_duplicates=int((ordered[:, 1:] == ordered[:, :-1]).any(axis=1).sum()),
        without_row_above=int((listed_rows != above[:, np.newaxis]).all(axis=1).sum()),
        wrong_rows=int((sides != rows[:, np.newaxis]).any(axis=1).sum()),
    )


def negative_codes() -> int:
    """How many codes become negative numbers, which are no codes, if returned as ``int16_t``.

    Compared with a ``uint16_t``, both become int, and the two are never equal.
    """
    codes = every_code()
    return int((as_int16(codes).astype(np.int64) != codes).sum())


# -- which pairs are found ---------------------------------------------------------------------


def separated_pair(leaf: int, radius: int) -> CircleScene:
    """Two circles with a whole leaf between their leaves, as close as this allows.

    They overlap if the leaf is narrower than twice the radius less one.
    """
    middle = leaf // 2
    return circle_scene([(leaf - 1, middle, radius), (2 * leaf, middle, radius)])


def diagonal_pair(leaf: int, radius: int) -> CircleScene:
    """Two circles in diagonally adjacent leaves; neither reaches into the other's leaf.

    With a radius of 2 or more they overlap, in a third leaf. The radius is less than the leaf's
    width.
    """
    corner = 2 * leaf
    return circle_scene([(corner - radius, corner - 1, radius), (corner, corner + radius, radius)])


def pairs_beyond_the_neighbours(leaf: int, radius: int) -> tuple[int, int]:
    """How many overlapping pairs of two equal circles do not lie in neighbouring leaves.

    All places of the first circle in its leaf and all offsets to the second are tried.

    Args:
        leaf: width of a leaf in pixels, at least the radius.
        radius: radius of both circles in pixels.

    Returns:
        The number of pairs that do not, and the number of all pairs that overlap.
    """
    offsets = np.arange(2 * radius)
    # Of the first circle's places on an axis, those from which the second is two leaves away.
    beyond = np.clip(offsets - leaf, 0, leaf)
    near = leaf - beyond
    squares = offsets**2
    overlap = squares[:, np.newaxis] + squares < (2 * radius) ** 2
    weight = np.where(offsets > 0, 2, 1)  # both directions
    weights = overlap * weight[:, np.newaxis] * weight
    total = int(weights.sum()) * leaf**2
    return total - int((weights * near[:, np.newaxis] * near).sum()), total


@dataclass(frozen=True, slots=True)
class Reports:
    """How often pairs that overlap are reported.

    Attributes:
        within_leaf: of pairs in one leaf, how many are reported 0, 1, 2, ... times.
        across_leaves: the same for pairs in different leaves.
        themselves: how many reports are of an object with itself.
    """

    within_leaf: Mapping[int, int]
    across_leaves: Mapping[int, int]
    themselves: int


def reports(scene: CircleScene, detection: QuadtreeDetection, world: int = 0) -> Reports:
    """Count how often each overlapping pair of a scene was reported.

    Args:
        scene: the circles.
        detection: the result of a search on them.
        world: the size of the torus in pixels, or 0 for a plane.
    """
    times = Counter((min(a, b), max(a, b)) for a, b in detection.reported.tolist())
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for first, second in overlapping_pairs(scene, world).tolist():
        across = int(detection.codes[first] != detection.codes[second])
        counts[across][times[first, second]] += 1
    own = sum(count for (a, b), count in times.items() if a == b)
    return Reports(dict(sorted(counts[0].items())), dict(sorted(counts[1].items())), own)


# -- how much work there is --------------------------------------------------------------------


def crowded_leaf(objects: int) -> int:
    """The tests of the form as described if all objects are in one leaf."""
    scene = circle_scene(np.tile((8, 8, 4), (objects, 1)))
    return search_as_described(scene, leaf=DESCRIBED_LEAF).tests


@dataclass(frozen=True, slots=True)
class Growth:
    """The work of the form as described on a scene of a fixed density.

    Attributes:
        objects: the number of objects.
        tests: how many tests of two circles were made.
        lookups: how many times a code was looked up.
        leaves: how many leaves hold an object.
    """

    objects: int
    tests: int
    lookups: int
    leaves: int


def growth(numbers: Sequence[int], *, seed: int = 1994) -> tuple[Growth, ...]:
    """The work for several numbers of objects, with 1,024 square pixels (4 leaves) to each."""
    figures = []
    for objects in numbers:
        side = max(1, round(32 * objects**0.5))
        scene = make_circle_scene("equal", objects, seed, width=side, height=side)
        answer = search_as_described(scene, leaf=DESCRIBED_LEAF)
        figures.append(Growth(objects, answer.tests, answer.lookups, answer.leaves))
    return tuple(figures)


@dataclass(frozen=True, slots=True)
class LoopCounts:
    """The calls of a loop over pairs of objects.

    Attributes:
        calls: the number of all calls.
        with_itself: the number of calls of an object with itself.
        needed: the number of pairs of different objects.
    """

    calls: int
    with_itself: int
    needed: int


def count_loops(objects: int) -> tuple[LoopCounts, LoopCounts]:
    """The post's first loop, every b for every a, and its second, b from a on."""
    needed = objects * (objects - 1) // 2
    every = [(a, b) for a in range(objects) for b in range(objects)]
    from_own = [(a, b) for a in range(objects) for b in range(a, objects)]
    first, second = (
        LoopCounts(len(calls), sum(a == b for a, b in calls), needed) for calls in (every, from_own)
    )
    return first, second


# -- the edge of a torus -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EdgeContacts:
    """Pairs that overlap across the edge of a torus, and how many of them each form finds.

    Attributes:
        contacts: the number of such pairs.
        described: how many are found with neighbours as on a torus, but bounds and places as on
            a plane.
        corrected: how many are found if places are compared as on a torus too.
    """

    contacts: int
    described: int
    corrected: int


def contacts_across_the_edge(objects: int = 200, seed: int = 1994) -> EdgeContacts:
    """Put a scene on the corner where the edges of a torus meet, leaves 32 pixels wide."""
    leaf = WORLD // NARROW.cells
    scene = make_circle_scene("clustered", objects, seed).wrapped(-320, -240, WORLD)
    pairs = [tuple(pair) for pair in overlapping_pairs(scene, WORLD).tolist()]
    on_the_plane = {tuple(pair) for pair in overlapping_pairs(scene).tolist()}
    across = {pair for pair in pairs if pair not in on_the_plane}
    searches = (
        search_as_described(scene, leaf=leaf),
        search_corrected(scene, leaf=leaf, toroidal=True),
    )
    counts = [
        len(across & {(min(a, b), max(a, b)) for a, b in search.reported.tolist()})
        for search in searches
    ]
    return EdgeContacts(len(across), *counts)
