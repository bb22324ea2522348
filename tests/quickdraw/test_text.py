"""Text drawn into bit maps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.quickdraw import DEPTHS, Font, FontBook, PixelRegion, PixelView, Rectangle, draw_text, oval
from emu.quickdraw.fonts import BOLD, ITALIC, OUTLINE, SHADOW, UNDERLINE
from tests.quickdraw.pixel_model import black, shown, used_bits, white

BOOK = FontBook()
FONTS = [BOOK.font(0, 12), BOOK.font(3, 9), BOOK.font(4, 9), BOOK.font(3, 14)]


def bitmap(depth: int = 1, seed: int | None = None) -> PixelView:
    bounds = Rectangle(-10, -7, 20, 57)
    memory = np.zeros(30 * 8 * depth, np.uint8)
    if seed is not None:
        memory[:] = np.random.default_rng(seed).integers(0, 256, memory.size, dtype=np.uint8)
    return PixelView(memory, 8 * depth, bounds, depth)


def drawing(pixels: PixelView, r: Rectangle) -> list[str]:
    return ["".join(".#"[int(p != 0)] for p in row) for row in pixels.pixels(r)]


def test_a_word() -> None:
    pixels = bitmap()
    assert draw_text(pixels, BOOK.font(4, 9), b"Hi", (0, 9)) == 12
    assert drawing(pixels, Rectangle(1, -1, 11, 12)) == [
        ".............",
        ".#...#...#...",
        ".#...#.......",
        ".#...#..##...",
        ".#####...#...",
        ".#...#...#...",
        ".#...#...#...",
        ".#...#..###..",
        ".............",
        ".............",
    ]


def test_underlines_leave_room_for_descenders() -> None:
    pixels = bitmap()
    after = draw_text(pixels, BOOK.font(4, 9), b"njn", (0, 9), UNDERLINE)
    assert drawing(pixels, Rectangle(8, 0, 11, after)) == [
        "#...#....#..#...#.",
        "......#..#........",
        "#####..##..#######",
    ]
    plain = bitmap()
    draw_text(plain, BOOK.font(4, 9), b"  ", (0, 9), UNDERLINE)
    assert drawing(plain, Rectangle(9, -1, 12, 13)) == ["." * 14, "." + "#" * 12 + ".", "." * 14]


styles = st.integers(0, 127)
texts = st.binary(max_size=6)
places = st.tuples(st.integers(-30, 60), st.integers(-20, 40))
edges = st.integers(-12, 60)
rectangles = st.builds(Rectangle, edges, edges, edges, edges)


def composed(font: Font, text: bytes, h: int, v: int, style: int) -> tuple[np.ndarray, int]:
    """What the glyphs cover of the bit map's bounds, glyph by glyph."""
    covered = np.zeros((30, 64), bool)
    for code in text:
        glyph = font.glyph(code, style)
        for row, column in zip(*np.nonzero(glyph.pixels), strict=True):
            y, x = v + glyph.top + int(row) + 10, h + glyph.left + int(column) + 7
            if 0 <= y < 30 and 0 <= x < 64:
                covered[y, x] = True
        h += glyph.advance
    return covered, h


@settings(deadline=None)
@given(
    st.sampled_from(FONTS),
    texts,
    places,
    styles.map(lambda s: s & ~UNDERLINE),
    st.sampled_from([1, 2, 3]),
    st.one_of(rectangles, rectangles.map(oval)),
    st.sampled_from(DEPTHS),
    st.integers(0, 9),
)
def test_text_is_its_glyphs(
    font: Font,
    text: bytes,
    pen: tuple[int, int],
    style: int,
    mode: int,
    clip: Rectangle | PixelRegion,
    depth: int,
    seed: int,
) -> None:
    """Overlapping glyphs count once, whatever the mode."""
    pixels = bitmap(depth, seed)
    covered, after = composed(font, text, *pen, style)
    limit = PixelRegion.from_rectangle(clip) if isinstance(clip, Rectangle) else clip
    visible = limit.mask(pixels.bounds) & covered
    old = shown(pixels)
    whole = used_bits(depth)
    new = {1: np.full_like(old, black(depth)), 2: old ^ whole, 3: np.full_like(old, white(depth))}[
        mode
    ]
    assert draw_text(pixels, font, text, pen, style, mode, clip) == after
    assert np.array_equal(shown(pixels), np.where(visible, new, old))


