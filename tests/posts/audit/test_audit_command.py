"""``macproof audit`` on the command line, and the verdicts as they stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.cli import main
from posts.audit.claims import load_posts
from tests.test_documentation import PAGES, WHOLE_AUDIT, plain

# What came of the claims when they were last looked at. A verdict comes of figures alone; if one
# changes, something that was measured has changed, and a person should know.
WITH_CONDITION = [
    "four-are-needed",
    "side-below-half-a-sector",
    "sector-above-twice-the-side",
    "sometimes-more-than-once",
    "few-in-a-sector",
    "tests-at-one-object",
    "twenty-times-as-fast",
    "much-faster-at-one-object",
    "published-table",
    "second-loop",
    "average-complexity",
    "one-sector-is-enough",
    "fragments-suffice",
    "once-with-second-call-cut",
    "spectacular-results",
    "five-hundred-pairs-are-fine",
    "thousands-of-pairs-suffer",
    "assertion-is-likely",
    "four-thousand-steps",
    "thirty-two-thousand-steps",
    "cubic-growth",
    "small-constant-on-a-list",
    "array-slightly-faster-to-iterate",
]
FAILING = [
    "any-size",
    "with-what-other",
    "formula-is-of-random-objects",
    "no-tests-at-one-object",
    "forty-times-as-fast",
    "adjacent-costs-nine-sectors",
    "test-of-no-objects",
    "words-differ-from-expression",
    "assembler-is-needed",
    "top-right-neighbour",
    "assembly-lists-neighbours",
    "torus-as-described",
    "leaf-above-the-radius",
    "early-exclusion",
    "worst-case-n-log-n",
    "code-works",
    "ordered-in-the-right-way",
]
NOT_MEASURED = [
    "twice-as-fast-with-work",
    "thirty-minute-port",
    "hour-for-the-harness",
    "easily-three-dimensional",
]


@pytest.mark.slow
def test_one_claim_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "audit.json"
    assert main(["audit", "formula-38-times", "thirty-minute-port", "--json", str(file)]) == 0
    report = json.loads(file.read_text())
    assert [claim["verdict"] for claim in report["claims"]] == ["holds", "cannot be measured"]
    assert report["plots"] == []
    assert "38.25" in capsys.readouterr().out


def test_the_claims_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--list", "--post", "003"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(load_posts(["003"])[0].claims)
    assert lines[0].startswith("003  code-works: ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["formula-38-time"], "there is no claim formula-38-time; did you mean formula-38-times?"),
        (["zzz"], "there is no claim zzz; --list names them"),
        (["--post", "005"], "there is no post 005"),
        (["four-are-needed", "--post", "002"], "there is no claim four-are-needed"),
        (["formula-38-times", "--plots", "x"], "--plots draws plots of whole posts"),
    ],
)
def test_what_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["audit", *words]) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())


def test_claims_are_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    path = load_posts(["002"])[0].path
    before = path.read_bytes()
    assert main(["audit", "masks-take-codes-apart", "--json", str(path)]) == 2
    assert "would be written over the claims" in " ".join(capsys.readouterr().err.split())
    assert path.read_bytes() == before


@pytest.mark.slow
def test_what_lacks_programs_is_said_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no prebuilt program for objects of 34 pixels."""
    file = tmp_path / "audit.json"
    words = ["side-below-half-a-sector", "formula-limit", "--programs", "prebuilt"]
    assert main(["audit", *words, "--json", str(file)]) == 3
    report = json.loads(file.read_text())
    assert [claim["verdict"] for claim in report["claims"]] == ["not run", "holds"]
    assert "prebuilt" in report["claims"][0]["found"]
    assert "1 not run" in capsys.readouterr().out


@pytest.mark.slow
def test_the_whole_audit(
    tmp_path: Path,
    compilers: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command that the documentation shows, with all that it prints."""
    compilers()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    file, page, folder = (tmp_path / name for name in ("audit.json", "audit.md", "plots"))
    assert main([*WHOLE_AUDIT.split()[1:], "--json", str(file)]) == 0
    printed = {plain(line) for line in capsys.readouterr().out.splitlines()}
    (shown,) = [lines for one in PAGES for words, lines in one.shown() if words == [WHOLE_AUDIT]]
    assert len(shown) > 5
    assert [line for line in shown if line not in printed] == []
    report = json.loads(file.read_text())
    found = {claim["id"]: claim["verdict"] for claim in report["claims"]}
    expected = dict.fromkeys(found, "holds")
    expected |= dict.fromkeys(WITH_CONDITION, "holds with a condition")
    expected |= dict.fromkeys(FAILING, "does not hold")
    expected |= dict.fromkeys(NOT_MEASURED, "cannot be measured")
    assert found == expected
    assert sorted(path.stem for path in folder.iterdir()) == sorted(
        plot["id"] for plot in report["plots"]
    )
    text = page.read_text()
    measured = found.keys() - set(NOT_MEASURED)
    assert all(f"Again: macproof audit {name}\n" in text for name in measured)
