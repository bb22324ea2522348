"""The fonts: complete, legible as far as a test can tell, and as QuickDraw measures them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.quickdraw import FontBook
from emu.quickdraw.bitmap import Mask
from emu.quickdraw.fonts import (
    APPLICATION_FAMILY,
    BOLD,
    CONDENSE,
    EXTEND,
    ITALIC,
    MONACO_FAMILY,
    OUTLINE,
    SHADOW,
    SYSTEM_FAMILY,
    UNDERLINE,
)
from emu.quickdraw.fonts.fitting import fitted_columns, merged, stem_of_serifed
from emu.quickdraw.fonts.glyphs import Strike, load_strike, parse_strike
from emu.quickdraw.fonts.metrics import nearest_size, parse_metrics, sizes_of

NAMES = ("system_12", "application_9", "application_12", "fixed_9")
FAMILIES = (0, 2, 3, 4, 20, 21, 22, 23)
PRINTABLE = range(32, 127)
# What programs of the time put into menus and texts besides ASCII.
USUAL = bytes((0x11, 0x12, 0x13, 0x14, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5)) + (
    "•…©®™°§¶†±≤≥≠≈∞÷¢£¥«»¿¡√µπßæÆøØœŒ".encode("mac_roman")
)
ACCENTED = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûüÀÃÕÿŸÂÊÁËÈÍÎÏÌÓÔÒÚÛÙ".encode("mac_roman")


@pytest.fixture(params=NAMES)
def strike(request: pytest.FixtureRequest) -> Strike:
    return load_strike(request.param)


def shape(strike: Strike, code: int) -> bytes:
    """A glyph's pixels as something to compare, wherever they stand in a row."""
    pixels = strike.glyphs[code].pixels
    return bytes((pixels.shape[1],)) + pixels.tobytes()


def test_every_character_is_drawn(strike: Strike) -> None:
    wanted = {*PRINTABLE, *USUAL, *ACCENTED}
    assert not [hex(code) for code in sorted(wanted - strike.glyphs.keys())]
    empty = {code for code, glyph in strike.glyphs.items() if not glyph.pixels.any()}
    assert empty == {0x20, 0xCA, 0x00, 0x09, 0x0D}, "spaces, NUL, tab and return"


def test_no_two_characters_look_alike(strike: Strike) -> None:
    codes = [code for code in (*PRINTABLE, *ACCENTED) if code != 0x20]
    for a, b in combinations(codes, 2):
        assert shape(strike, a) != shape(strike, b), f"{chr(a)!r} and {chr(b)!r}"
    assert all(glyph is not strike.missing for glyph in strike.glyphs.values())


def test_characters_do_not_touch(strike: Strike) -> None:
    """Between any two of a word there is a blank column."""
    for code in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789":
        glyph = strike.glyphs[code]
        assert glyph.pixels.shape[1] < glyph.advance
        assert glyph.left >= 0


def test_letters_stand_on_the_baseline(strike: Strike) -> None:
    for code in b"ABCDEFGHIKLMNOPRSTUVWXYZabcdefhiklmnorstuvwxz0123456789":
        rows = np.nonzero(strike.glyphs[code].pixels.any(axis=1))[0]
        assert rows[-1] == strike.ascent - 1, chr(code)
    for code in b"gjpqy":
        rows = np.nonzero(strike.glyphs[code].pixels.any(axis=1))[0]
        assert rows[-1] > strike.ascent - 1, chr(code)
    tops = {int(np.argmax(strike.glyphs[code].pixels.any(axis=1))) for code in b"ABDEHIKLMNRTZ"}
    assert len(tops) == 1


def test_accents_stand_over_letters(strike: Strike) -> None:
    plain, accented = strike.glyphs[ord("e")], strike.glyphs["é".encode("mac_roman")[0]]
    assert accented.advance == plain.advance
    rows = int(np.argmax(plain.pixels.any(axis=1)))
    assert np.array_equal(accented.pixels[rows:], plain.pixels[rows:])
    assert accented.pixels[:rows].any()
    assert not accented.pixels[rows - 1].any()


