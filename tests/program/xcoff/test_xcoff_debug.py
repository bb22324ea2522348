"""DWARF sections of XCOFF files that were linked to addresses of their own."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program import Program
from emu.program.fragments.fragment_program import xcoff_program
from emu.program.xcoff.xcoff import parse_xcoff
from tests.program import fragment_samples as sample

PATH = Path("case.xcoff")
CODE, DATA = 0x10040, 0x100020
ABBREVIATIONS = bytes(
    [
        *(1, 0x11, 1, 0, 0),  # a unit with children
        *(2, 0x24, 0, 0x03, 8, 0x0B, 0x0B, 0x3E, 0x0B, 0, 0),  # a type: name, size, encoding
        *(3, 0x34, 0, 0x03, 8, 0x49, 0x13, 0x02, 0x18, 0, 0),  # a variable: name, type, place
        *(4, 0x2E, 0, 0x03, 8, 0x11, 0x01, 0, 0),  # a function: name, address
        0,
    ]
)


def debug(variable: int, code: int = CODE) -> dict[str, bytes]:
    """A short named gCount at an address, one that was thrown away, and a function Run."""
    entries = b"\1"
    kind = 11 + len(entries)
    entries += b"\2short\0\2\5"
    for name, address in ((b"gCount", variable), (b"gGone", 0)):
        entries += b"\3" + name + b"\0" + struct.pack(">IBBI", kind, 5, 3, address)
    entries += b"\4Run\0" + struct.pack(">I", code) + b"\0"
    unit = struct.pack(">HIB", 4, 0, 4) + entries
    return {".dwinfo": struct.pack(">I", len(unit)) + unit, ".dwabrev": ABBREVIATIONS}


def program(places: tuple[int, int] = (CODE, DATA), **changes: dict[str, bytes]) -> Program:
    sections = changes.get("debug", debug(DATA + 2))
    data = struct.pack(">II", DATA, 7)
    loader = sample.xcoff_loader((), [(places[1], 1, 2)])
    content = sample.xcoff(
        b"\x4e\x80\x00\x20" * 4,
        data,
        16,
        loader=loader,
        places=places,
        entry=places[1],
        contents=places[1],
        debug=sections,
    )
    return xcoff_program(parse_xcoff(content, PATH), PATH)


def test_sections_stay_where_they_were_linked_to_and_have_types() -> None:
    found = program()
    assert [(one.name, one.address) for one in found.segments] == [
        (".text", CODE),
        (".data", DATA),
        (".bss", DATA + 8),
    ]
    assert found.segments[1].data[:4] == DATA.to_bytes(4, "big")
    assert found.registers == {"r2": DATA}
    assert found.has_debug_information
    (variable,) = found.variables["gCount"]
    assert (variable.address, variable.type.name, variable.type.size) == (DATA + 2, "short", 2)
    assert "gGone" not in found.variables
    assert "gGone" in found.dropped
    assert found.functions == {"Run": [CODE]}


@pytest.mark.parametrize(
    "places",
    [
        pytest.param((0, 0), id="as in an application"),
        pytest.param((0x10000, 0x10800), id="in the same page"),
        pytest.param((0x10000, 0x20000000), id="far from each other"),
        pytest.param((0x10000, 0x10008), id="one in the other"),
        pytest.param((0x800, 0x100000), id="where imports are"),
    ],
)
def test_sections_without_addresses_of_their_own_get_some(places: tuple[int, int]) -> None:
    """What debugging information says of their addresses is true of none of the new ones."""
    found = program(places)
    assert not found.has_debug_information
    assert not found.variables
    code, data, _ = found.segments
    assert code.address % 0x10000 == data.address % 0x10000 == 0
    assert code.address != data.address


def test_a_file_without_types_is_read() -> None:
    found = program(debug={})
    assert not found.has_debug_information
    assert found.segments[0].address == CODE


def test_damaged_sections_are_refused_and_named() -> None:
    whole = debug(DATA)
    for cut in (5, 12, 20, len(whole[".dwinfo"]) - 8):
        with pytest.raises(ProgramError, match="debugging information is damaged"):
            program(debug={**whole, ".dwinfo": whole[".dwinfo"][:cut]})
