"""What calls leave of the Toolbox is told, and compared where the case asks for it."""

from __future__ import annotations

import pytest

import macproof
from emu.report.forms.markdown import to_markdown
from tests.verify.toolbox.conftest import Asking, result, words

NUMBER = "arguments: {x: number}\nobserve: {return: twice%s}"
TWICE = "twice=2 * scene.number"
ALL = NUMBER % ", toolbox: [heap, port, random, pixels, cursor]"
LEFT = [
    ("NewHandle(10);", "heap", "a block that NewHandle made, and that nothing leads to"),
    ("gKept = NewPtr(4);", "heap", "a block that NewPtr made, and that the program's variables"),
    ("GetPort(&p); HLock((Handle) p->visRgn);", "heap", "a handle that is locked"),
    ("SetRect(&r, 0, 0, 1, 1); ClipRect(&r);", "port", "the port's clipping region"),
    ("PenSize(7, 7);", "port", "the port's pen"),
    ("TextSize(18);", "port", "the port's font"),
    ("SetOrigin(5, 5);", "port", "the port's rectangle"),
    ("p = (GrafPtr) NewPtr(sizeof(GrafPort)); OpenPort(p);", "port", "another current port"),
    (
        "p = (GrafPtr) NewPtr(sizeof(GrafPort)); OpenPort(p); ClosePort(p); DisposePtr((Ptr) p);",
        "port",
        "a current port that is none any more",
    ),
    ("Random();", "random", "the state of Random"),
    ("HideCursor();", "cursor", "a cursor that is hidden"),
    ("ObscureCursor();", "cursor", "an obscured cursor"),
    ("SetRect(&r, 0, 0, 9, 9); PaintRect(&r);", "pixels", "pixels of the screen"),
]


def source(body: str) -> str:
    return f"Ptr gKept; long Go(short x) {{ GrafPtr p; Rect r; {body} return 2L * x; }}"


def keys(text: str) -> str:
    return f"{text}\nignore: [gKept]"


@pytest.mark.parametrize(
    ("body", "kind", "what"),
    [LEFT[0], *(pytest.param(*one, marks=pytest.mark.slow) for one in LEFT[1:])],
)
def test_what_is_left_is_told_and_refutes_where_it_is_compared(
    asking: Asking, body: str, kind: str, what: str
) -> None:
    told = asking.verify(source(body), keys(NUMBER % ""), TWICE)
    assert told.verdict == "verified"
    check = result(told).toolbox
    assert check is not None and check.asked > 0 and check.compared == ()
    found = [one for one in check.left if one.kind == kind and one.what.startswith(what)]
    assert [one.calls for one in found] == [check.asked]
    text = to_markdown([told.document])
    assert what in text and "Not watched: windows" in text
    compared = NUMBER % f", toolbox: [{kind}]"
    asked = asking.verify(source(body), keys(compared), TWICE)
    assert asked.verdict == "refuted"
    assert f"toolbox.{kind}" in words(asked)


def test_what_is_put_back_is_neither_told_nor_wrong(asking: Asking) -> None:
    body = (
        "RgnHandle clip = NewRgn(); PenState pen; GetClip(clip); GetPenState(&pen); "
        "SetRect(&r, 0, 0, 4, 4); ClipRect(&r); PenSize(3, 3); SetClip(clip); SetPenState(&pen); "
        "DisposeRgn(clip); GetPort(&p); SetPort(p); DisposePtr(NewPtr(9));"
    )
    found = asking.verify(source(body), keys(ALL), TWICE)
    assert found.verdict == "verified", words(found)
    check = result(found).toolbox
    assert check is not None and check.left == ()
    assert check.compared == ("heap", "port", "random", "pixels", "cursor")


@pytest.mark.slow
def test_a_reference_can_say_what_is_left(asking: Asking) -> None:
    body = "gKept = NewPtr(4); NewHandle(6); SetRect(&r, 0, 0, x % 9 + 1, 3); PaintRect(&r);"
    state = ", toolbox: {heap.blocks: blocks, pixels.changed: changed}"
    expected = f"{TWICE}, blocks=2, changed=(scene.number % 9 + 1) * 3"
    found = asking.verify(source(body), keys(NUMBER % state), expected)
    assert found.verdict == "refuted" and "pixels.digest" in words(found)
    state = ", toolbox: {heap.blocks: blocks, random: seed, port: null}"
    expected = f"{TWICE}, blocks=2, seed=16807"
    asked = keys(NUMBER % state) + "\nenvironment: {random_seed: 1}"
    found = asking.verify(source(body + "Random();"), asked, expected)
    assert found.verdict == "verified", words(found)


def test_a_part_that_is_none_is_refused_with_its_line(asking: Asking) -> None:
    with pytest.raises(
        macproof.CaseError, match=r"line \d+: .*heap, port, random, pixels or cursor"
    ):
        asking.write(source(""), NUMBER % ", toolbox: [heaps]", TWICE)


# -- routines that scenes answer -------------------------------------------------------------------


@pytest.mark.slow
def test_answers_that_nobody_asks_for_are_told(asking: Asking) -> None:
    answered = f"{NUMBER % ''}\ntoolbox: {{TickCount: three}}"
    for calls in ("", "TickCount();"):
        found = asking.verify(source(calls), answered, TWICE)
        assert found.verdict == "verified"
        check = result(found).toolbox
        assert check is not None
        assert [one.what for one in check.left] == ["answers of TickCount that it did not ask for"]
    found = asking.verify(source("TickCount(); TickCount(); TickCount();"), answered, TWICE)
    check = result(found).toolbox
    assert check is not None and check.left == ()


@pytest.mark.slow
def test_arguments_of_answered_routines_are_looked_at_and_told(asking: Asking) -> None:
    answered = f"{NUMBER % ''}\ntoolbox: {{GetHandleSize: number}}"
    right = "Handle h = NewHandle(3); GetHandleSize(h); DisposeHandle(h);"
    found = asking.verify(source(right), answered, TWICE)
    assert found.verdict == "verified"
    check = result(found).toolbox
    assert check is not None
    assert [one.kind for one in check.left] == ["answers"]
    wrong = asking.verify(source("GetHandleSize((Handle) &r);"), answered, TWICE)
    assert "which is no handle" in words(wrong)
