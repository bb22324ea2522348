"""What GCC's sanitizers find in guest code is told with its place, and refutes the program."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from emu.cases.case import Case
from emu.cases.programs import programs_of
from emu.cli import main
from emu.report.html import to_html
from emu.report.markdown import to_markdown
from emu.verify.verdicts import REFUTED, VERIFIED, Result
from emu.verify.verification import explain
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


@pytest.mark.slow
def test_without_a_defect_nothing_changes(case: Case):
    programs = programs_of(case, cpus=["68040", "601"], builds=["O2"], sanitize=["undefined"])
    report = verify_case(case, programs, scenes=6, jobs=1).report
    assert {one.verdict for one in report.results} == {VERIFIED}
    assert [one.name for one in report.results] == ["68040 O2+undefined", "601 O2+undefined"]
    assert {one.sanitizers for one in report.results} == {("undefined",)}


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
        (["--sanitize", "undefined", "--program", "x", "--cpu", "601"], "needs sources to compile"),
    ],
)
def test_what_cannot_be_sanitized(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["verify", "four-shifts", *options]) == 2
    assert words in capsys.readouterr().err
