"""Debugging entries and lines: what is read is what pyelftools reads, and every form is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from emu.program.dwarf_entries import entries_of
from emu.program.dwarf_lines import line_rows
from emu.program.dwarf_unit import Die, Entries, Sections, Unit
from emu.program.elf import parse_elf

PREBUILT = Path("mac_src/prebuilt")
PROGRAMS = (
    PREBUILT / "four-shifts-68000-O0.elf",
    PREBUILT / "linear-quadtree-601-O2.elf",
    PREBUILT / "collider-68040-O2.elf",
    PREBUILT / "linear-quadtree-mips-O2.elf",
    Path("tests/programs/types-ppc-dwarf4.elf"),
)
REFERENCES = ("DW_FORM_ref1", "DW_FORM_ref2", "DW_FORM_ref4", "DW_FORM_ref8", "DW_FORM_ref_udata")


def expected(die: DIE) -> dict[str, Any]:
    """The attributes of an entry by pyelftools, with references from the start of the section."""
    return {
        str(name): one.value + die.cu.cu_offset if one.form in REFERENCES else one.value
        for name, one in die.attributes.items()
    }


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_entries_lines_and_symbols_are_those_that_pyelftools_reads(path: Path) -> None:
    with path.open("rb") as file:
        elf = ELFFile(file)
        entries, known = entries_of(elf), elf.get_dwarf_info(relocate_dwarf_sections=False)
        units = list(known.iter_CUs())
        assert len(entries.units) == len(units) > 0
        for unit, other in zip(entries.units, units, strict=True):
            read = 0
            for die in other.iter_DIEs():
                if not die.is_null():
                    mine = entries.die(die.offset)
                    assert (mine.tag, dict(mine.attributes)) == (die.tag, expected(die))
                    parent = die.get_parent()
                    assert (mine.parent and mine.parent.offset) == (parent and parent.offset)
                    children = [child.offset for child in die.iter_children()]
                    assert [child.offset for child in mine.children] == children
                    read += 1
            assert read > 1
            assert [*lines_of(unit)] == expected_lines(known, other)
        symbols = [(s.name, s.address, s.size) for s in parse_elf(path.read_bytes(), path).symbols]
        table: Any = elf.get_section_by_name(".symtab")
        for one in table.iter_symbols():
            if (
                one["st_info"]["type"] in ("STT_FUNC", "STT_OBJECT")
                and one["st_shndx"] != "SHN_UNDEF"
            ):
                assert (one.name, one["st_value"], one["st_size"]) in symbols


def lines_of(unit: Unit) -> list[tuple[int, str, int]]:
    """The rows of a unit's line program."""
    rows = line_rows(unit, unit.top.attributes["DW_AT_stmt_list"])
    return [(row.address, row.file, row.line) for row in rows]


def expected_lines(dwarf: Any, unit: Any) -> list[tuple[int, str, int]]:
    """The same by pyelftools."""
    program = dwarf.line_program_for_CU(unit)
    names = [PurePosixPath(one.name.decode()).name for one in program.header["file_entry"]]
    first = 1 if program.header["version"] < 5 else 0
    states = [entry.state for entry in program.get_entries() if entry.state is not None]
    return [
        (s.address, "", 0) if s.end_sequence else (s.address, names[s.file - first], s.line)
        for s in states
    ]


def table(*entries: tuple[int, int, bool, Sequence[tuple[int, ...]]]) -> bytes:
    """A table of abbreviations: number, tag, whether it has children, names with forms."""
    out = b""
    for number, tag, has_children, specs in entries:
        out += bytes([number, tag, has_children])
        out += b"".join(leb(part) for spec in specs for part in spec) + b"\0\0"
    return out + b"\0"


