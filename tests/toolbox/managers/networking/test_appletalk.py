"""AppleTalk without a cable: nobody answers."""

from __future__ import annotations

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.hardware.system_drivers import IN_PROGRESS
from emu.toolbox.records.files import CntrlParam
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do, make_mac, run_code


def call(mac: Macintosh, name: str, block: int) -> int:
    result = do(mac, name, block, False)
    assert CntrlParam(mac.guest, block).ioResult == result
    return int(result)


def opened(mac: Macintosh) -> int:
    assert not do(mac, "IsMPPOpen")
    assert do(mac, "MPPOpen") == 0
    assert do(mac, "IsMPPOpen")
    assert do(mac, "OpenXPP", mac.memory.new_pointer(2)) == 0
    return mac.memory.new_pointer(128, clear=True)


def test_the_node_is_known_once_appletalk_is_open(mac: Macintosh) -> None:
    node, network = mac.memory.new_pointer(2), mac.memory.new_pointer(2)
    assert do(mac, "GetNodeAddress", node, network) == ResultCode.noMPPErr
    opened(mac)
    assert do(mac, "GetNodeAddress", node, network) == 0
    assert (mac.guest.u16(node), mac.guest.u16(network)) == (1, 0)
    assert do(mac, "GetBridgeAddress") == 0


def test_names_are_registered_and_none_is_found(mac: Macintosh) -> None:
    block = opened(mac)
    mac.guest.put16(block + 42, 7)
    assert call(mac, "PLookupName", block) == 0
    assert mac.guest.u16(block + 42) == 0
    assert call(mac, "PRemoveName", block) == ResultCode.nbpNotFound
    assert call(mac, "PRegisterName", block) == 0
    assert call(mac, "PRemoveName", block) == 0
    assert call(mac, "PConfirmName", block) == ResultCode.nbpNoConfirm
    assert call(mac, "PKillNBP", block) == ResultCode.cbNotFound
    assert do(mac, "NBPExtract", 0, 0, 1, 0, 0) == ResultCode.extractErr


def test_sockets_are_given_and_requests_fail(mac: Macintosh) -> None:
    block = opened(mac)
    numbers = []
    for name in ("POpenSkt", "POpenATPSkt"):
        mac.guest.put8(block + 28, 0)
        assert call(mac, name, block) == 0
        numbers.append(mac.guest.u8(block + 28))
    assert numbers == [128, 129]
    assert call(mac, "PWriteDDP", block) == 0
    assert call(mac, "PSendRequest", block) == ResultCode.reqFailed
    assert call(mac, "PGetRequest", block) == IN_PROGRESS
    assert call(mac, "PCloseATPSkt", block) == 0


def test_there_is_no_router_and_so_no_zone(mac: Macintosh) -> None:
    block = opened(mac)
    for name in ("GetZoneList", "GetLocalZones", "GetMyZone"):
        assert call(mac, name, block) == ResultCode.noBridgeErr


def test_self_send_is_remembered(mac: Macintosh) -> None:
    block = opened(mac)
    mac.guest.put8(block + 28, 1)
    assert call(mac, "PSetSelfSend", block) == 0
    assert mac.guest.u8(block + 29) == 0
    assert call(mac, "PSetSelfSend", block) == 0
    assert mac.guest.u8(block + 29) == 1


def test_a_name_is_put_together(mac: Macintosh) -> None:
    places = [mac.memory.new_pointer(16) for _ in range(3)]
    for place, part in zip(places, (b"Ada", b"Chess", b"*"), strict=True):
        mac.guest.put_pascal_string(place, part)
    entry = mac.memory.new_pointer(109)
    do(mac, "NBPSetNTE", entry, *places, 129)
    assert mac.guest.read(entry, 21) == bytes(7) + b"\x81\0\x03Ada\x05Chess\x01*"


def test_a_buffer_is_divided_into_packets(mac: Macintosh) -> None:
    elements = mac.memory.new_pointer(96, clear=True)
    assert do(mac, "BuildBDS", 0x1000, elements, 1000) == 2
    assert [mac.guest.u16(elements + 12 * n) for n in range(2)] == [578, 422]
    assert mac.guest.u32(elements + 14) == 0x1000 + 578


def test_68k_glue_calls_the_driver() -> None:
    mac = make_mac("68040")
    block = opened(mac)
    record = CntrlParam(mac.guest, block)
    record.ioCRefNum, record.csCode = -41, 246
    assert run_code(mac, "a004 4e75", a0=block)["d0"] & 0xFFFF == ResultCode.noBridgeErr & 0xFFFF
    record.ioCRefNum, record.csCode = -10, 200
    assert run_code(mac, "a004 4e75", a0=block)["d0"] & 0xFFFF == ResultCode.controlErr & 0xFFFF
