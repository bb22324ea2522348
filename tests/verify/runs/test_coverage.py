"""Which lines and branches a verification executed, beside what its scenes must have executed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emu.cases.programs.source_texts import SourceTexts
from emu.checks.coverage import CoveredFile, coverage_of
from emu.cli import main
from emu.program import read_program
from emu.program.instructions.branches import branches_between
from emu.verify.documents.coverage_document import annotated_sources
from emu.verify.report.lcov import lcov_of
from emu.verify.report.read_report import read_reports
from emu.verify.runs.coverage import places_words
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.verification import Verification
from emu.verify.verification import verify as verify_case
from tests.rows import slow_but

CPUS = ["68000", "68040", "601"]
PREBUILT = Path("mac_src/prebuilt")

SOURCE = """
short gValues[32], gCount;
long gSum;

static void Never(short* value)
{
    *value = 7;
}

extern "C" void Run()
{
    gSum = 0;
    for (short n = 0; n < gCount; n++)
    {
        if (gValues[n] > 2000)
            Never(&gValues[n]);
        gSum += gValues[n];
        if (gValues[n] >= 500)
            gSum++;
    }
}
"""
REFERENCE = "return answer(total=int(scene.values.sum()) + int((scene.values >= 500).sum()))"


@pytest.fixture
def small(small_cases):
    return small_cases.make(SOURCE, REFERENCE, "{gSum: total}")


def covered(small_cases, case, cpu: str, build: str, jobs: int = 1) -> Result:
    specs = plan_scenes(case, 12, 1)
    subject = small_cases.subject(case, cpu, build)
    (result,) = verify(case, [subject], specs, jobs=jobs, covers=True)
    return result


def file_of(result: Result, name: str) -> CoveredFile:
    assert result.edges is not None
    files = coverage_of(result.subject.read(), result.edges, {"memory.c"})
    (found,) = [one for one in files if one.file == name]
    return found


@pytest.mark.parametrize("cpu", slow_but(["601"], CPUS))
def test_lines_and_branches_of_unoptimised_code(small_cases, small, cpu):
    result = covered(small_cases, small, cpu, "O0")
    found = file_of(result, "small.cpp")
    counts = {line.line: line.count for line in found.lines}
    assert result.verdict == "verified"
    assert [line for line, count in counts.items() if not count] == [6, 7, 8, 16]
    assert counts[12] == sum(result.calls)
    assert counts[17] == counts[15] > counts[19] > 0
    ways = {branch.line: (branch.jumped, branch.passed) for branch in found.branches}
    assert ways.keys() == {13, 15, 18}
    assert sum(bool(way) for way in ways[13]) == 2
    assert sorted(ways[15]) == [0, counts[15]]
    assert sorted(ways[18]) == sorted([counts[19], counts[15] - counts[19]])


@pytest.mark.parametrize("cpu", slow_but(["601"], CPUS))
def test_code_that_is_inlined_belongs_to_its_own_lines(small_cases, small, cpu):
    found = file_of(covered(small_cases, small, cpu, "O2"), "small.cpp")
    left = {line.line for line in found.lines if not line.count}
    assert left <= {6, 7, 8, 16}  # the compiler may move a part of one out of the loop
    assert any(branch.ways == 1 for branch in found.branches if branch.line == 15)


@pytest.mark.slow
def test_counts_do_not_depend_on_the_number_of_workers(small_cases, small):
    one, two = (covered(small_cases, small, "601", "O2", jobs) for jobs in (1, 2))
    assert one.edges and one.edges == two.edges


def test_nothing_is_counted_unless_somebody_asks(small_cases, small):
    assert small_cases.verify(small, "601", "O2").edges is None


@pytest.mark.parametrize("cpu", slow_but(["601"], CPUS[1:]))
def test_calls_of_the_toolbox_are_covered(small_cases, cpu):
    source = """
