"""The old game is what its source says, its port claims all of it, and only its mistakes differ."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.port.model import FUNCTION, GLOBAL
from emu.port.project.marks import read_marks
from emu.port.project.project import read_project
from emu.program import read_program
from emu.program.instructions.listing import place_of
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolchain.mac_app.application import build_application
from tests.gallery.old_game import FOLDER, make_old_game

GAME = FOLDER / "Turncoat.bin"
PORT = FOLDER / "port"
SHOWN = ("DrawString", "PaintOval", "FrameOval")
MISTAKES = {
    "history.c": ("played > 1", "played > 0"),
    "machine.c": ("Disc sum = 0", "short sum = 0"),
    "picture.c": ("MoveTo(box.bottom - 6, box.left + 4)", "MoveTo(box.left + 4, box.bottom - 6)"),
}


def played(program: Path, cpu: str = "68040", script: str = "play.yaml") -> RunResult:
    settings = Settings(keep_log=True, timeout=300)
    return run_request(RunRequest(program, cpu=cpu, settings=settings, script=PORT / script))


def shown(result: RunResult) -> list[str]:
    return [call.text for call in result.log if call.name in SHOWN]


def test_a_script_plays_the_game() -> None:
    result = played(GAME)
    assert result.completed, result.problem
    assert 'DrawString ("Black 2, White 2")' in shown(result)
    assert {"PBWrite", "PBRead", "SetHandleSize", "SysBeep"} <= {c.name for c in result.log}


def test_the_marks_name_every_function_and_the_right_one() -> None:
    project = read_project(PORT)
    project.read_original()  # has the digest that port.yaml says
    program = read_program(GAME)
    old = {s.name: place_of(program, s.address) for s in program.symbols}
    marks = read_marks(project.marked_files)
    functions = {mark.place for mark in marks if mark.kind == FUNCTION}
    assert functions == {place for name, place in old.items() if name != "StartUp"}
    assert len({mark.place for mark in marks if mark.kind == GLOBAL}) == 17


def test_the_mistakes_are_there() -> None:
    for name, (wrong, right) in MISTAKES.items():
        text = (PORT / name).read_text()
        assert text.count(wrong) == 1
        assert right not in text


@pytest.mark.slow
def test_the_kept_game_is_that_of_its_source(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    made = make_old_game()
    path = tmp_path / "Turncoat.bin"
    path.write_bytes(made.application)
    marks = read_marks(read_project(PORT).marked_files)
    assert {mark.place for mark in marks} <= set(made.places.values())
    new, kept = (played(program) for program in (path, GAME))
    assert [call.text for call in new.log] == [call.text for call in kept.log]


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_the_port_without_its_mistakes_is_the_same_game(
    tmp_path: Path, compilers: Callable[..., None], cpu: str
) -> None:
    compilers(cpu)
    folder = tmp_path / "port"
    shutil.copytree(PORT, folder)
    for name, (wrong, right) in MISTAKES.items():
        source = folder / name
        source.write_text(source.read_text().replace(wrong, right))
    new = build_application(
        sorted(folder.glob("*.c")), "Turncoat", cpu, FOLDER / "turncoat.yaml", tmp_path
    )
    assert shown(played(new, cpu)) == shown(played(GAME))
