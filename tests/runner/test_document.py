"""A run as a document: what became of it in each of the ways that a run can go."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from xml.etree import ElementTree

import pytest

from emu.report.document import CheckStatus, Tone
from emu.report.forms.junit import to_junit
from emu.report.forms.markdown import to_markdown
from emu.runner.code_places import CheckedCode, CodeBlocks
from emu.runner.compare_runs import compare_runs
from emu.runner.document import TEXT, run_document
from emu.runner.runner import RunResult
from emu.toolbox.computer.outputs import ClosedWindow, ScreenPicture
from emu.toolbox.guest.findings import Mistake

DONE = RunResult(
    program=Path("folder/Test.bin"),
    cpu="68040",
    completed=True,
    problem="",
    exit_code=0,
    console="one *line*\nand more\n",
    windows=(ClosedWindow("Test", "one"),),
    files={"log": b"abc"},
    output="",
    pictures=(),
    findings=(),
    calls={"InitGraf": 1, "TickCount": 1200},
    log=(),
    virtual_microseconds=2_500_000,
    seconds=0.25,
    steps=(2, 2),
    pictures_left_out=0,
)
FAULT = dataclasses.replace(DONE, completed=False, problem="it read from 0x0\nat 0x12", exit_code=4)


def test_a_run_that_went_well():
    document = run_document(DONE)
    assert document.title == "Test.bin on the 68040"
    assert str(document.outcome) == (
        "ended by itself (1,201 Toolbox calls of 2 routines, 2.50 s of its time, 0 windows seen, "
        "never asked for an event)"
    )
    text = to_markdown([document])
    for words in (
        f"## {TEXT}\n\n```\none *line*\nand more\n```\n",
        "script: 2 of 2 steps done",
        "files it wrote: log (3 bytes)",
        "| TickCount | 1,200 |\n| InitGraf | 1 |",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("by_asking", "text", "told"),
    [
        (2_400_000, "50 objects: 81.6 iter/s", True),
        (2_400_000, "", False),
        (1_200_000, "50 objects: 81.6 iter/s", False),
        (0, "50 objects: 81.6 iter/s", False),
    ],
)
def test_speeds_that_are_not_real_are_said_to_be_so(by_asking: int, text: str, told: bool):
    run = dataclasses.replace(DONE, console=text, windows=(), by_asking=by_asking)
    assert ("are not real" in to_markdown([run_document(run)])) is told


def test_windows_alerts_and_questions_for_events_are_counted():
    picture = ScreenPicture("1-test", b"")
    calls = {"StopAlert": 1, "GetNextEvent": 1200, "Button": 3}
    one = dataclasses.replace(DONE, windows=(ClosedWindow("Test", "", picture),), calls=calls)
    assert str(run_document(one).outcome).endswith(
        "1 window seen, 1 alert, asked for events 1,203 times)"
    )


def test_pictures_come_first_and_are_not_folded():
    run = dataclasses.replace(DONE, pictures=(ScreenPicture("1-test", b""),), pictures_left_out=2)
    first, *others = run_document(run).sections
    assert (first.title, first.is_detail, first.is_folded) == ("Pictures", False, False)
    assert "2 pictures more left out." in to_markdown([run_document(run)])
    assert "Pictures" not in [one.title for one in run_document(DONE).sections + tuple(others)]


def test_code_in_unusual_places_is_counted():
    unusual = dataclasses.replace(DONE, code_blocks=CodeBlocks(1200, 3, 1))
    told = (
        "blocks of code executed: 1,200 where programs have their code, 3 on the stack, "
        "1 among the globals"
    )
    assert told in to_markdown([run_document(unusual)])
    usual = dataclasses.replace(DONE, code_blocks=CodeBlocks(1200))
    assert "blocks of code" not in to_markdown([run_document(usual)])


@pytest.mark.parametrize(
    ("result", "failures", "word", "fate"),
    [
        (DONE, (), "ended by itself", CheckStatus.PASSED),
        (DONE, ("its output does not contain 'x'",), "not as expected", CheckStatus.FAILURE),
        (FAULT, (), "did not end well", CheckStatus.ERROR),
        (FAULT, ("its output does not contain 'x'",), "did not end well", CheckStatus.ERROR),
        (dataclasses.replace(FAULT, exit_code=1), (), "did not end well", CheckStatus.FAILURE),
    ],
)
def test_how_a_run_can_go(result, failures, word, fate):
    document = run_document(result, failures)
    assert document.outcome is not None
    assert document.outcome.word == word
    assert (document.outcome.tone is Tone.GOOD) == (fate is CheckStatus.PASSED)
    (check,) = document.checks
    assert check.fate is fate
    text = to_markdown([document])
    assert all(reason in check.message for reason in failures)
    assert ("its output does not contain" in text) == bool(failures)
    assert ("\nat 0x12\n" in text) == bool(result.problem)


def test_findings_that_differ_only_in_addresses_and_sizes_are_told_once():
    def mistake(handle: int, caller: str = "0x100") -> Mistake:
        return Mistake("double dispose", f"handle 0x{handle:x} of {handle} bytes", "Use", caller)

    several = (mistake(1), mistake(2), mistake(30), mistake(4, "0x200"))
    text = to_markdown([run_document(dataclasses.replace(DONE, findings=several))])
    lines = [line for line in text.splitlines() if "double dispose" in line]
    assert len(lines) == 2
    assert "handle 0x1 of 1 bytes" in lines[0]
    assert lines[0].endswith("; 2 more differ only in addresses and sizes")
    assert "handle 0x4" in lines[1] and "more" not in lines[1]


def test_mistakes_and_differences_are_in_the_failure():
    mistake = Mistake("low memory", "it wrote to 0xa1f", "NewPtr", "0x100", times=3)
    wrong = dataclasses.replace(DONE, findings=(mistake,))
    other = dataclasses.replace(DONE, console="two\n")
    comparison = compare_runs(wrong, other)
    failures = ["the checks found 1 mistake", "it does not do the same as other.bin"]
    document = run_document(wrong, failures, comparison=comparison, other="other.bin")
    told = (
        "low memory: it wrote to 0xa1f "
        "(before NewPtr, called from 0x100, 3 times; wrong on every Mac)"
    )
    (failure,) = ElementTree.fromstring(to_junit([document])).iter("failure")
    assert (failure.text or "").splitlines()[:3] == [*failures, told]
    assert "texts differ at line 1:\n  one *line*\n  two" in (failure.text or "")
    text = to_markdown([document])
    assert f"* {told}" in text
    assert "not the same as other.bin; compared: 1 lines of text" in text
    assert "texts differ at line 1:\n\n```\none *line*\ntwo" in text
    same = run_document(DONE, comparison=compare_runs(DONE, DONE), other="other.bin")
    assert "the same as other.bin: 2 lines of text" in to_markdown([same])


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (CheckedCode(3000, 1000), "of 4,000 bytes of code 75.0% were executed translated"),
        (CheckedCode(0, 0), "of 0 bytes of code 0.0% were executed translated"),
        (CheckedCode(0, None), "it was all executed on Unicorn"),
    ],
)
def test_what_executed_checked_code_is_told(code: CheckedCode, told: str):
    text = to_markdown([run_document(dataclasses.replace(DONE, checked_code=code))])
    assert f"every access of the program's own code was looked at: {told}" in text


def test_without_full_checks_no_access_is_said_to_be_looked_at():
    assert "was looked at" not in to_markdown([run_document(DONE)])
