"""TextEdit with text in several styles: its records, its routines, and what is drawn."""

from __future__ import annotations

import pytest

from emu.quickdraw import Rectangle, standard_space
from emu.quickdraw.fonts import FontBook
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.ports.inks import pixel_of
from emu.toolbox.managers.text.styles import CharacterStyle
from emu.toolbox.records.text import LHElement, StyleRun, TEStyleRec, TextStyle
from emu.toolbox.records.windows import TERec
from tests.toolbox.window_kit import Desktop, words

BLACK, RED = (0, 0, 0), (0xDD6B, 0x08C2, 0x06A2)
BOOK = FontBook()
SMALL, LARGE = BOOK.font(3, 9), BOOK.font(3, 24)
FONT, FACE, SIZE, COLOR, ALL, ADD_SIZE, TOGGLE = 1, 2, 4, 8, 15, 16, 32
BOLD, ITALIC = 1, 2


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    made = Desktop(request.param)
    made.call("SetPort", made.window(50, 50, 350, 550))
    made.call("TextFont", 3)
    made.call("TextSize", 9)
    return made


def edit(desk: Desktop, text: bytes = b"") -> int:
    r = desk.rect(10, 10, 260, 410)
    record: int = desk.call("TEStyleNew", r, r)
    if text:
        desk.call("TESetText", desk.store(text), len(text), record)
    return record


def style(
    desk: Desktop,
    font: int = 3,
    face: int = 0,
    size: int = 9,
    color: tuple[int, int, int] = BLACK,
) -> int:
    place = desk.store(bytes(TextStyle.size))
    CharacterStyle(font, face, size, color).put(TextStyle(desk.guest, place))
    return place


def set_style(desk: Desktop, record: int, start: int, end: int, mode: int, chosen: int) -> None:
    desk.call("TESetSelect", start, end, record)
    desk.call("TESetStyle", mode, chosen, True, record)


def styles(desk: Desktop, record: int) -> list[CharacterStyle]:
    return desk.mac.text_edit.record(record).styles


def style_record(desk: Desktop, record: int) -> TEStyleRec:
    handle = desk.call("TEGetStyleHandle", record)
    return TEStyleRec(desk.guest, desk.mac.memory.address(handle))


def test_a_record_has_the_fields_that_programs_read(desk: Desktop) -> None:
    record = edit(desk, b"small LARGE")
    set_style(desk, record, 6, 11, SIZE, style(desk, size=24))
    fields = TERec(desk.guest, desk.mac.memory.address(record))
    assert (fields.txSize, fields.lineHeight, fields.fontAscent) == (-1, -1, -1)
    made = style_record(desk, record)
    assert desk.guest.u32(fields.address_of(TERec.txFont)) == desk.call("TEGetStyleHandle", record)
    assert (made.nRuns, made.nStyles) == (2, 2)
    runs = [StyleRun(desk.guest, made.runs[n].address) for n in range(3)]
    assert [run.startChar for run in runs] == [0, 6, 12]
    assert runs[2].styleIndex == -1
    table = desk.mac.memory.contents(made.styleTab)
    assert len(table) == 2 * 18
    assert table[18:24] == b"".join(
        value.to_bytes(2, "big") for value in (1, LARGE.line_height, LARGE.ascent)
    )
    line = LHElement(desk.guest, desk.mac.memory.address(made.lhTab))
    assert (line.lhHeight, line.lhAscent) == (LARGE.line_height, LARGE.ascent)


def test_a_text_of_one_style_has_no_style_record(desk: Desktop) -> None:
    r = desk.rect(10, 10, 100, 100)
    record = desk.call("TENew", r, r)
    assert desk.call("TEGetStyleHandle", record) == 0
    assert desk.call("TEGetStyleScrapHandle", record) == 0


def test_lines_are_as_high_as_their_highest_style(desk: Desktop) -> None:
    record = edit(desk, b"one\rtwo\rthree\r")
    set_style(desk, record, 4, 7, SIZE, style(desk, size=24))
    small, large = SMALL.line_height, LARGE.line_height
    for first, last, height in ((1, 1, small), (2, 2, large), (1, 3, 2 * small + large)):
        assert desk.call("TEGetHeight", last, first, record) == height
    bottoms = [desk.call("TEGetPoint", offset, record).v for offset in (0, 4, 8, 14)]
    assert bottoms == [
        10 + small,
        10 + small + large,
        10 + 2 * small + large,
        10 + 3 * small + large,
    ]
    assert desk.call("TEGetOffset", Point(10 + small + 1, 5), record) == 4
    assert desk.call("TEGetOffset", Point(10 + small + large, 5), record) == 8


def test_a_height_that_the_program_sets_holds_for_all_lines(desk: Desktop) -> None:
    record = edit(desk, b"one\rtwo")
    fields = TERec(desk.guest, desk.mac.memory.address(record))
    fields.lineHeight, fields.fontAscent = 20, 15
    desk.call("TECalText", record)
    assert desk.call("TEGetHeight", 2, 1, record) == 40


