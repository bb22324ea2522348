"""The Display Manager: one screen, which cannot be changed."""

from __future__ import annotations

import pytest

from tests.toolbox.conftest import run_code
from tests.toolbox.window_kit import Desktop

NOT_FOUND, CANNOT_BE_TOLD = -6229, -6228


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param, depth=8)


def test_there_is_one_screen_and_it_is_the_main_device(desk: Desktop) -> None:
    main, place = desk.call("GetMainDevice"), desk.store(bytes(4))
    assert desk.call("DMGetFirstScreenDevice", True) == main
    assert desk.call("DMGetNextScreenDevice", main, True) == 0
    assert desk.call("DMGetDisplayIDByGDevice", main, place, False) == 0
    number = desk.guest.u32(place)
    assert desk.call("DMGetGDeviceByDisplayID", number, place, False) == 0
    assert desk.guest.u32(place) == main
    assert desk.call("DMGetGDeviceByDisplayID", number + 1, place, False) == NOT_FOUND
    assert desk.call("DMGetGDeviceByDisplayID", number + 1, place, True) == 0


def test_what_it_shows_is_told_and_stays(desk: Desktop) -> None:
    main, place = desk.call("GetMainDevice"), desk.store(bytes(16))
    assert desk.call("DMGetDisplayMode", main, place) == 0
    assert desk.guest.u16(place) == desk.call("HasDepth", main, 8, 0, 0)
    assert desk.guest.u32(place + 8) == desk.mac.layout.screen
    assert desk.call("DMSetDisplayMode", main, 1, 0, 0, 0) == CANNOT_BE_TOLD
    assert desk.call("DMNewDisplayModeList", 1, 0, 0, 0, 0) == CANNOT_BE_TOLD
    assert desk.call("DMSetMainDisplay", main, 0) == 0
    assert desk.call("DMSetMainDisplay", 0, 0) == NOT_FOUND
    state = desk.store(bytes(4))
    assert desk.call("DMBeginConfigureDisplays", state) == 0
    assert desk.call("DMEndConfigureDisplays", desk.guest.u32(state)) == 0
    desk.guest.put8(place, 1)
    assert desk.call("DMIsMirroringOn", place) == 0
    assert desk.guest.u8(place) == 0


def test_the_selector_is_in_d0() -> None:
    mac = Desktop("68040", depth=8).mac
    code = "42a7 1f3c 0001 7000 abeb 201f 4e75"  # a result, TRUE, selector 0
    assert run_code(mac, code.replace(" ", ""))["d0"] == mac.quickdraw_devices.get_main_device()
