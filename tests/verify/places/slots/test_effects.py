"""What a reference's routine writes besides what a case observes is compared, or told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rows import slow_but
from tests.verify.small_cases import SmallCase, compiled, library

CLEARS = """
long gErr;
int gCalls;
short Sum(short *values, short count)
{
    short sum = 0;
    while (count-- > 0) { sum += values[count]; CLEAR }
    ERR
    return sum;
}
"""
KEYS = """call: Sum
arguments: {values: {points_to: values, count: 8}, count: objects}
observe: [return]
"""
PROGRAM = "reference: {program: old.elf, symbol: Sum}\n"
LIBRARY = "reference: {library: libold.so, function: Sum}\n"


def source(*, clears: bool = False, err: str = "") -> str:
    return CLEARS.replace("CLEAR", "values[count] = 0;" * clears).replace("ERR", err)


def oracle(folder: Path, kind: str, text: str) -> str:
    """Make the reference; the lines of the case that name it."""
    if kind == "program":
        compiled(text, "Sum", folder / "old.elf")
        return PROGRAM
    library(text.replace("long", "int").replace("gCalls;", "gCalls, gOwn;"), folder / "libold.so")
    return LIBRARY.replace("Sum}", 'Sum, prototype: "int16_t Sum(int16_t *values, int16_t count)"}')


on_both = pytest.mark.parametrize("kind", ["program", "library"])


@on_both
def test_what_the_old_routine_clears_must_be_cleared(
    tmp_path: Path, compilers: Callable[..., None], kind: str
) -> None:
    compilers("68040")
    keys = KEYS + oracle(tmp_path, kind, source(clears=True))
    wrong = SmallCase(tmp_path, source(), keys).verify()
    assert wrong.verdict == "refuted"
    assert "values[0] is" in json.loads(wrong.to_json())["results"][0]["failures"][0]["summary"]
    right = SmallCase(tmp_path, source(clears=True), keys).verify()
    assert right.verdict == "verified"
    assert right.report.results[0].answers.also_compared == ("*values",)
    assert "writes it: *values." in str(right.document.sections)


@on_both
@pytest.mark.parametrize(
    ("err", "verdict"),
    slow_but(
        [("gErr = count;", "refuted")],
        [("gErr = count;", "refuted"), ("gErr = sum + 3;", "verified")],
    ),
)
def test_a_global_that_both_have_is_compared(
    tmp_path: Path, compilers: Callable[..., None], kind: str, err: str, verdict: str
) -> None:
    compilers("68040")
    keys = KEYS + oracle(tmp_path, kind, source(err="gErr = sum + 3;"))
    assert SmallCase(tmp_path, source(err=err), keys).verify().verdict == verdict


SCALE = "long gErr = 5, gMore;\nshort gScale = 1, gRow[3];"
SETS = "gMore += gScale; gRow[1] = 0; if (sum > 0) gErr = 5;"


@pytest.mark.parametrize(
    ("err", "place"),
    slow_but(
        [("gMore += gScale; gRow[1] = 0; if (sum > 900) gErr = 5;", "gErr is")],
        [
            (SETS, ""),
            (SETS.replace("sum > 0", "sum > 900"), "gErr is"),
            (SETS.replace("[1]", "[2]"), "gRow[1] is"),
        ],
    ),
)
def test_a_global_that_the_old_routine_sets_must_be_set_though_it_holds_the_value_already(
    tmp_path: Path, compilers: Callable[..., None], err: str, place: str
) -> None:
    compilers("68040")
    keys = KEYS + oracle(tmp_path, "program", source(err=SETS).replace("long gErr;", SCALE))
    found = SmallCase(tmp_path, source(err=err).replace("long gErr;", SCALE), keys).verify()
    assert found.verdict == ("refuted" if place else "verified")
    assert place in found.to_json()
    also = found.report.results[0].answers.also_compared
    assert set(also) == {"gErr", "gMore", "gRow"}


def test_a_global_that_only_the_old_program_has_is_told_though_it_holds_the_value_already(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    keys = KEYS + oracle(tmp_path, "program", source(err="gErr = 0;"))
    found = SmallCase(tmp_path, source().replace("long gErr;", ""), keys).verify()
    assert found.verdict == "inconclusive"
    assert "also writes gErr" in found.to_json()


@on_both
def test_a_write_that_nobody_compares_is_told(
    tmp_path: Path, compilers: Callable[..., None], kind: str
) -> None:
    compilers("68040")
    lines = oracle(tmp_path, kind, source(err="gCalls = count + 7;"))
    case = SmallCase(tmp_path, source(), KEYS + lines)
    found = case.verify()
    assert found.verdict == "inconclusive"
    told = "also writes gCalls, 4 bytes: neither observed nor ignored"
    assert told in str(found.report.results[0].undecided)
    assert told in str(found.document.checks[0].message)
    named = lines.replace("}\n", ", ignore: [gCalls]}\n")
    assert SmallCase(tmp_path, source(), KEYS + named).verify().verdict == "verified"


def test_a_library_begins_each_call_as_it_was_loaded(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    lines = oracle(tmp_path, "library", source(err="gErr += 1;"))
    port = source(err="gErr += 1;")
    found = SmallCase(tmp_path, port, KEYS + lines).verify()
    assert found.verdict == "verified"
    assert "gErr" in found.report.results[0].answers.also_compared
    told = "what libold.so writes to memory that it allocates, to variables of threads, or to"
    assert told in str(found.document.outcome)


def test_a_routine_that_writes_nothing_else_is_as_before(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    lines = oracle(tmp_path, "program", source())
    found = SmallCase(tmp_path, source(), KEYS + lines).verify()
    assert found.verdict == "verified"
    answers = found.report.results[0].answers
    assert (answers.also_compared, answers.unobserved) == ((), ())


RESIZES = """
#include <Memory.h>
short Sum(short **values, short count)
{
    SetHandleSize((Handle) values, SIZE);
    (*values)[0] = 7;
    return count;
}
"""


@pytest.mark.parametrize("observed", slow_but(["return"], ["return", 'return, "**values"']))
def test_a_handle_must_be_as_large_as_the_old_routine_leaves_it(
    tmp_path: Path, compilers: Callable[..., None], observed: str
) -> None:
    compilers("68040")
    old = RESIZES.replace("SIZE", "2 * count + 6")
    compiled(old, "Sum", tmp_path / "old.elf")
    keys = KEYS.replace("points_to: values, count: 8", "handle_to: values, count: 20")
    keys = keys.replace("[return]", f"[{observed}]") + PROGRAM
    assert SmallCase(tmp_path, old, keys).verify().verdict == "verified"
    for size in ("2 * count + 8", "2 * count + 2"):
        wrong = SmallCase(tmp_path, RESIZES.replace("SIZE", size), keys).verify()
        assert wrong.verdict == "refuted"
        assert "size of **values" in wrong.to_json()


def test_a_library_leaves_a_handle_as_large_as_the_scene_gives_it(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    body = "while (count-- > 0) (*values)[count]++; return 0; }"
    library(f"short Sum(short **values, short count) {{ {body}", tmp_path / "libold.so")
    keys = KEYS.replace("points_to: values, count: 8", "handle_to: values, count: 40")
    keys = keys.replace("[return]", '[return, "**values"]')
    lines = LIBRARY.replace(
        "Sum}", 'Sum, prototype: "int16_t Sum(int16_t **values, int16_t count)"}'
    )
    port = f"short Sum(short **values, short count) {{ {body}"
    assert SmallCase(tmp_path, port, keys + lines).verify().verdict == "verified"
    wrong = SmallCase(tmp_path, port.replace("++", "--"), keys + lines).verify()
    assert wrong.verdict == "refuted"
