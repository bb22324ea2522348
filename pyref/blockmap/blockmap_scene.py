"""Generators of scenes for the blockmap, from a name, a number of objects and a seed.

As in :mod:`pyref.scene`, generators use only raw words of PCG64 and integer arithmetic, and the
scenes of a name never change.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.blockmap.blockmap_boxes import (
    FARTHEST,
    KINDS,
    MAX_FRAGMENTS,
    MAX_OBJECTS,
    NEAR,
    QUARTERS,
    REPORTS,
    THINKS,
    BoxScene,
    scene_from_boxes,
)
from pyref.scene import check_origin, frozen
from pyref.streams import Stream

SECTOR_WIDTH, SECTOR_HEIGHT = 128, 96  # pixels

_PRINTED_POOL = 256  # fragments
_FRAMES = 3
_FASTEST = 3  # pixels in a frame
_MOST_FILED = 1100  # objects
_LARGEST = (2048, 1536)  # a world of 16 x 16 sectors
_WORLDS = (
    (0, 480),
    (-5, 480),
    (640, -100),
    (1, 1),
    (100, 90),
    (128, 96),
    (129, 97),
    (800, 600),
    (2048, 1536),
    (2049, 1536),
    (2048, 1537),
    (1664, 1920),
    (32768, 96),
    (32768, 97),
    (32769, 96),
    (100_000, 100_000),
)
EVERY_WORLD = (
    *_WORLDS,
    (640, 0),
    (127, 95),
    (128, 24576),
    (128, 24577),
    (1920, 1632),
    (2**31 - 1, 96),
    (128, 2**31 - 1),
    (-(2**31), -(2**31)),
)
"""Widths and heights of worlds, possible ones and impossible ones. "every-world" takes the next of
them for one more object, and the one eight places further on for the next seed."""
_PRINTED_WORLDS = (
    (128, 96),
    (255, 191),
    (256, 288),
    (2048, 1536),
    (32768, 96),
    (128, 24576),
    (127, 24576),
    (-5, 480),
)


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> BoxScene:
    """Make the scene of a generator, a number of objects and a seed.

    Args:
        generator: a name in :data:`GENERATORS`.
        objects: how many objects, 0..2048.
        seed: 0 <= seed < 2**64.
        width: of the world in pixels, 256..2048. "worlds" has sizes of its own.
        height: likewise, 288..1536.

    Raises:
        ValueError: for an unknown generator, or a number outside the limits above.
        TypeError: for a number that is not an integer.
    """
    check_origin(generator, seed, GENERATORS)
    objects, seed, width, height = map(operator.index, (objects, seed, width, height))
    if not 0 <= objects <= MAX_OBJECTS:
        raise ValueError(f"a scene cannot have {objects} objects; 0..{MAX_OBJECTS} are possible")
    if not (256 <= width <= 2048 and 288 <= height <= 1536):
        raise ValueError(f"a world of {width} x {height} is outside 256 x 288 .. 2048 x 1536")
    scene = GENERATORS[generator](Stream(seed), objects, width, height)
    return replace(scene, generator=generator, seed=seed)


Generator: TypeAlias = Callable[[Stream, int, int, int], BoxScene]
"""A generator: called with (stream, objects, world width, world height)."""


def _inside(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes of 30 x 30 are spread over the whole sectors of the world."""
    sizes = np.full((objects, 2), 30, dtype=np.int32)
    return _within(stream, sizes, *_whole_sectors(width, height), world=(width, height))


