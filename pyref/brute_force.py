"""Tests every object against every other: slow, but easily seen to be right.

Two objects collide if their corners are less than 30 pixels apart on both axes, and all pairs are
tested. Other references are checked against this one, so it shares nothing with them but that
definition and the form of its answer.

:func:`determine_collisions` does the work in the order of the compiled routine.
:func:`collisions` and :func:`colliding_pairs` are for checking other references; they keep no
order.

:func:`collisions` works on many scenes at once. It does not make a square table of
pairs for each. Pass number `step` compares every object with the one `step` places further on, in
all scenes together. Passes 1 to n - 1 cover each pair exactly once, and the memory needed grows
with the number of objects, not with its square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.reported_pairs import MAX_OBJECTS, ReportedPairs
from pyref.scene import RECT_SIZE, Scene, as_corners, scene_from_corners
from pyref.scene import make_scene as make_screen_scene
from pyref.streams import Stream

_LOW, _HIGH = -(2**14), 2**14 - 1  # corners: a 16-bit integer holds the difference of any two

_CHUNK_OBJECTS = 1 << 16  # worked on at once; a few such arrays stay within a processor's cache


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Scene:
    """Make a scene by a generator of `pyref.scene`, or by "wide".

    The objects of a "wide" scene lie at the ends of the allowed coordinates.

    Args:
        generator: the name.
        objects: how many objects, 0 or more.
        seed: 0 <= seed < 2**64.
        width: of the screen in pixels, 2..672; not used by "wide".
        height: likewise, 2..544.

    Raises:
        ValueError: for an unknown generator, or a number outside these limits.
    """
    if generator != "wide":
        return make_screen_scene(generator, objects, seed, width=width, height=height)
    draws = Stream(seed).below(objects, 3, 3, 41, 41)
    ends = np.array([_LOW, 0, _HIGH])
    corners = np.clip(ends[draws[:, :2]] + draws[:, 2:] - 20, _LOW, _HIGH)
    return scene_from_corners(corners, generator=generator, seed=seed)


def determine_collisions(scene: Scene | ArrayLike) -> ReportedPairs:
    """Find every object that overlaps another, and report every pair, as the routine does.

    Args:
        scene: a scene, or corners in pixels as integers of shape ``(n, 2)``, n up to 2000, each
            within -16384..16383.

    Returns:
        Flags; reports, each pair that overlaps once as (earlier, later) on the list of objects, by
        the earlier one's place on it and then the later one's, which is the order of the tests; and
        the number of tests, n(n - 1)/2.

    Raises:
        ValueError: if `scene` is no scene, or exceeds these limits.
    """
    whole_scene = scene if isinstance(scene, Scene) else scene_from_corners(scene)
    corners = whole_scene.corners[whole_scene.order]
    count = len(corners)
    if count > MAX_OBJECTS:
        raise ValueError(f"{count} objects, where the routine holds {MAX_OBJECTS}")
    if count and not (corners.min() >= _LOW and corners.max() <= _HIGH):
        raise ValueError(
            f"corners {corners.min()}..{corners.max()} are outside {_LOW}..{_HIGH}, where the "
            "routine's 16-bit differences end"
        )
    # Both in reverse: (higher, lower) by the higher becomes (lower, higher) by the lower.
    places = (count - 1 - colliding_pairs(corners[::-1]))[::-1]
    reports = whole_scene.order[places].astype(np.int16)
    flags = np.zeros(MAX_OBJECTS, dtype=np.uint8)
    flags[reports] = 1
    return ReportedPairs(
        flags, reports, tests=count * (count - 1) // 2, objects=whole_scene.objects
    )


def collisions(corners: ArrayLike) -> NDArray[np.uint8]:
    """Flag every object that overlaps at least one other of its scene.

    Args:
        corners: upper-left corners in pixels: integers of shape ``(n, 2)`` for one scene or
            ``(b, n, 2)`` for b scenes of n objects each; any int32 value.

    Returns:
        uint8 of shape ``(n,)`` or ``(b, n)``: 1 for an object in a collision, otherwise 0.
        Working memory is a few MiB whatever b; integers other than int32 are copied first.

    Raises:
        ValueError: if `corners` has another shape, or values that are not int32 integers.
    """
    checked = as_corners(corners)
    if checked.ndim > 3:
        raise ValueError(f"corners have shape (n, 2) or (b, n, 2), not {checked.shape}")
    scenes = checked if checked.ndim == 3 else checked[np.newaxis]
    flags = np.zeros(scenes.shape[:2], dtype=np.uint8)
    chunk = max(1, _CHUNK_OBJECTS // max(1, scenes.shape[1]))
    for start in range(0, len(scenes), chunk):
        part = slice(start, start + chunk)
        flags[part] = _flags(scenes[part])
    return flags if checked.ndim == 3 else flags[0]


def colliding_pairs(corners: ArrayLike) -> NDArray[np.intp]:
    """List every pair of objects of one scene that overlap.

    Args:
        corners: upper-left corners in pixels: integers of shape ``(n, 2)``, any int32 value.

    Returns:
        Object indices, intp of shape ``(k, 2)``: each pair once as (higher, lower), ordered by
        the higher index and then the lower. Working memory grows with the square of n.

    Raises:
        ValueError: if `corners` has another shape, or values that are not int32 integers.
    """
    checked = as_corners(corners)
    if checked.ndim != 2:
        raise ValueError(f"one scene's corners have shape (n, 2), not {checked.shape}")
    x, y = checked.astype(np.int64).T
    overlap = _overlap(x[:, np.newaxis], y[:, np.newaxis], x, y)
    return np.argwhere(np.tril(overlap, k=-1))


def _flags(scenes: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Flag the objects of scenes, shape (b, n, 2), as booleans of shape (b, n)."""
    x, y = np.ascontiguousarray(scenes.T, dtype=np.int64)  # each (n, b): a step is one block
    flags = np.zeros(x.shape, dtype=np.bool_)
    for step in range(1, len(x)):
        overlap = _overlap(x[:-step], y[:-step], x[step:], y[step:])
        flags[:-step] |= overlap
        flags[step:] |= overlap
    return flags.T


def _overlap(
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    other_x: NDArray[np.int64],
    other_y: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether objects overlap, as booleans; 64 bits hold the difference of any int32 values."""
    near: NDArray[np.bool_] = (abs(x - other_x) < RECT_SIZE) & (abs(y - other_y) < RECT_SIZE)
    return near
