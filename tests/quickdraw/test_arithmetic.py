"""The arithmetic transfer modes against a model that computes every pixel on its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.quickdraw import (
    ArithmeticTerms,
    FontBook,
    PixelView,
    Rectangle,
    copy_bits,
    draw_text,
    oval,
    paint,
)
from emu.quickdraw.color_space import IndexedColorSpace, palette_space
from emu.quickdraw.paint import paint_tile
from tests.quickdraw.pixel_model import (
    Color,
    black,
    color_of,
    nearest,
    nearest_entry,
    shown,
    used_bits,
    white,
)

BLEND, ADD_PIN, ADD_OVER, SUB_PIN, TRANSPARENT, AD_MAX, SUB_OVER, AD_MIN = range(32, 40)
HILITE = 50
MODES = (*range(32, 40), HILITE, 64 + BLEND)
SEEDS = st.integers(0, 99)
DEEP = st.sampled_from([2, 4, 8, 16, 32])
COLORS = st.tuples(*[st.integers(0, 255)] * 3)
BOX = Rectangle(-2, -3, 6, 12)


def bitmap(seed: int, depth: int) -> PixelView:
    row_bytes = BOX.width * depth // 8 + 2
    memory = np.random.default_rng(seed).integers(0, 256, row_bytes * BOX.height, dtype=np.uint8)
    return PixelView(memory, row_bytes, BOX, depth)


def component(old: int, new: int, mode: int, operand: int) -> int:
    """Red, green or blue of the result, by the formulas of Imaging With QuickDraw, chapter 4."""
    return {
        BLEND: (new * operand + old * (255 - operand)) // 255,
        ADD_PIN: min(old + new, operand),
        ADD_OVER: (old + new) % 256,
        SUB_PIN: max(old - new, operand),
        AD_MAX: max(old, new),
        SUB_OVER: (old - new) % 256,
        AD_MIN: min(old, new),
    }[mode]


def result(old: int, new: int, mode: int, depth: int, back: int, terms: ArithmeticTerms) -> int:
    """A pixel after its transfer."""
    mode &= ~64
    if mode == TRANSPARENT:
        return old if new == back else new
    if mode == HILITE:
        light = nearest(terms.highlight, depth)
        if new == back or old not in (back, light):
            return old
        return light if old == back else back
    pairs = zip(color_of(old, depth), color_of(new, depth), terms.operand, strict=True)
    red, green, blue = (component(a, b, mode, operand) for a, b, operand in pairs)
    return nearest((red, green, blue), depth)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 99), DEEP, st.sampled_from([1, 8, 32]), st.sampled_from(MODES), COLORS, COLORS
)
def test_copying_combines_colours(
    seed: int, depth: int, source_depth: int, mode: int, operand: Color, highlight: Color
) -> None:
    source, to = bitmap(seed, source_depth), bitmap(seed + 1, depth)
    terms, fore = ArithmeticTerms(operand, highlight), nearest((200, 30, 90), depth)
    back = nearest((0, 255, 255), depth)
    expected, clip = shown(to), Rectangle(-1, -3, 5, 7)
    for row, pixels in enumerate(shown(source)):
        for column, pixel in enumerate(pixels.tolist()):
            if not clip.contains(column + BOX.left, row + BOX.top):
                continue
            if source_depth == 1:
                new = fore if pixel else back
            elif source_depth == depth:
                new = pixel
            else:
                new = nearest(color_of(pixel, source_depth), depth)
            old = int(expected[row, column])
            expected[row, column] = result(old, new, mode, depth, back, terms)
    copy_bits(source, BOX, to, BOX, mode, clip, colors=(fore, back), terms=terms)
    assert np.array_equal(shown(to), expected)


@settings(deadline=None, max_examples=40)
@given(SEEDS, DEEP, st.sampled_from(MODES), COLORS, st.booleans())
def test_patterns_and_tiles_combine_colours(
    seed: int, depth: int, mode: int, operand: Color, is_tile: bool
) -> None:
    to, shape, terms = (
        bitmap(seed, depth),
        oval(Rectangle(-1, -1, 6, 11)),
        ArithmeticTerms(operand, (9, 9, 9)),
    )
    fore, back = nearest((200, 30, 90), depth), white(depth)
    expected = shown(to)
    for v in range(BOX.top, BOX.bottom):
        for h in range(BOX.left, BOX.right):
            if shape.contains(h, v):
                new = fore if (h + v) % 2 == 0 else back
                place = v - BOX.top, h - BOX.left
                expected[place] = result(int(expected[place]), new, mode, depth, back, terms)
    if is_tile:
        tile = np.array([[fore, back], [back, fore]])
        paint_tile(to, shape, BOX, tile, mode, background=back, terms=terms)
    else:
        paint(to, shape, BOX, b"\xaa\x55" * 4, mode, colors=(fore, back), terms=terms)
    assert np.array_equal(shown(to), expected)


@pytest.mark.parametrize("depth", [2, 4, 8, 16, 32])
@pytest.mark.parametrize("mode", [BLEND, AD_MAX, TRANSPARENT])
def test_text_combines_its_colour_and_leaves_what_is_around(depth: int, mode: int) -> None:
    font, terms = FontBook().font(3, 9), ArithmeticTerms((128, 128, 128))
    to, plain = bitmap(7, depth), PixelView(np.zeros(2 * BOX.height, np.uint8), 2, BOX)
    fore, before = nearest((0, 102, 204), depth), shown(to)
    draw_text(plain, font, b"ab", (-2, 5))
    draw_text(to, font, b"ab", (-2, 5), 0, mode, colors=(fore, white(depth)), terms=terms)
    for place, is_ink in np.ndenumerate(plain.pixels(BOX)):
        old = int(before[place])
        new = result(old, fore, mode, depth, white(depth), terms) if is_ink else old
        assert shown(to)[place] == new


@pytest.mark.parametrize("depth", [1, 2, 4, 8, 16, 32])
def test_dimmed_text_has_the_colour_in_between(depth: int) -> None:
    font, box = FontBook().font(3, 9), Rectangle(0, 0, 12, 12)
    to, solid = (PixelView(np.zeros(12 * 48, np.uint8), 48, box, bits) for bits in (depth, 1))
    to.put(box, np.full((12, 12), white(depth)))
    draw_text(to, font, b"m", (1, 9), 0, 49)
    draw_text(solid, font, b"m", (1, 9))
    ink, places = shown(to), shown(solid) == 1
    assert (ink[~places] == white(depth)).all()
    if depth == 1:
        assert 0 < ink.sum() < places.sum()
    else:
        assert (ink[places] == nearest((127, 127, 127), depth)).all()


@pytest.mark.parametrize("depth", [2, 4, 8, 16, 32])
def test_a_deep_mask_weighs_the_source(depth: int) -> None:
    r = Rectangle(0, 0, 1, 3)
    source = PixelView(np.zeros(12, np.uint8), 12, r, 32)
    mask = PixelView(np.array([0, 255, 43 * 3], np.uint8), 3, r, 8)
    source.put(r, np.array([[0xFF0000, 0xFF0000, 0x00FF00]]))
    to = PixelView(np.zeros(12, np.uint8), 12, r, depth)
    to.put(r, np.full((1, 3), white(depth)))
    copy_bits(source, r, to, r, mask=mask)
    weights = [255 - part for part in color_of(43 * 3, 8)]
    mean = [
        (part * w + 255 * (255 - w)) // 255 for part, w in zip((0, 255, 0), weights, strict=True)
    ]
    red = nearest((255, 0, 0), depth)
    assert shown(to).tolist() == [[white(depth), red, nearest((mean[0], mean[1], mean[2]), depth)]]


@pytest.mark.parametrize("depth", [2, 4, 8, 16, 32])
def test_other_colours_than_black_and_white_tint_what_is_copied(depth: int) -> None:
    r = Rectangle(0, 0, 1, 3)
    source = PixelView(np.array([0, 255, 43 * 3], np.uint8), 3, r, 8)
    to = PixelView(np.zeros(12, np.uint8), 12, r, depth)
    front, back = nearest((255, 0, 0), depth), nearest((255, 255, 0), depth)
    copy_bits(source, r, to, r, colors=(front, back))
    ends = zip(color_of(front, depth), color_of(back, depth), color_of(43 * 3, 8), strict=True)
    red, green, blue = ((b * light + f * (255 - light)) // 255 for f, b, light in ends)
    assert shown(to).tolist() == [[back, front, nearest((red, green, blue), depth)]]
    copy_bits(source, r, to, r, colors=(black(depth), white(depth)))
    assert shown(to)[0, :2].tolist() == [white(depth), black(depth)]


@settings(deadline=None, max_examples=30)
@given(st.lists(COLORS, min_size=16, max_size=16), COLORS, st.sampled_from([8, 16, 32]))
def test_colours_of_a_table(table: list[Color], wanted: Color, depth: int) -> None:
    """Pixels are translated by what they look like and not by their values."""
    space = palette_space(np.array(table, np.uint8).tobytes())
    assert isinstance(space, IndexedColorSpace) and space.depth == 4
    assert space.pixel(wanted) == nearest_entry(wanted, tuple(table))
    r = Rectangle(0, 0, 1, 16)
    source = PixelView(np.arange(0, 256, 1, np.uint8)[:8], 8, r, 4, space)
    source.put(r, np.arange(16)[None])
    to = PixelView(np.zeros(64, np.uint8), 64, r, depth)
    copy_bits(source, r, to, r)
    assert shown(to).tolist() == [[nearest(color, depth) for color in table]]
    assert used_bits(4) == 15
