"""Choices for the next start, pages that always stay, and buses without devices."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.files import DrvQEl
from tests.toolbox.conftest import do, make_mac, run_code


@pytest.mark.parametrize("name, size", [("Startup", 4), ("Video", 2), ("OS", 2)])
def test_what_is_chosen_for_the_next_start_is_kept(mac: Macintosh, name: str, size: int) -> None:
    place = mac.memory.new_pointer(8, clear=True)
    get, choose = (
        ("GetDefaultStartup", "SetDefaultStartup")
        if name == "Startup"
        else (f"Get{name}Default", f"Set{name}Default")
    )
    mac.guest.write(place, b"abcdefgh")
    do(mac, choose, place)
    mac.guest.write(place, bytes(8))
    do(mac, get, place)
    assert mac.guest.read(place, 8) == b"abcdefgh"[:size] + bytes(8 - size)


def test_the_system_that_starts_is_the_macintoshs(mac: Macintosh) -> None:
    place = mac.memory.new_pointer(2)
    do(mac, "GetOSDefault", place)
    assert mac.guest.read(place, 2) == b"\0\1"


def test_pages_stay_where_they_are_by_the_selector_in_d0(mac_68k: Macintosh) -> None:
    for selector in range(5):
        code = f"70{selector:02x} a05c 4e75".replace(" ", "")
        assert run_code(mac_68k, code, a0=mac_68k.layout.heap, a1=100)["d0"] == 0
    assert mac_68k.calls["UnholdMemory"] == mac_68k.calls["LockMemoryContiguous"] == 1


def test_a_function_that_waits_for_page_faults_runs_at_once(mac_68k: Macintosh) -> None:
    function, seen = mac_68k.memory.new_pointer(8), mac_68k.memory.new_pointer(4, clear=True)
    mac_68k.guest.write(function, bytes.fromhex("20bc 1234 5678 4e75"))  # MOVE.L #,(A0); RTS
    assert do(mac_68k, "DeferUserFn", function, seen) == 0
    assert mac_68k.guest.u32(seen) == 0x12345678


def test_a_drive_that_is_added_is_the_last_of_the_queue() -> None:
    mac = make_mac("68040")
    element = mac.memory.new_pointer(DrvQEl.size, clear=True)
    run_code(mac, "a04e 4e75", d0=9 << 16 | 0xFFD0, a0=element)
    first = DrvQEl(mac.guest, mac.guest.u32(LowMemory.DRIVE_QUEUE + 2))
    assert first.qLink == element == mac.guest.u32(LowMemory.DRIVE_QUEUE + 6)
    drive = DrvQEl(mac.guest, element)
    assert (drive.dQDrive, drive.dQRefNum) == (9, 0xFFD0 - 0x10000)


def test_no_device_of_the_desktop_bus_takes_a_command(mac: Macintosh) -> None:
    none = -1
    arguments = (0, 0, 0, 0x2C) if mac.cpu.architecture == "powerpc" else (0, 0x2C)
    assert do(mac, "ADBOp", *arguments) == none
    assert do(mac, "SetADBInfo", 0, 3) == none
