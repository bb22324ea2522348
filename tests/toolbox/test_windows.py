"""Windows: their records, their order, what covers what, and what must be drawn."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from PIL import Image

from emu.program.mac_file.resource_fork import Resource
from emu.quickdraw import EMPTY, PixelRegion, Rectangle
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError, Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.windows import record
from emu.toolbox.records.quickdraw import CGrafPort
from emu.toolbox.records.system import EventRecord
from emu.toolbox.records.windows import WindowRecord, WStateData
from emu.toolbox.system_file.keyboard import key_map
from emu.toolbox.users.press_target import target_of
from tests.toolbox.conftest import do, has_found, make_mac
from tests.toolbox.window_kit import FRONT, Desktop, pascal, resource, words


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param)


def due(desk: Desktop, window: int) -> PixelRegion:
    return desk.mac.windows.list.update(window)


def test_a_window_has_the_record_that_programs_read(desk: Desktop) -> None:
    storage = desk.store(bytes(156))
    r, title = desk.rect(60, 20, 160, 220), desk.string(b"Hello")
    window = desk.call("NewWindow", storage, r, title, True, 8, FRONT, True, 77)
    guest = desk.guest
    assert window == storage
    fields = WindowRecord(guest, window)
    assert fields.windowKind == 8
    assert fields.visible
    assert fields.hilited
    assert fields.goAwayFlag
    assert fields.refCon == 77
    assert fields.port.portRect == (0, 0, 100, 200)
    assert fields.port.portBits.bounds[:2] == (-60, -20)
    assert guest.u32(LowMemory.WINDOW_LIST) == window
    content = desk.mac.region_handles.region(WindowRecord(guest, window).contRgn)
    assert (content.bounds.top, content.bounds.left) == (60, 20)
    structure = desk.mac.region_handles.region(WindowRecord(guest, window).strucRgn)
    assert structure.bounds.encloses(content.bounds)
    assert structure.bounds.top == 41
    assert desk.call("GetWVariant", window) == 8
    assert desk.call("GetWRefCon", window) == 77


def test_titles_go_in_and_out(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 220, b"First")
    before = desk.pixels(41, 20, 60, 220)
    desk.call("SetWTitle", window, desk.string(b"Second title"))
    answer = desk.string()
    desk.call("GetWTitle", window, answer)
    assert desk.guest.pascal_string(answer) == b"Second title"
    assert (desk.pixels(41, 20, 60, 220) != before).any()
    assert desk.mac.windows.title_of(window) == b"Second title"


def test_a_window_in_front_hides_what_is_behind(desk: Desktop) -> None:
    back = desk.window(60, 20, 260, 320, b"Back")
    front = desk.window(100, 100, 300, 400, b"Front")
    visible = desk.mac.region_handles.region(WindowRecord(desk.guest, back).port.visRgn)
    assert visible.contains(10, 10)
    assert not visible.contains(90, 60)
    assert not WindowRecord(desk.guest, back).hilited
    desk.call("SelectWindow", back)
    assert desk.call("FrontWindow") == back
    visible = desk.mac.region_handles.region(WindowRecord(desk.guest, back).port.visRgn)
    assert visible.is_rectangular
    assert WindowRecord(desk.guest, back).hilited
    assert not WindowRecord(desk.guest, front).hilited


def test_a_game_adds_the_menu_bar_to_the_gray_region_and_has_the_whole_screen(
    desk: Desktop,
) -> None:
    guest, screen = desk.guest, desk.mac.quickdraw.screen
    bar = desk.call("NewRgn")
    desk.call("RectRgn", bar, desk.rect(0, 0, 20, screen.bounds.right))
    gray = guest.u32(LowMemory.GRAY_REGION)
    guest.put16(LowMemory.MENU_BAR_HEIGHT, 0)
    desk.call("UnionRgn", gray, bar, gray)
    game = desk.window(0, 0, screen.bounds.bottom, screen.bounds.right, definition=2)
    desk.call("SetPort", game)
    desk.call("PaintRect", desk.rect(0, 0, 20, screen.bounds.right))
    desk.call("DrawMenuBar")
    top = Rectangle(0, 0, 20, screen.bounds.right)
    assert (screen.pixels(top) == screen.space.black).all()
    assert target_of(desk.mac, Point(5, 5)).window == game

    guest.put16(LowMemory.MENU_BAR_HEIGHT, 20)
    desk.call("DiffRgn", gray, bar, gray)
    desk.call("CalcVis", game)
    desk.call("DrawMenuBar")
    desk.call("PaintRect", desk.rect(0, 0, 40, screen.bounds.right))
    assert (screen.pixels(Rectangle(1, 9, 19, 99)) == screen.space.white).all()
    assert (screen.pixels(Rectangle(20, 0, 40, 99)) == screen.space.black).all()


def test_what_is_uncovered_is_blank_and_due_for_update(desk: Desktop) -> None:
    back = desk.window(60, 20, 260, 320)
    desk.call("BeginUpdate", back)
    desk.call("EndUpdate", back)
    desk.call("SetPort", back)
    desk.call("PaintRect", desk.rect(0, 0, 200, 300))
    front = desk.window(100, 100, 200, 200, definition=2)
    assert due(desk, back) == EMPTY
    assert desk.mac.window_updates.update_needed() == front
    desk.call("DisposeWindow", front)
    # A plainDBox has a frame of one pixel around its content.
    bounds = due(desk, back).bounds
    assert (bounds.top, bounds.left, bounds.bottom, bounds.right) == (99, 99, 201, 201)
    assert not desk.pixels(99, 99, 201, 201).any()
    assert desk.pixels(99, 98, 201, 99).all()
    assert desk.mac.window_updates.update_needed() == back


def test_update_events_lead_to_drawing_only_what_is_due(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 320, definition=2)
    event = desk.store(bytes(16))
    assert desk.call("GetNextEvent", 0xFFFF, event)
    assert desk.guest.u16(event) == 8  # activate comes first
    assert EventRecord(desk.guest, event).modifiers & 1
    assert desk.call("GetNextEvent", 0xFFFF, event)
    assert (desk.guest.u16(event), EventRecord(desk.guest, event).message) == (6, window)
    desk.call("BeginUpdate", window)
    desk.call("EndUpdate", window)
    desk.call("SetPort", window)
    desk.call("InvalRect", desk.rect(10, 10, 20, 20))
    desk.call("ValidRect", desk.rect(10, 10, 15, 20))
    desk.call("BeginUpdate", window)
    desk.call("PaintRect", desk.rect(0, 0, 200, 300))
    desk.call("EndUpdate", window)
    painted = np.argwhere(desk.pixels(60, 20, 260, 320))
    assert painted.min(axis=0).tolist() == [15, 10]
    assert painted.max(axis=0).tolist() == [19, 19]
    assert desk.mac.window_updates.update_needed() == 0
    visible = desk.mac.region_handles.region(WindowRecord(desk.guest, window).port.visRgn)
    assert visible.bounds.height == 200


def test_updates_that_do_not_match_are_found(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 320)
    desk.call("BeginUpdate", window)
    desk.call("BeginUpdate", window)
    desk.call("EndUpdate", window)
    desk.call("EndUpdate", window)
    assert desk.findings() == ["update", "update"]


def test_a_window_whose_update_does_not_end_is_not_updated_again_and_again(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 320)
    desk.call("BeginUpdate", window)
    desk.call("InvalRect", desk.rect(0, 0, 10, 10))
    desk.call("BeginUpdate", window)
    assert desk.mac.window_updates.update_needed() == 0
    desk.call("EndUpdate", window)
    visible = desk.mac.region_handles.region(WindowRecord(desk.guest, window).port.visRgn)
    assert visible.bounds.height == 200, "what was to be drawn the first time, all of it"


def test_a_window_that_is_none_is_found_and_nothing_is_done(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 320)
    desk.call("DisposeWindow", window)
    desk.call("DisposeWindow", window)
    assert desk.findings() == ["double dispose"]
    desk.call("SetWTitle", window, desk.string(b"x"))
    desk.call("SelectWindow", desk.store(bytes(156)))
    assert has_found(desk.mac, "SetWTitle did nothing: .* is a window that was closed")
    assert has_found(desk.mac, "SelectWindow did nothing: .* is no window")


def test_the_window_managers_port_follows_a_closed_one(desk: Desktop) -> None:
    """Kant Generator Pro asks for local coordinates after its dialog is gone."""
    window = desk.window(60, 20, 260, 320)
    desk.call("SetPort", window)
    desk.call("DisposeWindow", window)
    current = desk.store(bytes(4))
    desk.call("GetPort", current)
    assert desk.guest.u32(current) == desk.guest.u32(LowMemory.WINDOW_MANAGER_PORT) != 0
    point = desk.store(bytes.fromhex("0064 00c8"))
    desk.call("GlobalToLocal", point)
    assert desk.guest.point(point) == (100, 200)
    assert desk.findings() == []


def test_a_field_of_a_record_that_is_no_window_yet_is_written_and_read(desk: Desktop) -> None:
    record = desk.store(bytes(156))
    desk.call("SetWRefCon", record, 0x12345678)
    desk.call("SetWindowPic", record, 0x1000)
    assert desk.call("GetWRefCon", record) == WindowRecord(desk.guest, record).refCon == 0x12345678
    assert desk.call("GetWindowPic", record) == 0x1000
    assert desk.findings() == ["not a window"] * 4
    assert {found.sureness for found in desk.mac.outputs.findings.values()} == {Sureness.UNUSUAL}


def test_a_field_of_what_is_no_record_is_a_mistake(desk: Desktop) -> None:
    desk.call("SetWRefCon", desk.store(bytes(40)), 1)  # it is written behind the block
    closed = desk.window(60, 20, 260, 320)
    desk.call("DisposeWindow", closed)
    desk.call("GetWRefCon", closed)
    found = desk.mac.outputs.findings.values()
    assert [one.sureness for one in found if one.check == "not a window"] == [Sureness.EVERY] * 2


def test_a_list_that_leads_in_a_circle_is_found(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 320)
    front = desk.window(80, 40, 260, 320)
    WindowRecord(desk.guest, window).nextWindow = front
    with pytest.raises(GuestStopError, match=f"broken after the window at 0x{window:x}: .*circle"):
        desk.call("FrontWindow")


def test_windows_behind_a_new_one_are_not_computed_again(
    desk: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        desk.window(60 + number % 3, 20, 260, 320)
    difference, calls = PixelRegion.difference, []

    def counted(self: PixelRegion, other: PixelRegion) -> PixelRegion:
        calls.append(other)
        return difference(self, other)

    monkeypatch.setattr(PixelRegion, "difference", counted)
    desk.window(60, 20, 260, 320)
    assert len(calls) < 20


def test_a_picture_is_named_by_no_more_of_a_title_than_a_file_can_bear(desk: Desktop) -> None:
    desk.window(60, 20, 160, 220, b"x" * 58 + b" - " + b"y" * 190)
    desk.window(60, 20, 160, 220, b"x" * 60 + b"z" * 100)
    desk.mac.windows.finish()
    names = [picture.name for picture in desk.mac.outputs.pictures]
    assert names == ["1-" + "x" * 58 + "-y", "2-" + "x" * 60, "3-screen"]


def test_a_record_that_was_freed_while_in_the_list_is_found(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 320)
    desk.window(80, 40, 260, 320)
    desk.mac.memory.dispose_pointer(window)
    with pytest.raises(GuestStopError, match=r"window list is broken|disposed"):
        desk.call("FrontWindow")


def test_a_record_is_used_for_another_window(desk: Desktop) -> None:
    storage = desk.store(bytes(156))
    for _ in range(2):
        r, title = desk.rect(60, 40, 200, 200), desk.string(b"Twice")
        desk.call("NewWindow", storage, r, title, True, 0, FRONT, True, 0)
    assert desk.call("FrontWindow") == storage
    assert desk.mac.windows.all().count(storage) == 1
    assert desk.findings() == ["window storage"]


def test_windows_need_init_windows() -> None:
    mac = make_mac()
    do(mac, "InitGraf", mac.layout.globals_start + 0x400)
    r, title = mac.memory.new_pointer(8, clear=True), mac.memory.new_pointer(256, clear=True)
    with pytest.raises(GuestStopError, match="before InitWindows"):
        do(mac, "NewWindow", 0, r, title, True, 0, FRONT, True, 0)


@pytest.mark.parametrize(
    ("definition", "standard"), [(208 * 16 + 4, 4), (208 * 16 + 6, 2), (13, 5), (9, 1)]
)
def test_a_window_without_its_definition_function_is_a_standard_one(
    desk: Desktop, definition: int, standard: int
) -> None:
    """As on a Macintosh: WDEF 0 of the same variation, of which it heeds the lowest bits."""
    desk.window(60, 20, 100, 100, b"A", definition=definition)
    desk.call("CloseWindow", desk.window(0, 0, 342, 512, definition=2))
    drawn = desk.pixels(30, 10, 110, 110)
    desk.window(60, 20, 100, 100, b"A", definition=standard)
    assert np.array_equal(desk.pixels(30, 10, 110, 110), drawn)
    assert desk.findings() == (["missing resource"] if definition > 16 else [])


@pytest.mark.parametrize("definition", [0, 1, 2, 3, 4, 5, 8, 12, 16, 23])
def test_a_frame_stays_within_its_structure_and_out_of_its_content(
    desk: Desktop, definition: int
) -> None:
    # All pixels that differ from the desktop before are in the structure region.
    before = desk.pixels(0, 0, 480, 640)
    window = desk.window(100, 100, 200, 300, b"Title", definition=definition)
    after = desk.pixels(0, 0, 480, 640)
    bounds = desk.mac.windows.list.structure(window).bounds
    changed = np.argwhere(before != after)
    assert bounds.top <= changed[:, 0].min()
    assert changed[:, 0].max() < bounds.bottom
    assert not after[100:190, 110:290].any()
    desk.call("DisposeWindow", window)
    assert (desk.pixels(0, 0, 480, 640) == before).all()


def test_the_parts_of_a_window_are_where_they_are_drawn(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300, b"Title", definition=8)
    answer = desk.store(bytes(4))

    def part(v: int, h: int) -> int:
        found: int = desk.call("FindWindow", Point(v, h), answer)
        return found

    assert part(10, 300) == 1
    assert desk.guest.u32(answer) == 0
    assert part(150, 200) == 3
    assert desk.guest.u32(answer) == window
    assert part(90, 200) == 4
    assert part(195, 295) == 5
    close = desk.mac.windows.close_box(window)
    assert close is not None
    assert part(*close) == 6
    assert part(90, 285) == 8
    assert part(300, 500) == 0
    desk.call("HiliteWindow", window, False)
    assert part(195, 295) == 3
    assert part(*close) == 4
    assert desk.mac.windows.close_box(window) is None


def test_a_round_window_shows_its_close_box_in_white_on_black(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300, definition=16)
    assert desk.mac.windows.list.frame(window).shows_close_box
    box = desk.mac.windows.list.frame(window).kind.close_box(Rectangle(100, 100, 200, 300))
    pixels = desk.pixels(box.top - 1, box.left - 1, box.bottom + 1, box.right + 1)
    assert pixels[0].all()
    assert not pixels[1, 1:-1].any()
    assert pixels[2:-2, 2:-2].all()


def test_a_press_in_the_close_box_counts_where_it_is_let_go(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300)
    place = desk.mac.windows.close_box(window)
    assert place is not None
    before = desk.pixels(80, 90, 102, 310)
    desk.press(place)
    desk.user(desk.mac.events.release_mouse)
    assert desk.call("TrackGoAway", window, place)
    desk.press(place)
    desk.user(desk.move(300, 300), desk.mac.events.release_mouse)
    assert not desk.call("TrackGoAway", window, place)
    assert (desk.pixels(80, 90, 102, 310) == before).all()


def test_dragging_takes_the_pixels_along(desk: Desktop) -> None:
    window = desk.window(100, 100, 140, 180, b"Drag")
    desk.call("BeginUpdate", window)
    desk.call("EndUpdate", window)
    desk.call("SetPort", window)
    desk.call("PaintOval", desk.rect(5, 5, 35, 70))
    before = desk.pixels(100, 100, 140, 180)
    desk.press(Point(90, 150))
    desk.user(desk.move(120, 170), desk.mac.events.release_mouse)
    desk.call("DragWindow", window, Point(90, 150), desk.rect(0, 0, 480, 640))
    assert (desk.pixels(130, 120, 170, 200) == before).all()
    assert due(desk, window) == EMPTY
    where = desk.store(bytes(4))
    desk.call("LocalToGlobal", where)
    assert desk.guest.point(where) == Point(130, 120)


@pytest.mark.parametrize("with_command", [False, True])
def test_with_the_command_key_a_window_is_dragged_behind_others(
    desk: Desktop, with_command: bool
) -> None:
    window = desk.window(100, 100, 140, 180, b"Behind")
    front = desk.window(200, 300, 300, 400, b"Front")
    desk.guest.write(LowMemory.KEY_MAP, key_map(["command"] if with_command else []))
    desk.press(Point(90, 150))
    desk.user(desk.move(120, 170), desk.mac.events.release_mouse)
    desk.call("DragWindow", window, Point(90, 150), desk.rect(0, 0, 480, 640))
    assert desk.mac.windows.front() == (front if with_command else window)
    assert record.global_rectangle(desk.guest, window).left == 120


def test_a_window_dragged_partly_off_the_screen_and_back_is_due_there(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300)
    desk.call("BeginUpdate", window)
    desk.call("EndUpdate", window)
    desk.call("MoveWindow", window, 540, 100, False)
    assert due(desk, window) == EMPTY
    desk.call("MoveWindow", window, 100, 100, False)
    bounds = due(desk, window).bounds
    assert (bounds.left, bounds.right) == (200, 300)


def test_growing_gives_a_size_and_sizing_makes_only_the_new_part_due(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300)
    desk.call("BeginUpdate", window)
    desk.call("EndUpdate", window)
    desk.press(Point(195, 295))
    desk.user(desk.move(245, 345), desk.mac.events.release_mouse)
    size = desk.call("GrowWindow", window, Point(195, 295), desk.rect(50, 50, 400, 400))
    assert (size >> 16, size & 0xFFFF) == (150, 250)
    desk.call("SizeWindow", window, 250, 150, True)
    assert WindowRecord(desk.guest, window).port.portRect == (0, 0, 150, 250)
    assert not due(desk, window).contains(150, 150)
    assert due(desk, window).contains(340, 150)
    assert due(desk, window).contains(150, 240)


@pytest.mark.parametrize("definition", [0, 2, 8])
def test_every_window_has_room_for_its_places(desk: Desktop, definition: int) -> None:
    window = WindowRecord(desk.guest, desk.window(50, 60, 150, 200, definition=definition))
    states = WStateData(desk.guest, desk.mac.memory.address(window.dataHandle))
    assert states.userState == (50, 60, 150, 200)
    assert window.spareFlag == (definition == 8)


def test_zooming_goes_there_and_back(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300, definition=8)
    desk.call("ZoomWindow", window, 8, True)
    _, left, _, right = WindowRecord(desk.guest, window).port.portRect
    assert right - left > 500
    assert desk.mac.windows.list.frame(window).zoomed
    desk.call("ZoomWindow", window, 7, True)
    assert WindowRecord(desk.guest, window).port.portRect == (0, 0, 100, 200)
    assert record.global_rectangle(desk.guest, window).top == 100


def test_hiding_the_active_window_activates_the_next(desk: Desktop) -> None:
    back = desk.window(60, 20, 260, 320)
    front = desk.window(100, 100, 200, 200)
    desk.mac.windows.activation(remove=True)
    desk.mac.windows.activation(remove=True)
    desk.call("HideWindow", front)
    assert desk.call("FrontWindow") == back
    assert desk.mac.windows.activation(remove=True) == (front, False)
    assert desk.mac.windows.activation(remove=True) == (back, True)
    assert desk.mac.windows.activation(remove=True) is None
    assert desk.mac.region_handles.region(WindowRecord(desk.guest, front).port.visRgn).empty
    desk.call("ShowWindow", front)
    assert desk.call("FrontWindow") == back
    desk.call("SendBehind", back, 0)
    assert desk.call("FrontWindow") == front


@pytest.mark.parametrize("call", ["SelectWindow", "MoveWindow"])
def test_a_hidden_window_that_is_selected_is_active_once_it_is_shown(
    desk: Desktop, call: str
) -> None:
    back = desk.window(60, 20, 260, 320)
    hidden = desk.window(100, 100, 200, 200, visible=False)
    desk.mac.windows.activation(remove=True)
    desk.call(call, hidden, *((50, 80, 1) if call == "MoveWindow" else ()))
    assert desk.mac.windows.activation(remove=True) == (back, False)
    assert desk.mac.windows.activation(remove=True) == (hidden, True)
    assert desk.call("FrontWindow") == back
    desk.call("ShowHide", hidden, 1)
    assert desk.call("FrontWindow") == hidden
    assert WindowRecord(desk.guest, hidden).hilited
    assert not WindowRecord(desk.guest, back).hilited


def test_pin_rect_and_drag_gray_rgn(desk: Desktop) -> None:
    r = desk.rect(10, 20, 30, 40)
    assert desk.call("PinRect", r, Point(0, 100)) == 10 << 16 | 39
    desk.window(60, 20, 260, 320)
    port = desk.call("FrontWindow")
    desk.call("SetPort", port)
    region = desk.call("NewRgn")
    wide, small = desk.rect(0, 0, 400, 400), desk.rect(0, 0, 15, 15)
    desk.press(Point(70, 30))
    desk.user(desk.move(80, 50), desk.mac.events.release_mouse)
    went = desk.call("DragGrayRgn", region, Point(10, 10), wide, wide, 0, 0)
    assert (went >> 16, went & 0xFFFF) == (10, 20)
    desk.press(Point(70, 30))
    desk.user(desk.move(80, 50), desk.mac.events.release_mouse)
    went = desk.call("DragGrayRgn", region, Point(10, 10), desk.rect(0, 0, 15, 15), small, 0, 0)
    assert went & 0xFFFFFFFF == 0x80008000


def test_get_new_window_reads_its_resource_and_refuses_a_short_one() -> None:
    data = words(60, 20, 160, 220, 0) + b"\1\0\1\0" + bytes(4) + pascal(b"From WIND")
    centred = data + bytes(len(data) % 2) + words(0x280A)
    desk = Desktop(
        "68040",
        resource("WIND", 128, data),
        resource("WIND", 129, data[:20]),
        resource("WIND", 130, centred),
    )
    window = desk.call("GetNewWindow", 128, 0, FRONT)
    assert desk.mac.windows.title_of(window) == b"From WIND"
    assert record.global_rectangle(desk.guest, window).top == 60
    centre = desk.call("GetNewWindow", 130, 0, FRONT)
    r = record.global_rectangle(desk.guest, centre)
    assert r.left == (640 - 200) // 2
    assert desk.call("GetNewWindow", 999, 0, FRONT) == 0
    cut = desk.call("GetNewWindow", 129, 0, FRONT)
    assert record.global_rectangle(desk.guest, cut).top == 60
    assert has_found(desk.mac, "resource WIND 129 is damaged at offset 19 of 20")


def test_pictures_are_kept_of_windows_that_close_and_of_those_still_open(desk: Desktop) -> None:
    first = desk.window(60, 20, 160, 220, b"The First!")
    desk.call("SetPort", first)
    desk.call("PaintRect", desk.rect(0, 0, 10, 10))
    desk.window(100, 100, 200, 300)
    desk.window(100, 100, 200, 300, b"Unseen", visible=False)
    desk.call("SelectWindow", first)
    desk.call("CloseWindow", first)
    desk.mac.windows.finish()
    pictures = desk.mac.outputs.pictures
    assert [p.name for p in pictures] == ["1-the-first", "2-window", "3-screen"]
    image = Image.open(io.BytesIO(pictures[0].png))
    assert image.size == (200, 100)
    assert image.getpixel((0, 0)) == 0
    assert image.getpixel((50, 50)) == 255


def test_a_window_whose_controls_go_first_leaves_the_picture_that_the_user_saw(
    desk: Desktop,
) -> None:
    window = desk.window(60, 20, 160, 220)
    button = desk.control(window, (20, 20, 40, 100), b"OK")
    event = desk.store(bytes(16))
    desk.call("GetNextEvent", 0, event)
    seen = desk.mac.windows.picture(window)
    desk.call("DisposeControl", button)
    assert desk.mac.windows.picture(window) != seen
    desk.call("DisposeWindow", window)
    again = desk.window(60, 20, 160, 220)
    button = desk.control(again, (20, 20, 40, 100), b"OK")
    desk.call("GetNextEvent", 0, event)
    desk.call("KillControls", again)
    desk.call("GetNextEvent", 0, event)
    bare = desk.mac.windows.picture(again)
    desk.call("DisposeWindow", again)
    assert [picture.png for picture in desk.mac.outputs.pictures] == [seen, bare]


def test_a_window_that_was_hidden_first_leaves_the_picture_it_had_on_the_screen(
    desk: Desktop,
) -> None:
    for _ in range(2):
        window = desk.window(60, 20, 160, 220, b"Hidden")
        desk.call("SetPort", window)
        desk.call("PaintRect", desk.rect(0, 0, 10, 10))
        desk.call("HideWindow", window)
        desk.call("DisposeWindow", window)
    desk.call("DisposeWindow", desk.window(60, 20, 160, 220, b"Unseen", visible=False))
    pictures = desk.mac.outputs.pictures
    assert [p.name for p in pictures] == ["1-hidden", "2-hidden"]
    assert Image.open(io.BytesIO(pictures[0].png)).getpixel((0, 0)) == 0


_PLACES = st.tuples(
    st.integers(20, 400), st.integers(-50, 600), st.integers(1, 200), st.integers(1, 200)
)
_DOINGS = st.lists(
    st.tuples(st.sampled_from(["new", "select", "hide", "show", "move", "size", "close"]), _PLACES),
    min_size=1,
    max_size=12,
)


@pytest.mark.slow
@examples(max_examples=25, deadline=None)
@given(_DOINGS)
def test_windows_never_overlap_on_the_screen(doings: list[tuple[str, tuple[int, ...]]]) -> None:
    desk = Desktop("68040")
    windows: list[int] = []
    for number, (what, (v, h, height, width)) in enumerate(doings):
        if what == "new" or not windows:
            kind = (0, 1, 2, 3, 4, 5, 8, 16)[number % 8]
            windows.append(desk.window(v, h, v + height, h + width, b"w", definition=kind))
            continue
        window = windows[v % len(windows)]
        if what == "close":
            windows.remove(window)
            desk.call("DisposeWindow", window)
        elif what == "move":
            desk.call("MoveWindow", window, h, v, False)
        elif what == "size":
            desk.call("SizeWindow", window, width, height, True)
        else:
            name = {"select": "SelectWindow", "hide": "HideWindow", "show": "ShowWindow"}[what]
            desk.call(name, window)
    seen = desk.mac.windows.list.exposed()
    left = desk.mac.windows.list.desktop
    for window, structure in seen.structures.items():
        assert structure.difference(left) == EMPTY
        assert seen.contents[window].difference(structure) == EMPTY
        assert due(desk, window).difference(seen.contents[window]) == EMPTY
        dh, dv = record.local_origin(desk.guest, window)
        visible = desk.mac.region_handles.region(WindowRecord(desk.guest, window).port.visRgn)
        assert visible == seen.contents[window].offset(dh, dv)
        left = left.difference(structure)
    assert left == seen.desktop
    active = [w for w in desk.mac.windows.all() if WindowRecord(desk.guest, w).hilited]
    assert len(active) <= 1
    # What is neither frame nor blank content is the desktop's pattern.
    mask = seen.desktop.mask(desk.mac.quickdraw.screen.bounds)
    grey = (np.indices(mask.shape).sum(axis=0) % 2 == 0).astype(np.uint8)
    screen = desk.pixels(0, 0, 480, 640)
    assert (screen[mask] == grey[mask]).all()


# -- low-level routines ----------------------------------------------------------------------------


def test_painting_behind_draws_frames_and_makes_contents_due(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 220, b"Behind")
    whole = desk.pixels(0, 0, 480, 640)
    desk.call("BeginUpdate", window)
    desk.call("EndUpdate", window)
    port = desk.store(bytes(4))
    desk.call("GetWMgrPort", port)
    desk.call("SetPort", desk.guest.u32(port))
    desk.call("PaintRect", desk.rect(30, 10, 100, 400))
    region = desk.call("NewRgn")
    desk.call("RectRgn", region, desk.rect(30, 10, 100, 400))
    desk.call("PaintBehind", window, region)
    assert (desk.pixels(0, 0, 480, 640) == whole).all()
    assert due(desk, window).bounds.bottom == 100
    desk.call("PaintOne", 0, region)
    assert (desk.pixels(0, 0, 480, 640) == whole).all()


def test_save_old_and_draw_new_repair_the_screen(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 220)
    whole = desk.pixels(0, 0, 480, 640)
    desk.call("SaveOld", window)
    WindowRecord(desk.guest, window).visible = False
    desk.mac.windows.list.measure(window)
    desk.call("CalcVis", window)
    desk.call("DrawNew", window, True)
    assert not (desk.pixels(0, 0, 480, 640) == whole).all()
    desk.call("CalcVisBehind", window, desk.call("NewRgn"))
    desk.call("ClipAbove", window)
    assert desk.mac.region_handles.region(WindowRecord(desk.guest, window).port.visRgn).empty


def test_check_update_tells_of_the_window_in_front_first(desk: Desktop) -> None:
    event = desk.store(bytes(16))
    assert not desk.call("CheckUpdate", event)
    desk.window(60, 20, 160, 220)
    front = desk.window(100, 20, 200, 220)
    assert desk.call("CheckUpdate", event)
    assert (desk.guest.u16(event), EventRecord(desk.guest, event).message) == (6, front)


def test_a_picture_stands_for_a_windows_content(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 220)
    desk.call("SetPort", window)
    picture = desk.call("OpenPicture", desk.rect(0, 0, 100, 200))
    desk.call("PaintRect", desk.rect(0, 0, 50, 200))
    desk.call("ClosePicture")
    desk.call("SetWindowPic", window, picture)
    assert desk.call("GetWindowPic", window) == picture
    assert desk.mac.window_updates.update_needed() == 0
    assert desk.pixels(60, 20, 110, 220).all()
    assert not desk.pixels(110, 20, 160, 220).any()


def test_drawing_a_size_box_needs_an_active_window_that_can_grow(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 220, definition=0)
    plain = desk.window(200, 20, 300, 220, definition=4)
    for target in (window, plain):
        desk.call("DrawGrowIcon", target)
    assert desk.pixels(146, 206, 160, 220).any() == 0  # not active: an empty box
    assert not desk.pixels(286, 206, 300, 220).any()
    desk.call("SelectWindow", window)
    desk.call("DrawGrowIcon", window)
    assert desk.pixels(146, 206, 160, 220).any()


def test_invalidating_outside_a_window_is_found(desk: Desktop) -> None:
    port = desk.store(bytes(108))
    desk.call("OpenPort", port)
    desk.call("InvalRect", desk.rect(0, 0, 10, 10))
    assert desk.findings() == ["update"]


@pytest.mark.parametrize(("before", "found"), [(20, ["window storage"]), (0, [])])
def test_disposing_of_a_record_inside_another_block_is_found(
    desk: Desktop, before: int, found: list[str]
) -> None:
    """A record that is a block of its own may be disposed of, whoever made the block."""
    storage = desk.store(bytes(before + 156)) + before
    window = desk.call(
        "NewWindow", storage, desk.rect(60, 20, 90, 90), desk.string(), True, 0, FRONT, True, 0
    )
    desk.call("DisposeWindow", window)
    assert desk.findings() == found
    assert desk.mac.memory.is_pointer(storage) is False


def test_windows_may_be_initialised_again(desk: Desktop) -> None:
    """CodeWarrior's console does it after the program has; the desktop's port is current again."""
    desk.call("InitGraf", desk.guest.u32(LowMemory.CURRENT_A5) - 4)
    desk.call("InitWindows")
    saved = desk.store(bytes(4))
    desk.call("GetPort", saved)
    desk.call("SetPort", desk.guest.u32(saved))
    assert desk.guest.u32(saved) == desk.guest.u32(LowMemory.WINDOW_MANAGER_PORT)
    assert desk.findings() == []


def test_windows_of_a_colour_screen_are_black_and_white_too() -> None:
    mac = make_mac(settings=Settings(depth=8))
    do(mac, "InitGraf", mac.layout.globals_start + 0x400)
    do(mac, "InitWindows")
    r = mac.memory.new_pointer(8)
    mac.guest.put_rect(r, 60, 20, 160, 220)
    window = do(mac, "NewCWindow", 0, r, 0, True, 0, FRONT, True, 0)
    pixels = mac.quickdraw.screen.pixels(mac.quickdraw.screen.bounds)
    assert set(np.unique(pixels)) == {0, 255}
    assert not pixels[60:160, 20:220].any()
    assert pixels[59, 20:220].all()
    answer = mac.memory.new_pointer(4)
    color_port = mac.guest.u32(LowMemory.WINDOW_MANAGER_COLOR_PORT)
    assert mac.quickdraw.is_color_port(color_port)
    do(mac, "SetPort", color_port)
    pixels = CGrafPort(mac.guest, color_port).portPixMap
    do(mac, "SetPortPix", 0)
    assert CGrafPort(mac.guest, color_port).portPixMap == 0
    do(mac, "SetPortPix", pixels)
    for name, owner, parts in (
        ("GetAuxWin", window, 5),
        ("GetAuxiliaryControlRecord", 0, 4),
    ):
        assert not do(mac, name, owner, answer)
        record = mac.memory.address(mac.guest.u32(answer))
        colors = mac.memory.contents(mac.guest.u32(record + 8))
        assert len(colors) == 8 + 8 * parts
        assert colors[6:8] == (parts - 1).to_bytes(2, "big")


def color_table(*color: int) -> bytes:
    """A window's colour table with a frame's colour and then the content's."""
    entries = struct.pack(">8H", 1, 7, 7, 7, 0, *color)
    return bytes(6) + b"\0\1" + entries


