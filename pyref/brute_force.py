"""Every object tested against every other: slow by design, and plainly right.

No sectors, no lists, no order of work: two objects collide if their corners are less than 30
pixels apart on both axes, and all pairs are looked at. The cleverer references are measured
against this one, so it shares nothing with them but that definition.

Many scenes are worked on at once. Instead of a square table of pairs for each, one step compares
every object with the one `step` places further on, in all scenes together; steps 1 to n - 1 cover
each pair exactly once, and the memory needed grows with the objects, not with their square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import RECT_SIZE, as_corners

__all__ = ["RECT_SIZE", "colliding_pairs", "collisions"]

_CHUNK_OBJECTS = 1 << 16  # worked on at once; a few such arrays stay within a processor's cache


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
    """Tell where two objects overlap; 64 bits hold the difference of any two int32 values."""
    near: NDArray[np.bool_] = (abs(x - other_x) < RECT_SIZE) & (abs(y - other_y) < RECT_SIZE)
    return near
