"""The System file has what programs ask for, and is searched behind their own files."""

from __future__ import annotations

import struct

import pytest

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.toolbox.computer.settings import Application
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.dialogs.items import (
    CONTROL_ITEM,
    EDIT_TEXT,
    STATIC_TEXT,
    USER_ITEM,
)
from emu.toolbox.records.files import FCB, VCB
from tests.toolbox.conftest import do, make_mac, run_code
from tests.toolbox.window_kit import FRONT, Desktop

OWN = Resource("TEXT", 128, "", 0, b"one")
BUTTON = CONTROL_ITEM


def test_the_system_file_is_searched_last() -> None:
    mac = make_mac("68040", application=Application("Own", ResourceFork((OWN,))))
    pattern = mac.memory.new_pointer(8)
    do(mac, "GetIndPattern", pattern, 0, 4)
    assert mac.guest.read(pattern, 8) == bytes.fromhex("aa55aa55aa55aa55")
    do(mac, "GetIndPattern", pattern, 0, 38)
    assert mac.guest.read(pattern, 8) == bytes.fromhex("0008142a552a1408")
    icon = do(mac, "GetIcon", 1)
    assert len(mac.memory.contents(icon)) == 128
    assert do(mac, "HomeResFile", icon) == 0
    assert do(mac, "Get1Resource", "ICON", 1) == 0
    assert do(mac, "GetResource", "TEXT", 128) != 0
    do(mac, "UseResFile", 0)
    assert do(mac, "GetResource", "TEXT", 128) == 0
    assert do(mac, "Get1Resource", "ICON", 1) == icon
    assert mac.outputs.findings == {}
    do(mac, "CloseResFile", 0)
    assert [finding.problem for finding in mac.outputs.findings.values()] == [
        "the program closed the System file"
    ]


def test_the_system_file_has_a_control_block_as_compilers_glue_reads_it() -> None:
    mac = make_mac("68040")
    guest = mac.guest
    reference, blocks = guest.u16(LowMemory.SYSTEM_MAP), guest.u32(LowMemory.FILE_CONTROL_BLOCKS)
    # As TattleTech 2.17 does, with FSFCBLen for the length of a block.
    assert reference % guest.u16(LowMemory.FILE_CONTROL_BLOCK_LENGTH) == 2
    assert reference < guest.u16(blocks)
    block = FCB(guest, blocks + reference)
    assert block.fcbCName == b"System"
    boot = guest.i16(LowMemory.BOOT_DRIVE)
    assert VCB(guest, guest.u32(block.address + 20)).vcbVRefNum == boot == -1
    do(mac, "UseResFile", reference)
    assert do(mac, "CurResFile") == guest.u16(LowMemory.CURRENT_MAP) == reference
    assert mac.outputs.findings == {}


def test_sfgetfiles_template_has_room_where_programs_put_a_button_of_their_own() -> None:
    items = do(mac := make_mac("68040"), "GetResource", "DITL", -4000)
    data, places = mac.memory.contents(items), []
    at = 2
    while len(places) < 6:
        places.append(struct.unpack_from(">4h", data, at + 4))
        at += 14 + data[at + 13] + data[at + 13] % 2
    opens, _, cancel, _, eject, drive = places
    assert eject < drive < opens < cancel
    # THINK C 5.0 lays Cancel 22 dots lower, with New between the two
    moved = cancel[0] + 22
    assert all(place[2] <= cancel[0] or place[0] >= moved + 18 for place in (eject, drive))


def test_a_package_can_be_called_as_a_resource() -> None:
    mac = make_mac("68040")
    package = mac.memory.address(do(mac, "GetResource", "PACK", 7))
    text = mac.memory.new_pointer(256)
    # num_to_string by MOVE.L #1994,D0; LEA text,A0; CLR.W -(A7); JSR package; RTS
    code = f"203c000007ca 41f9{text:08x} 4267 4eb9{package:08x} 4e75"
    run_code(mac, code)
    assert mac.guest.pascal_string(text) == b"1994"


