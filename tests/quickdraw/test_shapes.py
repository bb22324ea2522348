"""Shapes: their pixels drawn out, their symmetries, and models for lines, arcs and polygons."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.quickdraw import (
    EMPTY,
    PLANE,
    PixelRegion,
    Point,
    Rectangle,
    arc,
    frame_arc,
    frame_oval,
    frame_rectangle,
    frame_round_rectangle,
    line,
    oval,
    polygon,
    polygon_lines,
    round_rectangle,
)

small = st.integers(-12, 20)
points = st.tuples(small, small)
rectangles = st.builds(Rectangle, small, small, small, small)
pens = st.tuples(st.integers(0, 4), st.integers(0, 4))


def drawing(region: PixelRegion, r: Rectangle | None = None) -> list[str]:
    return ["".join(".#"[int(inside)] for inside in row) for row in region.mask(r or region.bounds)]


def pixels_of(region: PixelRegion) -> set[Point]:
    box = region.bounds
    rows, columns = np.nonzero(region.mask(box))
    return {(int(h) + box.left, int(v) + box.top) for v, h in zip(rows, columns, strict=True)}


def test_ovals() -> None:
    assert drawing(oval(Rectangle(0, 0, 4, 4))) == [".##.", "####", "####", ".##."]
    assert drawing(oval(Rectangle(5, 5, 8, 8))) == ["###", "###", "###"]
    assert drawing(oval(Rectangle(0, 0, 7, 10))) == [
        "..######..",
        ".########.",
        "##########",
        "##########",
        "##########",
        ".########.",
        "..######..",
    ]
    assert drawing(frame_oval(Rectangle(0, 0, 7, 7), (1, 1))) == [
        "..###..",
        ".#...#.",
        "#.....#",
        "#.....#",
        "#.....#",
        ".#...#.",
        "..###..",
    ]
    assert oval(Rectangle(4, 4, 4, 9)).empty


@settings(deadline=None)
@given(rectangles)
def test_ovals_hold_the_pixels_whose_centres_are_inside(r: Rectangle) -> None:
    w, h = r.width, r.height
    assert pixels_of(oval(r)) == {
        (r.left + x, r.top + y)
        for x in range(w)
        for y in range(h)
        if ((2 * x + 1 - w) * h) ** 2 + ((2 * y + 1 - h) * w) ** 2 <= (w * h) ** 2
    }


@settings(deadline=None)
@given(rectangles, pens)
def test_frames_lie_inside(r: Rectangle, pen: Point) -> None:
    inner = PixelRegion.from_rectangle(
        Rectangle(r.top + pen[1], r.left + pen[0], r.bottom - pen[1], r.right - pen[0])
    )
    frame = frame_rectangle(r, pen)
    if 0 in pen:
        assert frame.empty
    else:
        assert frame == PixelRegion.from_rectangle(r).difference(inner)
    for rounded, whole in (
        (frame_oval(r, pen), oval(r)),
        (frame_round_rectangle(r, 6, 5, pen), round_rectangle(r, 6, 5)),
    ):
        assert rounded.difference(whole).empty
        assert rounded.empty == (frame.empty or whole.empty)


def test_round_rectangles() -> None:
    assert drawing(round_rectangle(Rectangle(0, 0, 6, 10), 6, 4)) == [
        ".########.",
        "##########",
        "##########",
        "##########",
        "##########",
        ".########.",
    ]
    assert drawing(frame_round_rectangle(Rectangle(0, 0, 7, 12), 8, 6, (1, 1))) == [
        "..########..",
        ".#........#.",
        "#..........#",
        "#..........#",
        "#..........#",
        ".#........#.",
        "..########..",
    ]


def test_inner_corners_are_smaller_by_the_pen() -> None:
    r = Rectangle(0, 0, 20, 30)
    frame = frame_round_rectangle(r, 16, 12, (3, 2))
    inner = round_rectangle(Rectangle(2, 3, 18, 27), 10, 8)
    assert frame == round_rectangle(r, 16, 12).difference(inner)
    assert inner != round_rectangle(inner.bounds, 16, 12)


@settings(deadline=None)
@given(rectangles, st.integers(-3, 40), st.integers(-3, 40))
def test_corners_of_round_rectangles(r: Rectangle, width: int, height: int) -> None:
    region = round_rectangle(r, width, height)
    if width <= 0 or height <= 0:
        assert region == PixelRegion.from_rectangle(r)
    elif width >= r.width and height >= r.height:
        assert region == oval(r)
    else:
        corner = Rectangle(0, 0, min(height, r.height), min(width, r.width))
        mask, of_oval = region.mask(r), oval(corner).mask(corner)
        rows, columns = (corner.height + 1) // 2, (corner.width + 1) // 2
        if not r.empty:
            assert np.array_equal(mask[:rows, :columns], of_oval[:rows, :columns])
            assert np.array_equal(mask, mask[::-1, ::-1])
            assert np.array_equal(mask, mask[::-1])


def test_arcs_by_the_clock() -> None:
    face = Rectangle(0, 0, 6, 6)
    assert drawing(arc(face, 0, 90), face) == [
        "...##.",
        "...###",
        "...###",
        "......",
        "......",
        "......",
    ]
    assert drawing(arc(face, 180, 90), face) == [
        "......",
        "......",
        "......",
        "###...",
        "###...",
        ".##...",
    ]
    assert arc(face, 0, -90) == arc(face, 270, 90)
    assert arc(face, 450, 45) == arc(face, 90, 45)
    assert arc(face, 10, 360) == arc(face, 0, -400) == oval(face)
    assert arc(face, 10, 0).empty


def test_angles_are_those_of_the_stretched_square() -> None:
    """45 degrees point to the corner, whatever the rectangle's shape."""
    r = Rectangle(0, 0, 20, 60)
    assert arc(r, 45, 1).intersect(PixelRegion.from_rectangle(Rectangle(0, 30, 4, 48))).empty
    wedge = arc(r, 0, 45)
    for h, v in pixels_of(oval(r)):
        from_centre_h, from_centre_v = (2 * h + 1 - 60) * 20, (2 * v + 1 - 20) * 60
        inside = 0 <= from_centre_h < -from_centre_v
        assert wedge.contains(h, v) == inside


