"""What a new function does differently first is told with its line, the old place, and why."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.port.explain.documents import explanation_document
from emu.port.explain.explanation import PortExplainer, PortExplanation
from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recordings import open_store, record_script
from emu.port.verify.build import build_port, claimed
from emu.port.verify.verifier import PortVerifier
from emu.report.forms.markdown import to_markdown
from tests.gallery.old_game import FOLDER
from tests.port.small_application import SmallPort, small_port

# Mix (count) adds to A5-0xc, sets A5-0x10 to 1 if count is more than 1, calls Note and _SysBeep,
# and returns A5-0x14 with A5-0x18 added to it.
ASSEMBLY = """
        .text
        move.w  #40, -20(%a5)
        moveq   #3, %d6
1:      move.w  %d6, -(%sp)
        bsr.w   Mix
        addq.l  #2, %sp
        dbra    %d6, 1b
        .short  0xA9F4
Mix:    link    %a6, #0
        move.w  8(%a6), %d0
        add.w   %d0, -12(%a5)
        cmp.w   #1, %d0
        ble.s   1f
        move.w  #1, -16(%a5)
1:      bsr.w   Note
        move.w  #5, -(%sp)
        .short  0xA9C8
        move.w  -20(%a5), %d0
        add.w   -24(%a5), %d0
        unlk    %a6
        rts
Note:   addq.w  #1, -28(%a5)
        rts
"""
SOURCE = """
void SysBeep(short);
// GLOBAL: A5-0xc
short total;
// GLOBAL: A5-0x10
short isLarge;
// GLOBAL: A5-0x14
short base;
// GLOBAL: A5-0x18
short offset;
// GLOBAL: A5-0x1c
short notes;
// FUNCTION: @Note@
void Note(void) { notes++; }
// FUNCTION: @Mix@
short Mix(short count)
{
    total += count;
    if (count > 1)
        isLarge = 1;
    Note();
    SysBeep(5);
    return base + offset;
}
"""


def explained(port: Path, name: str) -> PortExplanation:
    project = read_project(port)
    built = build_port(project)
    terms = SessionTerms(project.original, project.cpu)
    with open_store(project, terms) as store:
        verifier = PortVerifier(built, store, terms)
        functions = claimed(built.claims, [], project.path)
        (function,) = claimed(built.claims, [name], project.path)
        refuted = verifier.tally(function, functions).first
        assert refuted is not None
        return PortExplainer(verifier, ["verify"]).explain(function, refuted)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SmallPort:
    port = small_port(tmp_path_factory.mktemp("small"), ASSEMBLY, SOURCE)
    port.record(["Mix"])
    return port


def test_the_right_source_is_verified(small: SmallPort) -> None:
    small.write(SOURCE)
    verdict = small.verdict("Mix")
    assert (verdict.verdict, verdict.calls) == ("verified", 4), verdict.reason


@pytest.mark.parametrize(
    ("old", "new", "kind", "is_branch", "line", "words"),
    [
        (
            "total += count;",
            "total += count + 1;",
            "other value",
            False,
            "total += count + 1;",
            ["stores 4 in total (A5-0xc)", "the original stores 3 at"],
        ),
        (
            "    total += count;\n",
            "",
            "missing store",
            False,
            "",
            ["does not store in total (A5-0xc)", "the original stores 3 there"],
        ),
        (
            "isLarge = 1;",
            "isLarge = 1, notes = 9;",
            "further store",
            False,
            "isLarge = 1, notes = 9;",
            ["stores 9 in notes (A5-0x1c)", "the original does not"],
        ),
        (
            "count > 1",
            "count > 3",
            "missing store",
            True,
            "if (count > 3)",
            ["the two take other ways: at port.c:", "ble.b", "does not store in isLarge"],
        ),
        (
            "SysBeep(5)",
            "SysBeep(6)",
            "other Toolbox call",
            False,
            "SysBeep(6);",
            ["calls SysBeep (6) at port.c:", "the original calls SysBeep (5) at"],
        ),
        ("    Note();\n", "", "other call", False, "", ["the original calls Note"]),
        (
            "base + offset",
            "base + 1",
            "missing read",
            False,
            "",
            ["does not read offset (A5-0x18)", "only the original read offset (A5-0x18)"],
        ),
        (
            "base + offset",
            "base * 3 + offset",
            "other result",
            False,
            "return base * 3 + offset;",
            ["computes another result at port.c:"],
        ),
    ],
)
def test_each_kind_is_named(
    small: SmallPort,
    old: str,
    new: str,
    kind: str,
    is_branch: bool,
    line: str,
    words: list[str],
) -> None:
    text = SOURCE.replace(old, new)
    small.write(text)
    found = explained(small.folder, "Mix")
    told = " ".join((*found.first, *found.accesses))
    assert (found.kind, found.is_branch) == (kind, is_branch), told
    for word in words:
        assert word in told
    if line:
        number = next(n for n, each in enumerate(text.splitlines(), 1) if line in each)
        assert found.line == f"port.c:{number}"
        assert [one.number for one in found.source if one.is_first] == [number]
    if kind == "further store":
        assert (found.old_place, found.old) == ("", ())
        return
    start, end = (int(small.places[name][7:], 0) for name in ("Mix", "Note"))
    assert start <= int(found.old_place[7:], 0) < end
    assert [one.place for one in found.old if one.is_first] == [found.old_place]
    (argument,) = found.arguments
    assert (argument.declaration, argument.value) == ("short count", "3")
    assert found.command == "verify --call 1"
    assert found.first[0] in to_markdown([explanation_document(found)])


def test_the_mistakes_of_the_old_game_are_explained_with_their_lines(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    shutil.copytree(FOLDER, tmp_path / "game")
    folder = tmp_path / "game" / "port"
    project = read_project(folder)
    mistakes = {
        "DrawScore": ("MoveTo(box.bottom - 6, box.left + 4)", "other Toolbox call"),
        "TakeBack": ("while (played > 1)", "other value"),
        "Worth": ("sum += disc == side", "other result"),
    }
    terms = SessionTerms(project.original, project.cpu)
    functions = claimed(build_port(project).claims, list(mistakes), project.path)
    with open_store(project, terms) as store:
        record_script(
            terms,
            folder / "game.yaml",
            store,
            places=[one.place for one in functions],
            globals_=[],
            most=300,
            most_bytes=1 << 28,
        )
    for function in functions:
        text, kind = mistakes[function.name]
        found = explained(folder, function.name)
        lines = function.file.read_text().splitlines()
        number = next(n for n, line in enumerate(lines, 1) if text in line)
        assert (found.line, found.kind) == (f"{function.file.name}:{number}", kind), found.first
