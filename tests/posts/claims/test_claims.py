"""What is measured of the posts' claims: the numbers, and that wrong code gives others."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from posts.claims import growth, post_001, post_002, post_003, post_004, scenes, work
from posts.power_law import exponent
from pyref.collider.collider import play_as_described
from pyref.scene import make_scene
from pyref.sectors.four_shifts import determine_collisions

# -- post 001 ----------------------------------------------------------------------------------


def test_the_formula_is_that_of_the_post() -> None:
    found = post_001.ratio_by_formula()
    assert found["adjacent_tests_at_1"] == 36
    assert found["ratio_at_2"] == 38.25
    assert found["ratio_at_3"] == 29.25
    assert found["ratio_at_a_million"] == pytest.approx(20.25, abs=1e-4)
    assert found["four_shifts_tests_at_two_thirds"] < 0


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        (50, (61.8, 1008.7, 232.8, 124.3, 34.1, 1225)),
        (200, (1001.4, 16346.7, 3770.2, 2013.4, 552.6, 19900)),
    ],
)
def test_counted_tests_are_those_of_the_audit(objects: int, expected: tuple[float, ...]) -> None:
    names = (
        "four shifts",
        "nine sectors, all pairs",
        "own and eight, 64",
        "own and four, 64",
        "own and four, 32",
        "all pairs",
    )
    found = work.mean_tests(objects, 30, names)
    assert tuple(found.values()) == pytest.approx(expected, rel=0.06)


@pytest.mark.parametrize("objects", [0, 1, 40, 200])
def test_work_beyond_the_routine_is_counted_as_the_routine_does(objects: int) -> None:
    scene = make_scene("uniform", objects, 7)
    assert post_001._four_shift_tests(scene) == determine_collisions(scene).tests


def test_pairs_are_reported_once_twice_or_four_times() -> None:
    found = post_001.multiplicity(60)
    assert found["percent_3_times"] == 0
    assert found["percent_1_times"] == pytest.approx(20, abs=1.5)
    assert found["percent_2_times"] == pytest.approx(49.4, abs=1.5)
    assert found["mean_times"] == pytest.approx(2.41, abs=0.04)


def test_a_detector_that_loses_pairs_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert post_001.all_found(3)["missed_objects"] == 0

    def forgetful(scene: Any) -> Any:
        found = determine_collisions(scene)
        flags = found.flags.copy()
        flags[np.flatnonzero(flags)[:1]] = 0
        return replace(found, flags=flags)

    monkeypatch.setattr(post_001, "determine_collisions", forgetful)
    assert post_001.all_found(3)["missed_objects"] > 0
    assert post_001.all_found(3)["falsely_flagged_objects"] == 0


def test_a_detector_that_sees_too_much_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def fearful(scene: Any) -> Any:
        return replace(determine_collisions(scene), flags=np.ones(200, dtype=np.uint8))

    monkeypatch.setattr(post_001, "determine_collisions", fearful)
    assert post_001.all_found(1)["falsely_flagged_objects"] > 0


@pytest.mark.slow
def test_small_answers_of_post_001() -> None:
    assert post_001.four_shifts_suffice()["missed"] == 0
    assert post_001.needed_sector()["smallest_sector"] == 58
    assert post_001.objects_of_other_sizes()["bullets_flagged"] == 2
    assert post_001.partners()["flags_that_differ"] == 0
    assert post_001.partners()["pairs_in_common"] == 0
    assert post_001.no_objects()["objects_filed"] == 1
    assert post_001.placing()["exponent_in_objects"] == pytest.approx(1)
    assert post_001.clock_of_ticks()["ticks"] == 1801
    assert post_001.clock_of_ticks()["seconds"] == pytest.approx(29.94, abs=0.005)
    assert post_001.usual_sector(5)["percent_in_one_sector"] == pytest.approx(60, abs=4)


# -- post 002 ----------------------------------------------------------------------------------


def test_arithmetic_of_post_002() -> None:
    assert post_002.depth_first() == {"leaves": 65536, "leaves_out_of_order": 0}
    assert post_002.masks()["codes_taken_apart_wrongly"] == 0
    assert post_002.steps()["wrong_neighbours"] == 0
    assert post_002.octrees()["wrong_neighbours"] == 0
    assert post_002.top_right()["wrong_codes"] == 32768
    assert post_002.neighbours_of_assembly()["wrong_neighbours"] == 3 * 65536 + 2 * 32768
    assert post_002.torus()["found_as_described"] < post_002.torus()["contacts_across_the_edge"]


def test_a_repaired_expression_is_not_called_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = post_002.top_right_of_listing
    monkeypatch.setattr(post_002, "top_right_of_listing", lambda codes: listing(codes, 0x5555))
    assert post_002.top_right()["wrong_codes"] == 0


def test_pairs_of_post_002() -> None:
    leaf = post_002.leaf_of_a_radius()
    assert leaf["not_in_neighbouring_leaves"] > 0
    assert leaf["smallest_leaf_that_is_enough"] == 29
    assert post_002.early_exclusion()["diagonal_pairs_tested"] == 0
    assert post_002.loops()["calls_of_the_second_loop"] == 1275
    assert post_002.worst_growth()["tests_of_50"] == 1225
    assert post_002.worst_growth()["exponent_of_tests"] == pytest.approx(2, abs=0.05)


# -- post 003 ----------------------------------------------------------------------------------


def test_blockmap() -> None:
    found = post_003.no_neighbours_needed(3)
    assert found["overlapping_pairs"] > 500
    assert found["missed_with_fragments_left"] == 0
    assert found["missed_with_fragments_used_up"] > 0
    assert found["missed_of_64_and_2_crowded_objects"] == 1
    calls = post_003.calls_for_each_pair()
    assert [calls[f"printed_sharing_{n}"] for n in (1, 2, 4)] == [4, 8, 16]
    assert [calls[f"second_cut_sharing_{n}"] for n in (1, 2, 4)] == [2, 4, 8]
    assert [calls[f"corrected_sharing_{n}"] for n in (1, 2, 4)] == [2, 2, 2]
    assert post_003.fragments_used(5)["fragments_of_64_on_corners"] == 256
    assert post_003.calls_with_itself(2)["calls_with_itself"] == 0


def test_fragments_are_counted_as_the_blockmap_uses_them() -> None:
    for scene in work.scenes_of(100, 5):
        used = post_003.play_as_printed(work.boxes_in_squares(scene)).fragments
        assert post_003._fragments(scene) == used


def test_a_blockmap_that_misses_pairs_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = post_003.play_as_printed

    def deaf(scene: Any, **more: Any) -> Any:
        answer = printed(scene, **more)
        return replace(answer, frames=tuple(replace(f, calls=f.calls[2:]) for f in answer.frames))

    monkeypatch.setattr(post_003, "play_as_printed", deaf)
    assert post_003.no_neighbours_needed(5)["missed_with_fragments_left"] > 0


# -- post 004 ----------------------------------------------------------------------------------


def test_pairs_of_the_book() -> None:
    assert dict(post_004.maze_pairs()) == {
        "active_with_active": 10,
        "active_with_wall": 225,
        "wall_with_wall": 990,
        "without_wall_with_wall": 235,
        "all": 1225,
    }
    assert dict(post_004.pairs_of_twenty()) == {"pairs": 190, "pairs_of_one": 19}
    assert post_004.all_pairs()["numbers_with_another_count"] == 0


def test_deletions() -> None:
    found = post_004.deletion_from_array()
    assert found["most_moves_of_20"] == 2451
    assert found["most_moves_of_40"] == 20501
    assert round(found["mean_moves_of_20"]) in (1795, 1796)
    assert round(found["mean_moves_of_40"]) == 15190
    assert post_004.order_of_growth()["exponent_of_moves"] == pytest.approx(3, abs=0.15)
    on_list = post_004.deletion_from_list()
    assert on_list["visits_of_20"] == 190
    assert on_list["moves_of_40"] == 0
    assert post_004.removing_references()["pairs_left_with_it"] == 0


def test_the_worst_critter_is_the_first_or_the_last() -> None:
    moves = [post_004._delete_from_array(20, number).moves for number in range(20)]
    assert post_004._most_moves((20,))[20] == max(moves)


def test_who_calls() -> None:
    assert post_004.loop_order()["combinations_that_depend_on_order"] == 5
    assert post_004.assertion()["combinations_that_hold"] == 3
    assert post_004.rule_of_priorities()["wrong_callers"] == 0


def test_a_rule_that_turns_callers_round_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(script: Any) -> Any:
        found = play_as_described(script)
        return replace(found, pairs=found.pairs[:, ::-1])

    monkeypatch.setattr(post_004, "play_as_described", turned)
    assert post_004.rule_of_priorities()["wrong_callers"] == 12


# -- growth and scenes ------------------------------------------------------------------------


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
def test_exponents_of_powers(power: float) -> None:
    assert exponent({n: 7 * n**power for n in (3, 10, 50)}) == pytest.approx(power)


@pytest.mark.parametrize("series", [{}, {3: 1.0}, {3: 0.0, 4: 1.0}, {0: 1.0, 4: 1.0}])
def test_no_exponent_without_growth(series: dict[int, float]) -> None:
    with pytest.raises(ValueError, match="two values or more"):
        exponent(series)


def test_only_all_pairs_and_one_leaf_grow_with_the_square() -> None:
    found = {n: growth.at_one_density(n) for n in (100, 400)}
    powers = {name: math.log(found[400][name] / found[100][name], 4) for name in found[100]}
    squares = {name for name, power in powers.items() if power > 1.5}
    assert squares == {"all pairs", "quadtree, all in one leaf"}


def test_the_screen_is_tested_by_every_system() -> None:
    found = work.mean_tests(30, 2)
    assert found.keys() == work.SYSTEMS.keys()
    assert found["all pairs"] == 30 * 29 / 2
    assert min(found, key=lambda name: found[name]) == "quadtree as described"


SCENES: list[Callable[[], scenes.Scenes]] = [
    each
    for name, each in inspect.getmembers(scenes, inspect.isfunction)
    if each.__module__ == scenes.__name__ and not name.startswith("_")
]


@pytest.mark.parametrize("make", SCENES)
def test_scenes_are_scenes(make: Callable[[], scenes.Scenes]) -> None:
    for given in make().values():
        assert given
        for scene in given:
            assert isinstance(scene.objects, int)
            assert scene.keep([]).objects == 0
