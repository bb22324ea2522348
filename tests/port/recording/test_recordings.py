"""Two recorders of one file do not mix what they keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.port.original.session import Session
from emu.port.recording.recorder import layout_facts
from emu.port.recording.recordings import _sole_recorder, record_script
from emu.port.recording.store import RecordingStore
from tests.gallery.old_game import FOLDER
from tests.port.old_game_recordings import TERMS

SCRIPT = FOLDER / "port" / "play.yaml"


def test_a_second_recorder_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(Session(TERMS), "0" * 64))
    with (
        _sole_recorder(store.path),
        pytest.raises(UsageError, match=r"r\.sqlite: another recording into it is under way"),
    ):
        record_script(TERMS, SCRIPT, store, places=[], globals_=[], most=1, most_bytes=1 << 20)
    assert store.runs() == []
    with _sole_recorder(store.path):
        pass


def test_a_file_that_another_process_writes_is_not_called_damaged(tmp_path: Path) -> None:
    first, second = (RecordingStore(tmp_path / "r.sqlite", {}) for _ in range(2))
    second._base.execute("PRAGMA busy_timeout=1")
    with (
        first.transaction(),
        pytest.raises(UsageError, match="another process writes it now"),
    ):
        first._base.execute("DELETE FROM calls")
        second.begin_run("s", "w")
