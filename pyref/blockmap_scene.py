"""Scenes for the blockmap: boxes of any size that move through a world for some frames.

The blockmap's objects have a corner in ``float`` and a size in ``int``. Processors agree about
them only while every sum of a corner and a size is exact, so corners here are quarters of a pixel
below 2**20 and sizes and steps are whole pixels: all sums then fit the 24 bits of a ``float``.

As in :mod:`pyref.scene`, generators use nothing but raw words of PCG64 and integer arithmetic, and
what a name makes never changes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import Stream, check_origin, frozen

__all__ = [
    "GENERATORS",
    "KINDS",
    "MAX_OBJECTS",
    "PRINTED_GENERATORS",
    "REPORTS",
    "SECTOR_HEIGHT",
    "SECTOR_WIDTH",
    "THINKS",
    "TURNS",
    "BoxScene",
    "make_scene",
    "scene_from_boxes",
]

SECTOR_WIDTH, SECTOR_HEIGHT = 128, 96  # pixels
MAX_OBJECTS = 2048
THINKS, REPORTS, TURNS = 1, 2, 4  # what an object does, added up; to turn it reports as well
KINDS = THINKS + REPORTS + TURNS + 1

_QUARTERS = 4  # positions to a pixel
_FARTHEST = 1 << 20  # pixels
_PRINTED_POOL, _POOL = 256, 8192  # fragments
_FRAMES = 3
_FASTEST = 3  # pixels in a frame
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


@dataclass(frozen=True, slots=True, eq=False)
class BoxScene:
    """Moving boxes, the world they are in, and how they came about.

    Build one with :func:`make_scene` or :func:`scene_from_boxes`, which check their input.

    Attributes:
        x: left edges in pixels before the first frame, float32 of shape ``(objects,)``.
        y: top edges, likewise.
        width: in pixels, int32 of shape ``(objects,)``; 0 or more.
        height: likewise.
        dx: pixels moved to the right in each frame, int32 of shape ``(objects,)``.
        dy: and downwards.
        kind: sums of `THINKS`, `REPORTS` and `TURNS`, int32 of shape ``(objects,)``.
        world_width: of the world in pixels, any int32.
        world_height: likewise.
        frames: how many frames are played.
        max_fragments: the most that the corrected form may use.
        generator: the name in :data:`GENERATORS` that made it, or a word such as "given".
        seed: what the generator started from; 0 where it has no meaning.
    """

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    width: NDArray[np.int32]
    height: NDArray[np.int32]
    dx: NDArray[np.int32]
    dy: NDArray[np.int32]
    kind: NDArray[np.int32]
    world_width: int
    world_height: int
    frames: int
    max_fragments: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many objects the scene has."""
        return len(self.x)

    @property
    def corners(self) -> NDArray[np.int32]:
        """The pixels that the upper-left corners lie in, int32 of shape ``(objects, 2)``."""
        return np.floor(np.column_stack([self.x, self.y])).astype(np.int32)

    def keep(self, indices: ArrayLike) -> BoxScene:
        """The scene with only some of its objects, in the order of `indices`."""
        chosen = np.asarray(indices, dtype=np.intp)
        return replace(
            self,
            x=frozen(self.x[chosen]),
            y=frozen(self.y[chosen]),
            width=frozen(self.width[chosen]),
            height=frozen(self.height[chosen]),
            dx=frozen(self.dx[chosen]),
            dy=frozen(self.dy[chosen]),
            kind=frozen(self.kind[chosen]),
        )


