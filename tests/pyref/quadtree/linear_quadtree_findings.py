"""What is wrong with the post on linear quadtrees: each defect with the numbers that show it.

The numbers of :data:`FINDINGS` are worked out when they are asked for, on the Python references;
the cases that each finding names show that compiled code does the same on every processor. Q3 is
not here: the printed machine words are what the listing says they are. Here are totals over many
scenes; the single inputs that ``macproof findings`` shows are in
``mac_src/linear_quadtree/findings.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pyref.quadtree.circle_scene import make_circle_scene, overlapping_pairs
from pyref.quadtree.linear_quadtree import (
    DESCRIBED_LEAF,
    LEAF,
    QuadtreeDetection,
    detect_as_described,
    detect_as_printed,
    detect_collisions,
    search_as_described,
)
from pyref.quadtree.linear_quadtree_measures import (
    contacts_across_the_edge,
    count_loops,
    crowded_leaf,
    diagonal_pair,
    every_code,
    growth,
    judge_neighbours,
    judge_top_right,
    negative_codes,
    pairs_beyond_the_neighbours,
    reports,
)
from pyref.quadtree.morton import neighbours_by_steps
from pyref.quadtree.morton_as_printed import (
    REPAIRED_MINUS_ONE,
    REPAIRED_STEPS,
    neighbours_of_listing,
    top_right_of_listing,
)

Figures = Mapping[str, int]

CORRECTED, TORUS = "linear-quadtree", "linear-quadtree-torus"
DESCRIBED, PRINTED = "linear-quadtree-as-described", "linear-quadtree-as-printed"
NEIGHBOURS, LISTINGS = "morton-neighbours", "morton-neighbours-as-printed"
WORDS, ASSEMBLY = "morton-top-right-words", "morton-neighbours-in-assembly"

_RADIUS = 15
_EVERY = every_code()


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of the post.

    Attributes:
        name: its number in the audit of the post.
        claim: what the post says or prints.
        found: what is so.
        figures: works out the numbers, by what they count.
        cases: the cases whose compiled code does the same.
    """

    name: str
    claim: str
    found: str
    figures: Callable[[], Figures]
    cases: tuple[str, ...] = ()


def _top_right() -> Figures:
    printed = judge_top_right(top_right_of_listing(_EVERY))
    repaired = judge_top_right(top_right_of_listing(_EVERY, REPAIRED_MINUS_ONE))
    return {
        "codes": len(_EVERY),
        "wrong as printed": printed.wrong,
        "of these in odd columns": printed.odd_columns,
        "of these the neighbour above and to the left": printed.top_left,
        "wrong with 0x5555 for 0xffff": repaired.wrong,
    }


def _plain_code() -> Figures:
    return {
        "neighbours of all codes": 8 * len(_EVERY),
        "wrong by unsigned arithmetic in plain code": sum(
            judge_neighbours(neighbours_by_steps(_EVERY)).wrong
        ),
    }


def _assembly() -> Figures:
    found = judge_neighbours(neighbours_of_listing(_EVERY))
    return {
        **{f"wrong in slot r[{slot}]": wrong for slot, wrong in enumerate(found.wrong)},
        "lists with the cell itself": found.listing_themselves,
        "lists with a cell twice": found.with_duplicates,
        "lists without the row above": found.without_row_above,
    }


def _assembly_repaired() -> Figures:
    found = judge_neighbours(neighbours_of_listing(_EVERY, REPAIRED_STEPS))
    return {"wrong neighbours with 0x5555 and 0xaaaa for -1": sum(found.wrong)}


def _shared_register() -> Figures:
    found = judge_neighbours(neighbours_of_listing(_EVERY, REPAIRED_STEPS, input_overwritten=True))
    return {"codes with a wrong row, constants repaired, registers shared": found.wrong_rows}


def _narrow_leaves() -> Figures:
    beyond, pairs = pairs_beyond_the_neighbours(DESCRIBED_LEAF, _RADIUS)
    at_last, _ = pairs_beyond_the_neighbours(2 * _RADIUS - 1, _RADIUS)
    return {
        f"overlapping places of two circles of radius {_RADIUS}, leaf {DESCRIBED_LEAF}": pairs,
        "of these not in neighbouring leaves": beyond,
        f"with a leaf of {2 * _RADIUS - 1} pixels": at_last,
    }


def _lost_diagonals() -> Figures:
    """Circles that overlap without either reaching into the other's leaf, of every size."""
    scenes = [(leaf, diagonal_pair(leaf, r)) for leaf in (16, 32, 64) for r in range(2, 16)]
    tests = [search_as_described(scene, leaf=leaf).tests for leaf, scene in scenes]
    return {"diagonal pairs tried": len(tests), "tested as described": sum(map(bool, tests))}


