"""What lies behind a text, and what is written by the routines that are called before."""

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
name: text
title: A text is made
sources: [text.c]
cpus: ["68040", "601"]
scene: {make: "text_reference:make", generators: [any], objects: [0, 3], count: 16}
call: Make
arguments: {n: n, out: {count: 256}}
reference: text_reference:expect
"""
REFERENCE = """
from types import SimpleNamespace
class S:
    def __init__(s, *made): s.generator, s.seed, s.objects = made
    n = property(lambda s: s.seed % 40)
    def keep(s, i): return S(s.generator, s.seed, len(i))
def make(generator, objects, seed, *, width, height): return S(generator, seed, objects)
def expect(s): return SimpleNamespace(made="x" * s.n)
"""
PASCAL = (
    "void Make(short n, unsigned char *out) { short i; out[0] = n; REST "
    "for (i = 1; i <= n; ++i) out[i] = 'x'; }"
)
C_TEXT = (
    "void Make(short n, char *out) { short i; REST "
    "for (i = 0; i < n; ++i) out[i] = 'x'; out[n] = 0; }"
)
JUNK = "for (i = 1; i < 256; ++i) out[i] = i;"
WRONG = PASCAL.replace("= 'x'", "= 'x' + (i == 7)")


@pytest.fixture
def verify(tmp_path: Path, compilers: Callable[..., None]) -> Callable[..., VerifyReport]:
    compilers("68040", "601")

    def made(source: str, more: str, cpu: str = "68040") -> VerifyReport:
        (tmp_path / "case.yaml").write_text(f"{CASE.lstrip()}{more}\n")
        (tmp_path / "text_reference.py").write_text(REFERENCE)
        (tmp_path / "text.c").write_text(source + "\n")
        case = macproof.load_case(tmp_path / "case.yaml")
        return macproof.verify(case, macproof.programs_of(case, cpus=[cpu], builds=["O1"])).report

    return made


@pytest.mark.parametrize(
    ("source", "how", "verdict"),
    [
        (PASCAL.replace("REST", ""), "pascal made", "verified"),
        (PASCAL.replace("REST", JUNK), "pascal made", "refuted"),
        (PASCAL.replace("REST", JUNK), "pascal made alone", "verified"),
        (WRONG.replace("REST", JUNK), "pascal made alone", "refuted"),
        (PASCAL.replace("REST", "out[256] = 1;"), "pascal made alone", "refuted"),
        (C_TEXT.replace("REST", JUNK), "c made", "refuted"),
        (C_TEXT.replace("REST", JUNK), "c made alone", "verified"),
        (C_TEXT.replace("REST", JUNK).replace("out[n] = 0", ""), "c made alone", "refuted"),
    ],
)
def test_what_is_behind_a_text_is_compared_unless_it_is_alone(
    verify: Callable[..., VerifyReport], source: str, how: str, verdict: str
) -> None:
    assert verify(source, f'observe: {{"*out": {how}}}').verdict == verdict


def test_only_a_text_can_be_compared_alone(verify: Callable[..., VerifyReport]) -> None:
    with pytest.raises(CaseError, match="cannot be compared alone"):
        verify(PASCAL.replace("REST", ""), 'observe: {"*out": made alone}')


BEFORE = 'before: [Init]\nobserve: {"*out": pascal made}'
INIT = "short gSet; void Init(void) { gSet = 3; STRAY }\n" + PASCAL.replace("REST", "")
FAR = "((volatile unsigned char *)&gSet)[0x900] = 7;"


@pytest.mark.parametrize("cpu", ["68040", pytest.param("601", marks=pytest.mark.slow)])
def test_what_is_called_before_is_told(verify: Callable[..., VerifyReport], cpu: str) -> None:
    plain = verify(INIT.replace("STRAY", ""), BEFORE, cpu)
    assert plain.results[0].before_writes == ("gSet",)
    tramples = verify(INIT.replace("STRAY", FAR), BEFORE, cpu)
    assert tramples.verdict == "verified"
    own, stray = tramples.results[0].before_writes
    assert own == "gSet"
    assert stray.startswith("memory that no variable names (0x")
    told = " ".join(to_markdown([macproof.Verification(tramples).document]).split())
    assert f"has changed {stray} on the {cpu} O1" in told.replace("\\", "")
    assert "What is called before has set gSet;" in told
