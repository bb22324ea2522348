"""Serial ports with nothing connected: what goes out is kept, and nothing comes in."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.networking.serial_ports import SerStaRec
from emu.toolbox.records.files import CntrlParam, IOParam
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do, make_mac, run_code

OUTPUT, INPUT = -7, -6


def text(mac: Macintosh, raw: bytes) -> int:
    place = mac.memory.new_pointer(256)
    mac.guest.put_pascal_string(place, raw)
    return place


def open_driver(mac: Macintosh, name: bytes) -> int:
    place = mac.memory.new_pointer(2)
    assert do(mac, "OpenDriver", text(mac, name), place) == 0
    return mac.guest.i16(place)


def written(mac: Macintosh, reference: int, data: bytes) -> int:
    count, buffer = mac.memory.new_pointer(4), mac.memory.new_pointer(len(data))
    mac.guest.put32(count, len(data))
    mac.guest.write(buffer, data)
    return int(do(mac, "FSWrite", reference, count, buffer))


def test_what_is_written_is_kept(mac: Macintosh) -> None:
    assert open_driver(mac, b".AOut") == OUTPUT
    assert open_driver(mac, b".bout") == -9, "names have no case"
    assert written(mac, OUTPUT, b"ATZ\r") == 0
    assert written(mac, -9, b"to the printer") == 0
    assert bytes(mac.outputs.serial) == b"ATZ\rto the printer"
    assert not mac.outputs.findings


def test_a_port_is_opened_by_a_parameter_block_too(mac: Macintosh) -> None:
    block = IOParam(mac.guest, mac.memory.new_pointer(128, clear=True))
    block.ioNamePtr = text(mac, b".AOut")
    assert do(mac, "PBOpenSync", block.address) == 0
    assert block.ioRefNum == OUTPUT
    data = mac.memory.new_pointer(4)
    mac.guest.write(data, b"ping")
    block.ioBuffer, block.ioReqCount = data, 4
    assert do(mac, "PBWriteSync", block.address) == 0
    assert block.ioActCount == 4
    assert bytes(mac.outputs.serial) == b"ping"
    assert do(mac, "PBCloseSync", block.address) == 0
    assert do(mac, "PBWriteSync", block.address) == ResultCode.notOpenErr


def test_nothing_has_come_in(mac: Macintosh) -> None:
    reference, count = open_driver(mac, b".AIn"), mac.memory.new_pointer(4)
    mac.guest.put32(count, 99)
    assert do(mac, "SerGetBuf", reference, count) == 0
    assert mac.guest.u32(count) == 0
    state = SerStaRec(mac.guest, mac.memory.new_pointer(SerStaRec.size))
    state.ctsHold = 1
    assert do(mac, "SerStatus", reference, state.address) == 0
    assert state.ctsHold == 0


def test_waiting_for_bytes_ends_the_run_and_says_why(mac: Macintosh) -> None:
    reference, count = open_driver(mac, b".AIn"), mac.memory.new_pointer(4)
    mac.guest.put32(count, 0)
    assert do(mac, "FSRead", reference, count, 0) == 0
    mac.guest.put32(count, 12)
    with pytest.raises(GuestStopError, match=r"waits for 12 bytes from the serial port \.AIn"):
        do(mac, "FSRead", reference, count, mac.memory.new_pointer(12))


@pytest.mark.parametrize("by_parameter_block", [False, True])
def test_asking_for_nothing_else_ends_the_run_and_says_why(
    mac: Macintosh, by_parameter_block: bool
) -> None:
    reference, place = open_driver(mac, b".AIn"), mac.memory.new_pointer(128, clear=True)
    block = CntrlParam(mac.guest, place)
    block.ioCRefNum, block.csCode = reference, 2
    later = () if mac.cpu.architecture == "m68k" else (False,)

    def ask() -> None:
        if by_parameter_block:
            do(mac, "PBStatus", block.address, *later)
        else:
            do(mac, "SerGetBuf", reference, place)

    for _ in range(6):  # who also looks for events may wait for ever
        ask()
        mac.host.clock.wait(100_000_000)
        do(mac, "Button")
    for _ in range(3):
        ask()
        mac.host.clock.wait(100_000_000)
    ask()
    mac.host.clock.wait(100_000_000)
    with pytest.raises(GuestStopError, match=r"whether bytes have come from the serial port \.AIn"):
        ask()


def test_settings_are_taken_once_the_port_is_open(mac: Macintosh) -> None:
    for name, arguments in (
        ("SerReset", (10,)),
        ("SerSetBuf", (0, 0)),
        ("SerHShake", (0,)),
        ("SerSetBrk", ()),
        ("SerClrBrk", ()),
    ):
        assert do(mac, name, OUTPUT, *arguments) == ResultCode.notOpenErr
    open_driver(mac, b".AOut")
    assert do(mac, "SerReset", OUTPUT, 10) == 0
    assert do(mac, "SerReset", -30, 10) == ResultCode.badUnitErr
    assert do(mac, "RAMSDOpen", 1) == 0
    assert do(mac, "SerReset", -9, 10) == 0
    do(mac, "RAMSDClose", 1)
    assert do(mac, "SerReset", -9, 10) == ResultCode.notOpenErr


def test_glue_of_68k_programs_sends_commands(mac: Macintosh) -> None:
    open_driver(mac, b".AIn")
    block = CntrlParam(mac.guest, mac.memory.new_pointer(128, clear=True))
    later = () if mac.cpu.architecture == "m68k" else (False,)
    block.ioCRefNum, block.csCode = INPUT, 8
    assert do(mac, "PBControl", block.address, *later) == 0
    block.csCode = 99
    assert do(mac, "PBControl", block.address, *later) == ResultCode.controlErr
    assert block.ioResult == ResultCode.controlErr
    block.csCode = 2
    assert do(mac, "PBStatus", block.address, *later) == 0
    block.csCode = 3
    assert do(mac, "PBStatus", block.address, *later) == ResultCode.statusErr


def test_an_asynchronous_command_calls_back() -> None:
    """68K: the completion routine is called by the form of the trap that is asynchronous."""
    mac = make_mac("68040")
    open_driver(mac, b".AIn")
    block = CntrlParam(mac.guest, mac.memory.new_pointer(128, clear=True))
    seen = mac.memory.new_pointer(4, clear=True)
    code = bytes.fromhex(f"23c8{seen:08x} 4e75")  # move.l a0,seen; rts
    block.ioCompletion = mac.memory.new_pointer(len(code))
    mac.guest.write(block.ioCompletion, code)
    block.ioCRefNum, block.csCode = INPUT, 8
    run_code(mac, "a004 4e75", a0=block.address)
    assert mac.guest.u32(seen) == 0
    run_code(mac, "a404 4e75", a0=block.address)
    assert mac.guest.u32(seen) == block.address


def test_a_command_by_reference_number() -> None:
    mac = make_mac("601")
    reference = open_driver(mac, b".AIn")
    answer = mac.memory.new_pointer(22)
    mac.guest.write(answer, b"\xff" * 22)
    assert do(mac, "Status", reference, 2, answer) == 0
    assert mac.guest.u32(answer) == 0
    assert do(mac, "Control", reference, 8, answer) == 0
    assert do(mac, "KillIO", reference) == 0
    assert do(mac, "Control", -30, 8, answer) == ResultCode.badUnitErr
    assert do(mac, "CloseDriver", reference) == 0
    assert do(mac, "CloseDriver", reference) == ResultCode.notOpenErr
