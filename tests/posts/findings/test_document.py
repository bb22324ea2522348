"""Documents and reports of findings, and the command, say what was seen."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from emu.cli import main
from emu.report.document import Document
from emu.report.forms.junit import to_junit
from emu.report.forms.markdown import to_markdown
from emu.report.json_form import to_json
from posts.findings.document import findings_document
from posts.findings.figures import figures_of
from posts.findings.report import SCHEMA
from posts.findings.result import NOT_RUN, NOT_SHOWN, SHOWN, FindingResult
from tests.report import schemas

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def document(results: dict[str, FindingResult]) -> Document:
    return findings_document(list(results.values()), command=["macproof", "findings"], seconds=1.0)


def spoiled(result: FindingResult) -> FindingResult:
    """A finding that is not shown: something is wrong with what each form did."""
    steps = [
        dataclasses.replace(
            step,
            described={
                cpu: dataclasses.replace(seen, problem="it is | mended")
                for cpu, seen in step.described.items()
            },
        )
        for step in result.steps
    ]
    return dataclasses.replace(result, steps=tuple(steps))


def test_there_is_evidence_of_each_finding(results: dict[str, FindingResult], document: Document):
    text = to_markdown([document])
    assert all(f"## {id_}: " in text for id_ in results)
    (page,) = re.findall(r"## M9: .*?(?=\n## )", text, re.DOTALL)
    for words in (
        "## M9: Collisions off the grid are missed",
        "\\[\\[-40, 10\\], \\[-45, 12\\]\\]",
        "68040, as described: gCollisionArray = \\[0, 0\\]",
        "68040, corrected: gCollisionArray = \\[1, 1\\]; memory is as its reference demands",
        "As described, 68040: 2 objects in",
        "macproof findings M9 --verbose",
    ):
        assert words in page
    (read,) = re.findall(r"## M17: .*?(?=\n## )", text, re.DOTALL)
    assert "Not run: It is read from the text" in read
    assert "* M17: It is read from the text" in text


def test_figures_mark_what_the_forms_differ_about(results: dict[str, FindingResult]):
    described, corrected = figures_of(results["M9"].steps[0])
    assert [shape.is_wrong for shape in described.shapes] == [True, True]
    assert [shape.is_marked for shape in described.shapes] == [False, False]
    assert [shape.is_marked for shape in corrected.shapes] == [True, True]
    assert not any(shape.is_wrong for shape in corrected.shapes)
    assert described.shapes[0].label == "object 0 at (-40, 10)"
    for figure in (described, corrected):
        for shape in figure.shapes:
            assert 0 < shape.box.left < shape.box.left + shape.box.width < figure.width
            assert 0 < shape.box.top < shape.box.top + shape.box.height < figure.height
    same = list(figures_of(results["M8"].steps[0]))  # nothing collides in either form
    assert same and not any(shape.is_wrong for figure in same for shape in figure.shapes)
    assert list(figures_of(results["B3"].steps[0])) == []


def test_reported_pairs_are_partners(results: dict[str, FindingResult]):
    figures = [f for r in results.values() for step in r.steps for f in figures_of(step)]
    paired = [figure for figure in figures if any(shape.partners for shape in figure.shapes)]
    assert paired
    for figure in paired:
        for number, shape in enumerate(figure.shapes):
            assert all(number in figure.shapes[other].partners for other in shape.partners)
            assert shape.is_marked or not shape.partners


def test_findings_are_test_cases(results: dict[str, FindingResult]):
    some = [results["M9"], results["M17"], spoiled(results["B8"])]
    document = findings_document(some, command=[], seconds=1.0)
    root = ElementTree.fromstring(to_junit([document]))
    shown, read, wrong = root.iter("testcase")
    assert shown.get("classname") == "macproof.findings.four_shifts"
    assert shown.get("name") == "M9: Collisions off the grid are missed"
    assert [len(one.findall("failure")) for one in (shown, read, wrong)] == [0, 0, 1]
    skipped, failure = read.find("skipped"), wrong.find("failure")
    assert skipped is not None and (skipped.get("message") or "").startswith("It is read")
    assert failure is not None and "it is | mended" in (failure.get("message") or "")
    assert str(document.outcome) == "not shown (1 shown, 1 not shown, 1 not run)"
    assert "as described: it is \\| mended" in to_markdown([document])


def test_nothing_run_is_not_called_shown(results: dict[str, FindingResult]):
    for chosen, word in (
        ([results["M17"]], NOT_RUN),
        ([results["M17"], results["M9"]], SHOWN),
        ([results["M17"], spoiled(results["M9"]), results["B8"]], NOT_SHOWN),
    ):
        document = findings_document(chosen, command=[], seconds=1.0)
        assert document.outcome is not None
        assert document.outcome.word == word == document.data.verdict


def test_the_report_has_everything(
    results: dict[str, FindingResult], document: Document, tmp_path: Path
):
    file = tmp_path / "findings.json"
    file.write_text(to_json(document.data, document.schema))
    report = schemas.read(file, SCHEMA)
    assert report["verdict"] == "shown"
    assert len(report["findings"]) == len(results)
    by_id = {finding["id"]: finding for finding in report["findings"]}
    b5 = by_id["B5"]["steps"][1]["as_described"]["seen"]["68040"]
    assert b5["facts"] == {"fault": "access"}
    assert "unmapped memory" in b5["fault"]
    right = by_id["B5"]["steps"][1]["corrected"]["seen"]["68040"]
    assert right["reference_agrees"] == [True]
    assert right["comparisons"] > 0
    assert by_id["M17"]["why_not_run"]
    total = report["totals"]
    shared = {id(outcome) for result in results.values() for outcome in result.outcomes}
    assert total["calls"] == len(shared) > 0
    assert total["facts"] == sum(result.facts for result in results.values()) > 0
    assert total["comparisons"] > 1000 * len(results)


def test_the_command(
    compilers: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    compilers("68040")
    report, text, page = (tmp_path / f"report.{end}" for end in ("json", "md", "html"))
    words = ["findings", "m9", "Q5", "--cpu", "68040", "--json", str(report), "--verbose"]
    words += ["--markdown", str(text), "--html", str(page)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "M9" in out
    assert "shown" in out
    assert "Q5: it is for mips only" in out
    assert "68040, corrected: gCollisionArray = [1, 1]" in out
    assert json.loads(report.read_text())["command"] == ["macproof", *words]
    assert "## M9: " in text.read_text()
    assert "object 0 at (-40, 10)" in page.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["M99"], "there is no finding of M99"),
        (["--source", "x.cpp"], "name that case alone"),
        (["four-shifts", "--source", "nowhere.cpp"], "there is no such file"),
        (["M9", "--build", "O9"], "has no build O9"),
    ],
)
def test_what_the_command_refuses(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["findings", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_mended_source_does_not_show_the_findings(
    compilers: Callable[..., None],
    changed: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """Our own port given as a source shows them; with its grid limited it shows some no more."""
    compilers("68040")
    limited = {
        "[(o->x + xoff) >> kLog2SectorSize]": "[o->x < 0 ? 0 : (o->x + xoff) >> kLog2SectorSize]",
    }
    source = tmp_path / "limited.cpp"
    source.write_text(changed(limited))
    words = ["findings", "four-shifts", "--cpu", "68040", "--source", str(source)]
    assert main(words) == 1
    out = capsys.readouterr().out
    assert "M8: left of the grid: 68040, as described" in out
    assert "M9: 68040, as described: gCollisionArray is [1, 1], not [0, 0]" in out


def test_the_listing_of_1994_shows_them_all(
    post: Path, compilers: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    compilers("68040", "601")
    listing = tmp_path / "listing.cpp"
    assert main(["import", str(post), "-o", str(listing)]) == 0
    processors = ["--cpu", "68040", "--cpu", "601"]
    assert main(["findings", "four-shifts", "--source", str(listing), *processors]) == 0
    out = capsys.readouterr().out
    assert "11 shown" in out
    assert "not shown" not in out


def test_the_command_writes_over_nothing_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Neither over what it reads, nor two things to one place."""
    monkeypatch.chdir(tmp_path)
    source = Path("port.cpp")
    source.write_text("int x;\n")
    words = ["findings", "four-shifts", "--source", "port.cpp", "--json", "port.cpp"]
    assert main(words) == 2
    assert "--json would be written over --source" in capsys.readouterr().err
    assert source.read_text() == "int x;\n"
    assert main(["findings", "M1", "--json", "M1", "--markdown", "M1"]) == 2
    assert "--json and --markdown would be the same file" in capsys.readouterr().err
    assert not Path("M1").exists()


def test_one_finding_is_a_finding(capsys: pytest.CaptureFixture[str]):
    assert main(["findings", "M1"]) == 4  # its program does not come along
    out = capsys.readouterr().out
    assert out.startswith("1 finding\n0 calls of compiled routines")
    assert "not run in " in out


def test_objects_that_a_routine_placed_are_drawn_where_it_left_them(
    results: dict[str, FindingResult],
):
    """The scene of this finding is random numbers; the routine makes 60 objects of them."""
    (described, *_) = figures_of(results["M11"].steps[0])
    assert len(described.shapes) == 60
    corners = {(shape.box.left, shape.box.top) for shape in described.shapes}
    assert len(corners) > 30
    assert sum(shape.is_marked for shape in described.shapes) == 49
