"""The same objects in every system's own terms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pyref import same_objects
from pyref.blockmap.blockmap import overlapping_pairs, play
from pyref.collider.collider import play_corrected
from pyref.sectors.four_shifts import determine_collisions, determine_collisions_of_many

CORNERS = hnp.arrays(
    np.int32, st.tuples(st.integers(0, 40), st.just(2)), elements=st.integers(0, 200)
)


@given(CORNERS)
def test_boxes_collide_as_squares_do(corners):
    scene = same_objects.boxes(corners)
    truth = same_objects.squares_that_overlap(corners)
    pairs = overlapping_pairs(np.column_stack([scene.x, scene.y, scene.width, scene.height]))
    assert set(np.flatnonzero(truth)) == {one for pair in pairs for one in pair}
    assert np.array_equal(play(scene).collided, truth)
    assert np.array_equal(scene.corners, corners)


@given(CORNERS)
def test_circles_that_overlap_are_in_squares_that_do(corners):
    circles = same_objects.circles_that_overlap(corners)
    assert not (circles & ~same_objects.squares_that_overlap(corners)).any()
    gaps = corners[:, np.newaxis].astype(np.int64) - corners
    near = (gaps**2).sum(axis=-1) < 30**2
    np.fill_diagonal(near, False)
    assert np.array_equal(circles, near.any(axis=1))


def test_squares_whose_circles_do_not_overlap():
    corners = [(0, 0), (29, 29)]
    assert same_objects.squares_that_overlap(corners).all()
    assert not same_objects.circles_that_overlap(corners).any()
    assert not same_objects.squares_that_overlap([(0, 0), (30, 0)]).any()


@pytest.mark.parametrize("objects", [0, 1, 2, 50])
def test_every_two_critters_collide_once(objects):
    corners = np.zeros((objects, 2), dtype=np.int32)
    before = play_corrected(same_objects.critters(corners))
    after = play_corrected(same_objects.critters_that_collide(corners))
    assert before.tests == 0
    assert after.tests == after.pair_count == objects * (objects - 1) // 2


def test_a_game_has_room_for_fifty():
    with pytest.raises(ValueError, match="51 objects, where a game has room for 50 critters"):
        same_objects.critters_that_collide(np.zeros((51, 2), dtype=np.int32))


@given(CORNERS)
def test_room_for_many_changes_nothing_but_the_room(corners):
    few, many = determine_collisions(corners), determine_collisions_of_many(corners)
    assert np.array_equal(few.flags, many.flags[:200])
    assert not many.flags[200:].any()
    assert np.array_equal(few.tested, many.tested)
    assert np.array_equal(few.sector_heads, many.sector_heads)


def test_many_are_taken_up_to_a_limit():
    corners = np.zeros((2001, 2), dtype=np.int32)
    with pytest.raises(ValueError, match="201 objects, where the routine holds 200"):
        determine_collisions(corners[:201])
    with pytest.raises(ValueError, match="2001 objects, where the routine holds 2000"):
        determine_collisions_of_many(corners)
    spread = np.stack(np.meshgrid(np.arange(0, 600, 20), np.arange(0, 400, 20)), -1).reshape(-1, 2)
    found = determine_collisions_of_many(spread)
    truth = same_objects.squares_that_overlap(spread)
    assert truth.all() and np.array_equal(found.flags[: len(spread)], truth)