def test_the_circle_of_a_radio_button() -> None:
    upper_half = [
        "....####....",
        "..##....##..",
        ".#........#.",
        ".#........#.",
        "#..........#",
        "#..........#",
    ]
    assert drawing(frame_oval(Rectangle(0, 0, 12, 12))) == upper_half + upper_half[::-1]


@settings(deadline=None)
@given(rectangles, st.integers(-720, 720), st.integers(1, 359))
def test_two_arcs_make_an_oval(r: Rectangle, start: int, extent: int) -> None:
    first, second = arc(r, start, extent), arc(r, start + extent, 360 - extent)
    assert first.union(second) == oval(r)
    shared = first.intersect(second)
    # Only a pixel that lies on the very centre belongs to every wedge.
    assert shared == EMPTY or (shared.bounds.width, shared.bounds.height) == (1, 1)
    assert frame_arc(r, start, extent) == frame_oval(r).intersect(first)


def way(start: Point, end: Point) -> list[Point]:
    """Every step of a line, from its upper end."""
    (h, v), (last_h, last_v) = sorted((start, end), key=lambda p: (p[1], p[0]))
    dh, dv = last_h - h, last_v - v
    steps = max(abs(dh), dv)
    if steps == 0:
        return [(h, v)]
    sign = 1 if dh >= 0 else -1
    along = [(2 * i * abs(dh) + steps) // (2 * steps) for i in range(steps + 1)]
    down = [(2 * i * dv + steps) // (2 * steps) for i in range(steps + 1)]
    return [(h + sign * x, v + y) for x, y in zip(along, down, strict=True)]


@settings(deadline=None)
@given(points, points, pens)
def test_lines(start: Point, end: Point, pen: Point) -> None:
    region = line(start, end, pen)
    assert pixels_of(region) == {
        (h + x, v + y) for h, v in way(start, end) for x in range(pen[0]) for y in range(pen[1])
    }
    assert region == line(end, start, pen)


def test_the_pen_hangs_below_and_to_the_right() -> None:
    assert line((3, 4), (3, 4), (2, 3)).bounds == Rectangle(4, 3, 7, 5)
    assert line((3, 4), (9, 4), (2, 3)).bounds == Rectangle(4, 3, 7, 11)
    assert drawing(line((0, 0), (6, 3))) == ["#......", ".##....", "...##..", ".....##"]


@settings(deadline=None)
@given(st.lists(points, max_size=7))
def test_polygons(corners: list[Point]) -> None:
    """By counting how many sides a ray from a pixel's centre crosses."""
    region = polygon(corners)
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    for v in range(-13, 21):
        for h in range(-13, 21):
            crossed = 0
            for (a_h, a_v), (b_h, b_v) in sides:
                if (2 * a_v > 2 * v + 1) != (2 * b_v > 2 * v + 1):
                    down = 1 if b_v > a_v else -1
                    place = 2 * (b_v - a_v) * a_h + (2 * v + 1 - 2 * a_v) * (b_h - a_h)
                    crossed += down * place <= down * (2 * h + 1) * (b_v - a_v)
            assert region.contains(h, v) == bool(crossed % 2), (h, v)


def test_polygons_drawn_out() -> None:
    square = [(0, 0), (4, 0), (4, 3), (0, 3)]
    assert polygon(square) == PixelRegion.from_rectangle(Rectangle(0, 0, 3, 4))
    assert drawing(polygon([(0, 0), (8, 0), (4, 4)])) == [
        "#######",
        ".#####.",
        "..###..",
        "...#...",
    ]
    assert polygon([(0, 0), (9, 9)]).empty
    assert list(polygon_lines([(0, 0), (4, 0), (4, 3)], (2, 2))) == [
        line((0, 0), (4, 0), (2, 2)),
        line((4, 0), (4, 3), (2, 2)),
    ]


WINDOW = Rectangle(100, 100, 108, 116)
FAR = -32768, 32766


LARGE = {
    "oval": lambda within: oval(PLANE, within),
    "frame_oval": lambda within: frame_oval(PLANE, (32000, 32000), within),
    "round_rectangle": lambda within: round_rectangle(PLANE, 40000, 40000, within),
    "frame_round_rectangle": lambda within: frame_round_rectangle(PLANE, 9, 9, (3, 3), within),
    "arc": lambda within: arc(PLANE, 33, 200, within),
    "frame_arc": lambda within: frame_arc(PLANE, 33, 200, (32000, 32000), within),
    "diagonal": lambda within: line((FAR[0], FAR[0]), (FAR[1], FAR[1]), (5, 7), within),
    "shallow_line": lambda within: line((FAR[0], FAR[1]), (FAR[1], -30000), (900, 20000), within),
    "polygon": lambda within: polygon([(FAR[0], FAR[0]), (FAR[1], 0), (0, FAR[1])], within),
}


@pytest.mark.parametrize("shape", LARGE.values(), ids=LARGE.keys())
def test_large_shapes_are_the_same_when_little_of_them_is_asked_for(
    shape: Callable[[Rectangle], PixelRegion],
) -> None:
    tall = Rectangle(0, 100, 300, 116)
    part, more = shape(WINDOW), shape(tall)
    assert np.array_equal(part.mask(WINDOW), more.mask(WINDOW))
    assert len(part.bands) <= WINDOW.height


@settings(deadline=None)
@given(rectangles, rectangles, st.integers(-9, 30), st.integers(-400, 400), points, points, pens)
def test_within_changes_nothing_inside(
    r: Rectangle, within: Rectangle, size: int, angle: int, start: Point, end: Point, pen: Point
) -> None:
    for whole, part in (
        (oval(r), oval(r, within)),
        (frame_oval(r, pen), frame_oval(r, pen, within)),
        (round_rectangle(r, size, 7), round_rectangle(r, size, 7, within)),
        (arc(r, angle, size * 9), arc(r, angle, size * 9, within)),
        (frame_arc(r, angle, size * 9, pen), frame_arc(r, angle, size * 9, pen, within)),
        (line(start, end, pen), line(start, end, pen, within)),
        (polygon([start, end, (0, 0)]), polygon([start, end, (0, 0)], within)),
    ):
        assert np.array_equal(whole.mask(within), part.mask(within))


def test_a_polygon_no_region_can_hold() -> None:
    zigzag = [(i % 7, -32768 if i % 2 else 32766) for i in range(200)]
    with pytest.raises(UsageError, match="polygon"):
        polygon(zigzag)
    assert polygon(zigzag, WINDOW).bounds.intersect(WINDOW).empty


def test_rays_are_exact() -> None:
    """The diagonal of a square belongs to the angle that begins there."""
    face = Rectangle(0, 0, 20, 20)
    diagonal = [(h, 19 - h) for h in range(10, 20) if oval(face).contains(h, 19 - h)]
    assert len(diagonal) == math.floor(10 / math.sqrt(2))
    assert all(arc(face, 45, 90).contains(*pixel) for pixel in diagonal)
    assert not any(arc(face, 0, 45).contains(*pixel) for pixel in diagonal)
