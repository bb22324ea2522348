"""Full checks: what each mistake with memory is told as, and that correct code is left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.checks.memory import Violation
from emu.verify.report.report import ProgramResult
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED, VERIFIED

pytestmark = pytest.mark.slow

SOURCE = """
char gName[5];
long gNext[3];
short gOne, gTwo;
struct {{ char kind; long size; }} gFrom, gTo;
volatile long gSink;
struct {{ short row[6]; }} gFirst, gSecond;
{before}
short Work(short count, short *out)
{{
    {body}
    *out = count + 1;
    return count;
}}
"""

CASE = """
schema: macproof.case/1
name: work
title: A routine that adds one
sources: [work.c]
call: Work
arguments: {{count: objects, out: {{points_to: zero, count: 1}}}}
scene: {{make: "work_reference:make_scene", generators: [any], objects: [3], count: 8}}
observe: {{return: objects, "*out": more}}
reference: work_reference:work
ignore: [gName, gNext, gOne, gTwo, gFrom, gTo, gSink, gFirst, gSecond]
cpus: ["68000", "68040", "601"]
{more}
"""

REFERENCE = """
from types import SimpleNamespace

class Scene(SimpleNamespace):
    def keep(self, kept):
        return Scene(**dict(vars(self), objects=len(kept)))

def make_scene(generator, objects, seed, *, width, height):
    return Scene(generator=generator, objects=objects, seed=seed, zero=0)

def work(scene):
    return SimpleNamespace(objects=scene.objects, more=scene.objects + 1)
