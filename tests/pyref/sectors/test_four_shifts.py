"""Four shifts: the answer against brute force, the order of work against hand-worked scenes."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref.brute_force import colliding_pairs, collisions
from pyref.scene import GENERATORS, SAFE_HEIGHT, SAFE_WIDTH, make_scene, scene_from_corners
from pyref.sectors import four_shifts
from pyref.sectors.four_shifts import (
    MAX_OBJECTS,
    NULL,
    SECTOR_SIZE,
    SHIFTS,
    X_LIMIT,
    X_SECTORS,
    Y_LIMIT,
    Y_SECTORS,
    Detection,
    determine_collisions,
)
from tests.examples import examples
from tests.rows import slow_but

Corners = list[tuple[int, int]]

ALL = pytest.mark.parametrize("generator", GENERATORS)


@st.composite
def crowds(draw: st.DrawFn) -> Corners:
    """Corners all within a window of 90 pixels, anywhere in the safe domain."""
    left, top = draw(st.integers(0, X_LIMIT - 90)), draw(st.integers(0, Y_LIMIT - 90))
    place = st.tuples(st.integers(left, left + 90), st.integers(top, top + 90))
    return draw(st.lists(place, max_size=20))


ANYWHERE = st.lists(st.tuples(st.integers(0, X_LIMIT), st.integers(0, Y_LIMIT)), max_size=40)
SCENES = ANYWHERE | crowds()


def pairs(array: np.ndarray) -> list[tuple[int, ...]]:
    """The rows of a pair array as tuples."""
    return [tuple(row) for row in array.tolist()]


def walk(detection: Detection) -> dict[tuple[int, int], list[int]]:
    """Each sector's list after the last pass, empty ones left out."""
    lists = {}
    for column in range(X_SECTORS):
        for row in range(Y_SECTORS):
            members = []
            index = int(detection.sector_heads[column, row])
            while index != NULL:
                members.append(index)
                index = int(detection.sector_links[index])
            if members:
                lists[column, row] = members
    return lists


# ---- scenes worked by hand


def test_one_crowded_sector_is_tested_from_the_newest_object_down() -> None:
    found = determine_collisions([(0, 0), (10, 10), (100, 100), (20, 0)])
    assert pairs(found.tested) == [(3, 1), (3, 0), (1, 0)] * 4
    assert pairs(found.hits) == [(3, 1), (3, 0), (1, 0)] * 4
    assert found.flags[:5].tolist() == [1, 1, 0, 1, 0]
    assert walk(found) == {(0, 0): [3, 1, 0], (2, 2): [2]}
    assert found.sector_links.tolist() == [-1, 0, -1, 1]


def test_a_pair_across_a_column_boundary_is_found_by_the_two_passes_that_shift_x() -> None:
    found = determine_collisions([(60, 10), (70, 12)])
    assert pairs(found.hits) == [(1, 0), (1, 0)]
    assert found.tests == 2
    assert walk(found) == {(1, 0): [1, 0]}


def test_a_pair_across_a_sector_corner_is_found_by_the_last_pass_alone() -> None:
    found = determine_collisions([(63, 63), (64, 64)])
    assert pairs(found.tested) == [(1, 0)]
    assert pairs(found.hits) == [(1, 0)]
    assert walk(found) == {(1, 1): [1, 0]}


def test_sectors_are_visited_column_by_column() -> None:
    found = determine_collisions([(70, 0), (71, 0), (0, 70), (1, 70), (0, 0), (1, 1)])
    assert pairs(found.tested) == [(5, 4), (3, 2), (1, 0)] * 4


def test_passes_run_unshifted_then_y_then_x_then_both() -> None:
    # Each pair shares a sector in one pass only, and the pass is told by the pair: the first
    # straddles both shifted boundaries, the next x's shifted and y's unshifted, and so on.
    before, after = {"plain": 31, "shifted": 63}, {"plain": 32, "shifted": 64}
    corners = []
    for origin, (x, y) in enumerate(
        [("plain", "plain"), ("plain", "shifted"), ("shifted", "plain"), ("shifted", "shifted")]
    ):
        base = 128 * origin
        corners += [(base + before[x], before[y]), (base + after[x], after[y])]
    assert pairs(determine_collisions(corners).tested) == [(1, 0), (3, 2), (5, 4), (7, 6)]


def test_the_safe_domain_uses_the_whole_table() -> None:
    found = determine_collisions([(0, 0), (671, 543), (671, 0), (0, 543)])
    assert walk(found) == {(0, 0): [0], (10, 8): [1], (10, 0): [2], (0, 8): [3]}
    assert found.tests == 0


