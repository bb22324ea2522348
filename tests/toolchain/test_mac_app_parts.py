"""The parts of the application builder that need no compiler."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import CaseError
from emu.program.code68k import retro68
from emu.program.fragments.cfrg import parse_code_fragments
from emu.program.pef.pef import parse_pef
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolchain.mac_app.glue import entries, m68k_glue, powerpc_glue
from emu.toolchain.mac_app.link_68k import relocation_list
from emu.toolchain.mac_app.link_ppc import (
    _container,
    _instructions,
    _loader_section,
    code_fragment,
)
from emu.toolchain.mac_app.resources import read_description

PATH = Path("file")


# -- what is to be relocated -----------------------------------------------------------------------


@given(st.dictionaries(st.integers(0, 1 << 20), st.integers(0, 2)))
def test_a_relocation_list_is_read_as_it_was_written(places: dict[int, int]) -> None:
    packed = relocation_list(places.items())
    found, left = retro68.parse_relocations(packed, (1 << 20) + 4, PATH, "RELA 1")
    assert left == 0
    assert [(item.offset, item.kind, item.relative) for item in found] == [
        (offset, places[offset], False) for offset in sorted(places)
    ]


@given(
    st.sets(st.integers(0, 70_000), max_size=60),
    st.sets(st.integers(0, 70_000), max_size=20),
    st.booleans(),
)
def test_a_container_is_read_as_it_was_written(
    words: set[int], slots: set[int], together: bool
) -> None:
    """Addresses at any words of the section, in runs or apart, and imports at others."""
    if together:
        words |= {w + n for w in words for n in range(5)}
    slots -= words
    size = 4 * 70_010
    names = [f"Routine{n:02}" for n in range(len(slots))]
    imports = {4 * slot: index for index, slot in enumerate(sorted(slots))}
    instructions = tuple(_instructions(sorted(4 * w for w in words), imports))
    loader = _loader_section(8, names, instructions)
    found = parse_pef(_container(bytes(size - 64), size, loader), PATH)
    assert found.main == (0, 8)
    assert [i.name for i in found.imports] == names
    assert [(s.kind, s.size, s.writable, s.executable) for s in found.placed] == [
        ("executable data", size, True, True)
    ]
    relocations = found.relocations[0]
    got = sorted(zip(relocations.offsets.tolist(), relocations.sources.tolist(), strict=True))
    assert got == sorted(
        [(4 * w, 0) for w in words] + [(place, -1 - n) for place, n in imports.items()]
    )


def test_runs_are_short() -> None:
    """512 words is all one instruction can do."""
    assert list(_instructions([4 * n for n in range(1025)], {})) == [0x41FF, 0x41FF, 0x4000]
    assert list(_instructions([0x12340000], {0x12340004: 70_000})) == [
        0xB234, 0x0000, 0x4000, 0xA401, 0x1170,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["A", "Four Shifts", "x" * 31])
def test_the_fragment_resource(name: str) -> None:
    (found,) = parse_code_fragments(code_fragment(name), PATH)
    assert (found.name, found.architecture) == (name, "powerpc")
    assert (found.usage, found.where) == ("application", "data fork")
    assert (found.offset, found.length) == (0, 0)


# -- glue ------------------------------------------------------------------------------------------


class Routines(Manager):
    @routine("PROCEDURE Plain", trap=0xABF1, imports=("plain",))
    def plain(self) -> None: ...

    @routine("FUNCTION OnlyByName (a: Ptr): Ptr")
    def by_name(self, a: int) -> int: ...

    @routine("FUNCTION Where: Point", trap=0xABF2)
    def where(self) -> None: ...

    @routine("FUNCTION Both (a: Ptr): LONGINT", trap=0xABF3, architecture="m68k")
    def both_68k(self, a: int) -> int: ...

    @routine("PROCEDURE Both (a: Ptr; VAR b: LONGINT)", architecture="powerpc")
    def both(self, a: int, b: int) -> None: ...

    @routine("FUNCTION Make (a: Size): Ptr", trap=0xA11E, registers="D0 -> A0",
             variants={"MakeClear": 0xA31E})  # fmt: skip
    def make(self, a: int, *, trap: int) -> int: ...


def test_glue_is_made_for_what_can_have_it() -> None:
    table = {kind: entries(kind, [Routines]) for kind in ("m68k", "powerpc")}
    assert [e.name for e in table["m68k"]] == [
        "Both", "Make", "MakeClear", "OnlyByName", "Plain", "Where", "plain",
    ]  # fmt: skip
    text = m68k_glue(table["m68k"])
    assert "MakeClear:\n" in text
    assert ".short 0xA31E" in text
    assert text.count("move.l %d2, -(%sp)") == text.count("move.l (%sp)+, %d2") == 7
    # What has no trap, or one with other arguments, is called by its name.
    assert text.count(".short 0xAFF4") == 2
    assert text.count('.asciz "OnlyByName"') == text.count('.asciz "Both"') == 1
    text = powerpc_glue(table["powerpc"])
    for name in ("Both", "MakeClear", "OnlyByName", "Plain", "Where", "plain"):
        assert f"\n__import_{name}:\n" in text


class Small(Manager):
    @routine("PROCEDURE Give (a: Ptr; b: INTEGER; c: BOOLEAN; d: LONGINT)", trap=0xABF4)
    def give(self, a: int, b: int, c: bool, d: int) -> None: ...

    @routine("FUNCTION Take (a: INTEGER; b: Ptr): OSErr", trap=0xA0F5, registers="D0,A0 -> D0")
    def take(self, a: int, b: int) -> int: ...


@pytest.mark.parametrize(
    ("slot", "given", "taken"),
    [
        # Behind D2 and the return address; what was pushed before lies in front of it.
        (4, ("l 8", "w 18", "b 25", "l 28"), ("l 8", "l 12")),
        (2, ("l 8", "w 16", "b 20", "l 24"), ("w 8", "l 10")),
    ],
)
def test_glue_takes_arguments_from_where_the_compiler_puts_them(
    slot: int, given: tuple[str, ...], taken: tuple[str, ...]
) -> None:
    give, take = m68k_glue(entries("m68k", [Small]), slot).split("Take:\n")
    assert tuple(re.findall(r"move\.(\w \d+)\(%sp\), -", give)) == given
    assert tuple(re.findall(r"move\.(\w \d+)\(%sp\), %[ad]", take)) == taken


# -- resources -------------------------------------------------------------------------------------


def described(tmp_path: Path, text: str) -> dict[tuple[str, int], bytes]:
    path = tmp_path / "resources.yaml"
    path.write_text(text)
    return {(r.type, r.id): r.data for r in read_description(path).resources}


def test_resources_are_as_inside_macintosh_says(tmp_path: Path) -> None:
    found = described(
        tmp_path,
        """
