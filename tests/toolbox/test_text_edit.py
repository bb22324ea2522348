"""TextEdit: lines, selection, typing, and what programs read of a record."""

from __future__ import annotations

from typing import Any, SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.quickdraw.fonts import FontBook
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.text.layout import CENTER, RIGHT, TextLayout
from emu.toolbox.records.windows import TERec
from tests.toolbox.window_kit import Desktop

FONT = FontBook().font(0, 12)


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    made = Desktop(request.param)
    made.call("SetPort", made.window(50, 50, 250, 350))
    return made


def edit(desk: Desktop, text: bytes, *, active: bool = True) -> int:
    record: int = desk.call("TENew", desk.rect(10, 10, 110, 110), desk.rect(10, 10, 110, 110))
    desk.call("TESetText", desk.store(text), len(text), record)
    if active:
        desk.call("TEActivate", record)
    return record


def text(desk: Desktop, record: int) -> bytes:
    return desk.mac.text_edit.record(record).text


def selection(desk: Desktop, record: int) -> tuple[int, int]:
    place = desk.mac.memory.address(record)
    return TERec(desk.guest, place).selStart, TERec(desk.guest, place).selEnd


def test_a_record_has_the_fields_that_programs_read(desk: Desktop) -> None:
    record = edit(desk, b"One\rTwo\r")
    guest, place = desk.guest, desk.mac.memory.address(record)
    fields = TERec(guest, place)
    assert guest.rect(place) == fields.viewRect == (10, 10, 110, 110)
    assert fields.lineHeight == FONT.line_height
    assert fields.fontAscent == FONT.ascent
    assert fields.teLength == 8
    assert fields.nLines == 2
    assert [guest.i16(place + 96 + 2 * n) for n in range(3)] == [0, 4, 8]
    assert TERec(guest, place).inPort == desk.mac.quickdraw.port
    characters = desk.call("TEGetText", record)
    assert desk.mac.memory.contents(characters) == b"One\rTwo\r"
    assert desk.call("TEGetHeight", 2, 1, record) == 2 * FONT.line_height


def test_a_record_keeps_the_routines_for_clicks_and_words() -> None:
    desk = Desktop("601")
    desk.call("SetPort", desk.window(50, 50, 250, 350))
    record = edit(desk, b"some words")
    desk.call("TESetClickLoop", 0x1234, record)
    desk.call("TESetWordBreak", 0x5678, record)
    fields = TERec(desk.guest, desk.mac.memory.address(record))
    assert (fields.clikLoop, fields.wordBreak) == (0x1234, 0x5678)


def test_a_text_is_as_long_as_the_block_that_a_program_gives_it(desk: Desktop) -> None:
    record = edit(desk, b"One")
    other = desk.mac.memory.handle_from(b"Quit?\rNo")
    TERec(desk.guest, desk.mac.memory.address(record)).hText = other
    desk.call("TECalText", record)
    fields = TERec(desk.guest, desk.mac.memory.address(record))
    assert (fields.teLength, fields.nLines) == (8, 2)
    desk.call("TESetSelect", 8, 8, record)
    fields.teLength = 3
    desk.call("TEKey", ord("!"), record)
    assert text(desk, record) == b"Quit?\rNo!"


def test_a_locked_record_that_cannot_grow_holds_the_first_lines(desk: Desktop) -> None:
    record = edit(desk, b"One\rTwo\r")
    memory = desk.mac.memory
    for _ in range(50):  # so that nothing is free behind it
        memory.new_pointer(64)
    desk.call("HLock", record)
    lines = 2000
    desk.call("TESetText", desk.store(b"\r" * lines), lines, record)
    size = memory.handle_size(record)
    fields = TERec(desk.guest, memory.address(record))
    assert fields.nLines == (size - TERec.size) // 2 - 1 < lines
    assert desk.guest.i16(memory.address(record) + size - 2) == fields.nLines
    assert desk.mac.text_edit.record(record).layout().lines == lines


def test_keys_change_the_text(desk: Desktop) -> None:
    record = edit(desk, b"")
    for character in b"Hallo":
        desk.call("TEKey", character, record)
    desk.call("TESetSelect", 1, 2, record)
    desk.call("TEKey", ord("e"), record)
    assert text(desk, record) == b"Hello"
    assert selection(desk, record) == (2, 2)
    desk.call("TEKey", 8, record)
    assert text(desk, record) == b"Hllo"
    for arrow, place in ((28, 0), (28, 0), (29, 1), (31, 4), (30, 0)):
        desk.call("TEKey", arrow, record)
        assert selection(desk, record)[0] == place
    desk.call("TESetSelect", 0, 0, record)
    desk.call("TEKey", 8, record)
    assert text(desk, record) == b"Hllo"


