"""Functions with floats are judged by recorded calls, whatever form and code their numbers have."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.cli import main
from emu.port.model import REFUTED, VERIFIED
from tests.port.small_application import SmallPort, small_port

# THINK C: results in memory, numbers of 80 bits with the exponent twice. SANE computes.
THINK = """
start:
    lea -12(%sp), %sp
    move.w #5, -(%sp)
    lea number(%pc), %a0
    move.l 8(%a0), -(%sp)
    move.l 4(%a0), -(%sp)
    move.l (%a0), -(%sp)
    pea 14(%sp)
    bsr Scaled
    lea 18(%sp), %sp
    move.w #-7, -(%sp)
    lea number(%pc), %a0
    move.l 8(%a0), -(%sp)
    move.l 4(%a0), -(%sp)
    move.l (%a0), -(%sp)
    pea 14(%sp)
    bsr Scaled
    lea 18(%sp), %sp
    .short 0xA9F4
number: .long 0x3FFD3FFD, 0xAAAAAAAA, 0xAAAAAAAB
Scaled:
    link.w %fp, #-12
    move.l 12(%fp), -12(%fp)
    move.l 16(%fp), -8(%fp)
    move.l 20(%fp), -4(%fp)
    pea 24(%fp)
    pea -10(%fp)
    move.w #0x2004, -(%sp)
    .short 0xA9EB
    move.w -10(%fp), -12(%fp)
    move.l 8(%fp), %a0
    move.l -12(%fp), (%a0)
    move.l -8(%fp), 4(%a0)
    move.l -4(%fp), 8(%a0)
    move.l (%a0), -12(%a5)
    move.l 4(%a0), -8(%a5)
    move.l 8(%a0), -4(%a5)
    unlk %fp
    rts
"""
THINK_SOURCE = """
// GLOBAL: A5-0xc
double last;
// FUNCTION: @Scaled@
double Scaled(double x, short n) { return last = x * n; }
"""


def port(folder: Path, assembly: str, source: str, convention: str, double: int = 8) -> SmallPort:
    made = small_port(folder, assembly, source)
    path = folder / "port.yaml"
    text = path.read_text().replace("think-c-16", f"{convention}\ndouble: {double}")
    path.write_text(text)
    made.write(source)
    made.record(list(made.places))
    return made


@pytest.mark.parametrize(
    ("new", "verdict", "words"),
    [
        ("last = x * n", VERIFIED, ""),
        ("(last = x * n) + 1e-18", REFUTED, "the result is 1.6666666666666666677, was 1.666666"),
        ("last = (float)(x * n)", REFUTED, "last is 1.6666666269302368"),
    ],
)
def test_numbers_of_sane_are_those_of_new_code(
    new: str, verdict: str, words: str, tmp_path: Path
) -> None:
    source = THINK_SOURCE.replace("last = x * n", new)
    found = port(tmp_path, THINK, source, "think-c-16", 12).verdict("Scaled")
    assert (found.verdict, found.calls) == (verdict, 2 if verdict == VERIFIED else found.calls)
    assert words in found.reason
    if verdict == VERIFIED:
        assert found.remarks == ()


_CALL = """
start:
    {push}
    bsr Half
    {pop}
    .short 0xA9F4
"""
IN_FP0 = f"""{_CALL.format(push="move.l #0x3F800000, -(%sp)", pop="addq.l #4, %sp")}
Half:
    link.w %fp, #0
    fmove.s 8(%fp), %fp0
    fdiv.w #3, %fp0
    unlk %fp
    rts
"""
IN_WORDS = f"""{
    _CALL.format(
        push="clr.l -(%sp); move.l #0x80000000, -(%sp); move.w #0x3FFF, -(%sp)",
        pop="lea 10(%sp), %sp",
    )
}
Half:
    link.w %fp, #-12
    move.w 8(%fp), -12(%fp)
    move.l 10(%fp), -8(%fp)
    move.l 14(%fp), -4(%fp)
    fmove.x -12(%fp), %fp0
    fdiv.w #3, %fp0
    fmove.x %fp0, -12(%fp)
    move.w -12(%fp), %d0
    move.l -8(%fp), %d1
    move.l -4(%fp), %a0
    unlk %fp
    rts