def test_an_empty_scene_still_walks_one_object_at_the_origin() -> None:
    found = determine_collisions([])
    assert found.sector_heads[0, 0] == 0
    assert (found.sector_heads != NULL).sum() == 1
    assert found.sector_links.tolist() == [NULL]
    assert not found.flags.any()
    assert found.tests == 0
    assert found.hits.shape == (0, 2)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(("distance", "overlap"), [(0, True), (29, True), (30, False)])
def test_29_pixels_overlap_and_30_only_touch(
    distance: int, overlap: bool, axis: int, sign: int
) -> None:
    corners = np.full((2, 2), 200)
    corners[1, axis] += sign * distance
    found = determine_collisions(corners)
    assert found.tests > 0
    assert bool(len(found.hits)) is overlap
    assert found.flags[:3].tolist() == [overlap, overlap, False]


# ---- against brute force


def assert_sound(corners: Corners | np.ndarray) -> None:
    """Check everything that holds for each scene."""
    found = determine_collisions(corners)
    count = len(corners)
    assert np.array_equal(found.flags[:count], collisions(corners))
    assert not found.flags[count:].any()

    hits = Counter(pairs(found.hits))
    assert sorted(hits) == pairs(colliding_pairs(corners))
    assert set(hits.values()) <= {1, 2, 4}
    tested = Counter(pairs(found.tested))
    assert all(higher > lower for higher, lower in tested)
    assert set(tested.values()) <= {1, 2, 4}
    assert all(tested[pair] == times for pair, times in hits.items())

    if count:
        lists = walk(found)
        assert sorted(index for members in lists.values() for index in members) == [*range(count)]
        for (column, row), members in lists.items():
            assert members == sorted(members, reverse=True)
            for index in members:
                x, y = corners[index]
                assert ((x + 32) >> 6, (y + 32) >> 6) == (column, row)


@given(SCENES)
@settings(deadline=None, max_examples=examples(300))
def test_any_scene_agrees_with_brute_force(corners: Corners) -> None:
    assert_sound(corners)


@ALL
@pytest.mark.parametrize("objects", slow_but([2, 50], [1, 2, 50, 200]))
def test_generated_scenes_agree_with_brute_force(generator: str, objects: int) -> None:
    for seed in range(3 if generator == "identical" else 15):
        assert_sound(make_scene(generator, objects, seed).corners)


@given(st.tuples(st.integers(0, X_LIMIT), st.integers(0, Y_LIMIT)), st.integers(2, 8))
@settings(deadline=None)
def test_identical_positions_are_found_by_all_four_passes(
    place: tuple[int, int], count: int
) -> None:
    hits = Counter(pairs(determine_collisions([place] * count).hits))
    assert len(hits) == count * (count - 1) // 2
    assert set(hits.values()) == {4}


