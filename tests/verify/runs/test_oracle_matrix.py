"""The oracle matrix in the report of a verification: who agrees with whom about which scenes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.report.document import Table, Tone
from emu.report.forms.html import to_html
from emu.report.json_form import to_json
from emu.verify.documents.document import document_of
from emu.verify.documents.oracle_document import oracle_section
from emu.verify.report.join_reports import together
from emu.verify.report.read_report import read_reports
from emu.verify.report.report import SCHEMA, VerifyReport
from emu.verify.runs.oracle_matrix import FirstDifference, OracleMatrix, OraclePair, oracle_matrix
from emu.verify.runs.verdicts import REFUTED, Result
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.verification import verify
from tests.conftest import ROOT

FIRST, SECOND = SceneSpec("uniform", 3, 7), SceneSpec("uniform", 3, 8)


def result(cpu: str, *answers: str, engine: str = "unicorn", build: str = "O2") -> Result:
    """What came of a program that gave these answers to the first scenes."""
    native = Path("native") if engine == "host" else None
    subject = Subject(cpu, build, Path(f"{cpu}.elf"), engine=engine, native=native)
    return Result(subject, answers=tuple(zip((FIRST, SECOND), answers, strict=False)))


def pair(matrix: OracleMatrix, *names: str) -> OraclePair:
    (found,) = (one for one in matrix.pairs if one.oracles == names)
    return found


def table_of(matrix: OracleMatrix) -> Table:
    table = oracle_section(matrix).parts[0]
    assert isinstance(table, Table)
    return table


def test_two_wrong_answers_may_be_alike(case: Case):
    wrong = [result(cpu, "", "gCount is 7") for cpu in ("68040", "601")]
    matrix = oracle_matrix(case, wrong, [FIRST, SECOND])
    assert matrix.oracles == ("68040 unicorn", "601 unicorn", "Python")
    assert pair(matrix, "68040 unicorn", "601 unicorn").alike == 2
    found = pair(matrix, "601 unicorn", "Python")
    assert (found.both, found.alike) == (2, 1)
    assert found.first == FirstDifference(
        "O2", SECOND.scene, ("gCount is 7", "what the reference says")
    )
    assert str(found) == (
        "601 unicorn and Python differ in 1 of 2 scenes, first on uniform, 3 objects, seed 8, "
        "build O2: 601 unicorn says gCount is 7 and Python what the reference says"
    )
    assert not matrix.agree


def test_other_wrong_answers_are_not_alike(case: Case):
    wrong = [result("68040", "gCount is 6"), result("601", "gCount is 7")]
    found = oracle_matrix(case, wrong, [FIRST, SECOND])
    assert pair(found, "68040 unicorn", "601 unicorn").alike == 0


def test_scenes_that_did_not_return_do_not_count(case: Case):
    """The second scene has two calls, of which one program has made only one."""
    again = replace(SECOND, fill=list(type(SECOND.fill))[-1])
    stopped = result("68040", "", "")
    whole = result("601", "", "")
    whole = replace(whole, answers=(*whole.answers, (again, "")))
    found = oracle_matrix(case, [stopped, whole], [FIRST, SECOND, again])
    assert (pair(found, "68040 unicorn", "601 unicorn").both, found.agree) == (1, True)
    assert pair(found, "601 unicorn", "Python").both == 2


def test_every_build_counts(case: Case):
    builds = [result(cpu, "", "", build=one) for one in ("O0", "O2") for cpu in ("68040", "601")]
    found = oracle_matrix(case, [*builds, result("601", "x is 1", build="O1")], [FIRST, SECOND])
    assert pair(found, "68040 unicorn", "601 unicorn").both == 4
    last = pair(found, "601 unicorn", "Python")
    assert (last.both, last.alike) == (5, 4)
    assert last.first is not None and last.first.build == "O1"


def test_a_native_program_is_one_oracle_wrong_beside_any_processor(case: Case):
    ran = [
        result("68040", "", ""),
        result("68040", "", "", engine="host"),
        result("601", "", ""),
        result("601", "", "gCount is 7", engine="host"),
    ]
    found = oracle_matrix(case, ran, [FIRST, SECOND])
    assert found.oracles == ("68040 unicorn", "601 unicorn", "host", "Python")
    assert pair(found, "68040 unicorn", "host").alike == 1


def test_places_with_a_tolerance_are_told():
    case = load_case(ROOT / "examples/variance/case.yaml")
    found = oracle_matrix(case, [result("68040", "", "")], [FIRST, SECOND])
    assert found.inexact == ("return", "*mean")
    (_, points) = oracle_section(found).parts
    assert "return, *mean: the case allows a tolerance" in str(points)
    assert "compared exactly" not in str(points)
    exact = oracle_section(replace(found, inexact=()))
    assert "compared exactly" in str(exact.parts[1])


def test_only_what_differs_is_red(case: Case):
    ran = [result("68040", "", ""), result("601", "", "gCount is 7")]
    table = table_of(oracle_matrix(case, ran, [FIRST, SECOND]))
    assert table.rows[1] == ("2 601 unicorn", "1 of 2", "-", "1 of 2")
    assert table.tones == {"1 of 2": Tone.BAD}


@pytest.fixture(scope="module")
def parted() -> VerifyReport:
    """The 68040 executes a program of the case; the 601 that of one with another distance."""
    case = load_case("four-shifts-test-of-two")
    programs = programs_of(case, cpus=["68040", "601"], builds=["O2"], use="prebuilt")
    other = load_case("four-shifts-test-of-two-corrected")
    wrong = programs_of(other, cpus=["601"], builds=["O2"], use="prebuilt").built[0]
    mixed = replace(programs, built=(programs.built[0], wrong))
    assert isinstance(mixed, Selection)
    return verify(case, mixed, scenes=12, jobs=1).report


def test_a_processor_that_parts_from_the_others_is_red_in_the_report(
    parted: VerifyReport, tmp_path: Path
):
    assert parted.verdict == REFUTED
    matrix = parted.oracles
    assert matrix is not None
    right, wrong = pair(matrix, "68040 unicorn", "Python"), pair(matrix, "601 unicorn", "Python")
    between = pair(matrix, "68040 unicorn", "601 unicorn")
    assert (right.both, right.alike) == (12, 12)
    assert between.alike == wrong.alike < 12
    assert between.first is not None and between.first.answers[0] == "what the reference says"
    document = document_of(parted)
    html, cell = to_html([document]), f"{wrong.alike} of 12"
    assert (
        f'<span class="tone bad"><span aria-hidden="true">✗\N{NO-BREAK SPACE}</span>{cell}' in html
    )
    assert f"{between}." in str(document.sections)
    place = tmp_path / "report.json"
    place.write_text(to_json(parted, SCHEMA))
    assert read_reports(place)[0].oracles == matrix


def test_reports_of_separate_runs_say_nothing_of_pairs(parted: VerifyReport):
    assert together([parted]).oracles == parted.oracles
    joined = together([parted, parted])
    assert joined.oracles is None
    assert not [one for one in document_of(joined).sections if one.title == "Oracles"]


@pytest.mark.slow
def test_the_host_is_an_oracle_of_verify(macproof: Callable[..., Any]):
    words = ("--cpu", "68040", "--cpu", "601", "--build", "O2", "--scenes", 5)
    done = macproof("verify", "four-shifts", *words, "--engine", "unicorn", "--engine", "host")
    assert done.code == 0, done.err
    for row in ("1 68040 unicorn", "2 601 unicorn", "3 host", "4 Python"):
        (line,) = (one for one in done.out.splitlines() if one.strip().startswith(row))
        assert line.count("5 of 5") == 3