def content_told(desk: Desktop, window: int) -> tuple[int, ...] | None:
    """The content's colour in the record that GetAuxWin calls the window's own; None if none is."""
    answer = desk.mac.memory.new_pointer(4)
    if not desk.call("GetAuxWin", window, answer):
        return None
    record = desk.mac.memory.address(desk.guest.u32(answer))
    assert desk.guest.u32(record + 4) == window
    colors = desk.mac.memory.contents(desk.guest.u32(record + 8))
    return struct.unpack(">3H", colors[10:16])


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_window_in_colour_has_a_port_in_colour(cpu: str) -> None:
    template = struct.pack(">4hhhhL", 100, 100, 200, 300, 4, 1, 0, 0) + b"\0"
    red, blue = color_table(0xFFFF, 0, 0), color_table(0, 0, 0xFFFF)
    resources = (Resource("WIND", 128, "", 0, template), Resource("wctb", 128, "", 0, red))
    desk = Desktop(cpu, *resources, depth=8)
    screen = desk.mac.quickdraw.screen
    window = desk.call("GetNewCWindow", 128, 0, FRONT)
    assert set(screen.pixels(Rectangle(101, 101, 199, 299)).flat) == {35}
    port = CGrafPort(desk.guest, window)
    assert port.portVersion == 0xC000 and port.portRect == (0, 0, 100, 200)
    desk.call("SetPort", window)
    desk.call("MoveWindow", window, 50, 60, True)
    desk.call("PaintRect", desk.rect(0, 0, 2, 2))
    assert screen.pixels(Rectangle(60, 50, 61, 53)).tolist() == [[255, 255, 35]]
    desk.call("SizeWindow", window, 50, 40, True)
    table = desk.mac.memory.handle_from(blue)
    assert content_told(desk, window) == (0xFFFF, 0, 0)
    desk.call("SetWinColor", window, table)
    assert set(screen.pixels(Rectangle(70, 60, 90, 90)).flat) == {210}
    assert content_told(desk, window) == (0, 0, 0xFFFF)
    handle = port.portPixMap
    desk.call("DisposeWindow", window)
    assert not desk.mac.memory.is_handle(handle)
    plain = desk.call("GetNewWindow", 128, 0, FRONT)
    assert CGrafPort(desk.guest, plain).portVersion & 0xC000 == 0
    desk.call("SetWinColor", plain, table)
    assert set(screen.pixels(Rectangle(101, 101, 199, 299)).flat) == {0}
    assert content_told(desk, plain) is None
    assert not desk.mac.outputs.findings


