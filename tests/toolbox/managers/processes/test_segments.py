"""Segments are loaded through the jump table, in both models, and unloaded."""

from __future__ import annotations

import struct

import pytest

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.trap_table import rom_entry, trap_number
from emu.toolbox.computer.settings import Application
from emu.toolbox.guest.findings import GuestStopError, ProgramExit, Sureness
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import LOCKED, PURGEABLE, RESOURCE
from tests.toolbox.conftest import do, make_mac, run_code

TABLE_OFFSET = 32


def near_entry(segment: int, offset: int) -> bytes:
    return struct.pack(">HHhH", offset, 0x3F3C, segment, 0xA9F0)


def far_entry(segment: int, offset: int) -> bytes:
    return struct.pack(">hHI", segment, 0xA9F0, offset)


MARK = bytes.fromhex("0000 ffff 0000 0000")


def routine(value: int) -> bytes:
    return bytes.fromhex(f"70{value:02x}4e75")  # moveq #value,d0; rts


def far_segment(first: int, count: int, code: bytes, **header: int) -> bytes:
    fields = (0xFFFF0000, 0, 0, 8 * first, count)
    lists = tuple(header.get(name, 0) for name in ("a5_list", "a5", "own_list", "base"))
    return struct.pack(">10I", *fields, *lists, 0) + code


TABLE = (
    near_entry(1, 0),
    near_entry(1, 4),
    near_entry(2, 0),
    MARK,
    far_entry(3, 40),
    far_entry(3, 44),
    far_entry(4, 40),
)
CODE = {
    1: struct.pack(">HH", 0, 2) + routine(11) + routine(12),
    2: struct.pack(">HH", 16, 1) + routine(21),
    3: far_segment(4, 2, routine(31) + routine(32)),
    # Loads what its own long at offset 46 holds, which is relocated by its load address.
    4: far_segment(6, 1, bytes.fromhex("203a0004 4e75 00000010 170000"), own_list=50, base=0x1000),
}


def a_mac(code: dict[int, bytes] | None = None, table: tuple[bytes, ...] = TABLE) -> Macintosh:
    """A Macintosh whose jump table is in place, as the loader leaves it."""
    entries = b"".join(table)
    size = len(entries)
    zero = struct.pack(">4I", TABLE_OFFSET + size, 0x100, size, TABLE_OFFSET) + entries
    resources = [Resource("CODE", 0, "", 0, zero)]
    resources += [Resource("CODE", n, "", 0x20, data) for n, data in (code or CODE).items()]
    mac = make_mac(application=Application("App", ResourceFork(tuple(resources))))
    mac.guest.write(mac.layout.a5 + TABLE_OFFSET, entries)
    mac.guest.put16(0x934, TABLE_OFFSET)
    return mac


def entry_address(mac: Macintosh, index: int) -> int:
    return mac.layout.a5 + TABLE_OFFSET + 8 * index


def call(mac: Macintosh, index: int) -> dict[str, int]:
    """JSR to a jump table entry."""
    place = TABLE_OFFSET + 8 * index + 2
    return run_code(mac, bytes.fromhex(f"4ead{place:04x} 4e75"), d3=0x333, a3=0x3AA)


@pytest.mark.parametrize(("index", "value"), [(0, 11), (1, 12), (2, 21), (4, 31), (5, 32)])
def test_a_call_loads_its_segment(index: int, value: int) -> None:
    mac = a_mac()
    for _ in range(2):
        registers = call(mac, index)
        assert registers["d0"] == value
        assert (registers["d3"], registers["a3"]) == (0x333, 0x3AA)
    assert mac.calls["LoadSeg"] == 1


def test_all_entries_of_a_segment_are_fixed_up() -> None:
    mac = a_mac()
    call(mac, 1)
    handle = mac.resources.loaded("CODE", 1)
    base = mac.memory.address(handle)
    assert mac.memory.flags(handle) & LOCKED
    for index in (0, 1):
        expected = struct.pack(">hHI", 1, 0x4EF9, base + 4 + 4 * index)
        assert mac.guest.read(entry_address(mac, index), 8) == expected
    assert mac.guest.read(entry_address(mac, 2), 8) == TABLE[2]


