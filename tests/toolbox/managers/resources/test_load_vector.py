"""Packed programs patch vCheckLoad, and expand their resources as these are loaded."""

from __future__ import annotations

import pytest

from emu.program.mac_file.resource_fork import Resource, ResourceFork, make_resource_fork
from emu.toolbox.computer.settings import Application
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.resources.map_chain import MapChain
from tests.toolbox.conftest import do, has_found, make_mac

OWN = (
    Resource("TEXT", 128, "", 0, b"Abc"),
    Resource("OTHR", 5, "", 0, b"x"),
    Resource("TEXT", -300, "", 0, b"Mno"),
    Resource("CODE", 1, "", 0, bytes.fromhex("00000000 4e75")),
)
VECTOR, RESOURCE_NOT_FOUND = 0xFC, -192
SEEN = 20
"""What the patch keeps: type, number, the entry's number and handle, and the map's address."""

# Keeps what it is given, calls the Mac's own routine, and adds 1 to the first byte of what it gave.
PATCH = (
    "2f0a 43f9 {seen:08x} 22c3 32c2 32d2 22ea0008 2294"  # MOVE.L A2,-(A7); LEA seen,A1; ...
    "207c {own:08x} 4e90"  # MOVEA.L #own,A0; JSR (A0)
    "2008 670a 2210 6706 2250 5211 2040 245f 4e75"
)
"""The end: MOVE.L A0,D0; BEQ; MOVE.L (A0),D1; BEQ; MOVEA.L (A0),A1; ADDQ.B #1,(A1); MOVEA.L D0,A0;
MOVEA.L (A7)+,A2; RTS."""
REFUSAL = "91c8 4e75"  # SUBA.L A0,A0; RTS


@pytest.fixture
def mac() -> Macintosh:
    mac = make_mac("68040", application=Application("Own", ResourceFork(OWN)))
    chain = mac.managers["resource_maps"]
    assert isinstance(chain, MapChain)
    chain.add(mac.resources.current, make_resource_fork(OWN))
    return mac


def patch(mac: Macintosh, code: str) -> int:
    """Install a patch of the vector; where it keeps what it sees."""
    seen, raw = mac.memory.new_pointer(SEEN, clear=True), bytes.fromhex(code.partition("{")[0])
    own = do(mac, "GetOSTrapAddress", VECTOR)
    raw = bytes.fromhex(code.format(seen=seen, own=own))
    place = mac.memory.new_pointer(len(raw))
    mac.guest.write(place, raw)
    do(mac, "SetOSTrapAddress", place, VECTOR)
    return seen


def contents(mac: Macintosh, handle: int) -> bytes:
    return bytes(mac.memory.contents(handle))


def test_the_patch_changes_what_is_loaded(mac: Macintosh) -> None:
    seen, guest = patch(mac, PATCH), mac.guest
    handle = do(mac, "GetResource", "TEXT", -300)
    assert contents(mac, handle) == b"Nno"
    assert guest.read(seen, 12) == b"TEXT" + (-300).to_bytes(2, signed=True) * 2 + bytes(4)
    map_address = guest.u32(guest.u32(LowMemory.TOP_MAP_HANDLE))
    assert guest.u32(seen + 12) == map_address
    # In memory already: the patch is asked all the same, and the entry has the handle.
    assert do(mac, "GetResource", "TEXT", -300) == handle
    assert contents(mac, handle) == b"Ono"
    assert guest.u32(seen + 8) == handle
    assert not has_found(mac, "register|stack")


def test_without_a_patch_nothing_is_changed(mac: Macintosh) -> None:
    assert contents(mac, do(mac, "GetResource", "TEXT", 128)) == b"Abc"


def test_every_road_to_a_resource_leads_through_the_patch(mac: Macintosh) -> None:
    patch(mac, PATCH)
    assert contents(mac, do(mac, "GetIndResource", "OTHR", 1)) == b"y"
    assert mac.resources.data("TEXT", 128) == b"Bbc"  # as the Toolbox itself uses it
    assert do(mac, "GetResource", "TEXT", 1) == 0
    assert do(mac, "ResError") == RESOURCE_NOT_FOUND


def test_set_res_load_holds_for_the_patch_too(mac: Macintosh) -> None:
    patch(mac, PATCH)
    do(mac, "SetResLoad", False)
    handle = do(mac, "GetResource", "TEXT", 128)
    assert handle and not mac.memory.address(handle)
    do(mac, "LoadResource", handle)  # does not ask what SetResLoad said
    assert contents(mac, handle) == b"Bbc"
    assert mac.guest.u16(LowMemory.RESOURCE_LOAD) == 0


def test_a_segment_of_the_program_is_loaded_by_the_patch(mac: Macintosh) -> None:
    seen = patch(mac, PATCH)
    assert mac.resources.get("CODE", 1)
    assert mac.guest.read(seen, 6) == b"CODE\0\1"


def test_a_patch_may_refuse(mac: Macintosh) -> None:
    patch(mac, REFUSAL)
    assert do(mac, "GetResource", "TEXT", 128) == 0


def test_a_resource_that_the_program_has_added_is_in_no_map(mac: Macintosh) -> None:
    patch(mac, REFUSAL)
    added = mac.memory.handle_from(b"new")
    do(mac, "AddResource", added, "TEXT", 200, 0)
    assert do(mac, "GetResource", "TEXT", 200) == added


@pytest.mark.parametrize("filler", [b"\0", b"\xff", b"\x7f"])
def test_a_map_that_the_program_has_written_over_has_nothing(mac: Macintosh, filler: bytes) -> None:
    patch(mac, REFUSAL)
    handle = mac.guest.u32(LowMemory.TOP_MAP_HANDLE)
    mac.guest.write(mac.memory.address(handle), filler * len(mac.memory.contents(handle)))
    assert contents(mac, do(mac, "GetResource", "TEXT", 128)) == b"Abc"


def test_the_mac_s_own_routine_comes_back(mac: Macintosh) -> None:
    own = do(mac, "GetOSTrapAddress", VECTOR)
    assert own != do(mac, "GetToolTrapAddress", 0x9F)  # Unimplemented
    patch(mac, REFUSAL)
    do(mac, "SetOSTrapAddress", own, VECTOR)
    assert contents(mac, do(mac, "GetResource", "TEXT", 128)) == b"Abc"


def test_what_is_no_map_has_no_resources(mac: Macintosh) -> None:
    entry = mac.memory.new_pointer(12, clear=True)
    handle = mac.memory.handle_from(bytes(4))
    assert do(mac, "vCheckLoad", entry, handle, "TEXT", 128) == 0