def test_cutting_and_pasting(desk: Desktop) -> None:
    record = edit(desk, b"one two three")
    desk.call("TESetSelect", 4, 8, record)
    desk.call("TECut", record)
    assert text(desk, record) == b"one three"
    assert desk.guest.u16(0xAB0) == 4
    desk.call("TESetSelect", 0, 0, record)
    desk.call("TEPaste", record)
    assert text(desk, record) == b"two one three"
    desk.call("TESetSelect", 8, 100, record)
    desk.call("TECopy", record)
    desk.call("TEDelete", record)
    desk.call("TEPaste", record)
    desk.call("TEInsert", desk.store(b"!"), 1, record)
    assert text(desk, record) == b"two one three!"
    assert desk.mac.memory.contents(desk.call("TEScrapHandle")) == b"three"


def test_the_selection_is_drawn_only_while_active(desk: Desktop) -> None:
    record = edit(desk, b"Some words", active=False)
    desk.call("TEUpdate", desk.rect(0, 0, 200, 300), record)
    plain = desk.pixels(60, 60, 160, 160)
    desk.call("TESetSelect", 0, 4, record)
    assert (desk.pixels(60, 60, 160, 160) == plain).all()
    desk.call("TEActivate", record)
    width = FONT.text_width(b"Some")
    assert (desk.pixels(60, 60, 76, 60 + width) != plain[:16, :width]).all()
    desk.call("TEDeactivate", record)
    assert (desk.pixels(60, 60, 160, 160) == plain).all()


@pytest.mark.parametrize(("characters", "lines"), [(b"", 0), (b"One\rTwo", 2)])
def test_an_update_erases_the_lines_of_the_text_and_nothing_else(
    desk: Desktop, characters: bytes, lines: int
) -> None:
    record = edit(desk, characters, active=False)
    desk.call("PaintRect", desk.rect(0, 0, 200, 300))
    desk.call("TEUpdate", desk.rect(0, 0, 200, 300), record)
    black = desk.pixels(60, 60, 160, 160)[:, 60:].all(axis=1)
    assert black.tolist() == [row >= lines * FONT.line_height for row in range(100)]


def test_the_insertion_point_blinks(desk: Desktop) -> None:
    record = edit(desk, b"x")
    desk.call("TESetSelect", 1, 1, record)
    shown = desk.pixels(60, 60, 160, 160)
    desk.mac.clock.wait(1_000_000)
    desk.call("TEIdle", record)
    assert (desk.pixels(60, 60, 160, 160) != shown).sum() == FONT.line_height
    desk.call("TEIdle", record)
    desk.mac.clock.wait(1_000_000)
    desk.call("TEIdle", record)
    assert (desk.pixels(60, 60, 160, 160) == shown).all()


def test_the_mouse_selects(desk: Desktop) -> None:
    record = edit(desk, b"Some words")
    end = FONT.text_width(b"Some")
    desk.press(Point(65, 60))
    desk.user(desk.move(65, 60 + end), desk.mac.events.release_mouse)
    desk.call("TEClick", Point(15, 10), False, record)
    assert selection(desk, record) == (0, 4)
    for _ in range(2):
        desk.press(Point(65, 60 + end + 20))
        desk.user(desk.mac.events.release_mouse)
        desk.call("TEClick", Point(15, 10 + end + 20), False, record)
    assert selection(desk, record) == (5, 10)
    desk.mac.clock.wait(5_000_000)
    desk.press(Point(65, 60))
    desk.user(desk.mac.events.release_mouse)
    desk.call("TEClick", Point(15, 10), True, record)
    assert selection(desk, record) == (0, 5)


@pytest.mark.parametrize(("loops", "end"), [(9, 10), (2, 0)])
def test_a_click_loop_is_called_while_the_mouse_is_pressed(loops: int, end: int) -> None:
    desk = Desktop("68040")
    desk.call("SetPort", desk.window(50, 50, 250, 350))
    record = edit(desk, b"Some words")
    # addq.b #1,ApplScratch; record in A3 to ApplScratch + 4; whether it was called less often
    code = desk.store(bytes.fromhex(f"52380a78 21cb0a7c 0c3800{loops:02x}0a78 55c0 7201 c081 4e75"))
    TERec(desk.guest, desk.mac.memory.address(record)).clikLoop = code
    desk.press(Point(65, 60))
    desk.user(desk.move(65, 62), desk.move(65, 200), desk.mac.events.release_mouse)
    desk.call("TEClick", Point(15, 10), False, record)
    assert selection(desk, record) == (0, end)
    assert desk.guest.u8(0xA78) == min(loops, 4)
    desk.call("HLock", record)
    desk.call("TEClick", Point(15, 10), False, record)
    assert desk.guest.u32(0xA7C) == desk.mac.memory.address(record)


def test_points_and_offsets_lead_to_each_other(desk: Desktop) -> None:
    record = edit(desk, b"Some words that\rfill lines")
    for offset in (0, 3, 16, 20):
        place = desk.call("TEGetPoint", offset, record)
        assert desk.call("TEGetOffset", Point(place.v - 1, place.h), record) == offset
    first, before = (desk.call("TEGetPoint", offset, record) for offset in (0, -32768))
    assert before == first