def test_a_resource_of_the_programs_own_hides_the_system_files() -> None:
    own = Resource("ICON", 1, "", 0, bytes(range(128)))
    mac = make_mac("68040", application=Application("Own", ResourceFork((own,))))
    assert mac.memory.contents(do(mac, "GetIcon", 1)) == bytes(range(128))


@pytest.mark.parametrize(
    ("number", "items", "kinds"),
    [
        (-4000, 10, {1: BUTTON, 3: BUTTON, 7: USER_ITEM, 8: USER_ITEM}),
        (-3999, 8, {1: BUTTON, 2: BUTTON, 7: EDIT_TEXT}),
        (-6042, 9, {1: BUTTON, 2: BUTTON, 7: USER_ITEM, 8: USER_ITEM}),
        (-6043, 12, {1: BUTTON, 2: BUTTON, 7: USER_ITEM, 10: EDIT_TEXT, 11: STATIC_TEXT}),
    ],
)
def test_the_dialogs_for_files_can_be_taken_and_made(
    number: int, items: int, kinds: dict[int, int]
) -> None:
    desk = Desktop("68040")
    template = desk.mac.memory.contents(desk.call("GetResource", "DLOG", number))
    assert int.from_bytes(template[18:20], "big", signed=True) == number
    dialog = desk.call("GetNewDialog", number, 0, FRONT)
    shown = list(desk.mac.managers["dialogs"].items(dialog))
    assert len(shown) == items
    assert {item.number: item.kind for item in shown if item.number in kinds} == kinds
    assert desk.mac.outputs.findings == {}


def map_at(mac: Macintosh, handle: int) -> tuple[int, int, bytes]:
    """The handle of the next map, the reference number, and the whole map."""
    data = mac.memory.contents(handle)
    return *struct.unpack_from(">IH", data, 16), data


def test_the_maps_of_open_files_are_linked_in_guest_memory() -> None:
    mac = make_mac("68040", application=Application("Own", ResourceFork((OWN,))))
    top = mac.guest.u32(LowMemory.TOP_MAP_HANDLE)
    following, reference, data = map_at(mac, top)
    assert reference == do(mac, "CurResFile")
    assert following == mac.guest.u32(LowMemory.SYSTEM_MAP_HANDLE)
    system = mac.guest.u16(LowMemory.SYSTEM_MAP)
    assert map_at(mac, following)[:2] == (0, system)

    # As Microsoft's loaders do: find a type, the place of its first resource, and read that.
    types = struct.unpack_from(">H", data, 24)[0]
    kind, _, references = struct.unpack_from(">4sHH", data, types + 2)
    assert kind == b"TEXT"
    number, _, place = struct.unpack_from(">hHI", data, types + references)
    assert number == 128
    start = struct.unpack_from(">I", data)[0] + (place & 0xFFFFFF)
    fork = mac.managers["files"].read_fork(reference)
    assert fork[start : start + 7] == b"\0\0\0\3one"


def test_a_map_comes_and_goes_with_its_file() -> None:
    mac = make_mac("68040", application=Application("Own", ResourceFork((OWN,))))
    top = mac.guest.u32(LowMemory.TOP_MAP_HANDLE)
    names = []
    for text in (b"One", b"Two"):
        names.append(mac.memory.new_pointer(32))
        mac.guest.put_pascal_string(names[-1], text)
        do(mac, "CreateResFile", names[-1])
    first, second = (do(mac, "OpenResFile", name) for name in names)
    newest = mac.guest.u32(LowMemory.TOP_MAP_HANDLE)
    following, reference, _ = map_at(mac, newest)
    assert (reference, map_at(mac, following)[1]) == (second, first)
    do(mac, "CloseResFile", first)
    assert map_at(mac, newest)[0] == top
    do(mac, "CloseResFile", second)
    assert mac.guest.u32(LowMemory.TOP_MAP_HANDLE) == top
    assert mac.outputs.findings == {}
