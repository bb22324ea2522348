"""The screen's video driver: colours that are seen and that no table knows."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from emu.toolbox.computer.settings import Settings
from emu.toolbox.managers.quickdraw.color.video_driver import VDEntryRecord, VDPageInfo
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.quickdraw import GDevice
from tests.toolbox.conftest import make_mac
from tests.toolbox.quickdraw_kit import Drawing

RED = (255, 0, 0)


@pytest.fixture(params=["68040", "601"])
def draw(request: pytest.FixtureRequest) -> Drawing:
    return Drawing(make_mac(request.param, settings=Settings(depth=8)))


def ask(draw: Drawing, name: str, code: int, record: int) -> int:
    device = draw.mac.memory.address(draw.call("GetMainDevice"))
    block = CntrlParam(draw.guest, draw.store(bytes(CntrlParam.size)))
    block.ioCRefNum, block.csCode = GDevice(draw.guest, device).gdRefNum, code
    draw.guest.put32(block.address + CntrlParam.csParam.offset, record)
    if draw.mac.cpu.name == "601":
        name += "Sync"
    result: int = draw.call(name, block.address)
    return result


def entries(draw: Drawing, start: int, *colors: tuple[int, int, int, int]) -> VDEntryRecord:
    record = VDEntryRecord(draw.guest, draw.store(bytes(VDEntryRecord.size)))
    words = [word for value, *parts in colors for word in (value, *(257 * part for part in parts))]
    record.csTable = draw.store(np.array(words, ">u2").tobytes())
    record.csStart, record.csCount = start, len(colors) - 1
    return record


def seen(draw: Drawing) -> tuple[int, ...]:
    """The colour of the upper left pixel of a picture of the screen."""
    picture = Image.open(BytesIO(draw.mac.windows.screen_picture())).convert("RGB")
    color = picture.getpixel((0, 0))
    assert isinstance(color, tuple)
    return color


def test_colors_of_the_driver_are_seen_and_are_in_no_table(draw: Drawing) -> None:
    draw.call("PaintRect", draw.rect(0, 0, 10, 10))
    wanted = entries(draw, 254, (0, 1, 2, 3), (0, *RED))
    assert ask(draw, "PBControl", 3, wanted.address) == 0
    assert seen(draw) == RED
    black = draw.store(bytes(6))
    draw.call("GetCPixel", 0, 0, black)
    assert draw.guest.read(black, 6) == bytes(6)
    told = entries(draw, -1, (254, 0, 0, 0), (255, 0, 0, 0), (999, 7, 7, 7))
    assert ask(draw, "PBStatus", 3, told.address) == 0
    words = np.frombuffer(draw.guest.read(told.csTable, 24), ">u2")
    assert words.tolist() == [254, 257, 514, 771, 255, 65535, 0, 0, 999, 1799, 1799, 1799]
    draw.call("SetEntries", 0, 0, wanted.csTable)  # the Color Manager sets what is seen, too
    assert seen(draw) == (0, 0, 0)


def test_colors_are_set_by_their_values(draw: Drawing) -> None:
    draw.call("PaintRect", draw.rect(0, 0, 10, 10))
    assert ask(draw, "PBControl", 3, entries(draw, -1, (3, 9, 9, 9), (255, *RED)).address) == 0
    assert seen(draw) == RED


def test_the_driver_tells_its_mode_and_its_gamma_table(draw: Drawing) -> None:
    page = VDPageInfo(draw.guest, draw.store(bytes(VDPageInfo.size)))
    assert ask(draw, "PBStatus", 2, page.address) == 0
    assert (page.csMode, page.csBaseAddr) == (131, draw.mac.layout.screen)
    assert ask(draw, "PBControl", 2, page.address) == 0
    page.csMode = 128
    assert ask(draw, "PBControl", 2, page.address) == -50
    assert ask(draw, "PBStatus", 9, page.address) == 0
    assert draw.guest.u8(page.address) == 131, "the mode after a restart"
    for name, code in (("PBStatus", 2), ("PBStatus", 3), ("PBControl", 3)):
        assert ask(draw, name, code, 0xFFFFFFF0) == -50, "no memory is there"
    place = draw.store(bytes(4))
    assert ask(draw, "PBStatus", 8, place) == 0
    table = draw.guest.u32(place)
    assert draw.guest.read(table, 16) == bytes.fromhex("00000000 00000001 01000008 00010203")
    other = draw.store(draw.guest.read(table, 12) + bytes(768))
    draw.guest.put32(place, other)
    assert ask(draw, "PBControl", 4, place) == ask(draw, "PBStatus", 8, place) == 0
    assert draw.guest.u32(place) == table
    assert draw.guest.read(table + 12, 256) == bytes(256)
    assert ask(draw, "PBControl", 99, place) == -17
    assert ask(draw, "PBStatus", 99, place) == -18


def test_the_driver_fills_the_screen_with_gray(draw: Drawing) -> None:
    page = VDPageInfo(draw.guest, draw.store(bytes(VDPageInfo.size)))
    assert ask(draw, "PBControl", 5, page.address) == 0
    assert [seen(draw), draw.black()] == [(0, 0, 0), 640 * 480 // 2]


def test_a_black_and_white_machine_has_no_driver() -> None:
    draw = Drawing(make_mac("68000", settings=Settings(depth=1)))
    assert draw.mac.system_drivers.open(b".Display_Video") == 0


def test_a_table_that_is_written_back_is_drawn_by_and_not_seen(draw: Drawing) -> None:
    """As games do between fading out and fading in: Barrack's title had two colours left."""
    mac = draw.mac
    handle = mac.quickdraw_devices.screen_table()
    colors = mac.memory.contents(handle)
    black = draw.store(b"".join(place.to_bytes(2, "big") + bytes(6) for place in range(256)))
    draw.call("SetEntries", 0, 255, black)
    draw.guest.write(mac.memory.address(handle), colors)  # with its former seed
    draw.call("ForeColor", 205)
    draw.call("PaintRect", draw.rect(0, 0, 10, 10))
    assert seen(draw) == (0, 0, 0)
    draw.call("SetEntries", 0, 255, draw.store(colors[8:]))
    assert seen(draw) == (221, 0, 0)
