"""Measures the claims of Tom Moertel's post of July 1994 about four shifts.

Claims about geometry are measured by trying every case, claims about averages by means over scenes
of the 1994 harness. See :mod:`posts.claims`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from posts.claims import Figures, Series
from posts.claims.shifts import FOUR, count_missed, largest_side, sufficient_shifts
from posts.claims.work import mean_tests, scenes_of
from posts.power_law import exponent
from pyref.brute_force import colliding_pairs
from pyref.scene import RECT_SIZE, Scene, make_scene, scene_from_corners
from pyref.sectors.four_shifts import SECTOR_SIZE, SHIFTS, determine_collisions

_SCREEN = (640, 480)
_TICKS_PER_SECOND = 60.15  # of a Macintosh
_TICK = 1_000_000 // 60  # microseconds that the harness takes a tick for
_TEST_LENGTH = 30_000_000  # microseconds


# -- geometry, exhaustively --------------------------------------------------------------------


def four_shifts_suffice() -> Figures:
    """All phases and all offsets of two squares of 30 pixels, for the four shifts."""
    missed = count_missed(SECTOR_SIZE, RECT_SIZE, SHIFTS)
    return {"cases": missed.cases, "missed": missed.missed}


def guaranteed_side() -> Figures:
    """The largest side of squares that four shifts of a grid of 64 pixels never miss."""
    side = largest_side(SECTOR_SIZE, FOUR)
    beyond = count_missed(SECTOR_SIZE, side + 1, FOUR)
    return {
        "largest_side": side,
        "missed_at_that_side": count_missed(SECTOR_SIZE, side, FOUR).missed,
        "missed_one_pixel_beyond": beyond.missed,
        "cases_one_pixel_beyond": beyond.cases,
    }


def needed_sector() -> Figures:
    """The smallest even sectors whose four half shifts never miss squares of 30 pixels."""
    missed_of = {}
    for sector in range(RECT_SIZE, 2 * RECT_SIZE + 6, 2):
        half = sector // 2
        shifts = [(x, y) for x in (0, half) for y in (0, half)]
        missed_of[sector] = count_missed(sector, RECT_SIZE, shifts).missed
    enough = [sector for sector, missed in missed_of.items() if not missed]
    over_twice = [sector for sector in missed_of if sector > 2 * RECT_SIZE]
    return {
        "smallest_sector": min(enough),
        "twice_the_side": 2 * RECT_SIZE,
        "missed_above_twice_the_side": sum(missed_of[sector] for sector in over_twice),
    }


def number_of_shifts() -> Figures:
    """What fewer shifts miss, and how many choices of three miss nothing."""
    share = {name: count_missed(SECTOR_SIZE, RECT_SIZE, shifts).share for name, shifts in _FEWER}
    return {
        **{name: 100 * value for name, value in share.items()},
        "ways_of_two_for_64": sufficient_shifts(SECTOR_SIZE, RECT_SIZE, 2),
        "ways_of_three_for_64": sufficient_shifts(SECTOR_SIZE, RECT_SIZE, 3),
        "ways_of_three_for_86": sufficient_shifts(86, RECT_SIZE, 3),
        "ways_of_three_for_87": sufficient_shifts(87, RECT_SIZE, 3),
    }


_FEWER: Sequence[tuple[str, Sequence[tuple[int, int]]]] = (
    ("percent_missed_by_one", FOUR[:1]),
    ("percent_missed_by_two_along_one_axis", FOUR[:2]),
    ("percent_missed_by_two_on_the_diagonal", (FOUR[0], FOUR[3])),
    ("percent_missed_by_three_of_the_four", FOUR[:3]),
)


# -- what the routine finds and reports ---------------------------------------------------------


def all_found(scenes: int = 40) -> Figures:
    """Compare flags with those of brute force, on scenes of every generator."""
    missed = false = objects = 0
    for generator in ("uniform", "clustered", "grid-aligned", "sector-edge", "neighbours"):
        for seed in range(scenes):
            scene = make_scene(generator, 100, seed)
            truth = np.zeros(200, dtype=np.bool_)
            truth[colliding_pairs(scene.corners).reshape(-1)] = True
            flags = determine_collisions(scene).flags.astype(np.bool_)
            missed += int((truth & ~flags).sum())
            false += int((flags & ~truth).sum())
            objects += scene.objects
    return {"objects": objects, "missed_objects": missed, "falsely_flagged_objects": false}


def identical_objects() -> Figures:
    """How often two objects on one spot are reported, over every phase of the grid."""
    times = {
        len(determine_collisions([(x, y), (x, y)]).hits)
        for x in range(SECTOR_SIZE)
        for y in range(SECTOR_SIZE)
    }
    return {"fewest_reports": min(times), "most_reports": max(times)}


def multiplicity(scenes: int = 400) -> Figures:
    """How often each overlapping pair is reported, 200 objects."""
    counted: Counter[int] = Counter()
    for scene in scenes_of(200, scenes):
        counted.update(Counter(map(tuple, determine_collisions(scene).hits.tolist())).values())
    pairs = counted.total()
    reports = sum(times * count for times, count in counted.items())
    return {
        "pairs": pairs,
        **{f"percent_{times}_times": 100 * counted[times] / pairs for times in (1, 2, 3, 4)},
        "percent_more_than_once": 100 * (1 - counted[1] / pairs),
        "mean_times": reports / pairs,
    }


def report_shares() -> Series:
    """Percent of overlapping pairs by how often they are reported, for a plot."""
    shares = multiplicity()
    return {"four shifts": {times: shares[f"percent_{times}_times"] for times in (1, 2, 3, 4)}}


def usual_sector(scenes: int = 100) -> Figures:
    """How many overlapping pairs share a sector before any shift."""
    together = pairs = 0
    for scene in scenes_of(200, scenes):
        colliding = colliding_pairs(scene.corners)
        sectors = scene.corners // SECTOR_SIZE
        together += int((sectors[colliding[:, 0]] == sectors[colliding[:, 1]]).all(axis=1).sum())
        pairs += len(colliding)
    return {"pairs": pairs, "percent_in_one_sector": 100 * together / pairs}


def objects_of_other_sizes() -> Figures:
    """Two bullets of 8 pixels that lie 20 pixels apart, by the routine as it is."""
    bullets = scene_from_corners([(100, 100), (120, 100)])
    return {
        "bullets_overlapping": 0,
        "bullets_flagged": int(determine_collisions(bullets).flags.sum()),
    }


def partners() -> Figures:
    """Two scenes in which other objects collide with one another, and what tells them apart."""
    places = [(100, 100), (110, 100), (300, 300), (310, 300)]
    scenes = [
        scene_from_corners([places[i] for i in order]) for order in ((0, 1, 2, 3), (0, 2, 1, 3))
    ]
    pairs = [set(map(tuple, colliding_pairs(scene.corners).tolist())) for scene in scenes]
    flags = [determine_collisions(scene).flags for scene in scenes]
    return {
        "objects": len(places),
        "pairs_in_common": len(pairs[0] & pairs[1]),
        "flags_that_differ": int((flags[0] != flags[1]).sum()),
    }


# -- how much work it is -----------------------------------------------------------------------


def no_objects() -> Figures:
    """How many objects a call without any files in each pass."""
    return {"objects_filed": determine_collisions([]).insertions // len(SHIFTS)}


def placing() -> Figures:
    """How often an object is filed, for each object, and how that grows with their number."""
    filed = {
        n: determine_collisions(make_scene("uniform", n, 1)).insertions for n in (50, 100, 200)
    }
    return {
        "times_filed_for_each_of_50": filed[50] / 50,
        "times_filed_for_each_of_200": filed[200] / 200,
        "exponent_in_objects": exponent(filed),
    }


def ratio_by_formula() -> Figures:
    """The post's formula R for a mean of K objects in a sector, by exact arithmetic on K."""
    return {
        "adjacent_tests_at_1": _adjacent(1),
        "four_shifts_tests_at_1": _four_shifts(1),
        "ratio_at_2": _adjacent(2) / _four_shifts(2),
        "ratio_at_3": _adjacent(3) / _four_shifts(3),
        "ratio_at_a_million": _adjacent(10**6) / _four_shifts(10**6),
        "four_shifts_tests_at_two_thirds": _four_shifts(2 / 3),
    }


