"""A verification as a document: Markdown, JUnit and the terminal say what the JSON says."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from rich.console import Console

from emu.base.printable import printable
from emu.checks.memory import LeftCalls
from emu.report.forms import junit, markdown
from emu.report.forms.terminal import print_document
from emu.verify.documents.document import document_of
from emu.verify.documents.memory_document import memory_sections
from emu.verify.documents.summary import line_of, summary_of
from emu.verify.report.report import FailedScene, MemoryCheck, VerifyReport


def to_junit(report: VerifyReport) -> str:
    return junit.to_junit([document_of(report)])


def to_markdown(report: VerifyReport) -> str:
    return markdown.to_markdown([document_of(report)])


def with_failures(report: VerifyReport, number: int, *summaries: str) -> VerifyReport:
    """A report in which one of the programs fails with other words."""
    results = list(report.results)
    usual: FailedScene = results[number].failures[0]
    failures = tuple(replace(usual, summary=text) for text in summaries)
    results[number] = replace(results[number], failures=failures)
    return replace(report, results=tuple(results))


def printed(
    report: VerifyReport, width: int = 80, *, verbose: bool = False, colour: bool = False
) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    print_document(document_of(report), console, verbose=verbose)
    return out.getvalue()


# -- JUnit -------------------------------------------------------------------------------------


def test_junit_counts(verified: VerifyReport, refuted: VerifyReport, nothing: VerifyReport):
    for report, counts in (
        (verified, ("2", "0", "0")),
        (refuted, ("3", "1", "1")),
        (nothing, ("1", "0", "1")),
    ):
        root = ElementTree.fromstring(to_junit(report))
        assert root.tag == "testsuites"
        (suite,) = root
        assert tuple(suite.get(n) for n in ("tests", "failures", "errors")) == counts
        assert len(suite.findall("testcase")) == int(counts[0])
        assert len(suite.findall("testcase/failure")) == int(counts[1])
        assert len(suite.findall("testcase/error")) == int(counts[2])


def test_junit_says_what_failed(refuted: VerifyReport, nothing: VerifyReport):
    good, wrong, down = ElementTree.fromstring(to_junit(refuted)).iter("testcase")
    assert (wrong.get("classname"), wrong.get("name")) == ("macproof.four-shifts", "68040 O1")
    assert good.find("failure") is good.find("error") is None
    failure = wrong.find("failure")
    scene = "uniform, 200 objects, seed 1994"
    assert failure.get("message") == f"{scene}: gCollisionArray[7] is 0, expected 1"
    second = f"{scene}: register d5 was 0x1 and came back as 0x2"
    assert failure.text.splitlines()[1] == second
    assert "engine's process down" in down.find("error").get("message")
    (empty,) = ElementTree.fromstring(to_junit(nothing)).iter("testcase")
    assert empty.find("error").get("message") == "nothing was compared"
    values = {p.get("name"): p.get("value") for p in good.iter("property")}
    assert values["distinct_scenes"] == values["changed_scenes"] == "30"
    assert values["comparisons"] == "17400"
    assert values["program_sha256"] == refuted.results[0].program.sha256


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x0b", "\ud800", "\ufffe", "]]>", "<&\"'"])
def test_junit_has_no_character_that_xml_has_not(refuted: VerifyReport, character: str):
    text = to_junit(with_failures(refuted, 1, f"a {character} b\nsecond line"))
    text.encode()  # so that it can be written
    (failure,) = ElementTree.fromstring(text).iter("failure")
    shown = character if character.isprintable() else printable(character)
    assert failure.get("message") == f"uniform, 200 objects, seed 1994: a {shown} b"


def test_junit_of_a_failure_without_words(refuted: VerifyReport):
    for text in ("", "\n", "\nlater"):
        (failure,) = ElementTree.fromstring(to_junit(with_failures(refuted, 1, text))).iter(
            "failure"
        )
        assert failure.get("message") is not None


# -- Markdown ----------------------------------------------------------------------------------


def test_markdown_has_a_row_for_every_result(verified: VerifyReport, refuted: VerifyReport):
    lines = to_markdown(verified).splitlines()
    assert lines[0] == (
        "# Sector grid with four shifts (Tom Moertel, 1994): verified (27 distinct scenes of 30)"
    )
    rows = [line for line in lines if line.startswith("|")]
    assert rows[0] == "| CPU | build | verdict | scenes | values compared | instructions |"
    count = f"{verified.results[0].instructions.count:,}"
    assert rows[2:] == [
        f"| 68040 | O1 | verified | 27 | 75,224 | {count} |",
        "| 68040 | O2 | verified | 27 | 75,224 | 41,231 |",
    ]
    rows = [line for line in to_markdown(refuted).splitlines() if line.startswith("|")]
    assert rows[2:] == [
        "| 68040 | O0 | verified | 30 | 17,400 | - |",
        "| 68040 | O1 | refuted | 30 | 17,400 | - |",
        "| 68040 | O2 | inconclusive | 0 | 0 | - |",
    ]
    assert all(row.count("|") == 7 for row in rows)


def test_markdown_says_what_failed_and_what_was_not_run(
    verified: VerifyReport, refuted: VerifyReport
):
    text = to_markdown(refuted)
    assert "## Failures" in text
    assert r"gCollisionArray\[7\] is 0, expected 1" in text
    assert "uniform, 200 objects, seed 1994" in text
    assert "68040 O2: the guest code brought the engine's process down" in text
    assert "* CPU 601: not asked for" in text
    assert "## Failures" not in to_markdown(verified)


def test_markdown_has_the_receipt(verified: VerifyReport):
    text = to_markdown(verified)
    assert "* command: macproof verify four-shifts --json 'a file.json'" in text
    assert verified.receipt.source.sha256 in text
    assert verified.receipt.engine in text
    assert r"150,448 values compared with pyref.sectors.four\_shifts:determine\_collisions" in text


def test_nothing_is_never_told_as_success(nothing: VerifyReport):
    for text in (to_markdown(nothing), printed(nothing)):
        assert "No call was made, so nothing is known." in text
        assert "restored" not in text
        assert "inconclusive" in text


# -- the terminal ------------------------------------------------------------------------------


def test_a_table_of_eighty_columns_cuts_nothing(verified: VerifyReport):
    result = verified.results[0]
    assert result.instructions is not None
    wide = replace(
        result,
        build="O2-macros",
        verdict="inconclusive",
        distinct_scenes=300_000,
        comparisons=174_000_000,
        instructions=replace(result.instructions, count=123_456_789),
    )
    text = printed(replace(verified, results=(wide, *verified.results[1:])))
    assert "…" not in text
    (row,) = [line for line in text.splitlines() if "O2-macros" in line]
    assert len(row) <= 80
    assert row.split() == [
        "68040", "O2-macros", "inconclusive", "300,000", "174,000,000", "123,456,789"
    ]  # fmt: skip


def test_long_words_stay_in_one_piece(refuted: VerifyReport):
    source = "some/very/long/folder/" * 8 + "port.cpp"
    report = with_failures(refuted, 1, "gCollisionArray[7] is 0 " * 12)
    first = replace(report.results[0], fault=f"[bold]{source}[/bold] :smile:")
    text = printed(replace(report, results=(first, *report.results[1:])))
    assert "gCollisionArray[7] is 0 " * 12 in text
    assert f"[bold]{source}[/bold] :smile:" in text  # words of others are not markup


def test_the_terminal_says_why_to_believe_it(verified: VerifyReport, refuted: VerifyReport):
    text = printed(verified)
    assert "verified in 1.2 s (27 distinct scenes of 30)" in text
    assert "scenes: 30, 27 of them distinct; calls: 240." in text
    assert "filled with random bytes (calls: 60) or as another scene's results had left it" in text
    assert "Calls changed data memory, or wrote their result, in 30 of 30 scenes at least." in text
    assert "Sector grid with four shifts (Tom Moertel, 1994)" in text
    assert "2 prebuilt, of these very sources" in text
    assert "- CPU 601: not asked for." in text
    assert "Every call returned and restored the stack pointer and the preserved registers." in text
    text = printed(refuted)
    assert "68040 O1: uniform, 200 objects, seed 1994: gCollisionArray[7] is 0" in text
    assert "Calls that broke the contract: 1; programs stopped early: 1." in text
    assert "restored" not in text


def test_details_only_when_they_are_wanted(refuted: VerifyReport):
    report = with_failures(refuted, 1, "it jumped\n  registers d0")
    assert "68040 O1: uniform, 200 objects, seed 1994: it jumped\n" in printed(report)
    assert "registers d0" not in printed(report)
    assert "registers d0" in printed(report, verbose=True)


def test_colour_only_on_a_terminal(refuted: VerifyReport):
    assert "\x1b" not in printed(refuted)
    assert "\x1b[1;31mrefuted" in printed(refuted, colour=True)


# -- many cases --------------------------------------------------------------------------------


def test_what_many_cases_come_to(verified: VerifyReport, refuted: VerifyReport):
    text = markdown.to_markdown([summary_of([verified, refuted])])
    assert text.startswith("# 2 cases: refuted\n")
    assert "Cases: 2 (1 verified, 1 refuted); programs: 5; calls: 300; 185,248 values and " in text
    assert "Executed, in the first build of each processor: 32 of 32 lines with code." in text
    assert "* four-shifts, four-shifts: CPU 601: not asked for." in text
    assert re.fullmatch(
        r"four-shifts +2 programs for 68040; 27 scenes, 150,448 values compared in 1.2 s",
        line_of(verified),
    )


def test_many_cases_are_a_suite_each(verified: VerifyReport, refuted: VerifyReport):
    root = ElementTree.fromstring(junit.to_junit([document_of(verified), document_of(refuted)]))
    counts = [tuple(suite.get(n) for n in ("tests", "failures", "errors")) for suite in root]
    assert counts == [("2", "0", "0"), ("3", "1", "1")]


def test_programs_that_fail_alike_are_told_together(refuted: VerifyReport):
    wrong = refuted.results[1]
    others = tuple(replace(wrong, build=f"O{number}") for number in range(5))
    text = to_markdown(replace(refuted, results=others))
    assert "* 68040 O0 and 4 other programs: uniform, 200 objects, seed 1994: gColl" in text
    assert text.count("gCollisionArray") == 1


def test_calls_of_which_not_every_access_was_checked_are_counted_and_said(verified: VerifyReport):
    one, other = verified.results[0], verified.results[1]
    half, some = (
        LeftCalls(5, "a call of the operating system"),
        LeftCalls(2, "a stack of its own"),
    )
    results = (
        replace(one, memory=MemoryCheck(True, 24, (), (), left=(half, some))),
        replace(other, memory=MemoryCheck(True, 48, (), (), left=(half,))),
    )
    (section,) = memory_sections(results)
    calls = one.calls + other.calls
    extent = f"emory was checked on every access in {calls - 12:,} of {calls:,} calls"
    assert f"M{extent}, by the usual checks alone in the others: " in str(section)
    assert "a call of the operating system (10); a stack of its own (2)." in str(section)
    document = document_of(replace(verified, results=results))
    assert document.outcome is not None and f"m{extent}" in str(document.outcome)
    assert "emory was checked on every access in" not in str(document_of(verified))


def test_a_program_whose_calls_were_all_left_is_not_told_to_be_without_a_mistake(verified):
    one = verified.results[0]
    left = (LeftCalls(one.calls, "a call of the operating system"),)
    (section,) = memory_sections([replace(one, memory=MemoryCheck(True, 0, (), (), left=left))])
    assert f"in 0 of {one.calls:,} calls" in str(section)
    assert "no mistake" not in str(section) and "deepest stack" not in str(section)


@pytest.mark.parametrize(
    "failed",
    [
        {"fault": "the header of the free block at 0x634cc was overwritten"},
        {"undecided": "the header of the free block at 0x634cc was overwritten"},
        {"violations": ("it changed gCount, which the case does not observe",)},
    ],
)
def test_what_failed_is_never_told_to_be_without_a_mistake(verified: VerifyReport, failed):
    clean = replace(verified.results[0], memory=MemoryCheck(True, 24, (), ()))
    for result, is_clean in ((clean, True), (replace(clean, **failed), False)):
        (section,) = memory_sections([result])
        (points,) = section.parts
        assert ("no mistake with memory was seen" in str(points)) is is_clean
