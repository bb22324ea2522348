"""What an argument points to can be the routine's own affair: a work buffer, which is ignored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.base.errors import CaseError
from emu.report.forms.markdown import to_markdown
from emu.verify.report.report import VerifyReport

CASE = """
schema: macproof.case/1
name: work
title: A work buffer
sources: [work.c]
cpus: ["68040"]
scene: {make: "work_scenes:make", generators: [any], objects: [3, 9], count: 12}
call: Go
arguments:
  s: {points_to: values, count: 9}
  n: objects
  work: {WORK}
observe: {return: total}
reference: work_scenes:total
"""
PYTHON = """
from types import SimpleNamespace
import numpy as np
class S:
    def __init__(s, generator, seed, values):
        s.generator, s.seed, s.values = generator, seed, values
    objects = property(lambda s: len(s.values))
    def keep(s, i): return S(s.generator, s.seed, s.values[i])
def make(generator, objects, seed, *, width, height):
    return S(generator, seed, np.random.default_rng([seed, objects]).integers(0, 99, objects))
def total(s): return SimpleNamespace(total=int(s.values.sum()))
"""
GO = "long Go(const short *s, short n, long *work) { short i; FIRST "
SUM = "for (i = 0; i < n; ++i) work[0] += s[i]; return work[0]; }"
RIGHT = GO.replace("FIRST", "work[0] = 0;") + SUM


@pytest.fixture
def verify(tmp_path: Path, compilers: Callable[..., None]) -> Callable[..., VerifyReport]:
    """Verifies a text of C with a work buffer."""
    compilers("68040")

    def made(source: str, ignore: str, work: str = "count: 2") -> VerifyReport:
        (tmp_path / "work.c").write_text(source + "\n")
        (tmp_path / "case.yaml").write_text(CASE.lstrip().replace("WORK", work) + ignore)
        (tmp_path / "work_scenes.py").write_text(PYTHON)
        case = macproof.load_case(tmp_path / "case.yaml")
        return macproof.verify(case, macproof.programs_of(case, builds=["O2"])).report

    return made


def told(report: VerifyReport) -> str:
    return to_markdown([macproof.Verification(report).document]).replace("\\", "")


@pytest.mark.parametrize("ignore", ['ignore: ["*work"]', 'ignore: {"*work": scratch}'])
def test_a_work_buffer_is_not_compared_and_that_is_said(verify, ignore: str):
    report = verify(RIGHT, ignore)
    assert report.verdict == "verified"
    assert "*work was not compared" in told(report)
    assert "*work (before calls filled like all other memory without input)" in told(report)


@pytest.mark.parametrize(
    ("source", "ignore"),
    [
        (RIGHT, ""),
        (GO.replace("FIRST", "") + SUM, 'ignore: ["*work"]'),
        (RIGHT.replace("work[0] = 0;", "work[0] = 0; work[2] = 0;"), 'ignore: ["*work"]'),
    ],
    ids=["it is compared if nobody ignores it", "it begins as anything", "not behind its end"],
)
def test_a_work_buffer_has_limits(verify, source: str, ignore: str):
    assert verify(source, ignore).verdict == "refuted"


def test_a_buffer_that_the_scene_gives_is_given_on_every_scene(verify):
    report = verify(
        GO.replace("FIRST", "work[0] -= n;") + SUM, 'ignore: ["*work"]', "points_to: objects"
    )
    assert report.verdict == "verified"
    assert {one.fill for one in report.receipt.memory if one.calls} == {
        *("loaded", "poison", "noise", "stale")
    }


@pytest.mark.parametrize(
    ("ignore", "words"),
    [
        (
            'ignore: {"*work": kept}',
            r"line 14: \*work is memory of the caller, never kept",
        ),
        ('ignore: ["*s", "*walk"]', r"line 14: no argument points to \*walk; did you mean \*work"),
    ],
)
def test_what_cannot_be_ignored_is_told_with_its_line(verify, ignore: str, words: str):
    with pytest.raises(CaseError, match=words):
        verify(RIGHT, ignore)


def test_nothing_is_both_observed_and_ignored(verify, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(globals(), "CASE", CASE.replace("total}\n", 'total, "*work": total}\n', 1))
    with pytest.raises(CaseError, match=r"\*work is observed"):
        verify(RIGHT, 'ignore: ["*work"]')
