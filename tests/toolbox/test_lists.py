"""The List Manager: cells, rows and columns, drawing, scrolling, clicks, and own definitions."""

from __future__ import annotations

import numpy as np
import pytest

from emu.quickdraw.fonts import FontBook
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.lists.clicks import SelectionFlags, dragged_cells
from emu.toolbox.records.lists import ListRec
from tests.toolbox.window_kit import Desktop, resource

FONT = FontBook().font(0, 12)
HIGH = FONT.line_height
ROWS = 5
VIEW = (10, 10, 10 + 3 * HIGH, 110)
SHIFT, COMMAND = 0x200, 0x100


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    made = Desktop(request.param)
    made.call("SetPort", made.window(50, 50, 250, 350))
    return made


def new(
    desk: Desktop, *, columns: int = 1, rows: int = 0, bars: bool = False, definition: int = 0
) -> int:
    view, bounds = desk.rect(*VIEW), desk.rect(0, 0, rows, columns)
    window = desk.mac.quickdraw.port
    size = Point(0, 0)
    made: int = desk.call("LNew", view, bounds, size, definition, window, True, False, False, bars)
    return made


def filled(desk: Desktop, *, bars: bool = False) -> int:
    made = new(desk, rows=ROWS, bars=bars)
    for row in range(ROWS):
        put(desk, made, Point(row, 0), f"row {row}".encode())
    return made


def put(desk: Desktop, made: int, cell: Point, data: bytes) -> None:
    desk.call("LSetCell", desk.store(data), len(data), cell, made)


def get(desk: Desktop, made: int, cell: Point) -> bytes:
    data, length = desk.store(bytes(100)), desk.store((100).to_bytes(2, "big"))
    desk.call("LGetCell", data, length, cell, made)
    return desk.guest.read(data, desk.guest.u16(length))


def fields(desk: Desktop, made: int) -> ListRec:
    return ListRec(desk.guest, desk.mac.memory.address(made))


def selection(desk: Desktop, made: int) -> list[int]:
    return [cell.v for cell in desk.mac.lists.record(made).selection()]


def click(desk: Desktop, made: int, row: int, modifiers: int = 0, to: int | None = None) -> bool:
    """Press in a row that is seen, drag to another one, and let go."""
    place = Point(10 + row * HIGH + 3, 20)
    desk.press(Point(50 + place.v, 50 + place.h))
    ends = [] if to is None else [desk.move(50 + 10 + to * HIGH + 3, 70)]
    desk.user(*ends, desk.mac.events.release_mouse)
    return bool(desk.call("LClick", place, modifiers, made))


def test_a_record_has_the_fields_that_programs_read(desk: Desktop) -> None:
    made = filled(desk)
    record = fields(desk, made)
    assert record.rView == VIEW
    assert record.port == desk.mac.quickdraw.port
    assert record.indent == (FONT.ascent, 4)
    assert record.cellSize == (HIGH, 100)
    assert record.visible == (0, 0, 3, 1)
    assert record.dataBounds == (0, 0, ROWS, 1)
    assert (record.lActive, record.selFlags) == (1, 0)
    offsets = [record.cellArray[number] for number in range(ROWS + 1)]
    assert offsets == [5 * number for number in range(ROWS + 1)]
    assert desk.mac.memory.contents(record.cells)[:10] == b"row 0row 1"


@pytest.mark.parametrize(
    ("draws", "grows", "across", "up", "flags"),
    [
        (False, False, False, False, 0x1C),
        (True, False, False, False, 0x14),
        (False, True, False, False, 0x3C),
        (False, False, True, False, 0x1D),
        (True, True, True, True, 0x37),
    ],
)
def test_flags_and_bars_of_a_new_list(
    desk: Desktop, draws: bool, grows: bool, across: bool, up: bool, flags: int
) -> None:
    view, bounds, window = desk.rect(*VIEW), desk.rect(0, 0, 7, 3), desk.mac.quickdraw.port
    wanted = (view, bounds, Point(16, 42), 0, window, draws, grows, across, up)
    record = fields(desk, desk.call("LNew", *wanted))
    assert record.listFlags == flags
    top, _, bottom, right = VIEW
    if up:
        # There is no room for a size box: a program makes its list shorter for it.
        assert desk.mac.controls.record(record.vScroll).contrlRect == (
            top - 1,
            right,
            bottom + 1,
            right + 16,
        )


