"""The blockmap's references against the definition, and what the printed form lacks."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref.blockmap.blockmap import (
    NULL,
    REPORT_ROOM,
    Play,
    overlapping_pairs,
    play,
    play_and_purge,
    play_as_printed,
    sectors_and_fragments,
)
from pyref.blockmap.blockmap_boxes import (
    FARTHEST,
    KINDS,
    REPORTS,
    THINKS,
    TURNS,
    BoxScene,
    scene_from_boxes,
)
from pyref.blockmap.blockmap_scene import GENERATORS, PRINTED_GENERATORS, make_scene
from tests.pyref.blockmap.blockmap_findings import FINDINGS, Finding

Boxes = list[tuple[float, float, int, int]]
EDGES = st.integers(-2600, 5200).map(lambda quarters: quarters / 4)
SIZES = st.integers(0, 400)
BOXES = st.lists(st.tuples(EDGES, EDGES, SIZES, SIZES), max_size=14)
# In a world of whole sectors, and two steps away from its borders: where the printed form is right.
INSIDE = st.lists(
    st.tuples(
        st.integers(40, 1640), st.integers(40, 1120), st.integers(0, 200), st.integers(0, 160)
    ),
    max_size=14,
).map(lambda boxes: [(x / 4, y / 4, w, h) for x, y, w, h in boxes])
STEP = st.integers(-5, 5)


@st.composite
def scenes(draw: st.DrawFn, boxes: st.SearchStrategy[Boxes], frames: int = 3) -> BoxScene:
    chosen = draw(boxes)
    count = len(chosen)
    several = {"min_size": count, "max_size": count}
    return scene_from_boxes(
        chosen,
        steps=np.array(draw(st.lists(st.tuples(STEP, STEP), **several)), dtype=int).reshape(-1, 2),
        kinds=np.array(draw(st.lists(st.integers(0, KINDS - 1), **several)), dtype=int),
        world=draw(st.sampled_from([(640, 480), (800, 600), (100, 90), (1, 1), (513, 97)])),
        frames=frames,
        max_fragments=draw(st.sampled_from([8192, 8192, 20, 0])),
    )


def overlapping(boxes: np.ndarray) -> set[tuple[int, int]]:
    """The definition, in plain Python, as (lower, higher): more than a line in common."""
    listed = boxes.tolist()
    return {
        (i, j)
        for j, (x, y, w, h) in enumerate(listed)
        for i, (u, v, s, t) in enumerate(listed[:j])
        if u - w < x < u + s and v - h < y < v + t
    }


def says(scene: BoxScene, item: int) -> bool:
    return bool(scene.kind[item] & (REPORTS | TURNS))


def right_calls(scene: BoxScene, pairs: set[tuple[int, int]]) -> Counter[tuple[int, int]]:
    """Each object of a pair is called once, if it has a function."""
    both = [call for a, b in pairs for call in ((a, b), (b, a))]
    return Counter(call for call in both if says(scene, call[0]))


# -- the corrected form ------------------------------------------------------------------------


@given(scenes(BOXES))
@settings(deadline=None)
def test_each_overlapping_pair_is_told_of_once(scene: BoxScene) -> None:
    for frame in play(scene).frames:
        filed = np.flatnonzero(frame.filed).tolist()
        pairs = {(a, b) for a, b in overlapping(frame.boxes) if a in filed and b in filed}
        assert Counter(frame.calls) == right_calls(scene, pairs)


@given(BOXES)
@settings(deadline=None)
def test_the_fast_truth_is_the_plain_one(boxes: Boxes) -> None:
    array = np.array(boxes, dtype=float).reshape(-1, 4)
    assert overlapping_pairs(array) == overlapping(array)


@pytest.mark.parametrize("generator", GENERATORS)
def test_generated_scenes_are_played_right(generator: str) -> None:
    for objects, seed in ((50, 3), (15, 4), (2, 5)):
        scene = make_scene(generator, objects, seed)
        for frame in play(scene).frames:
            filed = set(np.flatnonzero(frame.filed).tolist())
            pairs = {p for p in overlapping_pairs(frame.boxes) if filed.issuperset(p)}
            assert Counter(frame.calls) == right_calls(scene, pairs)


@pytest.mark.parametrize("seed", [18, 20, 1_000_000])
def test_boxes_are_not_further_than_the_farthest(seed: int) -> None:
    """Drawn from 2 to the power of 120 on, a quarter of the scenes of 50 boxes had one beyond."""
    scene = make_scene("far", 50, seed)
    assert (np.abs([scene.x, scene.y]) == FARTHEST).any()


@given(scenes(BOXES))
@settings(deadline=None)
def test_objects_are_lost_only_for_want_of_fragments(scene: BoxScene) -> None:
    for frame in play(scene).frames:
        assert frame.filed.all() or scene.max_fragments < 8192
    enough = play(dataclasses.replace(scene, max_fragments=8192))
    assert enough.lost == 0
    assert play(scene).lost == sum(int((~frame.filed).sum()) for frame in play(scene).frames)


@given(scenes(BOXES))
@settings(deadline=None)
def test_lists_hold_every_fragment_both_ways(scene: BoxScene) -> None:
    result = play(scene)
    listed = []
    for head in result.heads.tolist():
        before, fragment = NULL, head
        while fragment != NULL:
            assert result.fragment_prev[fragment] == before
            before, fragment = fragment, int(result.fragment_next[fragment])
            listed.append(before)
    assert sorted(listed) == list(range(result.fragments_counted))
    inside = set(result.fragment_object[: result.fragments_counted].tolist())
    assert inside == set(np.flatnonzero(result.first_column != NULL).tolist())


@given(scenes(BOXES))
@settings(deadline=None)
def test_no_pair_is_compared_twice(scene: BoxScene) -> None:
    """Tests are at most all pairs, and every pair that overlaps is among them."""
    result = play(scene)
    objects = scene.objects
    assert result.hits <= result.tests <= scene.frames * objects * (objects - 1) // 2
    assert result.callbacks == sum(len(frame.calls) for frame in result.frames)
    assert result.fragments >= result.fragments_counted


@given(scenes(BOXES))
@settings(deadline=None)
def test_purging_last_changes_what_is_left_and_nothing_else(scene: BoxScene) -> None:
    first, last = play(scene), play_and_purge(scene)
    assert [f.calls for f in first.frames] == [f.calls for f in last.frames]
    assert last.fragments_counted == 0
    assert set(last.heads.tolist()) <= {NULL}


def test_higher_first_and_rows_before_columns() -> None:
    boxes = [
        (x, y, 10, 10) for x, y in ((300, 10), (10, 10), (10, 200), (12, 202), (12, 12), (302, 12))
    ]
    calls = play(scene_from_boxes(boxes)).frames[0].calls
    assert calls == ((4, 1), (1, 4), (5, 0), (0, 5), (3, 2), (2, 3))


@pytest.mark.parametrize(
    ("box", "first", "sectors"),
    [
        ((0, 0, 127, 95), (0, 0), 1),
        ((0, 0, 128, 96), (0, 0), 4),
        ((127.75, 95.75, 0, 0), (0, 0), 1),
        ((-5000, -5000, 30, 30), (0, 0), 1),
        ((-5000, -5000, 10_000, 10_000), (0, 0), 25),
        ((610, 450, 30, 30), (4, 4), 1),
        ((640, 480, 30, 30), (4, 4), 1),
        ((9000, 100, 30, 30), (4, 1), 1),
        ((-30, 200, 30, 30), (0, 2), 1),
    ],
)
def test_where_a_box_is_filed(
    box: tuple[float, float, int, int], first: tuple[int, int], sectors: int
) -> None:
    result = play(scene_from_boxes([box]))
    assert (result.first_column[0], result.first_row[0]) == first
    assert result.fragments_counted == sectors


@pytest.mark.parametrize(
    ("world", "sectors"),
    [
        ((640, 480), (5, 5)),
        ((800, 600), (7, 7)),
        ((1, 1), (1, 1)),
        ((129, 97), (2, 2)),
        ((2048, 1536), (16, 16)),
        ((32768, 96), (256, 1)),
        ((2049, 1536), (0, 0)),
        ((32769, 96), (0, 0)),
        ((0, 480), (0, 0)),
        ((640, -1), (0, 0)),
    ],
)
def test_sectors_cover_the_world(world: tuple[int, int], sectors: tuple[int, int]) -> None:
    scene = scene_from_boxes([(10, 10, 30, 30)], world=world)
    result = play(scene)
    assert (result.columns, result.rows) == sectors
    assert result.world_made == (sectors != (0, 0))


def test_the_picture_has_the_grid_and_every_fragment() -> None:
    scene = scene_from_boxes([(120.5, 90, 20, 10), (630, 470, 20, 20), (-5, 5, 0, 3)])
    drawn = sectors_and_fragments(scene, play(scene))
    assert len(drawn) == 6 + 6 + 4 + 1
    assert drawn[:2] == [(0, 0, 0, 480), (128, 0, 128, 480)]
    assert drawn[12:] == [
        (120, 90, 127, 95),
        (128, 90, 140, 95),
        (120, 96, 127, 99),
        (128, 96, 140, 99),
        (630, 470, 649, 489),
    ]
    nowhere = scene_from_boxes([(0, 0, 9, 9)], world=(0, 0))
    assert sectors_and_fragments(nowhere, play(nowhere)) == []


def test_what_turns_does_so_in_the_next_frame() -> None:
    boxes = [(10, 10, 30, 30), (35, 10, 30, 30)]
    result = play(
        scene_from_boxes(boxes, steps=[(3, 0), (0, 0)], kinds=[THINKS + TURNS, 0], frames=2)
    )
    assert [frame.boxes[0, 0] for frame in result.frames] == [13, 10]
    assert result.dx.tolist() == [3, 0]  # it met the other twice
    assert result.report_self.tolist() == [0, 0]
    assert result.report_other.tolist() == [1, 1]


# -- the printed form --------------------------------------------------------------------------


def shared_sectors(frame_boxes: np.ndarray, a: int, b: int) -> int:
    """How many sectors two boxes share, where no sector is cut off."""
    count = 1
    for axis, size in ((0, 128), (1, 96)):
        corners = frame_boxes[[a, b], axis].astype(int)
        ends = corners + frame_boxes[[a, b], axis + 2].astype(int)
        count *= int(min(ends // size) - max(corners // size)) + 1
    return count


@given(
    scenes(INSIDE, frames=2).map(
        lambda s: dataclasses.replace(s, world_width=640, world_height=480)
    )
)
@settings(deadline=None)
def test_each_call_is_made_twice_for_every_sector_shared(scene: BoxScene) -> None:
    result = play_as_printed(scene)
    assert result.fragments_counted <= 256
    for frame in result.frames:
        calls = Counter(frame.calls)
        pairs = overlapping(frame.boxes)
        assert set(calls) == set(right_calls(scene, pairs))
        assert all(n == 2 * shared_sectors(frame.boxes, a, b) for (a, b), n in calls.items())
    assert np.array_equal(result.dx, scene.dx)  # whoever turns, turns back
    assert np.array_equal(result.dy, scene.dy)


@given(
    scenes(INSIDE, frames=1).map(
        lambda s: dataclasses.replace(s, world_width=640, world_height=480)
    )
)
@settings(deadline=None)
def test_one_call_only_halves_them(scene: BoxScene) -> None:
    all_calls = Counter(play_as_printed(scene).frames[0].calls)
    halved = Counter(play_as_printed(scene, one_call_only=True).frames[0].calls)
    assert {call: 2 * n for call, n in halved.items()} == all_calls


@pytest.mark.parametrize("generator", PRINTED_GENERATORS)
@pytest.mark.parametrize("seed", range(4))
def test_the_printed_form_plays_its_scenes(generator: str, seed: int) -> None:
    for objects in (0, 1, 50, 200):
        result = play_as_printed(make_scene(generator, objects, seed))
        assert result.lost == 0
        assert result.table_bytes == 4 * 25 or generator == "printed-worlds"


@pytest.mark.parametrize(
    "box",
    [
        (610, 10, 30, 480),
        (10, 450, 10, 30),
        (10, -96, 10, 10),
        (-128, 0, 10, 10),
        (600, 400, 400, 80),
    ],
)
def test_it_refuses_what_leaves_the_table(box: tuple[int, int, int, int]) -> None:
    scene = scene_from_boxes([box])
    with pytest.raises(ValueError, match="object 0 would be filed in sector"):
        play_as_printed(scene)
    assert play(scene).lost == 0


def test_it_refuses_a_table_larger_than_its_memory() -> None:
    with pytest.raises(ValueError, match="17 x 17 sectors"):
        play_as_printed(scene_from_boxes([], world=(2200, 1700)))


def test_strangers_are_compared_where_a_column_is_left_out() -> None:
    """Column 5 of row 0 is filed as column 0 of row 1 (B5)."""
    far_apart = scene_from_boxes([(660, 10, 30, 30), (10, 110, 30, 30)], world=(704, 480))
    assert play_as_printed(far_apart).tests == 2
    assert play(far_apart).tests == 0


def test_past_256_fragments_objects_are_dropped() -> None:
    """Of 300 objects on one spot the last 44 take no part (B4)."""
    crowd = scene_from_boxes([(10, 10, 30, 30)] * 300)
    result = play_as_printed(crowd)
    assert {item for frame in result.frames for call in frame.calls for item in call} == set(
        range(256)
    )
    assert (result.fragments_counted, result.fragments, result.lost) == (300, 256, 0)
    right = play(crowd)
    assert right.callbacks == 300 * 299 > REPORT_ROOM == len(right.report_self)


def _play_printed(finding: Finding) -> Play:
    one_call = "ONE_CALL_ONLY" in finding.defines
    return play_as_printed(finding.scene, one_call_only=one_call)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.name)
def test_findings_say_what_the_references_say(finding: Finding) -> None:
    right = play(finding.scene)
    assert right.callbacks == finding.right
    assert tuple(np.flatnonzero(right.dx != finding.scene.dx).tolist()) == finding.turned_right
    if finding.strays or finding.guard:
        with pytest.raises(ValueError, match="would be filed in sector"):
            _play_printed(finding)
    elif not finding.fault:
        printed = _play_printed(finding)
        assert printed.callbacks == finding.calls
        pairs = [{tuple(sorted(c)) for f in p.frames for c in f.calls} for p in (right, printed)]
        assert pairs[0] - pairs[1] == finding.missed


def test_every_defect_that_can_be_run_is_there() -> None:
    assert {finding.name[:2] for finding in FINDINGS} == {f"B{number}" for number in range(2, 10)}
    assert len({finding.name for finding in FINDINGS}) == len(FINDINGS)


# -- scenes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("generator", GENERATORS)
def test_scenes_can_be_made_again(generator: str) -> None:
    one, two = (make_scene(generator, 40, 11) for _ in range(2))
    for field in dataclasses.fields(BoxScene):
        assert np.array_equal(getattr(one, field.name), getattr(two, field.name))
    assert (one.generator, one.seed, one.objects) == (generator, 11, 40)
    assert one.corners.shape == (40, 2)


def test_a_scene_never_changes() -> None:
    """Reports cite scenes by these words."""
    scene = make_scene("outside", 3, 7)
    assert scene.x.tolist() == [-294.0, 688.0, 75.0]
    assert scene.width.tolist() == [188, 233, 90]
    assert scene.kind.tolist() == [6, 1, 0]


@given(scenes(BOXES), st.data())
@settings(deadline=None)
def test_fewer_objects_are_a_scene(scene: BoxScene, data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.integers(0, max(scene.objects - 1, 0)), unique=True))
    fewer = scene.keep(kept if scene.objects else [])
    assert fewer.x.tolist() == [scene.x[i] for i in kept if scene.objects]
    assert (fewer.frames, fewer.generator) == (scene.frames, scene.generator)
    assert play(fewer).objects == fewer.objects


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"boxes": [(0.1, 0, 1, 1)]}, "quarters"),
        ({"boxes": [(0, 0, 1.5, 1)]}, "quarters"),
        ({"boxes": [(0, 0, -1, 1)]}, "sizes from 0"),
        ({"boxes": [(0, 0, 2**31, 1)]}, "sizes from 0"),
        ({"boxes": [(2.0**121, 0, 0, 0)]}, r"within 2\*\*120"),
        ({"boxes": [(np.nan, 0, 1, 1)]}, r"within 2\*\*120"),
        ({"boxes": [(2e6, 0, 1, 1)], "steps": [(1, 0)]}, "a box beyond 1048576 pixels moves"),
        ({"boxes": [(2.0**24, 0, 1, 1)]}, "does not fit a float exactly"),
        ({"boxes": [(2.0**60, 0, 1, 1)]}, "does not fit a float exactly"),
        ({"boxes": [(0, 0, 2**24 + 1, 1)]}, "does not fit a float exactly"),
        ({"boxes": [(0, 0, 1)]}, r"shape \(n, 4\)"),
        ({"boxes": [(0, 0, 1, 1)] * 2049}, "2049 objects"),
        ({"steps": [(1.5, 0)]}, "steps are whole"),
        ({"steps": [(1, 2, 3)]}, "steps have shape"),
        ({"steps": [(0, 2000)]}, "steps are within"),
        ({"kinds": 8}, r"kinds are within 0\.\.7"),
        ({"frames": -1}, "-1 frames"),
        ({"max_fragments": 8193}, "8193 fragments"),
    ],
)
def test_what_is_no_scene_is_refused(changes: dict[str, object], words: str) -> None:
    arguments: dict[str, object] = {"boxes": [(0, 0, 1, 1)], **changes}
    with pytest.raises(ValueError, match=words):
        scene_from_boxes(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere", 1, 1, 640, 480), "unknown generator 'nowhere'"),
        (("inside", 2049, 1, 640, 480), r"2049 objects; 0\.\.2048"),
        (("inside", -1, 1, 640, 480), "-1 objects"),
        (("inside", 1, -1, 640, 480), "seed -1"),
        (("inside", 1, 1, 255, 480), "255 x 480"),
        (("inside", 1, 1, 640, 1537), "640 x 1537"),
    ],
)
def test_scenes_that_cannot_be_made(arguments: tuple[str, int, int, int, int], words: str) -> None:
    generator, objects, seed, width, height = arguments
    with pytest.raises(ValueError, match=words):
        make_scene(generator, objects, seed, width=width, height=height)
