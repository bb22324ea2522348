"""The Script Manager: variables, characters, words, places in text, and dates that people write."""

from __future__ import annotations

from datetime import datetime

import pytest

from emu.quickdraw.fonts import FontBook
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.text.scripts import word_around
from emu.toolbox.managers.time.dates import date_in, time_in
from emu.toolbox.records.system import LongDateRec
from tests.toolbox.conftest import do, make_mac, run_code
from tests.toolbox.window_kit import Desktop

FONT = FontBook().font(0, 12)
ONE = Point(1, 1)


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    made = Desktop(request.param)
    made.call("SetPort", made.window(50, 50, 250, 350))
    return made


def test_a_selector_of_four_bytes_is_taken_from_the_stack(mac_68k: Macintosh) -> None:
    # CLR.L -(SP); MOVE.W #4,-(SP) (smEnabled); MOVE.L #$84020008,-(SP); _ScriptUtil; then D3 and A7
    found = run_code(mac_68k, "42a7 3f3c0004 2f3c84020008 a8b5 261f 2a0f 4e75")
    assert found["d3"] == 1
    assert found["d5"] == found["a7"] - 4


def test_variables(mac: Macintosh) -> None:
    scripts_enabled, script_enabled, small_font = 4, 4, 82
    assert do(mac, "GetScriptManagerVariable", scripts_enabled) == 1
    assert do(mac, "GetScriptVariable", -1, script_enabled) == 0xFF
    assert do(mac, "GetScriptVariable", 0, small_font) == 3 << 16 | 9
    assert do(mac, "GetScriptVariable", 1, script_enabled) == 0
    key_script = 22
    assert do(mac, "SetScriptManagerVariable", key_script, 5) == 0
    assert do(mac, "GetScriptManagerVariable", key_script) == 5
    assert do(mac, "SetScriptManagerVariable", 1000, 5) == -1


def test_the_direction_of_lines_is_in_low_memory() -> None:
    mac = make_mac("601")
    assert do(mac, "GetSysDirection") == 0
    do(mac, "SetSysDirection", -1)
    assert (do(mac, "GetSysDirection"), mac.guest.i16(0xBAC)) == (-1, -1)


def test_kinds_of_characters(desk: Desktop) -> None:
    text = desk.store("aZé7 ,$".encode("mac_roman"))
    kinds = [desk.call("CharType", text, offset) for offset in range(7)]
    assert kinds == [1, 0x8001, 7, 0x0100, 0x0300, 0, 0x0200]
    assert desk.call("CharByte", text, 2) == 0


@pytest.mark.parametrize(
    ("offset", "leading", "word"),
    [(0, True, "don't"), (4, True, "don't"), (5, False, "don't"), (5, True, "  "), (7, True, ",")],
)
def test_words(offset: int, leading: bool, word: str) -> None:
    start, end = word_around(b"don't  , x1", offset, leading)
    assert b"don't  , x1"[start:end].decode() == word


def test_find_word_stores_offsets(desk: Desktop) -> None:
    place = desk.store(bytes(12))
    desk.call("FindWord", desk.store(b"one two"), 7, 5, True, 0, place)
    assert (desk.guest.u16(place), desk.guest.u16(place + 2)) == (4, 7)


def test_places_in_text(desk: Desktop) -> None:
    text, leading, remaining = desk.store(b"a b"), desk.store(b"\0"), desk.store(bytes(4))
    a, blank = FONT.char_width(ord("a")), FONT.char_width(0x20)
    assert desk.call("Char2Pixel", text, 3, 0, 2, 0) == a + blank
    assert desk.call("CharToPixel", text, 3, 10 << 16, 2, 0, 0, ONE, ONE) == a + blank + 10
    assert desk.call("Pixel2Char", text, 3, 0, a - 1, leading) == 1
    assert desk.guest.u8(leading) == 0
    assert desk.call("Pixel2Char", text, 3, 0, a + 1, leading) == 1
    assert desk.guest.u8(leading) == 1
    wide = FONT.text_width(b"a b") + 7 << 16
    assert (
        desk.call("PixelToChar", text, 3, 0, wide, leading, remaining, 0, ONE, ONE),
        desk.guest.i32(remaining),
    ) == (3, 7 << 16)
    assert desk.call("VisibleLength", desk.store(b"ab  "), 4) == 2


