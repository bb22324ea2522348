"""fuzz, domain and selfcheck find mistakes in ignored state, and say what was ignored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.cases.case import Case
from emu.cases.programs.selection import Selection
from emu.report.document import Document
from emu.report.forms.markdown import to_markdown
from emu.search.domain.document import domain_document
from emu.search.domain.search import domain

CASE = """
schema: macproof.case/1
name: twice
title: Twice a number
sources: [twice.c]
cpus: ["68040"]
scene: {make: "twice_scenes:make", generators: [any], objects: [1, 3], count: 20}
call: Twice
arguments: {x: x}
ignore: [gCalls]
observe: {return: r}
reference: twice_scenes:answer
"""
PYTHON = """
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np
@dataclass(frozen=True)
class S:
    generator: str
    seed: int
    objects: int
    x: int
    def keep(s, i): return S(s.generator, s.seed, len(i), s.x)
def make(generator, objects, seed, *, width, height):
    return S(generator, seed, objects, int(np.random.default_rng(seed).integers(-99, 100)))
def answer(s): return SimpleNamespace(r=2 * s.x)
"""
RIGHT = "long gCalls; long Twice(short x) { gCalls = 0; gCalls += 2L * x; return gCalls; }\n"
WRONG = RIGHT.replace("gCalls = 0; ", "")  # right as long as it is called once
WORDS = "Compared with nothing, as the case says: gCalls (before calls as loaded, and before some"

Made = Callable[[str], tuple[Case, Selection]]


@pytest.fixture
def made(tmp_path: Path, compilers: Callable[..., None]) -> Made:
    """The case and its program, of a text of C."""
    compilers("68040")

    def made(source: str) -> tuple[Case, Selection]:
        (tmp_path / "twice.c").write_text(source)
        (tmp_path / "case.yaml").write_text(CASE.lstrip())
        (tmp_path / "twice_scenes.py").write_text(PYTHON)
        case = macproof.load_case(tmp_path / "case.yaml")
        return case, macproof.programs_of(case, builds=["O1"])

    return made


def told(document: Document) -> str:
    return " ".join(to_markdown([document]).replace("\\", "").split())


@pytest.mark.parametrize(
    ("source", "verdict"), [(RIGHT, "nothing found"), (WRONG, "failures found")]
)
def test_fuzz(made: Made, tmp_path: Path, source: str, verdict: str):
    case, programs = made(source)
    found = macproof.fuzz(case, programs, folder=tmp_path / "found", executions=64, jobs=1)
    assert found.verdict == verdict
    assert WORDS in told(found.document)


@pytest.mark.parametrize(
    ("source", "verdict"), [(RIGHT, "range found"), (WRONG, "the usual range fails")]
)
def test_domain(made: Made, tmp_path: Path, source: str, verdict: str):
    _, programs = made(source)
    folder = tmp_path / "found"
    report = domain(programs, folder, scenes=40, executions=2000, jobs=1)
    assert report.verdict == verdict
    assert WORDS in told(domain_document(report, folder))


def test_selfcheck_kills_what_only_a_later_call_shows(made: Made):
    case, programs = made(RIGHT)
    found = macproof.selfcheck(case, programs, jobs=1)
    assert WORDS in told(found.document)
    fates = [one.fate for one in found.report.mutants if "gCalls = 0" not in one.after]
    assert fates
    assert all(one.is_killed for one in fates)