@settings(deadline=None)
@given(st.sampled_from(FONTS), texts, places, styles)
@example(FONTS[2], bytes(3), (-19, 0), 0)
def test_copying_writes_the_background(
    font: Font, text: bytes, pen: tuple[int, int], style: int
) -> None:
    blank, dirty = bitmap(), bitmap()
    dirty.put(dirty.bounds, np.ones((30, 64), np.uint8))
    after = draw_text(blank, font, text, pen, style, 0)
    assert draw_text(dirty, font, text, pen, style, 0) == after
    line = Rectangle(pen[1] - font.ascent, pen[0], pen[1] + font.descent, after)
    cell = line.intersect(blank.bounds)
    assert np.array_equal(blank.pixels(cell), dirty.pixels(cell))


@settings(deadline=None)
@given(st.sampled_from(FONTS), texts, places, styles, st.sampled_from([0, 1, 4]), rectangles)
def test_a_clip_only_leaves_pixels_out(
    font: Font, text: bytes, pen: tuple[int, int], style: int, mode: int, clip: Rectangle
) -> None:
    before, whole, part = (bitmap(1, 3) for _ in range(3))
    after = draw_text(whole, font, text, pen, style, mode)
    assert draw_text(part, font, text, pen, style, mode, clip) == after
    inside = PixelRegion.from_rectangle(clip).mask(part.bounds)
    assert np.array_equal(shown(part), np.where(inside, shown(whole), shown(before)))


def test_one_character_at_a_time_is_the_same() -> None:
    for font in FONTS:
        together, apart = bitmap(), bitmap()
        draw_text(together, font, b"Hamburg", (-3, 8))
        h = -3
        for code in b"Hamburg":
            h = draw_text(apart, font, bytes((code,)), (h, 8))
        assert np.array_equal(together.grid, apart.grid)


def test_colours() -> None:
    pixels = bitmap(8)
    draw_text(pixels, BOOK.font(4, 9), b"H", (0, 9), mode=0, colors=(35, 6))
    cell = pixels.pixels(Rectangle(0, 0, 11, 6))
    assert set(cell.ravel().tolist()) == {35, 6}
    assert (cell == 35).sum() == 17


def test_greyish_text() -> None:
    black, grey = bitmap(), bitmap()
    draw_text(black, BOOK.font(0, 12), b"Quit", (0, 12))
    draw_text(grey, BOOK.font(0, 12), b"Quit", (0, 12), mode=49)
    drawn, thinned = black.pixels(black.bounds), grey.pixels(grey.bounds)
    rows, columns = np.nonzero(thinned)
    assert drawn[rows, columns].all()
    assert 0.3 * drawn.sum() < thinned.sum() < 0.7 * drawn.sum()


@pytest.mark.parametrize("style", [0, BOLD, ITALIC, UNDERLINE, OUTLINE, SHADOW, 127])
def test_far_away(style: int) -> None:
    pixels = bitmap(seed=3)
    before = pixels.grid.copy()
    for pen in ((32767, 0), (-32768, 0), (0, 32767), (0, -32768), (32767, -32768)):
        draw_text(pixels, BOOK.font(4, 9), b"x", pen, style)
        draw_text(pixels, BOOK.font(4, 9), b"some text", pen, style)
    assert np.array_equal(pixels.grid, before)


def test_a_long_text_reaches_the_window_from_far_away() -> None:
    pixels = bitmap()
    font = BOOK.font(4, 9)
    after = draw_text(pixels, font, b"H" * 6000, (-32766, 9))
    assert after == -32766 + 36000
    assert drawing(pixels, Rectangle(5, 0, 6, 12)) == ["#####.#####."]


def test_no_such_mode() -> None:
    with pytest.raises(UsageError, match="transfer mode"):
        draw_text(bitmap(), BOOK.font(4, 9), b"x", (0, 9), mode=41)
