"""Constructors of global objects are run once, before anything is called."""

from __future__ import annotations

import pytest

from emu.base.errors import GuestError
from emu.machine import BareMachine
from emu.machine.cpu import CPUS
from emu.program import read_elf
from emu.verify.runs.verdicts import VERIFIED
from tests.rows import slow_but
from tests.small_cases import SmallCases

SOURCE = """
int gMade;
static short Next() { static short n = 6; return ++n; }

struct Counter
{
    short total;
    Counter(short first) : total(2 * first) { gMade++; }
    ~Counter() { gMade--; }
};

Counter gCounter(5);
const short kSeven = Next();
static Counter gOther(kSeven);

long gValues[16];
short gCount;
long gResult;

extern "C" void Run()
{
    gResult = 100 * gMade + gCounter.total + gOther.total;
    for (short i = 0; i < gCount; i++)
        gResult += kSeven * gValues[i];
}
"""
# gOther has 14, from a constant that is computed before it.
REFERENCE = "return answer(result=200 + 10 + 14 + 7 * scene.values.sum())"


@pytest.fixture
def cases(tmp_path, compilers, isolated_cache) -> SmallCases:
    compilers("68000", "68040", "601")
    return SmallCases(tmp_path)


@pytest.mark.parametrize(
    ("cpu", "build"),
    slow_but(
        [("601", "O2")],
        [(cpu, build) for cpu in ("68000", "68040", "601") for build in ("O0", "O2")],
    ),
)
def test_what_constructors_leave_is_there_in_every_call(cases, cpu, build):
    case = cases.make(SOURCE, REFERENCE, "{gResult: result}")
    result = cases.verify(case, cpu, build)
    assert result.verdict == VERIFIED, result.failures


def test_a_constant_that_is_computed_too_late_is_found(cases):
    """In one source objects are made in the order of their definitions."""
    other = "static Counter gOther(kSeven);"
    early = SOURCE.replace(other, "").replace(
        "Counter gCounter(5);", f"extern const short kSeven;\n{other}\nCounter gCounter(5);"
    )
    case = cases.make(early, REFERENCE, "{gResult: result}")
    result = cases.verify(case, "68040", "O0")
    assert str(result.failures[0]).startswith("gResult is ")
    assert result.verdict == "refuted"


def test_a_machine_begins_and_is_reset_with_them(cases):
    case = cases.make(SOURCE, REFERENCE, "{gResult: result}")
    program = read_elf(cases.subject(case, "601", "O2").program)
    with BareMachine(program, CPUS["601"]) as machine:
        assert int(machine.globals["gMade"]) == 2
        machine.globals["gMade"][...] = 9
        machine.reset()
        assert int(machine.globals["gMade"]) == 2


def test_a_constructor_that_faults_is_named(cases):
    source = SOURCE.replace("gMade++;", "gMade++; *(volatile short *) 4 = 1;")
    case = cases.make(source, REFERENCE, "{gResult: result}")
    subject = cases.subject(case, "68040", "O2")
    with pytest.raises(GuestError, match=r"constructors of global objects, .*small\.cpp"):
        BareMachine(read_elf(subject.program), CPUS["68040"])