def test_each_run_is_drawn_in_its_font_face_and_size(desk: Desktop) -> None:
    record = edit(desk, b"ab")
    set_style(desk, record, 1, 2, FACE | SIZE, style(desk, face=BOLD, size=24))
    desk.call("TEUpdate", desk.rect(0, 0, 300, 500), record)
    wide = SMALL.char_width(ord("a"))
    baseline = 60 + LARGE.ascent
    for letter, left, font, face in (("a", 60, SMALL, 0), ("b", 60 + wide, LARGE, BOLD)):
        glyph = font.glyph(ord(letter), face)
        top, height, width = baseline + glyph.top, *glyph.pixels.shape
        start = left + glyph.left
        drawn = desk.pixels(top, start, top + height, start + width)
        assert (drawn.astype(bool) == glyph.pixels).all()


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_colours_are_drawn(cpu: str) -> None:
    desk = Desktop(cpu, depth=8)
    desk.call("SetPort", desk.window(50, 50, 350, 550))
    record = edit(desk, b"WW")
    set_style(desk, record, 1, 2, COLOR, style(desk, color=RED))
    desk.call("TESetSelect", 0, 0, record)
    left = 60 + BOOK.font(0, 12).char_width(ord("W"))
    red = pixel_of(RED, standard_space(8))
    assert red in desk.pixels(60, left, 80, left + 15)
    assert red not in desk.pixels(60, 60, 80, left)
    assert 255 in desk.pixels(60, 60, 80, left)


def test_styles_are_set_added_and_toggled(desk: Desktop) -> None:
    record = edit(desk, b"abcd")
    set_style(desk, record, 0, 2, FACE, style(desk, face=BOLD))
    set_style(desk, record, 0, 4, FACE | TOGGLE, style(desk, face=BOLD))
    assert [one.face for one in styles(desk, record)] == [BOLD] * 4
    set_style(desk, record, 0, 4, FACE | TOGGLE, style(desk, face=BOLD))
    assert [one.face for one in styles(desk, record)] == [0] * 4
    set_style(desk, record, 1, 3, ADD_SIZE, style(desk, size=3))
    assert [one.size for one in styles(desk, record)] == [9, 12, 12, 9]
    set_style(desk, record, 1, 3, ADD_SIZE, style(desk, size=-100))
    assert [one.size for one in styles(desk, record)] == [9, 1, 1, 9]
    assert desk.call("TENumStyles", 0, 4, record) == 3
    assert desk.call("TENumStyles", 1, 3, record) == 1


def test_a_style_is_replaced_where_it_matches(desk: Desktop) -> None:
    record = edit(desk, b"abcd")
    set_style(desk, record, 0, 2, FACE, style(desk, face=BOLD))
    desk.call("TESetSelect", 0, 4, record)
    old, new = style(desk, face=BOLD), style(desk, face=ITALIC)
    desk.call("TEReplaceStyle", FACE, old, new, False, record)
    assert [one.face for one in styles(desk, record)] == [ITALIC, ITALIC, 0, 0]


def test_what_is_continuous_is_told(desk: Desktop) -> None:
    record = edit(desk, b"abcd")
    set_style(desk, record, 0, 2, FACE | SIZE, style(desk, face=BOLD | ITALIC, size=24))
    set_style(desk, record, 2, 4, FACE, style(desk, face=BOLD))
    desk.call("TESetSelect", 0, 4, record)
    mode, found = desk.store(bytes([0, ALL])), style(desk, font=99, size=77)
    assert not desk.call("TEContinuousStyle", mode, found, record)
    assert desk.guest.u16(mode) == FONT | FACE | COLOR
    assert CharacterStyle.of(TextStyle(desk.guest, found)) == (3, BOLD, 77, BLACK)
    desk.call("TESetSelect", 0, 2, record)
    desk.guest.put16(mode, ALL)
    assert desk.call("TEContinuousStyle", mode, found, record)
    height, ascent = desk.store(bytes(2)), desk.store(bytes(2))
    desk.call("TEGetStyle", 3, found, height, ascent, record)
    assert CharacterStyle.of(TextStyle(desk.guest, found)) == (3, BOLD, 9, BLACK)
    assert (desk.guest.u16(height), desk.guest.u16(ascent)) == (SMALL.line_height, SMALL.ascent)


def test_typed_characters_look_like_the_one_before_or_as_was_chosen(desk: Desktop) -> None:
    record = edit(desk, b"ab")
    set_style(desk, record, 1, 2, FACE, style(desk, face=BOLD))
    desk.call("TESetSelect", 2, 2, record)
    desk.call("TEKey", ord("c"), record)
    set_style(desk, record, 3, 3, FACE, style(desk, face=ITALIC))
    desk.call("TEKey", ord("d"), record)
    assert [one.face for one in styles(desk, record)] == [0, BOLD, BOLD, ITALIC]
    set_style(desk, record, 0, 0, FACE, style(desk, face=ITALIC))
    desk.call("TESetSelect", 0, 0, record)
    desk.call("TEKey", ord("e"), record)
    assert styles(desk, record)[0].face == 0


