"""The file of recordings: what is kept is read again, and a file of another kind is refused."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import UsageError
from emu.machine.memory.memory import PAGE
from emu.port.recording.store import RecordedCall, RecordedRun, RecordingStore
from emu.port.recording.toolbox_calls import ToolboxAnswer

FACTS = {"original": "ab" * 32, "processor": "68040", "memory": "[]"}
ANSWER = ToolboxAnswer("MoveTo", (3, 4), None, (), ((16, b"ab"),), {0: 7})


def call(store: RecordingStore, turn: int = 1) -> RecordedCall:
    pages = [store.keep_page(bytes([n]) * PAGE) for n in (0, 1, 0)]
    numbers = np.array(pages, dtype=np.uint32)
    return RecordedCall("CODE 1+0x10", "s", turn, 64, (1, 2), (0.5,), numbers, (ANSWER,), {5: 6})


def test_a_call_is_read_as_it_was_kept(tmp_path: Path) -> None:
    store = RecordingStore(tmp_path / "deep" / "r.sqlite", FACTS)
    with store.transaction():
        store.keep(kept := call(store))
        store.keep_run(run := RecordedRun("s", {"CODE 1+0x10": 3}, {}, "", {"CODE 1+0x0": 54}))
    store.close()
    again = RecordingStore(tmp_path / "deep" / "r.sqlite", FACTS)
    (found,) = again.calls("CODE 1+0x10")
    assert found.pages.tolist() == kept.pages.tolist()
    assert (found.toolbox, found.registers, found.floats) == ((ANSWER,), (1, 2), (0.5,))
    assert (found.patches, again.counts()) == ({5: 6}, {"CODE 1+0x10": 1})
    assert again.runs() == [run]
    assert again.page(int(found.pages[1])).tobytes() == b"\1" * PAGE
    assert found.pages[0] == found.pages[2]  # a page is kept once


def test_what_fails_keeps_nothing(tmp_path: Path) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", FACTS)
    with pytest.raises(KeyError), store.transaction():
        store.keep(call(store))
        raise KeyError
    assert store.counts() == {}
    with store.transaction():
        store.keep(call(store))  # the pages of the first attempt are not there
    (found,) = store.calls("CODE 1+0x10")
    assert store.page(int(found.pages[1])).tobytes() == b"\1" * PAGE


def test_recordings_of_another_program_are_refused(tmp_path: Path) -> None:
    RecordingStore(tmp_path / "r.sqlite", FACTS).close()
    with pytest.raises(UsageError, match="another original"):
        RecordingStore(tmp_path / "r.sqlite", {**FACTS, "original": "cd" * 32})


def test_a_file_that_is_none_of_recordings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(UsageError, match="delete it and record again"):
        RecordingStore(tmp_path / "r.sqlite", FACTS)


@pytest.mark.parametrize("column", ["registers", "pages", "toolbox", "patches"])
def test_a_damaged_call_is_a_sentence(tmp_path: Path, column: str) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", FACTS)
    with store.transaction():
        store.keep(call(store))
    store.close()
    with sqlite3.connect(tmp_path / "r.sqlite") as base:
        base.execute(f"UPDATE calls SET {column} = x'00ff01'")
    with pytest.raises(UsageError, match="call 1 of CODE 1"):
        list(RecordingStore(tmp_path / "r.sqlite", FACTS).calls("CODE 1+0x10"))


def test_a_full_disk_is_no_damage(tmp_path: Path) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", FACTS)
    store._base.execute("PRAGMA max_page_count = 9")  # as if the disk had no more
    with pytest.raises(UsageError, match="disk is full; the folder for recordings") as raised:
        for number in range(99):
            store.keep_page(random.Random(number).randbytes(PAGE))
    assert "delete" not in str(raised.value)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file: File exists; the folder for recordings"):
        RecordingStore(tmp_path / "file" / "r.sqlite", FACTS)


def test_a_damaged_page_is_a_sentence(tmp_path: Path) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", FACTS)
    with store.transaction():
        number = store.keep_page(b"\1" * PAGE)
    store.close()
    with sqlite3.connect(tmp_path / "r.sqlite") as base:
        base.execute("UPDATE pages SET data = x'00'")
    with pytest.raises(UsageError, match="page 1 is damaged"):
        RecordingStore(tmp_path / "r.sqlite", FACTS).page(number)
