"""The Drag Manager takes handlers and drags, and gives every drag up."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import run_code
from tests.toolbox.window_kit import Desktop

HANDLER, OTHER, ALL_WINDOWS = 0x1000, 0x2000, 0


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param)


def test_68k_code_installs_a_handler_as_drag_h_does() -> None:
    mac = Desktop("68040").mac
    # subq.w #2,sp; pea 2; clr.l -(sp); clr.l -(sp)
    # moveq #1,d0; _DragDispatch; move.w (sp)+,d3; rts
    code = "554f 48780002 42a7 42a7 7001 abed 361f 4e75"
    assert run_code(mac, code)["d3"] & 0xFFFF == 0
    assert run_code(mac, code)["d3"] & 0xFFFF == ResultCode.duplicateHandlerErr & 0xFFFF


@pytest.mark.parametrize("kind", ["Tracking", "Receive"])
def test_a_handler_is_installed_once_and_removed_once(desk: Desktop, kind: str) -> None:
    install, remove = f"Install{kind}Handler", f"Remove{kind}Handler"
    window = desk.window(100, 100, 200, 300)
    assert desk.call(install, HANDLER, ALL_WINDOWS, 0) == 0
    assert desk.call(install, HANDLER, window, 0) == 0
    assert desk.call(install, HANDLER, window, 5) == ResultCode.duplicateHandlerErr
    assert desk.call(remove, OTHER, window) == ResultCode.handlerNotFoundErr
    assert desk.call(remove, HANDLER, window) == 0
    assert desk.call(remove, HANDLER, window) == ResultCode.handlerNotFoundErr
    assert desk.call(remove, HANDLER, ALL_WINDOWS) == 0


def test_handlers_of_one_kind_are_none_of_the_other(desk: Desktop) -> None:
    assert desk.call("InstallTrackingHandler", HANDLER, 0, 0) == 0
    assert desk.call("RemoveReceiveHandler", HANDLER, 0) == ResultCode.handlerNotFoundErr


def test_a_drag_is_given_up_when_the_button_is_let_go(desk: Desktop) -> None:
    place = desk.store(bytes(4))
    assert desk.call("NewDrag", place) == 0
    drag, bounds = desk.guest.u32(place), desk.rect(0, 0, 9, 9)
    assert desk.call("AddDragItemFlavor", drag, 1, "TEXT", place, 4, 0) == 0
    assert desk.call("SetDragItemBounds", drag, 1, bounds) == 0
    desk.press(Point(50, 50))
    desk.user(desk.move(60, 90), desk.mac.events.release_mouse)
    assert desk.call("TrackDrag", drag, 0, 0) == ResultCode.userCanceledErr
    assert not desk.mac.events.mouse_is_down()
    assert desk.call("DisposeDrag", drag) == 0
    for name, more in (
        ("DisposeDrag", ()),
        ("TrackDrag", (0, 0)),
        ("SetDragItemBounds", (1, bounds)),
        ("AddDragItemFlavor", (1, "TEXT", place, 4, 0)),
    ):
        assert desk.call(name, drag, *more) == ResultCode.badDragRefErr


def test_a_program_is_told_whether_the_mouse_moves_before_it_is_let_go(desk: Desktop) -> None:
    desk.press(Point(50, 50))
    desk.user(desk.move(52, 51), desk.mac.events.release_mouse)
    assert desk.call("WaitMouseMoved", Point(50, 50)) is False
    desk.press(Point(50, 50))
    desk.user(desk.move(50, 60), desk.mac.events.release_mouse)
    assert desk.call("WaitMouseMoved", Point(50, 50)) is True
    assert desk.mac.events.mouse_is_down()
