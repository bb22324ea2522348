"""What GCC's sanitizers find in guest code is told with its place, and refutes the program."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cli import main
from emu.report.forms.html import to_html
from emu.report.forms.markdown import to_markdown
from emu.verify.explain_failure import explain
from emu.verify.runs.verdicts import REFUTED, VERIFIED, Result
from emu.verify.verification import verify as verify_case
from tests.small_cases import SmallCases

SOURCES = Path(__file__).parent / "sanitizers"
CPUS = ("68000", "68040", "601")


def expected(source: str) -> set[tuple[str, int]]:
    """The checks that each line of a source names at its end, with the line's number."""
    lines = enumerate(source.splitlines(), 1)
    found = ((re.search(r";\s+// ([\w -]+)$", line), number) for number, line in lines)
    return {(name, number) for match, number in found if match for name in match[1].split()}


def told(result: Result) -> set[tuple[str, int]]:
    return {
        (one.defect.kind, int(re.findall(r":(\d+)", one.defect.place)[0])) for one in result.defects
    }


@pytest.fixture(scope="module")
def undefined(small_cases: SmallCases) -> Case:
    text = (SOURCES / "undefined.cpp").read_text()
    return small_cases.make(text, "return answer(sum=1)", "{gSum: sum}")


@pytest.mark.slow
@pytest.mark.parametrize("build", ["O0", "O2"])
@pytest.mark.parametrize("cpu", CPUS)
def test_each_kind_of_undefined_operation_is_found(
    undefined: Case, small_cases: SmallCases, cpu: str, build: str
):
    result = small_cases.verify(undefined, cpu, build, scenes=1, sanitize=["undefined"])
    assert told(result) == expected((SOURCES / "undefined.cpp").read_text())
    assert result.verdict == REFUTED


@pytest.mark.slow
def test_what_is_said_of_each(undefined: Case, small_cases: SmallCases):
    result = small_cases.verify(undefined, "601", "O2", scenes=1, sanitize=["undefined"])
    words = [str(one.defect) for one in result.defects]
    assert words[2:5] == [
        "signed integer overflow: 2 * 2147483647 cannot be represented in type 'long int', "
        "in Run (small.cpp:25:18)",
        "negation of -2147483648 cannot be represented in type 'long int', in Run "
        "(small.cpp:26:12)",
        "signed integer overflow: 1 + 9223372036854775807 cannot be represented in type "
        "'long long int', in Run (small.cpp:27:10)",
    ]
    assert words[8] == (
        "load of an address with insufficient space for an object of type 'long int' "
        "(byte 0 of gCount), in Run (small.cpp:31:27)"
    )
    (failure,) = {str(one) for one in result.failures}
    assert failure.endswith("; findings of sanitizers in all: 11")


def bad_accesses(result: Result) -> set[tuple[str, int]]:
    """The access of each defect, "read of 2 bytes", with its line's number."""
    return {
        (one.defect.what.removesuffix(" out of bounds"), int(one.defect.place[:-1].split(":")[-1]))
        for one in result.defects
    }


@pytest.mark.slow
@pytest.mark.parametrize("build", ["O0", "O2"])
@pytest.mark.parametrize("cpu", CPUS)
def test_each_access_beyond_an_object_is_found(small_cases: SmallCases, cpu: str, build: str):
    source = (SOURCES / "address.cpp").read_text()
    lines = list(enumerate(source.splitlines(), 1))
    named = [
        (re.search(r"// ((?:read|write) [\w ]+)(, sure on PowerPC)?$", a), n) for n, a in lines
    ]
    every = {(match[1], number): bool(match[2]) for match, number in named if match}
    sure = {one for one, is_sure in every.items() if cpu == "601" or not is_sure}
    case = small_cases.make(source, "return answer(sum=1)", "{gSum: sum}")
    result = small_cases.verify(case, cpu, build, scenes=1, sanitize=["address"])
    assert sure <= bad_accesses(result) <= every.keys()
    assert len(sure) >= 6
    things = " ".join(one.defect.thing for one in result.defects)
    for name in ("gTable", "gItems", "kSteps", "locals", "few", "Inner::sKept"):
        assert f"0 bytes behind the end of {name}, " in things or name == "gItems"
    assert result.verdict == REFUTED