def test_a_segment_that_has_moved_since_is_executed_where_it_is() -> None:
    mac = a_mac()
    call(mac, 2)
    do(mac, "UnloadSeg", entry_address(mac, 2) + 2)
    do(mac, "MaxMem")
    blocker = do(mac, "NewHandle", 400)
    do(mac, "HLock", blocker)
    assert call(mac, 2)["d0"] == 21


def test_a_far_segment_is_relocated() -> None:
    mac = a_mac()
    registers = call(mac, 6)
    base = mac.memory.address(mac.resources.loaded("CODE", 4))
    assert registers["d0"] == 0x10 + base - 0x1000


def test_an_unloaded_segment_is_purgeable_and_its_entries_load_it_again() -> None:
    mac = a_mac()
    for index, value in ((1, 12), (5, 32)):
        call(mac, index)
        identifier = 1 if index == 1 else 3
        handle = mac.resources.loaded("CODE", identifier)
        do(mac, "UnloadSeg", entry_address(mac, index) + 2)
        assert mac.memory.flags(handle) == RESOURCE | PURGEABLE
        assert mac.guest.read(entry_address(mac, index), 8) == TABLE[index]
        do(mac, "PurgeMem", 1 << 30)
        assert mac.resources.loaded("CODE", identifier) == 0
        assert call(mac, index)["d0"] == value


def test_a_program_that_unloads_the_segment_it_is_in_is_told() -> None:
    mac = a_mac()
    call(mac, 0)
    base = mac.memory.address(mac.resources.loaded("CODE", 1))
    mac.host.return_address = base + 4
    do(mac, "UnloadSeg", entry_address(mac, 0) + 2)
    assert [f.check for f in mac.outputs.findings.values()] == ["segments"]
    assert call(mac, 0)["d0"] == 11


def test_unloading_what_is_not_loaded_does_nothing() -> None:
    mac = a_mac()
    do(mac, "UnloadSeg", entry_address(mac, 0) + 2)
    assert mac.guest.read(entry_address(mac, 0), 8) == TABLE[0]
    assert not mac.outputs.findings


@pytest.mark.parametrize(
    ("code", "table", "index", "problem"),
    [
        ({1: CODE[1]}, TABLE, 2, "no segment CODE 2"),
        ({1: struct.pack(">HH", 0, 9999) + routine(1)}, TABLE, 0, "lists 9999 jump table entries"),
        ({1: struct.pack(">HH", 0xFFF8, 1) + routine(1)}, TABLE, 0, "from offset 65528"),
        ({1: struct.pack(">HH", 0, 3) + routine(1) * 2}, TABLE, 0, "is none of its"),
        ({1: struct.pack(">HH", 0, 1) + routine(1)}, TABLE, 1, "does not list"),
        ({1: b"\0"}, TABLE, 0, "cannot be loaded"),
        (CODE, (near_entry(1, 400), near_entry(1, 0)), 0, "leads outside of its code"),
        ({3: far_segment(4, 2, b"")[:39]}, TABLE, 4, "truncated"),
        ({3: far_segment(0x1000_0000, 2, routine(1))}, TABLE, 4, "lists 2 jump table entries"),
        ({3: far_segment(4, 0xFFFFFFFF, routine(1))}, TABLE, 4, "jump table entries"),
        ({3: far_segment(4, 2, routine(1), own_list=41)}, TABLE, 4, "cannot be loaded"),
    ],
)
def test_damaged_segments_stop_clearly(
    code: dict[int, bytes], table: tuple[bytes, ...], index: int, problem: str
) -> None:
    mac = a_mac(code, table)
    with pytest.raises(GuestStopError, match=problem):
        call(mac, index)


def test_a_patch_may_call_loadseg_itself() -> None:
    mac = a_mac()
    # move.l a7,d7; move.w #2,-(a7); bra.s trap; nop; back: bra.s done; trap: nop; _LoadSeg;
    # illegal; done: sub.l a7,d7
    found = run_code(mac, "2e0f 3f3c0002 6004 4e71 6006 4e71 a9f0 4afc 9e8f 4e75")
    assert found["d7"] == 0
    assert mac.guest.u16(entry_address(mac, 2) + 2) == 0x4EF9  # an entry of segment 2
    with pytest.raises(GuestStopError, match="there is no segment CODE 77"):
        run_code(mac, "3f3c004d a9f0 4e75")


