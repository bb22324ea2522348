"""Finds the rectangles of a screen that have changed since they were last shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw import PixelView, Rectangle
from emu.quickdraw.color_space import IndexedColorSpace

_TILE = 32
"""Pixels. An outline that is dragged changes its edges only, which a rectangle would not tell."""


@dataclass(frozen=True, slots=True)
class ShownPixels:
    """Pixels of a rectangle of the screen: red, green, blue and alpha of each, row by row."""

    left: int
    top: int
    width: int
    height: int
    rgba: bytes


class FrameDifferences:
    """What has changed on a screen from one frame to the next.

    Args:
        screen: its pixels in guest memory.
    """

    def __init__(self, screen: PixelView) -> None:
        self._screen = screen
        self._before = screen.grid.copy()
        self._colors = b""
        self.forget()

    def forget(self) -> None:
        """Count the whole screen as changed: nobody has seen it yet."""
        self._is_new = True

    def take(self, screen: PixelView) -> tuple[ShownPixels, ...]:
        """The pixels that have changed since the last call; none if nothing has.

        Args:
            screen: the screen as it is now; it may have other colours than before.
        """
        self._screen = screen
        colors = _digest(screen)
        if self._is_new or colors != self._colors or screen.grid.shape != self._before.shape:
            self._is_new, self._colors = False, colors
            self._before = screen.grid.copy()
            return (self._pixels_of(screen.bounds),)
        changed = screen.grid != self._before
        if not changed.any():
            return ()
        np.copyto(self._before, screen.grid)
        across = _TILE * screen.depth // 8 if screen.depth < 8 else _TILE
        return tuple(map(self._pixels_of, changed_rectangles(changed, screen.bounds, across)))

    def _pixels_of(self, r: Rectangle) -> ShownPixels:
        screen = self._screen
        rgba = np.full((r.height, r.width, 4), 255, np.uint8)
        rgba[:, :, :3] = screen.space.colors(screen.pixels(r))
        bounds = screen.bounds
        return ShownPixels(
            r.left - bounds.left, r.top - bounds.top, r.width, r.height, rgba.tobytes()
        )


def _digest(screen: PixelView) -> bytes:
    space = screen.space
    return space.palette.tobytes() if isinstance(space, IndexedColorSpace) else b""


def changed_rectangles(
    changed: NDArray[np.bool_], bounds: Rectangle, across: int = _TILE
) -> Iterator[Rectangle]:
    """The tiles in which something has changed, as rectangles: runs, with equal ones below added.

    Args:
        changed: rows of cells.
        bounds: the rectangle of all pixels.
        across: how many cells lie side by side in a tile.
    """
    rows = np.logical_or.reduceat(changed, range(0, changed.shape[0], _TILE), axis=0)
    tiles = np.logical_or.reduceat(rows, range(0, changed.shape[1], across), axis=1)
    begun: dict[tuple[int, int], int] = {}  # first and last column of a run: its first row
    height = tiles.shape[0]
    for row in range(height + 1):
        runs = set(_runs(tiles[row])) if row < height else set()
        for run in [run for run in begun if run not in runs]:
            tile = Rectangle(begun.pop(run), run[0], row, run[1])
            whole = Rectangle(*(_TILE * edge for edge in tile)).offset(bounds.left, bounds.top)
            part = whole.intersect(bounds)
            if not part.empty:  # the last bytes of a row may hold no pixels
                yield part
        for run in runs:
            begun.setdefault(run, row)


def _runs(row: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """The first column of each run of true values, and that after its last."""
    edges = np.flatnonzero(np.diff(row.astype(np.int8), prepend=0, append=0)).tolist()
    return zip(edges[::2], edges[1::2], strict=True)
