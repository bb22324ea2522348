"""Measures the claims of the post on the blockmap of fragments; see :mod:`posts.claims`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from posts.claims import Figures, Series
from posts.claims.work import boxes_in_squares, scenes_of
from pyref.blockmap.blockmap import (
    PRINTED_FRAGMENTS,
    overlapping_pairs,
    play,
    play_as_printed,
)
from pyref.blockmap.blockmap_boxes import BoxScene, scene_from_boxes
from pyref.blockmap.blockmap_play import Play
from pyref.blockmap.blockmap_scene import SECTOR_HEIGHT, SECTOR_WIDTH, make_scene
from pyref.scene import RECT_SIZE, Scene


def no_neighbours_needed(scenes: int = 20) -> Figures:
    """Overlapping pairs that the printed search misses.

    In worlds of whole sectors with fragments enough, and with too few fragments. Where an object
    reaches beyond the table, the printed form is not defined at all.
    """
    missed = {generator: 0 for generator in _GENERATORS}
    overlapping = 0
    for generator, objects in _GENERATORS.items():
        for seed in range(scenes):
            scene = make_scene(generator, objects, seed)
            for frame in play_as_printed(scene).frames:
                missed[generator] += _missed(scene, frame.boxes, frame.calls)
                if generator != "overfull":
                    overlapping += len(overlapping_pairs(frame.boxes))
    return {
        "overlapping_pairs": overlapping,
        "missed_with_fragments_left": sum(missed.values()) - missed["overfull"],
        "missed_with_fragments_used_up": missed["overfull"],
        "missed_of_64_and_2_crowded_objects": _crowded(),
    }


_GENERATORS = {"inside": 40, "lines": 40, "pile": 40, "overfull": 80}


def calls_for_each_pair() -> Figures:
    """Calls of ``collide`` functions for one pair that shares 1, 2 and 4 sectors.

    Printed, with the second call cut out as the listing advises, and corrected.
    """
    figures: dict[str, float] = {}
    for sectors, boxes in _SHARING.items():
        scene = scene_from_boxes(boxes)
        figures[f"printed_sharing_{sectors}"] = play_as_printed(scene).callbacks
        cut = play_as_printed(scene, one_call_only=True)
        figures[f"second_cut_sharing_{sectors}"] = cut.callbacks
        figures[f"corrected_sharing_{sectors}"] = play(scene).callbacks
    return figures


_SHARING = {
    1: [(10, 10, 30, 30), (20, 20, 30, 30)],
    2: [(110, 10, 30, 30), (115, 20, 30, 30)],
    4: [(110, 80, 30, 30), (115, 85, 30, 30)],
}


def calls_with_itself(scenes: int = 20) -> Figures:
    """Calls of an object's function with the object itself."""
    calls = own = 0
    for seed in range(scenes):
        for generator in ("inside", "pile"):
            answer = play_as_printed(make_scene(generator, 40, seed))
            own += int((answer.report_self == answer.report_other).sum())
            calls += len(answer.report_self)
    return {"calls": calls, "calls_with_itself": own}


