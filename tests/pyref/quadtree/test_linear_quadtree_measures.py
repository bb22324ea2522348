"""What the post on linear quadtrees claims: each defect in numbers, and the checks go red."""

from __future__ import annotations

import numpy as np
import pytest

from pyref.quadtree.circle_scene import (
    GENERATORS,
    circle_scene,
    make_circle_scene,
    overlapping_pairs,
)
from pyref.quadtree.linear_quadtree import (
    detect_as_described,
    detect_as_printed,
    detect_collisions,
    search_as_described,
    search_corrected,
)
from pyref.quadtree.linear_quadtree_measures import (
    EdgeContacts,
    LoopCounts,
    NeighbourErrors,
    TopRightErrors,
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
    separated_pair,
)
from pyref.quadtree.morton import neighbours, neighbours_by_steps
from pyref.quadtree.morton_as_printed import (
    REPAIRED_MINUS_ONE,
    REPAIRED_STEPS,
    as_int16,
    neighbours_of_listing,
    top_right_of_listing,
)

CODES = every_code()
ALL = 1 << 16

# -- the listings ------------------------------------------------------------------------------


def test_the_printed_top_right_is_wrong_in_every_odd_column():
    found = judge_top_right(top_right_of_listing(CODES))
    assert found == TopRightErrors(wrong=32768, odd_columns=32768, top_left=32768)


def test_one_constant_repairs_it():
    found = top_right_of_listing(CODES, REPAIRED_MINUS_ONE)
    assert judge_top_right(found) == TopRightErrors(0, 0, 0)
    assert judge_top_right(as_int16(found)) == TopRightErrors(0, 0, 0)


def test_no_other_16_bit_constant_of_a_few_does():
    for constant in (0, 2, 0xFFFF, 0xAAAA, 0x7FFF, 0x5554):
        assert judge_top_right(top_right_of_listing(CODES, constant)).wrong


def test_a_single_wrong_answer_is_seen():
    right = neighbours(CODES).codes
    spoiled = right[:, 2].copy()
    spoiled[12345] ^= 1
    assert judge_top_right(spoiled).wrong == 1
    table = right.copy()
    table[777, 6] ^= 4
    assert judge_neighbours(table).wrong == (0, 0, 0, 0, 0, 0, 1, 0)


def test_the_printed_assembly_never_looks_at_the_row_above():
    assert judge_neighbours(neighbours_of_listing(CODES)) == NeighbourErrors(
        wrong=(ALL, ALL, ALL, 32768, 0, 32768, 0, 0),
        listing_themselves=ALL,
        with_duplicates=ALL,
        without_row_above=ALL,
        wrong_rows=0,
    )
    # Cell 3, at (1, 1): the row above would be 0.
    assert neighbours_of_listing([3]).tolist() == [[2, 3, 6, 2, 6, 8, 9, 12]]


def test_two_constants_repair_it():
    repaired = neighbours_of_listing(CODES, REPAIRED_STEPS)
    assert judge_neighbours(repaired) == NeighbourErrors((0,) * 8, 0, 0, 0, 0)
    assert judge_neighbours(neighbours_by_steps(CODES)) == NeighbourErrors((0,) * 8, 0, 0, 0, 0)


def test_a_shared_register_spoils_the_row():
    shared = neighbours_of_listing(CODES, input_overwritten=True)
    assert judge_neighbours(shared).wrong_rows == 65280
    # Even with its constants right.
    repaired = neighbours_of_listing(CODES, REPAIRED_STEPS, input_overwritten=True)
    assert judge_neighbours(repaired).wrong_rows == 65280


def test_half_of_all_codes_come_out_negative():
    assert negative_codes() == 32768


# -- which pairs are found ---------------------------------------------------------------------


@pytest.mark.parametrize(("leaf", "radius"), [(10, 9), (16, 15), (20, 11), (64, 40)])
def test_a_leaf_wider_than_a_radius_is_not_enough(leaf: int, radius: int):
    scene = separated_pair(leaf, radius)
    assert leaf > radius
    assert len(overlapping_pairs(scene)) == 1
    assert search_as_described(scene, leaf=leaf).tests == 0
    assert search_corrected(scene, leaf=2 * radius).hits == 1


def test_how_many_pairs_lie_beyond_the_neighbours():
    assert pairs_beyond_the_neighbours(16, 15) == (177_996, 719_104)
    assert pairs_beyond_the_neighbours(28, 15) == (1_680, 2_202_256)
    assert pairs_beyond_the_neighbours(29, 15)[0] == 0
    assert pairs_beyond_the_neighbours(30, 15)[0] == 0


