"""Sessions are recorded as scripts, and replayed exactly or by what their steps mean."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from emu.runner.compare_runs import LoggedCall, compare_runs
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.users.events_file import Recording, read_events, write_events
from emu.toolbox.users.inputs import (
    FileDrop,
    KeyPress,
    PictureObservation,
    RecordedInput,
    TextObservation,
)
from emu.toolbox.users.saved_script import RecordedStep
from emu.toolbox.users.script import Script
from tests.runner.person import Doings, Person, play

PROGRAMS = Path(__file__).parents[1] / "programs" / "mac" / "prebuilt"
MENUS = PROGRAMS / "68000" / "menus.bin"
PLACES_AND_LOOKS = ("FindWindow", "MenuSelect", "WaitNextEvent", "GetNextEvent", "FindControl")


def answer_a_question(person: Person) -> Doings:
    """Use a menu, a command key, a dialog, keys and a menu."""
    yield 30
    yield from person.choose("File", "Check")
    yield from person.type("a", "command")
    yield from person.type("Tom")
    ok = person.mac.dialogs.item_place(person.mac.windows.front(), "OK")
    assert ok is not None
    yield from person.click(ok)
    yield from person.type("z")
    person.recorder.hear(PictureObservation())
    person.recorder.hear(TextObservation("answer: Tom"))
    yield from person.choose("File", "Quit")


def scroll_and_close(person: Person) -> Doings:
    """Hold a scroll bar's arrow, and answer a dialog by the keyboard."""
    yield 20
    yield from person.drag(Point(152, 248), Point(153, 249))
    yield from person.type("Mac")
    yield from person.type("\r")


def write_a_letter(person: Person) -> Doings:
    """Type, save, drag the window, draw in it along a path, and close it."""
    mac = person.mac
    yield 20
    window = mac.windows.front()
    yield from person.type("Dear Mac")
    person.files.append("letter")
    yield from person.type("s", "command")
    yield from person.accept_file()
    yield from person.drag(Point(250, 210), Point(240, 200), Point(215, 175))
    corner = mac.quickdraw.to_global(window, Point(0, 0))
    path = [(70, 20), (100, 60), (75, 120), (110, 200)]
    yield from person.drag(*(Point(corner.v + v, corner.h + h) for v, h in path))
    person.recorder.hear(PictureObservation())
    box = mac.windows.close_box(window)
    assert box is not None
    yield from person.click(box)


def leave(person: Person) -> Doings:
    """Choose something and leave the program running."""
    yield 5
    yield from person.choose("File", "Check")


def replay(program: Path, script: Path, *, exact: bool = True) -> RunResult:
    settings = Settings(keep_log=True)
    return run_request(RunRequest(program, script=script, settings=settings, may_be_exact=exact))


@pytest.mark.parametrize("cpu", ["68000", "601"])
@pytest.mark.parametrize(
    ("program", "doings"),
    [
        ("menus", answer_a_question),
        ("callbacks", scroll_and_close),
        ("letters", write_a_letter),
        ("menus", leave),
    ],
)
def test_an_exact_replay_is_the_session_to_the_byte(tmp_path, program, doings, cpu):
    played = play(PROGRAMS / cpu / f"{program}.bin", doings)
    run = replay(PROGRAMS / cpu / f"{program}.bin", played.saved.write(tmp_path))
    assert (run.problem, run.exit_code, run.replay) == ("", 0, "by exact inputs")
    assert [call.text for call in run.log] == played.log
    assert [(picture.name, picture.png) for picture in run.pictures] == played.pictures
    assert dict(run.files) == played.files
    assert run.steps[0] == run.steps[1] > 0
    assert run.proof is not None
    assert run.proof.calls == run.proof.of_calls > 50
    assert run.proof.screens >= 1 - played.left