@pytest.mark.parametrize(
    ("family", "size", "metrics"),
    [
        (0, 12, (12, 3, 1)),
        (0, 0, (12, 3, 1)),
        (1, 12, (12, 3, 1)),
        (3, 9, (10, 2, 0)),
        (4, 9, (9, 2, 0)),
        (4, 18, (18, 4, 0)),
        (0, 24, (24, 6, 2)),
        (-5, 9, (10, 2, 0)),
        (20, 12, (9, 3, 0)),
    ],
)
def test_metrics(family: int, size: int, metrics: tuple[int, int, int]) -> None:
    font = FontBook().font(family, size)
    assert (font.ascent, font.descent, font.leading) == metrics
    assert font.line_height == sum(metrics)
    assert font.wid_max >= max(font.char_width(code) for code in range(256))


@pytest.mark.parametrize(
    ("family", "size", "width"),
    [(0, 12, 700), (3, 9, 510), (3, 12, 657), (4, 9, 570), (4, 12, 665), (20, 12, 579)],
)
def test_letters_are_as_wide_as_on_a_mac(family: int, size: int, width: int) -> None:
    """The sums over 0x20 to 0x7E, counted in the resources that ``widths.txt`` names."""
    assert FontBook().font(family, size).text_width(bytes(PRINTABLE)) == width


FONTS = [(family, size) for family in FAMILIES for size in sizes_of(family)]
ALPHANUMERIC = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(("family", "size"), [*FONTS, (0, 9), (0, 10), (3, 11), (4, 10)])
def test_fitted_letters_can_be_told_apart(family: int, size: int) -> None:
    """But for I and l, and 0 and O, where they have the same advance."""
    font = FontBook().font(family, size)
    drawn: dict[tuple[int, bytes], bytes] = {}
    for code in ALPHANUMERIC:
        pixels = font.glyph(code).pixels
        key = pixels.shape[1], pixels.tobytes()
        drawn[key] = drawn.get(key, b"") + bytes((code,))
    assert {codes for codes in drawn.values() if len(codes) > 1} <= {b"Il", b"0O"}


@pytest.mark.parametrize(("family", "size"), FONTS)
def test_fitted_letters_do_not_touch(family: int, size: int) -> None:
    font = FontBook().font(family, size)
    for code in ALPHANUMERIC:
        glyph = font.glyph(code)
        assert glyph.left >= 0
        assert glyph.left + glyph.pixels.shape[1] <= glyph.advance
        assert glyph.pixels.shape[1] < glyph.advance


@pytest.mark.parametrize(
    ("wanted", "nearest"), [(12, 12), (24, 12), (5, 10), (6, 12), (11, 12), (9, 10), (127, 20)]
)
def test_a_size_is_scaled_from_that_of_the_font_manager(wanted: int, nearest: int) -> None:
    """The size itself, then its double, its half, and the nearest, of two the larger."""
    assert nearest_size((10, 12, 20), wanted) == nearest
    assert nearest_size((8, 10), 9) == 10


def test_scaled_measures_are_rounded_one_by_one() -> None:
    font = FontBook().font(4, 11)  # from 12 points: letters have 7 columns, and 12 and 3 rows
    assert (font.char_width(ord("x")), font.ascent, font.descent) == (6, 11, 3)


def test_a_character_without_a_measure_keeps_its_own() -> None:
    """Apple's Chicago ends with 0xD8; macproof's has more."""
    font = FontBook().font(0, 12)
    assert 0xE5 not in sizes_of(0)[12].advances
    assert font.has(0xE5) and font.char_width(0xE5) == font.char_width(ord("A"))


MEASURES = """; a font of three characters
family 7 size 9 ascent 2 descent 1 leading 0 widest 5 missing 3
0x41 4 . 5
"""


def test_a_small_file_of_widths() -> None:
    metrics = parse_metrics(MEASURES)[7][9]
    assert (metrics.ascent, metrics.widest, metrics.missing) == (2, 5, 3)
    assert metrics.advances == {0x41: 4, 0x43: 5}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ascent 2", "ascent two"),
        ("ascent 2", "height 2"),
        ("ascent 2", ""),
        ("family 7", "family"),
        ("size 9", "size"),
        ("0x41", "x41"),
        ("4 .", "4 -"),
    ],
)
def test_damaged_files_of_widths(old: str, new: str) -> None:
    with pytest.raises(UsageError, match="font widths"):
        parse_metrics(MEASURES.replace(old, new))