_ONE_TOO_MANY = """
extern "C" long Sum(const short *values, long count)
{
    volatile long beyond = 0;
    long sum = 0;

    for (long i = 0; i <= count; i++)
        if (i < count)
            sum += values[i];
        else
            beyond = values[i];
    return sum;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_memory_that_an_argument_points_to_has_an_end(small_cases: SmallCases, cpu: str):
    reference = "return answer(sum=int(scene.values.sum()))"
    case = small_cases.make(_ONE_TOO_MANY, reference, "{gSum: sum}", "{gCount: objects}")
    arguments = "arguments: {values: {points_to: values, count: 9}, count: objects}"
    text = case.path.read_text().replace("call: Run", f"call: Sum\n{arguments}")
    text = text.replace("input: {gCount: objects}\n", "").replace("gSum:", "return:")
    case.path.write_text(text)
    result = small_cases.verify(read_case(case.path), cpu, "O2", sanitize=["address"])
    (seen,) = result.defects
    assert seen.defect.what == "read of 2 bytes out of bounds"
    assert seen.defect.thing == "0 bytes behind the end of *values, which has 18 bytes"
    assert (seen.spec.objects, result.verdict) == (9, REFUTED)
    plain = small_cases.verify(read_case(case.path), cpu, "O2")
    assert plain.verdict == VERIFIED


@pytest.mark.slow
def test_an_access_where_nothing_is_mapped(small_cases: SmallCases):
    source = """
struct Item { long a, b; };
long gValues[10], gCount, gSum;
Item *gNone;
extern "C" void Run(void) { gSum = 1; if (gCount == 9) gSum = gNone->b; }
"""
    case = small_cases.make(source, "return answer(sum=1)", "{gSum: sum}")
    result = small_cases.verify(case, "601", "O2", sanitize=["address", "undefined"])
    assert result.fault.startswith("access of unmapped memory, between 0x00000000 and 0x00000007")
    assert "member access within null pointer" in result.defects[0].defect.what
    assert result.verdict == REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["collider", "dhrystone", "packbits", "tree_insert"])
def test_programs_that_are_right_raise_no_alarm(name: str):
    case = load_case(name if name in ("collider", "dhrystone") else f"examples/{name}")
    programs = programs_of(case, builds=["O1"], sanitize=["address", "undefined"])
    report = verify_case(case, programs, scenes=8, jobs=1).report
    assert {one.verdict for one in report.results} == {VERIFIED}
    assert not any(one.defects for one in report.results)


@pytest.mark.slow
def test_without_a_defect_nothing_changes(case: Case):
    programs = programs_of(case, cpus=["68040", "601"], builds=["O2"], sanitize=["undefined"])
    report = verify_case(case, programs, scenes=6, jobs=1).report
    assert {one.verdict for one in report.results} == {VERIFIED}
    assert [one.name for one in report.results] == ["68040 O2+undefined", "601 O2+undefined"]
    assert {one.sanitizers for one in report.results} == {("undefined",)}


@pytest.mark.slow
def test_a_defect_is_in_every_form_of_the_report(
    undefined: Case,
):
    programs = programs_of(undefined, cpus=["601"], builds=["O2"], sanitize=["undefined"])
    found = verify_case(undefined, programs, scenes=1, jobs=1)
    assert found.verdict == REFUTED
    words = "shift exponent 33 is too large for 32-bit type 'long int', in Run (small.cpp:29:18)"
    for form in (to_markdown([found.document]), to_html([found.document])):
        assert words in html.unescape(form)
    (told_in_json,) = [
        one
        for one in json.loads(found.to_json())["results"][0]["defects"]
        if one["what"].startswith("shift exponent 33")
    ]
    assert told_in_json["place"] == "Run (small.cpp:29:18)"
    assert (told_in_json["check"], told_in_json["kind"]) == ("undefined", "shift")
    assert told_in_json["objects"] == 9
    again = explain(found)
    assert again is not None and "signed integer overflow" in again.explanation.violations[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--sanitize", "thread"], "there is no sanitizer 'thread'"),
        (["--sanitize", ""], "there is no sanitizer ''"),
        (["--sanitize", "undefined", "--engine", "host"], "which the engine host does not execute"),
        (["--sanitize", "undefined", "--program", "x", "--cpu", "601"], "need sources to compile"),
    ],
)
def test_what_cannot_be_sanitized(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["verify", "four-shifts", *options]) == 2
    assert words in capsys.readouterr().err
