"""Recordings of a few functions of the old game, made once for each module that asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from emu.port.original.session import Session, SessionTerms
from emu.port.recording.recorder import Recorder, RecordTerms, layout_facts
from emu.port.recording.store import RecordingStore
from emu.program import read_program
from emu.program.instructions.listing import place_of
from tests.gallery.old_game import FOLDER

GAME = FOLDER / "Turncoat.bin"
TERMS = SessionTerms(GAME, "68040")


def place(name: str) -> str:
    program = read_program(GAME)
    return place_of(program, program.function(name))


def recorded(path: Path, names: Sequence[str], most: int = 6) -> RecordingStore:
    store = RecordingStore(path, layout_facts(Session(TERMS), "0" * 64))
    places = [place(name) for name in names]
    script = FOLDER / "port" / "play.yaml"
    Recorder(TERMS, script, RecordTerms(places, most=most), store).record()
    return store
