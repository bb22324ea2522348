"""What a run keeps: a stated number of calls, early and late; and it plays as it would alone."""

from __future__ import annotations

from pathlib import Path

from emu.port.original.session import Session
from emu.port.recording.recorder import Recorder, RecordTerms, layout_facts, script_digest
from emu.port.recording.store import RecordingStore
from emu.port.replay.replayer import Replayer
from tests.port.old_game_recordings import FOLDER, GAME, TERMS, place

SCRIPT = FOLDER / "port" / "play.yaml"


def test_a_recorded_run_plays_as_one_alone(tmp_path: Path) -> None:
    alone = Session(TERMS, SCRIPT)
    assert alone.run() == ""
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(alone, "0" * 64))
    places = [place(name) for name in ("Search", "Place", "DoEvent", "main")]
    recorder = Recorder(TERMS, SCRIPT, RecordTerms(places, most=10), store)
    run = recorder.record()
    assert run.end == ""
    assert recorder._mac.calls == alone.mac.calls  # every call of the Toolbox is made as often
    assert recorder.kept_counts[place("Place")] == 10
    turns = [call.turn for call in store.calls(place("Place"))]
    assert turns == sorted(turns)
    assert turns[-1] > 20  # half of the room is for later calls
    assert run.never_returned == {place("main"): 1}
    assert any(call.toolbox for call in store.calls(place("DoEvent")))


def test_a_script_that_is_recorded_again_takes_the_place_of_itself(tmp_path: Path) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(Session(TERMS), "0" * 64))
    for _ in range(2):
        Recorder(TERMS, SCRIPT, RecordTerms([place("NewGame")], most=3), store).record()
    assert len(store.runs()) == 1
    assert store.runs()[0].script == script_digest(SCRIPT)
    counts = store.counts()[place("NewGame")]
    assert counts == len({call.turn for call in store.calls(place("NewGame"))})
    assert GAME.exists()


def ways_of(file: Path, name: str, most: int) -> tuple[list[int], set[frozenset[tuple[int, int]]]]:
    """The turns of the calls that a run keeps, and the different ways that they go."""
    store = RecordingStore(file, layout_facts(Session(TERMS), "0" * 64))
    Recorder(TERMS, SCRIPT, RecordTerms([name], most=most), store).record()
    replayer = Replayer(TERMS, store)
    edges, turns, ways = replayer.count_edges(), [], set()
    for call in store.calls(name):
        assert replayer.run(call, call.entry).returned
        turns.append(call.turn)
        own = edges.edges()
        own = own[own["address"] - call.entry < 0x200]
        ways.add(frozenset(zip(own["address"].tolist(), own["size"].tolist(), strict=True)))
    return turns, ways


def test_calls_that_are_kept_go_different_ways(tmp_path: Path) -> None:
    """With little room it goes as many ways as with much; and the same calls are kept again."""
    name = place("Search")
    turns, ways = ways_of(tmp_path / "one.sqlite", name, 3)
    assert (turns, ways) == ways_of(tmp_path / "two.sqlite", name, 3)
    assert len(turns) == 3
    assert len(ways) == min(3, len(ways_of(tmp_path / "all.sqlite", name, 60)[1])) > 1


def test_pages_of_calls_that_were_not_kept_go(tmp_path: Path) -> None:
    store = RecordingStore(tmp_path / "r.sqlite", layout_facts(Session(TERMS), "0" * 64))
    Recorder(TERMS, SCRIPT, RecordTerms([place("Search")], most=2), store).record()
    needed = {n for call in store.calls(place("Search")) for n in call.pages.tolist()}
    held = {number for (number,) in store._base.execute("SELECT number FROM pages")}
    assert held == needed
    assert set(store._numbers.values()) == needed