def test_the_steps_say_what_was_meant(tmp_path):
    played = play(MENUS, answer_a_question)
    steps = played.saved.script.partition("steps:\n")[2]
    assert steps == (
        "  - wait: {window: Console}\n"
        "  - menu: [File, Check]\n"
        "  - {key: a, modifiers: [command]}  # File, Ask...\n"
        "  - wait: {window: ''}\n"
        "  - type: Tom\n"
        "  - click: {button: OK}\n"
        "  - wait: {window: Console}\n"
        "  - type: z\n"
        "  - compare: picture-1.png\n"
        "  - wait: {text: 'answer: Tom'}\n"
        "  - menu: [File, Quit]\n"
    )


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_by_its_steps_a_program_does_the_same_but_for_places_and_looks(tmp_path, cpu):
    program = PROGRAMS / cpu / "menus.bin"
    path = play(program, answer_a_question).saved.write(tmp_path)
    exact, steps = (without_looks(replay(program, path, exact=one)) for one in (True, False))
    assert steps.replay == "by its steps, as both programs are to be given the same"
    comparison = compare_runs(exact, steps)
    assert [one.what for one in comparison.differences] == ["pictures"], "the caret blinks"
    assert comparison.lines == 5


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_letter_is_written_saved_and_drawn_upon_by_steps_too(tmp_path, cpu):
    program = PROGRAMS / cpu / "letters.bin"
    played = play(program, write_a_letter)
    assert played.saved.script.partition("steps:\n")[2] == (
        "  - wait: {window: Letters}\n"
        "  - type: Dear Mac\n"
        "  - {key: s, modifiers: [command]}  # File, Save...\n"
        "  - file: letter\n"
        "  - drag: {from: [60, -10], to: [25, -45], in: Letters}\n"
        "  - drag: {path: [[20, 70], [60, 100], [120, 75], [200, 110]], in: Letters}\n"
        "  - compare: picture-1.png\n"
        "  - click: {close: true}\n"
    )
    run = replay(program, played.saved.write(tmp_path), exact=False)
    assert (run.problem, run.exit_code) == ("", 0)
    assert dict(run.files) == played.files == {"letter": b"Dear Mac"}
    assert [(picture.name, picture.png) for picture in run.pictures] == played.pictures


def without_looks(run: RunResult) -> RunResult:
    """A run without the calls whose number or points depend on when and where a person acts."""
    kept: list[LoggedCall] = [call for call in run.log if call.name not in PLACES_AND_LOOKS]
    return dataclasses.replace(run, log=tuple(kept))


def test_a_session_that_was_left_ends_where_it_was_left(tmp_path):
    path = play(MENUS, leave).saved.write(tmp_path)
    assert path.read_text().endswith("  - menu: [File, Check]\n  - end: true\n")
    for exact in (True, False):
        run = replay(MENUS, path, exact=exact)
        assert (run.completed, run.problem) == (True, "")
        assert run.text.splitlines()[-1] == "checked"


def test_another_program_or_machine_or_other_steps_are_told(tmp_path):
    path = play(MENUS, leave).saved.write(tmp_path)
    other = tmp_path / "menus.bin"
    shutil.copy(PROGRAMS / "601" / "menus.bin", other)
    words = replay(other, path).replay
    assert words.startswith(
        "by its steps, as they were recorded on another Macintosh (68040, clock"
    )
    changed = tmp_path / "changed" / "menus.bin"
    changed.parent.mkdir()
    data = bytearray(MENUS.read_bytes())
    data[data.index(b"checked")] = ord("C")
    changed.write_bytes(data)
    assert replay(changed, path).replay == "by its steps, as another program was recorded"
    path.write_text(path.read_text().replace("  - end", "  - key: x\n  - end"))
    run = replay(MENUS, path)
    assert run.replay == "by its steps, as they were changed since they were recorded"
    assert run.text.splitlines()[-1] == "key x"


def test_a_run_that_is_not_the_recorded_one_fails(tmp_path):
    """As when a file on the disk is another one."""
    path = play(MENUS, leave).saved.write(tmp_path)
    calls = Script(path).recorded.calls
    path.write_text(path.read_text().replace(f"calls: {calls}", f"calls: {calls + 1}"))
    run = replay(MENUS, path)
    assert run.exit_code == 1
    assert f"{calls} Toolbox calls before the last input, and {calls + 1} then" in run.problem


def changed_checkpoint(path: Path, number: int, **values: object) -> str:
    """The problem of a replay after one of the session's checkpoints was changed."""
    events = path.with_name("session.events.yaml")
    recording = read_events(events)
    checkpoints = list(recording.checkpoints)
    checkpoints[number] = dataclasses.replace(checkpoints[number], **values)
    write_events(events, Recording(recording.inputs, tuple(checkpoints)))
    return replay(MENUS, path).problem


@pytest.mark.parametrize(
    ("key", "what"),
    [("log", "Toolbox calls differ"), ("screen", "screen differ"), ("files", "files differ")],
)
@pytest.mark.parametrize("number", [0, -1])
def test_a_replay_that_does_otherwise_says_from_which_look_on(tmp_path, key, what, number):
    path = play(MENUS, watch_for_long).saved.write(tmp_path)
    checkpoints = read_events(tmp_path / "session.events.yaml").checkpoints
    looks = [each.look for each in checkpoints]
    assert looks[0] == 1
    assert len(looks) >= 9, "one a second"
    problem = changed_checkpoint(path, number, **{key: "0123456789abcdef"})
    between = "0 and 1" if number == 0 else f"{looks[-2]} and {looks[-1]}"
    assert f"the run is not the one that was recorded: {what} between looks {between}" in problem


def watch_for_long(person: Person) -> Doings:
    yield 550
    yield from person.choose("File", "Quit")


