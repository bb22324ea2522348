"""A program whose results depend on where it lies in memory is refuted in its other layout."""

from __future__ import annotations

import pytest

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.program import read_program
from emu.report.forms.markdown import to_markdown
from emu.toolchain.builds import BUILDS
from emu.toolchain.programs.placement import moved, moved_script
from emu.verify.runs.verdicts import REFUTED, VERIFIED
from emu.verify.verification import verify
from tests.small_cases import SmallCases

DEPENDENT = {
    "the order of variables": """
long gValues[10], gCount, gSum;
short gFirst, gSecond;
short *volatile gOne = &gFirst, *volatile gOther = &gSecond;
extern "C" void Run(void)
{
    gSum = (unsigned long) gOne < (unsigned long) gOther ? 2 : 1;
}
""",
    "an address": """
long gValues[10], gCount, gSum;
long *volatile gAt = gValues;
extern "C" void Run(void) { gSum = (unsigned long) gAt & 0x80000 ? 2 : 1; }
""",
    "the address of the stack": """
long gValues[10], gCount, gSum;
extern "C" void Run(void)
{
    volatile long local = 0;
    gSum = ((unsigned long) &local & 0x400000) ? 2 : 1;
}
""",
    "the address of code": """
long gValues[10], gCount, gSum;
extern "C" void Run(void);
void (*volatile gCode)(void) = Run;
extern "C" void Run(void) { gSum = (unsigned long) gCode & 0x200000 ? 2 : 1; }
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", DEPENDENT)
def test_what_depends_on_the_layout(what: str, small_cases: SmallCases):
    case = small_cases.make(DEPENDENT[what], "return answer(sum=1)", "{gSum: sum}")
    programs = programs_of(case, cpus=["68000", "601"], builds=["O1"], layouts=2)
    found = verify(case, programs, scenes=2, jobs=1)
    verdicts = {one.name: one.verdict for one in found.report.results}
    assert verdicts == {
        "68000 O1": VERIFIED,
        "68000 O1+moved": REFUTED,
        "601 O1": VERIFIED,
        "601 O1+moved": REFUTED,
    }
    words = "its results depend on where code, data and stack lie, or on the order of its variables"
    assert f"68000 O1, 601 O1: {words}" in to_markdown([found.document])


@pytest.mark.slow
def test_pointers_are_compared_by_what_they_point_to(case: Case):
    programs = programs_of(case, builds=["O2"], layouts=2, sanitize=["address"])
    found = verify(case, programs, scenes=4, jobs=1)
    assert found.verdict == VERIFIED
    assert [one.build for one in found.report.results[:2]] == ["O2+address", "O2+address+moved"]
    assert "Layouts" not in to_markdown([found.document])


@pytest.mark.slow
def test_everything_lies_elsewhere():
    usual, other = (
        read_program(one.path)
        for one in programs_of("four-shifts", cpus=["68040"], builds=["O2"], layouts=2).built
    )
    assert not {one.address for one in usual.symbols} & {one.address for one in other.symbols}
    order = [
        sorted((v.address, v.name) for several in one.variables.values() for v in several)
        for one in (usual, other)
    ]
    names = [[name for _, name in one] for one in order]
    assert names[0] != names[1]
    assert sorted(names[0]) == sorted(names[1])
    assert max(one.end for one in other.segments) < 1 << 24  # a 68000 has 24 bits for addresses


def test_the_other_layout_has_a_name_of_its_own():
    assert moved(BUILDS["O2"]).name == "O2+moved"
    assert moved(BUILDS["O2"]).flags == BUILDS["O2"].flags
    script = "{ . = 0x00010000; .text . = 0x00100000; .data : { *(.data) } .bss : { *(.bss) } }"
    assert "0x00010000" not in moved_script(script, [])


@pytest.mark.parametrize("layouts", [0, 3, "2"])
def test_there_are_two_layouts(layouts: object):
    with pytest.raises(UsageError, match="it has to be 1 or 2"):
        programs_of(load_case("four-shifts"), layouts=layouts)  # type: ignore[arg-type]
