"""Scenes on which compiled code is measured.

Each function returns the scenes for one measurement of the audit, by the names of the cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from posts.claims.post_004 import script_of
from posts.claims.work import scenes_of
from pyref.blockmap.blockmap_boxes import scene_from_boxes
from pyref.blockmap.blockmap_scene import make_scene
from pyref.collider.collider_steps import Kind, Operation, Script
from pyref.quadtree.circle_scene import circles_in_squares
from pyref.quadtree.neighbour_search import Cells, make_cells
from pyref.scene import scene_from_corners
from pyref.sectors.four_shifts import make_scene as make_list

Scenes: TypeAlias = Mapping[str, Sequence[Any]]
"""Scenes by the name of the case that they are for."""

_BLOCKS = 128  # of 512 codes: every code of 16 bits


def parted() -> Scenes:
    """Two corners 32 pixels apart, and two 33 apart that no shift brings into one sector."""
    scenes = [scene_from_corners([(31, 0), (31 + distance, 0)]) for distance in (32, 33)]
    return {"four-shifts": scenes}


def bullets() -> Scenes:
    """Two corners 20 pixels apart: objects of 8 pixels there do not overlap."""
    return {"four-shifts": [scene_from_corners([(100, 100), (120, 100)])]}


def counted() -> Scenes:
    """Scenes on which the programs' own counters of tests are compared with the references'."""
    squares = scenes_of(200, 2)
    circles = [circles_in_squares(scene) for scene in squares]
    return {
        "brute-force": squares,
        "adjacent-as-counted": squares,
        "adjacent-with-eight": squares,
        "adjacent-halves-64": squares,
        "adjacent-halves-32": squares,
        "four-shifts": squares,
        "linear-quadtree": circles,
        "linear-quadtree-as-described": circles,
    }


def cells_for_neighbours() -> Scenes:
    """Every code, for neighbours by plain code."""
    return {"morton-neighbours": _every_code()}


def cells_for_printed_neighbours() -> Scenes:
    """Every code, for the neighbours of the listing."""
    return {"morton-neighbours-as-printed": _every_code()}


def cells_for_words() -> Scenes:
    """Every code, for the printed machine words and the printed expression."""
    return {"morton-top-right-words": _every_code()}


def frames() -> Scenes:
    """Scenes of several frames, on which clearing the pool of fragments could matter."""
    scenes = [
        make_scene(generator, 40, seed) for generator in ("inside", "pile") for seed in range(6)
    ]
    return {"blockmap-as-printed": scenes}


def two_frames() -> Scenes:
    """One object in two frames."""
    return {"blockmap-as-printed": [scene_from_boxes([(10, 10, 30, 30)], frames=2)]}


def maze() -> Scenes:
    """45 walls and five critters, as in the book."""
    return {"collider-as-described": [script_of([Kind.WALL] * 45 + [Kind.OTHER] * 5)]}


def harness() -> Scenes:
    """Scenes of the harness with the numbers of objects of the published table."""
    scenes = [make_list("uniform", n, seed) for n in (0, 50, 100, 200) for seed in range(4)]
    return {"four-shifts": scenes}


def searches() -> Scenes:
    """The same scenes for four shifts, all pairs, and adjacent sectors of 64 and 32 pixels.

    None of these programs counts its tests or keeps reports.
    """
    squares = scenes_of(200, 4)
    names = (
        "four-shifts",
        "brute-force-bare",
        "adjacent-halves-64-bare",
        "adjacent-halves-32-bare",
    )
    return {name: squares for name in names}


def pair_steps() -> Scenes:
    """Scripts of 496 and of 1225 pairs, each with one step of collisions and with three."""
    scripts = [_stepping(critters, steps) for critters in (32, 50) for steps in (1, 3)]
    return {"collider-as-described": scripts, "collider-on-array": scripts}


def _every_code() -> list[Cells]:
    return [make_cells("every-code", 512, seed) for seed in range(_BLOCKS)]


def _stepping(critters: int, steps: int) -> Script:
    again = [(int(Operation.COLLIDE_STEP), 0, 0, 0, 0)] * steps
    return script_of([Kind.OTHER] * critters, *again)