def leb(number: int) -> bytes:
    """A number as LEB128."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def section(body: bytes, *, version: int, wide: bool = False, kind: int = 1) -> bytes:
    """A unit with these entries, whose abbreviations begin at 0."""
    width = 8 if wide else 4
    head = version.to_bytes(2, "big")
    table_at = (0).to_bytes(width, "big")
    head += bytes([kind, 4]) + table_at if version >= 5 else table_at + b"\4"
    length = (len(head) + len(body)).to_bytes(width, "big")
    return (b"\xff" * 4 if wide else b"") + length + head + body


def sections(info: bytes, abbreviations: bytes, **others: Any) -> Sections:
    """Sections, most of them empty."""
    none = dict.fromkeys(("strings", "line_strings", "string_offsets", "addresses", "lines"), b"")
    return Sections(
        ">", info, abbreviations=abbreviations, **{"types": len(info), **none, **others}
    )


def top(info: bytes, abbreviations: bytes, **others: Any) -> Die:
    """The entry of the only unit."""
    return Entries(sections(info, abbreviations, **others)).units[0].top


NAME, VALUE, LOW, STRINGS, ADDRESSES = 0x03, 0x1C, 0x11, 0x72, 0x73


@pytest.mark.parametrize(
    ("form", "data", "value"),
    [
        (0x01, "0001 0203", 0x10203),  # addr
        (0x0B, "ff", 255),  # data1
        (0x05, "ff01", 0xFF01),  # data2
        (0x06, "ff010203", 0xFF010203),  # data4
        (0x07, "01020304 05060708", 0x0102030405060708),  # data8
        (0x1E, "00" * 15 + "07", [0] * 15 + [7]),  # data16
        (0x0D, "7f", -1),  # sdata
        (0x0D, "80 7f", -128),
        (0x0D, "3f", 63),
        (0x0F, "ff 01", 255),  # udata
        (0x08, "6162 00", b"ab"),  # string
        (0x0E, "0000 0003", b"def"),  # strp
        (0x1F, "0000 0001", b"bc"),  # line_strp
        (0x0A, "02 0506", [5, 6]),  # block1
        (0x03, "0002 0506", [5, 6]),  # block2
        (0x04, "0000 0002 0506", [5, 6]),  # block4
        (0x09, "02 0506", [5, 6]),  # block
        (0x18, "02 0506", [5, 6]),  # exprloc
        (0x0C, "01", 1),  # flag
        (0x19, "", True),  # flag_present
        (0x17, "0000 0102", 0x102),  # sec_offset
        (0x11, "05", 5),  # ref1
        (0x12, "0005", 5),  # ref2
        (0x13, "0000 0005", 5),  # ref4
        (0x14, "00" * 7 + "05", 5),  # ref8
        (0x15, "05", 5),  # ref_udata
        (0x10, "0000 0005", 5),  # ref_addr
        (0x20, "00" * 7 + "05", -1),  # ref_sig8 of a type that is nowhere
        (0x1C, "0000 0005", -1),  # ref_sup4
        (0x24, "00" * 7 + "05", -1),  # ref_sup8
        (0x1F20, "0000 0005", -1),  # GNU_ref_alt
        (0x1D, "0000 0005", b""),  # strp_sup
        (0x1F21, "0000 0005", b""),  # GNU_strp_alt
        (0x22, "05", 5),  # loclistx
        (0x23, "05", 5),  # rnglistx
        (0x16, "0b 2a", 42),  # indirect: data1
        (0x1A, "01", b"def"),  # strx
        (0x25, "01", b"def"),  # strx1
        (0x26, "0001", b"def"),  # strx2
        (0x27, "000001", b"def"),  # strx3
        (0x28, "0000 0001", b"def"),  # strx4
        (0x1B, "01", 0x2000),  # addrx
        (0x29, "01", 0x2000),  # addrx1
        (0x2A, "0001", 0x2000),  # addrx2
        (0x2B, "000001", 0x2000),  # addrx3
        (0x2C, "0000 0001", 0x2000),  # addrx4
    ],
)
def test_each_form_is_read_and_the_next_attribute_begins_behind_it(
    form: int, data: str, value: object
) -> None:
    # The bases of tables come last, as Clang writes them.
    specs = [(VALUE, form), (LOW, 0x0B), (STRINGS, 0x17), (ADDRESSES, 0x17)]
    body = bytes.fromhex("01" + data + "2b 0000 0004 0000 0008")
    die = top(
        section(body, version=5),
        table((1, 0x11, False, specs)),
        strings=b"ab\0def\0",
        line_strings=b"abc\0",
        string_offsets=bytes.fromhex("deadbeef 0000 0000 0000 0003"),
        addresses=bytes.fromhex("deadbeef deadbeef 0000 1000 0000 2000"),
    )
    assert die.attributes["DW_AT_const_value"] == value
    assert die.attributes["DW_AT_low_pc"] == 0x2B


def test_a_value_of_the_abbreviation_takes_no_room_in_the_entry() -> None:
    die = top(section(b"\1\7", version=5), table((1, 0x11, False, [(VALUE, 0x21, 5), (LOW, 0x0B)])))
    assert dict(die.attributes) == {"DW_AT_const_value": 5, "DW_AT_low_pc": 7}


def test_offsets_of_eight_bytes_are_read() -> None:
    body = bytes.fromhex("01 0000000000000003")
    die = top(
        section(body, version=4, wide=True),
        table((1, 0x11, False, [(NAME, 0x0E)])),
        strings=b"ab\0d\0",
    )
    assert die.attributes["DW_AT_name"] == b"d"


def test_a_type_apart_is_found_by_its_signature() -> None:
    abbreviations = table(
        (1, 0x11, True, []), (2, 0x34, False, [(0x49, 0x20)]), (3, 0x24, False, [(NAME, 0x08)])
    )
    info = section(b"\1\2" + bytes(7) + b"\x09\0", version=4)
    body = bytes(7) + b"\x09" + (24).to_bytes(4, "big") + b"\1\3int\0\0"
    types = section(body, version=4)
    entries = Entries(sections(info + types, abbreviations, types=len(info)))
    (unit,) = entries.units
    (variable,) = unit.top.children
    assert variable.target("DW_AT_type").attributes == {"DW_AT_name": b"int"}


@pytest.mark.parametrize(
    ("info", "problem"),
    [
        (section(b"\1", version=6), "DWARF 6"),
        (section(b"\1", version=4)[:-1], "out of its section"),
        (section(b"\5", version=4), "no abbreviation 5"),
        (section(b"\2\0\0\0\1", version=4), "outside its unit"),
        (section(b"\3\xff", version=4), "no form 0x99"),
        (section(b"\4\0\0\0\x7f", version=4), "section not found"),
        (section(b"\6\2", version=4), "lead out"),
    ],
)
def test_damage_is_an_error(info: bytes, problem: str) -> None:
    abbreviations = table(
        (1, 0x11, False, []),
        (2, 0x11, False, [(0x49, 0x13)]),
        (3, 0x11, False, [(VALUE, 0x99)]),
        (4, 0x11, False, [(NAME, 0x0E)]),
        (6, 0x11, False, [(VALUE, 0x0A)]),
    )
    with pytest.raises(ValueError, match=problem):
        top(info, abbreviations, strings=b"ab\0").target("DW_AT_type")


def test_an_entry_that_names_an_earlier_one_as_its_next_is_an_error() -> None:
    abbreviations = table((1, 0x11, True, []), (2, 0x2E, True, [(0x01, 0x13)]))
    info = section(b"\1\2\0\0\0\x05\0\0", version=4)
    with pytest.raises(ValueError, match="names an earlier one"):
        _ = top(info, abbreviations).children
