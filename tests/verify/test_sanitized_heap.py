"""Blocks of the Memory Manager in programs that GCC's address sanitizer checks."""

from __future__ import annotations

import pytest

from emu.verify.runs.verdicts import REFUTED, VERIFIED, Result
from tests.rows import slow_but
from tests.small_cases import SmallCases

CPUS = slow_but(["601"], ["68000", "68040", "601"])
SOURCE = """
#include <Memory.h>
long gSum;
short gCount;


extern "C" __attribute__((noinline)) void Drop(Ptr block) {{ DisposePtr(block); }}

extern "C" void Run()
{{
    Ptr one = NewPtr(10), two = NewPtr(21);
    Handle it = NewHandle(6);
    Ptr within = *it;
    volatile char sink;

    {body}
    Drop(two);
    gSum = 1;
}}
"""
MISTAKES = {
    "one[10] = 1;": "write of 1 byte",
    "sink = two[21];": "read of 1 byte",
    "sink = one[-1];": "read of 1 byte",
    "sink = one[-6];": "read of 1 byte",
    "Drop(one); sink = one[3];": "read of 1 byte",
    "SetHandleSize(it, 400); (*it)[399] = 1; (*it)[400] = 1;": "write of 1 byte",
    "DisposeHandle(it); *(volatile short *) within = 1;": "write of 2 bytes",
    "*(volatile long *) (two + 20) = 1;": "write of 4 bytes",
}
CORRECT = """
    for (short i = 0; i < 10; i++) one[i] = two[2 * i] = i;
    two[20] = 1;
    Ptr more = NewPtrClear(1000);
    for (short i = 0; i < 1000; i++) sink += more[i];
    Drop(more);
    SetHandleSize(it, 400);
    for (short i = 0; i < 400; i++) (*it)[i] = i;
    CompactMem(100000);
    sink = (*it)[399];
    DisposeHandle(it);
"""


def verified(small_cases: SmallCases, cpu: str, body: str, build: str = "O0") -> Result:
    source = SOURCE.format(body=body)
    case = small_cases.make(source, "return answer(sum=1)", "{gSum: sum}", "{gCount: objects}")
    return small_cases.verify(case, cpu, build, scenes=2, sanitize=["address"])


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("body", MISTAKES)
def test_an_access_beyond_a_block_is_found(small_cases: SmallCases, cpu: str, body: str):
    result = verified(small_cases, cpu, body)
    (seen,) = result.defects
    assert seen.defect.what == f"{MISTAKES[body]} out of bounds"
    assert seen.defect.thing == "no part of a block that the Memory Manager has handed out"
    assert seen.defect.place.startswith("Run (small.cpp:")
    assert result.verdict == REFUTED


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_correct_use_of_blocks_raises_no_alarm(small_cases: SmallCases, cpu: str, build: str):
    result = verified(small_cases, cpu, CORRECT, build)
    assert (result.defects, result.verdict) == ((), VERIFIED), result.failures
