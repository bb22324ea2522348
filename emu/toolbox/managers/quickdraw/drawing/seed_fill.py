"""Filling: the areas that a paint bucket or a lasso finds (SeedFill, CalcMask, and with colours).

Sources: Inside Macintosh IV, p. IV-24; Imaging With QuickDraw, chapter 3; Apple's ROM sources of
1994, `SeedCFill32` and `CalcCMask32` in QuickDraw/Stretch.a (which pixels are ones before the
filling: those of another colour than the seed's, or those of the colour that is asked for).
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.quickdraw import Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.records.quickdraw import RGBColor

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


def outside_of(bits: Bits) -> Bits:
    """The zeros that can be reached from the edges."""
    height, width = bits.shape
    edges = [(v, h) for v in range(height) for h in (0, width - 1)]
    edges += [(v, h) for v in (0, height - 1) for h in range(width)]
    return flooded(~bits, edges)


class SeedFill(Manager):
    """QuickDraw's routines that find enclosed areas; sizes are in rows and in words of 16 bits."""

    _bit_maps: BitMaps

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
        self._store(dst, dst_row, ~outside_of(bits))

    @routine(
        "PROCEDURE SeedCFill (srcBits,dstBits: BitMap; srcRect,dstRect: Rect; "
        "seedH,seedV: INTEGER; matchProc: ProcPtr; matchData: LONGINT)"
    )
    def seed_color_fill(
        self,
        source: int,
        target: int,
        source_rect: int,
        target_rect: int,
        seed_h: int,
        seed_v: int,
        match: int,
        data: int,
    ) -> None:
        """Ones wherever paint would run over pixels of the colour that the seed has."""
        colors = self._colors(source, source_rect, match)
        top, left, *_ = self.guest.rect(source_rect)
        v, h = seed_v - top, seed_h - left
        if not (0 <= v < colors.shape[0] and 0 <= h < colors.shape[1]):
            return
        same = (colors == colors[v, h]).all(axis=2)
        self._store_bits(target, target_rect, flooded(same, [(v, h)]))

    @routine(
        "PROCEDURE CalcCMask (srcBits,dstBits: BitMap; srcRect,dstRect: Rect; seedRGB: Ptr; "
        "matchProc: ProcPtr; matchData: LONGINT)"
    )
    def calc_color_mask(
        self,
        source: int,
        target: int,
        source_rect: int,
        target_rect: int,
        seed: int,
        match: int,
        data: int,
    ) -> None:
        """Ones wherever paint from the edges would not run, which pixels of one colour stop."""
        colors = self._colors(source, source_rect, match)
        color = RGBColor(self.guest, seed)
        wanted = [part >> 8 & 0xFF for part in (color.red, color.green, color.blue)]
        bits = (colors == wanted).all(axis=2)
        self._store_bits(target, target_rect, ~outside_of(bits))

    def _colors(self, source: int, rect: int, match: int) -> NDArray[np.uint8]:
        if match:
            raise self.host.stopped(
                "a colour fill with a matchProc of the program, which macproof does not call"
            )
        view = self._bit_maps.at(source)
        area = Rectangle(*self.guest.rect(rect))
        if area.width * area.height > _MOST_PIXELS:
            raise self._too_large(area.width, area.height)
        try:
            return view.space.colors(view.pixels(area))
        except UsageError as error:
            raise self.host.misuse("bit map", str(error)) from error

    def _store_bits(self, target: int, rect: int, bits: Bits) -> None:
        view = self._bit_maps.at(target)
        try:
            view.put(Rectangle(*self.guest.rect(rect)), bits.astype(np.uint8))
        except UsageError as error:
            raise self.host.misuse("bit map", str(error)) from error

    def _too_large(self, width: int, height: int) -> GuestStopError:
        return self.host.stopped(
            f"areas are looked for in {width:,} times {height:,} pixels; "
            f"macproof does that for at most {_MOST_PIXELS:,}"
        )

    def _bits(self, address: int, row_bytes: int, height: int, words: int) -> Bits:
        if height <= 0 or words <= 0:
            return np.zeros((0, 0), np.bool_)
        if 16 * words * height > _MOST_PIXELS:
            raise self._too_large(16 * words, height)
        rows = [
            np.frombuffer(self.guest.read(address + row_bytes * v, 2 * words), np.uint8)
            for v in range(height)
        ]
        return np.unpackbits(np.stack(rows), axis=1).astype(np.bool_)

    def _store(self, address: int, row_bytes: int, bits: Bits) -> None:
        for v, row in enumerate(np.packbits(bits, axis=1)):
            self.guest.write(address + row_bytes * v, row.tobytes())
