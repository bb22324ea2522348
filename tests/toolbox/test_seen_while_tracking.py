"""What the user sees while the mouse is held down, and that nothing of it stays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.windows.access import DRAG_PATTERN
from emu.toolbox.managers.windows.frames import WindowKind
from tests.toolbox.window_kit import Desktop, resource, words

Picture = NDArray[np.uint8]


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param)


class Watcher:
    """A user who looks at the screen each time before doing the next thing.

    Attributes:
        seen: the screen at each look.
    """

    def __init__(self, desk: Desktop, *doings: Callable[[], object]) -> None:
        self._desk = desk
        self._doings = list(doings)
        self.seen: list[Picture] = []

    def act(self) -> bool:
        """Look, and do the next thing."""
        self.seen.append(screen(self._desk))
        if self._doings:
            self._doings.pop(0)()
        return True


def screen(desk: Desktop) -> Picture:
    return desk.mac.quickdraw.screen.pixels(desk.mac.quickdraw.screen.bounds).copy()


def watch(desk: Desktop, *doings: Callable[[], object]) -> Watcher:
    """Let a watcher do these things, and at last let the mouse button go."""
    watcher = Watcher(desk, *doings, desk.mac.events.release_mouse)
    desk.mac.events.user = watcher
    return watcher


def changed(before: Picture, after: Picture) -> PixelRegion:
    height, width = before.shape
    return PixelRegion.from_mask(Rectangle(0, 0, height, width), before != after)


def gray_of(shape: PixelRegion) -> PixelRegion:
    """Every other pixel of a shape, as the pattern gray has them."""
    r = shape.bounds
    v, h = np.ogrid[r.top : r.bottom, r.left : r.right]
    mask = shape.mask(r) & ((v + h) % 2 == 0)
    return PixelRegion.from_mask(r, mask)


def ring(r: Rectangle) -> PixelRegion:
    whole = PixelRegion.from_rectangle(r)
    return whole.difference(whole.inset(1, 1))


def test_a_window_that_is_dragged_has_a_gray_outline(desk: Desktop) -> None:
    window = desk.window(100, 100, 140, 180, b"Drag")
    desk.press(Point(90, 150))
    before = screen(desk)
    watcher = watch(desk, desk.move(120, 170), desk.move(2000, 170), desk.move(90, 150))
    desk.call("DragWindow", window, Point(90, 150), desk.rect(0, 0, 480, 640))
    structure = desk.mac.windows.list.structure(window)
    outline = gray_of(structure.difference(structure.inset(1, 1)))
    moved = structure.offset(20, 30)
    assert changed(before, watcher.seen[0]) == outline
    assert changed(before, watcher.seen[1]) == gray_of(moved.difference(moved.inset(1, 1)))
    assert changed(before, watcher.seen[2]).empty  # too far away
    assert (screen(desk) == before).all()


def test_a_region_that_is_dragged_has_one_in_its_port(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 120)
    desk.call("SetPort", window)
    region = desk.call("NewRgn")
    desk.call("SetRectRgn", region, 10, 10, 30, 40)
    wide, before = desk.rect(-200, -200, 400, 400), screen(desk)
    for name, pattern in (("DragGrayRgn", b"\xaa\x55" * 4), ("DragTheRgn", b"\xff" * 8)):
        desk.guest.write(DRAG_PATTERN, b"\xff" * 8)
        desk.press(Point(80, 40))
        watcher = watch(desk, desk.move(90, 50), desk.move(80, 100))
        desk.call(name, region, Point(20, 20), wide, wide, 0, 0)
        seen = ring(Rectangle(70, 30, 100, 50)).offset(10, 10)
        expected = seen if pattern[0] == 0xFF else gray_of(seen)
        assert changed(before, watcher.seen[1]) == expected
        # The window ends at 120.
        assert changed(before, watcher.seen[2]).bounds.right <= 120
        assert (screen(desk) == before).all()


def test_a_window_that_grows_has_an_outline_of_its_parts(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300)
    desk.press(Point(195, 295))
    before = screen(desk)
    watcher = watch(desk, desk.move(245, 345))
    desk.call("GrowWindow", window, Point(195, 295), desk.rect(50, 50, 400, 400))
    outline = WindowKind(0).grow_outline(Rectangle(100, 100, 250, 350))
    assert changed(before, watcher.seen[1]) == gray_of(outline)
    assert outline.contains(200, 99)  # under the title bar
    assert outline.contains(335, 120)  # left of a scroll bar
    assert outline.contains(120, 235)  # above the other
    assert (screen(desk) == before).all()


def test_the_thumb_of_a_scroll_bar_has_one(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 220)
    bar = desk.control(window, (0, 100, 160, 116), definition=16, value=0, maximum=100)
    before = screen(desk)
    desk.press(Point(60 + 24, 20 + 108))
    watcher = watch(desk, desk.move(60 + 64, 128), desk.move(60 + 600, 128), desk.move(300, 600))
    assert not desk.call("TrackControl", bar, Point(24, 108), 0)
    thumb = Rectangle(76, 120, 92, 136)
    assert changed(before, watcher.seen[0]) == gray_of(ring(thumb))
    assert changed(before, watcher.seen[1]) == gray_of(ring(thumb.offset(0, 40)))
    assert changed(before, watcher.seen[2]).empty
    assert (screen(desk) == before).all()


def test_a_control_that_is_dragged_has_one(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 220)
    button = desk.control(window, (10, 10, 30, 80), b"Move")
    before = screen(desk)
    desk.press(Point(80, 60))
    watcher = watch(desk, desk.move(90, 70), desk.move(80, 60))
    wide = desk.rect(0, 0, 200, 200)
    desk.call("DragControl", button, Point(20, 40), wide, wide, 0)
    assert changed(before, watcher.seen[1]) == gray_of(ring(Rectangle(80, 40, 100, 110)))
    assert (screen(desk) == before).all()


def test_boxes_and_buttons_are_pressed_while_the_mouse_is_in_them(desk: Desktop) -> None:
    window = desk.window(100, 100, 200, 300, definition=8)
    frame = desk.mac.windows.list.frame(window)
    button = desk.control(window, (10, 10, 30, 80), b"Press")
    check = desk.control(window, (40, 10, 60, 80), b"Check", 1)
    bar = desk.control(window, (0, 180, 90, 196), definition=16, maximum=100)
    tries = (
        (frame.kind.close_box(frame.content), "TrackGoAway", (window,), ()),
        (frame.kind.zoom_box(frame.content), "TrackBox", (window,), (8,)),
        (Rectangle(110, 110, 130, 180), "TrackControl", (button,), (0,)),
        (Rectangle(140, 110, 160, 180), "TrackControl", (check,), (0,)),
        (Rectangle(100, 280, 116, 296), "TrackControl", (bar,), (0,)),
    )
    before = screen(desk)
    for r, name, first, last in tries:
        place = Point(r.top + 5, r.left + 5)
        desk.press(place)
        watcher = watch(desk, desk.move(400, 400))
        local = Point(place.v - 100, place.h - 100) if name == "TrackControl" else place
        assert not desk.call(name, *first, local, *last)
        pressed = changed(before, watcher.seen[0])
        assert not pressed.empty, name
        assert r.encloses(pressed.bounds), name
        assert changed(before, watcher.seen[1]).empty
        assert (screen(desk) == before).all()


def test_menus_and_submenus_follow_the_mouse(desk: Desktop) -> None:
    for number, name, items in ((1, b"File", b"New;Open/O"), (2, b"Edit", b"Cut;More/\x1b!\x07")):
        menu = desk.call("NewMenu", number, desk.string(name))
        desk.call("AppendMenu", menu, desk.string(items))
        desk.call("InsertMenu", menu, 0)
    submenu = desk.call("NewMenu", 7, desk.string(b"Sub"))
    desk.call("AppendMenu", submenu, desk.string(b"Deep;Deeper"))
    desk.call("InsertMenu", submenu, -1)
    desk.call("DrawMenuBar")
    before = screen(desk)
    places = desk.mac.menus.places("File", "Open"), desk.mac.menus.places("Edit", "More")
    (title, on_open), (edit, on_more) = (place for place in places if place is not None)
    desk.press(title)
    steps = (on_open, edit, on_more, Point(300, 300))
    watcher = watch(desk, *(desk.move(place.v, place.h) for place in steps))
    assert desk.call("MenuSelect", title) == 0
    pulled, on_item, other, sub, outside = (changed(before, picture) for picture in watcher.seen)
    assert pulled.contains(title.h, title.v)
    assert not changed(watcher.seen[0], watcher.seen[1]).contains(title.h, title.v)
    item = changed(watcher.seen[0], watcher.seen[1])
    assert item.is_rectangular
    assert item.bounds.height == 16
    assert item.contains(on_open.h, on_open.v)
    assert on_item != pulled
    assert other.contains(edit.h, edit.v)
    assert not other.contains(title.h, title.v)
    assert sub.bounds.right > other.bounds.right + 30
    assert outside.bounds == sub.bounds
    desk.call("HiliteMenu", 0)
    assert (screen(desk) == before).all()


def test_a_pop_up_menu_is_seen(desk: Desktop) -> None:
    menu = desk.call("NewMenu", 9, desk.string(b"Pop"))
    desk.call("AppendMenu", menu, desk.string(b"One;Two;Three"))
    desk.call("InsertMenu", menu, -1)
    before = screen(desk)
    desk.press(Point(208, 210))
    watcher = watch(desk, desk.move(224, 210))
    assert desk.call("PopUpMenuSelect", menu, 200, 200, 2) == 9 << 16 | 3
    first, second = (changed(before, picture) for picture in watcher.seen)
    assert first.bounds.top == 183  # a line above the first item
    assert changed(watcher.seen[0], watcher.seen[1]).bounds.top == 200
    assert not second.empty
    assert (screen(desk) == before).all()


def test_text_is_selected_while_the_mouse_is_dragged(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 220)
    desk.call("SetPort", window)
    r = desk.rect(5, 5, 95, 195)
    text = desk.call("TENew", r, r)
    desk.call("TESetText", desk.store(b"some words"), 10, text)
    desk.call("TEUpdate", r, text)
    desk.call("TEActivate", text)
    desk.press(Point(70, 27))
    watcher = watch(desk, desk.move(70, 60), desk.move(70, 90))
    desk.call("TEClick", Point(10, 7), False, text)
    selected = [changed(watcher.seen[0], picture).bounds.width for picture in watcher.seen[1:]]
    assert 20 < selected[0] < selected[1]


def test_the_region_of_selected_text_is_what_is_inverted(desk: Desktop) -> None:
    desk.call("SetPort", desk.window(60, 20, 160, 220))
    r = desk.rect(5, 5, 95, 195)
    text = desk.call("TENew", r, r)
    desk.call("TESetText", desk.store(b"some words"), 10, text)
    desk.call("TEUpdate", r, text)
    desk.call("TEActivate", text)
    before, region = screen(desk), desk.call("NewRgn")
    desk.call("TESetSelect", 5, 10, text)
    assert desk.call("TEGetHiliteRgn", region, text) == 0
    seen = changed(before, screen(desk)).bounds
    bounds = desk.mac.region_handles.region(region).bounds
    assert not bounds.empty
    assert (seen.width, seen.height) <= (bounds.width, bounds.height)
    desk.call("TESetSelect", 3, 3, text)
    assert desk.call("TEGetHiliteRgn", region, text) == 0
    assert desk.mac.region_handles.region(region).bounds.empty


def test_the_insertion_point_blinks(desk: Desktop) -> None:
    window = desk.window(60, 20, 160, 220)
    desk.call("SetPort", window)
    r = desk.rect(5, 5, 95, 195)
    text = desk.call("TENew", r, r)
    desk.call("TEActivate", text)
    pictures = []
    for _ in range(4):
        desk.mac.events.idle(33)
        desk.call("TEIdle", text)
        pictures.append(screen(desk))
    assert changed(pictures[0], pictures[1]).bounds.width == 1
    assert (pictures[0] == pictures[2]).all()
    assert (pictures[1] == pictures[3]).all()


def test_cells_of_a_list_are_selected_while_the_mouse_is_dragged(desk: Desktop) -> None:
    window = desk.window(60, 20, 260, 220)
    desk.call("SetPort", window)
    view, bounds = desk.rect(0, 0, 160, 100), desk.rect(0, 0, 8, 1)
    cells = desk.call("LNew", view, bounds, Point(16, 100), 0, window, True, False, False, False)
    before = screen(desk)
    desk.press(Point(68, 30))
    watcher = watch(desk, desk.move(68 + 32, 30))
    desk.call("LClick", Point(8, 10), 0, cells)
    assert changed(before, watcher.seen[0]).bounds == Rectangle(60, 20, 76, 120)
    assert changed(before, watcher.seen[1]).contains(30, 100)


def test_an_alert_has_a_ring_around_its_default_button() -> None:
    items = words(0) + bytes(4) + words(60, 100, 80, 160) + bytes([4, 2]) + b"OK"
    alert = words(60, 60, 160, 260, 128, 0x5555)
    desk = Desktop("68040", resource("ALRT", 128, alert), resource("DITL", 128, items))
    watcher = Watcher(desk, lambda: None, lambda: desk.mac.events.press_key(0x240D))
    desk.mac.events.user = watcher
    assert desk.call("Alert", 128, 0) == 1
    ring_top = watcher.seen[1][60 + 60 - 4, 60 + 110 : 60 + 150]
    assert ring_top.all()
    assert len(watcher.seen) == 2


def test_a_person_sees_the_button_that_return_presses() -> None:
    items = words(0) + bytes(4) + words(60, 100, 80, 160) + bytes([4, 2]) + b"OK"
    alert = words(60, 60, 160, 260, 128, 0x5555)
    desk = Desktop("68040", resource("ALRT", 128, alert), resource("DITL", 128, items))
    desk.mac.events.is_played = True
    watcher = Watcher(desk, lambda: None, lambda: desk.mac.events.press_key(0x240D))
    desk.mac.events.user = watcher
    assert desk.call("Alert", 128, 0) == 1
    inside = [picture[60 + 62, 60 + 110] for picture in watcher.seen]
    assert inside == [0, 0, *[1] * 8]
