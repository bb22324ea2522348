"""The pixels of QuickDraw's shapes: frames, ovals, arcs, polygons, lines.

Shapes may be as large as the plane while little of them can be seen. Every function that works
row by row therefore takes the rectangle ``within`` which its caller will look at: all pixels
inside it are right, and what lies outside may be left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw.rectangle import PLANE, Point, Rectangle
from emu.quickdraw.region import EMPTY, Edges, Region

_MOST_CROSSINGS = 8_000_000
_Outline = Callable[[Rectangle], Region]


def frame_rectangle(r: Rectangle, pen: Point = (1, 1)) -> Region:
    """The outline of a rectangle, inside it and as thick as the pen."""
    return _hollow(r, pen, Region.from_rectangle)


def _hollow(r: Rectangle, pen: Point, outline: _Outline) -> Region:
    """A shape without the same shape inset by the pen."""
    if pen[0] <= 0 or pen[1] <= 0:
        return EMPTY
    inner = r.inset(*pen)
    return outline(r) if inner.empty else outline(r).difference(outline(inner))


def _oval_margins(width: int, height: int, rows: range) -> Iterator[int]:
    """How many pixels each of an oval's rows is shorter at both ends than the rectangle."""
    for row in rows:
        # In half pixels from the centre; the square of the row's half length, rounded down.
        v = 2 * row + 1 - height
        reach = math.isqrt(width * width * (height * height - v * v) // (height * height))
        yield (width - reach) >> 1


def _rows_within(r: Rectangle, within: Rectangle) -> range:
    return range(max(r.top, within.top), min(r.bottom, within.bottom))


def oval(r: Rectangle, within: Rectangle = PLANE) -> Region:
    """The oval that fills a rectangle.

    A pixel belongs to it if its centre lies inside or on the ellipse that touches the rectangle's
    sides. Ovals are symmetrical in both directions; the smallest (up to three by three) are
    rectangles, and very long ones end before their rectangle does.
    """
    rows = _rows_within(r, within)
    if r.empty or not rows:
        return EMPTY
    margins = _oval_margins(r.width, r.height, range(rows[0] - r.top, rows[-1] + 1 - r.top))
    return Region.from_rows(rows[0], (_row(r, margin) for margin in margins))


def _row(r: Rectangle, margin: int) -> Edges:
    return (r.left + margin, r.right - margin) if 2 * margin < r.width else ()


def frame_oval(r: Rectangle, pen: Point = (1, 1), within: Rectangle = PLANE) -> Region:
    """The outline of an oval: the oval without the oval of the rectangle inset by the pen."""
    return _hollow(r, pen, lambda outline: oval(outline, within))


def round_rectangle(
    r: Rectangle, oval_width: int, oval_height: int, within: Rectangle = PLANE
) -> Region:
    """A rectangle whose corners are the quarters of an oval of that size.

    An oval larger than the rectangle is cut down to it; one without width or height leaves the
    corners square.
    """
    rows = _rows_within(r, within)
    if r.empty or not rows:
        return EMPTY
    width, height = min(oval_width, r.width), min(oval_height, r.height)
    if width <= 0 or height <= 0:
        return Region.from_rectangle(r)
    corner = (height + 1) // 2

    def edges_of(v: int) -> Edges:
        row = min(v - r.top, r.bottom - 1 - v)
        margin = next(_oval_margins(width, height, range(row, row + 1))) if row < corner else 0
        return _row(r, margin)

    return Region.from_rows(rows[0], (edges_of(v) for v in rows))


def frame_round_rectangle(
    r: Rectangle,
    oval_width: int,
    oval_height: int,
    pen: Point = (1, 1),
    within: Rectangle = PLANE,
) -> Region:
    """The outline of a round rectangle; the inner corners are rounder by twice the pen."""
    inner_oval = oval_width - 2 * pen[0], oval_height - 2 * pen[1]

    def outline(of: Rectangle) -> Region:
        size = (oval_width, oval_height) if of is r else inner_oval
        return round_rectangle(of, *size, within)

    return _hollow(r, pen, outline)


def arc(r: Rectangle, start: int, extent: int, within: Rectangle = PLANE) -> Region:
    """The wedge of an oval, as PaintArc fills it.

    A pixel belongs to it if it belongs to the oval and its centre lies in the angle; of the two
    rays the first belongs to the angle and the last does not.

    Args:
        r: the rectangle the oval fills.
        start: where the wedge begins, in degrees clockwise from straight up. Angles are those of
            a square stretched to the rectangle: 45 points to its corner.
        extent: how far it goes on, clockwise if positive; 360 or more is the whole oval.
        within: see the module.
    """
    whole = oval(r, within)
    return whole if abs(extent) >= 360 else _wedge(whole, r, start, extent, within)


def frame_arc(
    r: Rectangle, start: int, extent: int, pen: Point = (1, 1), within: Rectangle = PLANE
) -> Region:
    """The part of an oval's outline in an angle, without the two straight sides, as FrameArc."""
    whole = frame_oval(r, pen, within)
    return whole if abs(extent) >= 360 else _wedge(whole, r, start, extent, within)


def _wedge(shape: Region, r: Rectangle, start: int, extent: int, within: Rectangle) -> Region:
    if extent < 0:
        start, extent = start + extent, -extent
    box = shape.bounds.intersect(within)
    if extent == 0 or box.empty:
        return EMPTY
    # Centres of pixels, from the centre of the rectangle, in a plane where it is a square.
    h = ((2 * np.arange(box.left, box.right, dtype=np.int64) + 1) - (r.left + r.right)) * r.height
    v = ((2 * np.arange(box.top, box.bottom, dtype=np.int64) + 1) - (r.top + r.bottom)) * r.width
    after_start = _turn(start, h, v) >= 0
    before_end = _turn(start + extent, h, v) < 0
    if extent < 180:
        inside = after_start & before_end
    else:
        inside = after_start | before_end if extent > 180 else after_start
    inside |= (h == 0) & (v[:, None] == 0)
    return Region.from_mask(box, inside & shape.mask(box))


def _turn(angle: int, h: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Positive for points clockwise of a ray, 0 on its line: the cross product with them."""
    # In whole numbers, so that points on a line are on it on every machine.
    radians = math.radians(angle % 360)
    ray_h, ray_v = round(65536 * math.sin(radians)), -round(65536 * math.cos(radians))
    return np.asarray(ray_h * v[:, None] - ray_v * h[None, :])


def polygon(points: Sequence[Point], within: Rectangle = PLANE) -> Region:
    """The inside of a polygon, as PaintPoly fills it; the last point is joined to the first.

    A pixel belongs to it if a ray from its centre crosses the outline an odd number of times, so
    a part that the outline goes around twice is outside; a centre on the outline itself belongs
    to what lies right of it. The points are where grid lines cross, above and to the left of the
    pixel of the same coordinates.

    Raises:
        UsageError: it is so large and ragged that no region could hold it.
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
        # The edge crosses the row's middle; the first pixel whose centre is not left of that.
        row = np.arange(first, last, dtype=np.int64)
        dh, dv = last_h - h, last_v - v
        rows.append(row)
        columns.append(h - (dv - (2 * (row - v) + 1) * dh) // (2 * dv))
    if not rows:
        return EMPTY
    return _from_crossings(np.concatenate(rows), np.concatenate(columns))


def _from_crossings(rows: np.ndarray, columns: np.ndarray) -> Region:
    """A region from the places where its rows change, in any order; places named twice cancel."""
    order = np.lexsort((columns, rows))
    rows, columns = rows[order], columns[order]
    top = int(rows[0])
    ends = np.searchsorted(rows, np.arange(top, int(rows[-1]) + 2)).tolist()
    places = columns.tolist()
    return Region.from_rows(top, (_odd_ones(places[a:b]) for a, b in pairwise(ends)))


def _odd_ones(places: list[int]) -> Edges:
    """Those of some ascending numbers that occur an odd number of times, once each."""
    kept: list[int] = []
    for place in places:
        if kept and kept[-1] == place:
            kept.pop()
        else:
            kept.append(place)
    return tuple(kept)


def polygon_lines(
    points: Sequence[Point], pen: Point = (1, 1), within: Rectangle = PLANE
) -> Iterator[Region]:
    """The lines that FramePoly draws one after the other, each to be painted on its own.

    FramePoly repeats the lines as they were drawn, so the last point is joined to the first only
    if the program drew that line, and where lines meet a pen that inverts does so twice.
    """
    for start, end in pairwise(points):
        yield line(start, end, pen, within)


def line(start: Point, end: Point, pen: Point = (1, 1), within: Rectangle = PLANE) -> Region:
    """The pixels a pen covers on the straight way from one point to another, both included.

    The pen hangs below and to the right of its point. The way is Bresenham's, always from the
    upper end, so a line is the same in both directions: one step at a time along the longer
    axis, and on the other the nearest, the farther one from the upper end if two are as near.
    """
    pen_h, pen_v = pen
    if pen_h <= 0 or pen_v <= 0:
        return EMPTY
    (h, v), (last_h, last_v) = sorted((start, end), key=lambda point: (point[1], point[0]))
    dh, dv = last_h - h, last_v - v
    if dh == 0 or dv == 0:
        return Region.from_rectangle(
            Rectangle(v, min(h, last_h), last_v + pen_v, max(h, last_h) + pen_h)
        )
    side, length = (1 if dh > 0 else -1), abs(dh)

    def span(step: int) -> tuple[int, int]:
        """The first and last place of the way in one of its rows, as steps to the side."""
        if dv >= length:
            place = (2 * step * length + dv) // (2 * dv)
            return place, place
        first = -(-(2 * step - 1) * length // (2 * dv))
        after = -(-(2 * step + 1) * length // (2 * dv))
        return max(first, 0), min(after - 1, length)

    def edges_of(row: int) -> Edges:
        # The pen covers a row from the rows of the way above it, as many as it is high.
        first = span(max(row - pen_v + 1, 0))[0]
        last = span(min(row, dv))[1]
        if side > 0:
            return h + first, h + last + pen_h
        return h - last, h - first + pen_h

    top, bottom = max(v, within.top), min(last_v + pen_v, within.bottom)
    return Region.from_rows(top, (edges_of(row - v) for row in range(top, bottom)))
