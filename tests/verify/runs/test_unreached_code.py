"""Lines that no scene leads to are named beside every verdict, at no cost for each call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import macproof
from emu.machine.guest_process import GuestWorkers
from emu.report.forms.markdown import to_markdown
from emu.verify.report.report import VerifyReport
from emu.verify.runs.coverage import never_executed, unreached_lines
from emu.verify.runs.schedule import verify
from emu.verify.scenes.scene_plan import plan_scenes

SOURCE = """short gCalls;
void Prepare(void) { gCalls = 0; }
static long Digit(char c)
{
    return c - '0';
}
long Parse(const char *text, short count)
{
    long value = 0;
    short i;
    for (i = 0; i < count; ++i) {
        if (text[i] >= '0' && text[i] <= '9')
            value = 10 * value + Digit(text[i]);
        else
            value ^= 1;
    }
    return value;
}
"""
CASE = """
schema: macproof.case/1
name: parse
title: A parser of numbers
sources: [parse.c]
cpus: ["68040", "601"]
scene: {make: "parse_reference:make", generators: [plain, digits], objects: [1, 9], count: 24}
call: Parse
arguments: {text: {points_to: text, count: 9}, count: objects}
before: [Prepare]
observe: {return: r}
reference: parse_reference:expect
"""
REFERENCE = """
from types import SimpleNamespace
import numpy as np
class S:
    def __init__(s, generator, seed, text):
        s.generator, s.seed, s.text = generator, seed, text
    objects = property(lambda s: len(s.text))
    def keep(s, i): return S(s.generator, s.seed, bytes(s.text[n] for n in i))
def make(generator, objects, seed, *, width, height):
    r = np.random.default_rng([seed, objects])
    letters = b"abcxyz" if generator == "plain" else b"0123456789a"
    return S(generator, seed, bytes(letters[n] for n in r.integers(0, len(letters), objects)))
def expect(s):
    value = 0
    for c in s.text:
        value = 10 * value + c - 48 if 48 <= c <= 57 else value ^ 1
    return SimpleNamespace(r=(value + 2**31) % 2**32 - 2**31)
"""


@pytest.fixture
def case(tmp_path: Path, compilers: Callable[..., None]) -> macproof.Case:
    compilers("68040", "601")
    (tmp_path / "parse.c").write_text(SOURCE)
    (tmp_path / "case.yaml").write_text(CASE.lstrip())
    (tmp_path / "parse_reference.py").write_text(REFERENCE)
    return macproof.load_case(tmp_path / "case.yaml")


def report_of(case: macproof.Case, *builds: str, **more: object) -> VerifyReport:
    programs = macproof.programs_of(case, cpus=["68040"], builds=builds)
    return macproof.verify(case, programs, **more).report


def lines_of(report: VerifyReport) -> dict[str, tuple[int, ...]]:
    assert report.unreached is not None
    return {one.file: one.lines for one in report.unreached.files}


def told(report: VerifyReport) -> str:
    text = to_markdown([macproof.Verification(report).document])
    return " ".join(text.replace("\\", "").split())


def test_a_parser_that_met_no_digit_is_told_so(case: macproof.Case) -> None:
    weak = replace(case, generators=("plain",))
    subjects = macproof.programs_of(case, cpus=["68040", "601"], builds=["O0"]).subjects
    results = verify(weak, list(subjects), plan_scenes(weak, 24, 1994), jobs=2)
    assert {one.verdict for one in results} == {"verified"}
    found = unreached_lines(weak.sources, results)
    assert found is not None
    assert found.programs == ("68040 O0", "601 O0")
    assert [(one.file, one.lines) for one in found.files] == [("parse.c", (4, 5, 6, 13))]


@pytest.mark.parametrize("build", ["O0", "O2"])
def test_it_is_what_watching_every_call_finds(case: macproof.Case, build: str) -> None:
    """The engine's translations say the same as counters of all edges."""
    report = report_of(case, build, scenes=1, coverage=True)
    counted = never_executed([report.results[0].coverage or ()])
    assert {file: tuple(numbers) for file, numbers in counted.items()} == lines_of(report)


def test_every_line_was_executed_is_said_too(case: macproof.Case) -> None:
    report = report_of(case, "O0", "O2")
    assert lines_of(report) == {}
    assert "Every line with code was executed, in 68040 O0." in told(report)


def test_it_is_in_the_verdict_and_in_every_form(case: macproof.Case) -> None:
    path = case.path.with_name("parse_reference.py")
    path.write_text(REFERENCE.replace('b"0123456789a"', 'b"abc"'))
    report = report_of(macproof.load_case(case.path), "O0")
    assert report.verdict == "verified"
    words = "ot executed on any scene, in 68040 O0: parse.c:4-6, 13."
    assert words in told(report)
    assert "not executed on any scene: parse.c:4-6, 13" in told(report)
    assert '"lines": [\n' in report.to_json()


def test_a_run_does_not_count_what_an_earlier_one_has_reached(case: macproof.Case) -> None:
    """The machines of workers are kept, and have translated the lines of the first run."""
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O0"])
    with GuestWorkers(1) as workers:
        assert lines_of(macproof.verify(case, programs, workers=workers).report) == {}
        few = macproof.verify(case, programs, scenes=1, objects=[1], workers=workers).report
        assert 13 in lines_of(few)["parse.c"]


def test_an_engine_that_does_not_tell_is_named(case: macproof.Case) -> None:
    report = report_of(case, "O0", scenes=4)
    assert "Which lines were never executed is not known" in told(replace(report, unreached=None))
