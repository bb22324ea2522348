"""What C library the sources of a case have, as docs/cases.md says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import macproof
from tests.small_cases import SmallCases

SOURCE = """
extern "C" int sprintf(char*, const char*, ...);
extern "C" int printf(const char*, ...);
extern "C" unsigned long strlen(const char*);
extern "C" char* strtok(char*, const char*);
extern "C" long strtol(const char*, char**, int);
extern "C" void* malloc(unsigned long);
extern "C" void free(void*);
extern "C" void qsort(void*, unsigned long, unsigned long, int (*)(const void*, const void*));
extern "C" void* bsearch(const void*, const void*, unsigned long, unsigned long,
                         int (*)(const void*, const void*));
short gValues[9];
short gCount;
long gOut;
static int Compare(const void* a, const void* b) { return *(const long*) a - *(const long*) b; }
void Run()
{
    long numbers[8] = {5, 3, 8, 1, 9, 2, 7, 4}, wanted = 7;
    char* text = (char*) malloc(40);
    sprintf(text, "%d,%s,%ld", gCount, "four", 12L);
    gOut = strlen(text) * 1000000;
    strtok(text, ",");
    strtok((char*) 0, ",");
    gOut += strtol(strtok((char*) 0, ","), (char**) 0, 10) * 1000;
    qsort(numbers, 8, sizeof *numbers, Compare);
    for (int n = 1; n < 8; n++)
        gOut += numbers[n - 1] < numbers[n];
    gOut += 10 * ((long*) bsearch(&wanted, numbers, 8, sizeof *numbers, Compare) - numbers);
    printf("%d", gCount);
    free(text);
}
"""
REFERENCE = "return answer(out=(8 + len(str(scene.objects))) * 1000000 + 12057)"


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_it_is_there_on_both_processors(
    small_cases: SmallCases, compilers: Callable[..., None], cpu: str
) -> None:
    compilers(cpu)
    case = small_cases.make(SOURCE, REFERENCE, "{gOut: out}")
    assert macproof.check(case, cpu=cpu, build="O0", scenes=4).verdict == "verified"


def test_a_function_of_numbers_is_not_there_on_the_68k(
    small_cases: SmallCases, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    text = SOURCE.replace("void Run()", 'extern "C" double sin(double);\nvoid Run()')
    text = text.replace('printf("%d", gCount);', "gOut += (long) sin(gCount);")
    case = small_cases.make(text, "return answer(out=0)", "{gOut: out}")
    with pytest.raises(macproof.CompileError, match="Only a Power Macintosh has sin in a library"):
        macproof.programs_of(case, cpus=["68000"], builds=["O0"])
