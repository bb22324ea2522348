"""Both forms of the linear quadtree: against all pairs, and in their order of work."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref.quadtree.circle_scene import (
    GENERATORS,
    CircleScene,
    circle_scene,
    make_circle_scene,
    overlapping_pairs,
)
from pyref.quadtree.linear_quadtree import (
    LEAF,
    MAX_OBJECTS,
    MAX_REPORTS,
    WORLD,
    QuadtreeDetection,
    described_leaf_lines,
    detect_as_described,
    detect_as_printed,
    detect_collisions,
    detect_on_torus,
    leaf_lines,
    make_scene,
    make_scene_across_the_edge,
    search_as_described,
    search_corrected,
)
from pyref.quadtree.morton import encode, neighbours_by_steps
from tests.examples import examples

AREA = 90  # pixels; small, so that much overlaps
CIRCLES = st.lists(
    st.tuples(st.integers(0, AREA), st.integers(0, AREA), st.integers(1, 15)), max_size=30
)
ORIGINS = st.sampled_from([(0, 0), (WORLD - AREA - 1, 0), (0, WORLD - AREA - 1), (4000, 4000)])


def unordered(found: QuadtreeDetection) -> list[tuple[int, int]]:
    return sorted((min(pair), max(pair)) for pair in found.reported.tolist())


def truth(scene: CircleScene, world: int = 0) -> list[tuple[int, int]]:
    return [(a, b) for a, b in overlapping_pairs(scene, world).tolist()]


def moved(circles: list[tuple[int, int, int]], x: int, y: int) -> CircleScene:
    return circle_scene([(cx + x, cy + y, r) for cx, cy, r in circles])


# -- corrected: every pair once, none missed ---------------------------------------------------


@given(CIRCLES, ORIGINS)
@settings(deadline=None, max_examples=examples(300))
def test_every_overlapping_pair_is_reported_exactly_once(
    circles: list[tuple[int, int, int]], origin: tuple[int, int]
):
    scene = moved(circles, *origin)
    found = detect_collisions(scene)
    assert unordered(found) == truth(scene)
    assert set(np.flatnonzero(found.flags)) == {index for pair in truth(scene) for index in pair}


@given(CIRCLES, st.integers(-AREA, AREA), st.integers(-AREA, AREA))
@settings(deadline=None, max_examples=examples(300))
def test_every_pair_is_reported_once_on_a_torus(
    circles: list[tuple[int, int, int]], x: int, y: int
):
    scene = circle_scene(circles).wrapped(x, y, WORLD)
    assert unordered(detect_on_torus(scene)) == truth(scene, WORLD)


@given(CIRCLES, st.integers(30, 64))
@settings(deadline=None)
def test_any_leaf_of_a_diameter_will_do(circles: list[tuple[int, int, int]], leaf: int):
    scene = circle_scene(circles)
    assert unordered(search_corrected(scene, leaf=leaf)) == truth(scene)


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("objects", [0, 1, 2, 200])
def test_the_scenes_of_the_case(generator: str, objects: int):
    scene = make_scene(generator, objects, 1994)
    assert unordered(detect_collisions(scene)) == truth(scene)
    across = make_scene_across_the_edge(generator, objects, 1994)
    assert unordered(detect_on_torus(across)) == truth(across, WORLD)


def test_no_pair_is_tested_twice():
    found = detect_collisions(make_scene("equal", 200, 1))
    pairs = [(min(pair), max(pair)) for pair in found.tested.tolist()]
    assert len(pairs) == len(set(pairs)) == found.tests
    assert found.lookups <= 4 * found.leaves
    assert found.bounds_tests == 0


@pytest.mark.slow
def test_two_thousand_objects():
    scene = make_circle_scene("equal", 2000, 3, width=2000, height=1500)
    found = detect_collisions(scene)
    assert unordered(found) == truth(scene)
    assert len(found.nodes) == MAX_OBJECTS


def test_reports_beyond_the_last_are_counted():
    found = detect_collisions(make_scene("identical", 100, 1))
    assert found.hits == 4950
    assert len(found.report_first) == len(found.report_second) == MAX_REPORTS
    assert found.flags.sum() == 100


# -- order ---------------------------------------------------------------------------------------


def test_nodes_are_in_the_order_of_codes_and_then_of_indices():
    scene = make_scene("clustered", 200, 4)
    found = detect_collisions(scene)
    codes = encode(scene.x // LEAF, scene.y // LEAF)
    assert found.codes.tolist() == codes.tolist()
    assert found.nodes.tolist() == sorted(range(200), key=lambda index: (codes[index], index))
    walked, node = [], int(found.nodes[0])
    while node != -1:
        walked.append(node)
        node = int(found.links[node])
    assert walked == found.nodes.tolist()


def test_sources_come_before_candidates():
    # Three leaves in a row and one below; two objects in the first.
    scene = circle_scene([(40, 8, 15), (20, 8, 15), (30, 8, 15), (30, 40, 15)])
    found = detect_collisions(scene)
    assert found.nodes.tolist() == [1, 2, 0, 3]
    assert found.tested.tolist() == [[1, 2], [1, 0], [2, 0], [1, 3], [2, 3], [0, 3]]
    assert found.reported.tolist() == [[1, 2], [1, 0], [2, 0]]
    described = search_as_described(scene, leaf=LEAF)
    assert described.tested.tolist() == [
        *([1, 2], [1, 0], [2, 0], [1, 3], [2, 3]),  # from the first leaf
        *([0, 1], [0, 2], [0, 3]),  # from the second; into the third nothing reaches
    ]


# -- as described --------------------------------------------------------------------------------


@given(CIRCLES)
@settings(deadline=None, max_examples=examples(200))
def test_as_described_is_what_the_description_says(circles: list[tuple[int, int, int]]):
    """Once more in another way: all pairs of leaves, by geometry, without codes or sorting."""
    scene = circle_scene(circles)
    leaf = 16
    expected = []
    for a, (ax, ay, _) in enumerate(circles):
        for b, (bx, by, radius) in enumerate(circles):
            own, other = (ax // leaf, ay // leaf), (bx // leaf, by // leaf)
            if a == b or max(abs(own[0] - other[0]), abs(own[1] - other[1])) > 1:
                continue
            nearest = [
                min(max(place, cell * leaf), cell * leaf + leaf)
                for place, cell in zip((bx, by), own, strict=True)
            ]
            reaches = (nearest[0] - bx) ** 2 + (nearest[1] - by) ** 2 < radius**2
            if (own == other and a < b) or (own != other and reaches):
                expected.append((a, b))
    found = detect_as_described(scene)
    assert sorted(map(tuple, found.tested.tolist())) == sorted(expected)
    assert unordered(found) == sorted(
        (min(a, b), max(a, b)) for a, b in expected if (min(a, b), max(a, b)) in truth(scene)
    )


@given(CIRCLES)
@settings(deadline=None)
def test_as_described_reports_nothing_that_does_not_overlap(circles: list[tuple[int, int, int]]):
    scene = circle_scene(circles)
    assert set(unordered(detect_as_described(scene))) <= set(truth(scene))


def test_the_order_as_described_is_leaf_by_leaf():
    found = detect_as_described(make_scene("equal", 200, 9))
    position = {int(node): place for place, node in enumerate(found.nodes)}
    leaves = [int(found.codes[source]) for source, _ in found.tested.tolist()]
    assert leaves == sorted(leaves)
    assert found.lookups == 8 * found.leaves
    assert found.bounds_tests >= 1
    inside = [(a, b) for a, b in found.tested.tolist() if found.codes[a] == found.codes[b]]
    assert all(position[a] < position[b] for a, b in inside)


def test_right_neighbours_can_be_given():
    scene = make_scene("uniform", 100, 2)
    given_ = search_as_described(scene, leaf=16, lister=neighbours_by_steps)
    assert np.array_equal(given_.tested, detect_as_described(scene).tested)


def test_printed_neighbours_have_objects_collide_with_themselves():
    scene = make_scene("uniform", 100, 2)
    own = [a for a, b in detect_as_printed(scene).reported.tolist() if a == b]
    assert sorted(set(own)) == list(range(100))
    assert detect_as_printed(circle_scene([(8, 8, 3)])).reported.tolist() == [[0, 0]]


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("detect", [detect_collisions, detect_on_torus, detect_as_described])
@pytest.mark.parametrize(
    ("circles", "words"),
    [
        ([(8192, 0, 1)], "object 0: x = 8192 is outside"),
        ([(0, 0, 1), (0, -1, 1)], "object 1: y = -1 is outside"),
        ([(0, 0, 16)], "radius = 16 is outside 1..15"),
        ([(0, 0, 1)] * 2001, "2001 objects"),
    ],
)
def test_what_the_routine_has_no_room_for_is_refused(detect, circles, words):
    with pytest.raises(ValueError, match=words):
        detect(circle_scene(circles))


def test_the_described_world_is_half_as_wide():
    scene = circle_scene([(4096, 0, 1)])
    assert detect_collisions(scene).tests == 0
    with pytest.raises(ValueError, match=r"0\.\.4095"):
        detect_as_described(scene)


def test_a_leaf_narrower_than_a_diameter_is_refused():
    with pytest.raises(ValueError, match="diameter 30"):
        search_corrected(circle_scene([(0, 0, 15)]), leaf=29)


def test_leaves_can_be_drawn():
    scene = circle_scene([(5, 5, 3), (6, 6, 3), (40, 5, 3)])
    assert list(leaf_lines(scene, detect_collisions(scene))) == [(0, 0, 31, 31), (32, 0, 63, 31)]
    lines = described_leaf_lines(scene, detect_as_described(scene))
    assert list(lines) == [(0, 0, 15, 15), (32, 0, 47, 15)]
