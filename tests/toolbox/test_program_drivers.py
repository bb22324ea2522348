"""Drivers that a program brings along: 68K code in a 'DRVR' resource, or in the unit table."""

from __future__ import annotations

import struct

import pytest

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.toolbox.computer.settings import Application
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.files import IOParam
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import DCtlEntry
from tests.toolbox.conftest import do, make_mac

UNIT = 50
REFERENCE = -1 - UNIT
NAME = b".Letters"
READ_AND_WRITE = 0x0300

# Open and Close count in dCtlStorage, from below and from above.
OPEN = "52a9 0014 7000 4e75"
CLOSE = "52a9 0014 06a9 0001 0000 0014 7000 4e75"
# Prime refuses to write (ioTrap ends in 3). It reads the letters AB and the position, says that all
# was read, and goes to IODone, as drivers do.
PRIME = (
    "3028 0006 b03c 0003 6604 70ec 4e75"
    "2029 0010 2268 0020 32fc 4142 2280 2168 0024 0028 7000 2078 08fc 4ed0"
)


def driver(open_: str = OPEN, flags: int = READ_AND_WRITE) -> bytes:
    """A driver: its header, its name, its routines."""
    name = bytes([len(NAME)]) + NAME + bytes(1 - len(NAME) % 2)
    codes = [bytes.fromhex(text) for text in (open_, PRIME, CLOSE)]
    start = 18 + len(name)
    places = [start + len(b"".join(codes[:index])) for index in range(3)]
    opening, prime, close = places
    header = struct.pack(">HhHh5h", flags, 0, 0, 0, opening, prime, close, close, close)
    return header + name + b"".join(codes)


def mac_with(data: bytes, cpu: str = "68040", kind: str = "DRVR") -> Macintosh:
    resource = Resource(kind, UNIT, NAME.decode(), 0, data)
    return make_mac(cpu, application=Application("Own", ResourceFork((resource,))))


def block_of(mac: Macintosh, reference: int = 0) -> IOParam:
    block = IOParam(mac.guest, mac.memory.new_pointer(IOParam.size, clear=True))
    block.ioNamePtr = mac.memory.new_pointer(64, clear=True)
    mac.guest.put_pascal_string(block.ioNamePtr, NAME.upper())
    block.ioRefNum, block.ioBuffer = reference, mac.memory.new_pointer(64, clear=True)
    block.ioReqCount = 6
    return block


def storage(mac: Macintosh) -> int:
    handle = do(mac, "GetDCtlEntry", REFERENCE)
    return int(DCtlEntry(mac.guest, mac.memory.address(handle)).dCtlStorage)


def call(mac: Macintosh, name: str, block: IOParam) -> int:
    """The result of PBOpen, PBRead and so on, by the name that a program for the processor uses."""
    kind = "Sync" if mac.cpu.architecture == "powerpc" else ""
    return int(do(mac, f"PB{name}{kind}", block.address))


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_driver_of_a_resource_is_opened_read_and_closed(cpu: str) -> None:
    mac = mac_with(driver(), cpu)
    block = block_of(mac)
    assert call(mac, "Open", block) == 0
    assert (block.ioRefNum, storage(mac)) == (REFERENCE, 1)
    assert call(mac, "Open", block) == 0
    assert storage(mac) == 1  # it is open, and is not asked again
    block.ioPosMode, block.ioPosOffset = 1, 512
    assert call(mac, "Read", block) == 0
    assert mac.guest.read(block.ioBuffer, 6) == b"AB" + (512).to_bytes(4, "big")
    assert (block.ioActCount, block.ioResult) == (6, 0)
    block.ioPosMode, block.ioPosOffset = 3, 8
    assert call(mac, "Read", block) == 0
    assert mac.guest.u32(block.ioBuffer + 2) == 520
    assert call(mac, "Write", block) == ResultCode.writErr
    assert block.ioResult == ResultCode.writErr
    assert call(mac, "Close", block) == 0
    assert storage(mac) == 0x10002
    assert call(mac, "Read", block) == ResultCode.notOpenErr
    assert call(mac, "Close", block) == ResultCode.notOpenErr


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_driver_that_was_installed_is_found_by_its_name(cpu: str) -> None:
    mac = mac_with(driver(), cpu, kind="Code")
    block = block_of(mac)
    reference = mac.memory.new_pointer(2)
    assert do(mac, "OpenDriver", block.ioNamePtr, reference) == ResultCode.fnfErr
    place = mac.memory.new_pointer(len(driver()))
    mac.guest.write(place, driver())
    assert do(mac, "DriverInstall", place, 5) == ResultCode.badUnitErr
    assert do(mac, "DriverInstall", place, REFERENCE) == 0
    assert do(mac, "OpenDriver", block.ioNamePtr, reference) == 0
    assert (mac.guest.i16(reference), storage(mac)) == (REFERENCE, 1)
    assert do(mac, "DriverRemove", REFERENCE) == ResultCode.dRemovErr
    assert do(mac, "CloseDriver", REFERENCE) == 0
    assert do(mac, "DriverRemove", REFERENCE) == 0
    assert do(mac, "CloseDriver", REFERENCE) == ResultCode.badUnitErr


def test_a_driver_that_refuses_to_open_stays_closed() -> None:
    mac = mac_with(driver(open_="70e9 4e75"))
    block = block_of(mac)
    assert do(mac, "PBOpen", block.address) == -23  # openErr, as the driver says
    assert do(mac, "PBRead", block.address) == ResultCode.notOpenErr


def test_flags_say_whether_a_driver_reads_and_writes() -> None:
    mac = mac_with(driver(flags=0))
    block = block_of(mac)
    assert do(mac, "PBOpen", block.address) == 0
    assert do(mac, "PBRead", block.address) == ResultCode.readErr
    assert do(mac, "PBWrite", block.address) == ResultCode.writErr


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_what_is_no_driver_is_not_opened(cpu: str) -> None:
    mac = mac_with(b"short", cpu)
    assert call(mac, "Open", block_of(mac)) < 0
