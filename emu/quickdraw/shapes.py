"""Computes the pixels of QuickDraw's shapes: frames, ovals, arcs, polygons, lines.

A shape may be as large as the plane while only a small part is visible. So every function that
works row by row has a parameter ``within``, the rectangle that the caller needs. All pixels inside
it are right; pixels outside may be missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw.bands import Edges
from emu.quickdraw.rectangle import PLANE, Point, Rectangle
from emu.quickdraw.region import EMPTY, PixelRegion

_MOST_CROSSINGS = 8_000_000
_Outline = Callable[[Rectangle], PixelRegion]


def frame_rectangle(r: Rectangle, pen: Point = (1, 1)) -> PixelRegion:
    """The outline of a rectangle: inside the rectangle, and as thick as the pen."""
    return _hollow(r, pen, PixelRegion.from_rectangle)


def _hollow(r: Rectangle, pen: Point, outline: _Outline) -> PixelRegion:
    """A shape without the same shape inset by the pen."""
    if pen[0] <= 0 or pen[1] <= 0:
        return EMPTY
    inner = r.inset(*pen)
    return outline(r) if inner.empty else outline(r).difference(outline(inner))


def _oval_margins(width: int, height: int, rows: range) -> Iterator[int]:
    """By how many pixels each row of an oval is shorter than the rectangle, at either end."""
    for row in rows:
        # Computed in half pixels from the centre: the square of the row's half length, rounded
        # down.
        v = 2 * row + 1 - height
        reach = math.isqrt(width * width * (height * height - v * v) // (height * height))
        yield (width - reach) >> 1


def _rows_within(r: Rectangle, within: Rectangle) -> range:
    return range(max(r.top, within.top), min(r.bottom, within.bottom))


def oval(r: Rectangle, within: Rectangle = PLANE) -> PixelRegion:
    """The oval that fills a rectangle.

    A pixel belongs to it if its centre lies inside or on the ellipse that touches the rectangle's
    sides. Ovals are symmetrical in both directions. The smallest ones (up to three by three) are
    rectangles, and a very long oval ends before its rectangle does.
    """
    rows = _rows_within(r, within)
    if r.empty or not rows:
        return EMPTY
    margins = _oval_margins(r.width, r.height, range(rows[0] - r.top, rows[-1] + 1 - r.top))
    return PixelRegion.from_rows(rows[0], (_row(r, margin) for margin in margins))


def _row(r: Rectangle, margin: int) -> Edges:
    return (r.left + margin, r.right - margin) if 2 * margin < r.width else ()


def frame_oval(r: Rectangle, pen: Point = (1, 1), within: Rectangle = PLANE) -> PixelRegion:
    """The outline of an oval: the oval without the oval of the rectangle inset by the pen."""
    return _hollow(r, pen, lambda outline: oval(outline, within))


def round_rectangle(
    r: Rectangle, oval_width: int, oval_height: int, within: Rectangle = PLANE
) -> PixelRegion:
    """A rectangle with round corners: each is a quarter of an oval of the given size.

    An oval larger than the rectangle is reduced to it. An oval without width or height leaves the
    corners square.
    """
    rows = _rows_within(r, within)
    if r.empty or not rows:
        return EMPTY
    width, height = min(oval_width, r.width), min(oval_height, r.height)
    if width <= 0 or height <= 0:
        return PixelRegion.from_rectangle(r)
    corner = (height + 1) // 2

    def edges_of(v: int) -> Edges:
        row = min(v - r.top, r.bottom - 1 - v)
        margin = next(_oval_margins(width, height, range(row, row + 1))) if row < corner else 0
        return _row(r, margin)

    return PixelRegion.from_rows(rows[0], (edges_of(v) for v in rows))


def frame_round_rectangle(
    r: Rectangle,
    oval_width: int,
    oval_height: int,
    pen: Point = (1, 1),
    within: Rectangle = PLANE,
) -> PixelRegion:
    """The outline of a round rectangle; the inner corners' oval is smaller by twice the pen."""
    inner_oval = oval_width - 2 * pen[0], oval_height - 2 * pen[1]

    def outline(of: Rectangle) -> PixelRegion:
        size = (oval_width, oval_height) if of is r else inner_oval
        return round_rectangle(of, *size, within)

    return _hollow(r, pen, outline)


def arc(r: Rectangle, start: int, extent: int, within: Rectangle = PLANE) -> PixelRegion:
    """The wedge of an oval, as PaintArc fills it.

    A pixel belongs to the wedge if it belongs to the oval and its centre lies in the angle. The
    angle contains its first ray but not its last.

    Args:
        r: the rectangle the oval fills.
        start: where the wedge begins, in degrees clockwise from straight up. Angles are measured in
            a square that is stretched to the rectangle, so 45 points to its corner.
        extent: the size of the angle, clockwise if positive; 360 or more means the whole oval.
        within: the rectangle that the caller needs; see the module's docstring.
    """
    whole = oval(r, within)
    return whole if abs(extent) >= 360 else _wedge(whole, r, start, extent, within)


def frame_arc(
    r: Rectangle, start: int, extent: int, pen: Point = (1, 1), within: Rectangle = PLANE
) -> PixelRegion:
    """The part of an oval's outline in an angle, without the two straight sides, as FrameArc."""
    whole = frame_oval(r, pen, within)
    return whole if abs(extent) >= 360 else _wedge(whole, r, start, extent, within)


