"""The driver of the screen."""

from __future__ import annotations

import pytest

from emu.toolbox.computer.settings import Settings
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.quickdraw.color.video_driver import (
    VDFlagRecord,
    VDPageInfo,
    VDSetEntryRecord,
)
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.quickdraw import GDevice
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do, make_mac


@pytest.fixture(params=["68040", "601"])
def mac(request: pytest.FixtureRequest) -> Macintosh:
    """A screen of 256 colours."""
    return make_mac(request.param, settings=Settings(depth=8))


def driver_of(mac: Macintosh) -> int:
    """The reference number that the screen's device names."""
    return int(GDevice(mac.guest, mac.memory.address(do(mac, "GetMainDevice"))).gdRefNum)


def call(mac: Macintosh, code: int, parameters: int, *, asks: bool) -> int:
    """Send a command, or ask; the result code."""
    block = CntrlParam(mac.guest, mac.memory.new_pointer(CntrlParam.size, clear=True))
    block.ioCRefNum, block.csCode = driver_of(mac), code
    mac.guest.put32(block.address + CntrlParam.csParam.offset, parameters)
    kind = "PBStatus" if asks else "PBControl"
    name = kind if mac.cpu.architecture == "m68k" else f"{kind}Sync"
    result = int(do(mac, name, block.address))
    assert block.ioResult == result
    return result


def test_it_tells_mode_pages_and_where_the_pixels_are(mac: Macintosh) -> None:
    page = VDPageInfo(mac.guest, mac.memory.new_pointer(VDPageInfo.size, clear=True))
    assert call(mac, 2, page.address, asks=True) == 0
    assert (page.csMode, page.csPage, page.csBaseAddr) == (131, 0, mac.layout.screen)
    assert call(mac, 4, page.address, asks=True) == 0
    assert page.csPage == 1
    page.csPage = 0
    assert call(mac, 2, page.address, asks=False) == 0, "the mode that it has"
    page.csMode = 128
    assert call(mac, 2, page.address, asks=False) == ResultCode.controlErr
    assert call(mac, 0, page.address, asks=False) == 0
    assert page.csMode == 131
    assert call(mac, 8, page.address, asks=True) == ResultCode.statusErr
    assert call(mac, 5, page.address, asks=False) == ResultCode.controlErr
    assert call(mac, 2, 0xFFFFFFF0, asks=True) == ResultCode.paramErr
    assert not mac.outputs.findings


def test_colours_that_are_set_are_answered_and_leave_the_table_alone(mac: Macintosh) -> None:
    table = mac.memory.new_pointer(16, clear=True)
    entries = VDSetEntryRecord(mac.guest, mac.memory.new_pointer(8, clear=True))
    entries.csTable, entries.csStart, entries.csCount = table, 254, 1
    before = mac.memory.contents(mac.quickdraw_devices.screen_table())
    mac.guest.write(table, bytes.fromhex("0000123456789abc 0000111122223333"))
    assert call(mac, 3, entries.address, asks=False) == 0
    mac.guest.write(table, bytes(16))
    assert call(mac, 3, entries.address, asks=True) == 0
    assert mac.guest.read(table, 16).hex() == "0000123456789abc0000111122223333"
    assert mac.memory.contents(mac.quickdraw_devices.screen_table()) == before
    mac.guest.write(table, bytes.fromhex("00fe") + bytes(6) + bytes.fromhex("0000") + bytes(6))
    entries.csStart = -1
    assert call(mac, 3, entries.address, asks=True) == 0
    assert mac.guest.read(table, 16).hex() == "00fe123456789abc0000ffffffffffff", "white is 0"
    entries.csStart = 255
    assert call(mac, 3, entries.address, asks=True) == ResultCode.paramErr
    entries.csStart, entries.csTable = 0, 0xFFFFFFF0
    assert call(mac, 3, entries.address, asks=False) == ResultCode.paramErr


def test_flags_are_kept(mac: Macintosh) -> None:
    flag = VDFlagRecord(mac.guest, mac.memory.new_pointer(12, clear=True))
    flag.csMode = 1
    assert call(mac, 6, flag.address, asks=False) == 0
    flag.csMode = 0
    assert call(mac, 6, flag.address, asks=True) == 0
    assert flag.csMode == 1
    assert call(mac, 9, flag.address, asks=True) == 0
    assert flag.csMode == 131