def test_pairs_beyond_the_neighbours_one_by_one():
    leaf, radius = 5, 4
    beyond = total = 0
    for x in range(leaf):
        for y in range(leaf):
            for dx in range(-2 * radius, 2 * radius + 1):
                for dy in range(-2 * radius, 2 * radius + 1):
                    if dx * dx + dy * dy < 4 * radius * radius:
                        total += 1
                        beyond += max(abs((x + dx) // leaf), abs((y + dy) // leaf)) > 1
    assert pairs_beyond_the_neighbours(leaf, radius) == (beyond, total)


@pytest.mark.parametrize("leaf", [4, 10, 16, 30, 32, 64, 100])
def test_the_filter_loses_diagonal_pairs_at_any_leaf_size(leaf: int):
    for radius in range(2, min(leaf, 40)):
        scene = diagonal_pair(leaf, radius)
        assert len(overlapping_pairs(scene)) == 1
        found = search_as_described(scene, leaf=leaf)
        assert (found.tests, found.bounds_tests) == (0, 2)  # both were candidates, and refused
        if leaf >= 2 * radius:
            assert search_corrected(scene, leaf=leaf).hits == 1


def test_how_often_pairs_are_reported():
    scene = make_circle_scene("equal", 200, 1994)
    assert len(overlapping_pairs(scene)) == 194
    described = reports(scene, detect_as_described(scene))
    assert described.within_leaf == {1: 19}
    assert described.across_leaves == {0: 47, 1: 39, 2: 89}
    # A leaf of a diameter mends the first defect, and leaves the second and the third.
    wider = reports(scene, search_as_described(scene, leaf=32))
    assert wider.across_leaves == {0: 1, 1: 63, 2: 61}
    corrected = reports(scene, detect_collisions(scene))
    assert (corrected.within_leaf, corrected.across_leaves) == ({1: 69}, {1: 125})
    assert described.themselves == wider.themselves == corrected.themselves == 0


def test_with_printed_neighbours_everything_collides_with_itself():
    scene = make_circle_scene("equal", 200, 1994)
    printed = reports(scene, detect_as_printed(scene))
    assert printed.themselves == 200
    assert printed.within_leaf == {3: 19}
    assert printed.across_leaves == {0: 78, 1: 57, 2: 24, 4: 2, 6: 14}


@pytest.mark.parametrize("generator", GENERATORS)
def test_reports_count_every_overlapping_pair(generator: str):
    scene = make_circle_scene(generator, 60, 5)
    found = reports(scene, detect_as_described(scene))
    total = sum(found.within_leaf.values()) + sum(found.across_leaves.values())
    assert total == len(overlapping_pairs(scene))
    times = [n * k for part in (found.within_leaf, found.across_leaves) for n, k in part.items()]
    assert sum(times) == detect_as_described(scene).hits


def test_a_self_report_is_counted_apart():
    scene = circle_scene([(8, 8, 4)])
    assert reports(scene, detect_as_printed(scene)).themselves == 1


# -- how much work there is --------------------------------------------------------------------


def test_one_leaf_of_many_is_all_pairs():
    assert [crowded_leaf(n) for n in (0, 1, 2, 50, 100)] == [0, 0, 1, 1225, 4950]


def test_at_one_density_work_grows_with_the_objects():
    numbers = (100, 200, 400, 800, 1600, 3200)
    found = growth(numbers)
    assert [g.objects for g in found] == list(numbers)
    assert all(g.lookups == 8 * g.leaves for g in found)
    each = [g.tests / g.objects for g in found]
    assert max(each) / min(each) < 1.1  # neither a logarithm nor its square
    assert [g.tests for g in found] == [164, 335, 648, 1338, 2726, 5565]


def test_the_two_trivial_loops():
    first, second = count_loops(50)
    assert first == LoopCounts(calls=2500, with_itself=50, needed=1225)
    assert second == LoopCounts(calls=1275, with_itself=50, needed=1225)


# -- the edge of a torus -----------------------------------------------------------------------


def test_a_plane_s_bounds_drop_all_contacts_across_the_edge():
    assert contacts_across_the_edge() == EdgeContacts(contacts=33, described=0, corrected=33)
    assert contacts_across_the_edge(200, 7).described == 0


def test_judging_takes_what_compiled_code_gives():
    found = neighbours_of_listing(CODES).astype(">u2")
    assert judge_neighbours(found) == judge_neighbours(neighbours_of_listing(CODES))
    signed = as_int16(top_right_of_listing(CODES)).astype(">i2")
    assert judge_top_right(signed).wrong == 32768
    assert np.array_equal(every_code(), np.arange(65536))