def report_shares() -> Series:
    """Percent of overlapping pairs of 100 boxes by how often they are reported, for a plot.

    A report is a call of both functions. 100 boxes have few enough fragments for the printed form.
    """
    shares = {}
    for name, form in (("blockmap as printed", play_as_printed), ("blockmap corrected", play)):
        counts: Counter[int] = Counter()
        for scene in scenes_of(100, 20):
            (frame,) = form(boxes_in_squares(scene)).frames
            calls = Counter(tuple(sorted(call)) for call in frame.calls)
            counts.update(calls[pair] // 2 for pair in overlapping_pairs(frame.boxes))
        total = counts.total()
        shares[name] = {times: 100 * counts[times] / total for times in (0, 1, 2, 4, 8)}
    return shares


def fragments_used(scenes: int = 50) -> Figures:
    """Fragments that objects of 30 pixels on a screen of whole sectors use, of the 256."""
    figures: dict[str, float] = {"fragments": PRINTED_FRAGMENTS, "objects_that_fit_at_worst": 64}
    for objects in (50, 100, 150, 200):
        used = [_fragments(scene) for scene in scenes_of(objects, scenes)]
        figures[f"most_fragments_of_{objects}"] = max(used)
        figures[f"scenes_that_overflow_of_{objects}"] = sum(u > PRINTED_FRAGMENTS for u in used)
    crossing = scene_from_boxes(_crossing(64))
    figures["fragments_of_64_on_corners"] = play_as_printed(crossing).fragments
    return figures


def own_sector_against_nine(scenes: int = 50) -> Figures:
    """Tests of the blockmap over those of a search of nine sectors on the same grid.

    The search compares each object with all others of its corner's sector and of the eight round
    it. Both forms look at ordered pairs, as printed; 100 objects have fragments enough.
    """
    own = nine = least = 0
    for scene in scenes_of(100, scenes):
        own += play_as_printed(boxes_in_squares(scene)).tests
        least += play(boxes_in_squares(scene)).tests
        nine += _nine_sectors(scene)
    return {
        "fragment_tests": own / scenes,
        "nine_sector_tests": nine / scenes,
        "nine_over_fragments": nine / own,
        "corrected_fragment_tests": least / scenes,
    }


def spread(scenes: int = 50) -> Figures:
    """Tests that the blockmap saves against all pairs."""
    figures = {}
    for objects in (50, 100):
        pairs = objects * (objects - 1) / 2
        of_count = scenes_of(objects, scenes)
        for name, form in (("printed", play_as_printed), ("corrected", play)):
            tests = float(np.mean([form(boxes_in_squares(scene)).tests for scene in of_count]))
            figures[f"all_pairs_over_{name}_{objects}"] = pairs / tests
    return figures


def _missed(scene: BoxScene, boxes: np.ndarray, calls: tuple[tuple[int, int], ...]) -> int:
    """Overlapping pairs that should have been reported to one of the two objects, but were not."""
    reported = {tuple(sorted(call)) for call in calls}
    listens = (scene.kind & 6) != 0
    pairs = (p for p in overlapping_pairs(boxes) if listens[p[0]] or listens[p[1]])
    return sum(pair not in reported for pair in pairs)


def _crowded() -> int:
    boxes = [*_crossing(64), (300, 200, 20, 20), (310, 210, 20, 20)]
    answer = play_as_printed(scene_from_boxes(boxes))
    return sum(1 for _ in _untold(answer))


def _untold(answer: Play) -> Iterator[tuple[int, int]]:
    (frame,) = answer.frames
    reported = {tuple(sorted(call)) for call in frame.calls}
    return (pair for pair in overlapping_pairs(frame.boxes) if pair not in reported)


def _crossing(objects: int) -> list[tuple[int, int, int, int]]:
    """Boxes over a corner of four sectors, each in all four."""
    return [(120 - i % 8, 90 - i // 8 % 4, 20, 20) for i in range(objects)]


def _fragments(scene: Scene) -> int:
    """Sectors that the objects of a scene lie in or touch, in all."""
    spans = [
        (scene.corners[:, axis] + RECT_SIZE) // size - scene.corners[:, axis] // size + 1
        for axis, size in enumerate((SECTOR_WIDTH, SECTOR_HEIGHT))
    ]
    return int((spans[0] * spans[1]).sum())


def _nine_sectors(scene: Scene) -> int:
    """Ordered pairs of objects whose corners lie in one sector or in two that touch."""
    columns, rows = scene.corners[:, 0] // SECTOR_WIDTH, scene.corners[:, 1] // SECTOR_HEIGHT
    near = abs(columns[:, np.newaxis] - columns) <= 1
    near &= abs(rows[:, np.newaxis] - rows) <= 1
    return int(near.sum()) - scene.objects
