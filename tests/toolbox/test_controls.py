"""Controls: their records, what they show, and the mouse in them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.looks import (
    CHECK_BOX,
    IN_BUTTON,
    IN_DOWN,
    IN_PAGE_DOWN,
    IN_PAGE_UP,
    IN_THUMB,
    IN_UP,
    SCROLL_BAR,
    Look,
)
from emu.toolbox.managers.controls.popups import POP_UP
from emu.toolbox.records.windows import ControlRecord, WindowRecord
from tests.toolbox.conftest import has_found
from tests.toolbox.window_kit import FRONT, Desktop, item_list, pascal, resource, words


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param)


@pytest.fixture
def window(desk: Desktop) -> int:
    return desk.window(100, 100, 300, 400, b"Controls")


def test_a_control_has_the_record_that_programs_read(desk: Desktop, window: int) -> None:
    first = desk.control(window, (10, 10, 30, 90), b"OK")
    second = desk.control(window, (40, 10, 56, 90), b"Check", CHECK_BOX, value=1)
    guest, record = desk.guest, desk.mac.memory.address(second)
    assert WindowRecord(guest, window).controlList == second
    assert guest.u32(record) == first
    fields = ControlRecord(guest, record)
    assert fields.contrlOwner == window
    assert fields.contrlRect == (40, 10, 56, 90)
    assert fields.contrlVis == 255
    assert [guest.i16(record + field) for field in (18, 20, 22)] == [1, 0, 1]
    assert ControlRecord(guest, record).contrlTitle == b"Check"
    desk.call("DisposeControl", first)
    assert guest.u32(desk.mac.memory.address(second)) == 0
    desk.call("KillControls", window)
    assert WindowRecord(guest, window).controlList == 0
    assert desk.call("GetControlValue", second) == 0
    assert desk.findings() == ["not a control"]


def test_values_stay_between_their_limits_and_show(desk: Desktop, window: int) -> None:
    box = desk.control(window, (40, 10, 56, 90), b"Check", CHECK_BOX)
    empty = desk.pixels(140, 110, 156, 190)
    desk.call("SetControlValue", box, 7)
    assert desk.call("GetControlValue", box) == 1
    checked = desk.pixels(140, 110, 156, 190)
    assert checked.sum() > empty.sum()
    desk.call("SetControlMaximum", box, 0)
    assert desk.call("GetControlValue", box) == 0
    desk.call("SetControlMaximum", box, 10)
    desk.call("SetControlMinimum", box, 5)
    assert desk.call("GetControlValue", box) == 5
    assert (desk.call("GetControlMinimum", box), desk.call("GetControlMaximum", box)) == (5, 10)


@pytest.mark.parametrize("is_item", [False, True])
def test_the_control_made_first_is_before_those_that_it_overlaps(is_item: bool) -> None:
    first = words(10, 10, 30, 90, 0) + b"\1\0" + words(1, 0, 0) + bytes(4) + pascal(b"First")
    second = words(10, 10, 30, 60, 0) + b"\1\0" + words(1, 0, 0) + bytes(4) + pascal(b"2")
    items = item_list((7, (10, 10, 30, 90), words(1)), (7, (10, 10, 30, 60), words(2)))
    desk = Desktop(
        "68040", resource("CNTL", 1, first), resource("CNTL", 2, second), resource("DITL", 1, items)
    )
    alone = desk.window(100, 100, 300, 400)
    desk.call("GetNewControl", 1, alone)
    expected = desk.pixels(110, 110, 130, 190)
    r, name = desk.rect(100, 100, 300, 400), desk.string(b"")
    if is_item:
        made = desk.call("GetResource", "DITL", 1)
        window = desk.call("NewDialog", 0, r, name, True, 2, FRONT, False, 0, made)
    else:
        window = desk.window(100, 100, 300, 400)
        for number in (1, 2):
            desk.call("GetNewControl", number, window)
        assert (desk.pixels(110, 110, 130, 190) != expected).any()
    desk.call("DrawDialog" if is_item else "DrawControls", window)
    assert (desk.pixels(110, 110, 130, 190) == expected).all()


def test_a_value_outside_the_limits_is_kept_until_it_is_set(desk: Desktop, window: int) -> None:
    bar = desk.control(window, (0, 280, 200, 296), b"", SCROLL_BAR, value=21_000, maximum=100)
    assert desk.call("GetControlValue", bar) == 21_000
    at_end = desk.pixels(100, 380, 300, 396)
    desk.call("SetControlValue", bar, 30_000)
    assert desk.call("GetControlValue", bar) == 100
    assert (desk.pixels(100, 380, 300, 396) == at_end).all()


def test_titles_references_and_actions_are_kept(desk: Desktop, window: int) -> None:
    button = desk.control(window, (10, 10, 30, 150), b"OK")
    desk.call("SetControlTitle", button, desk.string(b"A longer title"))
    answer = desk.string()
    desk.call("GetControlTitle", button, answer)
    assert desk.guest.pascal_string(answer) == b"A longer title"
    desk.call("SetControlReference", button, -5)
    assert desk.call("GetControlReference", button) == -5
    desk.call("SetControlAction", button, 0x1234)
    assert desk.call("GetControlAction", button) == 0x1234
    assert desk.call("GetControlVariant", button) == 0


@pytest.mark.parametrize("kind", [0, CHECK_BOX])
def test_a_return_in_a_title_begins_another_line(desk: Desktop, window: int, kind: int) -> None:
    def rows(title: bytes) -> list[int]:
        desk.call("KillControls", window)
        desk.control(window, (10, 10, 70, 130), title, kind)
        inside = desk.pixels(112, 130, 168, 225)  # without the frame and the box
        return [row for row, pixels in enumerate(inside) if pixels.any()]

    one, two = rows(b"HHHH"), rows(b"HHHH\rHHHH")
    assert len(two) == 2 * len(one)
    assert two[0] < one[0] <= two[-1]
    assert two[len(one)] - two[0] == 16  # the line height of the system font


def test_hidden_controls_are_erased_and_due_for_update(desk: Desktop, window: int) -> None:
    desk.call("BeginUpdate", window)
    desk.call("EndUpdate", window)
    button = desk.control(window, (10, 10, 30, 90), b"OK")
    assert desk.pixels(110, 110, 130, 190).any()
    assert desk.mac.controls.place(window, "OK") == Point(120, 150)
    desk.call("HideControl", button)
    assert not desk.pixels(110, 110, 130, 190).any()
    assert desk.mac.window_updates.update_needed() == window
    assert desk.mac.controls.place(window, "OK") is None
    assert desk.call("TestControl", button, Point(20, 50)) == 0
    desk.call("MoveControl", button, 100, 50)
    assert not desk.pixels(100, 101, 299, 399).any()
    desk.call("ShowControl", button)
    assert desk.pixels(150, 200, 170, 280).any()
    desk.call("SizeControl", button, 20, 100)
    assert desk.call("TestControl", button, Point(140, 110)) == 10


def test_controls_are_found_where_they_are(desk: Desktop, window: int) -> None:
    button = desk.control(window, (10, 10, 30, 90), b"OK")
    answer = desk.store(bytes(4))
    assert desk.call("FindControl", Point(20, 20), window, answer) == 10
    assert desk.guest.u32(answer) == button
    assert desk.call("FindControl", Point(100, 20), window, answer) == 0
    assert desk.guest.u32(answer) == 0
    desk.call("HiliteControl", button, 255)
    assert desk.call("FindControl", Point(20, 20), window, answer) == 0


def test_a_button_counts_only_if_the_mouse_is_let_go_in_it(desk: Desktop, window: int) -> None:
    button = desk.control(window, (10, 10, 30, 90), b"OK")
    plain = desk.pixels(110, 110, 130, 190)
    seen = []
    desk.press(Point(120, 120))
    desk.user(lambda: seen.append(desk.pixels(110, 110, 130, 190)), desk.mac.events.release_mouse)
    assert desk.call("TrackControl", button, Point(20, 20), 0) == 10
    assert (seen[0] != plain).sum() > 1000
    desk.press(Point(120, 120))
    desk.user(desk.move(250, 350), desk.mac.events.release_mouse)
    assert desk.call("TrackControl", button, Point(20, 20), 0) == 0
    assert (desk.pixels(110, 110, 130, 190) == plain).all()


def test_an_arrow_calls_the_programs_action_all_the_while(desk: Desktop, window: int) -> None:
    bar = desk.control(window, (0, 284, 200, 300), definition=SCROLL_BAR, value=30, maximum=100)
    action, cell = desk.counter()
    desk.press(Point(105, 390))
    desk.user(lambda: None, lambda: None, desk.mac.events.release_mouse)
    assert desk.call("TrackControl", bar, Point(5, 290), action) == IN_UP
    assert desk.guest.u16(cell) == 3
    assert desk.guest.u16(cell + 2) == IN_UP
    desk.call("SetControlAction", bar, action)
    desk.press(Point(295, 390))
    desk.user(desk.mac.events.release_mouse)
    assert desk.call("TrackControl", bar, Point(195, 290), 0xFFFFFFFF) == IN_DOWN
    assert desk.guest.u16(cell) == 4


def test_dragging_the_thumb_changes_the_value(desk: Desktop, window: int) -> None:
    bar = desk.control(window, (0, 284, 200, 300), definition=SCROLL_BAR, maximum=152)
    desk.press(Point(120, 390))
    desk.user(desk.move(170, 390), desk.mac.events.release_mouse)
    assert desk.call("TrackControl", bar, Point(20, 290), 0) == IN_THUMB
    assert desk.call("GetControlValue", bar) == 50
    desk.press(Point(170, 390))
    desk.user(desk.move(170, 101), desk.mac.events.release_mouse)
    assert desk.call("TrackControl", bar, Point(70, 290), 0) == 0
    assert desk.call("GetControlValue", bar) == 50


def test_updating_draws_only_what_is_in_the_region(desk: Desktop, window: int) -> None:
    desk.control(window, (10, 10, 30, 90), b"OK")
    desk.control(window, (50, 10, 70, 90), b"No")
    desk.call("SetPort", window)
    desk.call("EraseRect", desk.rect(0, 0, 200, 300))
    region = desk.call("NewRgn")
    desk.call("RectRgn", region, desk.rect(0, 0, 20, 20))
    desk.call("UpdateControls", window, region)
    assert desk.pixels(110, 110, 130, 190).any()
    assert not desk.pixels(150, 110, 170, 190).any()
    desk.call("DrawControls", window)
    assert desk.pixels(150, 110, 170, 190).any()


@pytest.mark.parametrize("definition", [202 * 16 + 1, 25, 5])
def test_a_control_without_its_definition_function_is_a_standard_one(definition: int) -> None:
    """As on a Macintosh: CDEF 0 of the same variation, or the scroll bar of any variation."""
    desk = Desktop("68040")
    window = desk.window(100, 100, 300, 400)
    control = desk.control(window, (10, 10, 30, 90), b"Box", definition)
    like = desk.control(window, (50, 10, 70, 90), b"Box", {25: 16, 5: 2}.get(definition, 1))
    drawn = desk.pixels(110, 110, 130, 190)
    assert np.array_equal(drawn, desk.pixels(150, 110, 170, 190))
    assert drawn.any()
    assert desk.call("TestControl", control, Point(20, 15)) == desk.call(
        "TestControl", like, Point(60, 15)
    )
    assert desk.findings() == (["missing resource"] if definition > 1008 else [])


def test_controls_come_from_resources() -> None:
    data = words(10, 10, 30, 90, 1) + b"\1\0" + words(5, 0, 0) + bytes(4) + pascal(b"Go")
    desk = Desktop("68040", resource("CNTL", 128, data), resource("CNTL", 130, data[:9]))
    window = desk.window(100, 100, 300, 400)
    control = desk.call("GetNewControl", 128, window)
    assert desk.mac.controls.look(control).title == b"Go"
    assert desk.call("GetControlMaximum", control) == 5
    assert desk.call("GetNewControl", 1, window) == 0
    cut = desk.call("GetNewControl", 130, window)
    assert desk.mac.controls.look(cut).r == Rectangle(10, 10, 30, 90)
    assert has_found(desk.mac, "resource CNTL 130 is damaged at offset 8 of 9")


@given(
    length=st.integers(1, 400),
    vertical=st.booleans(),
    lowest=st.integers(-100, 100),
    span=st.integers(1, 1000),
    part=st.floats(0, 1),
)
def test_the_parts_of_a_scroll_bar_fill_it_without_overlap(
    length: int, vertical: bool, lowest: int, span: int, part: float
) -> None:
    length += 16
    r = Rectangle(0, 0, length, 16) if vertical else Rectangle(0, 0, 16, length)
    value = lowest + round(part * span)
    look = Look(SCROLL_BAR, r, b"", value, lowest, lowest + span, 0)
    parts = look.parts()
    assert sum(p.width * p.height for p in parts.values()) == 14 * length
    if IN_THUMB in parts and look.way >= span:
        assert look.value_at(look.thumb_start()) == value
    for code, piece in parts.items():
        if not piece.empty:
            assert look.part_at(piece.left, piece.top) == code
    assert {IN_UP, IN_DOWN} <= parts.keys() <= {IN_UP, IN_DOWN, IN_THUMB, IN_PAGE_UP, IN_PAGE_DOWN}


def test_a_definition_function_of_the_programs_own_is_called() -> None:
    scratch = 0xA78  # ApplScratch: it counts each message there
    code = bytes.fromhex(
        "306f0008 52280a78 7000 0c6f00010008 6602 700a"  # a test gives part 10
        " 2f400010 205f defc000c 4ed0"
    )
    desk = Desktop("68040", resource("CDEF", 63, code))
    window = desk.window(100, 100, 300, 400, b"Controls")

    def counts() -> dict[int, int]:
        found = {n: desk.guest.u8(scratch + n) for n in range(9) if desk.guest.u8(scratch + n)}
        desk.guest.write(scratch, bytes(9))
        return found

    control = desk.control(window, (10, 10, 30, 90), b"", 63 * 16 + 5)
    assert counts() == {3: 1, 0: 1}  # initCntl, drawCntl
    assert desk.call("GetControlVariant", control) == 5
    assert desk.call("TestControl", control, Point(500, 500)) == 10  # it alone decides
    assert counts() == {1: 1}
    desk.call("HiliteControl", control, 255)
    assert desk.call("TestControl", control, Point(20, 20)) == 0
    assert counts() == {0: 1}
    desk.call("SetControlValue", control, 1)
    desk.call("DisposeControl", control)
    assert counts() == {0: 1, 4: 1}  # drawCntl, dispCntl
    assert not desk.mac.outputs.findings


def test_a_definition_function_leaves_its_work_to_the_systems() -> None:
    own = 5
    desk = Desktop("68040", resource("CDEF", own, bytes(8)))
    window = desk.window(100, 100, 300, 400, b"Controls")
    standard = desk.control(window, (10, 10, 30, 90), b"Press")
    expected = desk.pixels(110, 110, 130, 190)
    current = desk.call("CurResFile")
    desk.call("UseResFile", 0)
    system = desk.call("GetResource", "CDEF", 0)
    desk.call("UseResFile", current)
    assert system
    handle = desk.call("GetResource", "CDEF", own)
    # movea.l system,a1; jmp (a1)
    desk.mac.memory.set_contents(handle, bytes.fromhex(f"2279{system:08x}4ed1"))
    control = desk.control(window, (50, 10, 70, 90), b"Press", own * 16)
    assert (desk.pixels(150, 110, 170, 190) == expected).all()
    assert desk.call("TestControl", control, Point(60, 20)) == IN_BUTTON
    assert desk.call("TestControl", control, Point(45, 20)) == 0
    desk.call("HiliteControl", control, IN_BUTTON)
    desk.call("HiliteControl", standard, IN_BUTTON)
    assert (desk.pixels(150, 110, 170, 190) == desk.pixels(110, 110, 130, 190)).all()
    region = desk.call("NewRgn")
    address = desk.mac.memory.address(system)
    heading = "FUNCTION C (v: INTEGER; c: Handle; m: INTEGER; p: LONGINT): LONGINT"
    assert desk.mac.call_guest(address, heading, 0, control, 2, region) == 0
    assert desk.mac.region_handles.region(region).bounds == (50, 10, 70, 90)
    desk.call("DisposeControl", control)


_VOLUMES = words(130, 0, 0, 0, 0) + b"\xff" * 4 + pascal(b"") + b"".join(
    pascal(text) + bytes(4) for text in (b"Soft", b"Normal", b"Loud")
)  # fmt: skip


@pytest.fixture(params=["68040", "601"])
def popup_desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param, resource("MENU", 130, _VOLUMES + b"\0"))


def popup(desk: Desktop, window: int, variation: int = 1) -> int:
    """A pop-up menu control with a title of 60 pixels."""
    r, title = desk.rect(10, 10, 30, 170), desk.string(b"Volume:")
    made: int = desk.call("NewControl", window, r, title, True, 255, 130, 60, POP_UP + variation, 0)
    return made


def test_a_pop_up_menu_control_shows_an_item_and_the_user_chooses_another(
    popup_desk: Desktop,
) -> None:
    desk = popup_desk
    window = desk.window(100, 100, 300, 400, b"Controls")
    control = popup(desk, window)
    assert [desk.call(f"GetControl{what}", control) for what in ("Minimum", "Maximum")] == [1, 3]
    assert desk.call("GetControlValue", control) == 1
    assert desk.call("TestControl", control, Point(20, 20)) == 1  # inLabel
    assert desk.call("TestControl", control, Point(20, 100)) == 2  # inMenu
    before = desk.pixels(100, 100, 300, 400).copy()
    assert before.any()
    places = desk.mac.controls.popup_places(window, "Volume:", "Loud")
    assert places is not None
    assert desk.mac.controls.popup_places(window, "Volume:", "None") is None
    press, release = places
    seen = []
    desk.press(press)
    desk.user(
        desk.move(*release),
        lambda: seen.append(desk.pixels(100, 100, 300, 400).copy()),
        desk.mac.events.release_mouse,
    )
    local = Point(press.v - 100, press.h - 100)
    assert desk.call("TrackControl", control, local, 0xFFFFFFFF) == 2
    assert desk.call("GetControlValue", control) == 3
    menu = desk.mac.menus.menu(desk.call("GetMenuHandle", 130))
    assert [item.mark for item in menu.items] == [0x12, 0, 0]  # as it was when it popped up
    after = desk.pixels(100, 100, 300, 400)
    assert (seen[0] != after).any()
    assert (after != before).any()
    desk.call("DisposeControl", control)
    assert desk.call("GetMenuHandle", 130) == 0


def test_a_pop_up_menu_control_erases_no_more_than_it_uses(popup_desk: Desktop) -> None:
    desk = popup_desk
    window = desk.window(100, 100, 300, 400)
    desk.call("SetPort", window)
    desk.call("PaintRect", desk.rect(0, 0, 200, 300))
    r, title = desk.rect(10, 10, 110, 170), desk.string(b"Volume:")
    desk.call("NewControl", window, r, title, True, 255, 130, 60, POP_UP + 1, 0)
    rows = desk.pixels(110, 110, 210, 270)
    assert rows[:40].all()
    assert rows[60:].all()
    assert not rows[45:55].all()


@pytest.mark.parametrize(("definition", "on_background"), [(0, False), (1, True), (2, True)])
def test_boxes_and_radio_buttons_are_on_their_windows_background(
    definition: int, on_background: bool
) -> None:
    desk = Desktop("68040")
    window = desk.window(100, 100, 300, 400)
    desk.call("SetPort", window)
    desk.call("BackPat", desk.store(b"\xff" * 8))
    desk.control(window, (10, 10, 30, 170), b"Check", definition)
    right = desk.pixels(112, 250, 128, 265)
    assert (right != 0).all() if on_background else (right == 0).all()


def test_nothing_changes_where_no_item_of_a_pop_up_menu_is_chosen(popup_desk: Desktop) -> None:
    desk = popup_desk
    window = desk.window(100, 100, 300, 400, b"Controls")
    control = popup(desk, window)
    desk.call("SetControlValue", control, 2)
    before = desk.pixels(100, 100, 300, 400).copy()
    desk.press(Point(120, 200))
    desk.user(desk.move(400, 600), desk.mac.events.release_mouse)
    assert desk.call("TrackControl", control, Point(20, 100), 0) == 0
    assert desk.call("GetControlValue", control) == 2
    assert (desk.pixels(100, 100, 300, 400) == before).all()
    desk.call("HiliteControl", control, 255)
    assert desk.call("TestControl", control, Point(20, 100)) == 0


def test_the_variations_of_a_pop_up_menu_control(popup_desk: Desktop) -> None:
    desk = popup_desk
    window = desk.window(100, 100, 300, 400, b"Controls")
    control = popup(desk, window, variation=8)  # in the window's font, and as wide as its menu
    width = desk.mac.controls.look(control).r.width
    assert 60 < width < 160
    other = desk.control(window, (50, 10, 70, 170), b"None:", POP_UP, maximum=60)
    assert desk.call("GetControlMaximum", other) == 1  # there is no MENU 0
    assert "MENU 0" in next(iter(desk.mac.outputs.findings.values())).problem
    desk.press(Point(160, 200))
    assert desk.call("TrackControl", other, Point(60, 100), 0) == 0
    desk.call("DisposeWindow", window)
