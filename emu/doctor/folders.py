"""The folders that macproof writes to: whether it may, and how much room there is."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from emu.base.errors import ToolMissingError
from emu.base.processes.worker_start import SHARED_MEMORY, require_shared_locks
from emu.doctor.report import Facility, State
from emu.toolchain.build_cache import cache_folder

FOLDERS = "folders"
_LEAST = 64 << 20
"""Bytes that have to be free: the programs of all cases and the answers of the largest fit."""


def examine_folders() -> Iterator[Facility]:
    """Try to write to each folder."""
    try:
        temporary = Path(tempfile.gettempdir())
    except OSError as error:
        yield Facility(
            FOLDERS, "temporary files", State.NEEDED, str(error), "macproof verify cannot run"
        )
    else:
        yield _examined("temporary files", temporary, State.NEEDED, "macproof verify cannot run")
    yield _examined(
        "cache (MACPROOF_CACHE)",
        cache_folder(),
        State.MISSING,
        "nothing can be compiled; prebuilt programs run",
    )
    yield _shared_memory()


def _examined(name: str, folder: Path, state: State, cost: str) -> Facility:
    """Whether a file can be made in a folder, or in the one that it would be made in."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    try:
        with tempfile.TemporaryFile(dir=there):
            free = shutil.disk_usage(there).free
    except OSError as error:
        problem = f"{there} cannot be written to: {error.strerror}"
        return Facility(FOLDERS, name, state, problem, cost)
    if free < _LEAST:
        problem = f"{folder} has {_size(free)} free, and {_size(_LEAST)} may be needed"
        return Facility(FOLDERS, name, state, problem, cost)
    new = "" if there == folder else ", is made when it is needed"
    return Facility(FOLDERS, name, State.PRESENT, f"{folder}{new}, {_size(free)} free")


def _shared_memory() -> Facility:
    name = "shared memory"
    try:
        require_shared_locks()
    except ToolMissingError as error:
        return Facility(FOLDERS, name, State.NEEDED, str(error), "macproof verify cannot run")
    if sys.platform != "linux":
        return Facility(FOLDERS, name, State.PRESENT, "locks of worker processes can be made")
    free = shutil.disk_usage(SHARED_MEMORY).free
    return Facility(FOLDERS, name, State.PRESENT, f"{SHARED_MEMORY}, {_size(free)} free")


def _size(count: int) -> str:
    return f"{count >> 20:,} MB"
