"""Measures the claims of the post on linear quadtrees; see :mod:`posts.claims`.

Most figures are computed by :mod:`pyref.quadtree.linear_quadtree_measures`; here they get the names
that the rules of the claims use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posts.claims import Figures, Series
from posts.claims.growth import at_one_density
from posts.claims.work import SEED
from posts.power_law import exponent
from pyref.quadtree.circle_scene import make_circle_scene, overlapping_pairs
from pyref.quadtree.linear_quadtree import (
    DESCRIBED_LEAF,
    LEAF,
    detect_as_described,
    detect_collisions,
    search_as_described,
    search_corrected,
)
from pyref.quadtree.linear_quadtree_measures import (
    contacts_across_the_edge,
    count_loops,
    crowded_leaf,
    diagonal_pair,
    every_code,
    judge_neighbours,
    judge_top_right,
    pairs_beyond_the_neighbours,
    reports,
)
from pyref.quadtree.morton import NARROW, decode, encode, neighbours_by_steps
from pyref.quadtree.morton_as_printed import neighbours_of_listing, top_right_of_listing

_RADIUS = 15
_EVERY = every_code()


def depth_first() -> Figures:
    """Leaves that a walk through the quadtree meets in another order than that of their codes."""
    x = y = np.zeros(1, dtype=np.int64)
    # Each node has four children, upper left, upper right, lower left, lower right.
    right, down = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    for _ in range(NARROW.bits // 2):
        x = (2 * x[:, np.newaxis] + right).reshape(-1)
        y = (2 * y[:, np.newaxis] + down).reshape(-1)
    return {"leaves": len(x), "leaves_out_of_order": int((encode(x, y) != _EVERY).sum())}


def masks() -> Figures:
    """Codes whose coordinates the two masks do not take apart, or that are not put together."""
    x, y = decode(_EVERY)
    zeros = np.zeros_like(x)
    wrong_x = encode(x, zeros) != (_EVERY & 0x5555)
    wrong_y = encode(zeros, y) != (_EVERY & 0xAAAA)
    return {"codes": len(_EVERY), "codes_taken_apart_wrongly": int((wrong_x | wrong_y).sum())}


def steps() -> Figures:
    """Neighbours that are wrong by adding with gaps of ones and subtracting with gaps of zeros."""
    wrong = judge_neighbours(neighbours_by_steps(_EVERY)).wrong
    return {"neighbours": 8 * len(_EVERY), "wrong_neighbours": sum(wrong)}


def top_right() -> Figures:
    """The printed expression on every code."""
    errors = judge_top_right(top_right_of_listing(_EVERY))
    return {
        "codes": len(_EVERY),
        "wrong_codes": errors.wrong,
        "wrong_in_odd_columns": errors.odd_columns,
    }


def neighbours_of_assembly() -> Figures:
    """The printed assembly on every code."""
    errors = judge_neighbours(neighbours_of_listing(_EVERY))
    return {
        "neighbours": 8 * len(_EVERY),
        "wrong_neighbours": sum(errors.wrong),
        "lists_with_the_cell_itself": errors.listing_themselves,
        "lists_without_the_row_above": errors.without_row_above,
    }


def torus() -> Figures:
    """Contacts across the edge of a torus, and how many the search as described finds."""
    contacts = contacts_across_the_edge()
    return {
        "contacts_across_the_edge": contacts.contacts,
        "found_as_described": contacts.described,
        "found_with_distances_of_the_torus": contacts.corrected,
    }


def octrees() -> Figures:
    """The same arithmetic on three coordinates of five bits: neighbours that are wrong."""
    codes = np.arange(1 << 15)
    places = [_gather_third(codes >> axis) for axis in range(3)]
    wrong = 0
    for axis in range(3):
        own = sum(1 << 3 * bit + axis for bit in range(5))
        other, unit = 0x7FFF ^ own, 1 << axis
        for step in (1, -1):
            filled = (codes | other) + unit if step > 0 else (codes & own) - unit
            moved = filled & own | codes & other
            wanted = [place if a != axis else (place + step) % 32 for a, place in enumerate(places)]
            right = sum(_spread_third(place) << a for a, place in enumerate(wanted))
            wrong += int((moved != right).sum())
    return {"neighbours": 6 * len(codes), "wrong_neighbours": wrong}


def leaf_of_a_radius() -> Figures:
    """Overlapping pairs of the largest circles that do not lie in neighbouring leaves."""
    beyond, pairs = pairs_beyond_the_neighbours(DESCRIBED_LEAF, _RADIUS)
    enough = next(
        leaf
        for leaf in range(DESCRIBED_LEAF, 4 * _RADIUS)
        if not pairs_beyond_the_neighbours(leaf, _RADIUS)[0]
    )
    return {
        "radius": _RADIUS,
        "leaf": DESCRIBED_LEAF,
        "overlapping_places": pairs,
        "not_in_neighbouring_leaves": beyond,
        "percent_not_in_neighbouring_leaves": 100 * beyond / pairs,
        "smallest_leaf_that_is_enough": enough,
    }


def early_exclusion() -> Figures:
    """Pairs that overlap although neither circle reaches into the other's leaf."""
    tried = [(leaf, radius) for leaf in (16, 32, 64) for radius in range(2, 16)]
    overlapping = sum(len(overlapping_pairs(diagonal_pair(*size))) for size in tried)
    tested = sum(search_as_described(diagonal_pair(*size), leaf=size[0]).tests for size in tried)
    scene = make_circle_scene("equal", 200, SEED)
    answer = search_as_described(scene, leaf=LEAF)
    times = reports(scene, answer)
    return {
        "diagonal_pairs_overlapping": overlapping,
        "diagonal_pairs_tested": tested,
        "lost_of_200_circles_with_wide_leaves": times.across_leaves.get(0, 0),
    }