#include <Memory.h>
short gValues[32], gCount;
long gSum;
extern "C" void Run()
{
    Ptr room = NewPtr(100);
    gSum = 1;
    if (room == 0)
        gSum = 2;
    DisposePtr(room);
}
"""
    case = small_cases.make(source, "return answer(total=1)", "{gSum: total}")
    result = covered(small_cases, case, cpu, "O0")
    assert result.verdict == "verified"
    found = file_of(result, "small.cpp")
    assert [line.line for line in found.lines if not line.count] == [10]
    (branch,) = found.branches
    assert branch.ways == 1


def test_counting_goes_on_after_a_fault(small_cases):
    source = SOURCE.replace("*value = 7", "*(volatile short*)0xF0000000 = 7")
    source = source.replace("> 2000", "> 990")
    case = small_cases.make(source, REFERENCE, "{gSum: total}")
    result = covered(small_cases, case, "601", "O0")
    assert result.verdict == "refuted"
    assert [line.line for line in file_of(result, "small.cpp").lines if not line.count] == []


@pytest.mark.parametrize(
    ("file", "conditional"),
    [("four-shifts-68040-O0.elf", 12), ("four-shifts-601-O0.elf", 11)],
)
def test_branches_of_a_program(file, conditional):
    program = read_program(PREBUILT / file)
    symbols = [one for one in program.symbols if one.kind == "function" and one.name != "memset"]
    found = [
        branch
        for one in symbols
        for branch in branches_between(program, one.address, one.address + one.size)
    ]
    assert sum(one.is_conditional for one in found) == conditional
    assert program.function("_DetermineCollisions") not in {one.target for one in found}
    assert program.function("_Abs") in {one.target for one in found if not one.is_conditional}


def test_branches_of_mips():
    program = read_program(PREBUILT / "linear-quadtree-mips-O2.elf")
    symbols = [one for one in program.symbols if one.kind == "function"]
    ends = [
        branch.end - branch.address
        for one in symbols
        for branch in branches_between(program, one.address, one.address + one.size)
        if branch.is_conditional
    ]
    assert ends and set(ends) == {8}


@pytest.fixture(scope="module")
def verification() -> Verification:
    from emu.cases.find import load_case
    from emu.cases.programs.programs import programs_of

    case = load_case("blockmap")
    programs = programs_of(case, cpus=["68000", "601"], builds=["O2"], use="prebuilt")
    return verify_case(case, programs, scenes=3, jobs=1, coverage=True)


def test_lines_that_no_scene_executes_are_named_beside_the_verdict(verification):
    outcome = str(verification.document.outcome)
    assert re.match(r"verified \(not executed on any scene: single\.cpp:\d+", outcome), outcome


def test_the_report_keeps_what_was_executed(verification, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(verification.to_json())
    (again,) = read_reports(path)
    assert again == verification.report
    assert again.results[0].coverage


def test_annotated_sources(verification):
    report = verification.report
    names = {one.file for result in report.results for one in result.coverage or ()}
    lines = Path("mac_src/blockmap/blockmap.cpp").read_text().splitlines()
    texts = SourceTexts({"blockmap.cpp": tuple(lines)}, dict.fromkeys(names, "it is gone"))
    sections = {one.title: one for one in annotated_sources(report, texts)}
    listing = sections["Coverage of blockmap.cpp"].parts[0]
    assert listing.groups == ("68000 O2", "601 O2")
    assert sections["Coverage of play_scene.cpp"].parts == ("Not shown: it is gone.",)
    begins = lines.index("Boolean world_init()") + 1
    assert int(listing.lines[begins].figures[0][0]) > 0
    assert listing.lines[0].figures == ((), ())


def test_lcov(verification):
    text = lcov_of(verification.report, lambda file: Path("/sources") / file)
    records = text.split("end_of_record\n")[:-1]
    files = [one.file for result in verification.report.results for one in result.coverage or ()]
    assert len(records) == len(files)
    blocks: list[str] = []
    for record in records:
        lines = dict(re.findall(r"^DA:(\d+),(\d+)$", record, re.MULTILINE))
        ways = re.findall(r"^BRDA:\d+,(\d+),[01],(\d+|-)$", record, re.MULTILINE)
        blocks += [block for block, _ in ways[::2]]
        assert f"LF:{len(lines)}\n" in record and f"BRF:{len(ways)}\n" in record
        assert f"LH:{sum(count != '0' for count in lines.values())}\n" in record
        assert f"BRH:{sum(count not in '0-' for _, count in ways)}\n" in record
    assert len(set(blocks)) == len(blocks)
    assert text.startswith("TN:blockmap_68000_O2\nSF:/sources/blockmap.cpp\n")


def test_places_in_words():
    assert places_words({"a.c": [1], "b.c": [3, 4, 5, 9, 11, 12]}) == "a.c:1; b.c:3-5, 9, 11-12"
    assert places_words({}) == ""


@pytest.mark.slow
def test_the_command_writes_every_form(tmp_path):
    words = ["verify", "four-shifts", "--cpu", "601", "--build", "O2", "--scenes", "3"]
    files = {form: tmp_path / f"x.{form}" for form in ("lcov", "html", "markdown", "json")}
    options = [word for form, path in files.items() for word in (f"--{form}", str(path))]
    assert main([*words, "--programs", "prebuilt", "--jobs", "1", "--quiet", *options]) == 0
    source = Path("mac_src/four_shifts/four_shifts.cpp").resolve()
    assert f"SF:{source}\n" in files["lcov"].read_text()
    assert "Coverage of four_shifts.cpp" in files["html"].read_text()
    assert "## Coverage of four\\_shifts.cpp" in files["markdown"].read_text()
    assert read_reports(files["json"])[0].results[0].coverage
