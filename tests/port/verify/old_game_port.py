"""The port of the old game, copied, with recordings of a few functions."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recordings import open_store, record_script
from emu.port.verify.build import build_port, claimed
from tests.gallery.old_game import FOLDER


def recorded_port(folder: Path, names: Sequence[str], most: int = 8) -> Path:
    """Copy the game and its port, and record calls of functions; the folder of the port."""
    shutil.copytree(FOLDER, folder)
    record(folder / "port", names, most)
    return folder / "port"


def record(port: Path, names: Sequence[str], most: int) -> None:
    """Record calls of functions."""
    project = read_project(port)
    functions = claimed(build_port(project).claims, names, project.path)
    terms = SessionTerms(project.original, project.cpu)
    with open_store(project, terms) as store:
        record_script(
            terms,
            project.scripts[0],
            store,
            places=[one.place for one in functions],
            globals_=[],
            most=most,
            most_bytes=1 << 28,
        )