def test_cells_hold_data(desk: Desktop) -> None:
    made = filled(desk)
    assert get(desk, made, Point(3, 0)) == b"row 3"
    desk.call("LAddToCell", desk.store(b"!!"), 2, Point(3, 0), made)
    assert get(desk, made, Point(3, 0)) == b"row 3!!"
    offset, length = desk.store(bytes(2)), desk.store(bytes(2))
    desk.call("LGetCellDataLocation", offset, length, Point(4, 0), made)
    assert (desk.guest.u16(offset), desk.guest.u16(length)) == (22, 5)
    desk.call("LFind", offset, length, Point(9, 0), made)
    assert desk.guest.i16(offset) == -1
    desk.call("LClrCell", Point(3, 0), made)
    assert get(desk, made, Point(3, 0)) == b""
    short = desk.store((2).to_bytes(2, "big"))
    desk.call("LGetCell", desk.store(bytes(9)), short, Point(4, 0), made)
    assert desk.guest.u16(short) == 2
    put(desk, made, Point(0, 7), b"nowhere")
    assert fields(desk, made).dataBounds == (0, 0, ROWS, 1)


def test_rows_and_columns_come_and_go(desk: Desktop) -> None:
    made = filled(desk)
    assert desk.call("LAddRow", 2, 1, made) == 1
    assert desk.call("LAddRow", 1, 99, made) == ROWS + 2
    assert [get(desk, made, Point(row, 0)) for row in (0, 1, 3)] == [b"row 0", b"", b"row 1"]
    desk.call("LDelRow", 2, 1, made)
    assert get(desk, made, Point(1, 0)) == b"row 1"
    assert desk.call("LAddColumn", 1, 0, made) == 0
    assert get(desk, made, Point(1, 1)) == b"row 1"
    desk.call("LDelColumn", 1, 0, made)
    assert get(desk, made, Point(1, 0)) == b"row 1"
    assert fields(desk, made).dataBounds == (0, 0, ROWS + 1, 1)
    desk.call("LDelRow", 0, 0, made)
    assert fields(desk, made).dataBounds == (0, 0, 0, 1)
    assert desk.call("LAddRow", 1, 0, made) == 0
    assert get(desk, made, Point(0, 0)) == b""


def test_a_list_has_no_more_cells_than_its_record_counts(desk: Desktop) -> None:
    assert new(desk, rows=128, columns=128) == 0
    made = new(desk, rows=127, columns=128)
    before = fields(desk, made).dataBounds
    desk.call("LAddRow", 2, 0, made)
    desk.call("LAddColumn", 2, 0, made)
    assert fields(desk, made).dataBounds == before
    desk.call("LAddColumn", 1, 0, made)
    assert fields(desk, made).maxIndex == 2 * 127 * 129


def test_cells_are_passed_through(desk: Desktop) -> None:
    made = new(desk, columns=2, rows=2)
    cell = desk.store(bytes(4))
    found = []
    while desk.call("LNextCell", True, True, cell, made):
        found.append(tuple(desk.guest.point(cell)))
    assert found == [(0, 1), (1, 0), (1, 1)]
    r = desk.rect(0, 0, 0, 0)
    desk.call("LRect", r, Point(1, 1), made)
    assert desk.guest.rect(r) == (10 + HIGH, 60, 10 + 2 * HIGH, 110)
    desk.call("LRect", r, Point(5, 5), made)
    assert desk.guest.rect(r) == (0, 0, 0, 0)


def test_data_is_looked_for(desk: Desktop) -> None:
    made = filled(desk)
    cell = desk.store(bytes(4))
    assert desk.call("LSearch", desk.store(b"ROW 2"), 5, 0, cell, made)
    assert desk.guest.point(cell) == (2, 0)
    desk.guest.put_point(cell, Point(3, 0))
    assert not desk.call("LSearch", desk.store(b"row 2"), 5, 0, cell, made)


def test_texts_are_drawn_and_selected_ones_inverted(desk: Desktop) -> None:
    made = filled(desk)
    row = desk.pixels(60 + HIGH, 60, 60 + 2 * HIGH, 160)
    glyph = FONT.glyph(ord("r"))
    height, width = glyph.pixels.shape
    top, left = FONT.ascent + glyph.top, 4 + glyph.left
    assert (row[top : top + height, left : left + width] == glyph.pixels).all()
    desk.call("LSetSelect", True, Point(1, 0), made)
    assert (desk.pixels(60 + HIGH, 60, 60 + 2 * HIGH, 160) != row).all()
    desk.call("LActivate", False, made)
    assert (desk.pixels(60 + HIGH, 60, 60 + 2 * HIGH, 160) == row).all()
    assert selection(desk, made) == [1]
    desk.call("LActivate", True, made)
    assert (desk.pixels(60 + HIGH, 60, 60 + 2 * HIGH, 160) != row).all()