resources:
  - {type: MENU, id: 128, title: File, items: [Open/O, "-", Quit]}
  - {type: MBAR, id: 1, menus: [128, 129]}
  - {type: WIND, id: 2, bounds: [40, 20, 140, 220], title: W, go_away: true, procedure: 4}
  - {type: DLOG, id: 3, bounds: [1, 2, 3, 4], items: 7, visible: false, reference: -1}
  - {type: ALRT, id: 4, bounds: [1, 2, 3, 4], items: 7}
  - type: DITL
    id: 7
    items:
      - {button: OK, bounds: [1, 2, 3, 4]}
      - {text: odd, bounds: [1, 2, 3, 4]}
      - {icon: 300, bounds: [1, 2, 3, 4]}
      - {edit: null, bounds: [1, 2, 3, 4], enabled: false}
      - {user: null, bounds: [1, 2, 3, 4], enabled: true}
  - {type: CNTL, id: 8, bounds: [1, 2, 3, 4], value: 5, maximum: 9, procedure: 16, title: c}
  - {type: STR, id: 9, text: "Zürich"}
  - {type: "STR#", id: 10, strings: [a, bc]}
  - {type: ABCD, id: -1, name: raw, hex: "00 ff"}
""",
    )
    rectangle = bytes.fromhex("0001000200030004")
    assert found["MENU", 128] == (
        struct.pack(">hhhhhI", 128, 0, 0, 0, 0, 0xFFFFFFFF)
        + b"\4File\4Open\0O\0\0\1-\0\0\0\0\4Quit\0\0\0\0\0"
    )
    assert found["MBAR", 1] == struct.pack(">3h", 2, 128, 129)
    assert found["WIND", 2] == bytes.fromhex("00280014008c00dc 0004 0100 0100 00000000") + b"\1W"
    assert found["DLOG", 3] == rectangle + bytes.fromhex("0001 0000 0000 ffffffff 0007 00")
    assert found["ALRT", 4] == rectangle + bytes.fromhex("0007 5555")
    assert found["DITL", 7] == b"".join(
        [
            bytes.fromhex("0004"),
            bytes(4) + rectangle + b"\x04\x02OK",
            bytes(4) + rectangle + b"\x88\x03odd\0",
            bytes(4) + rectangle + bytes.fromhex("a0 02 012c"),
            bytes(4) + rectangle + b"\x90\0",
            bytes(4) + rectangle + b"\x00\0",
        ]
    )
    assert (
        found["CNTL", 8] == rectangle + bytes.fromhex("0005 0100 0009 0000 0010 00000000") + b"\1c"
    )
    assert found["STR ", 9] == b"\6Z\x9frich"
    assert found["STR#", 10] == b"\0\2\1a\2bc"
    assert found["ABCD", -1] == b"\0\xff"


def test_a_description_can_be_empty(tmp_path: Path) -> None:
    path = tmp_path / "resources.yaml"
    path.write_text("")
    found = read_description(path)
    assert (found.resources, found.creator, found.memory) == ((), "????", 1 << 20)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("creator: TOOLONG", "line 1: a creator has four characters"),
        ("memroy: 5", "memroy is unknown; known are resources, creator, memory"),
        ("memory: much", "memory has a value of the wrong type"),
        ("resources: [5]", "a resource is written"),
        ("resources:\n- {id: 5}", "line 2: type is missing"),
        ("resources:\n- {type: ABCD, id: 5}", "cannot be described in words"),
        ("resources:\n- {type: ABCD, id: 5, hex: zz}", "not hexadecimal"),
        ("resources:\n- {type: MENU, id: 5, title: a}", "items is missing"),
        ("resources:\n- {type: WIND, id: 5, bounds: [1, 2, 3]}", "bounds are"),
        ("resources:\n- {type: WIND, id: 5, bounds: [1, 2, 3, 40000]}", "bounds are"),
        ("resources:\n- {type: DITL, id: 5, items: [{bounds: [1, 2, 3, 4]}]}", "an item is one of"),
        ("resources:\n- {type: STR, id: 5, text: \N{SNOWMAN}}", "outside MacRoman"),
        (f"resources:\n- {{type: STR, id: 5, text: {256 * 'a'}}}", "at most 255"),
        ("resources:\n- {type: STR, id: 5, text: a}\n- {type: STR, id: 5, text: b}", "the same"),
        ("- 5", "a mapping of names to values is wanted"),
        ("memory: 0", "at least 1 and at most 16384"),
        ("memory: 99999", "at least 1 and at most 16384"),
        ("resources:\n- {type: MBAR, id: 5, menus: [many]}", "line 2: a number does not fit"),
        (
            "resources:\n- {type: WIND, id: 5, bounds: [1, 2, 3, 4], procedure: 70000}",
            "a number does not fit",
        ),
    ],
)
def test_a_description_that_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(CaseError, match=words):
        described(tmp_path, text)