def _lines(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes begin or end on sector lines or a pixel beside them; some have size 0."""
    choices = np.array([0, 1, 30, 127, 128, 129], dtype=np.int32)
    sizes = choices[stream.below(objects, len(choices), len(choices))]
    across, down = _whole_sectors(width, height)
    draws = stream.below(objects, across // SECTOR_WIDTH, down // SECTOR_HEIGHT, 3, 3, 2, 2)
    lines = draws[:, :2] * np.array([SECTOR_WIDTH, SECTOR_HEIGHT], dtype=np.int32)
    corners = lines + draws[:, 2:4] - 1 - draws[:, 4:] * sizes
    margin = _FRAMES * _FASTEST
    corners = np.clip(corners, margin, np.array([across, down]) - 1 - margin - sizes)
    return _moving(stream, corners * QUARTERS, sizes, (width, height))


def _pile(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes of all sizes up to 130 lie round one place; each covers several sectors."""
    sizes = stream.below(objects, 131, 131)
    across, down = _whole_sectors(width, height)
    place = stream.below(1, across, down)
    corners = place + stream.below(objects, 161, 161) - 80 - sizes // 2
    margin = _FRAMES * _FASTEST
    corners = np.clip(corners, margin, np.array([across, down]) - 1 - margin - sizes)
    scene = _moving(stream, corners * QUARTERS, sizes, (width, height))
    return replace(scene, frames=1)


def _overfull(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes are large and fragments few: about fifty objects use up all 256."""
    sizes = 100 + stream.below(objects, 101, 101)
    scene = _within(stream, sizes, *_whole_sectors(width, height), world=(width, height))
    return replace(scene, frames=1, max_fragments=_PRINTED_POOL)


def _partial(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes lie also in the partial last column of a world that ends in half a sector.

    The rows end one sector early, so that the printed form, which files that column as the first
    of the next row, stays within its table.
    """
    sizes = stream.below(objects, 100, 60)
    across, down = _whole_sectors(width, height)
    world = (across + SECTOR_WIDTH // 2, down)
    return _within(stream, sizes, world[0], down - SECTOR_HEIGHT, world=world)


def _outside(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes lie in the world and round it; one in eight is five hundred times as far away."""
    sizes = stream.below(objects, 301, 301)
    corners = stream.below(objects, width + 600, height + 600) - 300
    far = stream.below(objects, 8)[:, 0] == 0
    corners[far] *= 500
    return _moving(stream, corners * QUARTERS, sizes, (width, height))


def _border(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes begin or end on the world's border or a pixel beside it."""
    choices = np.array([0, 1, 30, 128, 200], dtype=np.int32)
    sizes = choices[stream.below(objects, len(choices), len(choices))]
    draws = stream.below(objects, 2, 2, 2, 2, 3, 3)
    far_edge = np.array([width, height], dtype=np.int32)
    corners = draws[:, :2] * far_edge - draws[:, 2:4] * sizes + draws[:, 4:] - 1
    return _moving(stream, corners * QUARTERS, sizes, (width, height))


def _worlds(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes lie in the given world; the program gets other sizes, some of them impossible."""
    # Use the last draw, so that scenes of one seed have different worlds.
    world, frames = stream.below(objects + 1, len(_WORLDS), 2)[-1].tolist()
    sizes = stream.below(objects, 61, 61)
    scene = _within(stream, sizes, width, height, world=_WORLDS[world])
    return replace(scene, frames=2 * frames)


def _every_world(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes lie in and round a world of `EVERY_WORLD`; every one of them has its turn."""
    world = EVERY_WORLD[(8 * stream.seed + objects) % len(EVERY_WORLD)]
    sizes = stream.below(objects, 301, 301)
    across, down = (min(max(side, 256), 1 << 15) for side in world)
    corners = stream.below(objects, across + 300, down + 300) - 200
    scene = _moving(stream, corners * QUARTERS, sizes, world)
    return replace(scene, frames=2)


def _far(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes are as far away or as large as a float allows, or fast; 0 to 3 frames."""
    draws = stream.below(objects, 3, 121, 121, 2, 2, 32, 32, 31, 31)
    steps = stream.below(objects, 2001, 2001) - 1000
    powers = draws[:, 1:3].astype(np.float64)
    units = np.maximum(1.0, 2.0 ** (powers - 23))
    distances = np.minimum(2.0**powers + units * draws[:, 5:7], FARTHEST)
    away = (1 - 2 * draws[:, 3:5]) * distances
    sizes = np.where(units < 1 << 26, units, 0) * draws[:, 7:]
    near = stream.below(objects, 4 * width, 4 * height) - np.array([2 * width, 2 * height])
    far, large = draws[:, 0] == 0, draws[:, 0] == 1
    corners = np.where(far[:, np.newaxis], away, near / QUARTERS)
    corners[large] = -NEAR
    sizes[large] = NEAR + stream.below(objects, 2 * width, 2 * height)[large]
    steps[far | large] = 0
    sizes[~(far | large)] = stream.below(objects, 301, 301)[~(far | large)]
    kinds = stream.below(objects, KINDS)[:, 0]
    boxes = np.column_stack([corners, sizes])
    frames = (stream.seed + objects) % (_FRAMES + 1)
    return scene_from_boxes(boxes, steps=steps, kinds=kinds, world=(width, height), frames=frames)


def _full(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes cover almost all 256 sectors of the largest world; 32 boxes use up all fragments.

    There are as many as the first 32 boxes take, or one more, or one fewer.
    """
    ((short,),) = stream.below(1, 3).tolist()
    draws = stream.below(objects, 8, 8)
    sectors = np.array([16, 16]) - np.where((draws == 0) & (stream.seed % 2 == 1), 1, 0)
    size = np.array([SECTOR_WIDTH, SECTOR_HEIGHT])
    scene = _moving(stream, np.full((objects, 2), 10 * QUARTERS), sectors * size - 30, _LARGEST)
    taken = int(sectors.prod(axis=1)[:32].sum())
    return replace(scene, frames=1, max_fragments=min(max(taken + 1 - short, 0), MAX_FRAGMENTS))


def _heap(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes lie on one another and report it; 65 boxes report more calls than are recorded."""
    sizes = 20 + stream.below(objects, 30, 30)
    corners = np.array([SECTOR_WIDTH, SECTOR_HEIGHT]) + 40 - stream.below(objects, 10, 10)
    kinds = stream.below(objects, KINDS - REPORTS)[:, 0] + REPORTS
    scene = _moving(stream, corners * QUARTERS, sizes, (width, height))
    return replace(scene, kind=frozen(kinds), frames=1)


def _spread(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes in the largest world are small and far apart; above about 1,000 no frame is played.

    Filing and comparing them takes too long on a 68000, which has no floating point.
    """
    scene = _within(stream, stream.below(objects, 20, 20), *_LARGEST, world=_LARGEST)
    return replace(scene, frames=int(objects <= _MOST_FILED))


def _long(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes move to and fro for 300 frames, or fewer if there are many boxes."""
    sizes = stream.below(objects, 31, 31)
    across, down = _whole_sectors(width, height)
    frames = min(max(_FRAMES, 300 // max(1, objects // 2)), across // 2 - 20)
    sidewards = frames > down // 4  # there is room to move up and down too
    margins = np.array([frames, 0 if sidewards else frames])
    room = np.array([across, down]) - 1 - 2 * margins - sizes
    places = stream.below(objects, 1 << 20, 1 << 20).astype(np.int64)
    corners = (places * (QUARTERS * room) >> 20) + QUARTERS * margins
    moves = stream.below(objects, 2, 2, KINDS)
    steps = (2 * moves[:, :2] - 1) * np.array([1, 0 if sidewards else 1])
    boxes = np.column_stack([corners / QUARTERS, sizes])
    return scene_from_boxes(
        boxes, steps=steps, kinds=moves[:, 2] | THINKS, world=(width, height), frames=frames
    )


def _astray(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes lie left or right of the inner rows of the table, or just above its first sector.

    The printed form files all of them in sectors of the table, though in wrong ones.
    """
    across, down = _whole_sectors(width, height)
    margin = _FRAMES * _FASTEST
    sizes = stream.below(objects, 100, 60)
    rows = down - 2 * SECTOR_HEIGHT - 1 - 2 * margin - sizes[:, 1]
    draws = stream.below(objects, 1 << 20, 1 << 20, 2).astype(np.int64)
    beside = (draws[:, 0] * 3 * QUARTERS * (across - 64) >> 20) - QUARTERS * (across - 64)
    between = (draws[:, 1] * QUARTERS * rows >> 20) + QUARTERS * (SECTOR_HEIGHT + margin)
    sides = np.array([SECTOR_WIDTH, SECTOR_HEIGHT]) - 2 * margin
    above = (draws[:, :2] * QUARTERS * sides >> 20) - QUARTERS * (sides + margin - 1)
    corners = np.where(draws[:, 2:] > 0, above, np.column_stack([beside, between]))
    return _moving(stream, corners, sizes, (width, height))


def _printed_worlds(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Boxes lie in worlds of every shape that the printed form has room for.

    More than a thousand or so objects, which would take too long, are in no world.
    """
    turn = stream.seed + 3 * objects if objects <= _MOST_FILED else -1
    world = _PRINTED_WORLDS[turn % len(_PRINTED_WORLDS)]
    across, down = _whole_sectors(max(world[0], SECTOR_WIDTH), max(world[1], SECTOR_HEIGHT))
    sizes = stream.below(objects, 50, 50)
    scene = _within(stream, sizes, across, down, world=world)
    possible = min(world[0] // SECTOR_WIDTH, world[1] // SECTOR_HEIGHT) > 0
    return scene if possible else replace(scene, frames=0)


GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {
        "inside": _inside,
        "lines": _lines,
        "pile": _pile,
        "overfull": _overfull,
        "partial": _partial,
        "outside": _outside,
        "border": _border,
        "worlds": _worlds,
        "every-world": _every_world,
        "far": _far,
        "full": _full,
        "heap": _heap,
        "spread": _spread,
        "long": _long,
        "astray": _astray,
        "printed-worlds": _printed_worlds,
    }
)
"""Every generator, by its name."""

PRINTED_GENERATORS = (
    *("inside", "lines", "pile", "overfull", "partial", "long", "astray", "printed-worlds"),
)
"""The generators whose scenes the printed form plays without leaving its table."""


def _whole_sectors(width: int, height: int) -> tuple[int, int]:
    """The part of a world that whole sectors cover, in pixels."""
    return width // SECTOR_WIDTH * SECTOR_WIDTH, height // SECTOR_HEIGHT * SECTOR_HEIGHT


def _within(
    stream: Stream,
    sizes: NDArray[np.int32],
    width: int,
    height: int,
    *,
    world: tuple[int, int],
) -> BoxScene:
    """Spread boxes over an area so that none can leave it by moving."""
    margin = _FRAMES * _FASTEST
    room = np.array([width, height]) - 1 - 2 * margin - sizes
    draws = stream.below(len(sizes), 1 << 20, 1 << 20).astype(np.int64)
    quarters = draws * (QUARTERS * room) >> 20
    return _moving(stream, quarters + QUARTERS * margin, sizes, world)


def _moving(
    stream: Stream,
    quarters: NDArray[np.signedinteger],
    sizes: NDArray[np.int32],
    world: tuple[int, int],
) -> BoxScene:
    """Give boxes their steps and kinds; corners are in quarters of a pixel."""
    objects = len(sizes)
    draws = stream.below(objects, 2 * _FASTEST + 1, 2 * _FASTEST + 1, KINDS)
    return scene_from_boxes(
        np.column_stack([quarters / QUARTERS, sizes]),
        steps=draws[:, :2] - _FASTEST,
        kinds=draws[:, 2],
        world=world,
        frames=_FRAMES,
    )