@pytest.mark.parametrize("size", [9, 10])
def test_in_the_small_system_font_letters_can_be_told_apart(size: int) -> None:
    """Holes stay open: scaled from 12 points, many letters were blots."""
    book = FontBook()
    small, large = book.font(SYSTEM_FAMILY, size), book.font(SYSTEM_FAMILY, 12)
    letters = [ord(letter) for letter in "ABDOPQRabdegopq4689"]
    shapes = {small.glyph(code).pixels.tobytes() for code in letters}
    assert len(shapes) == len(letters)
    for code in letters:
        pixels = small.glyph(code).pixels
        padded = np.pad(pixels, 1)
        assert _background_pieces(padded) == _background_pieces(np.pad(large.glyph(code).pixels, 1))


def _background_pieces(pixels: Mask) -> int:
    """How many pieces the white of a glyph has, where pixels side by side are connected."""
    white = {(int(v), int(h)) for v, h in np.argwhere(~pixels)}
    pieces = 0
    while white:
        pieces += 1
        todo = [white.pop()]
        while todo:
            v, h = todo.pop()
            for beside in ((v - 1, h), (v + 1, h), (v, h - 1), (v, h + 1)):
                if beside in white:
                    white.remove(beside)
                    todo.append(beside)
    return pieces


def test_the_console_font_is_six_wide_and_eleven_high() -> None:
    font = FontBook().font(4, 9)
    assert {font.char_width(code) for code in range(32, 127)} == {6}
    assert font.line_height == 11


@settings(deadline=None)
@given(st.integers(-32768, 32767), st.integers(-32768, 32767), st.integers(0, 255))
def test_any_family_and_size(family: int, size: int, code: int) -> None:
    font = FontBook().font(family, size)
    glyph = font.glyph(code, 0)
    assert len(glyph.pixels) == font.ascent + font.descent
    assert 0 < font.ascent <= 200
    assert (1 if code in PRINTABLE else 0) <= glyph.advance <= font.wid_max


def drawing(rows: str) -> Mask:
    """A small drawing, its rows parted by blanks."""
    return np.array([[dot == "#" for dot in row] for row in rows.split()])


@pytest.mark.parametrize(
    ("before", "width", "after"),
    [
        ("###. #..# #..#", 6, "#####. #....# #....#"),  # a stroke is longer, no stem thicker
        (".##. #..# #..# #..# .##.", 5, ".###. #...# #...# #...# .###."),
        ("#.#.# #.#.#", 7, "#..#..# #..#..#"),  # what was repeated before is repeated last
        ("####. #...# #...#", 4, "###. #..# #..#"),
        ("###### ..##.. ..##..", 5, "##### .##.. .##.."),  # a stem keeps its two columns
        ("...# ..#. .#.. #...", 3, "..# .#. .#. #.."),  # no row of a slash is lost
    ],
)
def test_columns_are_added_and_left_out_where_it_is_least_seen(
    before: str, width: int, after: str
) -> None:
    pixels = drawing(before)
    assert merged(pixels, fitted_columns(pixels, 1, width, 2)).tolist() == drawing(after).tolist()


def test_columns_are_repeated_before_others_are_added_or_left_out() -> None:
    pixels = drawing("###. #..# #..# #..#")
    widths = {7: 7, 8: 8, 9: 9}
    assert {width: len(fitted_columns(pixels, 2, width, 2)) for width in widths} == widths
    twice = merged(pixels, fitted_columns(pixels, 2, 8, 2))
    assert np.array_equal(twice, pixels.repeat(2, axis=1))


def test_without_room_for_its_serifs_an_i_is_a_stroke() -> None:
    assert stem_of_serifed(drawing("### .#. ###")).tolist() == drawing("# # #").tolist()
    bow = drawing("### #.# ###")
    assert stem_of_serifed(bow) is bow


def test_a_stem_is_not_made_thicker() -> None:
    stem = drawing("## ## ##")
    assert len(fitted_columns(stem, 1, 4, 2)) == 2
    assert len(fitted_columns(stem, 1, 4, 3)) == 4


