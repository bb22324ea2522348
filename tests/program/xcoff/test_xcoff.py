"""XCOFF files: symbols, imports and relocations, and what is said about bad files."""

from __future__ import annotations

import contextlib
import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.program.fragments.fragment_program import pef_program, xcoff_program
from emu.program.pef.pef import parse_pef
from emu.program.xcoff.xcoff import is_xcoff, parse_xcoff
from emu.program.xcoff.xcoff_model import XcoffFile
from tests.program import fragment_samples as sample
from tests.program.fragment_samples import Symbol

PATH = Path("App.xcoff")
CODE = b"\x4e\x80\x00\x20" * 16
DATA = struct.pack(">6I", 8, 16, 0, 24, 0, 0)

SYMBOLS = [
    Symbol("TOC", 8, sample.DATA_SECTION, sample.ANCHOR, storage=107),
    Symbol("", 0, sample.TEXT_SECTION, sample.PROGRAM_CODE, length=48, storage=107),  # entry 2
    Symbol(".main", 0, sample.TEXT_SECTION, sample.PROGRAM_CODE, sample.LABEL, 2),
    Symbol("._ZL6Helperv", 16, sample.TEXT_SECTION, sample.PROGRAM_CODE, sample.LABEL, 2),
    Symbol("._Z20_DetermineCollisionsv", 16, sample.TEXT_SECTION, 0, sample.LABEL, 2),
    Symbol(".NewPtr", 48, sample.TEXT_SECTION, sample.GLUE, length=16),
    Symbol("main", 0, sample.DATA_SECTION, sample.DESCRIPTOR, length=12),
    Symbol("gTable", 12, sample.DATA_SECTION, sample.READ_WRITE, length=4),
    Symbol("gTable", 8, sample.DATA_SECTION, sample.ENTRY, length=4, storage=107),
    Symbol("gZeroed", 24, sample.ZEROED_SECTION, sample.ZEROED, sample.COMMON, 32),
    Symbol("NewPtr", 0, 0, sample.DESCRIPTOR, 0),
]
LOADER = sample.xcoff_loader(
    [("NewPtr", False), ("AVeryLongWeakSymbol", True)],
    # main's code and contents; a zeroed variable; both imports.
    [(0, 0, 2), (4, 1, 2), (12, 2, 2), (16, 3, 2), (20, 4, 2)],
)


def application(**changes: object) -> bytes:
    """A linked program with a bit of everything."""
    options = {"symbols": SYMBOLS, "loader": LOADER, "entry": 0, "contents": 8, **changes}
    return sample.xcoff(CODE, DATA, 32, **options)  # type: ignore[arg-type]


def refusal(data: bytes) -> str:
    """The message with which a file is refused."""
    with pytest.raises(ProgramError) as caught:
        parse_xcoff(data, PATH)
    return str(caught.value)


@pytest.fixture(scope="module")
def read() -> XcoffFile:
    return parse_xcoff(application(), PATH)


# -- what is in a file --------------------------------------------------------------------------


def test_sections_and_places(read: XcoffFile) -> None:
    assert [(s.name, s.kind, s.address, s.size) for s in read.sections] == [
        (".text", "code", 0, 64),
        (".data", "data", 0, 24),
        (".bss", "zeroed data", 24, 32),
        (".loader", "loader", 0, len(LOADER)),
    ]
    assert read.linked
    assert (read.entry, read.contents) == ((1, 0), (1, 8))


def test_symbols(read: XcoffFile) -> None:
    found = [(s.name, s.section, s.offset, s.size, s.kind) for s in read.symbols]
    assert found == [
        ("TOC", 1, 8, 0, "contents"),
        ("", 0, 0, 48, "code"),
        (".main", 0, 0, 16, "code"),
        ("._ZL6Helperv", 0, 16, 32, "code"),
        ("._Z20_DetermineCollisionsv", 0, 16, 32, "code"),
        (".NewPtr", 0, 48, 16, "code"),
        ("main", 1, 0, 12, "descriptor"),
        ("gTable", 1, 12, 4, "data"),
        ("gTable", 1, 8, 4, "other"),
        ("gZeroed", 2, 0, 32, "data"),
    ]


def test_entries_between_a_symbol_and_its_csect_are_passed_over(read: XcoffFile) -> None:
    symbols = [s for s in SYMBOLS if s.kind != sample.LABEL]
    plain = parse_xcoff(application(symbols=symbols), PATH)
    detailed = parse_xcoff(application(symbols=symbols, details=2), PATH)
    assert plain.symbols == detailed.symbols
    assert len(plain.symbols) == len(symbols) - 1


def test_imports(read: XcoffFile) -> None:
    assert [(i.name, i.weak) for i in read.imports] == [
        ("NewPtr", False),
        ("AVeryLongWeakSymbol", True),
    ]