def test_load_seg_in_the_middle_of_a_jump_table_entry_stops() -> None:
    mac = a_mac()
    place = entry_address(mac, 0)
    mac.guest.write(place, bytes.fromhex("4e71 4e71 a9f0 4e71"))
    with pytest.raises(GuestStopError, match="is damaged"):
        run_code(mac, f"4eb9{place:08x} 4e75")


def test_the_program_ends(mac: Macintosh) -> None:
    with pytest.raises(ProgramExit):
        do(mac, "ExitToShell")


def test_a_name_that_no_macintosh_has_is_told_as_well_as_can_be(mac: Macintosh) -> None:
    mac = make_mac(mac.cpu.name, application=Application("日本 app"))
    place = mac.memory.new_pointer(300)
    do(mac, "GetAppParms", place, place + 256, place + 260)
    assert mac.guest.pascal_string(place) == b"?? app"


def test_what_the_finder_says() -> None:
    mac = a_mac()
    place = mac.memory.new_pointer(300)
    do(mac, "GetAppParms", place, place + 256, place + 260)
    assert mac.guest.pascal_string(place) == b"App"
    assert mac.guest.i16(place + 256) == do(mac, "CurResFile")
    assert mac.memory.contents(mac.guest.u32(place + 260)) == bytes(4)
    assert not mac.outputs.findings


@pytest.mark.parametrize("entry", [0, 1, 2, 4, 6])
def test_a_patch_of_loadseg_leaves_the_stack_alone(entry: int) -> None:
    mac = a_mac()
    patch = mac.memory.new_pointer(6)
    own = rom_entry(trap_number(0xA9F0))
    mac.guest.write(patch, bytes.fromhex(f"4ef9{own:08x}"))  # jmp to the trap's own code
    assert isinstance(mac.dispatcher, M68kDispatcher)
    mac.dispatcher.patches[trap_number(0xA9F0)] = patch
    # move.l a7,d7; jsr the entry; sub.l a7,d7: what the call has left on the stack
    place = mac.layout.a5 + TABLE_OFFSET + 8 * entry + 2
    found = run_code(mac, f"2e0f 4eb9{place:08x} 9e8f 4e75")
    assert found["d7"] == 0
    assert mac.calls["LoadSeg"] == 1


_EXPANDER = (
    "41fa0010 303ca9f0 a647",  # lea patch,a0; move #$A9F0,d0; _SetToolTrapAddress
    "4ead002a 4e75 4e71",  # jsr 42(a5), which is the second entry; rts; nop
    "48e7e0e0 598f 2f3c434f4445",  # movem.l d0-d2/a0-a2,-(a7); clear a long; push 'CODE'
    "3f2f0024 a9a0 205f a025",  # push the segment's number; _GetResource; _GetHandleSize
    "2200 2448 a11e 2252 2448",  # move.l d0,d1; move.l a0,a2; _NewPtr; move.l (a2),a1
    "1019 4600 10c0 5381 6600fff6",  # each byte of the segment is inverted on its way
    "588a 41ed0028",  # the code follows the header; lea 40(a5),a0
    "30fc0002 30fc4ef9 208a",  # the entry becomes: segment 2, jmp to the code
    "4cdf0707 201f 548f 4eed002a",  # registers, return address and segment; jmp 42(a5)
)


def test_a_program_expands_its_segments_itself() -> None:
    inverted = bytes(0xFF ^ byte for byte in CODE[2])
    mac = a_mac({1: CODE[1], 2: inverted}, (near_entry(1, 0), near_entry(2, 0)))
    assert run_code(mac, "".join(_EXPANDER))["d0"] == 21


@pytest.mark.parametrize(
    ("code", "sureness"), [("4e56", Sureness.UNUSUAL), ("4ef9", Sureness.SOME)]
)
def test_what_is_no_jump_table_entry_is_left_alone(code: str, sureness: Sureness) -> None:
    mac = a_mac()
    place = mac.memory.new_pointer(2)
    mac.guest.write(place, bytes.fromhex(code))
    do(mac, "UnloadSeg", place)
    assert [(f.check, f.sureness) for f in mac.outputs.findings.values()] == [
        ("segments", sureness)
    ]