def test_justified_text_is_wider_by_its_slop(desk: Desktop) -> None:
    desk.call("MoveTo", 10, 30)
    desk.call("DrawJustified", desk.store(b"a b c"), 5, 20 << 16, 0, ONE, ONE)
    pen = desk.store(bytes(4))
    desk.call("GetPen", pen)
    assert desk.guest.point(pen) == (30, 30 + FONT.text_width(b"a b c"))


def test_lines_break_at_words(desk: Desktop) -> None:
    text = desk.store(b"one two")
    width, offset = desk.store(bytes(4)), desk.store(bytes(4))
    cases = [
        (b"one two", True, (2, 7)),
        (b"one t", True, (0, 4)),
        (b"on", True, (1, 2)),
        (b"on", False, (0, 0)),
    ]
    for fits, first, (kind, end) in cases:
        desk.guest.put32(width, FONT.text_width(fits) << 16)
        desk.guest.put32(offset, int(first))
        found = desk.call("StyledLineBreak", text, 7, 0, 7, 0, width, offset)
        assert (found, desk.guest.u32(offset)) == (kind, end)


@pytest.mark.parametrize(("where", "text"), [(0, b"abcd\xc9"), (0x4000, b"ab\xc9ij")])
def test_strings_are_shortened(desk: Desktop, where: int, text: bytes) -> None:
    string = desk.string(b"abcdefghij")
    assert desk.call("TruncString", FONT.text_width(text), string, where) == 1
    assert desk.guest.pascal_string(string) == text
    assert desk.call("TruncString", 1000, string, where) == 0
    assert desk.call("TruncString", 0, string, where) == -1
    length = desk.store((10).to_bytes(2, "big"))
    place = desk.store(b"abcdefghij")
    assert desk.call("TruncText", FONT.text_width(text), place, length, where) == 1
    assert desk.guest.read(place, desk.guest.u16(length)) == text


TODAY = datetime(1994, 11, 6)


@pytest.mark.parametrize(
    ("text", "date", "end"),
    [
        ("11/6/94", datetime(1994, 11, 6), 7),
        ("2-29-96 x", datetime(1996, 2, 29), 7),
        ("Nov 6", datetime(1994, 11, 6), 5),
        ("Sunday, November 6, 1994", datetime(1994, 11, 6), 24),
        ("13/6/94", None, 7),
        ("soon", None, -1),
    ],
)
def test_dates_are_read(text: str, date: datetime | None, end: int) -> None:
    assert date_in(text, TODAY) == (date, end)


def test_a_year_of_two_digits_is_near() -> None:
    assert date_in("1/2/99", datetime(2001, 5, 5))[0] == datetime(1999, 1, 2)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("12:05 PM", (12, 5, 0)),
        ("12:05:09 am", (0, 5, 9)),
        ("17:30", (17, 30, 0)),
        ("25:00", None),
        ("x", None),
    ],
)
def test_times_are_read(text: str, time: tuple[int, int, int] | None) -> None:
    assert time_in(text)[0] == time


def test_strings_become_long_dates(desk: Desktop) -> None:
    used, record = desk.store(bytes(4)), desk.store(bytes(LongDateRec.size))
    assert desk.call("InitDateCache", desk.store(bytes(512))) == 0
    assert desk.call("StringToDate", desk.store(b"11/6/94!"), 8, 0, used, record) == 3
    assert desk.guest.u32(used) == 7
    assert desk.call("StringToTime", desk.store(b"1:02:03 PM"), 10, 0, used, record) == 1
    assert desk.call("StringToTime", desk.store(b"25:00"), 5, 0, used, record) == -0x7800
    assert desk.call("StringToDate", desk.store(b"?"), 1, 0, used, record) == -0x7C00
    seconds, again = desk.store(bytes(8)), desk.store(bytes(LongDateRec.size))
    desk.call("LongDateToSeconds", record, seconds)
    desk.call("LongSecondsToDate", seconds, again)
    found = LongDateRec(desk.guest, again)
    assert (found.year, found.month, found.day) == (1994, 11, 6)
    assert (found.hour, found.minute, found.second, found.pm) == (13, 2, 3, 1)
    assert (found.dayOfWeek, found.dayOfYear) == (1, 310)


def test_no_byte_of_roman_text_is_the_first_of_a_longer_character(mac: Macintosh) -> None:
    table = mac.memory.new_pointer(256)
    for name, further in (("ParseTable", ()), ("FillParseTable", (0,))):
        mac.guest.write(table, b"\xaa" * 256)
        assert do(mac, name, table, *further) is True
        assert mac.guest.read(table, 256) == bytes(256)