"""

Check = Callable[..., ProgramResult]


@pytest.fixture
def check(tmp_path: Path, compilers: Callable[..., None]) -> Check:
    """Verifies the routine with some more lines, with full checks."""
    compilers("68000", "601")

    def run(
        cpu: str, body: str, before: str = "", build: str = "O0", more: str = ""
    ) -> ProgramResult:
        (tmp_path / "work.c").write_text(SOURCE.format(body=body, before=before))
        (tmp_path / "case.yaml").write_text(CASE.format(more=more).lstrip())
        (tmp_path / "work_reference.py").write_text(REFERENCE)
        case = macproof.load_case(tmp_path)
        programs = macproof.programs_of(case, cpus=[cpu], builds=[build])
        return macproof.verify(case, programs, checks="full", jobs=1).report.results[0]

    return run


def violations(result: ProgramResult) -> tuple[Violation, ...]:
    assert result.memory is not None and result.memory.complete
    return result.memory.violations


CPUS = pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
PUSHED = {
    "68000": 'asm volatile("move.l %0,-8(%%sp)" : : "d"((long)count));',
    "601": 'asm volatile("stw %0,-8(1)" : : "r"((long)count));',
}
PUSHED["68040"] = PUSHED["68000"]
DEAD = """
short *Dead(short n)
{
    volatile short a[4]; short *p = (short *)a;
    a[1] = n;
    asm("" : "+r"(p));
    return p + 1;
}
"""

MISTAKES = {
    "read-outside": (
        "gSink = ((volatile char *)gName)[5];",
        "",
        "1 byte behind the end of gName[5]",
    ),
    "write-outside": ("((volatile char *)gName)[5] = 0;", "", "1 byte behind the end of gName[5]"),
    "two-objects": (
        "gSink = *(volatile long *)(&gOne < &gTwo ? &gOne : &gTwo);",
        "",
        "byte 0 of g",
    ),
    "beyond-end": (
        "{ short i, *p = (&gFirst < &gSecond ? &gFirst : &gSecond)->row;"
        " for (i = 0; i <= 6; i++) p[i] = p[i]; }",
        "",
        "goes on behind the end of g",
    ),
    "undefined": ("volatile short x; if (x < 0) gSink = 1;", "", "nobody has stored"),
    "deep-stack": (
        "{ volatile char big[40000]; big[0] = 1; gSink = big[0]; }",
        "",
        "bytes of stack",
    ),
    "below-stack": ("gSink = *Dead(count);", DEAD, "below the stack pointer"),
}


@CPUS
@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_refutes(check: Check, cpu: str, kind: str) -> None:
    body, before, words = MISTAKES[kind]
    result = check(cpu, body, before)
    found = violations(result)
    assert [one.kind for one in found if one.weight == "refutes"] == [kind]
    assert words in str(found[0]) and found[0].function == "Work"
    assert result.verdict == REFUTED


@CPUS
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_who_has_called_is_told(check: Check, cpu: str, build: str) -> None:
    body = """
    Outer(gName);
    Outer(gName + (gOne ? 2 : 5));"""
    before = """
    __attribute__((noinline)) long Inner(volatile char *at) { asm(""); return *at; }
    __attribute__((noinline)) void Outer(char *at)
    {
        gSink = Inner(at);
        asm("");
    }
    """
    (found,) = violations(check(cpu, body, before, build))
    lines = SOURCE.format(body=body, before=before).splitlines()
    inner, outer = lines.index("        gSink = Inner(at);"), lines.index(body.splitlines()[-1])
    assert found.function == "Inner" and found.kind == "read-outside"
    assert found.callers == (f"Outer (work.c:{inner + 1})", f"Work (work.c:{outer + 1})")
    assert f"called from {found.callers[0]}, from {found.callers[1]} (any, 3" in str(found)


HEAP = """
#include <Memory.h>
__attribute__((noinline)) void Drop(Ptr block) {{ DisposePtr(block); }}
"""
DISPOSED = {
    "Ptr block = NewPtr(64); block[9] = 1; Drop(block); gSink = ((volatile char *)block)[9];": (
        "read-outside",
        "reads 1 byte",
    ),
    "Ptr block = NewPtr(64); Drop(block); ((volatile char *)block)[9] = 1;": (
        "write-outside",
        "writes 1 byte",
    ),
    "Handle it = NewHandle(64); Ptr block = *it; DisposeHandle(it);"
    " gSink = *(volatile short *)block;": ("read-outside", "reads 2 bytes"),
}
BESIDE = [
    "volatile char *block = NewPtr(18); gSink = block[18]; Drop((Ptr) block);",
    "volatile char *block = NewPtr(16); gSink = block[-2]; Drop((Ptr) block);",
    "volatile char *block = NewPtr(16); gSink = block[17]; Drop((Ptr) block);",
    "volatile char *block = NewPtr(18), kept = block[19]; block[19] = 1; block[19] = kept;"
    " Drop((Ptr) block);",
]


@CPUS
@pytest.mark.parametrize("body", DISPOSED)
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_a_block_after_it_was_disposed_of(check: Check, cpu: str, body: str, build: str) -> None:
    kind, words = DISPOSED[body]
    result = check(cpu, body, HEAP.format(), build)
    found = [one for one in violations(result) if one.weight == "refutes"]
    assert [one.kind for one in found] == [kind], found
    assert words in found[0].why and "disposed of" in found[0].why
    assert found[0].function == "Work" and found[0].scene == "any, 3 objects, seed 1994"
    assert result.verdict == REFUTED


@pytest.mark.parametrize("cpu", ["68040"])
@pytest.mark.parametrize("body", BESIDE)
def test_headers_and_ends_of_blocks_are_nobodys(check: Check, cpu: str, body: str) -> None:
    found = violations(check(cpu, body, HEAP.format(), "O2"))
    assert "read-outside" in [one.kind for one in found]
    known = "in no block of the heap, but in a header", "behind the end of the block at 0x"
    assert all(any(words in one.why for words in known) for one in found)


@CPUS
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_correct_use_of_the_heap_is_left_alone(check: Check, cpu: str, build: str) -> None:
    body = """
    Ptr one = NewPtr(64), two; Handle more = NewHandle(20); short i;
    for (i = 0; i < 64; i++) one[i] = i;
    Drop(one);
    two = NewPtrClear(200);
    for (i = 0; i < 200; i++) gSink += two[i];
    SetHandleSize(more, 400);
    (*more)[399] = 1; gSink = (*more)[399];
    DisposeHandle(more); Drop(two);
    """
    assert violations(check(cpu, body, HEAP.format(), build)) == ()


@CPUS
def test_calls_of_the_toolbox_do_not_end_the_checks(check: Check, cpu: str) -> None:
    body = "Drop(NewPtr(8)); " + MISTAKES["read-outside"][0]
    (found,) = violations(check(cpu, body, HEAP.format()))
    assert found.kind == "read-outside" and MISTAKES["read-outside"][2] in found.why


@CPUS
def test_a_store_into_code_refutes(check: Check, cpu: str) -> None:
    body = "void Spare(void); *(volatile char *)Spare = 0;"
    code = ".data; .globl Spare; .type Spare,@function; Spare: .long 0; .size Spare,.-Spare; .text"
    result = check(cpu, body, f'asm("{code}");')
    (found,) = violations(result)
    assert found.kind == "write-code" and "the code of Spare" in found.why
    assert result.verdict == REFUTED


@CPUS
def test_data_below_the_stack_pointer_are_told(check: Check, cpu: str) -> None:
    (found,) = violations(check(cpu, PUSHED[cpu]))
    assert found.kind == "below-stack" and "8 bytes below the stack pointer" in found.why


@pytest.mark.parametrize(
    ("cpu", "verdict"), [("68000", REFUTED), ("68040", VERIFIED), ("601", VERIFIED)]
)
def test_an_odd_address(check: Check, cpu: str, verdict: str) -> None:
    result = check(cpu, "gSink = *(volatile long *)((char *)gNext + 1);")
    assert result.verdict == verdict
    kinds = [(one.kind, one.weight) for one in violations(result)]
    wanted = {"68000": [("misaligned", "refutes")], "601": [("misaligned", "note")]}
    assert kinds == wanted.get(cpu, [])
    assert result.not_watched == ()


FLAGGED = "gNext[1] = 7; gSink = *(volatile long *)((long)&gNext[1] | 0x80000000);"


JOINED = """
__attribute__((noinline)) short Both(const void *at)
{
    const unsigned char *p = at;
    return p[0] << 8 | p[1];
}
__attribute__((noinline)) void Fill(char *p) { p[0] = 1; p[1] = 2; }
"""
APART = "cflags: [-fno-store-merging, -fno-expensive-optimizations]"


@pytest.mark.parametrize("call", ["Fill(at)", "gSink = Both(at)"])
def test_bytes_that_the_compiler_joins_are_told_and_flags_keep_them_apart(
    check: Check, call: str
) -> None:
    """GCC 12 does so from O2 on, for a 68000, too."""
    body = f"char *at = gName + !((long)gName & 1); {call};"
    result = check("68000", body, JOINED, "O2")
    assert result.verdict == REFUTED
    assert {one.kind for one in violations(result)} == {"misaligned"}
    assert check("68000", body, JOINED, "O2", APART).verdict == VERIFIED


def test_an_address_with_a_flag_in_its_highest_byte(check: Check) -> None:
    result = check("68000", FLAGGED + "if (gSink != 7) count++;")
    (found,) = violations(result)
    assert found.kind == "high-bits" and found.weight == "refutes"
    assert "ignores bits 24 to 31 of an address and finds byte 4 of gNext[3]" in found.why
    assert result.verdict == REFUTED and result.fault is None, "the call goes on, and is right"


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_where_addresses_have_32_bits_it_is_no_address(check: Check, cpu: str) -> None:
    result = check(cpu, FLAGGED)
    assert violations(result) == () and result.verdict == INCONCLUSIVE
    assert "unmapped memory" in str(result.fault)


def test_a_flag_that_is_removed_is_no_mistake(check: Check) -> None:
    body = "gNext[1] = (long)gNext | 0x80000000; gSink = *(long *)(gNext[1] & 0x00FFFFFF);"
    assert violations(check("68000", body)) == ()


@CPUS
@pytest.mark.parametrize("build", ["O0", "O2", "Os"])
def test_correct_code_is_left_alone(check: Check, cpu: str, build: str) -> None:
    body = """
    long many[40]; short i;
    struct { char kind; long size; } here; here.kind = 1; here.size = count;
    gFrom.kind = here.kind; gFrom.size = here.size; gTo = *(__typeof__(gTo) *)&here;
    for (i = 0; i < 40; i++) { many[i] = i * count; }
    for (i = 0; i < 5; i++) { gName[i] = many[i]; }
    gSink = many[39] + Twice(count);
    Clear(gFirst.row, 6); Clear(gSecond.row, 6); Clear(gFirst.row, 6);
    for (i = 0; i < 6; i++) gFirst.row[i] = 1;
    for (i = 0; i < 6; i++) gSecond.row[i] = 1;
    """
    before = """
    __attribute__((noinline)) void Clear(short *at, short n) { while (n--) *at++ = 0; }
    __attribute__((noinline)) long Twice(long n) { return n < 3 ? n : Twice(n - 1) + 2; }
    """
    assert violations(check(cpu, body, before, build)) == ()


def test_a_mistake_can_be_suppressed(check: Check) -> None:
    result = check("601", MISTAKES["read-outside"][0], more="suppress: [read-outside Work]")
    assert result.verdict == VERIFIED
    assert result.memory is not None and len(result.memory.suppressed) == 1
