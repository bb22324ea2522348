"""The conventions of the 68K compilers of the time, on routines of a few instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emu.base.errors import UsageError
from emu.machine import CPUS, BareMachine, ContractViolation
from emu.machine.abi import CALLING_CONVENTIONS
from emu.program.declarations.c_declarations import parse_prototype
from emu.program.declarations.places import with_routine
from tests.machine.routines import program

ROUTINES = {
    # MOVEA.L (A7)+,A0; MOVE.W (A7)+,D1; MOVE.W (A7)+,D0; SUB.W D1,D0; MOVE.W D0,(A7); JMP (A0)
    "PascalMinus": "205f 321f 301f 9041 3e80 4ed0",
    # MOVEA.L (A7)+,A0; MOVE.L (A7)+,D0; SMI (A7); JMP (A0)
    "PascalIsNegative": "205f 201f 5bd7 4ed0",
    # MOVEA.L (A7)+,A0; MOVE.B (A7)+,D0; EXT.W D0; ADD.W (A7)+,D0; MOVE.W D0,(A7); JMP (A0)
    "PascalShortPlusChar": "205f 101f 4880 d05f 3e80 4ed0",
    # MOVEA.L (A7)+,A1; MOVEA.L (A7)+,A0; MOVE.W 6(A0),D0; MOVE.W D0,(A7); JMP (A1)
    "PascalRight": "225f 205f 30280006 3e80 4ed1",
    # MOVEA.L (A7)+,A1; MOVE.L (A7)+,(A7); JMP (A1)
    "PascalSamePoint": "225f 2e9f 4ed1",
    # MOVEA.L (A7)+,A1; MOVE.W (A7)+,D0; MOVEA.L (A7),A0; MOVE.W D0,(A0); JMP (A1)
    "PascalTop": "225f 301f 2057 3080 4ed1",
    # MOVE.B 4(A7),D0; EXT.W D0; ADD.W 6(A7),D0; ADD.W 10(A7),D0; RTS
    "Words": "102f0004 4880 d06f0006 d06f000a 4e75",
    # MOVE.B 7(A7),D0; EXT.W D0; ADD.W 10(A7),D0; ADD.W 14(A7),D0; RTS
    "Longs": "102f0007 4880 d06f000a d06f000e 4e75",
    # MOVE.L 4(A7),D0; SUBA.L A0,A0; RTS
    "SameInD0": "202f0004 91c8 4e75",
    # MOVEA.L 4(A7),A0; MOVEQ #0,D0; RTS
    "SameInA0": "206f0004 7000 4e75",
    # MOVEA.L 4(A7),A0; MOVE.W 8(A7),(A0); RTS
    "Top": "206f0004 30af0008 4e75",
    "ClobbersD3": "7663 4e75",
    "UsesScratch": "7001 7202 7403 207c00000004 227c00000005 4e75",
}
C = ("think-c-16", "think-c-32", "codewarrior-16", "codewarrior-32", "mpw-c")


def call(name: str, prototype: str, convention: str, *arguments: Any) -> Any:
    """Call one of the routines as a prototype and a convention say."""
    made = program("m68k", ROUTINES, {}, b"")
    parsed = parse_prototype(prototype, model=CALLING_CONVENTIONS[convention].data_model())
    declared = with_routine(made, name, name, parsed.signature, convention)
    with BareMachine(declared, CPUS["68000"]) as machine:
        return machine.functions[name](*arguments)


def test_pascal_pushes_from_left_to_right_and_the_routine_pops() -> None:
    assert call("PascalMinus", "pascal short F(short a, short b)", "pascal", 7, 3) == 4
    assert call("PascalMinus", "pascal short F(short a, short b)", "pascal", -7, 3) == -10


def test_a_byte_of_pascal_lies_in_the_upper_half_of_its_word() -> None:
    prototype = "pascal Boolean F(long n)"
    assert [call("PascalIsNegative", prototype, "pascal", n) for n in (-5, 5)] == [0xFF, 0]
    prototype = "pascal short F(short a, char b)"
    assert call("PascalShortPlusChar", prototype, "pascal", 100, -3) == 97


def test_pascal_passes_large_structs_by_their_address() -> None:
    rect = {"top": 1, "left": 2, "bottom": 3, "right": 4}
    assert call("PascalRight", "pascal short F(Rect r)", "pascal", rect) == 4
    point = call("PascalSamePoint", "pascal Point F(Point p)", "pascal", {"v": 3, "h": -4})
    assert (point["v"], point["h"]) == (3, -4)
    assert call("PascalTop", "pascal Rect F(short top)", "pascal", 19)["top"] == 19


def test_a_routine_of_c_called_as_one_of_pascal_is_noticed() -> None:
    with pytest.raises(ContractViolation, match="the stack pointer came back -8 bytes off"):
        call("Words", "short F(char c, short s, long l)", "pascal", 1, 2, 3)
    with pytest.raises(ContractViolation, match=r"the stack pointer came back \+4 bytes off"):
        call("PascalMinus", "short F(short a, short b)", "think-c-16", 7, 3)


@pytest.mark.parametrize("convention", C)
def test_narrow_arguments(convention: str) -> None:
    routine = "Longs" if convention == "mpw-c" else "Words"
    assert call(routine, "short F(char c, short s, long l)", convention, -3, 200, 1000) == 1197


def test_int_has_16_or_32_bits() -> None:
    prototype = "short F(char c, int s, long l)"
    for convention in ("think-c-16", "codewarrior-16"):
        assert call("Words", prototype, convention, 1, 2, 3) == 6
    assert call("Longs", prototype, "mpw-c", 1, 2, 3) == 6
    with pytest.raises(UsageError, match="70000"):
        call("Words", prototype, "think-c-16", 1, 70000, 3)


@pytest.mark.parametrize("convention", C)
def test_pointers_return_in_d0_but_for_codewarrior(convention: str) -> None:
    routine = "SameInA0" if convention.startswith("codewarrior") else "SameInD0"
    assert call(routine, "Ptr F(Ptr p)", convention, 0x30010) == 0x30010


@pytest.mark.parametrize("convention", C)
def test_a_large_struct_returns_in_memory_of_the_caller(convention: str) -> None:
    # MPW C extends the short: its value is in the lower half, so the upper one is stored.
    top = 0 if convention == "mpw-c" else 19
    assert call("Top", "Rect F(short top)", convention, 19)["top"] == top


@pytest.mark.parametrize("convention", ["pascal", *C])
def test_scratch_and_preserved_registers(convention: str) -> None:
    call("UsesScratch", "void F(void)", convention)
    with pytest.raises(ContractViolation, match="register d3 was"):
        call("ClobbersD3", "void F(void)", convention)


@pytest.mark.parametrize(
    ("kind", "convention", "words"),
    [
        ("float", "think-c-16", "3fc0 0000"),
        ("double", "think-c-16-fpu", "3ff8 0000 0000 0000"),
        ("long double", "think-c-16", "3fff 3fff c000 0000 0000 0000"),
        ("double", "codewarrior-32", "3ff8 0000 0000 0000"),
        ("float", "mpw-c", "3fff c000 0000 0000 0000"),
        ("double", "mpw-c", "3fff c000 0000 0000 0000"),
        ("long double", "mpw-c", "3fff c000 0000 0000 0000"),
    ],
)
def test_a_float_lies_on_the_stack(kind: str, convention: str, words: str) -> None:
    how = CALLING_CONVENTIONS[convention]
    parsed = parse_prototype(f"short F({kind} d, short n)", model=how.data_model())
    kinds = [parameter.type for parameter in parsed.signature.parameters]
    form = how.form(CPUS["68040"], kinds, None)
    wide = kinds[0].wide
    given = np.array([1.5]) if wide is None else np.frombuffer(wide.bytes_of(1.5), kinds[0].dtype)
    assert form.parameters[0].encode(given.astype(kinds[0].dtype)).tobytes() == bytes.fromhex(words)
    # What comes next lies right behind it.
    assert form.parameters[1].pieces[0].at == len(bytes.fromhex(words))


@pytest.mark.parametrize(
    ("prototype", "convention", "given"),
    [
        ("short F(extended d)", "think-c-16", 1.5),
        ("extended80 F(short n)", "codewarrior-32", 1),
        ("long long F(short n)", "think-c-32", 1),
        ("short F(double d)", "pascal", 1.5),
    ],
)
def test_what_is_not_known_is_refused(prototype: str, convention: str, given: float) -> None:
    with pytest.raises(UsageError, match=f"{convention}: it is not known how a .* is"):
        call("Words", prototype, convention, given)
