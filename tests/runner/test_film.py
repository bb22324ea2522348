"""The film of a run: what the user did, the screen after it, and the calls and findings between."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from emu.report.document import Film
from emu.runner import film
from emu.runner.document import run_document
from emu.runner.film import FilmingUser
from emu.runner.film_document import film_of
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.users.descriptions.describing_user import DescribingUser
from emu.toolbox.users.script import Script
from emu.toolbox.users.users import ScriptedUser
from tests.report import schemas
from tests.runner.person import play
from tests.runner.test_recordings import answer_a_question
from tests.toolbox.conftest import do, make_mac

PROGRAMS = Path(__file__).parents[1] / "programs" / "mac"
MENUS = PROGRAMS / "prebuilt" / "68000" / "menus.bin"


def filmed(tmp_path: Path, steps: str) -> RunResult:
    script = tmp_path / "script.yaml"
    script.write_text(f"schema: macproof.script/1\nsteps:\n{steps}")
    return run_request(RunRequest(MENUS, script=script, filmed=True))


STEPS = "  - menu: [File, Check]\n  - type: ab\n  - wait: {text: key b}\n  - menu: [File, Quit]\n"


def test_each_step_has_what_came_of_it(tmp_path):
    run = filmed(tmp_path, STEPS)
    assert [(scene.step, scene.words, scene.done) for scene in run.film] == [
        (0, "", True),
        (1, "menu: [File, Check]", True),
        (2, "type: ab", True),
        (3, "wait: {text: key b}", True),
        (4, "menu: [File, Quit]", True),
    ]
    start, check, typing, wait, quits = run.film
    assert start.calls["InitGraf"] == 1
    assert check.calls["MenuSelect"] == 1
    assert "MenuSelect" not in typing.calls | wait.calls
    assert quits.calls["MenuSelect"] == 1
    total = {name: sum(s.calls.get(name, 0) for s in run.film) for name in run.calls}
    assert total == dict(run.calls), "every call is in one scene"
    times = [scene.microseconds for scene in run.film]
    assert times == sorted(times)
    assert start.picture != check.picture != typing.picture
    assert start.picture and check.picture and typing.picture


def test_a_picture_is_of_what_the_step_led_to(tmp_path):
    """Not of the next step's first letter, which was typed at the same look."""
    by_steps = filmed(tmp_path, STEPS)
    stops = filmed(tmp_path, "  - menu: [File, Check]\n  - end: true\n")
    assert by_steps.film[1].picture == stops.pictures[-1].png


def test_a_step_that_cannot_be_done_is_the_last(tmp_path):
    run = filmed(tmp_path, "  - key: a\n  - menu: [File, Quit]\n  - key: b\n")
    assert [scene.done for scene in run.film] == [True, True, True, False]
    assert run.film[-1].words == "key: b"


def test_a_patient_user_has_a_film_too():
    run = run_request(RunRequest(MENUS, filmed=True))
    words = [scene.words for scene in run.film]
    assert words[:3] == ["", "key: return", "click: {screen: [250, 180]}"]
    assert words[-1] in ("key: q, modifiers: [command]", "menu: [File, Quit]")


def test_an_exact_replay_has_the_steps_of_its_script(tmp_path):
    path = play(MENUS, answer_a_question).saved.write(tmp_path)
    run = run_request(RunRequest(MENUS, script=path, filmed=True))
    assert run.replay == "by exact inputs"
    assert len(run.film) == 12
    assert run.film[2].words == "menu: [File, Check]"
    assert run.film[2].calls["MenuSelect"] == 1


def test_a_finding_is_told_with_the_step_after_which_it_came(tmp_path):
    run = filmed(tmp_path, STEPS)
    scenes = list(run.film)
    scenes[2] = dataclasses.replace(scenes[2], findings=(0,))
    frames = film_of(scenes, ["heap: it is damaged"]).frames
    assert [frame.findings for frame in frames if frame.findings] == [("heap: it is damaged",)]


def test_steps_that_change_nothing_share_a_frame(tmp_path):
    run = filmed(tmp_path, "  - wait: {text: items}\n  - wait: {window: Console}\n" + STEPS)
    frames = film_of(run.film, []).frames
    assert frames[1].titles == (
        "1. wait: {text: items}",
        "2. wait: {window: Console}",
        "3. menu: [File, Check]",
    )
    assert all(frame.png for frame in frames[:-1])


def test_a_film_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(film, "MOST_SCENES", 3)
    assert len(filmed(tmp_path, STEPS).film) == 3
    monkeypatch.setattr(film, "MOST_SCENES", 300)
    monkeypatch.setattr(film, "MOST_PICTURE_BYTES", 0)
    assert not any(scene.picture for scene in filmed(tmp_path, STEPS).film)


def test_the_page_opens_with_the_film(tmp_path):
    document = run_document(filmed(tmp_path, STEPS))
    first = document.sections[0]
    assert (first.title, first.is_open) == ("Film", True)
    assert isinstance(first.parts[0], Film)


def test_the_report_has_the_steps(macproof, tmp_path):
    report = tmp_path / "report.json"
    script = PROGRAMS / "menus.script.yaml"
    assert macproof("run", MENUS, "--script", script, "--json", report).code == 0
    data = schemas.read(report, "macproof.run/2")
    assert data["film"][1]["words"] == "menu: [File, Check]"
    assert data["film"][1]["calls"]["MenuSelect"] == 1


@pytest.mark.parametrize("watching", [DescribingUser, FilmingUser])
def test_file_dialogs_are_answered_though_somebody_watches(tmp_path, watching):
    mac = make_mac()
    path = tmp_path / "script.yaml"
    path.write_text("schema: macproof.script/1\nsteps:\n  - file: notes\n")
    mac.events.user = watching(mac, ScriptedUser(mac, Script(path)))
    mac.files.add("notes")
    reply = mac.memory.new_pointer(100)
    do(mac, "StandardGetFile", 0, -1, 0, reply)
    assert mac.guest.u8(reply) == 1
