"""A refuted case says in the open which line of the source it was, and what to do next."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from emu.cases.programs.programs import programs_of
from emu.cases.programs.source_texts import SourceTexts, excerpt_of
from emu.report.document import Excerpt
from emu.report.forms.html import to_html
from emu.report.forms.markdown import to_markdown
from emu.report.forms.terminal import text_of
from emu.verify.documents.document import document_of
from emu.verify.explain_failure import explain
from emu.verify.report.next_command import explain_command
from emu.verify.report.report import VerifyReport
from emu.verify.verification import Verification, verify
from tests.small_cases import require_compilers

# The mistake is in line 9: every value is one too small.
SOURCE = """
long gValues[16], gMoved[16];
short gCount;

extern "C" void Run()
{
    for (short n = 0; n < gCount; n++)
    {
        gMoved[n] = gValues[n] - 1;  // <b>!
    }
}
"""
LINE = "gMoved[n] = gValues[n] - 1;  // <b>!"
REFERENCE = "return answer(moved=scene.values)"


@pytest.fixture(scope="module")
def failed(small_cases) -> Verification:
    require_compilers("68040", "601")
    case = small_cases.make(SOURCE, REFERENCE, "{gMoved: moved}")
    programs = programs_of(case, cpus=["68040", "601"], builds=["O2"], use="compiled")
    found = verify(case, programs, scenes=12, jobs=1)
    assert found.verdict == "refuted"
    return found


def unfolded(html: str) -> str:
    """A page without what is folded in it."""
    return re.sub(r"<details(?: class=\"section\")?>.*?</details>", "", html, flags=re.DOTALL)


def test_the_line_and_the_next_command_are_in_every_form(failed):
    document = failed.document
    for text in (text_of(document), to_markdown([document])):
        assert f"> 9  {LINE}" in text
        assert "explain " in text and "--cpu" in text
    page = unfolded(to_html([document]))
    assert "<mark>gMoved[n] = gValues[n] - 1;  // &lt;b&gt;!</mark>" in page
    assert "macproof explain " in page
    first = failed.report.results[0].failures[0]
    assert first.at is not None and (first.at.file, first.at.line) == ("small.cpp", 9)
    assert "small.cpp:9" in document.checks[0].message


def test_the_next_command_explains_the_failure(failed, macproof, tmp_path):
    report, result = failed.report, failed.report.results[0]
    words = explain_command(report, result)
    assert words[:3] == ("macproof", "explain", report.receipt.case.file)
    file = tmp_path / "r.json"
    file.write_text(failed.to_json())
    command = ("macproof", "verify", "small", "--json", str(file), "--quiet")
    receipt = replace(report.receipt, command=command)
    words = explain_command(replace(report, receipt=receipt), result)
    found = macproof(*words[1:], "--trust")  # the case is not below this folder
    assert found.code == 1 and f">  9          {LINE}" in found.out


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("--scenes 12 --html x.html --quiet --jobs=2", "--scenes 12"),
        ("--source=a.cpp --seed 3 --checks full", "--source a.cpp --seed 3"),
        ("--programs prebuilt --coverage", "--programs prebuilt"),
    ],
)
def test_the_next_command_keeps_what_explain_understands(failed, given, kept):
    receipt = replace(
        failed.report.receipt, command=("macproof", "verify", "small", *given.split())
    )
    report = replace(failed.report, receipt=receipt)
    words = explain_command(report, report.results[1])
    rest = ("--cpu", "601", "--build", "O2")
    assert words == ("macproof", "explain", "small", *kept.split(), *rest)


def test_explain_shows_ten_lines_with_the_line_marked(failed):
    explained = explain(failed)
    assert explained is not None and isinstance(explained.source, Excerpt)
    assert (len(explained.source.lines), explained.source.marked) == (10, 9)
    assert f">  9          {LINE}" in text_of(explained.document)


def test_a_source_that_has_changed_is_not_shown(failed, tmp_path):
    source = Path(failed.report.receipt.case.file).parent / "small.cpp"
    usual = source.read_text()
    try:
        source.write_text(usual.replace("short n", "long n"))
        explained = explain(failed)
    finally:
        source.write_text(usual)
    assert explained is not None
    assert explained.source == "small.cpp:9 is not shown: what was compiled has changed since."
    assert "changed since" in text_of(explained.document)


def test_what_fails_alike_is_told_once_and_what_is_right_not_at_all(failed):
    shown = text_of(failed.document)
    assert shown.count(LINE) == 1
    right = replace(failed.report.results[0], verdict="verified", failures=())
    verified = replace(failed.report, verdict="verified", results=(right,))
    assert isinstance(verified, VerifyReport)
    assert "explain" not in text_of(document_of(verified))


def test_an_excerpt_of_a_short_file_is_the_file():
    lines = tuple("abcdefghijkl")
    texts = SourceTexts({"f": lines}, {})
    for line, first in ((1, 1), (6, 1), (7, 2), (12, 3)):
        found = excerpt_of(texts, "f", line, 10)
        assert found == Excerpt("f", first, lines[first - 1 : first + 9], line)
    assert excerpt_of(SourceTexts({"f": ("a", "b")}, {}), "f", 2, 10) == Excerpt(
        "f", 1, ("a", "b"), 2
    )
    assert excerpt_of(texts, "g", 1, 10) is None
    assert excerpt_of(texts, "f", 13, 10) is None
