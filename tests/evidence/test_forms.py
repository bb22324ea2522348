"""Markdown, JUnit and the terminal say what the JSON says, and no more."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from emu.base.printable import printable
from emu.evidence.junit import to_junit
from emu.evidence.markdown import to_markdown
from emu.evidence.terminal import print_report

Report = dict[str, Any]
Copier = Callable[[Report], Report]


def printed(report: Report, width: int = 80, *, verbose: bool = False, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    print_report(report, console, verbose=verbose)
    return out.getvalue()


# -- JUnit -------------------------------------------------------------------------------------


def test_junit_counts(verified: Report, refuted: Report, nothing: Report):
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


def test_junit_says_what_failed(refuted: Report, nothing: Report):
    good, wrong, down = ElementTree.fromstring(to_junit(refuted)).iter("testcase")
    assert (wrong.get("classname"), wrong.get("name")) == ("macproof.four-shifts", "68040 O1")
    assert good.find("failure") is good.find("error") is None
    failure = wrong.find("failure")
    assert failure.get("message") == "gCollisionArray[7] is 0, expected 1"
    assert failure.text.splitlines()[1] == "register d5 was 0x1 and came back as 0x2"
    assert "engine's process down" in down.find("error").get("message")
    (empty,) = ElementTree.fromstring(to_junit(nothing)).iter("testcase")
    assert empty.find("error").get("message") == "nothing was compared"
    values = {p.get("name"): p.get("value") for p in good.iter("property")}
    assert values["distinct_scenes"] == values["changed_scenes"] == "30"
    assert values["comparisons"] == "17400"
    assert values["program_sha256"] == refuted["results"][0]["program"]["sha256"]


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x0b", "\ud800", "\ufffe", "]]>", "<&\"'"])
def test_junit_has_no_character_that_xml_has_not(refuted: Report, copied: Copier, character: str):
    report = copied(refuted)
    report["results"][1]["failures"][0]["summary"] = f"a {character} b\nsecond line"
    text = to_junit(report)
    text.encode()  # so that it can be written
    (failure,) = ElementTree.fromstring(text).iter("failure")
    shown = character if character.isprintable() else printable(character)
    assert failure.get("message") == f"a {shown} b"


def test_junit_of_a_failure_without_words(refuted: Report, copied: Copier):
    report = copied(refuted)
    for text in ("", "\n", "\nlater"):
        report["results"][1]["failures"] = [dict(report["results"][1]["failures"][0], summary=text)]
        (failure,) = ElementTree.fromstring(to_junit(report)).iter("failure")
        assert failure.get("message") is not None


# -- Markdown ----------------------------------------------------------------------------------


def test_markdown_has_a_row_for_every_result(verified: Report, refuted: Report):
    lines = to_markdown(verified).splitlines()
    assert lines[0] == "# Sector grid with four shifts: verified (27 distinct scenes of 30)"
    rows = [line for line in lines if line.startswith("|")]
    assert rows[0] == "| CPU | build | verdict | scenes | values compared | instructions |"
    count = f"{verified['results'][0]['instructions']['count']:,}"
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


def test_markdown_says_what_failed_and_what_was_not_run(verified: Report, refuted: Report):
    text = to_markdown(refuted)
    assert "## Failures" in text
    assert "gCollisionArray[7] is 0, expected 1" in text
    assert "uniform, 200 objects, seed 1994" in text
    assert "68040 O2: the guest code brought the engine's process down" in text
    assert "* CPU 601: not asked for" in text
    assert "## Failures" not in to_markdown(verified)


def test_markdown_has_the_receipt(verified: Report):
    text = to_markdown(verified)
    assert "* command: `macproof verify four-shifts --json 'a file.json'`" in text
    assert verified["receipt"]["source"]["sha256"] in text
    assert verified["receipt"]["engine"] in text
    assert "150,448 values compared with pyref.four_shifts:determine_collisions" in text


def test_nothing_is_never_told_as_success(nothing: Report):
    for text in (to_markdown(nothing), printed(nothing)):
        assert "Nothing was called, so nothing is known." in text
        assert "restored" not in text
        assert "inconclusive" in text


# -- the terminal ------------------------------------------------------------------------------


def test_a_table_of_eighty_columns_cuts_nothing(verified: Report, copied: Copier):
    report = copied(verified)
    result = report["results"][0]
    result.update(build="O2-macros", verdict="inconclusive", distinct_scenes=300_000)
    result.update(comparisons=174_000_000)
    result["instructions"]["count"] = 123_456_789
    text = printed(report)
    assert "…" not in text
    table = [line for line in text.splitlines() if line[:1] in "┏┃┡│├└"]
    assert max(map(len, table)) <= 80
    assert "│ 68040 │ O2-macros │ inconclusive │ 300,000 │" in text
    assert "174,000,000" in text
    assert "123,456,789" in text


def test_long_words_stay_in_one_piece(refuted: Report, copied: Copier):
    report = copied(refuted)
    source = "some/very/long/folder/" * 8 + "port.cpp"
    report["results"][1]["failures"][0]["summary"] = "gCollisionArray[7] is 0 " * 12
    report["results"][0]["fault"] = f"[bold]{source}[/bold] :smile:"
    text = printed(report)
    assert "gCollisionArray[7] is 0 " * 12 in text
    assert f"[bold]{source}[/bold] :smile:" in text  # words of others are not markup


def test_the_terminal_says_why_to_believe_it(verified: Report, refuted: Report):
    text = printed(verified)
    assert "verified in 1.2 s (27 distinct scenes of 30)" in text
    assert "scenes: 30, 27 of them distinct; calls: 240." in text
    assert "filled with random bytes (calls: 60) or as another scene's results had left it" in text
    assert "Calls changed data memory in 30 of 30 scenes at least." in text
    assert "Sector grid with four shifts (Tom Moertel, 1994)" in text
    assert "2 prebuilt, of these very sources" in text
    assert "Not run: CPU 601: not asked for." in text
    assert "Every call came back with stack and preserved registers restored." in text
    text = printed(refuted)
    assert "68040 O1: uniform, 200 objects, seed 1994: gCollisionArray[7] is 0" in text
    assert "Calls that broke the contract: 1; programs given up: 1." in text
    assert "restored" not in text


def test_details_only_when_they_are_wanted(refuted: Report, copied: Copier):
    report = copied(refuted)
    report["results"][1]["failures"][0]["summary"] = "it jumped\n  registers d0"
    assert "registers d0" not in printed(report)
    assert "registers d0" in printed(report, verbose=True)


def test_colour_only_on_a_terminal(refuted: Report):
    assert "\x1b" not in printed(refuted)
    assert "\x1b[1;31mrefuted" in printed(refuted, colour=True)
