"""What the fuzz driver needs to damage PEF containers, XCOFF files and 'cfrg' resources."""

from __future__ import annotations

import struct
from pathlib import Path

from emu.program.fragments.cfrg import parse_code_fragments
from emu.program.fragments.fragment_program import pef_program, xcoff_program
from emu.program.pef.pef import parse_pef
from emu.program.xcoff.xcoff import parse_xcoff
from tests.program import fragment_samples as sample
from tests.program.fragment_samples import Section, Symbol

FUZZED = Path("fuzzed")
_FORK = bytes(256)

Hot = tuple[tuple[int, int], ...]


def pef_seeds() -> list[tuple[bytes, Hot]]:
    """Containers with every kind of section, import, export and relocation instruction."""
    blocks = [
        *sample.by_sect_d_with_skip(1, 2),
        *(block for kind in range(6) for block in sample.run(kind, 2)),
        *sample.small(0, 0),
        *sample.small(1, 1),
        *sample.small(2, 0),
        *sample.small(3, 1),
        *sample.incr_position(8),
        *sample.run(0, 1),
        *sample.sm_repeat(1, 3),
        *sample.set_position(200),
        *sample.lg_by_import(1),
        *sample.large(0, 1),
        *sample.large(1, 0),
        *sample.large(2, 1),
        *sample.run(1, 1),
        *sample.lg_repeat(1, 3),
    ]
    loader = sample.loader_section(
        [
            sample.Library("InterfaceLib", [("InitGraf", 2), ("NewPtr", 2)]),
            sample.Library("MathLib", [("fmod", 0x82)], 0xC0),
        ],
        [("main", 2, 1, 0), ("table", 1, 1, 8), ("ROM", 0, -2, 99), ("again", 2, -3, 1)],
        {1: blocks, 2: sample.run(1, 2)},
        main=(1, 0),
        initialise=(1, 8),
    )
    patterns = (
        b"\x24ABCD\x00\x0c\x43\x05xyz\x62\x03\x04ab" + b"cde" * 4 + b"\x82\x01\x03fgh\x84\0\0"
    )
    sections = [
        Section(sample.CODE, bytes(64), 80, 64, share=4),
        Section(sample.DATA, bytes(range(64)), 320),
        Section(sample.PATTERN, patterns, 96, _unpacked(patterns)),
        Section(sample.CONSTANT, b"fixed"),
        Section(sample.EXECUTABLE, bytes(8)),
    ]
    whole = sample.pef(sections, loader, names=["Code", "Data"])
    few = sample.pef(sections[:2], sample.loader_section(relocations={1: sample.run(3, 1)}))
    at = whole.index(loader)
    packed = whole.index(patterns)
    return [
        (whole, ((0, 40 + 28 * 6), (at, at + 200), (at, len(whole)), (packed, packed + 40))),
        (few, ()),
    ]


def _unpacked(packed: bytes) -> int:
    """How many bytes the patterns above make: by hand, instruction by instruction."""
    assert packed.startswith(b"\x24ABCD")
    return 4 + 12 + 3 * 6 + (2 * 5 + 3 * 4) + (2 * 4 + 3) + 4


def xcoff_seeds() -> list[tuple[bytes, Hot]]:
    """Programs with symbols of every kind, imports and relocations."""
    symbols = [
        Symbol("TOC", 8, sample.DATA_SECTION, sample.ANCHOR, storage=107),
        Symbol("", 0, sample.TEXT_SECTION, 0, length=48, storage=107),
        Symbol(".main", 0, sample.TEXT_SECTION, 0, sample.LABEL, 2),
        Symbol("._Z20_DetermineCollisionsv", 16, sample.TEXT_SECTION, 0, sample.LABEL, 2),
        Symbol("main", 0, sample.DATA_SECTION, sample.DESCRIPTOR, length=12),
        Symbol("aTableWithALongName", 12, sample.DATA_SECTION, sample.READ_WRITE, length=4),
        Symbol("gZeroed", 24, sample.ZEROED_SECTION, sample.ZEROED, sample.COMMON, 32),
    ]
    loader = sample.xcoff_loader(
        [("NewPtr", False), ("AVeryLongWeakSymbol", True)],
        [(0, 0, 2), (4, 1, 2), (12, 2, 2), (16, 3, 2), (20, 4, 2)],
    )
    data = struct.pack(">6I", 8, 16, 0, 24, 0, 0)
    linked = sample.xcoff(bytes(64), data, 32, symbols, loader, contents=8)
    plain = sample.xcoff(bytes(64), data, 32, symbols, details=1, linked=False)
    headers = 20 + 72 + 160
    return [
        (linked, ((0, headers), (headers + 88, len(linked)))),
        (plain, ((0, headers), (headers + 88, len(plain)))),
    ]


def fragment_seeds() -> list[tuple[bytes, Hot]]:
    """Resources of one fragment and of several."""
    one = (b"pwpc", 1, 1, 0, 0, "Four Shifts")
    return [
        (sample.cfrg(one), ()),
        (sample.cfrg(one, (b"m68k", 0, 2, 16, 32, ""), (b"pwpc", 2, 1, 16, 99, "Addition")), ()),
    ]


def read_pef(data: bytes) -> object:
    """Read a container and place it, as `read_program` does."""
    return pef_program(parse_pef(data, FUZZED), FUZZED)


def read_xcoff(data: bytes) -> object:
    """Read a file; place it if it is a program."""
    read = parse_xcoff(data, FUZZED)
    return xcoff_program(read, FUZZED) if read.linked else read


def read_fragments(data: bytes) -> object:
    """Read a resource and take out what lies in the data fork."""
    fragments = parse_code_fragments(data, FUZZED)
    return [f.cut(_FORK, FUZZED) for f in fragments if f.where == "data fork"]
