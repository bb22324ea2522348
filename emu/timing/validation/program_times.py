"""Runs binaries with published times on the clock of a cycle model, and reads what they print."""

from __future__ import annotations

import datetime
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import emu
from emu.base.errors import GuestError, InputError, UsageError
from emu.base.files import read_at_most
from emu.base.processes.workers import run_apart
from emu.cycles.validation.decimals import positive
from emu.cycles.validation.published_times import (
    PublishedProgram,
    PublishedTime,
    PublishedTimes,
)
from emu.program.mac_file.mac_file import read_mac_file
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.computer.settings import Settings

_LARGEST_TABLE = 1 << 20
_TIMEOUT = 3600.0


@dataclass(frozen=True, slots=True)
class FoundProgram:
    """A program of a collection.

    Attributes:
        program: what is known of it.
        binary: its file.
        table: the file with the published table.
    """

    program: PublishedProgram
    binary: Path
    table: Path


def find_programs(
    folder: Path, programs: Mapping[str, PublishedProgram]
) -> tuple[FoundProgram, ...]:
    """The programs that lie somewhere in a folder.

    Raises:
        UsageError: there is no such folder, or none of the programs is in it.
        ProgramError: a file is damaged.
    """
    if not folder.is_dir():
        raise UsageError(f"--published: there is no folder {folder}")
    wanted = {end for one in programs.values() for end in (one.binary, one.table)}
    places = _places(folder, wanted)
    found = tuple(
        FoundProgram(one, places[one.binary], places[one.table])
        for one in programs.values()
        if one.binary in places and one.table in places
    )
    for one in found:
        if code_digest(one.binary) != one.program.sha256:
            raise UsageError(
                f"--published: {one.binary} is another binary than the one whose times were "
                "published"
            )
    if not found:
        titles = ", ".join(dict.fromkeys(one.title for one in programs.values()))
        raise UsageError(f"--published: {folder} has none of these programs: {titles}")
    return found


def _places(folder: Path, ends: set[str]) -> dict[str, Path]:
    """The files below a folder whose paths end so, the first of each."""
    names = {end.rpartition("/")[2] for end in ends}
    found: dict[str, Path] = {}
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names.intersection(files):
            path = Path(parent, name)
            for end in ends:
                if path.as_posix().endswith(f"/{end}"):
                    found.setdefault(end, path)
    return found


def code_digest(binary: Path) -> str:
    """SHA-256 of a Mac file's data fork, followed by its resource fork.

    Raises:
        ProgramError: it is not there, or is no Mac file.
    """
    file = read_mac_file(binary)
    return hashlib.sha256(file.data + file.resource_fork).hexdigest()


def predicted_times(found: FoundProgram) -> tuple[PublishedTime, ...]:
    """Run a program, and lay the times that it prints beside those that were published.

    Raises:
        GuestError: the program could not go on, or printed another table.
        InputError: the published table is not there, or has no times.
    """
    program = found.program
    data = read_at_most(found.table, _LARGEST_TABLE, "a table of times")
    published = _checked(found.table, read_table(data.decode("mac_roman"), program))
    result = run_apart(
        run_request,
        RunRequest(
            program=found.binary,
            cpu=program.cpu,
            settings=Settings(timeout=_TIMEOUT, scramble=False),
            clock="model",
            megahertz=program.megahertz,
            output_file=program.prints_into,
        ),
    )
    if result.problem:
        raise GuestError(f"{found.binary.name}: {result.problem}")
    printed = read_table(result.output or result.text, program)
    if printed.keys() != published.keys():
        missing = sorted(published.keys() ^ printed.keys())
        raise GuestError(
            f"{found.binary.name} printed another table than was published: {missing[0]} is in one "
            "of both"
        )
    return tuple(PublishedTime(name, time, printed[name]) for name, time in published.items())


def _checked(table: Path, times: dict[str, float]) -> dict[str, float]:
    if not times:
        raise InputError(table, "it has no line of times, with all columns of the table")
    return times


def read_table(text: str, program: PublishedProgram) -> dict[str, float]:
    """The seconds in a printed table, by the names of its lines; the first of each name."""
    times: dict[str, float] = {}
    for words in _rows(text, len(program.columns)):
        row = dict(zip(program.columns, words, strict=True))
        seconds = positive(row[program.time])
        if seconds is not None:
            times.setdefault(" ".join(row[name] for name in program.named_by), seconds)
    return times


def _rows(text: str, columns: int) -> Iterator[list[str]]:
    for line in text.replace("\r", "\n").splitlines():
        words = line.split()
        if len(words) == columns:
            yield words


def measure_all(found: tuple[FoundProgram, ...]) -> PublishedTimes:
    """Predict the times of programs.

    Raises:
        GuestError, InputError: as `predicted_times`.
    """
    times = {one.program.key: predicted_times(one) for one in found}
    return PublishedTimes(datetime.date.today().isoformat(), emu.__version__, times)
