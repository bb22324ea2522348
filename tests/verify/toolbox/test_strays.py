"""The instruction is told that accesses memory of the heap which belongs to no block."""

from __future__ import annotations

import pytest

import macproof
from emu.report.forms.markdown import to_markdown
from tests.rows import slow_but
from tests.verify.toolbox.conftest import Asking, result

NUMBER = "arguments: {x: number}\nobserve: {return: twice}"
TWICE = "twice=2 * scene.number"
GIVEN = "arguments: {h: {handle_to: values, count: 8}}\nobserve: {return: none, '**h': left}"
LEFT = "none=0, left=values"
FIRST = 7  # the line of the first line of a routine; the headers stand above it
STALE = (
    "long Go(short x) {\nHandle h = NewHandle(6);\nPtr p = *h;\nNewPtr(20);\n%s\nreturn 2L * x; }"
)
STRAYS = {
    "written through a stale pointer": (
        STALE % "p[3] = x;",
        "writes 1 byte",
        "3 bytes into where the block of handle",
        "NewPtr, call 2 of the Toolbox, at",
    ),
    "read through a stale pointer": (
        STALE % "x += p[3];",
        "reads 1 byte",
        "3 bytes into where the block of handle",
        "asking.c:10), moved it",
    ),
    "a pointer read there and followed": (
        STALE % "**(short **) p = x;",
        "reads 4 bytes",
        "where the block of handle",
        "asking.c:10), moved it",
    ),
    "a disposed block": (
        "long Go(short x) {\nPtr p = NewPtr(6);\nTickCount();\nDisposePtr(p);\np[3] = x;\n"
        "return 2L * x; }",
        "writes 1 byte",
        "3 bytes into a block that DisposePtr, call 3 of the Toolbox, at",
        "asking.c:10), had disposed of",
    ),
    "a disposed handle": (
        "long Go(short x) {\nHandle h = NewHandle(6);\nTickCount();\nDisposeHandle(h);\n"
        "(*h)[2] = x;\nreturn 2L * x; }",
        "reads 4 bytes",
        "the master pointer of a handle that DisposeHandle, call 3 of the Toolbox, at",
        "asking.c:10), had disposed of",
    ),
    "behind the end of a block": (
        "long Go(short x) {\nshort n, *p = (short *) NewPtr(6);\nTickCount();\n"
        "for (n = 0; n < 40; n++)\np[n] = x;\nreturn 2L * x; }",
        "writes 2 bytes",
        "1 byte behind the end of the block at",
        "(6 bytes, made by NewPtr)",
    ),
    "a header": (
        "long Go(short x) {\nPtr p = NewPtr(6);\nTickCount();\nTickCount();\np[-4] = x;\n"
        "return 2L * x; }",
        "writes 1 byte",
        "the header of the block at",
        "(6 bytes, made by NewPtr)",
    ),
}
QUICK = (("written through a stale pointer", "68040"), ("a header", "601"))
CPUS = slow_but(["68040"], ("68040", "601"))


def failing(
    asking: Asking, source: str, keys: str, expected: str, cpu: str, checks: str = "usual"
) -> macproof.Verification:
    case = asking.write(source, keys, expected)
    programs = macproof.programs_of(case, cpus=[cpu], builds=["O1"])
    found = macproof.verify(case, programs, jobs=1, scenes=2, checks=checks)
    assert found.verdict != "verified"
    return found


@pytest.mark.parametrize(
    ("what", "cpu"),
    [
        pytest.param(
            what,
            cpu,
            marks=() if (what, cpu) in QUICK else pytest.mark.slow,
        )
        for what in STRAYS
        for cpu in ("68040", "601")
    ],
)
def test_a_stray_access_is_told_with_its_line_and_what_was_there(
    asking: Asking, what: str, cpu: str
) -> None:
    source, *told = STRAYS[what]
    found = failing(asking, source, NUMBER, TWICE, cpu)
    at = result(found).failures[0].at
    assert at is not None and at.line == FIRST + 4
    for words in told:
        assert words in at.stray
    explained = macproof.explain(found)
    assert explained is not None and explained.explanation.place is not None
    assert explained.explanation.place.line == FIRST + 4
    assert f"> {FIRST + 4}" in to_markdown([explained.document])


@pytest.mark.parametrize("what", slow_but(["a header"], ("a header", "behind the end of a block")))
def test_full_checks_tell_it_too(asking: Asking, what: str) -> None:
    source, *told = STRAYS[what]
    memory = result(failing(asking, source, NUMBER, TWICE, "68040", "full")).memory
    assert memory is not None
    (one,) = [one for one in memory.violations if one.kind == "write-outside"]
    assert all(words in str(one) for words in told) and f"asking.c:{FIRST + 4}" in one.place


@pytest.mark.slow
def test_a_call_in_a_row_is_told(asking: Asking) -> None:
    source = (
        "static Handle gKept; void Keep(short x) { gKept = NewHandle(x); }\n"
        "long Go(short x) { Ptr p = *gKept; DisposePtr(NewPtr(9));\np[0] = 1;\nreturn x; }"
    )
    keys = (
        "calls:\n- Keep: {x: number}\n- Go: {x: number}\nignore: [gKept]\n"
        "observe: {return: results}"
    )
    found = failing(asking, source, keys, "results=[None, scene.number]", "68040")
    at = result(found).failures[0].at
    assert at is not None and at.line == FIRST + 2
    assert at.stray.endswith("moved it (in call 2 of 2, Go)")


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize(
    "store",
    [
        "(*h)[0] += 1;",
        pytest.param("BlockMove((Ptr) &one, (Ptr) *h, 2);", marks=pytest.mark.slow),
    ],
)
def test_the_last_store_to_a_block_is_found_that_has_moved_since(
    asking: Asking, store: str, cpu: str
) -> None:
    source = (
        "long Go(short **h) {\nshort one = 777;\nHandle o = NewHandle(100);\n"
        f"(*h)[0] = 3;\n{store}\nDisposeHandle(o);\nDisposeHandle(NewHandle(3));\nreturn 0; }}"
    )
    found = failing(asking, source, GIVEN, LEFT, cpu)
    explained = macproof.explain(found)
    assert explained is not None
    writer = explained.explanation.writer
    assert writer is not None and writer.line == FIRST + 4
    assert explained.explanation.strays == ()


@pytest.mark.slow
def test_the_last_store_to_a_block_of_the_routines_own_is_found(asking: Asking) -> None:
    source = (
        "struct node { short key; struct node **next; } **gHead;\nvoid Go(void) {\n"
        "struct node **n = (struct node **) NewHandle(sizeof(struct node));\n(*n)->next = 0;\n"
        "(*n)->key = 5;\nDisposeHandle(NewHandle(3));\ngHead = n; }"
    )
    keys = "input: {gHead: nodes up to 10 nodes}\nobserve: {gHead: left up to 10 nodes}"
    explained = macproof.explain(failing(asking, source, keys, "left=chain([6])", "68040"))
    assert explained is not None
    writer = explained.explanation.writer
    assert writer is not None and writer.line == FIRST + 4


@pytest.mark.slow
def test_reads_of_slack_and_of_whole_blocks_are_no_strays(asking: Asking) -> None:
    source = (
        "long Go(short x) {\nPtr p = NewPtr(5);\nlong n = *(long *) (p + 4);\np[4] = 1;\n"
        "return 2L * x + 1 + (n & 0); }"
    )
    explained = macproof.explain(failing(asking, source, NUMBER, TWICE, "68040"))
    assert explained is not None and explained.explanation.strays == ()