def test_as_a_program() -> None:
    program = xcoff_program(parse_xcoff(application(), PATH), PATH)
    assert (program.architecture, program.byte_order) == ("powerpc", ">")
    assert program.convention == "ppc-poweropen"
    code, data, zeroed = program.segments
    assert (code.executable, code.writable) == (True, False)
    assert (data.executable, data.writable) == (False, True)
    assert zeroed.address == data.address + 24, "where the linker put it"
    assert program.registers == {"r2": data.address + 8}
    imports = {s.name: s.address for s in program.symbols if s.address < code.address}
    assert struct.unpack(">6I", data.data) == (
        code.address + 8,
        data.address + 16,
        0,
        zeroed.address,
        imports["NewPtr"],
        0,  # weak, and nobody has it
    )


def test_names_of_the_source() -> None:
    program = xcoff_program(parse_xcoff(application(), PATH), PATH)
    code = program.segments[0].address
    assert program.function("main") == code
    assert program.function("_DetermineCollisions") == code + 16
    assert program.function("Helper") == code + 16
    assert str(program.locate(code + 20)).endswith("Helper+0x4")
    kinds = {(s.name, s.kind): s.address for s in program.symbols}
    assert kinds["gTable", "object"] == program.segments[1].address + 12
    assert kinds["main", "other"] == program.segments[1].address
    assert ("gTable", "other") not in kinds, "an entry of the table of contents is no variable"


def test_an_object_is_no_program() -> None:
    object_file = parse_xcoff(application(linked=False), PATH)
    assert not object_file.linked
    assert [s.name for s in object_file.symbols][2] == ".main"
    with pytest.raises(ProgramError, match="object to be linked"):
        xcoff_program(object_file, PATH)


def test_detection() -> None:
    assert is_xcoff(application())
    assert not is_xcoff(b"\x01\xdf")
    assert not is_xcoff(b"\x01\xf7" + bytes(30))


# -- beside a PEF -------------------------------------------------------------------------------


def container() -> bytes:
    """The PEF that Retro68 would make of the application."""
    blocks: list[int] = []
    for place, block in [
        (0, sample.run(0, 1)),
        (4, sample.run(1, 1)),
        (12, sample.run(1, 1)),
        (16, sample.lg_by_import(0)),
    ]:
        blocks += sample.set_position(place) + block
    return sample.pef(
        [sample.Section(0, CODE), sample.Section(1, DATA, len(DATA) + 32, len(DATA))],
        sample.loader_section(
            [sample.Library("InterfaceLib", [("NewPtr", 2)])], relocations={1: blocks}, main=(1, 0)
        ),
    )


def test_symbols_for_a_container() -> None:
    program = pef_program(parse_pef(container(), Path("App")), Path("App"), (application(), PATH))
    code, data = program.segments
    assert program.function("_DetermineCollisions") == code.address + 16
    places = {s.name: s.address for s in program.symbols if s.kind == "object"}
    assert places["gTable"] == data.address + 12
    assert places["gZeroed"] == data.address + 24
    assert program.registers["r2"] == data.address + 16, "the second word of main's vector"
    same = xcoff_program(parse_xcoff(application(), PATH), PATH)
    assert data.data[:16] == same.segments[1].data[:16], "both relocate alike"


@pytest.mark.parametrize("offset", [20 + 72 + 160 + 3, 20 + 72 + 160 + 64 + 5])
def test_symbols_of_another_build_are_refused(offset: int) -> None:
    other = bytearray(application())
    other[offset] ^= 1
    with pytest.raises(ProgramError, match=r"App\.xcoff: it is not what App was made of"):
        pef_program(parse_pef(container(), Path("App")), Path("App"), (bytes(other), PATH))


# -- damaged files ------------------------------------------------------------------------------


def changed(offset: int, form: str, value: int) -> bytes:
    """The application with one number replaced."""
    data = bytearray(application())
    struct.pack_into(f">{form}", data, offset, value)
    return bytes(data)


