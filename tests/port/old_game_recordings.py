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
_SHORT = """
schema: macproof.script/1
steps:
  - wait: {window: Turncoat}
  - click: {window: [92, 68]}
  - click: {window: [68, 92]}
  - menu: [File, Save Game]
  - menu: [File, New Game]
  - key: q
    modifiers: [command]
"""


def write_short_script(folder: Path) -> Path:
    """Two moves, a game that is saved, a new one: a quarter of the time of the port's script."""
    path = folder / "short.yaml"
    path.write_text(_SHORT)
    return path


def place(name: str) -> str:
    program = read_program(GAME)
    return place_of(program, program.function(name))


def recorded(path: Path, names: Sequence[str], most: int = 6) -> RecordingStore:
    store = RecordingStore(path, layout_facts(Session(TERMS), "0" * 64))
    places = [place(name) for name in names]
    script = write_short_script(path.parent)
    Recorder(TERMS, script, RecordTerms(places, most=most), store).record()
    return store
