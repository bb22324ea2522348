"""A program's own fonts are used: 'FONT' resources, and 'NFNT' with their 'FOND'."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.quickdraw import FontBook
from emu.quickdraw.fonts.records import (
    DamagedFontError,
    FontSize,
    parse_font_record,
    plain_sizes,
)
from emu.toolbox.computer.settings import Application
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac
from tests.toolbox.window_kit import Desktop

SIZE, FAMILY = 9, 200
ASCENT, DESCENT, LEADING = 3, 1, 2
# A box, nothing for B, a bar that begins one pixel left of the pen, and the missing glyph.
GLYPHS = (
    (["###", "#.#", "###", "..."], 1, 5),
    None,
    (["#", "#", "#", "#"], 0, 2),
    (["##", "##", "..", ".."], 1, 3),
)
KERN = -1


def font_record(
    glyphs: Sequence[tuple[list[str], int, int] | None] = GLYPHS, first: int = 0x41
) -> bytes:
    """A font whose characters begin with A; the last glyph is for those that are missing."""
    rows = ["".join(one[0][row] for one in glyphs if one) for row in range(ASCENT + DESCENT)]
    words = -(-len(rows[0]) // 16)
    image = b"".join(
        int(row.ljust(16 * words, ".").replace(".", "0").replace("#", "1"), 2).to_bytes(2 * words)
        for row in rows
    )
    places = [0]
    for one in glyphs:
        places.append(places[-1] + (len(one[0][0]) if one else 0))
    places.append(places[-1])
    columns = struct.pack(f">{len(places) - 1}H", *places[:-1])
    measures = struct.pack(
        f">{len(glyphs) + 1}H", *(one[1] << 8 | one[2] if one else 0xFFFF for one in glyphs), 0xFFFF
    )
    columns += struct.pack(">H", places[-1])
    columns = columns[: 2 * (len(glyphs) + 1)]
    last = first + len(glyphs) - 2
    offset = (26 + len(image) + len(columns) - 16) // 2
    return (
        struct.pack(">H7hH", 0x9000, first, last, 5, KERN, -DESCENT, 5, len(rows), offset)
        + struct.pack(">3hH", ASCENT, DESCENT, LEADING, words)
        + image
        + columns
        + measures
    )


def family_record(*sizes: tuple[int, int, int]) -> bytes:
    """A 'FOND' that lists size, style and number of fonts."""
    return (
        bytes(52)
        + struct.pack(">h", len(sizes) - 1)
        + b"".join(struct.pack(">HHh", *one) for one in sizes)
    )


def with_fonts(*resources: Resource) -> Macintosh:
    return make_mac("68040", application=Application("Own", ResourceFork(resources)))


NAME = Resource("FONT", FAMILY * 128, "Boxes", 0, b"")
FONT = Resource("FONT", FAMILY * 128 + SIZE, "", 0, font_record())


def test_a_record_is_read() -> None:
    strike = parse_font_record(font_record(), SIZE)
    assert (strike.ascent, strike.descent, strike.leading) == (ASCENT, DESCENT, LEADING)
    assert sorted(strike.glyphs) == [0x41, 0x43]
    box, bar = strike.glyphs[0x41], strike.glyphs[0x43]
    assert box.pixels.astype(int).tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 0]]
    assert (box.left, box.advance, bar.left, bar.advance) == (0, 5, -1, 2)
    assert (strike.missing.left, strike.missing.advance) == (0, 3)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (bytes(20), "20 bytes of a font's header"),
        (b"\x90\x04" + font_record()[2:], "colours"),
        (font_record()[:-4], "tables end behind"),
        (font_record()[:14] + b"\x7f\xff" + font_record()[16:], "32767 rows"),
    ],
)
def test_a_damaged_record_is_told(data: bytes, problem: str) -> None:
    with pytest.raises(DamagedFontError, match=problem):
        parse_font_record(data, SIZE)


@given(st.binary(max_size=80), st.integers(0, 100))
def test_no_bytes_do_harm(noise: bytes, place: int) -> None:
    data = bytearray(font_record())
    data[place : place + len(noise)] = noise
    try:
        strike = parse_font_record(bytes(data), SIZE)
    except DamagedFontError:
        return
    height = max(strike.ascent + strike.descent, 1)
    assert {len(glyph.pixels) for glyph in strike.glyphs.values()} <= {height}


def test_a_family_lists_its_plain_fonts() -> None:
    record = family_record((9, 0, 700), (12, 1, 701), (18, 0, -5), (0, 0, 702))
    assert plain_sizes(record) == [FontSize(9, 700), FontSize(18, -5)]
    assert plain_sizes(record[:-10]) == [FontSize(9, 700)]
    assert plain_sizes(b"") == []


@pytest.mark.parametrize(
    "resources",
    [
        (NAME, FONT),
        (
            Resource("FOND", FAMILY, "Boxes", 0, family_record((SIZE, 0, 4321))),
            Resource("NFNT", 4321, "", 0, font_record()),
        ),
    ],
)
def test_a_program_measures_and_finds_its_own_font(resources: tuple[Resource, ...]) -> None:
    mac = with_fonts(*resources)
    name, number = mac.memory.new_pointer(256), mac.memory.new_pointer(2)
    mac.guest.put_pascal_string(name, b"BOXES")
    do(mac, "GetFNum", name, number)
    assert mac.guest.u16(number) == FAMILY
    do(mac, "GetFontName", FAMILY, name)
    assert mac.guest.pascal_string(name) == b"Boxes"
    assert do(mac, "RealFont", FAMILY, SIZE) is True
    assert do(mac, "RealFont", FAMILY, 2 * SIZE) is False
    font = mac.managers["fonts"].font(FAMILY, SIZE)
    assert (font.text_width(b"AC"), font.text_width(b"B"), font.ascent) == (7, 3, ASCENT)
    assert mac.managers["fonts"].font(FAMILY, 2 * SIZE).text_width(b"AC") == 14
    assert b"Boxes" in mac.managers["fonts"].names()
    assert mac.outputs.findings == {}


def test_a_program_adds_a_size_to_a_family_of_the_system() -> None:
    """The Font Manager looks for a size in all open files (Apple's ROM sources, NewFontLookUp)."""
    geneva, added = 3, 17
    mac = with_fonts(Resource("FONT", geneva * 128 + added, "", 0, font_record()))
    fonts, plain = mac.managers["fonts"], FontBook()
    assert fonts.font(geneva, added).ascent == ASCENT
    for size in (9, 12, 18):
        assert fonts.font(geneva, size).text_width(b"AC") == plain.font(geneva, size).text_width(
            b"AC"
        )
    assert fonts.font(geneva, 34).ascent == 2 * ASCENT, "half of it is there"
    assert [do(mac, "RealFont", geneva, size) for size in (9, 11, added)] == [True, False, True]


def test_text_is_drawn_with_it() -> None:
    desk = Desktop("68040", NAME, FONT)
    window = desk.call("NewWindow", 0, desk.rect(100, 100, 140, 200), 0, True, 2, 0, False, 0)
    desk.call("SetPort", window)
    desk.call("TextFont", FAMILY)
    desk.call("TextSize", SIZE)
    desk.call("MoveTo", 10, 20)
    desk.call("DrawChar", 0x41)
    drawn = desk.pixels(100 + 20 - ASCENT, 110, 100 + 20 + DESCENT, 113)
    assert drawn.astype(int).tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 0]]


def test_a_damaged_font_is_left_out_with_a_finding() -> None:
    mac = with_fonts(NAME, Resource("FONT", FAMILY * 128 + SIZE, "", 0, b"short"))
    assert mac.managers["fonts"].font(FAMILY, SIZE).text_width(b"A") > 0
    (finding,) = mac.outputs.findings.values()
    assert finding.check == "font" and "'FONT' 25609 is no font that can be used" in finding.problem
