"""Functions found without names, and the facts of each."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.program.code68k.code_resources import link_code, read_code_program
from emu.program.functions.find_functions import LARGEST_CODE, find_functions
from emu.program.functions.model import GLUE, LIBRARY, OWN, START_UP, ProgramFunction
from emu.program.functions.traceback_tables import read_traceback_table
from emu.program.instructions.disassembly import Code, InstructionSpan
from emu.program.model.lines import LineTable
from emu.program.model.model import Program, Segment, Symbol
from emu.program.read import read_program
from tests.program.code_samples import NEAR, application, code_0, near

PREBUILT = Path(__file__).parents[2] / "programs" / "mac" / "prebuilt"


def m68k_program(below: int = 0x40) -> Program:
    """An application whose functions have no names.

    The program begins at CODE 1+0x4, which calls what sets up at 0x10 and the main function.
    """
    parts = {
        "start": "6100000c 4eba0014 a9f4 4e714e71",
        "set up": "7000 2b40ffe0 4e75 4e714e71",
        "main": "4e56fff8 48e70300 302e0008 2e2e000a d1adffec 534766fa 0c400090 20680012"
        " 41fa0018 4eba000c 4cdf00c0 4e5e4e75 4e714e71",
        "glue": "201fa1224e75",
        "text": "48656c6c6f00",
        "saves": "4e75 48e70300 4cdf00c0 4e75",
    }
    code = bytes.fromhex("".join(parts.values()).replace(" ", ""))
    return read_code_program(
        application({("CODE", 0): code_0([(NEAR, 1, 0)], below=below), ("CODE", 1): near(code)})
    )


def by_place(program: Program) -> dict[str, ProgramFunction]:
    return {function.place: function for function in find_functions(program).functions}


def test_functions_are_found_by_calls_and_prologues() -> None:
    found = by_place(m68k_program())
    assert {place: function.extent.evidence for place, function in found.items()} == {
        "CODE 1+0x4": ("jump table",),
        "CODE 1+0x12": ("call",),
        "CODE 1+0x1e": ("call",),
        "CODE 1+0x50": ("call",),
        "CODE 1+0x60": ("prologue",),
    }


def test_the_facts_of_a_68k_function() -> None:
    main = by_place(m68k_program())["CODE 1+0x1e"]
    contents = main.contents
    assert (main.size, contents.frame_size, contents.parameters) == (48, 8, {8: 2, 10: 4})
    assert contents.loops == 1
    assert main.toolbox == {"NewHandle": 1}
    assert main.callees == {}
    (use,) = contents.globals
    assert (use.place, use.reads, use.writes, use.takes) == ("A5-0x14", 1, 1, 0)
    assert contents.constants[0x90] == 1
    assert contents.offsets == {0x12: 1}
    assert contents.texts == ("Hello",)


@pytest.mark.parametrize(
    ("code", "places"),
    [
        ("204d d0c0 3228fff0", ["A5-0x10"]),  # a0 = a5 + d0, as for an element of an array
        ("204d 2248 3229fff0", ["A5-0x10"]),  # a copy of the copy
        ("244d 61000012 322afff0", ["A5-0x10"]),  # a2 stays over a call
        ("7006 d08d 2040 d0c1 3228fff0", ["A5-0x10"]),  # d0 = 6 * n + a5, a0 = d0 + d1
        ("d08d 702a 2040 3228fff0", []),  # d0 is another number by then
        ("204d 61000012 3228fff0", []),  # a0 does not
        ("204d 2047 3228fff0", []),  # nor with another value
        ("204d 41ef0010 3228fff0", []),
        ("3228fff0", []),
    ],
)
def test_a_register_that_holds_a5_leads_to_globals(code: str, places: list[str]) -> None:
    main, called = "4e560000 61000006 4e5e4e75", f"4e560000 {code} 4e5e4e75"
    words = bytes.fromhex((main + called).replace(" ", "")).ljust(48, b"\0") + b"Nu"
    parts = {("CODE", 0): code_0([(NEAR, 1, 0)], below=0x40), ("CODE", 1): near(words)}
    program = read_code_program(application(parts))
    found = by_place(program)
    assert [use.place for use in found["CODE 1+0x10"].contents.globals] == places


@pytest.mark.parametrize(
    ("code", "parameters"),
    [
        ("202f0004 222f0008 4e75", (8, 12)),
        ("48e73020 202f0010 322f0014 4cdf040c 4e75", (8, 12)),  # MOVEM of D2, D3 and A2
        ("2f03 554f 362f000a 301f 544f 4e75", (8,)),  # two bytes below the saved D3
        ("2f03 4a40 6604 261f 4e75 202f0008 261f 4e75", (8,)),  # behind a first return
        ("4fefffe0 202f0000 222f0024 4fef0020 4e75", (8,)),  # its own 32 bytes
        ("2f2f0004 2f2f000c 508f 202f0004 4e75", (8, 12)),  # pushed again
        ("a9c8 202f0004 4e75", ()),  # a trap may have taken bytes off the stack
        ("2e4f 202f0004 4e75", ()),  # so may whoever gives A7 a value
    ],
)
def test_parameters_of_a_function_without_a_frame(code: str, parameters: tuple[int, ...]) -> None:
    program = read_code_program(
        application({("CODE", 0): code_0([(NEAR, 1, 0)]), ("CODE", 1): near(bytes.fromhex(code))})
    )
    assert by_place(program)["CODE 1+0x4"].contents.parameters.keys() == set(parameters)


def test_kinds_by_shape() -> None:
    found = by_place(m68k_program())
    kinds = {place: function.kind for place, function in found.items()}
    assert kinds["CODE 1+0x4"] == kinds["CODE 1+0x12"] == START_UP
    assert kinds["CODE 1+0x1e"] == OWN
    assert kinds["CODE 1+0x50"] == GLUE


def test_what_has_no_name_among_named_functions_is_the_librarys() -> None:
    program = m68k_program()
    functions = find_functions(program).functions
    named = [Symbol(f"F{f.address:x}", f.address, 0, "function") for f in functions[1:]]
    functions = find_functions(replace(program, symbols=named)).functions
    assert [function.kind for function in functions if not function.name] == [START_UP]
    without = [*named[:2], named[3]]
    functions = find_functions(replace(program, symbols=without)).functions
    assert [function.kind for function in functions if not function.name] == [START_UP, GLUE]
    without = named[:3]
    functions = find_functions(replace(program, symbols=without)).functions
    assert [function.kind for function in functions if not function.name] == [START_UP, LIBRARY]


def test_a_routine_without_a_name_between_names_is_one() -> None:
    name = "834f6e65 0000"
    code = bytes.fromhex(f"7001 4e75 {name} 7002 4e75 7003 4e75 8354776f 0000 4e714e71")
    file = application({("CODE", 0): code_0([(NEAR, 1, 0)]), ("CODE", 1): near(code)})
    found = find_functions(link_code(file).program).functions
    assert [(f.place, f.name) for f in found] == [
        ("CODE 1+0x4", "One"),
        ("CODE 1+0xe", ""),
        ("CODE 1+0x12", "Two"),
    ]


def powerpc_program(code: bytes) -> Program:
    vector = struct.pack(">II", 0x10000, 0x20000)
    return Program(
        path=Path("sample"),
        architecture="powerpc",
        byte_order=">",
        segments=[
            Segment("section 0 (code)", 0x10000, len(code), code, False, True),
            Segment("section 1 (data)", 0x20000, 64, vector + bytes(56), True, False),
        ],
        symbols=[],
        variables={},
        functions={},
        lines=LineTable(),
        has_debug_information=False,
        registers={"r2": 0x20000},
    )


TABLE = bytes.fromhex("00000000 00002040 00000203 00000000 0000000c 0003 4164647500")


def test_a_traceback_table_names_and_sizes_its_function() -> None:
    code = bytes.fromhex("386300904e800020 4e800020") + TABLE
    table = read_traceback_table(code, 12)
    assert table is not None
    assert (table.name, table.function_size, table.argument_count) == ("Add", 12, 3)
    (function,) = find_functions(powerpc_program(code + bytes.fromhex("4e800020"))).functions[:1]
    assert (function.name, function.argument_count) == ("Add", 3)
    assert "traceback table" in function.extent.evidence


@pytest.mark.parametrize("at", range(4, 8))
def test_zeros_are_no_traceback_table(at: int) -> None:
    assert read_traceback_table(bytes(64), 0) is None
    damaged = bytearray(TABLE)
    damaged[at] = 0xFF
    table = read_traceback_table(bytes(12) + bytes(damaged), 12)
    assert table is None or at in (6, 7)


def test_powerpc_functions_lie_behind_returns() -> None:
    code = bytes.fromhex("80620020 90830010 48000009 4e800020 38600090 2c030000 4082fffc 4e800020")
    found = find_functions(powerpc_program(code)).functions
    assert [(f.place, f.size) for f in found] == [("section 0+0x0", 16), ("section 0+0x10", 16)]
    called = found[1]
    assert called.callers == (0x10000,)
    assert (called.contents.loops, called.contents.branches) == (1, 1)
    assert called.contents.constants == {0x90: 1, 0: 1}
    (use,) = found[0].contents.globals
    assert (use.place, use.reads) == ("section 1+0x20", 1)


SWITCH = "7c63282e 7c6903a6 4e800420 38600001 4e800020 38600002 4e800020"


def test_the_cases_of_a_switch_are_part_of_its_function() -> None:
    """With a size all of them; else those up to the first return that no branch passes over."""
    program = powerpc_program(bytes.fromhex(SWITCH))
    assert [f.size for f in find_functions(program).functions] == [20, 8]
    sized = replace(program, symbols=[Symbol("Choose", 0x10000, 28, "function")])
    assert [(f.name, f.size) for f in find_functions(sized).functions] == [("Choose", 28)]
    glue = powerpc_program(bytes.fromhex("800c0000 7c0903a6 4e800420 38600001 4e800020"))
    assert [f.size for f in find_functions(glue).functions] == [12, 8]


def test_data_behind_the_code_of_one_section_are_globals() -> None:
    program = read_program(PREBUILT / "601" / "globals.bin")
    names = {s.address: s.name for s in program.symbols if s.kind == "object"}
    main = next(f for f in find_functions(program).functions if f.name == "main")
    used = {names.get(use.address) for use in main.contents.globals}
    assert {"gFirst", "gZeros", "gShorts"} <= used


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_the_functions_of_an_application_are_found_without_their_names(cpu: str) -> None:
    """At least nine of ten that have a name are found when it is hidden."""
    program = read_program(PREBUILT / cpu / "menus.bin")
    code = [range(s.address, s.end) for s in program.segments if s.executable]
    named = {
        s.address
        for s in program.symbols
        if s.kind == "function" and any(s.address in extent for extent in code)
    }
    hidden = replace(program, symbols=[s for s in program.symbols if s.kind != "function"])
    found = {function.address for function in find_functions(hidden).functions}
    assert len(named) > 80
    assert len(named & found) >= 0.9 * len(named)
    toolbox = {name for f in find_functions(hidden).functions for name in f.toolbox}
    assert {"InitGraf", "GetMenu", "MenuSelect"} <= toolbox


def test_another_processor_is_refused() -> None:
    program = replace(powerpc_program(bytes(8)), architecture="mips")
    with pytest.raises(ProgramError, match="neither for the 68K nor for the PowerPC"):
        find_functions(program)


def test_calls_into_what_is_no_code_take_no_longer_each() -> None:
    """Each of 2,000 calls leads between two others, from where all that follows is no code."""
    code = bytes.fromhex("61000004") * 2000 + bytes.fromhex("4afb")
    program = replace(powerpc_program(code), architecture="m68k", registers={"a5": 0x20020})
    decoded = 0
    decode = Code.decode

    def counted(self: Code, start: int, end: int, stretch: int = 512) -> Iterator[InstructionSpan]:
        nonlocal decoded
        for instruction in decode(self, start, end, stretch):
            decoded += 1
            yield instruction

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Code, "decode", counted)
        find_functions(program)
    assert 2000 < decoded < 20_000


def test_more_code_than_any_program_has_is_refused() -> None:
    with pytest.raises(ProgramError, match="functions are looked for in 8,388,608"):
        find_functions(powerpc_program(bytes(LARGEST_CODE + 4)))


def test_more_functions_than_any_program_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emu.program.functions.find_functions.MOST_FUNCTIONS", 3)
    returns = bytes.fromhex("4e800020")
    assert len(find_functions(powerpc_program(3 * returns)).functions) == 3
    with pytest.raises(ProgramError, match="4 functions seem to begin in its code"):
        find_functions(powerpc_program(4 * returns))


@given(st.binary(max_size=400), st.lists(st.integers(0, 399), max_size=6))
def test_any_bytes_are_read_as_68k_code(content: bytes, places: list[int]) -> None:
    """Functions lie in the code, one behind the other, and nothing runs away."""
    seeds = bytes.fromhex("4e56fff84e75")
    code = content + seeds + content[::-1]
    symbols = [
        Symbol(f"F{place}", 0x10000 + place, 0, "function") for place in places if place < len(code)
    ]
    program = replace(
        powerpc_program(code), architecture="m68k", symbols=symbols, registers={"a5": 0x20020}
    )
    _check(program)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_as_powerpc_code(content: bytes) -> None:
    _check(powerpc_program(content + TABLE + content))


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_damaged_program_is_read(place: int, change: int) -> None:
    for cpu in ("68000", "601"):
        program = read_program(PREBUILT / cpu / "empty.bin")
        segments = []
        for segment in program.segments:
            data = bytearray(segment.data)
            if data:
                data[place % len(data)] ^= change
            segments.append(replace(segment, data=bytes(data)))
        _check(replace(program, segments=segments))


def _check(program: Program) -> None:
    functions = find_functions(program).functions
    for before, after in itertools.pairwise(functions):
        assert before.extent.end <= after.address
    for function in functions:
        assert function.size > 0
        assert any(
            s.address <= function.address and function.extent.end <= s.end + 20
            for s in program.segments
        )
