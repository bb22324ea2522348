"""What a run keeps: a stated number of calls, early and late; and it plays as it would alone."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emu.port.original.session import PLAIN_SETTINGS, Session
from emu.port.recording.recorder import (
    INTERRUPTED,
    Recorder,
    RecordTerms,
    layout_facts,
    script_digest,
)
from emu.port.recording.store import RecordedCall, RecordingStore
from emu.port.replay.replayer import Replayer
from tests.port.old_game_recordings import FOLDER, GAME, TERMS, place, write_short_script

SCRIPT = FOLDER / "port" / "play.yaml"


@pytest.fixture
def short(tmp_path: Path) -> Path:
    return write_short_script(tmp_path)


def test_a_recorded_run_plays_as_one_alone(tmp_path: Path) -> None:
    alone = Session(TERMS, SCRIPT)
    assert alone.run() == ""
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(alone, "0" * 64))
    places = [place(name) for name in ("Search", "Place", "DoEvent", "main")]
    recorder = Recorder(TERMS, SCRIPT, RecordTerms(places, most=10), store)
    words: list[str] = []
    run = recorder.record(words.append)
    assert run.end == ""
    recorder._mac.on_heartbeat()
    assert words[-1].startswith("step 17 of 17, ")
    assert words[-1].endswith(f" {sum(recorder.kept_counts.values())} calls kept")
    assert recorder._mac.calls == alone.mac.calls  # every call of the Toolbox is made as often
    assert recorder.kept_counts[place("Place")] == 10
    turns = [call.turn for call in store.calls(place("Place"))]
    assert turns == sorted(turns)
    assert turns[-1] > 20  # half of the room is for later calls
    assert run.never_returned == {place("main"): 1}
    assert any(call.toolbox for call in store.calls(place("DoEvent")))


def test_a_run_that_is_out_of_time_names_the_step_that_it_waits_for(tmp_path: Path) -> None:
    script = tmp_path / "wait.yaml"
    script.write_text("schema: macproof.script/1\nsteps:\n  - menu: [File, New]\n")
    settings = replace(PLAIN_SETTINGS, timeout=1.0, idle_limit=1 << 30)
    end = Session(replace(TERMS, settings=settings), script).run()
    assert "wait.yaml, line 3: step 1 cannot be done: it has waited in vain: the" in end
    assert "the menu 'File' has no item 'New'" in end
    assert "it did not end within 1 second" in end


def test_a_program_that_draws_for_ever_ends_some_time_after_its_script(tmp_path: Path) -> None:
    script = tmp_path / "new.yaml"
    script.write_text("schema: macproof.script/1\nsteps:\n  - menu: [File, New Game]\n")
    session = Session(TERMS, script)
    idle = session.mac.events.idle

    def busy(ticks: int = 1, **more: Any) -> None:
        session.mac.host.worked = True
        idle(ticks, **more)

    session.mac.events.idle = busy  # type: ignore[method-assign]
    assert "the script is done, and the program has not ended: it has looked for" in session.run()
    assert 1000 < session.mac.events.looks < 1200


def test_a_script_that_is_recorded_again_takes_the_place_of_itself(
    tmp_path: Path, short: Path
) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(Session(TERMS), "0" * 64))
    for _ in range(2):
        Recorder(TERMS, short, RecordTerms([place("NewGame")], most=3), store).record()
    assert len(store.runs()) == 1
    assert store.runs()[0].script == script_digest(short)
    counts = store.counts()[place("NewGame")]
    assert counts == len({call.turn for call in store.calls(place("NewGame"))})
    assert GAME.exists()


def ways_of(
    file: Path, script: Path, name: str, most: int
) -> tuple[list[int], set[frozenset[tuple[int, int]]]]:
    """The turns of the calls that a run keeps, and the different ways that they go."""
    store = RecordingStore(file, layout_facts(Session(TERMS), "0" * 64))
    Recorder(TERMS, script, RecordTerms([name], most=most), store).record()
    replayer = Replayer(TERMS, store)
    edges, turns, ways = replayer.count_edges(), [], set()
    for call in store.calls(name):
        assert replayer.run(call, call.entry).returned
        turns.append(call.turn)
        own = edges.edges()
        own = own[own["address"] - call.entry < 0x200]
        ways.add(frozenset(zip(own["address"].tolist(), own["size"].tolist(), strict=True)))
    return turns, ways


def test_calls_that_are_kept_go_different_ways(tmp_path: Path, short: Path) -> None:
    """With little room it goes as many ways as with much; and the same calls are kept again."""
    name = place("Search")
    turns, ways = ways_of(tmp_path / "one.sqlite", short, name, 3)
    assert (turns, ways) == ways_of(tmp_path / "two.sqlite", short, name, 3)
    assert len(turns) == 3
    assert len(ways) == min(3, len(ways_of(tmp_path / "all.sqlite", short, name, 60)[1])) > 1


def test_pages_of_calls_that_were_not_kept_go(tmp_path: Path, short: Path) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(Session(TERMS), "0" * 64))
    Recorder(TERMS, short, RecordTerms([place("Search")], most=2), store).record()
    needed = {n for call in store.calls(place("Search")) for n in call.pages.tolist()}
    held = {number for (number,) in store._base.execute("SELECT number FROM pages")}
    assert held == needed
    assert set(store._numbers.values()) == needed


class Interruption(Exception):
    """What ends a recording in the middle."""


class FragileStore(RecordingStore):
    """Keeps some calls, and then no more."""

    left = 12

    def keep(self, call: RecordedCall) -> int:
        if not self.left:
            raise Interruption
        self.left -= 1
        return super().keep(call)


def test_an_interrupted_recording_goes_on(tmp_path: Path, short: Path) -> None:
    facts = layout_facts(Session(TERMS), "0" * 64)
    wanted = RecordTerms([place(name) for name in ("Search", "Place", "DoEvent")], most=8)
    fragile = FragileStore(tmp_path / "r.sqlite", facts)
    with pytest.raises(Interruption):
        Recorder(TERMS, short, wanted, fragile).record()
    assert [run.end for run in fragile.runs()] == [INTERRUPTED]
    fragile.close()

    again = CountingStore(tmp_path / "r.sqlite", facts)
    recorder = Recorder(TERMS, short, wanted, again)
    run = recorder.record()
    whole = CountingStore(tmp_path / "whole.sqlite", facts)
    unbroken = Recorder(TERMS, short, wanted, whole)
    assert unbroken.record() == run
    assert again.kept == whole.kept - 12
    assert recorder.kept_counts == unbroken.kept_counts == whole.counts() == again.counts()
    for name in wanted.places:
        assert {contents(again, call) for call in again.calls(name)} == {
            contents(whole, call) for call in whole.calls(name)
        }


def test_what_another_amount_has_kept_is_dropped(tmp_path: Path, short: Path) -> None:
    facts = layout_facts(Session(TERMS), "0" * 64)
    fragile = FragileStore(tmp_path / "r.sqlite", facts)
    with pytest.raises(Interruption):
        Recorder(TERMS, short, RecordTerms([place("Place")], most=40), fragile).record()
    fragile.close()
    again = CountingStore(tmp_path / "r.sqlite", facts)
    Recorder(TERMS, short, RecordTerms([place("Place")], most=8), again).record()
    assert again.counts() == {place("Place"): 8}


def test_a_file_that_is_full_keeps_no_more(tmp_path: Path, short: Path) -> None:
    facts = layout_facts(Session(TERMS), "0" * 64)
    store = RecordingStore(tmp_path / "r.sqlite", facts)
    places = [place(name) for name in ("Place", "DoEvent")]
    terms = RecordTerms(places, most=1000, most_bytes=100_000)
    recorder = Recorder(TERMS, short, terms, store)
    recorder.record()
    assert recorder.kept_counts.keys() <= set(places)
    assert sum(recorder.kept_counts.values()) < 40  # of 48, which take 233,472 bytes
    assert store.size < 200_000  # what was under way when it was full is kept still


class CountingStore(RecordingStore):
    """Counts the calls that it is given."""

    kept = 0

    def keep(self, call: RecordedCall) -> int:
        self.kept += 1
        return super().keep(call)


def contents(store: RecordingStore, call: RecordedCall) -> tuple[object, ...]:
    """A call without the numbers of pages."""
    digest = hashlib.sha256()
    for number in call.pages:
        digest.update(store.page(int(number)))
    return call.turn, call.entry, call.registers, len(call.toolbox), digest.hexdigest()
