"""Boxes of any size that move through a world for some frames: the scenes of the blockmap.

The blockmap's objects have corners of type ``float`` and sizes of type ``int``. Processors agree
about them only if every sum of a corner and a size, or of a corner and a step, is exact, that is if
it fits the 24 bits of a ``float``. So corners here are multiples of 1/4 pixel up to 2**20, with
sizes up to 2**20. Boxes may lie farther away if they stand still and the sums are exact.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import frozen

MAX_OBJECTS = 2048
MAX_FRAGMENTS = 8192
MAX_FRAMES = 1000
THINKS, REPORTS, TURNS = 1, 2, 4  # what an object does; added up. One that turns reports as well
KINDS = THINKS + REPORTS + TURNS + 1

QUARTERS = 4  # positions to a pixel
NEAR = 1 << 20  # pixels
FARTHEST, _LARGEST = 2.0**120, 1 << 30  # pixels


@dataclass(frozen=True, slots=True, eq=False)
class BoxScene:
    """Moving boxes, the world they are in, and how the scene was made.

    Build one with `pyref.blockmap.blockmap_scene.make_scene` or :func:`scene_from_boxes`. One
    outside of the limits of the latter cannot be made.

    Attributes:
        x: left edges in pixels before the first frame, float32 of shape ``(objects,)``.
        y: top edges, likewise.
        width: widths in pixels, int32 of shape ``(objects,)``; 0 or more.
        height: heights, likewise.
        dx: pixels moved to the right in each frame, int32 of shape ``(objects,)``.
        dy: pixels moved downwards, likewise.
        kind: sums of `THINKS`, `REPORTS` and `TURNS`, int32 of shape ``(objects,)``.
        world_width: width of the world in pixels, any int32.
        world_height: its height, likewise.
        frames: how many frames are played.
        max_fragments: the most fragments that the corrected form may use.
        generator: the name in `pyref.blockmap.blockmap_scene.GENERATORS` that made it, or a word
            such as "given".
        seed: what the generator started from; 0 where it has no meaning.

    Raises:
        ValueError: arrays have different lengths, or a number is outside of the limits.
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

    def __post_init__(self) -> None:
        boxes = np.column_stack([self.x, self.y, self.width, self.height])
        _require_possible(
            _checked_boxes(boxes),
            np.column_stack([self.dx, self.dy]),
            self.kind,
            self.frames,
            self.max_fragments,
        )

    @property
    def objects(self) -> int:
        """How many objects the scene has."""
        return len(self.x)

    @property
    def corners(self) -> NDArray[np.int32]:
        """The pixels that the upper-left corners lie in, int32 of shape ``(objects, 2)``.

        Coordinates beyond the range of int32 are clipped to it.
        """
        limits = np.iinfo(np.int32)
        pixels = np.floor(np.column_stack([self.x, self.y]).astype(np.float64))
        return np.clip(pixels, limits.min, limits.max).astype(np.int32)

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
    max_fragments: int = MAX_FRAGMENTS,
    generator: str = "given",
    seed: int = 0,
) -> BoxScene:
    """Make a scene of copies of given boxes.

    Args:
        boxes: numbers of shape ``(n, 4)``: x, y, width, height in pixels. Corners are multiples of
            1/4 within 2**20 of the origin, sizes whole and 0..2**20. A box may be farther away or
            larger if it stands still and a ``float`` holds its size and far corner exactly.
        steps: whole pixels moved in each frame, shape ``(n, 2)`` or ``(2,)``; 0 if left out.
        kinds: whole numbers 0..7, shape ``(n,)`` or ``()``; `THINKS` + `REPORTS` if left out.
        world: width and height in pixels.
        frames: 0..1000.
        max_fragments: 0..8192.
        generator: a name for the source of the boxes.
        seed: the seed given to that source, if any.

    Raises:
        ValueError: an array has another shape, or a number is outside these limits.
    """
    checked = _checked_boxes(boxes)
    moved, kind = _require_possible(
        checked,
        0 if steps is None else steps,
        THINKS + REPORTS if kinds is None else kinds,
        frames,
        max_fragments,
    )
    return BoxScene(
        x=frozen(checked[:, 0].astype(np.float32)),
        y=frozen(checked[:, 1].astype(np.float32)),
        width=frozen(checked[:, 2].astype(np.int32)),
        height=frozen(checked[:, 3].astype(np.int32)),
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


def _require_possible(
    boxes: NDArray[np.float64], steps: ArrayLike, kinds: ArrayLike, frames: int, max_fragments: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Steps and kinds as arrays, if all is within the limits of `scene_from_boxes`."""
    if not (0 <= frames <= MAX_FRAMES and 0 <= max_fragments <= MAX_FRAGMENTS):
        raise ValueError(f"{frames} frames or {max_fragments} fragments are out of range")
    moved = _whole("steps", steps, (len(boxes), 2), -1000, 1000)
    _require_exact(boxes[:, :2], boxes[:, 2:], moved)
    return moved, _whole("kinds", kinds, (len(boxes),), 0, KINDS - 1)


def _checked_boxes(boxes: ArrayLike) -> NDArray[np.float64]:
    """Boxes as numbers of shape ``(n, 4)``.

    Raises:
        ValueError: they have another shape, or a box is outside the limits of `scene_from_boxes`.
    """
    checked = np.asarray(boxes, dtype=np.float64)
    if checked.size == 0:
        checked = checked.reshape(0, 4)
    if checked.ndim != 2 or checked.shape[1] != 4:
        raise ValueError(f"boxes have shape (n, 4), not {checked.shape}")
    if len(checked) > MAX_OBJECTS:
        raise ValueError(f"{len(checked)} objects, where the program holds {MAX_OBJECTS}")
    corners, sizes = checked[:, :2], checked[:, 2:]
    if not (np.abs(corners) <= FARTHEST).all() or not ((sizes >= 0) & (sizes <= _LARGEST)).all():
        raise ValueError("boxes lie within 2**120 pixels, with sizes from 0 to 2**30")
    if (corners * QUARTERS % 1).any() or (sizes % 1).any():
        raise ValueError("corners are whole quarters of a pixel, and sizes whole pixels")
    return checked


def _require_exact(
    corners: NDArray[np.float64], sizes: NDArray[np.float64], steps: NDArray[np.int32]
) -> None:
    """Check that a ``float`` holds the corners and sums of boxes that are far away or large.

    Raises:
        ValueError: a sum is not exact, or such a box moves.
    """
    far = (np.abs(corners) > NEAR) | (sizes > NEAR)
    ends = corners + sizes
    exact = (ends - corners == sizes) & (ends - sizes == corners)
    for values in (corners, sizes, ends):
        exact &= values.astype(np.float32) == values
    if (far & ((steps != 0) | ~exact)).any():
        raise ValueError(f"a box beyond {NEAR} pixels moves, or does not fit a float exactly")


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