def adjacent_against_four_shifts(scenes: int = 200) -> Figures:
    """Counted rectangle tests of adjacent sectors over those of four shifts."""
    figures: dict[str, float] = {}
    for objects in (50, 100, 200):
        tests = mean_tests(objects, scenes, list(_RECTANGLES))
        for name, word in _RECTANGLES.items():
            figures[f"{word}_{objects}"] = tests[name]
            if name != "four shifts":
                figures[f"{word}_over_four_shifts_{objects}"] = tests[name] / tests["four shifts"]
    return figures


_RECTANGLES = {
    "four shifts": "four_shifts",
    "nine sectors, all pairs": "nine_sectors",
    "own and eight, 64": "own_and_eight",
    "own and four, 64": "own_and_four_64",
    "own and four, 32": "own_and_four_32",
    "all pairs": "all_pairs",
}


def common_case(scenes: int = 200) -> Figures:
    """The same ratio for means of 1, 2 and 3 objects in a sector of 64 pixels: 75, 150 and 225.

    The routine holds 200 objects, so its work on 225 is counted sector by sector.
    """
    figures = {}
    for mean in (1, 2, 3):
        objects = mean * _SCREEN[0] * _SCREEN[1] // SECTOR_SIZE**2
        of_count = scenes_of(objects, scenes)
        four = float(np.mean([_four_shift_tests(scene) for scene in of_count]))
        nine = mean_tests(objects, scenes, ["nine sectors, all pairs"])["nine sectors, all pairs"]
        figures[f"ratio_at_{mean}"] = nine / four
    return figures


