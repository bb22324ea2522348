"""Cases compiled by Retro68's compilers, whose code calls routines in ways of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof as kit
from emu.base.errors import CompileError
from emu.program import read_elf, read_program
from emu.toolchain.retro68 import retro68_compiler
from tests.conftest import Outcome
from tests.small_cases import SmallCases

pytestmark = pytest.mark.slow
CPUS = ("68000", "68040")

# What is pushed as 2 bytes for this compiler and as 4 for others, to the Toolbox and to functions.
TOOLBOX = """
#include <Quickdraw.h>
short gValues[16], gCount;
long gSum;

static long Area(const Rect *box, char scale, short more)
{
    return (long) (box->right - box->left) * (box->bottom - box->top) * scale + more;
}

void Run(void)
{
    Rect box, other;

    gSum = 0;
    for (short n = 0; n < gCount; n++)
    {
        SetRect(&box, 0, 0, 10, (short) (gValues[n] & 63));
        InsetRect(&box, 1, -1);
        other = box;
        gSum += Area(&box, 2, n) + EqualRect(&box, &other);
    }
}
"""
SUM = "sum(8 * ((n & 63) + 2) * 2 + i + 1 for i, n in enumerate(scene.values.tolist()))"


@pytest.fixture
def compiler(retro68_folder: Path) -> dict[str, str]:
    return {"m68k": str(retro68_compiler(retro68_folder, "m68k").absolute())}


@pytest.fixture
def powerpc(retro68_powerpc: Path) -> dict[str, str]:
    return {"powerpc": str(retro68_powerpc)}


CASES = ["four-shifts", "blockmap", "linear-quadtree", "trivial-loops"]


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_verified_as_retro68_makes_it(name: str, compiler: dict[str, str]) -> None:
    programs = kit.programs_of(name, cpus=CPUS, compilers=compiler)
    assert {read_elf(one.path).convention for one in programs.built} == {"m68k-retro68"}
    found = kit.verify(name, programs, scenes=30)
    assert found.verdict == "verified"
    assert all("m68k-apple-macos" in one.program.command for one in found.report.results)


def test_the_toolbox_is_called_as_retro68_calls_it(
    small_cases: SmallCases, compiler: dict[str, str]
) -> None:
    case = small_cases.make(TOOLBOX, f"return answer(total={SUM})", "{gSum: total}")
    programs = kit.programs_of(case, cpus=CPUS, builds=["O0", "O2"], compilers=compiler)
    assert kit.verify(case, programs, scenes=12).verdict == "verified"


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_verified_as_retro68_makes_it_for_the_powerpc(
    name: str, powerpc: dict[str, str]
) -> None:
    programs = kit.programs_of(name, cpus=["601"], compilers=powerpc)
    assert {read_program(one.path).convention for one in programs.built} == {"ppc-poweropen"}
    found = kit.verify(name, programs, scenes=30)
    assert found.verdict == "verified"
    assert all("powerpc-apple-macos" in one.program.command for one in found.report.results)


@pytest.mark.parametrize("wrong", [0, 1])
def test_the_toolbox_is_called_on_the_powerpc(
    wrong: int, small_cases: SmallCases, powerpc: dict[str, str]
) -> None:
    case = small_cases.make(TOOLBOX, f"return answer(total={SUM} + {wrong})", "{gSum: total}")
    programs = kit.programs_of(case, cpus=["601"], builds=["O0", "O2"], compilers=powerpc)
    assert kit.verify(case, programs, scenes=12).verdict == ("refuted" if wrong else "verified")


# A constructor, a static that is only written, a call of GCC's library, and in a function that is
# not needed one of nothing.
PARTS = """
struct Table { long sum; Table(long n) { sum = n * 3; } };
Table gTable(7);
short gValues[16], gCount;
long gSum;
static long sLast;
extern "C" long Nowhere(long n);

static long Divided(long long n, long by) { return (long) (n / by); }
long Unused(long n) { return Nowhere(n); }

extern "C" void Run(void)
{
    gSum = gTable.sum;
    for (short n = 0; n < gCount; n++)
        gSum += Divided((long long) gValues[n] * 1000, n + 1);
    sLast = gSum + 1;
}
"""
PARTS_SUM = "21 + sum(n * 1000 // (i + 1) for i, n in enumerate(scene.values.tolist()))"


def test_a_program_of_many_parts_is_linked(
    small_cases: SmallCases, powerpc: dict[str, str]
) -> None:
    answer = f"total = {PARTS_SUM}; return answer(total=total, last=total + 1)"
    case = small_cases.make(PARTS, answer, "{gSum: total, sLast: last}")
    programs = kit.programs_of(case, cpus=["601"], builds=["O0", "O2", "Os"], compilers=powerpc)
    assert kit.verify(case, programs, scenes=12).verdict == "verified"


def test_what_is_needed_and_defined_nowhere_is_told(
    small_cases: SmallCases, powerpc: dict[str, str]
) -> None:
    source = PARTS.replace("gSum = gTable.sum", "gSum = Unused(gTable.sum)")
    case = small_cases.make(source, "return answer(total=0)", "{gSum: total}")
    with pytest.raises(CompileError, match="Nowhere is not defined, but used by"):
        kit.programs_of(case, cpus=["601"], builds=["O0"], compilers=powerpc)


def test_checks_that_it_cannot_have_are_refused(powerpc: dict[str, str]) -> None:
    with pytest.raises(CompileError, match="has no sanitizers"):
        kit.programs_of("four-shifts", cpus=["601"], compilers=powerpc, sanitize=["undefined"])


def test_a_second_layout_lies_elsewhere(powerpc: dict[str, str]) -> None:
    programs = kit.programs_of(
        "four-shifts", cpus=["601"], builds=["O2"], compilers=powerpc, layouts=2
    )
    usual, moved = (read_program(one.path).variable("gObjects") for one in programs.built)
    assert usual.address != moved.address
    assert kit.verify("four-shifts", programs, scenes=12).verdict == "verified"


def test_the_command_takes_it(
    macproof: Callable[..., Outcome], retro68_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETRO68", str(retro68_folder.absolute()))
    words = ("four-shifts", "--build", "O2", "--scenes", "20", "--toolchain", "retro68")
    done = macproof("verify", *words, "--cpu", "68040", "--verbose")
    assert done.code == 0, done.err
    assert "m68k-apple-macos-g++ is " in " ".join(done.out.split())
