"""Addresses and globals as CodeWarrior's linker keeps them, plain and packed."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program.code68k.code_resources import link_code
from emu.program.code68k.codewarrior import DamageError, read_pieces, read_references
from emu.program.functions.find_functions import find_functions
from tests.program.code_samples import NEAR, application, code_0, near

EMPTY = bytes(12)


def plain(*lists: tuple[int, ...]) -> bytes:
    return b"".join(struct.pack(f">i{len(one)}i", len(one), *one) for one in lists)


def test_lists_are_read_plain_and_packed() -> None:
    lists = plain((8, -4), (), (0x1000,))
    found = read_references(lists)
    assert (found.of_a5, found.of_first, found.of_own) == ((8, -4), (), (0x1000,))
    packed = "00000003 84 fe 4040 00000000 00000001 3ffffffe"  # 8, 8 - 4, 4 + 128; then -4
    found = read_references(bytes.fromhex(packed))
    assert (found.of_a5, found.of_first, found.of_own) == ((8, 4, 132), (), (-4,))
    assert read_references(EMPTY) == read_references(b"\0" * 12)


def test_globals_are_read_plain_and_packed() -> None:
    one = struct.pack(">Ii3s", 3, -8, b"abc")
    assert read_pieces(one + bytes(4)) == [(-8, b"abc")]
    packed = bytes.fromhex("fffffff8 8141ff 41 2207 11 01abcd 02abcdef 00 00000028 031234 02 00")
    packed = packed.replace(b"\x03\x12\x34\x02", b"\x03\x12\x34\x02\x04\x01\x12\x34\x02")
    pieces = read_pieces(packed + bytes.fromhex("00000030 00"))
    assert pieces == [
        (-8, bytes.fromhex("41ff 0000 070707 ffff 00000000ffffabcd 00000000ffabcdef")),
        (0x28, bytes.fromhex("a9f0 00001234 0002 a9f0 00011234 0002")),
        (0x30, b""),
    ]


@pytest.mark.parametrize("data", ["", "00000001", "00000000 00000001 40", "00000001 84 00000000"])
def test_damaged_lists_are_told(data: str) -> None:
    with pytest.raises(DamageError, match="ends"):
        read_references(bytes.fromhex(data))


def test_what_stands_for_nothing_is_told() -> None:
    with pytest.raises(DamageError, match="byte 5 at offset 4"):
        read_pieces(bytes.fromhex("fffffff8 05 00"))


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_told(data: bytes) -> None:
    for read in (read_references, read_pieces):
        try:
            read(data)
        except DamageError as error:
            assert str(error)


def test_calls_of_other_segments_and_globals_are_linked() -> None:
    """CODE 1 calls what follows it, and CODE 2 by the jump table; a global points to a global."""
    first = near(bytes.fromhex("4eb90000000c 4e75 4eb900000028 4e75"))
    second = bytes.fromhex("00280001 00000028 4e56fff8 4e5e 4e75")
    entry = struct.pack(">Ii", 8, 0x28) + bytes.fromhex("a9f0 00000008 0002")
    data = struct.pack(">Iii", 4, -8, -4) + entry
    resources = {
        ("CODE", 0): code_0([(NEAR, 1, 0)], below=0x10, above=0x40),
        ("CODE", 1): first,
        ("CODE", 2): second,
        ("XREF", 0): plain((-8,), (), ()),
        ("XREF", 1): plain((14,), (), (6,)),
        ("DATA", 0): data,
    }
    link = link_code(application(resources))
    assert not link.findings
    assert link.initialised
    functions = {f.place: f for f in find_functions(link.program).functions}
    called = functions["CODE 1+0x4"].callees
    assert [place for place, f in functions.items() if f.address in called] == ["CODE 1+0xc"]
    assert [one.place for one in functions.values() if one.callers] == ["CODE 1+0xc", "CODE 2+0x8"]
    below = next(s for s in link.program.segments if s.name == "A5 globals")
    assert struct.unpack(">I", below.data[8:12]) == (link.a5 - 4,)

    damaged = {**resources, ("XREF", 1): b"\0", ("XREF", 0): plain((0x1000,), (), ())}
    findings = link_code(application(damaged)).findings
    assert "XREF 1 cannot be read" in findings[0]
    assert findings[1] == "XREF 0 names 1 longs outside of the globals"