def _times_reported() -> Figures:
    scene = make_circle_scene("equal", 200, 1994)
    figures = {"overlapping pairs of 200 circles": len(overlapping_pairs(scene))}
    forms: tuple[tuple[str, QuadtreeDetection], ...] = (
        ("as described", detect_as_described(scene)),
        ("with printed neighbours", detect_as_printed(scene)),
        ("corrected", detect_collisions(scene)),
    )
    for form, answer in forms:
        found = reports(scene, answer)
        within, across = found.within_leaf, found.across_leaves
        never = within.get(0, 0) + across.get(0, 0)
        once = within.get(1, 0) + across.get(1, 0)
        figures |= {
            f"{form}, reported never": never,
            f"{form}, reported once": once,
            f"{form}, reported more often": figures["overlapping pairs of 200 circles"]
            - never
            - once,
            f"{form}, objects reported with themselves": found.themselves,
        }
    return figures


def _work() -> Figures:
    found = growth((100, 1600))
    return {
        "tests of 50 objects in one leaf": crowded_leaf(50),
        **{f"tests of {g.objects} objects of one density": g.tests for g in found},
        **{f"lookups of {g.objects} objects of one density": g.lookups for g in found},
    }


def _loops() -> Figures:
    first, second = count_loops(50)
    return {
        "calls of the first loop, 50 objects": first.calls,
        "calls of the second loop": second.calls,
        "calls of an object with itself, either loop": second.with_itself,
        "calls needed": second.needed,
    }


def _edges() -> Figures:
    found = contacts_across_the_edge()
    return {
        "codes that int16_t makes negative": negative_codes(),
        "contacts across the edge of a torus": found.contacts,
        "found with bounds of a plane": found.described,
        "found with distances of the torus": found.corrected,
    }


FINDINGS: tuple[Finding, ...] = (
    Finding(
        "Q1",
        "The printed expression gives the neighbour above and to the right.",
        "In every odd column it gives the one above and to the left: minus one is 0xffff, where "
        "the dilated minus one of x is 0x5555.",
        _top_right,
        (LISTINGS, WORDS),
    ),
    Finding(
        "Q2",
        "The compiler destroys the sequence of operations, so it has to be in assembler.",
        "The printed words do what the printed expression says, for every code; plain code on "
        "unsigned numbers is right with every compiler tried.",
        _plain_code,
        (NEIGHBOURS, WORDS),
    ),
    Finding(
        "Q4",
        "The inline assembly lists the eight neighbours on a torus.",
        "Adding -1 to values whose gaps are filled with ones changes bit 0 only: the row above is "
        "never listed, and every list has the cell itself.",
        _assembly,
        (LISTINGS, ASSEMBLY, PRINTED),
    ),
    Finding(
        "Q5",
        "The inline assembly lists the eight neighbours on a torus.",
        "It does with the dilated minus ones, 0x5555 and 0xaaaa, for its two -1.",
        _assembly_repaired,
        (LISTINGS, ASSEMBLY),
    ),
    Finding(
        "Q6",
        "The constraints of the inline assembly describe it.",
        "Outputs are written before the input is read for the last time, and no early clobber "
        "says so: a compiler may give both one register, and then the row is lost.",
        _shared_register,
        (ASSEMBLY,),
    ),
    Finding(
        "Q7",
        "Leaves larger than the largest radius put what collides into neighbouring leaves.",
        f"Leaves of almost a diameter do, {2 * _RADIUS - 1} pixels for whole pixels and a radius "
        f"of {_RADIUS}; with {DESCRIBED_LEAF} a quarter of all overlapping places is lost.",
        _narrow_leaves,
        (DESCRIBED, CORRECTED),
    ),
    Finding(
        "Q8",
        "A candidate that does not overlap the leaf at hand need not be tested.",
        "Two circles of diagonal leaves can overlap within a third leaf, however large leaves are.",
        _lost_diagonals,
        (DESCRIBED, CORRECTED),
    ),
    Finding(
        "Q9",
        "Every pair that may collide is tested.",
        "Pairs across leaves are tested once, twice or not at all; with half the neighbours and "
        f"leaves of {LEAF} pixels each is tested once.",
        _times_reported,
        (DESCRIBED, PRINTED, CORRECTED),
    ),
    Finding(
        "Q10",
        "On average O(logn^2), at worst O(nlogn).",
        "At worst n(n - 1)/2 tests, in one leaf; at one density tests and lookups grow with n, so "
        "a frame takes n log n with its sorting and looking up.",
        _work,
        (DESCRIBED,),
    ),
    Finding(
        "Q11",
        "The trivial loops compare every object with every other.",
        "Both also compare it with itself, and the first compares every pair twice.",
        _loops,
    ),
    Finding(
        "Q12",
        "Codes are 16-bit integers, and space may be a torus.",
        "A signed result turns half of all codes negative, which are equal to none; bounds tested "
        "as on a plane drop every contact across the edge; and nothing ends the last run.",
        _edges,
        (LISTINGS, DESCRIBED, TORUS),
    ),
)
"""Every defect that has numbers, in the order of the audit."""
