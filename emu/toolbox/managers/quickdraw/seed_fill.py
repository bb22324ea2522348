"""Filling: the areas that a paint bucket or a lasso finds (SeedFill, CalcMask).

Source: Inside Macintosh IV, p. IV-24.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager

Bits = NDArray[np.bool_]


def flooded(white: Bits, seeds: list[tuple[int, int]]) -> Bits:
    """The white pixels that can be reached from seeds by steps up, down, left and right.

    Args:
        white: where one may go.
        seeds: rows and columns to start from; those that are not white are left out.
    """
    height, width = white.shape
    reached: Bits = np.zeros((height, width), np.bool_)
    waiting = list(seeds)
    while waiting:
        v, h = waiting.pop()
        if not white[v, h] or reached[v, h]:
            continue
        # The whole run of white pixels in the row at once.
        left = right = h
        while left > 0 and white[v, left - 1]:
            left -= 1
        while right + 1 < width and white[v, right + 1]:
            right += 1
        reached[v, left : right + 1] = True
        for row in (v - 1, v + 1):
            if 0 <= row < height:
                open_here = white[row, left : right + 1] & ~reached[row, left : right + 1]
                waiting += [(row, left + int(column)) for column in np.flatnonzero(open_here)]
    return reached


class SeedFill(Manager):
    """QuickDraw's routines that find enclosed areas; sizes are in rows and in words of 16 bits."""

    title = "QuickDraw"

    @routine(
        "PROCEDURE SeedFill (srcPtr,dstPtr: Ptr; srcRow,dstRow,height,words,seedH,seedV: INTEGER)",
        trap=0xA839,
    )
    def seed_fill(
        self,
        src: int,
        dst: int,
        src_row: int,
        dst_row: int,
        height: int,
        words: int,
        seed_h: int,
        seed_v: int,
    ) -> None:
        """Ones wherever paint poured in at a place would run."""
        bits = self._bits(src, src_row, height, words)
        if bits.size == 0:
            return
        inside = 0 <= seed_v < height and 0 <= seed_h < 16 * words
        self._store(dst, dst_row, flooded(~bits, [(seed_v, seed_h)] if inside else []))

    @routine(
        "PROCEDURE CalcMask (srcPtr,dstPtr: Ptr; srcRow,dstRow,height,words: INTEGER)",
        trap=0xA838,
    )
    def calc_mask(
        self, src: int, dst: int, src_row: int, dst_row: int, height: int, words: int
    ) -> None:
        """Ones wherever paint poured in at the edges would not run."""
        bits = self._bits(src, src_row, height, words)
        if bits.size == 0:
            return
        last_row, last = height - 1, 16 * words - 1
        edges = [(v, h) for v in range(height) for h in (0, last)]
        edges += [(v, h) for v in (0, last_row) for h in range(16 * words)]
        self._store(dst, dst_row, ~flooded(~bits, edges))

    def _bits(self, address: int, row_bytes: int, height: int, words: int) -> Bits:
        if height <= 0 or words <= 0:
            return np.zeros((0, 0), np.bool_)
        rows = [
            np.frombuffer(self.guest.read(address + row_bytes * v, 2 * words), np.uint8)
            for v in range(height)
        ]
        return np.unpackbits(np.stack(rows), axis=1).astype(np.bool_)

    def _store(self, address: int, row_bytes: int, bits: Bits) -> None:
        for v, row in enumerate(np.packbits(bits, axis=1)):
            self.guest.write(address + row_bytes * v, row.tobytes())
