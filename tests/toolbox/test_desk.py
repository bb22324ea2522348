"""Desk accessories: a driver that a program installs, as THINK C's console does, and its events."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.windows.frames import IN_CONTENT, IN_SYSTEM_WINDOW
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.system import DCtlEntry, DriverHeader, EventRecord, VBLTask
from emu.toolbox.records.windows import WindowRecord
from tests.toolbox.conftest import do
from tests.toolbox.window_kit import FRONT, Desktop

REFERENCE = -28
NEEDS_TIME, OPEN, IN_HANDLE = 0x2000, 0x20, 0x40
KEY_DOWN, KEY_DOWNS = 3, 1 << 3
NO_UNIT, STILL_OPEN = -21, -25
EVERY_EVENT = 0xFFFF
ACC_EVENT, ACC_RUN, ACC_CURSOR, ACC_COPY = 64, 65, 66, 70


class Accessory:
    """A driver whose control routine keeps the last command and its parameter, and counts."""

    def __init__(self, desktop: Desktop, window: int) -> None:
        self.mac = mac = desktop.mac
        self.seen = mac.memory.new_pointer(8, clear=True)
        # addq.w #1,seen; move.w csCode(a0),seen+2; move.l csParam(a0),seen+4. It changes D3, as a
        # driver may, and gives 0: moveq #-1,d3; moveq #0,d0; rts
        control = bytes.fromhex(
            f"5279{self.seen:08x}33e8001a{self.seen + 2:08x}23e8001c{self.seen + 4:08x}76ff70004e75"
        )
        self.driver = mac.memory.new_handle(DriverHeader.size + len(control), clear=True)
        place = mac.memory.address(self.driver)
        header = DriverHeader(mac.guest, place)
        header.drvrCtl = DriverHeader.size
        mac.guest.write(place + DriverHeader.size, control)
        assert do(mac, "DriverInstall", place, REFERENCE) == 0
        self._entry: int = mac.engine.registers[mac.engine.index["a0"]]
        assert do(mac, "GetDCtlEntry", REFERENCE) == self._entry
        self.entry.dCtlDriver = self.driver
        self.entry.dCtlFlags, self.entry.dCtlEMask = IN_HANDLE | OPEN, KEY_DOWNS
        WindowRecord(mac.guest, window).windowKind = REFERENCE

    @property
    def entry(self) -> DCtlEntry:
        """What is kept of it; its block may move."""
        return DCtlEntry(self.mac.guest, self.mac.memory.address(self._entry))

    @property
    def last(self) -> tuple[int, int, int]:
        """How often it was called, the last command, and its parameter."""
        guest = self.mac.guest
        return guest.u16(self.seen), guest.u16(self.seen + 2), guest.u32(self.seen + 4)


@pytest.fixture
def desktop() -> Desktop:
    return Desktop("68040")


@pytest.fixture
def window(desktop: Desktop) -> int:
    made = desktop.window(100, 100, 200, 300)
    while do(desktop.mac, "GetNextEvent", EVERY_EVENT, event(desktop.mac)):
        do(desktop.mac, "BeginUpdate", made)
        do(desktop.mac, "EndUpdate", made)
    return made


def event(mac: Macintosh) -> int:
    return mac.memory.new_pointer(EventRecord.size, clear=True)


def test_keys_go_to_the_driver_of_the_front_window(desktop: Desktop, window: int) -> None:
    mac, place = desktop.mac, event(desktop.mac)
    accessory = Accessory(desktop, window)
    mac.events.press_key(0x240D)
    assert not do(mac, "GetNextEvent", EVERY_EVENT, place)
    assert accessory.last == (1, ACC_EVENT, place)
    assert EventRecord(mac.guest, place).what == KEY_DOWN
    # Not if the driver does not want such events, or if the program wants to have them itself.
    accessory.entry.dCtlEMask = 0
    mac.events.press_key(0x240D)
    assert do(mac, "GetNextEvent", EVERY_EVENT, place)
    accessory.entry.dCtlEMask = KEY_DOWNS
    mac.guest.put8(LowMemory.SYSTEM_EVENTS, 0)
    mac.events.press_key(0x240D)
    assert do(mac, "GetNextEvent", EVERY_EVENT, place)
    assert accessory.last[0] == 1
    assert do(mac, "SystemEvent", place)
    assert accessory.last[0] == 2


def test_keys_go_to_the_program_if_its_window_is_in_front(desktop: Desktop, window: int) -> None:
    mac, place = desktop.mac, event(desktop.mac)
    accessory = Accessory(desktop, window)
    desktop.window(50, 50, 90, 90)
    mac.events.press_key(0x240D)
    assert do(mac, "GetNextEvent", KEY_DOWNS, place)
    assert accessory.last[0] == 0


def test_time_the_cursor_and_edit_commands(desktop: Desktop, window: int) -> None:
    mac = desktop.mac
    accessory = Accessory(desktop, window)
    do(mac, "SystemTask")
    assert accessory.last == (1, ACC_CURSOR, 0)
    accessory.entry.dCtlFlags |= NEEDS_TIME
    do(mac, "HideWindow", window)
    do(mac, "SystemTask")
    assert accessory.last == (2, ACC_RUN, 0)
    assert not do(mac, "SystemEdit", 2)
    accessory.entry.dCtlDelay = 60
    do(mac, "SystemTask")
    assert accessory.last[0] == 2
    do(mac, "ShowWindow", window)
    assert do(mac, "SystemEdit", 2)
    assert accessory.last == (3, ACC_COPY, 0)


def test_a_click_goes_to_the_driver_through_system_click(desktop: Desktop, window: int) -> None:
    mac, place = desktop.mac, event(desktop.mac)
    record, found = EventRecord(mac.guest, place), mac.memory.new_pointer(4)
    record.what, record.where = 1, Point(150, 200)
    assert do(mac, "FindWindow", record.where, found) == IN_CONTENT
    accessory = Accessory(desktop, window)
    assert do(mac, "FindWindow", record.where, found) == IN_SYSTEM_WINDOW
    assert mac.guest.u32(found) == window
    do(mac, "SystemClick", place, window)
    assert accessory.last == (1, ACC_EVENT, place)
    # A click in a window behind another one only brings it to the front.
    desktop.window(50, 50, 90, 90)
    do(mac, "SystemClick", place, window)
    assert (mac.windows.front(), accessory.last[0]) == (window, 1)


def test_commands_and_removal(desktop: Desktop, window: int) -> None:
    mac = desktop.mac
    accessory = Accessory(desktop, window)
    block = CntrlParam(mac.guest, mac.memory.new_pointer(CntrlParam.size, clear=True))
    block.ioCRefNum, block.csCode, block.ioResult = REFERENCE, 7, 1
    assert do(mac, "PBControl", block.address) == block.ioResult == 0
    assert accessory.last == (1, 7, 0)
    assert do(mac, "DriverInstall", 0, 5) == NO_UNIT
    assert do(mac, "DriverRemove", REFERENCE) == STILL_OPEN
    accessory.entry.dCtlFlags = IN_HANDLE
    assert do(mac, "DriverRemove", REFERENCE) == 0
    assert do(mac, "GetDCtlEntry", REFERENCE) == 0
    assert do(mac, "PBControl", block.address) == block.ioResult == NO_UNIT
    assert not mac.outputs.findings


def test_only_windows_have_drivers(desktop: Desktop) -> None:
    assert desktop.mac.accessories.driver_of(FRONT) == 0


def test_a_program_that_only_calls_system_task_sees_time_pass(mac_68k: Macintosh) -> None:
    mac = mac_68k
    task = VBLTask(mac.guest, mac.memory.new_pointer(VBLTask.size, clear=True))
    task.qType, task.vblCount, task.vblAddr = 1, 3, mac.memory.new_pointer(2)
    mac.guest.write(task.vblAddr, bytes.fromhex("4e75"))
    do(mac, "VInstall", task.address)
    for _ in range(15):
        do(mac, "SystemTask")
    assert task.vblCount == 3
    for _ in range(30):
        do(mac, "SystemTask")
    assert task.vblCount == 0  # it has run