def comparison_at_one_object(scenes: int = 200) -> Figures:
    """Tests at a mean of one object in a sector: 75 objects on the screen."""
    tests = mean_tests(75, scenes, ["four shifts", "nine sectors, all pairs", "own and four, 64"])
    sectors = _SCREEN[0] * _SCREEN[1] / SECTOR_SIZE**2
    return {
        "four_shifts_tests": tests["four shifts"],
        "four_shifts_tests_a_sector": tests["four shifts"] / sectors,
        "nine_sectors_tests_a_sector": tests["nine sectors, all pairs"] / sectors,
        "own_and_four_tests_a_sector": tests["own and four, 64"] / sectors,
    }


def objects_in_a_sector(scenes: int = 100) -> Figures:
    """How many of the sectors that are looked into hold no object or one."""
    figures = {}
    for objects in (50, 100, 200):
        few = looked = 0
        for scene in scenes_of(objects, scenes):
            counts = np.concatenate([_occupancy(scene, shift) for shift in SHIFTS])
            few += int((counts < 2).sum())
            looked += len(counts)
        figures[f"percent_with_none_or_one_{objects}"] = 100 * few / looked
    return figures


def work_of_a_sector() -> Figures:
    """Tests of n objects that all lie in one sector of one pass: the brute force within."""
    tests = {
        n: determine_collisions([(40 + i % 20, 40 + i // 20) for i in range(n)]).tests / len(SHIFTS)
        for n in (10, 50, 100, 200)
    }
    return {"exponent": exponent(tests), "tests_of_10": tests[10], "tests_of_200": tests[200]}


def clock_of_ticks() -> Figures:
    """How long the harness's 30 seconds are on a PowerPC, whose clock counts ticks."""
    ticks = -(-_TEST_LENGTH // _TICK)
    real = ticks / _TICKS_PER_SECOND
    return {
        "ticks": ticks,
        "seconds": real,
        "percent_that_rates_are_off": 100 * (real * 1e6 / (ticks * _TICK) - 1),
    }


# -- inside --------------------------------------------------------------------------------------


def _adjacent(mean: float) -> float:
    """The post's tests for a sector and those around it, brute force among all nine."""
    return 9 * mean * (9 * mean - 1) / 2


def _four_shifts(mean: float) -> float:
    """The post's tests for a sector, four times over."""
    return 4 * mean * (mean - 1) / 2


def _occupancy(scene: Scene, shift: tuple[int, int]) -> np.ndarray:
    """How many objects each of the 99 sectors holds."""
    columns, rows = ((scene.corners + shift) // SECTOR_SIZE).T
    return np.bincount(columns * 9 + rows, minlength=99)


def _four_shift_tests(scene: Scene) -> int:
    """Tests that the routine would make if it held any number of objects."""
    return sum(int((c * (c - 1) // 2).sum()) for c in (_occupancy(scene, s) for s in SHIFTS))
