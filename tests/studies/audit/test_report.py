"""The report's forms: JSON, Markdown, terminal, pictures."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from emu.studies.audit.claims import Claim, Plot, Post
from emu.studies.audit.markdown import to_markdown
from emu.studies.audit.plots import draw
from emu.studies.audit.report import SCHEMA, growth, make_report, tally, to_json
from emu.studies.audit.rules import CANNOT, FAILS, HOLDS, NOT_RUN, VERDICTS, WITH_CONDITION, Rule
from emu.studies.audit.run import Answer, Audit, Drawn
from emu.studies.audit.terminal import print_report

CLAIM = Claim("009", "a-claim", "Tests | are few.", number="<b>3</b>", measure="a:b",
              found="{tests}", rule=Rule.parse(["tests <= 3"], ["tests <= 5"]),
              condition="in winter.", rule_rests_on="nothing.", is_model=True)  # fmt: skip
LINES = Plot("lines", "Some lines", "log-log", ("a:c",), "objects", "tests", "A note.")
BARS = Plot("bars", "Some bars", "bars", ("a:d",), "times", "percent")


def report() -> dict[str, Any]:
    answers = [
        Answer(CLAIM, WITH_CONDITION, {"tests": 4.5}, "4.5"),
        Answer(Claim("009", "day", "It took a day.", cannot="no clock"), CANNOT, {}, "no clock"),
        Answer(CLAIM, NOT_RUN, {}, "no compiler", 3),
    ]
    post = Post(None, "009", "A *post*", "somebody", (CLAIM,), (LINES, BARS))  # type: ignore[arg-type]
    drawn = [
        Drawn(LINES, {"all pairs": {10: 45.0, 100: 4950.0}, "few": {10: 5.0, 100: 50.0}}),
        Drawn(BARS, {"one": {1: 20.0, 2: 80.0}, "two": {1: 100.0}}),
    ]
    audit = Audit([post], answers, drawn)
    return make_report(audit, command=["macproof", "audit"], programs="auto", seconds=1.0)


def test_json_says_everything_and_counts_verdicts() -> None:
    read = json.loads(to_json(report()))
    assert read["schema"] == SCHEMA == "macproof.audit/1"
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
    assert tally(read) == "3 claims: 1 holds with a condition, 1 cannot be measured, 1 not run"


def test_growth_is_told_of_lines_and_not_of_bars() -> None:
    lines, bars = report()["plots"]
    assert lines["exponents"]["few"] == pytest.approx(1)
    assert lines["exponents"]["all pairs"] == pytest.approx(2, abs=0.05)
    assert bars["exponents"] == {}


@pytest.mark.parametrize("values", [{}, {1: 1.0}, {1: 0.0, 2: 3.0}, {0: 1.0, 2: 3.0}])
def test_where_there_is_no_growth(values: dict[int, float]) -> None:
    assert growth(values) is None


def test_markdown_escapes_and_tells_rules() -> None:
    text = to_markdown(report(), {"lines": "plots/lines.png"})
    assert "Tests \\| are few." in text
    assert "\\<b>3\\</b>" in text
    assert "A \\*post\\*" in text
    assert "4.5 (model). Condition: in winter." in text
    assert "* Rule: holds if tests \\<= 3" in text
    assert "* Not run: no compiler" in text
    assert "![Some lines](plots/lines.png)" in text
    assert "| few | 5 | 50 | 1.00 |" in text
    assert "A note." in text
    assert "| one | 20 | 80 |" in text
    assert "| two | 100 |  |" in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_terminal_shows_every_claim_whole(width: int) -> None:
    console = Console(file=io.StringIO(), width=width)
    print_report(report(), console, verbose=True)
    shown = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    assert "a-claim" in shown
    assert "tests = 4.5" in shown
    assert "no clock" in shown
    assert "3 claims:" in shown


@pytest.mark.parametrize("place", [0, 1])
def test_pictures_are_grey_and_the_same_each_time(place: int) -> None:
    plot = report()["plots"][place]
    data = draw(plot)
    assert data == draw(plot)
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)
    assert (np.ptp(pixels, axis=2) == 0).all()
    assert (pixels < 100).any()


def test_other_series_make_another_picture() -> None:
    plot = report()["plots"][0]
    other = json.loads(json.dumps(plot))
    other["series"]["few"]["100"] = 500.0
    assert draw(plot) != draw(other)


@pytest.mark.parametrize("width", [80, 100, 200])
def test_no_id_is_cut_inside_a_word(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    longest = "array-slightly-faster-to-iterate"
    made = report()
    made["claims"][0]["id"] = longest
    print_report(made, Console(width=width))
    lines = capsys.readouterr().out.splitlines()
    assert any(line.strip().startswith(longest) for line in lines)
    assert any("holds with a" in line for line in lines)
    tables = [line for line in lines if line.startswith("  ")]
    assert max(map(len, tables)) <= width


def test_one_claim_is_a_claim() -> None:
    assert tally({"claims": [{}], "verdicts": {"holds": 1}}) == "1 claim: 1 holds"
