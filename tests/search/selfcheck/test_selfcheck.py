"""The command that breaks routines on purpose."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import emu.cli
from emu.base.processes.workers import Workers
from emu.cases.case import Case
from emu.search.selfcheck.equivalent import Equivalents
from emu.search.selfcheck.fates import Fate, ProgramFate
from emu.search.selfcheck.mutant_programs import FromSources
from emu.search.selfcheck.selfcheck import selfcheck
from tests.conftest import Outcome
from tests.small_cases import SmallCases

# Besides its sum it has a count that a weak case does not look at.
SOURCE = """
int gValues[10], gCount, gSum, gLarge;

static int Unused(int a) { return a + 1; }
int Other(int a) { return a + 2; }

extern "C" void Run(void)
{
    gSum = 0;
    for (int i = 0; i < gCount; i++) {
        gSum += gValues[i];
        if (gValues[i] >= 500)
            gSum += 7;
    }
}
"""
# The sum of two pointers does not compile, and zero is its own opposite.
POINTERS = """
int gValues[10], gCount, gSum;

static int Abs(int a) { return a < 0 ? -a : a; }

extern "C" void Run(void)
{
    int *end = gValues + gCount;
    gSum = 0;
    for (int *p = gValues; p < end; ++p)
        gSum += Abs(*p - 500);
    gSum += end - gValues;
}
"""
RIGHT = """
values = [int(v) for v in scene.values]
return answer(total=sum(values) + 7 * sum(v >= 500 for v in values))
"""
SMALL = "{gSum: total}"
# No value that is drawn is 500, so nobody sees whether that counts.
KIND = """
def make_even(generator, objects, seed, width, height):
    drawn = make_numbers(generator, objects, seed, width, height)
    return Numbers(drawn.values // 1000 * 7 + 400 + 200 * (drawn.values % 2), generator, seed)
"""
HARD = """
def make_near(generator, objects, seed, width, height):
    drawn = make_numbers(generator, objects, seed, width, height)
    return Numbers(drawn.values % 5 + 498, generator, seed)
"""


@pytest.fixture
def cases(tmp_path: Path) -> SmallCases:
    return SmallCases(tmp_path)


def strong(cases: SmallCases) -> Case:
    return cases.make(SOURCE, RIGHT, SMALL, python=HARD, make="make_near")


def weak(cases: SmallCases) -> Case:
    return cases.make(SOURCE, RIGHT, SMALL, python=KIND, make="make_even")


def run(case: Case | str, *words: str) -> tuple[int, Mapping[str, Any]]:
    """The exit code and the report."""
    folder = Path(case.path.parent if isinstance(case, Case) else words[-1])
    written = folder / "found.json"
    name = str(case.path) if isinstance(case, Case) else case
    code = emu.cli.main(
        ["selfcheck", name, "--quiet", "--jobs", "1", "--json", str(written), *words]
    )
    return code, json.loads(written.read_text()) if written.exists() else {}


def fates(report: Mapping[str, Any]) -> dict[str, str]:
    return {one["key"].partition(": ")[2]: one["fate"] for one in report["mutants"]}


@pytest.mark.slow
def test_good_scenes_find_every_mutant(cases: SmallCases) -> None:
    code, report = run(strong(cases))
    assert (code, report["verdict"], report["score"]) == (0, "killed", 1)
    found = fates(report)
    assert report["programs"] == ["68000 O1", "601 O1"]
    assert found["gSum += gValues[i]; -> gSum -= gValues[i];"] == "diverged"
    assert found["if (gValues[i] >= 500) -> if (gValues[i] > 500)"] == "diverged"
    assert found["if (gValues[i] >= 500) -> if (gValues[i] >= 501)"] == "diverged"
    assert found["for (int i = 0; i < gCount; i++) { -> for (int i = 0; i < gCount; i--) {"] in (
        "faulted",
        "diverged",
    )
    # What the routine never calls is not in its program.
    assert found["int Other(int a) { return a + 2; } -> int Other(int a) { return a - 2; }"] == (
        "not in the program"
    )


@pytest.mark.slow
def test_kind_scenes_let_a_mutant_survive(
    cases: SmallCases, capsys: pytest.CaptureFixture[str]
) -> None:
    case = weak(cases)
    code = emu.cli.main(["selfcheck", str(case.path), "--jobs", "1", "--cpu", "601"])
    told = capsys.readouterr().out
    assert code == 1
    assert "small.cpp:12 in Run (relational)" in told
    assert "- if (gValues[i] >= 500)" in told
    assert "+ if (gValues[i] > 500)" in told
    assert "mutants survived" in told
    assert "small.cpp:11" not in told


@pytest.mark.slow
def test_a_survivor_that_is_listed_is_equivalent_and_a_wrong_entry_is_told(
    cases: SmallCases,
) -> None:
    case = weak(cases)
    _, report = run(case, "--cpu", "601")
    survivors = [one["key"] for one in report["mutants"] if one["fate"] == "survived"]
    listed = [f"    - '{key}'\n" for key in survivors]
    beside = case.path.parent / "equivalent_mutants.yaml"
    text = f"small:\n- reason: no value is 500\n  mutants:\n{''.join(listed)}"
    beside.write_text(text)
    code, report = run(case, "--cpu", "601")
    assert (code, report["verdict"], report["score"]) == (0, "killed", 1)
    assert {one["why"] for one in report["mutants"] if one["fate"] == "equivalent"} == {
        "no value is 500"
    }
    killed = "small.cpp, Run: gSum += 7; -> gSum += 8;"
    other = case.path.parent / "other.yaml"
    other.write_text(f"{text}    - '{killed}'\n    - 'small.cpp, Run: nothing'\n")
    code, report = run(case, "--cpu", "601", "--equivalent", str(other))
    assert code == 1
    assert report["wrong_entries"] == [
        f"it can be told from the routine (diverged): {killed}",
        "there is no such mutant: small.cpp, Run: nothing",
    ]


@pytest.mark.slow
def test_full_checks_find_out_what_makes_no_difference_to_results(cases: SmallCases) -> None:
    source = "volatile char gName[3];\n" + SOURCE.replace(
        "    gSum = 0;\n", "    gName[2];\n    gSum = 0;\n"
    )
    case = cases.make(source, RIGHT, SMALL, python=HARD, make="make_near")
    key = "small.cpp, Run: gName[2]; -> gName[3];"
    for level, fate in (("usual", "survived"), ("full", "diverged")):
        _, report = run(case, "--cpu", "601", "--checks", level)
        (mutant,) = (one for one in report["mutants"] if one["key"] == key)
        assert mutant["fate"] == fate
    assert "gName" in mutant["why"]


@pytest.mark.slow
def test_a_mutant_that_does_not_compile_or_changes_nothing_is_set_aside(
    cases: SmallCases,
) -> None:
    reference = "return answer(total=int(abs(scene.values - 500).sum()) + len(scene.values))"
    case = cases.make(POINTERS, reference, SMALL)
    programs = cases.programs(case, ["68040"], ["O1"])
    report = selfcheck(case, programs, scenes=12, jobs=1).report
    found = {one.after: one.fate for one in report.mutants}
    assert found["gSum += Abs(*p - 499);"] is Fate.DIVERGED
    assert found["static int Abs(int a) { return a <= 0 ? -a : a; }"] is Fate.IDENTICAL
    assert found["gSum += end + gValues;"] is Fate.INVALID
    assert all(one.why for one in report.mutants if one.fate not in (Fate.SURVIVED, Fate.IDENTICAL))


def test_mutants_of_a_function_that_the_program_lacks_are_not_tried(cases: SmallCases) -> None:
    case = cases.make(SOURCE, RIGHT, SMALL)
    programs = cases.programs(case, builds=["O1"])
    maker = FromSources.of(programs)
    with Workers(1) as workers:
        mutants = maker.mutants(workers)
    made = maker.make(mutants, Equivalents(), 2, lambda more: None)
    absent = {
        one.mutant.function
        for one in made
        if any(
            isinstance(it, ProgramFate) and it.fate is Fate.ABSENT for it in one.programs.values()
        )
    }
    assert absent == {"Unused", "Other"}
    assert {one.function for one in mutants} > absent


@pytest.mark.slow
def test_functions_that_are_listed_as_not_called_are_checked(tmp_path: Path) -> None:
    names = ("CompareAsDescribed", "CompareEachPairOnce", "Compare")
    other, own, none = (f"trivial_loops.cpp, {name}" for name in names)
    listed = tmp_path / "list.yaml"
    words = ("--cpu", "68040", "--limit", "3", "--equivalent", str(listed), "--json")
    listed.write_text(f"trivial-loops:\n  - reason: so\n    not_called: ['{other}']\n")
    written = tmp_path / "found.json"
    command = ["selfcheck", "trivial-loops", "--quiet", "--jobs", "1", *words, str(written)]
    assert emu.cli.main(command) == 0
    assert "equivalent" in {one["fate"] for one in json.loads(written.read_text())["mutants"]}
    listed.write_text(f"trivial-loops:\n  - reason: so\n    not_called: ['{own}', '{none}']\n")
    assert emu.cli.main(command) == 1
    missing, called = json.loads(written.read_text())["wrong_entries"]
    assert missing == f"there is no such function: {none}"
    assert called.startswith("a function that is listed as not called is called: 68040 O1: ")


@pytest.mark.slow
def test_a_routine_that_is_wrong_itself_is_told(
    cases: SmallCases, capsys: pytest.CaptureFixture[str]
) -> None:
    case = cases.make(SOURCE, RIGHT.replace("7", "8"), SMALL)
    code = emu.cli.main(["selfcheck", str(case.path), "--jobs", "1", "--cpu", "601"])
    assert code == 1
    told = " ".join(capsys.readouterr().err.split())
    assert "small itself is refuted on 601 O1, so its mutants say nothing: any, " in told
    assert "gSum is" in told


@pytest.mark.slow
def test_a_source_that_has_a_case_of_its_own_is_left_to_it_and_the_report_says_so(
    macproof: Callable[..., Outcome], tmp_path: Path
) -> None:
    written = tmp_path / "found.json"
    words = ("--cpu", "68000", "--limit", "6", "--scenes", "40", "--json", written)
    found = macproof("selfcheck", "blockmap", *words)
    report = json.loads(written.read_text())
    fates: dict[str, set[str]] = {one["file"]: set() for one in report["mutants"]}
    for one in report["mutants"]:
        fates[one["file"]].add(one["fate"])
    assert fates["single.cpp"] == {"of another case"}
    assert "of another case" not in fates["blockmap.cpp"]
    (left,) = report["left"]
    assert (left["file"], left["case"]) == ("single.cpp", "single-float") and left["mutants"] >= 2
    assert "in single.cpp, which the self-check of the case single-float is of" in " ".join(
        found.out.split()
    )
    # On another processor there is no such case; there the functions are not in the program.
    assert macproof("selfcheck", "blockmap", *words[:1], "601", *words[2:]).code in (0, 1)
    assert json.loads(written.read_text())["left"] == []


@pytest.mark.slow
def test_the_scenes_of_single_float_find_out_a_spread_of_its_mutants(
    macproof: Callable[..., Outcome],
) -> None:
    found = macproof("selfcheck", "single-float", "--limit", "60")
    assert found.code == 0, found.out