def scene_from_boxes(
    boxes: ArrayLike,
    *,
    steps: ArrayLike | None = None,
    kinds: ArrayLike | None = None,
    world: tuple[int, int] = (640, 480),
    frames: int = 1,
    max_fragments: int = _POOL,
    generator: str = "given",
    seed: int = 0,
) -> BoxScene:
    """Take boxes from elsewhere as a scene, copied.

    Args:
        boxes: numbers of shape ``(n, 4)``: x, y, width, height in pixels. Corners are multiples of
            1/4 within 2**20 of the origin, sizes whole and 0..2**20.
        steps: whole pixels moved in each frame, shape ``(n, 2)`` or ``(2,)``; none without it.
        kinds: whole numbers 0..7 of shape ``(n,)`` or ``()``, see `BoxScene`; without it every
            object moves and reports.
        world: width and height in pixels.
        frames: 0..1000.
        max_fragments: 0..8192.
        generator: a word for where the boxes are from.
        seed: the seed there, if any.

    Raises:
        ValueError: if something has another shape or is outside these limits.
    """
    checked = np.asarray(boxes, dtype=np.float64)
    if checked.size == 0:
        checked = checked.reshape(0, 4)
    if checked.ndim != 2 or checked.shape[1] != 4:
        raise ValueError(f"boxes have shape (n, 4), not {checked.shape}")
    objects = len(checked)
    if objects > MAX_OBJECTS:
        raise ValueError(f"{objects} objects, where the program holds {MAX_OBJECTS}")
    if not (np.abs(checked) <= _FARTHEST).all() or (checked[:, 2:] < 0).any():
        raise ValueError(f"boxes lie within {_FARTHEST} pixels, with sizes of 0 or more")
    if (checked[:, :2] * _QUARTERS % 1).any() or (checked[:, 2:] % 1).any():
        raise ValueError("corners are whole quarters of a pixel, and sizes whole pixels")
    if not (0 <= frames <= 1000 and 0 <= max_fragments <= _POOL):
        raise ValueError(f"{frames} frames or {max_fragments} fragments are out of range")
    moved = _whole("steps", 0 if steps is None else steps, (objects, 2), -1000, 1000)
    kind = _whole("kinds", THINKS + REPORTS if kinds is None else kinds, (objects,), 0, KINDS - 1)
    x, y, width, height = checked.T
    return BoxScene(
        x=frozen(x.astype(np.float32)),
        y=frozen(y.astype(np.float32)),
        width=frozen(width.astype(np.int32)),
        height=frozen(height.astype(np.int32)),
        dx=frozen(moved[:, 0]),
        dy=frozen(moved[:, 1]),
        kind=frozen(kind),
        world_width=operator.index(world[0]),
        world_height=operator.index(world[1]),
        frames=operator.index(frames),
        max_fragments=operator.index(max_fragments),
        generator=generator,
        seed=seed,
    )


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> BoxScene:
    """Make the scene that a generator, a number of objects and a seed stand for.

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
    made = GENERATORS[generator](Stream(seed), objects, width, height)
    return replace(made, generator=generator, seed=seed)


Generator: TypeAlias = Callable[[Stream, int, int, int], BoxScene]
"""What makes a scene: (stream, objects, world width, world height)."""


def _inside(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Spread boxes of 30 x 30 over the whole sectors of the world."""
    sizes = np.full((objects, 2), 30, dtype=np.int32)
    return _within(stream, sizes, *_whole_sectors(width, height), world=(width, height))


