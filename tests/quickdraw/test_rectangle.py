"""Rectangles, as the Toolbox's rectangle routines calculate them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from emu.quickdraw import NOTHING, Rectangle

edges = st.integers(-9, 9)
rectangles = st.builds(Rectangle, edges, edges, edges, edges)
FIELD = [(h, v) for h in range(-20, 20) for v in range(-20, 20)]


def pixels(r: Rectangle) -> set[tuple[int, int]]:
    return {place for place in FIELD if r.contains(*place)}


@settings(deadline=None)
@given(rectangles, rectangles)
def test_as_sets_of_pixels(a: Rectangle, b: Rectangle) -> None:
    assert len(pixels(a)) == a.width * a.height
    assert a.empty == (not pixels(a))
    assert pixels(a.intersect(b)) == pixels(a) & pixels(b)
    assert not a.intersect(b).empty or a.intersect(b) == NOTHING
    assert a.encloses(b) == (pixels(b) <= pixels(a))
    assert pixels(a.union(b)) >= pixels(a) | pixels(b)


def test_edges_are_half_open() -> None:
    r = Rectangle(1, 2, 4, 8)
    assert (r.width, r.height) == (6, 3)
    assert r.contains(2, 1) and r.contains(7, 3)
    assert not (r.contains(8, 3) or r.contains(7, 4) or r.contains(1, 1) or r.contains(2, 0))


def test_moving_and_shrinking() -> None:
    r = Rectangle(1, 2, 11, 22)
    assert r.offset(3, -1) == Rectangle(0, 5, 10, 25)
    assert r.inset(3, 1) == Rectangle(2, 5, 10, 19)
    assert r.inset(-3, -1) == Rectangle(0, -1, 12, 25)
    assert r.inset(10, 0) == NOTHING
    assert r.union(Rectangle(50, 60, 50, 60)) == Rectangle(1, 2, 50, 60)
