"""The limits that sources state occur in the scenes that ``macproof verify`` runs by default."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.cases.keys.parts import Scene
from emu.cases.scenes import ask_reference, scene_of
from emu.verify.scenes.scene_plan import plan_scenes
from pyref.blockmap.blockmap import REPORT_ROOM, play, play_as_printed
from pyref.blockmap.blockmap_scene import EVERY_WORLD
from pyref.collider.collider import MAX_LOG, play_as_described, play_corrected
from pyref.collider.collider_steps import MAX_CRITTERS, MAX_PAIRS, MAX_STEPS, Kind, Operation
from pyref.quadtree.linear_quadtree import DESCRIBED_WORLD, MAX_OBJECTS, MAX_REPORTS, WORLD
from pyref.quadtree.morton import WIDE, decode, encode
from tests.mac_src.ports import case_of

SEEDS = pytest.mark.parametrize("seed", [1994])
QUADTREES = {
    "linear-quadtree": WORLD,
    "linear-quadtree-bare": WORLD,
    "linear-quadtree-torus": WORLD,
    "linear-quadtree-as-described": DESCRIBED_WORLD,
    "linear-quadtree-as-printed": DESCRIBED_WORLD,
}
NEIGHBOURS = (
    *("morton-neighbours", "morton-neighbours-as-printed"),
    *("morton-neighbours-in-assembly", "morton-top-right-words"),
)


@functools.cache
def scenes_of(name: str, seed: int) -> tuple[Scene, ...]:
    case = case_of(name)
    plan = dict.fromkeys(spec.scene for spec in plan_scenes(case, case.scene_count, seed))
    return tuple(scene_of(case, scene) for scene in plan)


def every(scenes: Iterable[Scene], attribute: str) -> NDArray[np.generic]:
    """An attribute of all scenes, one after the other."""
    return np.concatenate([np.atleast_1d(getattr(scene, attribute)) for scene in scenes])


# -- quadtree ----------------------------------------------------------------------------------


@SEEDS
@pytest.mark.parametrize("name", QUADTREES)
def test_circles_lie_in_all_of_the_world(name: str, seed: int):
    scenes, world = scenes_of(name, seed), QUADTREES[name]
    x, y, radius = (every(scenes, what) for what in ("x", "y", "radius"))
    for places in (x, y):
        assert (places.min(), places.max()) == (0, world - 1)
        # A step from one of these to the next carries through any number of bits, and borrows back.
        cells = set((places // (world // 256)).tolist())
        assert {cell for bit in range(8) for cell in ((1 << bit) - 1, 1 << bit)} <= cells
    codes = set(encode(x // (world // 256), y // (world // 256)).tolist())
    assert codes >= {0, 0x5555, 0xAAAA, 0xFFFF}
    assert len(codes) > 1000
    assert (radius.min(), radius.max()) == (1, 15)
    assert {0, 1, 2, MAX_OBJECTS} <= {scene.objects for scene in scenes}


@pytest.mark.slow
def test_the_last_report_and_more_are_made():
    case = case_of("linear-quadtree")
    hits = [ask_reference(case, scene).hits for scene in scenes_of(case.name, 1994)]
    assert min(hits) == 0
    assert any(0 < count < MAX_REPORTS for count in hits)
    assert max(hits) > MAX_REPORTS


def test_circles_of_leaves_at_the_border_have_others_across_it():
    """On a plane these must not be found; on a torus all of them."""
    scenes = scenes_of("linear-quadtree", 1994) + scenes_of("linear-quadtree-torus", 1994)
    for scene in (scene for scene in scenes if scene.objects == MAX_OBJECTS):
        columns, rows = every([scene], "x") // 32, every([scene], "y") // 32
        for own, other in ((columns, rows), (rows, columns)):
            assert set(other[own == 0].tolist()) & set(other[own == 255].tolist())


# -- neighbours --------------------------------------------------------------------------------


@SEEDS
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_every_code_occurs_and_not_always_as_many(name: str, seed: int):
    scenes = scenes_of(name, seed)
    assert len(set(every(scenes, "codes").tolist())) == 1 << 16
    assert len({scene.objects for scene in scenes}) > 1


@SEEDS
def test_wide_codes_are_next_to_every_power_of_two(seed: int):
    wide = every(scenes_of("morton-neighbours", seed), "wide_codes")
    powers = {1 << bit for bit in range(16)}
    for places in decode(wide, WIDE):
        met = set(places.tolist())
        assert powers | {power - 1 for power in powers} | {0xFFFF} <= met
    x, y = decode(wide, WIDE)
    for own, other in ((x, y), (y, x)):
        for edge in (0, 0xFFFF):
            assert len(set(other[own == edge].tolist())) > 100


@pytest.mark.parametrize("name", ["trivial-loops", "trivial-loops-as-described"])
def test_loops_run_over_many_numbers(name: str):
    numbers = {scene.objects for scene in scenes_of(name, 1994)}
    assert len(numbers) == len(scenes_of(name, 1994))
    assert {0, 1, 2, 255 + 1} <= numbers
    largest = max(scenes_of(name, 1994), key=lambda s: s.objects)
    assert ask_reference(case_of(name), largest).first_calls > 1 << 15


# -- blockmap ----------------------------------------------------------------------------------


@SEEDS
@pytest.mark.parametrize("name", ["blockmap", "blockmap-bare"])
def test_boxes_lie_everywhere_in_every_world(name: str, seed: int):
    scenes = scenes_of(name, seed)
    worlds = zip(every(scenes, "world_width"), every(scenes, "world_height"), strict=True)
    assert {(int(width), int(height)) for width, height in worlds} >= set(EVERY_WORLD)
    for what in ("x", "y"):
        places = every(scenes, what)
        assert places.min() < -(2.0**100) and places.max() > 2.0**100
        assert ((places > -100) & (places < 0)).any()
    for what in ("width", "height"):
        assert (every(scenes, what).min(), every(scenes, what).max() > 1 << 20) == (0, True)
    for what in ("dx", "dy"):
        assert every(scenes, what).min() < -900 and every(scenes, what).max() > 900
    assert set(every(scenes, "kind").tolist()) == set(range(8))
    assert {0, 1, 2, 300} <= set(every(scenes, "frames").tolist())
    assert {0, 1, 2048} <= {scene.objects for scene in scenes}


@pytest.mark.slow
@SEEDS
def test_tables_of_the_blockmap_are_filled(seed: int):
    scenes = scenes_of("blockmap", seed)
    full = [play(scene) for scene in scenes if scene.generator == "full"]
    assert max(answer.fragments_counted for answer in full) == 8192
    assert {answer.lost for answer in full} >= {0, 1, 18}
    answers = [play(scene) for scene in scenes if scene.generator in ("heap", "spread")]
    assert max(answer.objects for answer in answers) == 2048
    assert max(int(answer.fragment_object.max(initial=0)) for answer in answers) > 1023
    assert max(answer.callbacks for answer in answers) > REPORT_ROOM


@SEEDS
def test_the_printed_blockmap_is_played_up_to_its_limits(seed: int):
    scenes = scenes_of("blockmap-as-printed", seed)
    answers = [play_as_printed(scene) for scene in scenes]
    assert {answer.columns for answer in answers} >= {0, 1, 2, 5, 16, 256}
    assert {answer.rows for answer in answers} >= {1, 3, 5, 16, 256}
    assert max(answer.fragments_counted for answer in answers) > 256
    x, y = every(scenes, "x"), every(scenes, "y")
    assert x.min() < -500 and x.max() > 640
    assert ((y > -96) & (y < 0)).any() and ((x > -128) & (x < 0)).any()
    assert {0, 3, 300} <= set(every(scenes, "frames").tolist())


# -- collider ----------------------------------------------------------------------------------


@pytest.mark.slow
@SEEDS
@pytest.mark.parametrize("name", ["collider", "collider-as-described", "collider-on-array"])
def test_scripts_have_every_operation_on_every_critter(name: str, seed: int):
    scenes = scenes_of(name, seed)
    operation, first = every(scenes, "operation"), every(scenes, "first")
    for one in Operation:
        if one is not Operation.COLLIDE_STEP:
            assert {0, MAX_CRITTERS - 1} <= set(first[operation == one].tolist()), one
    kinds = every(scenes, "second")[operation == Operation.CREATE]
    assert set(kinds.tolist()) == set(Kind)
    for what in ("priority", "demand"):
        assert every(scenes, what).min() == -(1 << 15)
        assert every(scenes, what).max() == (1 << 15) - 1
    assert {0, 1, MAX_STEPS} <= {scene.objects for scene in scenes}


@SEEDS
@pytest.mark.parametrize("name", ["collider", "collider-as-described"])
def test_pairs_and_the_log_are_filled(name: str, seed: int):
    play_script = play_corrected if name == "collider" else play_as_described
    crowds = [s for s in scenes_of(name, seed) if s.generator == "crowd" and s.objects == 120]
    answers = [play_script(scene) for scene in crowds]
    assert max(answer.pair_count for answer in answers) == MAX_PAIRS
    assert max(answer.tests for answer in answers) > MAX_LOG


def test_many_die_in_one_step():
    scenes = scenes_of("collider", 1994)
    battles = [play_corrected(s) for s in scenes if s.generator == "battle" and s.objects > 100]
    assert max(battle.hits for battle in battles) > 15