def test_a_text_that_is_too_wide_is_shortened(desk: Desktop) -> None:
    made = new(desk, rows=1)
    put(desk, made, Point(0, 0), b"W" * 50)
    assert not desk.pixels(60, 160, 60 + HIGH, 260).any()
    assert desk.pixels(60, 60, 60 + HIGH, 160).any()


def test_drawing_can_wait(desk: Desktop) -> None:
    made = filled(desk)
    before = desk.pixels(60, 60, 60 + 3 * HIGH, 160)
    desk.call("LSetDrawingMode", False, made)
    put(desk, made, Point(0, 0), b"other")
    assert (desk.pixels(60, 60, 60 + 3 * HIGH, 160) == before).all()
    desk.call("LDoDraw", True, made)
    region = desk.call("NewRgn")
    desk.call("RectRgn", region, desk.rect(10, 10, 10 + HIGH, 110))
    desk.call("LUpdate", region, made)
    assert (desk.pixels(60, 60, 60 + HIGH, 160) != before[:HIGH]).any()


def test_scrolling_stays_within_the_rows(desk: Desktop) -> None:
    made = filled(desk, bars=True)
    bar = fields(desk, made).vScroll
    look = desk.mac.controls.look(bar)
    assert (look.minimum, look.maximum, look.value) == (0, 2, 0)
    assert tuple(look.r) == (9, 110, 10 + 3 * HIGH + 1, 126)
    second = desk.pixels(60 + HIGH, 60, 60 + 2 * HIGH, 160)
    desk.call("LScroll", 0, 1, made)
    assert (desk.pixels(60, 60, 60 + HIGH, 160) == second).all()
    assert fields(desk, made).visible == (1, 0, 4, 1)
    desk.call("LScroll", 0, 9, made)
    assert desk.mac.controls.look(bar).value == 2
    desk.call("LSetSelect", True, Point(1, 0), made)
    desk.call("LAutoScroll", made)
    assert fields(desk, made).visible == (1, 0, 4, 1)
    desk.call("LSize", 100, 5 * HIGH, made)
    assert fields(desk, made).visible == (0, 0, 5, 1)
    assert desk.mac.controls.look(bar).maximum == 0
    assert desk.mac.controls.look(bar).r.bottom == 10 + 5 * HIGH + 1
    desk.call("LCellSize", Point(2 * HIGH, 100), made)
    assert desk.mac.controls.look(bar).maximum == 3


def test_scroll_bars_scroll(desk: Desktop) -> None:
    made = filled(desk, bars=True)
    arrow = Point(10 + 3 * HIGH - 5, 118)
    desk.press(Point(50 + arrow.v, 50 + arrow.h))
    desk.user(desk.mac.events.release_mouse)
    assert not desk.call("LClick", arrow, 0, made)
    assert fields(desk, made).visible.top > 0


def test_clicks_select(desk: Desktop) -> None:
    made = filled(desk)
    assert not click(desk, made, 1)
    assert selection(desk, made) == [1]
    assert desk.call("LLastClick", made) == Point(1, 0)
    assert click(desk, made, 1)
    desk.mac.clock.wait(5_000_000)
    assert not click(desk, made, 1)
    click(desk, made, 2, SHIFT)
    assert selection(desk, made) == [1, 2]
    click(desk, made, 1, COMMAND)
    assert selection(desk, made) == [2]
    click(desk, made, 0, to=2)
    assert selection(desk, made) == [2]
    fields(desk, made).selFlags = SelectionFlags.EXTEND_DRAG
    click(desk, made, 0, to=2)
    assert selection(desk, made) == [0, 1, 2]
    cell = desk.store(bytes(4))
    assert desk.call("LGetSelect", True, cell, made)
    assert desk.guest.point(cell) == (0, 0)
    desk.guest.put_point(cell, Point(3, 0))
    assert not desk.call("LGetSelect", True, cell, made)
    assert not desk.call("LGetSelect", False, cell, made)


def test_a_drag_beyond_the_edge_scrolls(desk: Desktop) -> None:
    made = filled(desk, bars=True)
    desk.press(Point(65, 70))
    below = desk.move(60 + 3 * HIGH + 20, 70)
    desk.user(below, below, below, desk.mac.events.release_mouse)
    desk.call("LClick", Point(15, 20), 0, made)
    assert fields(desk, made).visible.top == 2
    assert selection(desk, made) == [4]