HEADERS = 20 + 72
LOADER_AT = HEADERS + 160 + len(CODE) + len(DATA)
TABLE = LOADER_AT + len(LOADER)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x01\xdf" + bytes(10), "it is not a 32-bit XCOFF file"),
        (changed(2, "H", 5000), "the table of sections"),
        (changed(16, "H", 0xFFFF), "the table of sections"),
        (changed(8, "I", 0xFFFFFF00), "its symbol table ends"),
        (changed(12, "i", 0x7FFFFFF), "its symbol table ends"),
        (changed(12, "i", -1), "its symbol table ends"),
        (changed(12, "i", 3), "in the middle of a symbol"),
        (changed(HEADERS + 16, "I", 0xFFFFFFFF), "section .text ends"),
        (changed(HEADERS + 80 + 16, "I", 65 << 20), "more than 64 MiB"),
        (changed(HEADERS + 36, "I", 0x40), "two sections of data"),
        (changed(20 + 16, "I", 0x9000000), "the entry point is at 0x9000000"),
        (changed(20 + 32, "H", 9), "the entry point is in section 9"),
        (changed(20 + 38, "H", 9), "the table of contents is in section 9"),
        (changed(TABLE + 12, "h", 9), "a symbol is in section 9 of 4"),
        (changed(TABLE + 8, "I", 0x7FFFFFFF), "a symbol is at 0x7fffffff"),
        (changed(TABLE + 36 * 4 + 4, "I", 0xFFFFFF), "is not in the table of strings"),
        (changed(TABLE + 36 * 4 + 4, "I", 1), "is not in the table of strings"),
        (changed(LOADER_AT, "I", 2), "loader section: it is of version 2"),
        (changed(LOADER_AT + 4, "I", 0x7FFFFFF), "its table of symbols"),
        (changed(LOADER_AT + 8, "I", 0x7FFFFFF), "its relocations"),
        (changed(LOADER_AT + 24, "I", 0x7FFFFFF), "its table of strings"),
        (changed(LOADER_AT + 32 + 24 + 4, "I", 0x7FFFFFF), "name is not in its table"),
    ],
)
def test_damage(data: bytes, message: str) -> None:
    assert message in refusal(data)


@pytest.mark.parametrize(
    ("relocation", "kind", "message"),
    [
        ((0, 0, 2), 0x1F01, "unknown kind 0x1f01"),
        ((0, 9, 2), 0x1F00, "names symbol 9"),
        ((24, 0, 2), 0x1F00, "outside section .data"),
        ((0xFFFFFFFF, 0, 2), 0x1F00, "outside section .data"),
        ((0, 0, 3), 0x1F00, "outside section .bss"),
        ((0, 0, 7), 0x1F00, "a section that does not exist"),
        ((2, 0, 2), 0x1F00, "overlap"),
    ],
)
def test_bad_relocations(relocation: tuple[int, int, int], kind: int, message: str) -> None:
    loader = sample.xcoff_loader([("NewPtr", False)], [(0, 0, 2), relocation], kind)
    assert message in refusal(application(loader=loader))


def test_a_relocation_by_what_is_neither_section_nor_import() -> None:
    loader = bytearray(sample.xcoff_loader([("main", False)], [(0, 3, 2)]))
    loader[32 + 14] = 0x21
    assert "neither section nor import" in refusal(application(loader=bytes(loader)))


@given(st.integers(0, len(application()) - 1), st.integers(0, 255))
def test_any_changed_byte_is_read_or_refused(offset: int, value: int) -> None:
    data = bytearray(application())
    data[offset] = value
    with contextlib.suppress(ProgramError):
        xcoff_program(parse_xcoff(bytes(data), PATH), PATH)


# -- the real linker ----------------------------------------------------------------------------

RETRO68 = os.environ.get("RETRO68", "")


@pytest.mark.skipif(not RETRO68, reason="RETRO68 does not name the folder of a Retro68 toolchain")
def test_what_retro68_links_is_what_its_pef_holds(tmp_path: Path) -> None:
    source = tmp_path / "app.cc"
    source.write_text(
        "#include <Memory.h>\n"
        "int gNumbers[7] = {1, 2, 3};\nint *gPointer = gNumbers + 2;\nlong gZeroed[9];\n"
        "int Sum(int extra) { gZeroed[1] += extra; return *gPointer + gZeroed[1]; }\n"
        "int main() { return Sum((int)NewPtr(4)); }\n"
    )
    tools = Path(RETRO68) / "bin"
    linked, made = tmp_path / "App.xcoff", tmp_path / "App.pef"
    compiler = tools / "powerpc-apple-macos-g++"
    assert shutil.which(str(compiler)), f"{compiler} is not there"
    subprocess.run([compiler, "-O2", source, "-o", linked, "-lInterfaceLib"], check=True)
    subprocess.run([tools / "MakePEF", linked, "-o", made], check=True)
    read = parse_xcoff(linked.read_bytes(), linked)
    alone = xcoff_program(read, linked)
    fragment = pef_program(parse_pef(made.read_bytes(), made), made, (linked.read_bytes(), linked))
    assert alone.segments[0].data == fragment.segments[0].data
    size = len(alone.segments[1].data)
    assert alone.segments[1].data == fragment.segments[1].data[:size]
    assert alone.registers == fragment.registers
    assert alone.function("Sum") == fragment.function("Sum")
