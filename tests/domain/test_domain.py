"""The box of inputs for which a routine is correct: that its faces are where they must be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emu.cases.find import load_case
from emu.cases.programs import Selection, programs_of
from emu.domain import execute, probes
from emu.domain.document import domain_document
from emu.domain.execute import Executor
from emu.domain.report import DomainReport, ProgramDomain
from emu.domain.search import domain, search_program
from emu.report.terminal import text_of
from emu.verify.finding import read_finding
from emu.verify.judgement import Judgement
from emu.verify.scene_plan import plan_scenes
from pyref.four_shifts import X_LIMIT, Y_LIMIT

# The sum of a value and 100 is kept in 16 bits: right from -32868 to 32667, and nowhere else.
SOURCE = """
long gValues[16], gSum;
short gCount;

extern "C" void Run()
{
    gSum = 0;
    for (short n = 0; n < gCount; n++)
    {
        short moved = (short) (gValues[n] + 100);
        gSum += moved;
    }
}
"""
REFERENCE = "return answer(total=int((scene.values + 100).sum()))"
LOW, HIGH = -(1 << 15) - 100, (1 << 15) - 1 - 100


def of(small_cases, source: str = SOURCE) -> Selection:
    case = small_cases.make(source, REFERENCE, "{gSum: total}")
    return programs_of(case, cpus=["68040", "601"], builds=["O2"], use="compiled")


def ranges(program: ProgramDomain) -> dict[str, tuple[int, int]]:
    return {one.name: (one.low.joint, one.high.joint) for one in program.dimensions}


def without_seconds(report: DomainReport) -> DomainReport:
    return replace(report, programs=tuple(replace(one, seconds=0.0) for one in report.programs))


@pytest.mark.slow
def test_an_overflow_of_16_bits_is_found_at_its_very_value(small_cases, tmp_path):
    selection = of(small_cases)
    report = domain(selection, tmp_path / "one", scenes=64, jobs=1)
    assert report.verdict == "found"
    for program in report.programs:
        assert ranges(program) == {"values": (LOW, HIGH), "objects": (0, 16)}
        (values,) = [one for one in program.dimensions if one.name == "values"]
        example = values.high.counterexample
        assert (example.value, example.kind) == (HIGH + 1, "divergence")
        finding = read_finding(tmp_path / "one" / example.file)
        assert finding.changed.make(selection.case).values.tolist() == [HIGH + 1]
    assert "evidence" in text_of(domain_document(report, tmp_path))
    again = domain(selection, tmp_path / "two", scenes=64, jobs=2)
    assert without_seconds(again) == without_seconds(report)


def test_a_case_whose_usual_range_fails_is_told(small_cases, tmp_path):
    wrong = of(small_cases, SOURCE.replace("gSum += moved;", "gSum += moved | 1;"))
    report = domain(wrong, tmp_path, scenes=32, jobs=1)
    assert report.verdict == "the usual range fails"
    for program in report.programs:
        assert program.failure.kind == "divergence" and not program.dimensions
    checks = domain_document(report, tmp_path).checks
    assert [one.fate.value for one in checks] == ["failure", "failure"]


def test_numbers_that_depend_on_each_other_are_named_and_left_out(tmp_path):
    programs = programs_of(load_case("collider"), cpus=["601"], builds=["O2"], use="prebuilt")
    report = domain(programs, tmp_path, scenes=32, executions=500, jobs=1)
    (program,) = report.programs
    steps = {"operation", "first", "second", "demand", "priority"}
    assert report.verdict == "found" and {one.name for one in program.tied} == steps
    assert [one.name for one in program.dimensions] == ["objects"]
    assert "operation: not searched" in text_of(domain_document(report, tmp_path))


@pytest.mark.parametrize(("low", "high"), [(-3, 3), (-(1 << 107), 1 << 106), (5, 5)])
def test_values_are_chosen_from_the_whole_of_a_range(low, high):
    random = np.random.Generator(np.random.PCG64(1))
    values = [probes.between(low, high, random) for _ in range(200)]
    assert low <= min(values) <= low + (high - low) // 20
    assert high - (high - low) // 20 <= max(values) <= high


def test_what_the_engine_cannot_run_has_not_held(small_cases, tmp_path, monkeypatch):
    monkeypatch.setattr(Executor, "_all_hold", lambda self, asked: False)
    monkeypatch.setattr(execute, "judge", lambda *arguments: Judgement())
    selection = of(small_cases)
    case, subject, built = selection.case, selection.subjects[0], selection.executed[0]
    specs = plan_scenes(case, 8, 1)
    program = search_program(case.path, case.known, subject, built, specs, 1, 32, 0, tmp_path, ())
    assert program.held == 0 and program.undecided >= 32
    report = replace(domain(selection, tmp_path, scenes=1, executions=0), programs=(program,))
    assert "The engine could not run" in text_of(domain_document(report, tmp_path))


@pytest.mark.slow
def test_ranges_of_four_shifts_end_where_its_reference_refuses(tmp_path):
    programs = programs_of(
        load_case("four-shifts"), cpus=["68040", "601"], builds=["O2"], use="prebuilt"
    )
    for program in domain(programs, tmp_path, scenes=64, jobs=2).programs:
        assert ranges(program) == {"x": (0, X_LIMIT), "y": (0, Y_LIMIT), "objects": (0, 200)}