def test_without_color_quickdraw_windows_have_no_colours(desk: Desktop) -> None:
    window = desk.call("NewCWindow", 0, desk.rect(50, 50, 90, 90), 0, True, 0, FRONT, False, 0)
    assert CGrafPort(desk.guest, window).portVersion & 0xC000 == 0


def test_there_are_no_desk_accessories(desk: Desktop) -> None:
    desk.call("SystemTask")
    assert desk.call("OpenDeskAcc", desk.string(b"Calculator")) == 0
    assert not desk.call("SystemEdit", 0)
    assert not desk.call("SystemEvent", desk.store(bytes(16)))
    for name, arguments in (
        ("SystemClick", (0, 0)),
        ("SystemMenu", (0,)),
        ("CloseDeskAcc", (0,)),
    ):
        desk.call(name, *arguments)


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_program_begins_with_the_finders_desktop_and_an_empty_menu_bar(cpu: str) -> None:
    screen = make_mac(cpu).quickdraw.screen
    pixels = screen.pixels(screen.bounds)
    assert (pixels[:19] == screen.space.white).all()
    assert (pixels[19] != screen.space.white).all()
    gray = pixels[20:] != screen.space.white
    assert gray.mean() == 0.5 and not (gray[:, 1:] == gray[:, :-1]).any()