def test_a_program_that_ends_earlier_than_its_session_fails(tmp_path):
    path = play(MENUS, watch_for_long).saved.write(tmp_path)
    last = read_events(tmp_path / "session.events.yaml").checkpoints[-1].look
    problem = changed_checkpoint(path, -1, look=last + 3)
    assert f"it ended after look {last - 1}, and was at look {last + 3} then" in problem


def test_a_recording_without_checkpoints_is_repeated_and_proves_nothing(tmp_path):
    path = play(MENUS, leave).saved.write(tmp_path)
    events = tmp_path / "session.events.yaml"
    write_events(events, Recording(read_events(events).inputs))
    run = replay(MENUS, path)
    assert (run.problem, run.replay, run.proof) == ("", "by exact inputs", None)


def test_a_picture_that_differs_fails_an_exact_replay_too(tmp_path):
    played = play(MENUS, answer_a_question)
    path = played.saved.write(tmp_path)
    shutil.copy(Path(__file__).parents[2] / "docs" / "question.png", tmp_path / "picture-1.png")
    assert "step 9 cannot be done: the picture is" in replay(MENUS, path).problem


def test_a_text_that_is_not_there_fails_an_exact_replay(tmp_path):
    def expect(person: Person) -> Doings:
        person.recorder.hear(TextObservation("nobody writes this"))
        yield 2

    path = play(MENUS, expect).saved.write(tmp_path)
    assert "'nobody writes this' has not come" in replay(MENUS, path).problem


def test_a_text_may_be_expected_before_it_is_there(tmp_path):
    def expect(person: Person) -> Doings:
        person.recorder.hear(TextObservation("checked"))
        yield from leave(person)

    path = play(MENUS, expect).saved.write(tmp_path)
    assert "wait: {text: checked}" in path.read_text()
    run = replay(MENUS, path)
    assert (run.problem, run.replay) == ("", "by exact inputs")
    assert run.steps[0] == run.steps[1]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("session.events.yaml", "../session.events.yaml", "it names a file beside the script"),
        ("session.events.yaml", "missing.yaml", "cannot be read"),
        ("  looks: [", "  looks: [900, ", "looks never grow smaller"),
        ("  calls: ", "  call: ", "did you mean calls"),
    ],
)
def test_a_damaged_recording_is_refused(tmp_path, macproof, old, new, problem):
    path = play(MENUS, leave).saved.write(tmp_path)
    path.write_text(path.read_text().replace(old, new, 1))
    done = macproof("run", MENUS, "--script", path)
    assert done.code == 2
    assert problem in done.err


def test_a_program_that_ends_before_the_last_input_fails(tmp_path):
    path = play(MENUS, leave).saved.write(tmp_path)
    events = tmp_path / "session.events.yaml"
    recording = read_events(events)
    late = RecordedInput(999_999, KeyPress("a"))
    write_events(events, dataclasses.replace(recording, inputs=(*recording.inputs, late)))
    run = replay(MENUS, path)
    assert run.exit_code == 1
    assert run.problem.startswith("the program ended before the last exact input of the script")


@pytest.mark.parametrize("name", ["session.events.yaml", "picture-1.png"])
def test_no_output_is_written_over_what_a_script_names(tmp_path, macproof, name):
    path = play(MENUS, answer_a_question).saved.write(tmp_path)
    before = (tmp_path / name).read_bytes()
    done = macproof("run", MENUS, "--script", path, "--html", tmp_path / name)
    assert done.code == 2
    assert "--html would be written over a file that --script names" in done.err
    assert (tmp_path / name).read_bytes() == before


def test_what_only_the_exact_inputs_have_is_said(tmp_path):
    """Neither a file's name nor a menu's item ends the comment that it is in."""

    def drop(person: Person) -> Doings:
        yield FileDrop("a\r  - type: b", b"data")
        yield 2

    saved = play(MENUS, drop).saved
    comment = "# The file a   - type: b was put on the disk. Only the exact inputs have it: to have"
    assert comment in saved.script
    path = saved.write(tmp_path)
    assert Script(path).steps == [{"end": True}]
    assert replay(MENUS, path).problem == ""
    step = RecordedStep(1, {"key": "q"}, "File, Quit\r  - type: b")
    assert step.line() == "  - key: q  # File, Quit   - type: b"


def test_the_command_and_its_report_say_which_was_used(tmp_path, macproof):
    path, report = play(MENUS, leave).saved.write(tmp_path), tmp_path / "report.json"
    page = tmp_path / "page.html"
    done = macproof("run", MENUS, "--script", path, "--json", report, "--html", page)
    words = "3 of 3 steps done, replayed by exact inputs"
    assert words in done.out
    assert words in page.read_text()
    steps = json.loads(report.read_text())["script_steps"]
    assert steps["replay"] == "by exact inputs"
    calls = steps["proof"]["calls"]
    assert f"equal to the session: {calls} of {calls} Toolbox calls" in done.out
