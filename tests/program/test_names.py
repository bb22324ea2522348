"""Finding functions, variables and source lines by name and by address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program import LineRow, LineTable, Location, Program, read_elf, source_name

Reader = Callable[[str], Program]
LineOf = Callable[[str, str], int]

ALL_PROGRAMS = ("types-m68k", "types-m68k-dwarf4", "types-ppc", "types-ppc-dwarf4", "types-mipsel")
everywhere = pytest.mark.parametrize("name", ALL_PROGRAMS)


@everywhere
@pytest.mark.parametrize(
    ("function", "symbol"),
    [
        ("Start", "_Z5Starti"),
        ("StaticFunction", "_ZL14StaticFunctioni"),
        ("InSpace", "_ZN5space7InSpaceEv"),
    ],
)
def test_functions_by_their_source_names(
    read: Reader, name: str, function: str, symbol: str
) -> None:
    program = read(name)
    (address,) = [s.address for s in program.symbols if s.name == symbol]
    assert program.function(function) == address


def test_functions_by_symbol_without_debugging_information(read: Reader) -> None:
    plain, full = read("plain-m68k"), read("types-m68k")
    assert not plain.has_debug_information
    for name in ("Start", "StaticFunction"):
        assert plain.function(name) == full.function(name)
    assert plain.function("_Z5Starti") == plain.function("Start")


def test_overloads_are_ambiguous(read: Reader) -> None:
    for name in ("types-m68k", "plain-m68k"):
        with pytest.raises(ProgramError, match="2 functions are named Overloaded"):
            read(name).function("Overloaded")


def test_a_missing_function_is_named_with_what_there_is(read: Reader) -> None:
    with pytest.raises(ProgramError, match=r"there is no function Stat\..*StaticFunction"):
        read("types-m68k").function("Stat")


def test_statics_of_two_files_are_ambiguous(read: Reader) -> None:
    program = read("ambiguous-m68k")
    with pytest.raises(ProgramError, match="2 functions are named Twice; rename"):
        program.function("Twice")
    with pytest.raises(ProgramError, match="2 variables are named gTwice; rename"):
        program.variable("gTwice")
    with pytest.raises(ProgramError, match="2 variables are named gMixed"):
        program.variable("gMixed")  # one of the two could not even be shown
    assert program.variable("gOnce").type.name == "int"


def test_a_part_that_the_compiler_split_off_is_not_the_function(read: Reader) -> None:
    program = read("ambiguous-m68k")
    addresses = {s.name: s.address for s in program.symbols}
    assert addresses["_Z5SplitPii.part.0"] != addresses["_Z5SplitPii"]
    assert len(set(program.functions["Split"])) == 2, "the compiler still makes the part"
    assert program.function("Split") == addresses["_Z5SplitPii"]


@pytest.mark.parametrize("suffix", ["constprop.0", "isra.0", "part.1", "isra.0.cold"])
def test_a_copy_with_other_arguments_is_refused(read: Reader, suffix: str) -> None:
    program = read("types-m68k")
    renamed = [
        replace(s, name=f"{s.name}.{suffix}") if s.name == "_Z5Starti" else s
        for s in program.symbols
    ]
    changed = replace(program, symbols=renamed, signatures={})
    with pytest.raises(ProgramError, match=rf"only copies .* \(_Z5Starti\.{suffix}\)"):
        changed.function("Start")
    assert changed.function("StaticFunction") == program.function("StaticFunction")


def test_a_missing_variable_is_named_with_what_there_is(read: Reader) -> None:
    with pytest.raises(ProgramError, match=r"no global variable gNothing\. It defines gAbstract,"):
        read("types-m68k").variable("gNothing")


def test_variables_need_debugging_information(read: Reader) -> None:
    with pytest.raises(ProgramError, match=r"no DWARF debugging information.*Compile it with -g"):
        read("plain-m68k").variable("gInt")


def test_a_variable_of_a_function_is_not_a_global(read: Reader) -> None:
    with pytest.raises(ProgramError, match="there is no global variable sLocal"):
        read("types-m68k").variable("sLocal")


@everywhere
@pytest.mark.parametrize("function", ["StaticFunction", "Start"])
def test_locate_gives_the_line_of_a_statement(
    read: Reader, line_of: LineOf, name: str, function: str
) -> None:
    program = read(name)
    line = line_of("types.cpp", f"// line of {function}")
    rows = [r for r in program.lines.rows if r.line == line]
    assert rows, "the statement has code"
    symbol = "_ZL14StaticFunctioni" if function == "StaticFunction" else "_Z5Starti"
    (found,) = [s for s in program.symbols if s.name == symbol]
    for row in rows:
        assert found.address <= row.address < found.address + found.size
        location = program.locate(row.address)
        assert (location.file, location.line) == ("types.cpp", line)
        assert (location.symbol, location.offset) == (function, row.address - found.address)
    text = str(program.locate(rows[0].address))
    assert text.startswith(f"0x{rows[0].address:08x} {function}+0x")
    assert text.endswith(f"(types.cpp:{line})")


def test_locate_always_answers(read: Reader) -> None:
    program = read("types-m68k")
    objects = program.variable("gObjects")
    assert program.locate(objects.address + 13) == Location(
        objects.address + 13, "gObjects", 13, "", 0
    )
    for address in (0, 0x00FFFFFF, 0xFFFFFFFF):
        assert program.locate(address) == Location(address)
        assert str(program.locate(address)) == f"0x{address:08x}"
    plain = read("plain-m68k")
    assert str(plain.locate(plain.function("Start") + 4)).endswith(" Start+0x4")


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_Z5Starti", "Start"),
        ("_ZL14StaticFunctioni", "StaticFunction"),
        ("_ZL8gObjects", "gObjects"),
        ("_Z21_DetermineCollisionsvv", "_DetermineCollisionsv"),
        ("main", "main"),
        ("_ZN5space7InSpaceEv", "space::InSpace"),
        ("_ZNK5Shape4AreaEi", "Shape::Area"),
        ("_ZN5ShapeC1Ei", "Shape::Shape"),
        ("_ZN5ShapeC2Ei", "_ZN5ShapeC2Ei"),
        ("_ZN5ShapeD1Ev", "Shape::~Shape"),
        ("_ZN5ListIiE3AddEi", "_ZN5ListIiE3AddEi"),
        ("_ZN99Short", "_ZN99Short"),
        ("_Z99Short", "_Z99Short"),
        ("", ""),
    ],
)
def test_source_names(symbol: str, name: str) -> None:
    assert source_name(symbol) == name


def test_a_line_table_ends_its_runs() -> None:
    table = LineTable(
        [
            LineRow(30, "", 0),
            LineRow(10, "a.c", 1),
            LineRow(20, "a.c", 2),
            LineRow(40, "b.c", 7),
            LineRow(40, "", 0),
        ]
    )
    found = [table.find(address) for address in (9, 10, 19, 20, 29, 30, 39, 40, 1000)]
    assert found == [
        ("", 0),
        ("a.c", 1),
        ("a.c", 1),
        ("a.c", 2),
        ("a.c", 2),
        ("", 0),
        ("", 0),
        ("b.c", 7),
        ("b.c", 7),
    ]
    assert LineTable().find(10) == ("", 0)


def test_the_same_file_reads_the_same_twice(programs: Path) -> None:
    once, again = (read_elf(programs / "types-ppc.elf") for _ in range(2))
    assert once.symbols == again.symbols
    assert once.segments == again.segments
    assert once.lines.rows == again.lines.rows
