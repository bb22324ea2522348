"""Filling: the areas that a paint bucket or a lasso finds (SeedFill, CalcMask).

Source: Inside Macintosh IV, p. IV-24.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager

Bits = NDArray[np.bool_]

_MOST_PIXELS = 1 << 20
"""As many as a screen of 1152 by 870 pixels has, the largest that Apple made until 1994."""


def flooded(white: Bits, seeds: list[tuple[int, int]]) -> Bits:
    """The white pixels that can be reached from seeds by steps up, down, left and right.

    Goes from run to run of white pixels in a row, as single pixels would be too many.

    Args:
        white: where one may go.
        seeds: rows and columns to start from; those that are not white are left out.
    """
    height, width = white.shape
    padded = np.zeros((height, width + 2), np.bool_)
    padded[:, 1:-1] = white
    rows, columns = np.nonzero(padded[:, 1:] != padded[:, :-1])
    row_of, first, end = rows[::2], columns[::2], columns[1::2]
    begins = np.searchsorted(row_of, np.arange(height + 1)).tolist()
    first_of, end_of, rows_of = first.tolist(), end.tolist(), row_of.tolist()
    reached = np.zeros(len(first_of), np.bool_)
    waiting = [
        bisect_right(first_of, h, begins[v], begins[v + 1]) - 1 for v, h in seeds if white[v, h]
    ]
    while waiting:
        run = waiting.pop()
        if reached[run]:
            continue
        reached[run] = True
        for row in (rows_of[run] - 1, rows_of[run] + 1):
            if 0 <= row < height:
                other = bisect_right(end_of, first_of[run], begins[row], begins[row + 1])
                while other < begins[row + 1] and first_of[other] < end_of[run]:
                    waiting.append(other)
                    other += 1
    changes = np.zeros((height, width + 1), np.int8)
    changes[row_of[reached], first[reached]] = 1
    changes[row_of[reached], end[reached]] = -1
    return np.cumsum(changes[:, :-1], axis=1, dtype=np.int8).astype(np.bool_)


class SeedFill(Manager):
    """QuickDraw's routines that find enclosed areas; sizes are in rows and in words of 16 bits."""

    @routine(
        "PROCEDURE SeedFill (srcPtr,dstPtr: Ptr; srcRow,dstRow,height,words,seedH,seedV: INTEGER)"
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

    @routine("PROCEDURE CalcMask (srcPtr,dstPtr: Ptr; srcRow,dstRow,height,words: INTEGER)")
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
        if 16 * words * height > _MOST_PIXELS:
            raise self.host.stopped(
                f"areas are looked for in {16 * words:,} times {height:,} pixels; "
                f"macproof does that for at most {_MOST_PIXELS:,}"
            )
        rows = [
            np.frombuffer(self.guest.read(address + row_bytes * v, 2 * words), np.uint8)
            for v in range(height)
        ]
        return np.unpackbits(np.stack(rows), axis=1).astype(np.bool_)

    def _store(self, address: int, row_bytes: int, bits: Bits) -> None:
        for v, row in enumerate(np.packbits(bits, axis=1)):
            self.guest.write(address + row_bytes * v, row.tobytes())
