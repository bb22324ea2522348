"""What C library the sources of a case have, as docs/cases.md says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import macproof
from tests.small_cases import SmallCases

SOURCE = """
extern "C" int printf(const char*, ...);
extern "C" unsigned long strlen(const char*);
short gValues[9];
short gCount;
long gOut;
void Run() { printf("%d", gCount); gOut = strlen("four") * gCount; }
"""


def test_it_is_there_on_powerpc_and_not_on_the_68k(
    small_cases: SmallCases, compilers: Callable[..., None]
) -> None:
    compilers("68000", "601")
    case = small_cases.make(SOURCE, "return answer(out=4 * scene.objects)", "{gOut: out}")
    assert macproof.check(case, cpu="601", build="O0", scenes=4).verdict == "verified"
    with pytest.raises(macproof.CompileError, match=r"undefined reference to `(printf|strlen)'"):
        macproof.programs_of(case, cpus=["68000"], builds=["O0"])