def test_backspace_keeps_the_style_for_what_is_typed_next(desk: Desktop) -> None:
    record = edit(desk, b"ab")
    set_style(desk, record, 1, 2, FACE, style(desk, face=BOLD))
    desk.call("TESetSelect", 2, 2, record)
    desk.call("TEKey", 8, record)
    desk.call("TEKey", ord("c"), record)
    assert [one.face for one in styles(desk, record)] == [0, BOLD]


def test_an_empty_text_takes_a_style(desk: Desktop) -> None:
    record = edit(desk)
    set_style(desk, record, 0, 0, SIZE, style(desk, size=24))
    desk.call("TEInsert", desk.store(b"xy"), 2, record)
    assert [one.size for one in styles(desk, record)] == [24, 24]
    desk.call("TESetSelect", 0, 2, record)
    desk.call("TEDelete", record)
    desk.call("TESetText", desk.store(b"z"), 1, record)
    assert [one.size for one in styles(desk, record)] == [24]


def test_copying_takes_the_styles_along(desk: Desktop) -> None:
    record = edit(desk, b"abc")
    set_style(desk, record, 1, 2, FACE, style(desk, face=BOLD))
    desk.call("TESetSelect", 0, 3, record)
    desk.call("TECopy", record)
    desk.call("TESetSelect", 3, 3, record)
    desk.call("TEStylePaste", record)
    desk.call("TEPaste", record)
    assert [one.face for one in styles(desk, record)] == [0, BOLD, 0, 0, BOLD, 0, 0, 0, 0]
    desk.call("ZeroScrap")
    desk.call("PutScrap", 1, "TEXT", desk.store(b"x"))
    desk.call("TESetSelect", 1, 2, record)
    desk.call("TEStylePaste", record)
    assert styles(desk, record)[1].face == BOLD
    desk.call("TESetSelect", 0, 1, record)
    desk.call("TECut", record)
    assert desk.mac.text_edit.record(record).text == b"xcabcabc"


def test_a_style_scrap_goes_to_another_text(desk: Desktop) -> None:
    record, other = edit(desk, b"abc"), edit(desk, b"....")
    set_style(desk, record, 1, 2, FACE, style(desk, face=BOLD))
    desk.call("TESetSelect", 0, 3, record)
    scrap = desk.call("TEGetStyleScrapHandle", record)
    assert desk.mac.memory.handle_size(scrap) == 2 + 3 * 20
    desk.call("TEUseStyleScrap", 1, 4, scrap, True, other)
    assert [one.face for one in styles(desk, other)] == [0, 0, BOLD, 0]
    desk.call("TESetSelect", 0, 0, other)
    desk.call("TEStyleInsert", desk.store(b"xyz"), 3, scrap, other)
    assert [one.face for one in styles(desk, other)] == [0, BOLD, 0, 0, 0, BOLD, 0]


def test_a_style_record_may_be_exchanged(desk: Desktop) -> None:
    record, other = edit(desk, b"abc"), edit(desk, b"xyz")
    set_style(desk, other, 0, 3, SIZE, style(desk, size=24))
    desk.call("TESetStyleHandle", desk.call("TEGetStyleHandle", other), record)
    assert desk.call("TEGetHeight", 1, 1, record) == LARGE.line_height


def test_all_of_a_record_is_freed(desk: Desktop) -> None:
    before = set(desk.mac.memory.heap.handles)
    desk.call("TEDispose", edit(desk, b"abc"))
    assert set(desk.mac.memory.heap.handles) == before


def test_features_are_switched(desk: Desktop) -> None:
    record = edit(desk, b"abc")
    auto_scroll, outline, unknown = 0, 2, 12
    assert desk.call("TEFeatureFlag", auto_scroll, 1, record) == 0
    assert desk.call("TEFeatureFlag", auto_scroll, -1, record) == 1
    desk.call("TEAutoView", False, record)
    assert desk.call("TEFeatureFlag", auto_scroll, -1, record) == 0
    assert desk.call("TEFeatureFlag", unknown, 1, record) == 0
    desk.call("TESetSelect", 0, 3, record)
    plain = desk.pixels(*_OUTLINED)
    desk.call("TEFeatureFlag", outline, 1, record)
    desk.call("TEUpdate", desk.rect(0, 0, 300, 500), record)
    framed = desk.pixels(*_OUTLINED)
    assert framed[0].all()
    assert framed[:, 0].all()
    assert (framed[1:-1, 1:-1] == plain[1:-1, 1:-1]).all()


_OUTLINED = Rectangle(60, 60, 60 + SMALL.line_height, 60 + SMALL.text_width(b"abc"))


def test_a_hook_is_kept_and_not_called(desk: Desktop) -> None:
    text, hook = edit(desk), desk.store(words(0x12, 0x3456))
    desk.call("TECustomHook", 1, hook, text)
    assert desk.guest.u32(hook) == 0
    desk.call("TECustomHook", 1, hook, text)
    assert desk.guest.u32(hook) == 0x123456
    found = next(iter(desk.mac.outputs.findings.values()))
    assert "does not call this routine" in found.problem
    assert found.sureness is Sureness.UNUSUAL