"""


@pytest.mark.parametrize(
    ("assembly", "convention"), [(IN_FP0, "think-c-16-fpu"), (IN_WORDS, "mpw-c")]
)
def test_a_result_in_registers_is_compared_as_its_type_holds_it(
    assembly: str, convention: str, tmp_path: Path
) -> None:
    """The old functions leave more bits than a float has."""
    source = "// FUNCTION: @Half@\nfloat Half(float x) { return x / 3; }\n"
    made = port(tmp_path, assembly, source, convention)
    assert made.verdict("Half").verdict == VERIFIED
    made.write(source.replace("x / 3", "x / 3 + 1e-7"))
    found = made.verdict("Half")
    assert found.verdict == REFUTED
    assert "the result is 0.33333343, was 0.33333334 in the original" in found.reason


LIBRARY = """
// GLOBAL: A5-0xc
double last;
#include <math.h>
// LIBRARY: @Scaled@ ldexp
// FUNCTION: @Five@
double Five(double x, short n) { double a = ldexp(x, 3); return ldexp(x, n) * 0.2 + a * 1.5e0; }
"""


def test_a_library_of_the_old_program_has_doubles_of_12_bytes(tmp_path: Path) -> None:
    """The header is macproof's, for those of the compiler have a double of 8 bytes."""
    five = """start:
    bra begin
Five:
    link.w %fp, #-26
    move.w #3, -(%sp)
    move.l 20(%fp), -(%sp)
    move.l 16(%fp), -(%sp)
    move.l 12(%fp), -(%sp)
    pea -12(%fp)
    bsr Scaled
    move.w 24(%fp), (%sp)
    move.l 20(%fp), -(%sp)
    move.l 16(%fp), -(%sp)
    move.l 12(%fp), -(%sp)
    pea -24(%fp)
    bsr Scaled
    fmove.x -24(%fp), %fp0
    fmul.x fifth(%pc), %fp0
    fmove.x -12(%fp), %fp1
    fmul.s #0x3FC00000, %fp1
    fadd.x %fp1, %fp0
    move.l 8(%fp), %a0
    fmove.x %fp0, (%a0)
    move.w (%a0), 2(%a0)
    unlk %fp
    rts
fifth: .long 0x3FFC3FFC, 0xCCCCCCCC, 0xCCCCCCCD
begin:"""
    assembly = THINK.replace("start:", five, 1).replace("bsr Scaled", "bsr Five")
    assembly = assembly.replace("bsr Five", "bsr Scaled", 2)
    found = port(tmp_path, assembly, LIBRARY, "think-c-16", 12).verdict("Five")
    assert (found.verdict, found.reason) == (VERIFIED, "")


BRANCH = """
start:
    move.l #0x40000000, -(%sp)
    bsr Sign
    addq.l #4, %sp
    .short 0xA9F4
Sign:
    link.w %fp, #0
    moveq #1, %d0
    fmove.s 8(%fp), %fp0
    fcmp.s #0x3F800000, %fp0
    fbge 1f
    moveq #-1, %d0
1:  unlk %fp
    rts
"""


@pytest.mark.parametrize(
    ("new", "change"), [("x > 1 ? 1 : -1", "x = 1.0 (was 2.0)"), ("1", "x = ")]
)
def test_changed_calls_change_floats_to_what_decides(new: str, change: str, tmp_path: Path) -> None:
    source = "// FUNCTION: @Sign@\nshort Sign(float x) { return x >= 1 ? 1 : -1; }\n"
    made = port(tmp_path, BRANCH, source, "think-c-16")
    assert made.verdict("Sign", vary=60).verdict == VERIFIED
    made.write(source.replace("x >= 1 ? 1 : -1", new))
    assert made.verdict("Sign").verdict == VERIFIED
    found = made.verdict("Sign", vary=60)
    assert found.verdict == REFUTED
    assert change in found.reason


def test_an_export_that_cannot_carry_a_float_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "port").mkdir()
    source = "// FUNCTION: @Half@\nfloat Half(float x) { return x / 3; }\n"
    port(tmp_path / "port", IN_FP0, source, "think-c-16-fpu")
    to = tmp_path / "case"
    assert main(["port", "export", "Half", str(tmp_path / "port"), "--to", str(to)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "its result is in fp0, which is not kept" in said
    (tmp_path / "twelve").mkdir()
    port(tmp_path / "twelve", THINK, THINK_SOURCE, "think-c-16", 12)
    assert main(["port", "export", "Scaled", str(tmp_path / "twelve"), "--to", str(to)]) == 2
    assert "doubles of 12 bytes" in " ".join(capsys.readouterr().err.split())
    assert not to.exists()
