"""The old game of the examples with new functions in the place of old ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.port.hybrid.documents import exit_code, hybrid_document
from emu.port.hybrid.hybrid import HybridReport, HybridRequest, chosen_functions, run_hybrid
from emu.port.hybrid.placement import HybridPlacement
from emu.port.hybrid.playing import HybridStage, play_original
from emu.port.model import FunctionVerdict
from emu.port.original.session import Session, SessionTerms
from emu.port.project.project import Project, read_project
from emu.port.status.verdicts import write_verdicts
from emu.port.verify.build import build_port
from emu.program.functions.find_functions import find_functions
from emu.report.forms.markdown import to_markdown
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compilers.find import absent, find_compiler

EXAMPLE = Path(__file__).parents[3] / "examples" / "old-game"
SCRIPT = """schema: macproof.script/1
steps:
  - wait: {window: Turncoat}
  - click: {window: [92, 68]}
  - key: q
    modifiers: [command]
"""
RIGHT = ("OnBoard", "Enclosed", "SetUpBoard", "SquareBox", "DrawBoard", "Worth", "Search", "Answer")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the example with a short script."""
    if find_compiler(ALL_TARGETS["68000"], {}) is None:
        pytest.skip(absent(ALL_TARGETS["68000"]))
    shutil.copytree(EXAMPLE, tmp_path / "game")
    (tmp_path / "game" / "port" / "play.yaml").write_text(SCRIPT)
    return tmp_path / "game" / "port"


def played(
    game: Path,
    *names: str,
    bisect: bool = False,
    change: Callable[[Project], Project] = lambda project: project,
) -> HybridReport:
    project = change(read_project(game))
    request = HybridRequest(project, project.scripts, names, is_any=True, bisect=bisect)
    return run_hybrid(request)


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_right_functions_leave_the_game_as_it_is(game: Path) -> None:
    report = played(game, *RIGHT)
    (script,) = report.scripts
    assert (report.verdict, script.difference, exit_code(report)) == ("verified", "", 0)
    assert script.script == "play.yaml"
    assert script.toolbox_calls > 500
    assert script.pictures and script.lines and script.global_bytes > 500
    assert [one.name for one in report.functions if one.has_run] == list(RIGHT)


def test_a_mistake_is_traced_to_its_function(game: Path) -> None:
    changed(game / "rules.c", "board[3][3] = WHITE;", "board[3][3] = BLACK;")
    report = played(game, *RIGHT, bisect=True)
    (script,) = report.scripts
    assert (report.verdict, exit_code(report)) == ("refuted", 1)
    assert "Toolbox call" in script.difference and "in the original" in script.difference
    assert [cause.functions for cause in script.causes] == [("SetUpBoard",)]
    assert "SetUpBoard, by itself: Toolbox call" in to_markdown([hybrid_document(report)])


def test_the_function_that_makes_another_call_is_named(game: Path) -> None:
    changed(game / "picture.c", "SetRect(box, left, top,", "SetRect(box, left, top + 1,")
    (script,) = played(game, "SquareBox").scripts
    assert "called by SquareBox (picture.c, line " in script.difference
    assert script.causes == ()


def test_a_global_that_differs_at_the_end_is_named(game: Path) -> None:
    changed(game / "machine.c", "positions++;", "positions += 2;")
    (script,) = played(game, "Search").scripts
    assert script.difference.startswith("at the end, ")
    assert "positions is 34, was 17 in the original" in script.difference

    place = re.search(r"GLOBAL: (\S+)\nlong positions", (game / "state.c").read_text())
    assert place is not None

    def ignoring(project: Project) -> Project:
        return replace(project, ignore=(f"{place[1]}+4",))

    report = played(game, "Search", change=ignoring)
    assert (report.verdict, report.scripts[0].ignored_bytes) == ("verified", 4)
    assert "4 bytes that port.yaml ignores" in to_markdown([hybrid_document(report)])


def test_a_new_function_that_faults_is_named(game: Path) -> None:
    changed(game / "rules.c", "    board[3][3] = WHITE;", "    *(char*) 0xF00000 = 1;")
    (script,) = played(game, "SetUpBoard").scripts
    assert "in SetUpBoard (rules.c, line " in script.difference
    assert "0x00f00000" in script.difference


def test_a_script_that_is_not_done_gives_no_verdict(game: Path) -> None:
    with (game / "play.yaml").open("a") as file:
        file.write("  - click: {window: [92, 68]}\n")
    report = played(game, "SquareBox")
    assert (report.verdict, exit_code(report)) == ("inconclusive", 4)
    assert report.scripts[0].difference.startswith("the original itself: ")


def test_functions_that_no_script_calls_give_no_verdict(game: Path) -> None:
    report = played(game, "LoadGame")
    assert report.verdict == "inconclusive"
    text = to_markdown([hybrid_document(report)])
    assert "no script has called LoadGame" in text
    assert "no new function has run" in text


def test_only_verified_functions_are_taken(game: Path) -> None:
    project = read_project(game)
    port = build_port(project)
    with pytest.raises(UsageError, match="no function is verified; macproof port verify"):
        chosen_functions(port, (), is_any=False)
    place = port.claims.functions["OnBoard"].place
    write_verdicts(project, [FunctionVerdict("OnBoard", place, "verified", calls=3)])
    assert [one.name for one in chosen_functions(port, (), is_any=False)] == ["OnBoard"]
    with pytest.raises(UsageError, match=r"not verified: SquareBox \(not judged\)"):
        chosen_functions(port, ["OnBoard", "SquareBox"], is_any=False)
    assert len(chosen_functions(port, ["OnBoard", "SquareBox"], is_any=True)) == 2


def test_both_runs_name_addresses_in_segments_that_are_loaded_later(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = read_project(game)
    stage = HybridStage(
        SessionTerms.of(project), find_functions(project.read_original()), build_port(project)
    )
    named: list[str] = []
    ended = Session.run

    def run(session: Session) -> str:
        problem = ended(session)
        address = session.address_of("CODE 1+0x6c")
        named.append(session.place_of(address or 0))
        return problem

    monkeypatch.setattr(Session, "run", run)
    play_original(stage, project.scripts[0])
    assert named == ["CODE 1+0x6c"]


def test_a_segment_that_is_read_again_gets_its_jumps_again(game: Path) -> None:
    project = read_project(game)
    port = build_port(project)
    session = Session(SessionTerms(project.original, project.cpu), project.scripts[0])
    functions = find_functions(project.read_original())
    placement = HybridPlacement(session, port, functions, ["OnBoard", "Enclosed"])
    assert session.address_of("CODE 1+0x6c") is None  # its segment is loaded by the jump table
    assert session.run() == ""
    places = [session.address_of(port.claims.functions[n].place) for n in ("OnBoard", "Enclosed")]
    memory = session.mac.engine.memory
    jumps = []
    for place in places:
        assert place is not None
        jumps.append(memory.view(place, 6).tobytes())
        memory.write(place, bytes(6))
    assert all(jump.startswith(b"\x4e\xf9\x01\xf0") for jump in jumps)
    session.mac.after["LoadSeg"]()
    assert [memory.view(place or 0, 6).tobytes() for place in places] == jumps
    assert len(placement.grafts) == 1