def test_widths_of_styles() -> None:
    font = FontBook().font(3, 12)
    plain = font.char_width(ord("n"))
    widths = {
        BOLD: 1,
        ITALIC: 0,
        UNDERLINE: 0,
        OUTLINE: 1,
        SHADOW: 2,
        CONDENSE: -1,
        EXTEND: 1,
        BOLD | EXTEND: 2,
    }
    for style, extra in widths.items():
        assert font.char_width(ord("n"), style) == plain + extra
    assert font.text_width(b"nn", BOLD) == 2 * plain + 2


def test_bold_smears_to_the_right() -> None:
    font = FontBook().font(4, 9)
    plain, bold = font.glyph(ord("A")), font.glyph(ord("A"), BOLD)
    expected = np.pad(plain.pixels, ((0, 0), (0, 1))) | np.pad(plain.pixels, ((0, 0), (1, 0)))
    assert np.array_equal(bold.pixels, expected)
    assert (bold.left, bold.top) == (plain.left, plain.top)


def test_italic_leans_right_above_the_baseline() -> None:
    font = FontBook().font(0, 12)
    stem, leaning = font.glyph(ord("l")), font.glyph(ord("l"), ITALIC)
    assert leaning.pixels.sum() == stem.pixels.sum()
    columns = [leaning.left + int(np.argmax(row)) for row in leaning.pixels if row.any()]
    assert columns == sorted(columns, reverse=True)
    assert columns[-1] == stem.left


def test_an_outline_is_hollow() -> None:
    font = FontBook().font(0, 12)
    plain, hollow = font.glyph(ord("H")), font.glyph(ord("H"), OUTLINE)
    inner = hollow.pixels[1:-1, 1:-1]
    assert (hollow.left, hollow.top) == (plain.left - 1, plain.top - 1)
    assert not (inner & plain.pixels).any()
    shadow = font.glyph(ord("H"), SHADOW)
    assert shadow.pixels.sum() > hollow.pixels.sum()


def test_glyphs_are_made_once() -> None:
    book = FontBook()
    assert book.font(4, 9) is book.font(4, 9) is FontBook().font(4, 9)
    font = book.font(4, 9)
    assert font.glyph(65, BOLD) is font.glyph(65, BOLD | UNDERLINE)


@pytest.mark.parametrize("family", [SYSTEM_FAMILY, APPLICATION_FAMILY, MONACO_FAMILY])
@pytest.mark.parametrize("size", [9, 12, 24])
def test_nul_tab_and_return_are_not_missing(family: int, size: int) -> None:
    """Inside Macintosh I, p. I-220; a tab is as wide as two blanks in Chicago and in Geneva."""
    font = FontBook().font(family, size)
    blanks = 1 if family == MONACO_FAMILY else 2
    for style in (0, BOLD, OUTLINE):
        for code in (0, 9, 13):
            assert not font.glyph(code, style).pixels.any()
        assert font.char_width(0, style) == font.char_width(13, style) == 0
    assert font.char_width(9) == blanks * font.char_width(32) > 0


def test_missing_characters() -> None:
    font = FontBook().font(0, 12)
    assert not font.has(7) and font.has(65)
    assert font.char_width(7) == 10
    assert np.array_equal(font.glyph(7).pixels, font.glyph(6).pixels)
    assert FontBook().font(3, 12).glyph(127).pixels.size == 0, "DEL is measured, and of no width"


GOOD = """; a font of one glyph
size 9
ascent 2
descent 1
leading 0
capitals 0
gap 1
space 2

glyphs A missing
       #. ##
       .# ##
"""


def test_a_small_font_file() -> None:
    strike = parse_strike(GOOD)
    assert strike.glyphs[65].pixels.tolist() == [[True, False], [False, True], [False, False]]
    assert strike.glyphs[65].advance == 3
    assert strike.glyphs[32].advance == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size 9", "size nine"),
        ("size 9", ""),
        ("A missing", "A B"),
        ("A missing", "AB missing"),
        ("A missing", "A missing C"),
        ("#. ##", "#. #"),
        ("#. ##", "#x ##"),
        ("ascent 2", "ascent 0"),
    ],
)
def test_damaged_font_files(old: str, new: str) -> None:
    with pytest.raises(UsageError, match="font file"):
        parse_strike(GOOD.replace(old, new))