def _lines(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Begin or end on sector lines or a pixel beside them, some with neither width nor height."""
    choices = np.array([0, 1, 30, 127, 128, 129], dtype=np.int32)
    sizes = choices[stream.below(objects, len(choices), len(choices))]
    across, down = _whole_sectors(width, height)
    draws = stream.below(objects, across // SECTOR_WIDTH, down // SECTOR_HEIGHT, 3, 3, 2, 2)
    lines = draws[:, :2] * np.array([SECTOR_WIDTH, SECTOR_HEIGHT], dtype=np.int32)
    corners = lines + draws[:, 2:4] - 1 - draws[:, 4:] * sizes
    margin = _FRAMES * _FASTEST
    corners = np.clip(corners, margin, np.array([across, down]) - 1 - margin - sizes)
    return _moving(stream, corners * _QUARTERS, sizes, (width, height))


def _pile(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Heap boxes of all sizes up to 130 round one place, over several sectors each."""
    sizes = stream.below(objects, 131, 131)
    across, down = _whole_sectors(width, height)
    place = stream.below(1, across, down)
    corners = place + stream.below(objects, 161, 161) - 80 - sizes // 2
    margin = _FRAMES * _FASTEST
    corners = np.clip(corners, margin, np.array([across, down]) - 1 - margin - sizes)
    scene = _moving(stream, corners * _QUARTERS, sizes, (width, height))
    return replace(scene, frames=1)


def _overfull(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Be large, in a world with few fragments: 256 are used up by about fifty objects."""
    sizes = 100 + stream.below(objects, 101, 101)
    scene = _within(stream, sizes, *_whole_sectors(width, height), world=(width, height))
    return replace(scene, frames=1, max_fragments=_PRINTED_POOL)


def _partial(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Lie also in the last, partial column of a world half a sector wider than whole sectors.

    The rows end one sector early, so that the printed form, which files that column as the first
    of the next row, stays within its table.
    """
    sizes = stream.below(objects, 100, 60)
    across, down = _whole_sectors(width, height)
    world = (across + SECTOR_WIDTH // 2, down)
    return _within(stream, sizes, world[0], down - SECTOR_HEIGHT, world=world)


def _outside(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Lie in the world and all round it; one in eight is five hundred times as far away."""
    sizes = stream.below(objects, 301, 301)
    corners = stream.below(objects, width + 600, height + 600) - 300
    far = stream.below(objects, 8)[:, 0] == 0
    corners[far] *= 500
    return _moving(stream, corners * _QUARTERS, sizes, (width, height))


def _border(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Begin or end on the world's border or a pixel beside it."""
    choices = np.array([0, 1, 30, 128, 200], dtype=np.int32)
    sizes = choices[stream.below(objects, len(choices), len(choices))]
    draws = stream.below(objects, 2, 2, 2, 2, 3, 3)
    far_edge = np.array([width, height], dtype=np.int32)
    corners = draws[:, :2] * far_edge - draws[:, 2:4] * sizes + draws[:, 4:] - 1
    return _moving(stream, corners * _QUARTERS, sizes, (width, height))


def _worlds(stream: Stream, objects: int, width: int, height: int) -> BoxScene:
    """Spread over the given world while the program is told another, possible or not."""
    # The last of so many draws, so that scenes of one seed are told different worlds.
    world, frames = stream.below(objects + 1, len(_WORLDS), 2)[-1].tolist()
    sizes = stream.below(objects, 61, 61)
    scene = _within(stream, sizes, width, height, world=_WORLDS[world])
    return replace(scene, frames=2 * frames)


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
    }
)
"""Every generator, by the name that reports cite."""

PRINTED_GENERATORS = ("inside", "lines", "pile", "overfull", "partial")
"""Those whose scenes the printed form plays without leaving its table."""


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
    """Spread boxes over an area that none can leave, however it moves."""
    margin = _FRAMES * _FASTEST
    room = np.array([width, height]) - 1 - 2 * margin - sizes
    draws = stream.below(len(sizes), 1 << 20, 1 << 20).astype(np.int64)
    quarters = draws * (_QUARTERS * room) >> 20
    return _moving(stream, quarters + _QUARTERS * margin, sizes, world)


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
        np.column_stack([quarters / _QUARTERS, sizes]),
        steps=draws[:, :2] - _FASTEST,
        kinds=draws[:, 2],
        world=world,
        frames=_FRAMES,
    )


def _whole(
    name: str, values: ArrayLike, shape: tuple[int, ...], low: int, high: int
) -> NDArray[np.int32]:
    array = np.asarray(values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} are whole numbers, not {array.dtype}")
    try:
        spread = np.broadcast_to(array.astype(np.int64) if array.size else 0, shape)
    except ValueError as error:
        raise ValueError(f"{name} have shape {shape}, not {array.shape}") from error
    if spread.size and not (low <= spread.min() and spread.max() <= high):
        raise ValueError(f"{name} are within {low}..{high}")
    return spread.astype(np.int32)
