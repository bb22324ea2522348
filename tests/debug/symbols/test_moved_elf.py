"""A linked file moved to where its segments lie has the addresses that a debugger wants."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.debug.symbols.elf_sections import read_outline
from emu.debug.symbols.moved_elf import moved_elf
from emu.debug.symbols.symbol_elf import CodeSection, NamedRoutine, symbol_elf
from emu.program.elf.dwarf import read_debug_information
from tests.debug.segmented import build_segmented

PATH = Path("program.elf")
SMALL = symbol_elf(
    "m68k",
    [
        CodeSection("one", 0x1000, 16, (NamedRoutine("First", 0x1004, 4),)),
        CodeSection("two", 0x2000, 16, (NamedRoutine("Second", 0x2008),)),
    ],
)


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]) -> Path:
    compilers("68000")
    application = build_segmented(tmp_path_factory.mktemp("segmented"))
    return application.with_suffix(".code.bin.gdb")


def test_lines_of_each_segment_move_with_it(linked: Path, tmp_path: Path) -> None:
    outline = read_outline(linked)
    names = [section.name for section in outline.sections]
    assert names[:2] == [".code00001", ".code00002"]
    distances = [0x100000, 0x40000000, -0x8000000, -0x8000000, *[0] * (len(names) - 4)]
    image = moved_elf(outline.image, distances, linked)
    moved = tmp_path / "moved.elf"
    moved.write_bytes(image)
    after = read_outline(moved)
    for name, distance in (("main", 0x100000), ("Second", 0x40000000)):
        assert after.routines[name] == outline.routines[name] + distance
    old, new = (
        read_debug_information(ELFFile(io.BytesIO(data)), linked) for data in (outline.image, image)
    )
    for name in ("main", "Second"):
        assert new.functions[name] == [after.routines[name]]
    assert new.variables["gCalls"][0].address == old.variables["gCalls"][0].address - 0x8000000
    lines = {row.address: row.line for row in old.lines.rows}
    place = outline.routines["Second"]
    assert [row.line for row in new.lines.rows if row.address == place + 0x40000000] == [
        lines[place]
    ]


def test_debugging_information_that_cannot_be_moved_is_left_out(linked: Path) -> None:
    """Its addresses would be wrong."""
    image = bytearray(read_outline(linked).image)
    elf = ELFFile(io.BytesIO(bytes(image)))
    for number, section in enumerate(elf.iter_sections()):
        if section.name.startswith(".rela.debug"):
            place = elf["e_shoff"] + number * elf["e_shentsize"] + 4
            image[place : place + 4] = bytes(4)  # no kind of section
    distances = [0x1000] * len(read_outline(linked).sections)
    moved = ELFFile(io.BytesIO(moved_elf(bytes(image), distances, linked)))
    assert moved.get_section_by_name(".debug_info")["sh_size"] == 0
    assert moved.get_section_by_name(".symtab")["sh_size"] > 0


def test_names_move(tmp_path: Path) -> None:
    moved = tmp_path / "moved.elf"
    moved.write_bytes(moved_elf(SMALL, [0x10, -0x20], PATH))
    outline = read_outline(moved)
    assert outline.routines == {"First": 0x1014, "Second": 0x1FE8}
    assert [section.address for section in outline.sections] == [0x1010, 0x1FE0]


@given(st.integers(0, len(SMALL) - 1), st.integers(0, 255), st.integers(0, len(SMALL)))
def test_damage_is_told(place: int, value: int, end: int) -> None:
    """A damaged file is moved somehow, or refused in words."""
    damaged = bytearray(SMALL)
    damaged[place] = value
    for image in (bytes(damaged), SMALL[:end]):
        try:
            moved_elf(image, [1, 2], PATH)
        except ProgramError as error:
            assert "damaged" in str(error)