def test_scrolling_stops_at_the_ends_if_pinned(desk: Desktop) -> None:
    record = edit(desk, b"\r".join([b"line"] * 20))
    desk.call("TEPinScroll", 0, 50, record)
    assert desk.guest.rect(desk.mac.memory.address(record))[0] == 10
    desk.call("TEScroll", 0, -20, record)
    assert desk.guest.rect(desk.mac.memory.address(record))[0] == -10
    desk.call("TEPinScroll", 0, -9999, record)
    bottom = 10 - (20 * FONT.line_height - 100)
    assert desk.guest.rect(desk.mac.memory.address(record))[0] == bottom
    desk.call("TEAutoView", True, record)
    desk.call("TESetSelect", 0, 0, record)
    assert desk.guest.rect(desk.mac.memory.address(record))[0] == 10


def test_a_text_box_is_aligned(desk: Desktop) -> None:
    words = desk.store(b"Hi")
    columns = []
    for alignment in (0, 1, -1):
        desk.call("TETextBox", words, 2, desk.rect(10, 10, 30, 110), alignment)
        columns.append(int(desk.pixels(60, 60, 80, 160).any(axis=0).argmax()))
    width = FONT.text_width(b"Hi")
    assert columns[1] - columns[0] == (100 - width) // 2
    assert columns[2] - columns[0] == 100 - width


LONG = b"words " * 6000


@pytest.mark.slow
def test_no_text_is_longer_than_textedit_can_have(desk: Desktop) -> None:
    record = edit(desk, b"", active=False)
    address, box = desk.store(LONG), desk.rect(10, 10, 30, 110)
    desk.call("TESetText", address, 32767, record)
    assert desk.findings() == []
    desk.call("TESetSelect", 5, 5, record)
    desk.call("TEInsert", address, 2, record)
    desk.call("TEKey", ord("x"), record)
    assert text(desk, record) == LONG[:32767]
    desk.call("TESetText", address, len(LONG), record)
    assert text(desk, record) == LONG[:32767]
    told: list[bytes] = []
    desk.mac.quickdraw.on_text.append(lambda port, written, before, after: told.append(written))
    desk.call("TETextBox", address, len(LONG), box, 0)
    assert b"".join(told) == LONG[:32767]
    assert [finding.problem for finding in desk.mac.outputs.findings.values()] == [
        "TEInsert leads to a text of 32,769 characters; TextEdit takes 32,767",
        "TEKey leads to a text of 32,768 characters; TextEdit takes 32,767",
        "TESetText leads to a text of 36,000 characters; TextEdit takes 32,767",
        "TETextBox leads to a text of 36,000 characters; TextEdit takes 32,767",
    ]


class _Read(bytes):
    """A text that counts how many of its bytes are looked at one by one, or searched."""

    looks = 0

    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        self.looks += 1
        return super().__getitem__(index)

    def find(self, *arguments: Any) -> int:
        found = super().find(*arguments)
        self.looks += (len(self) if found < 0 else found + 1) - arguments[1]
        return found


@pytest.mark.parametrize("pattern", [b"a", b"ab ", b"a\r", b" ", b"a" * 9 + b" " + b"b" * 30])
@pytest.mark.parametrize("width", [-5, 0, 1, 40])
def test_breaking_lines_takes_time_in_proportion_to_the_text(pattern: bytes, width: int) -> None:
    read = _Read((pattern * 2000)[:2000])
    assert TextLayout.plain(read, FONT, 0, width).lines >= 1
    assert read.looks <= 4 * len(read)


def test_what_is_no_record_is_refused(desk: Desktop) -> None:
    record = edit(desk, b"x")
    desk.call("TEDispose", record)
    desk.call("TEKey", 65, record)
    assert desk.findings() == ["not an edit record"]


_TEXTS = st.text(alphabet="ab \rW", max_size=80).map(str.encode)


@given(_TEXTS, st.integers(1, 200), st.sampled_from([0, CENTER, RIGHT]), st.booleans())
def test_lines_hold_all_of_a_text_and_fit(
    text: bytes, width: int, justification: int, wraps: bool
) -> None:
    layout = TextLayout.plain(text, FONT, 0, width, justification, wraps)
    assert layout.starts[0] == 0
    assert layout.starts[-1] == len(text)
    assert all(a < b for a, b in zip(layout.starts, layout.starts[1:], strict=False))
    for line in range(layout.lines):
        shown = layout.line_text(line)
        assert b"\r" not in shown
        fits = FONT.text_width(shown.rstrip(b" ")) <= width
        assert fits or not wraps or len(shown.rstrip(b" ")) == 1
        assert layout.line_of(layout.starts[line]) == line
        for offset in range(layout.starts[line], layout.starts[line] + len(shown)):
            assert layout.offset_in_line(line, layout.left_of(offset)) == offset


@given(_TEXTS, st.integers(0, 80))
def test_a_word_has_no_blank_in_it(text: bytes, offset: int) -> None:
    start, end = TextLayout.plain(text, FONT, 0, 100).word_at(offset)
    assert start <= end
    assert not set(text[start:end]) & set(b" \r")
