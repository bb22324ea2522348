"""The report's forms: JSON, Markdown, terminal, pictures."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from emu.report.document import Document
from emu.report.forms.junit import to_junit
from emu.report.forms.markdown import to_markdown
from emu.report.forms.terminal import print_document
from emu.report.json_form import to_json
from posts.audit.claims import Claim, ClaimPlot, ClaimRun, Post
from posts.audit.document import audit_document
from posts.audit.plots import plot_of
from posts.audit.report import SCHEMA, AuditReport, growth, make_report
from posts.audit.rules import CANNOT, FAILS, HOLDS, NOT_RUN, VERDICTS, WITH_CONDITION, Rule
from posts.audit.run import Audit, ClaimVerdict, PlotSeries
from tests.report import schemas

CLAIM = Claim("009", "a-claim", "Tests | are few.", number="<b>3</b>", measure="a:b",
              found="{tests}", rule=Rule.parse(["tests <= 3"], ["tests <= 5"]),
              condition="in winter.", rule_rests_on="nothing.", is_model=True)  # fmt: skip
LINES = ClaimPlot("lines", "Some lines", "log-log", ("a:c",), "objects", "tests", "A note.")
BARS = ClaimPlot("bars", "Some bars", "bars", ("a:d",), "times", "percent")


def report() -> AuditReport:
    answers = [
        ClaimVerdict(CLAIM, WITH_CONDITION, {"tests": 4.5}, "4.5"),
        ClaimVerdict(
            Claim("009", "day", "It took a day.", cannot="no clock"), CANNOT, {}, "no clock"
        ),
        ClaimVerdict(CLAIM, NOT_RUN, {}, "no compiler", 3),
    ]
    post = Post(None, "009", "A *post*", "somebody", (CLAIM,), (LINES, BARS))  # type: ignore[arg-type]
    drawn = [
        PlotSeries(LINES, {"all pairs": {10: 45.0, 100: 4950.0}, "few": {10: 5.0, 100: 50.0}}),
        PlotSeries(BARS, {"one": {1: 20.0, 2: 80.0}, "two": {1: 100.0}}),
    ]
    audit = Audit([post], answers, drawn)
    return make_report(audit, command=["macproof", "audit"], programs="auto", seconds=1.0)


def document(width_of_id: str = "") -> Document:
    made = report()
    if width_of_id:
        first = dataclasses.replace(made.claims[0], id=width_of_id)
        made = dataclasses.replace(made, claims=[first, *made.claims[1:]])
    return audit_document(made)


def test_json_says_everything_and_counts_verdicts(tmp_path: Path) -> None:
    file = tmp_path / "audit.json"
    file.write_text(to_json(report(), SCHEMA))
    read = schemas.read(file, "macproof.audit/1")
    assert tuple(read["verdicts"]) == VERDICTS
    assert read["verdicts"] == {HOLDS: 0, WITH_CONDITION: 1, FAILS: 0, CANNOT: 1, NOT_RUN: 1}
    first, second, third = read["claims"]
    assert first["figures"] == {"tests": 4.5}
    assert first["rule"].startswith("holds if tests <= 3; holds with a condition if tests <= 5")
    assert first["condition"] == "in winter."
    assert first["reproduce"] == "macproof audit a-claim"
    assert (second["rule"], second["reproduce"]) == ("", "")
    assert third["condition"] == ""
    assert read["plots"][0]["series"]["all pairs"] == {"10": 45.0, "100": 4950.0}


def test_how_compiled_code_was_measured_is_said() -> None:
    run = ClaimRun("here:measure", "here:scenes")
    answer = ClaimVerdict(dataclasses.replace(CLAIM, run=run), HOLDS, {"tests": 1}, "1")
    made = make_report(Audit([], [answer], []), command=[], programs="auto", seconds=1.0)
    (claim,) = json.loads(to_json(made, SCHEMA))["claims"]
    assert claim["run"] == {"with": "here:measure", "scenes": "here:scenes"}


def test_growth_is_told_of_lines_and_not_of_bars() -> None:
    lines, bars = report().plots
    assert lines.exponents["few"] == pytest.approx(1)
    assert lines.exponents["all pairs"] == pytest.approx(2, abs=0.05)
    assert bars.exponents == {}


@pytest.mark.parametrize("values", [{}, {1: 1.0}, {1: 0.0, 2: 3.0}, {0: 1.0, 2: 3.0}])
def test_where_there_is_no_growth(values: dict[int, float]) -> None:
    assert growth(values) is None


def test_markdown_escapes_and_tells_rules() -> None:
    text = to_markdown([document()])
    assert text.startswith(
        "# 3 claims of the posts: measured in part "
        "(1 holds with a condition, 1 cannot be measured, 1 not run)\n"
    )
    assert "a-claim: Tests \\| are few." in text
    assert "* Claimed: \\<b\\>3\\</b\\>" in text
    assert "A \\*post\\*" in text
    assert "4.5 (model). Condition: in winter." in text
    assert "* Rule: holds if tests \\<= 3" in text
    assert "* Not run: no compiler" in text
    assert "| few | 5 | 50 | n^1.00 |" in text
    assert "A note." in text
    assert "| one | 20 | 80 |" in text
    assert r"| two | 100 | - |" in text


def test_what_a_claim_comes_to_is_no_failure_but_what_was_not_run_is_an_error() -> None:
    root = ElementTree.fromstring(to_junit([document()]))
    totals = (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped"))
    assert totals == ("3", "0", "1", "1")
    held, skipped, broken = root.iter("testcase")
    assert (held.get("classname"), held.get("name")) == ("macproof.audit.009", "a-claim")
    properties = {one.get("name"): one.get("value") for one in held.iter("property")}
    assert properties["verdict"] == WITH_CONDITION
    assert skipped.find("skipped") is not None
    error = broken.find("error")
    assert error is not None and error.get("message") == "no compiler"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_terminal_shows_every_claim_whole(width: int) -> None:
    console = Console(file=io.StringIO(), width=width)
    print_document(document(), console, verbose=True)
    shown = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    assert "a-claim" in shown
    assert "tests = 4.5" in shown
    assert "no clock" in shown
    assert "3 claims of the posts" in shown
    assert "(1 holds with a condition, 1 cannot be measured, 1 not run)" in shown


def test_plots_have_the_series_and_their_growth() -> None:
    ((lines,),), ((bars,),) = (plot_of(plot).rows for plot in report().plots)
    assert [(line.name, line.remark) for line in lines.lines] == [
        ("all pairs", "n^2.04"),
        ("few", "n^1.00"),
    ]
    assert lines.lines[1].points == ((10, 5.0), (100, 50.0))
    assert lines.x.is_logarithmic and lines.y.is_logarithmic
    assert bars.categories == ("1", "2")
    assert [one.values for one in bars.series] == [(20.0, 80.0), (100.0, None)]


@pytest.mark.parametrize("width", [80, 100, 200])
def test_no_id_is_cut_inside_a_word(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    longest = "array-slightly-faster-to-iterate"
    print_document(document(longest), Console(width=width))
    lines = capsys.readouterr().out.splitlines()
    assert any(line.strip().startswith(longest) for line in lines)
    assert any("holds with a" in line for line in lines)
    tables = [line for line in lines if line.startswith("  ")]
    assert max(map(len, tables)) <= width


def test_one_claim_is_a_claim() -> None:
    answer = ClaimVerdict(CLAIM, HOLDS, {"tests": 1}, "1")
    made = make_report(Audit([], [answer], []), command=[], programs="auto", seconds=1.0)
    assert audit_document(made).title == "1 claim of the posts"
    assert str(audit_document(made).outcome) == "measured (1 holds)"