def report_shares() -> Series:
    """Percent of overlapping pairs of 200 circles by how often they are reported, for a plot."""
    shares: dict[str, dict[int, float]] = {}
    for name, detect in (
        ("quadtree as described", detect_as_described),
        ("quadtree corrected", detect_collisions),
    ):
        counts: dict[int, int] = {}
        for seed in range(SEED, SEED + 20):
            scene = make_circle_scene("equal", 200, seed)
            times = reports(scene, detect(scene))
            for group in (times.within_leaf, times.across_leaves):
                for number, count in group.items():
                    counts[number] = counts.get(number, 0) + count
        total = sum(counts.values())
        shares[name] = {number: 100 * counts.get(number, 0) / total for number in range(5)}
    return shares


def loops() -> Figures:
    """Calls that the two trivial loops make for 50 objects."""
    first, second = count_loops(50)
    return {
        "calls_of_the_first_loop": first.calls,
        "calls_of_the_second_loop": second.calls,
        "calls_with_itself": second.with_itself,
        "pairs": second.needed,
    }


def tiny_subset() -> Figures:
    """Tests that are left of all pairs, for 200 circles on the screen."""
    scene = make_circle_scene("equal", 200, SEED)
    pairs = 200 * 199 // 2
    described, corrected = detect_as_described(scene).tests, detect_collisions(scene).tests
    return {
        "all_pairs": pairs,
        "percent_tested_as_described": 100 * described / pairs,
        "percent_tested_corrected": 100 * corrected / pairs,
    }


def average_growth() -> Figures:
    """How tests and lookups grow at one density, and how fast log(n) squared would."""
    sizes = (100, 400, 1600)
    tests, lookups = {}, {}
    for size in sizes:
        side = round(32 * size**0.5)
        scene = make_circle_scene("equal", size, SEED, width=side, height=side)
        detection = search_corrected(scene, leaf=LEAF)
        tests[size], lookups[size] = detection.tests, detection.lookups
    return {
        "exponent_of_tests": exponent(tests),
        "exponent_of_lookups": exponent(lookups),
        "exponent_of_tests_as_described": exponent(
            {size: at_one_density(size)["quadtree as described"] for size in (100, 200, 400)}
        ),
        "exponent_of_tests_of_one_object": exponent(tests) - 1,
        "exponent_of_log_squared": exponent({size: float(np.log2(size)) ** 2 for size in sizes}),
    }


def worst_growth() -> Figures:
    """Tests when all objects lie in one leaf."""
    sizes = (50, 100, 200, 400)
    tests = {size: crowded_leaf(size) for size in sizes}
    return {
        "tests_of_50": tests[50],
        "pairs_of_50": 50 * 49 // 2,
        "exponent_of_tests": exponent(tests),
        "exponent_of_n_log_n": exponent({size: float(size * np.log2(size)) for size in sizes}),
    }


def _gather_third(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Move bit 3i of each code to bit i, and drop the others."""
    return sum((codes >> 3 * bit & 1) << bit for bit in range(5))  # type: ignore[return-value]


def _spread_third(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Move bit i of each number to bit 3i."""
    return sum((numbers >> bit & 1) << 3 * bit for bit in range(5))  # type: ignore[return-value]
