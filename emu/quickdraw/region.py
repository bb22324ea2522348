"""Regions: sets of pixels, stored in the way that QuickDraw does.

A region is a list of bands: see `emu.quickdraw.bands`. The cost of an operation depends on how
ragged the regions are, not on how large they are. So a clipping region as wide as the plane is as
cheap as a small one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.quickdraw.bands import (
    DIFFERENCE,
    EITHER,
    INTERSECTION,
    UNION,
    Band,
    Edges,
    add_band,
    combine,
    combine_edges,
)
from emu.quickdraw.rectangle import NOTHING, PLANE, Rectangle

_END = 32767
_HEADER = struct.Struct(">H4h")
_LARGEST = 32766  # bytes: rgnSize is a signed word, and even


@dataclass(frozen=True, slots=True)
class PixelRegion:
    """An immutable set of pixels; regions with the same pixels compare equal.

    Attributes:
        bounds: the smallest rectangle around it; (0, 0, 0, 0) for the empty region.
        bands: the bands from top to bottom, without overlap. No band is empty, no two adjoining
            bands have the same edges, and the edges of each ascend and are even in number.
    """

    bounds: Rectangle
    bands: tuple[Band, ...]

    @classmethod
    def from_rectangle(cls, r: Rectangle) -> PixelRegion:
        """The pixels of a rectangle."""
        if r.empty:
            return EMPTY
        return cls(r, ((r.top, r.bottom, (r.left, r.right)),))

    @classmethod
    def from_bands(cls, bands: Iterable[Band]) -> PixelRegion:
        """Make a region of bands that already fulfil the conditions of the attribute ``bands``."""
        piled = tuple(bands)
        if not piled:
            return EMPTY
        left = min(edges[0] for _, _, edges in piled)
        right = max(edges[-1] for _, _, edges in piled)
        return cls(Rectangle(piled[0][0], left, piled[-1][1], right), piled)

    @classmethod
    def from_rows(cls, top: int, rows: Iterable[Edges]) -> PixelRegion:
        """Make a region of the edges of its rows, from the row ``top`` down; a row may be empty."""
        bands: list[Band] = []
        for v, edges in enumerate(rows, top):
            add_band(bands, v, v + 1, edges)
        return cls.from_bands(bands)

    @classmethod
    def from_mask(cls, r: Rectangle, mask: NDArray[np.bool_]) -> PixelRegion:
        """The pixels of a rectangle at which an array of its height and width is true."""
        height, width = mask.shape
        padded = np.zeros((height, width + 2), np.bool_)
        padded[:, 1:-1] = mask
        row, column = np.nonzero(padded[:, 1:] != padded[:, :-1])
        edges = (column + r.left).tolist()
        ends = np.searchsorted(row, np.arange(height + 1)).tolist()
        return cls.from_rows(r.top, (tuple(edges[a:b]) for a, b in pairwise(ends)))

    @property
    def empty(self) -> bool:
        """Whether no pixel is inside."""
        return not self.bands

    @property
    def is_rectangular(self) -> bool:
        """Whether all pixels of its bounds are inside, which also holds for the empty region."""
        return not self.bands or (len(self.bands) == 1 and len(self.bands[0][2]) == 2)

    def rectangles(self) -> Iterator[tuple[int, int, int, int]]:
        """The region cut into rectangles without overlap: top, left, bottom, right of each."""
        for top, bottom, edges in self.bands:
            for k in range(0, len(edges), 2):
                yield top, edges[k], bottom, edges[k + 1]

    def contains(self, h: int, v: int) -> bool:
        """Whether the pixel at (h, v) is inside."""
        for top, bottom, edges in self.bands:
            if top <= v < bottom:
                return sum(edge <= h for edge in edges) % 2 == 1
        return False

    def mask(self, r: Rectangle) -> NDArray[np.bool_]:
        """Whether each pixel of a rectangle is inside; the cost grows with the rectangle."""
        mask = np.zeros((r.height, r.width), np.bool_)
        if not mask.size:
            return mask
        for top, bottom, edges in self.bands:
            if top >= r.bottom:
                break
            if bottom <= r.top:
                continue
            first, last = max(top - r.top, 0), bottom - r.top
            for k in range(0, len(edges), 2):
                end = edges[k + 1] - r.left
                if end > 0:
                    mask[first:last, max(edges[k] - r.left, 0) : end] = True
        return mask

    def union(self, other: PixelRegion) -> PixelRegion:
        """The pixels in either or both."""
        if not self.bands or not other.bands:
            return other if other.bands else self
        return PixelRegion.from_bands(combine(self.bands, other.bands, UNION))

    def intersect(self, other: PixelRegion) -> PixelRegion:
        """The pixels in both."""
        common = self.bounds.intersect(other.bounds)
        if common.empty:
            return EMPTY
        if self.is_rectangular and (other.is_rectangular or self.bounds.encloses(other.bounds)):
            return other if not other.is_rectangular else PixelRegion.from_rectangle(common)
        if other.is_rectangular and other.bounds.encloses(self.bounds):
            return self
        return PixelRegion.from_bands(
            combine(self._between(common), other._between(common), INTERSECTION)
        )

    def _between(self, r: Rectangle) -> tuple[Band, ...]:
        """The bands of some of a rectangle's rows."""
        return tuple(b for b in self.bands if b[1] > r.top and b[0] < r.bottom)

    def difference(self, other: PixelRegion) -> PixelRegion:
        """The pixels that are in this region and not in the other."""
        if self.bounds.intersect(other.bounds).empty:
            return self
        return PixelRegion.from_bands(combine(self.bands, other.bands, DIFFERENCE))

    def xor(self, other: PixelRegion) -> PixelRegion:
        """The pixels in exactly one of the two."""
        return PixelRegion.from_bands(combine(self.bands, other.bands, EITHER))

    def offset(self, dh: int, dv: int) -> PixelRegion:
        """The region moved right by ``dh`` and down by ``dv``, without pixels off the plane."""
        if not self.bands or (dh == 0 and dv == 0):
            return self
        return self._shift(dh, dv)._on_plane()

    def _shift(self, dh: int, dv: int) -> PixelRegion:
        if not self.bands:
            return self
        return PixelRegion(
            self.bounds.offset(dh, dv),
            tuple((t + dv, b + dv, tuple(x + dh for x in edges)) for t, b, edges in self.bands),
        )

    def _on_plane(self) -> PixelRegion:
        return self if PLANE.encloses(self.bounds) else self.intersect(_WIDE_OPEN)

    def inset(self, dh: int, dv: int) -> PixelRegion:
        """The region shrunk at every edge; negative values make it grow.

        A pixel stays if all pixels up to ``dh`` columns and ``dv`` rows away were inside. Growing
        adds every pixel that is at most so far away from one that was inside.
        """
        if self.is_rectangular:
            b = self.bounds
            inner = Rectangle(b.top + dv, b.left + dh, b.bottom - dv, b.right - dh)
            return PixelRegion.from_rectangle(inner.intersect(PLANE)) if self.bands else self
        return self._inset_rows(dh)._inset_columns(dv)._on_plane()

    def _inset_rows(self, dh: int) -> PixelRegion:
        bands: list[Band] = []
        for top, bottom, edges in self.bands:
            spans: Edges = ()
            for k in range(0, len(edges), 2):
                left, right = edges[k] + dh, edges[k + 1] - dh
                if left < right:
                    spans = combine_edges(spans, (left, right), UNION)
            add_band(bands, top, bottom, spans)
        return PixelRegion.from_bands(bands)

    def _inset_columns(self, dv: int) -> PixelRegion:
        # The intersection (or union) of 2 * dv + 1 rows, computed by doubling their number.
        combine = PixelRegion.intersect if dv >= 0 else PixelRegion.union
        rows, result, reach = self, self, 1
        wanted = 2 * abs(dv) + 1
        while reach < wanted:
            step = min(reach, wanted - reach)
            result = combine(rows, result._shift(0, -step))
            rows, reach = result, reach + step
        return result._shift(0, abs(dv))

    def encode(self) -> bytes:
        """The region in the format of a region handle's data.

        The data holds its size in bytes and the bounds. Unless the region is rectangular, one line
        follows for every row that differs from the row above: the row, the columns at which the
        difference begins and ends, and 32767. Another 32767 ends the list (Inside Macintosh:
        Imaging With QuickDraw, chapter 2, and volume I, chapter 6). Pixels outside the plane are
        left out. Since 32767 marks the end, regions that are not rectangular end one pixel earlier.

        Raises:
            UsageError: it takes more than 32 KB, the limit for a region.
        """
        if not PLANE.encloses(self.bounds):
            return self._on_plane().encode()
        if self.is_rectangular:
            b = self.bounds
            return _HEADER.pack(_HEADER.size, b.top, b.left, b.bottom, b.right)
        if _END in (self.bounds.right, self.bounds.bottom):
            inside = Rectangle(PLANE.top, PLANE.left, _END - 1, _END - 1)
            return self.intersect(PixelRegion.from_rectangle(inside)).encode()
        words: list[int] = []
        above: Edges = ()
        line = self.bounds.top
        for top, bottom, edges in self.bands:
            if top != line:
                words += (line, *above, _END)
                above = ()
            words += (top, *combine_edges(above, edges, EITHER), _END)
            above, line = edges, bottom
        words += (line, *above, _END, _END)
        size = _HEADER.size + 2 * len(words)
        if size > _LARGEST:
            raise UsageError(f"a region of {size} bytes: QuickDraw's regions end at 32 KB")
        b = self.bounds
        return _HEADER.pack(size, b.top, b.left, b.bottom, b.right) + struct.pack(
            f">{len(words)}h", *words
        )

    @classmethod
    def decode(cls, data: bytes) -> PixelRegion:
        """Read a region from a region handle's data; bytes after its size are ignored.

        Raises:
            UsageError: the data is not a well-formed region.
        """
        if len(data) < _HEADER.size:
            raise UsageError(f"a region of {len(data)} bytes: the shortest has {_HEADER.size}")
        size, *edges = _HEADER.unpack_from(data)
        if size < _HEADER.size or size % 2 or size > len(data):
            raise UsageError(f"a region that says it has {size} bytes, in a block of {len(data)}")
        bounds = Rectangle(*edges)
        if size == _HEADER.size:
            return cls.from_rectangle(bounds)
        words = struct.unpack_from(f">{(size - _HEADER.size) // 2}h", data, _HEADER.size)
        region = cls.from_bands(_bands_of(words))
        if region.bounds != bounds:
            raise UsageError(f"a region whose lines fill {region.bounds} and not {bounds}")
        return region


def _bands_of(words: tuple[int, ...]) -> list[Band]:
    """Read the bands from the lines of a region's data."""
    bands: list[Band] = []
    current: Edges = ()
    line: int | None = None
    at = 0
    while at < len(words) and words[at] != _END:
        v = words[at]
        if line is not None and v <= line:
            raise UsageError(f"a region with row {v} after row {line}")
        try:
            end = words.index(_END, at + 1)
        except ValueError:
            raise UsageError(f"a region whose row {v} has no end") from None
        changes = words[at + 1 : end]
        if not changes or len(changes) % 2 or any(a >= b for a, b in pairwise(changes)):
            raise UsageError(f"a region with impossible columns in row {v}")
        if line is not None:
            add_band(bands, line, v, current)
        current = combine_edges(current, changes, EITHER)
        line = v
        at = end + 1
    if at != len(words) - 1:
        raise UsageError("a region whose list of rows does not end where its data does")
    if current:
        raise UsageError("a region that is open at the bottom")
    return bands


EMPTY = PixelRegion(NOTHING, ())
"""The region without pixels."""

_WIDE_OPEN = PixelRegion.from_rectangle(PLANE)
