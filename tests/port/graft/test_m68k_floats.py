"""Floats between new 68K functions and old ones of all compilers of the time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.port.graft.old_program import old_program

SOURCE = """
float Half(float f, short n);
double Twice(short n, double d);
long double Third(long double x);
short counter;

float NewFloat(float f, short n) { return Half(f, n) + f; }
double NewDouble(short n, double d) { return Twice(n, d) - n; }
long double NewLong(short n, long double x, float f) { counter = n; return Third(x) * 3 + f; }
"""
HEAD = "    .text\n    .globl Half, Twice, Third, NewFloat, NewDouble, NewLong\n"
TAIL = (
    "NewFloat:\nNewDouble:\nNewLong:\n    rts\n    .data\n    .globl counter\ncounter: .short 0\n"
)
SPOIL = "    fmove.w #99, %fp0\n    fmove.w #99, %fp1\n    moveq #-1, %d2\n"
# The caller has passed the address of room for the result first.
MEMORY = f"""{HEAD}
Half:
    move.l 4(%sp), %a0
    fmove.s 8(%sp), %fp0
    fdiv.w 12(%sp), %fp0
    fmove.s %fp0, (%a0)
{SPOIL}    rts
Twice:
    move.l 4(%sp), %a0
    fmove.d 10(%sp), %fp0
    fmul.w 8(%sp), %fp0
    fmove.d %fp0, (%a0)
{SPOIL}    rts
Third:
    move.l 4(%sp), %a0
    {{load}}
    fdiv.w #3, %fp0
    fmove.x %fp0, (%a0)
    {{copy}}
{SPOIL}    rts
{TAIL}"""
# SANE finds the number of 80 bits behind the first exponent.
SECOND_EXPONENT = """lea -12(%sp), %sp
    move.w 22(%sp), (%sp)
    move.l 28(%sp), 8(%sp)
    move.l 24(%sp), 4(%sp)
    fmove.x (%sp)+, %fp0"""
THINK = MEMORY.replace("{load}", SECOND_EXPONENT).replace("{copy}", "move.w (%a0), 2(%a0)")
CODEWARRIOR = MEMORY.replace("{load}", "fmove.x 8(%sp), %fp0").replace("{copy}", "")
IN_FP0 = f"""{HEAD}
Half:
    fmove.s 4(%sp), %fp0
    fdiv.w 8(%sp), %fp0
    moveq #-1, %d2
    rts
Twice:
    fmove.d 6(%sp), %fp0
    fmul.w 4(%sp), %fp0
    rts
Third:
    fmove.x 4(%sp), %fp0
    fdiv.w #3, %fp0
    rts
{TAIL}"""
# Every float is a number of 10 bytes, and a result is in D0, D1 and A0.
_TAKEN = """    move.l {mantissa}+4(%sp), -(%sp)
    move.l {mantissa}+4(%sp), -(%sp)
    clr.w -(%sp)
    move.w {mantissa}+8(%sp), -(%sp)
    fmove.x (%sp)+, %fp0
"""
_GIVEN = """    fmove.x %fp0, -(%sp)
    move.w (%sp)+, %d0
    addq.l #2, %sp
    move.l (%sp)+, %d1
    move.l (%sp)+, %a0
    fmove.w #99, %fp0
    moveq #-1, %d2
    rts
"""
MPW = f"""{HEAD}
Half:
{_TAKEN.format(mantissa=6)}    fdiv.l 14(%sp), %fp0
{_GIVEN}
Twice:
{_TAKEN.format(mantissa=10)}    fmul.l 4(%sp), %fp0
{_GIVEN}
Third:
{_TAKEN.format(mantissa=6)}    fdiv.w #3, %fp0
{_GIVEN}
{TAIL}"""


@pytest.mark.parametrize("build", ["O0", "O2"])
@pytest.mark.parametrize(
    ("convention", "assembly"),
    [
        ("think-c-16", THINK),
        ("think-c-32", THINK),
        ("codewarrior-16", CODEWARRIOR),
        ("codewarrior-32", CODEWARRIOR),
        ("think-c-16-fpu", IN_FP0),
        ("think-c-32-fpu", IN_FP0),
        ("mpw-c", MPW),
    ],
)
def test_floats_pass_between_old_and_new(
    convention: str, assembly: str, build: str, tmp_path: Path
) -> None:
    old = old_program(tmp_path, SOURCE, assembly, convention=convention)
    graft = old.graft("NewFloat", "NewDouble", "NewLong", build=build)
    assert graft.remarks == ()
    with old.machine(graft) as machine:
        assert machine.functions["NewFloat"](5.0, 4) == 6.25
        assert machine.functions["NewDouble"](3, 0.1) == 0.1 * 3 - 3
        found = machine.functions["NewLong"](-7, 1 + 2.0**-50, 0.5)
        assert abs(Fraction(*found.as_integer_ratio()) - Fraction(3, 2) - Fraction(1, 2**50)) < (
            Fraction(1, 2**62)
        )
        assert machine.globals["counter"] == -7


STORES = """
long double kept, *cursor, many[4];
struct Pair { short tag; long double x, y; } pair;
void Store(short n, long double x) {
    kept = x; many[n] = 2.5; pair.y = x * 2;
    *cursor++ = x; *cursor = 1; cursor[1] = -x; cursor[n] = x;
}
"""
OLD_STORES = """
    .text
    .globl Store
Store: rts
    .data
    .globl kept, cursor, many, pair
kept: .space 12
cursor: .long many
many: .space 48
pair: .space 26
"""


@pytest.mark.parametrize("build", ["O0", "O1", "O2", "Os"])
def test_every_long_double_of_think_c_has_its_exponent_twice(build: str, tmp_path: Path) -> None:
    old = old_program(tmp_path, STORES, OLD_STORES)
    with old.machine(old.graft("Store", build=build)) as machine:
        machine.functions["Store"](2, -3)
        names = ("kept", "many", "pair")
        kept, many, pair = (bytes(machine.globals[name].tobytes()) for name in names)
    numbers = [kept, pair[14:], *(many[at : at + 12] for at in range(0, 48, 12))]
    assert [number[:2] for number in numbers] == [number[2:4] for number in numbers]
    assert [f"{number[:2].hex()} {number[4:6].hex()}" for number in numbers] == [
        "c000 c000", "c001 c000", "c000 c000", "3fff 8000", "4000 c000", "c000 c000"
    ]  # fmt: skip
