"""Changes of memory are found without comparing all of it, also those that nothing notes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from emu.port.original.session import Session
from emu.port.recording import memory_changes
from emu.port.recording.memory_changes import MemoryAccesses, MemoryChanges
from emu.port.recording.recorder import Recorder, RecordTerms, layout_facts
from emu.port.recording.store import RecordingStore
from emu.toolbox.macintosh import Call, Perform
from tests.gallery.old_game import FOLDER
from tests.port.old_game_recordings import TERMS, place
from tests.toolbox.conftest import do


def test_all_that_managers_change_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_changes, "_RARER", 1 << 30)  # all memory is compared at every call
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(Session(TERMS), "0" * 64))
    script = FOLDER / "port" / "play.yaml"
    places = [place(name) for name in ("NewGame", "DoEvent")]
    recorder = Recorder(TERMS, script, RecordTerms(places, most=20), store)
    assert recorder.record().end == ""
    assert recorder._changes.unnoted == set()


def test_changes_that_nothing_notes_are_found_at_every_later_call() -> None:
    session = Session(TERMS)
    mac = session.mac
    at = mac.layout.stack + 64
    seen = MemoryChanges(mac, session.regions)
    routine = SimpleNamespace(name="Anything")

    def perform(value: int, *, is_noted: bool) -> Any:
        def handler(*_: Any) -> None:
            if is_noted:
                mac.guest.put8(at, value)
            else:
                mac.engine.memory.write(at, bytes([value]))

        def do(*call: Any) -> None:
            handler(*call)

        return seen.perform(do, cast(Call, (routine, handler, (), {}))).writes

    assert perform(1, is_noted=True) == ((at, b"\x01"),)
    assert seen.unnoted == set()
    assert perform(2, is_noted=False) == ((at, b"\x02"),)
    assert seen.unnoted == {routine.name}
    for value in range(3, 20):
        assert perform(value, is_noted=False) == ((at, bytes([value])),)


def test_what_a_call_reads_and_then_moves_is_kept_as_it_was() -> None:
    """A union with a region of its own makes it longer, so that the heap moves it."""
    session = Session(TERMS)
    mac, found = session.mac, dict[str, MemoryAccesses]()
    seen = MemoryChanges(mac, session.regions)
    rectangle = mac.memory.new_pointer(8)
    mac.guest.put_rect(rectangle, 20, 20, 30, 30)
    other = do(mac, "NewRgn")
    do(mac, "RectRgn", other, rectangle)
    mac.guest.put_rect(rectangle, 0, 0, 10, 10)

    def conduct(perform: Perform, call: Call) -> Any:
        found[call[0].name] = seen.perform(perform, call)
        return found[call[0].name].result

    mac.interpose(conduct)
    for _ in range(12):  # all memory is copied at the first ones
        own, _behind = do(mac, "NewRgn"), do(mac, "NewRgn")
        do(mac, "RectRgn", own, rectangle)
        before = mac.guest.u32(own)
        do(mac, "UnionRgn", own, other, own)
        read = {at + n: byte for at, data in found["UnionRgn"].reads for n, byte in enumerate(data)}
        assert int.from_bytes([read[own + n] for n in range(4)], "big") == before
        assert [read[before + 2 + n] for n in range(8)] == [0, 0, 0, 0, 0, 10, 0, 10]
        assert mac.guest.u32(own) != before