def _wedge(
    shape: PixelRegion, r: Rectangle, start: int, extent: int, within: Rectangle
) -> PixelRegion:
    if extent < 0:
        start, extent = start + extent, -extent
    box = shape.bounds.intersect(within)
    if extent == 0 or box.empty:
        return EMPTY
    # Centres of pixels relative to the rectangle's centre, scaled so that the rectangle is a
    # square.
    h = ((2 * np.arange(box.left, box.right, dtype=np.int64) + 1) - (r.left + r.right)) * r.height
    v = ((2 * np.arange(box.top, box.bottom, dtype=np.int64) + 1) - (r.top + r.bottom)) * r.width
    after_start = _turn(start, h, v) >= 0
    before_end = _turn(start + extent, h, v) < 0
    if extent < 180:
        inside = after_start & before_end
    else:
        inside = after_start | before_end if extent > 180 else after_start
    inside |= (h == 0) & (v[:, None] == 0)
    return PixelRegion.from_mask(box, inside & shape.mask(box))


def _turn(angle: int, h: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The cross product of a ray and points: positive clockwise of the ray, 0 on its line."""
    # Whole numbers are used, so that a point on the line is on it on every machine.
    radians = math.radians(angle % 360)
    ray_h, ray_v = round(65536 * math.sin(radians)), -round(65536 * math.cos(radians))
    return np.asarray(ray_h * v[:, None] - ray_v * h[None, :])


def polygon(points: Sequence[Point], within: Rectangle = PLANE) -> PixelRegion:
    """The inside of a polygon, as PaintPoly fills it; the last point is joined to the first.

    A pixel is inside if a ray from its centre crosses the outline an odd number of times. So a part
    that the outline surrounds twice is outside. If the outline goes through a pixel's centre, the
    pixel belongs to the area on the right. A point of the outline is a crossing of grid lines, at
    the upper left corner of the pixel with the same coordinates.

    Raises:
        UsageError: the polygon is so large and ragged that no region can hold it.
    """
    if len(points) < 3:
        return EMPTY
    rows: list[np.ndarray] = []
    columns: list[np.ndarray] = []
    crossings = 0
    for start, end in pairwise((*points, points[0])):
        (h, v), (last_h, last_v) = (start, end) if start[1] <= end[1] else (end, start)
        first, last = max(v, within.top), min(last_v, within.bottom)
        if first >= last:
            continue
        crossings += last - first
        if crossings > _MOST_CROSSINGS:
            raise UsageError("a polygon larger than any region: too many rows and sides")
        # Where the edge crosses the middle of the row, find the first pixel whose centre is not
        # left of it.
        row = np.arange(first, last, dtype=np.int64)
        dh, dv = last_h - h, last_v - v
        rows.append(row)
        columns.append(h - (dv - (2 * (row - v) + 1) * dh) // (2 * dv))
    if not rows:
        return EMPTY
    return _from_crossings(np.concatenate(rows), np.concatenate(columns))


def _from_crossings(rows: np.ndarray, columns: np.ndarray) -> PixelRegion:
    """A region from the places at which its rows change; equal places cancel in pairs."""
    order = np.lexsort((columns, rows))
    rows, columns = rows[order], columns[order]
    top = int(rows[0])
    ends = np.searchsorted(rows, np.arange(top, int(rows[-1]) + 2)).tolist()
    places = columns.tolist()
    return PixelRegion.from_rows(top, (_odd_ones(places[a:b]) for a, b in pairwise(ends)))


def _odd_ones(places: list[int]) -> Edges:
    """The numbers that occur an odd number of times among ascending numbers."""
    kept: list[int] = []
    for place in places:
        if kept and kept[-1] == place:
            kept.pop()
        else:
            kept.append(place)
    return tuple(kept)


def polygon_lines(
    points: Sequence[Point], pen: Point = (1, 1), within: Rectangle = PLANE
) -> Iterator[PixelRegion]:
    """The lines that FramePoly draws; each must be painted on its own.

    FramePoly repeats the lines as the program drew them. So the last point is joined to the first
    only if the program drew that line. Where two lines meet, an inverting pen inverts twice.
    """
    for start, end in pairwise(points):
        yield line(start, end, pen, within)


def line(start: Point, end: Point, pen: Point = (1, 1), within: Rectangle = PLANE) -> PixelRegion:
    """The pixels that a pen covers on its way from one point to another, both included.

    The pen hangs below and to the right of its point. It follows Bresenham's line, always from the
    upper end, so a line is the same in both directions. Each step moves one pixel along the longer
    axis, and to the nearest pixel on the other axis. If two pixels are equally near, the one
    farther from the upper end is taken.
    """
    pen_h, pen_v = pen
    if pen_h <= 0 or pen_v <= 0:
        return EMPTY
    (h, v), (last_h, last_v) = sorted((start, end), key=lambda point: (point[1], point[0]))
    dh, dv = last_h - h, last_v - v
    if dh == 0 or dv == 0:
        return PixelRegion.from_rectangle(
            Rectangle(v, min(h, last_h), last_v + pen_v, max(h, last_h) + pen_h)
        )
    side, length = (1 if dh > 0 else -1), abs(dh)

    def span(step: int) -> tuple[int, int]:
        """The first and last pixel of the line in a row, as sideways steps from its start."""
        if dv >= length:
            place = (2 * step * length + dv) // (2 * dv)
            return place, place
        first = -(-(2 * step - 1) * length // (2 * dv))
        after = -(-(2 * step + 1) * length // (2 * dv))
        return max(first, 0), min(after - 1, length)

    def edges_of(row: int) -> Edges:
        # A row is also covered by the pen from rows of the line above it, as many as the pen is
        # high.
        first = span(max(row - pen_v + 1, 0))[0]
        last = span(min(row, dv))[1]
        if side > 0:
            return h + first, h + last + pen_h
        return h - last, h - first + pen_h

    top, bottom = max(v, within.top), min(last_v + pen_v, within.bottom)
    return PixelRegion.from_rows(top, (edges_of(row - v) for row in range(top, bottom)))
