"""The report of a campaign says what was ignored, and which lines no scene has led to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.campaign.campaign import report_of, run_campaign
from emu.campaign.report import CampaignReport
from emu.cases.case_file import read_case
from emu.cases.programs.programs import programs_of
from emu.report.forms.markdown import to_markdown

SOURCE = """short gResult, gSeen;
void Halve(short n)
{
    gSeen++;
    if (n == 7)
        gResult = 7;
    else
        gResult = n / 2;
}
"""
CASE = """
schema: macproof.case/1
name: halve
title: Halves
sources: [halve.c]
cpus: ["68040"]
scene: {make: "halve_scenes:make", generators: [any], objects: [1, 2], count: 24}
call: Halve
arguments: {n: n}
observe: {gResult: half}
reference: halve_scenes:expect
"""
PYTHON = """
from types import SimpleNamespace
class S:
    def __init__(s, seed, objects): s.generator, s.seed, s.objects, s.n = "any", seed, objects, N
    def keep(s, i): return S(s.seed, len(i))
def make(generator, objects, seed, *, width, height): return S(seed, objects)
def expect(s): return SimpleNamespace(half=7 if s.n == 7 else s.n // 2)
"""


@pytest.fixture
def campaign(
    compilers: Callable[..., None], tmp_path: Path
) -> Callable[[str, str], CampaignReport]:
    """Runs a campaign of two shards on scenes of a number, with further lines of the case."""
    compilers("68040")

    def campaign(number: str, more: str) -> CampaignReport:
        (tmp_path / "halve.c").write_text(SOURCE)
        (tmp_path / "case.yaml").write_text(CASE.lstrip() + more)
        (tmp_path / "halve_scenes.py").write_text(PYTHON.replace("N\n", f"{number}\n", 1))
        chosen = programs_of(read_case(tmp_path / "case.yaml"), builds=["O0"])
        folder = tmp_path / "campaign"
        found = run_campaign(folder, chosen, scenes=40, seed=1, shard=20, jobs=1)
        assert report_of(folder).to_json() == found.to_json()
        return found

    return campaign


def told(report: CampaignReport) -> str:
    return " ".join(to_markdown([report.document]).replace("\\", "").split())


def test_what_was_not_watched_is_in_the_verdict_and_in_the_report(campaign):
    report = campaign("seed % 5", "ignore: [gSeen]\n")
    text = told(report)
    assert report.verdict == "verified"
    assert "gSeen was not compared, and no call came after more than 3 others; not executed" in text
    assert "not executed on any scene: halve.c:6" in text
    assert "Compared with nothing, as the case says: gSeen (before calls" in text
    assert "and before some as earlier calls had left it" in text
    (program,) = report.results
    assert 0 < program.kept < program.calls
    assert program.not_kept == 0


def test_where_all_was_watched_that_is_said(campaign):
    report = campaign("seed % 9", "ignore: {gSeen: fresh}\n")
    text = told(report)
    assert report.results[0].kept == 0
    assert "not executed" not in text
    assert "Every line with code was executed, in 68040 O0." in text
    assert "and before some as earlier calls" not in text


def test_the_lines_of_a_program_that_was_changed_are_not_known(
    campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    campaign("seed % 5", "ignore: [gSeen]\n")
    monkeypatch.setattr("emu.campaign.report.digest_of", lambda path: "of another file")
    report = report_of(tmp_path / "campaign")
    assert report.unreached is None
    assert "is not known: the engine does not tell, or a program is not what it was." in told(
        report
    )