def test_corners_up_to_32_apart_share_a_column_in_one_of_two_positions() -> None:
    def reach(farthest: int) -> bool:
        return all(
            any((x + shift) // SECTOR_SIZE == (x + d + shift) // SECTOR_SIZE for shift in (0, 32))
            for x in range(SECTOR_SIZE)
            for d in range(farthest + 1)
        )

    assert reach(32)  # objects of 33 pixels or less: 30 has room to spare
    assert not reach(33)


# ---- counts from the audit of the 1994 post


def mean_tests(objects: int, scenes: int) -> float:
    """Mean number of rectangle tests over seeded uniform scenes."""
    return float(
        np.mean(
            [
                determine_collisions(make_scene("uniform", objects, seed)).tests
                for seed in range(scenes)
            ]
        )
    )


def expected_tests(objects: int) -> float:
    """The exact mean: pairs times the chance of a common sector, summed over the shifts."""

    def chance(places: int) -> float:
        """Expected number, of an axis's two positions, in which two objects share a strip."""
        strips = (Counter((at + shift) // SECTOR_SIZE for at in range(places)) for shift in (0, 32))
        return sum(size**2 for strip in strips for size in strip.values()) / places**2

    return objects * (objects - 1) / 2 * chance(639) * chance(479)


@pytest.mark.parametrize(
    ("objects", "audited"), slow_but([(50, 61.8)], [(50, 61.8), (100, 248.4), (200, 1001.4)])
)
def test_uniform_scenes_cost_the_tests_they_should(objects: int, audited: float) -> None:
    assert expected_tests(objects) == pytest.approx(audited, rel=0.005)
    assert mean_tests(objects, 400) == pytest.approx(audited, rel=0.02)


def test_a_hit_is_found_once_twice_or_four_times_in_known_shares() -> None:
    times: Counter[int] = Counter()
    for seed in range(200):
        found = determine_collisions(make_scene("uniform", MAX_OBJECTS, seed))
        times.update(Counter(pairs(found.hits)).values())
    total = times.total()
    assert total / 200 == pytest.approx(213.9, rel=0.02)
    shares = [times[n] / total for n in (1, 2, 4)]
    assert shares == pytest.approx([0.1999, 0.4944, 0.3058], abs=0.01)
    assert set(times) == {1, 2, 4}


# ---- a checker that cannot go red proves nothing


def disagreements(generator: str, scenes: int = 25) -> int:
    """How many generated scenes the two references answer differently."""
    made = [make_scene(generator, MAX_OBJECTS, seed) for seed in range(scenes)]
    return sum(
        not np.array_equal(determine_collisions(scene).flags, collisions(scene.corners))
        for scene in made
    )


@pytest.mark.parametrize("dropped", range(4))
@pytest.mark.parametrize(
    "generator", slow_but(["uniform"], ["uniform", "neighbours", "sector-edge"])
)
def test_a_dropped_shift_is_noticed(
    dropped: int, generator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert disagreements(generator) == 0
    kept = SHIFTS[:dropped] + SHIFTS[dropped + 1 :]
    monkeypatch.setattr(four_shifts, "SHIFTS", kept)
    assert disagreements(generator) > 0


@pytest.mark.parametrize("generator", ["uniform", "neighbours"])
@pytest.mark.parametrize("size", [29, 31])  # as integers go, < 31 is <= 30
def test_a_loose_or_tight_comparison_is_noticed(
    size: int, generator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(four_shifts, "RECT_SIZE", size)
    assert disagreements(generator) > 0


# ---- input, output, speed


def test_detection_has_the_shapes_and_types_it_declares() -> None:
    found = determine_collisions(make_scene("uniform", 57, 5))
    arrays = (found.flags, found.sector_heads, found.sector_links, found.tested, found.hits)
    assert [array.dtype.name for array in arrays] == ["uint8", "int16", "int16", "int16", "int16"]
    assert [array.shape for array in arrays[:3]] == [(200,), (11, 9), (57,)]
    assert found.tested.shape == (found.tests, 2)
    assert found.hits.shape[1:] == (2,)


def test_a_scene_and_its_corners_give_the_same() -> None:
    scene = make_scene("neighbours", 80, 2)
    for other in (scene.corners, scene.corners.tolist(), scene_from_corners(scene.corners)):
        again, found = determine_collisions(other), determine_collisions(scene)
        assert np.array_equal(again.flags, found.flags)
        assert np.array_equal(again.tested, found.tested)


def test_the_generators_know_the_routine_s_limits() -> None:
    assert (X_LIMIT, Y_LIMIT) == (SAFE_WIDTH - 1, SAFE_HEIGHT - 1) == (671, 543)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((672, 0), r"object 1: x = 672 is outside 0\.\.671"),
        ((-1, 0), r"object 1: x = -1 is outside 0\.\.671"),
        ((0, 544), r"object 1: y = 544 is outside 0\.\.543"),
        ((5, -32768), r"object 1: y = -32768 is outside 0\.\.543"),
    ],
)
def test_corners_beyond_the_sector_table_are_refused(bad: tuple[int, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        determine_collisions([(3, 3), bad, (9999, 9999)])


def test_more_objects_than_the_array_holds_are_refused() -> None:
    assert determine_collisions(make_scene("uniform", 200, 0)).sector_links.shape == (200,)
    with pytest.raises(ValueError, match="201 objects"):
        determine_collisions(make_scene("uniform", 201, 0))


def test_a_full_scene_is_quick() -> None:
    scene = make_scene("uniform", MAX_OBJECTS, 1)
    best = min(timed(scene.corners) for _ in range(20))
    assert best < 0.05


def timed(corners: np.ndarray) -> float:
    """Seconds of processor time that one detection takes."""
    begun = time.process_time()
    determine_collisions(corners)
    return time.process_time() - begun


@pytest.mark.parametrize("objects", [0, 1, 7, 200])
def test_the_work_is_counted(objects):
    detection = determine_collisions(make_scene("uniform", objects, 1994))
    assert detection.sector_visits == 4 * 99
    assert detection.insertions == 4 * max(objects, 1)  # no objects are filed as one
    assert detection.tests == len(detection.tested)
    assert detection.hit_count == len(detection.hits)


def test_work_grows_with_what_is_there_to_do():
    apart = determine_collisions([(0, 0), (300, 300)])
    together = determine_collisions([(100, 100), (101, 101)])
    assert (apart.tests, apart.hit_count) == (0, 0)
    assert (together.tests, together.hit_count) == (4, 4)