@pytest.mark.parametrize(("loops", "rows"), [(9, [2]), (2, [0])])
def test_a_click_loop_is_called_while_the_mouse_is_pressed(loops: int, rows: list[int]) -> None:
    desk = Desktop("68040")
    desk.call("SetPort", desk.window(50, 50, 250, 350))
    made = filled(desk)
    # addq.b #1,ApplScratch; whether it was called less often
    code = desk.store(bytes.fromhex(f"52380a78 0c3800{loops:02x}0a78 55c0 7201 c081 4e75"))
    fields(desk, made).lClickLoop = code
    desk.press(Point(63, 70))
    moves = (desk.move(64, 70), desk.move(63 + 2 * HIGH, 70))
    desk.user(*moves, desk.mac.events.release_mouse)
    desk.call("LClick", Point(13, 20), 0, made)
    assert selection(desk, made) == rows
    assert desk.guest.u8(0xA78) == min(loops, 4)


CELLS = [Point(row, 0) for row in range(5)]


@pytest.mark.parametrize(
    ("flags", "modifiers", "rows"),
    [
        (SelectionFlags.ONLY_ONE, SHIFT, {3}),
        (0, 0, {3}),
        (SelectionFlags.EXTEND_DRAG, 0, {1, 2, 3}),
        (0, COMMAND, {0}),
        (0, SHIFT, {0, 1, 2, 3}),
        (SelectionFlags.NO_DISJOINT, COMMAND, {3}),
        (SelectionFlags.USE_SENSE, SHIFT, {0}),
        (SelectionFlags.NO_RECT, SHIFT, {0, 1, 2, 3}),
    ],
)
def test_flags_decide_what_a_drag_selects(flags: int, modifiers: int, rows: set[int]) -> None:
    before = {CELLS[0], CELLS[1]}
    found = dragged_cells(before, CELLS[1], CELLS[3], SelectionFlags(flags), modifiers)
    assert {cell.v for cell in found} == rows


def test_empty_cells_need_not_be_selected(desk: Desktop) -> None:
    made = new(desk, rows=2)
    fields(desk, made).selFlags = SelectionFlags.NO_NIL_HILITE
    click(desk, made, 1)
    assert selection(desk, made) == []


def test_all_of_a_list_is_freed(desk: Desktop) -> None:
    before = set(desk.mac.memory.heap.handles)
    desk.call("LDispose", filled(desk, bars=True))
    assert set(desk.mac.memory.heap.handles) == before
    desk.call("LDispose", 4)
    assert desk.findings() == ["not a list"]


# A definition function that counts its calls, by message, in bytes at the cell: MOVEA.L #cell,A0;
# MOVE.W 22(SP),D0; ADDQ.B #1,(A0,D0.W); MOVEA.L (SP)+,A1; LEA 20(SP),SP; JMP (A1).
_DEFINITION = "207c{cell:08x} 302f0016 52300000 225f 4fef0014 4ed1"


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_an_own_definition_function_is_called(cpu: str) -> None:
    desk = Desktop(cpu, resource("LDEF", 128, bytes.fromhex("4e75" * 16)))
    desk.call("SetPort", desk.window(50, 50, 250, 350))
    cell = desk.store(bytes(4))
    handle = desk.call("GetResource", "LDEF", 128)
    code = bytes.fromhex(_DEFINITION.format(cell=cell))
    desk.guest.write(desk.mac.memory.address(handle), code)
    made = new(desk, rows=2, definition=128)
    assert list(desk.guest.read(cell, 4)) == [1, 2, 0, 0]
    desk.call("LSetSelect", True, Point(0, 0), made)
    desk.call("LDispose", made)
    assert list(desk.guest.read(cell, 4)) == [1, 2, 1, 1]


def test_a_list_without_its_definition_function_is_not_drawn(desk: Desktop) -> None:
    before = desk.pixels(0, 0, 342, 512)
    made = new(desk, rows=2, definition=207)
    desk.call("LSetSelect", True, Point(0, 0), made)
    assert desk.call("LGetSelect", False, desk.store(bytes(4)), made) == 1
    assert np.array_equal(desk.pixels(0, 0, 342, 512), before)
    assert desk.findings() == ["missing resource"]


def test_nothing_is_drawn_outside_the_rectangle(desk: Desktop) -> None:
    filled(desk)
    outside = desk.pixels(51, 51, 240, 340)
    outside[9 : 9 + 3 * HIGH, 9:109] = 0
    assert not np.any(outside)
