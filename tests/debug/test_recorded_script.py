"""A recorded script is repeated in the debugger, and nothing that is changed there ends it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from emu.debug.stops import StopReason
from emu.debug.targets import DebuggedProgram
from emu.debug.timeline import Timeline
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.users.events_file import Recording, read_events, write_events
from tests.conftest import ROOT
from tests.runner.person import Doings, Person, play

_MENUS = ROOT / "tests/programs/mac/prebuilt/68000/menus.bin"


def _choose(person: Person) -> Doings:
    yield 5
    yield from person.choose("File", "Check")
    yield from person.choose("File", "Quit")


def test_a_run_that_the_user_has_changed_is_not_held_against_its_session(tmp_path: Path) -> None:
    request = RunRequest(_MENUS, script=play(_MENUS, _choose).saved.write(tmp_path))
    events = tmp_path / "session.events.yaml"
    recording = read_events(events)
    other = dataclasses.replace(recording.checkpoints[0], log="0123456789abcdef")
    write_events(events, Recording(recording.inputs, (other, *recording.checkpoints[1:])))
    assert "Toolbox calls differ" in run_request(request).problem
    timeline = Timeline(DebuggedProgram(request))
    try:
        assert timeline.go_on().reason is StopReason.ENDED
    finally:
        timeline.close()
