"""MacTCP's driver without a cable."""

from __future__ import annotations

import pytest

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.hardware.system_drivers import IN_PROGRESS
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do, make_mac

GET_ADDRESS, ECHO = 15, 17
UDP_CREATE, UDP_READ, UDP_WRITE, UDP_RELEASE, UDP_SIZE = 20, 21, 23, 24, 25
TCP_CREATE, TCP_LISTEN, TCP_OPEN, TCP_SEND, TCP_ABORT, TCP_STATUS = 30, 31, 32, 34, 39, 40


class Driver:
    """.IPP, opened, with a parameter block."""

    def __init__(self, mac: Macintosh) -> None:
        self.mac, self.block = mac, mac.memory.new_pointer(128, clear=True)
        name, reference = mac.memory.new_pointer(8), mac.memory.new_pointer(2)
        mac.guest.put_pascal_string(name, b".IPP")
        assert do(mac, "OpenDriver", name, reference) == 0
        CntrlParam(mac.guest, self.block).ioCRefNum = mac.guest.i16(reference)

    def call(self, code: int) -> int:
        CntrlParam(self.mac.guest, self.block).csCode = code
        later = () if self.mac.cpu.architecture == "m68k" else (False,)
        return int(do(self.mac, "PBControl", self.block, *later))


@pytest.fixture
def driver(mac: Macintosh) -> Driver:
    return Driver(mac)


def test_the_machine_has_an_address_of_those_for_examples(driver: Driver) -> None:
    assert driver.call(GET_ADDRESS) == 0
    assert driver.mac.guest.u32(driver.block + 28) == 0xC0000201
    assert driver.call(ECHO) == ResultCode.icmpEchoTimeoutErr
    assert driver.call(99) == ResultCode.controlErr


def test_packets_go_out_and_are_kept(driver: Driver) -> None:
    guest, new = driver.mac.guest, driver.mac.memory.new_pointer
    assert driver.call(UDP_CREATE) == 0
    assert guest.u16(driver.block + 44), "it is given a port"
    pieces, first, second = new(14, clear=True), new(4), new(4)
    guest.write(first, b"log:")
    guest.write(second, b"done")
    for place, data in ((pieces, first), (pieces + 6, second)):
        guest.put16(place, 4)
        guest.put32(place + 2, data)
    guest.put32(driver.block + 40, pieces)
    assert driver.call(UDP_WRITE) == 0
    assert bytes(driver.mac.outputs.datagrams) == b"log:done\n"
    assert driver.call(UDP_SIZE) == 0
    assert guest.u16(driver.block + 32) == 1472


def test_waiting_ends_when_the_stream_does(driver: Driver) -> None:
    assert driver.call(UDP_CREATE) == 0
    assert driver.call(UDP_READ) == IN_PROGRESS
    waiting = CntrlParam(driver.mac.guest, driver.block)
    assert waiting.ioResult == IN_PROGRESS
    assert driver.call(UDP_RELEASE) == 0
    assert driver.call(UDP_READ) == ResultCode.invalidStreamPtr


def test_no_connection_is_made(driver: Driver) -> None:
    assert driver.call(TCP_CREATE) == 0
    assert driver.call(TCP_OPEN) == ResultCode.openFailed
    assert driver.call(TCP_LISTEN) == IN_PROGRESS
    assert driver.call(TCP_STATUS) == 0
    assert driver.call(TCP_SEND) == ResultCode.connectionDoesntExist
    assert driver.call(TCP_ABORT) == 0


def test_a_call_that_waits_is_completed_with_an_error() -> None:
    mac = make_mac("68040")
    driver = Driver(mac)
    assert driver.call(TCP_CREATE) == 0
    stream = mac.guest.u32(driver.block + 28)
    other = mac.memory.new_pointer(128, clear=True)
    listening = driver.block
    assert driver.call(TCP_LISTEN) == IN_PROGRESS
    CntrlParam(mac.guest, other).ioCRefNum = CntrlParam(mac.guest, listening).ioCRefNum
    mac.guest.put32(other + 28, stream)
    driver.block = other
    assert driver.call(TCP_ABORT) == 0
    assert CntrlParam(mac.guest, listening).ioResult == ResultCode.connectionTerminated
