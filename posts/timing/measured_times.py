"""Measured times: reads files with the times that a routine took on real Macintoshes.

Three kinds of file are read:

* the text that a program printed, such as ``200 objects: 2401 in 30024000 us: 12500 us/iter``;
* the file of results that PortCheck wrote;
* the JSON file that ``macproof results --json`` makes of PortCheck's files.

``macproof run`` emulates a Macintosh whose clock does not follow any real one, so times measured
under it mean nothing. Files that say that they were made under it are left out, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.files import read_at_most
from emu.program.mac_file.mac_file import read_mac_file
from emu.report.json_form import parse_json
from emu.results.check import REFUTED, check_results
from emu.results.report import SCHEMA, CheckedFile, ResultsReport
from emu.results.results_file import ResultsFile, Timing, read_results_file
from emu.results.scenes_file import default_scenes
from macproof import InputError

_RESULTS = b"macproof results "
_LARGEST = 4 << 20  # bytes
_FASTEST = 1e7  # calls per second; no Macintosh calls even an empty routine as often
_MOST_DIGITS = 18
_LINE = re.compile(r"\s*([0-9]+) objects: ([0-9]+) in ([0-9]+) us:.*")
_FORMS = (
    'lines like "200 objects: 2401 in 30024000 us:", a results file of PortCheck, and the JSON of '
    "macproof results"
)


@dataclass(frozen=True, slots=True)
class MeasuredSpeeds:
    """Speeds of a routine that a user measured on a machine.

    Attributes:
        machine: the name of the machine, such as "Quadra 700, 68040".
        cpu: the name of its processor; None if it is unknown.
        file: the file with the times.
        per_second: calls per second, by number of objects.
        note: a sentence that the reader should know about these times; None if there is none.
    """

    machine: str
    cpu: str | None
    file: Path
    per_second: Mapping[int, float]
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Measurements:
    """The times in some files.

    Attributes:
        found: one entry for each machine.
        left_out: one sentence for each file whose times were not taken, with the reason.
    """

    found: Sequence[MeasuredSpeeds]
    left_out: Sequence[str]


def read_measured(paths: Iterable[Path], routine: str) -> Measurements:
    """Read the times of a routine from files.

    Args:
        paths: the files: plain, MacBinary, AppleSingle, or ``disk.dsk:NAME`` for a file on a disk
            image.
        routine: the name of the case. A file may hold times of several routines; only those of
            this one are read.

    Raises:
        InputError: a file cannot be read, is of no known kind, has no times of the routine, or has
            wrong results.
    """
    speeds_read: list[MeasuredSpeeds] = []
    left_out: list[str] = []
    for path in paths:
        for speeds in _measured_in(path, routine):
            if isinstance(speeds, MeasuredSpeeds):
                speeds_read.append(speeds)
            else:
                left_out.append(speeds)
    return Measurements(tuple(speeds_read), tuple(left_out))


def _measured_in(path: Path, routine: str) -> Iterator[MeasuredSpeeds | str]:
    """The times in one file; a sentence in place of times that are not taken."""
    data = _read(path)
    if data.startswith(_RESULTS):
        yield _of_portcheck(read_results_file(path), routine)
    elif data.lstrip().startswith(b"{"):
        yield from _of_json(path, data, routine)
    else:
        yield _of_text(path, data)


def _virtual(file: str | Path) -> str:
    return f"{file}: its times were measured under macproof run, whose clock is not a real one"


def _read(path: Path) -> bytes:
    """The contents of the file, without a MacBinary or AppleSingle header."""
    if not path.exists() and ":" in path.name:
        return _of_allowed_size(path, read_mac_file(path).data)
    data = read_at_most(path, _LARGEST, "a file of times")
    return _of_allowed_size(path, read_mac_file(path).data) if data[:1] == b"\0" else data


def _of_allowed_size(path: Path, data: bytes) -> bytes:
    if len(data) > _LARGEST:
        raise InputError(path, f"it has more than {_LARGEST:,} bytes, too large for times")
    return data


def _of_portcheck(results: ResultsFile, routine: str) -> MeasuredSpeeds | str:
    if results.is_virtual:
        return _virtual(results.path)
    scenes = default_scenes()
    note = None
    if results.scenes_crc == scenes.crc:
        checked = check_results(results, scenes)
        if checked.refutations:
            raise InputError(
                results.path,
                f"its results are wrong, so its times mean nothing: {checked.refutations[0]}",
            )
    else:
        note = "It was made with other scenes, so its results could not be checked here."
    times = _speeds(results.path, results.timings, routine)
    if not times:
        raise InputError(results.path, f"it has no times of {routine}")
    return MeasuredSpeeds(results.machine, results.about["cpu"], results.path, times, note)


def _of_json(path: Path, data: bytes, routine: str) -> list[MeasuredSpeeds | str]:
    speeds: list[MeasuredSpeeds | str] = []
    for report in parse_json(data, path, ResultsReport, SCHEMA):
        for file in report.files:
            speeds += _of_json_file(path, file, routine)
    if not speeds:
        raise InputError(path, f"it has no times of {routine}")
    return speeds


def _of_json_file(path: Path, file: CheckedFile, routine: str) -> Iterator[MeasuredSpeeds | str]:
    if file.virtual_clock:
        yield _virtual(f"{path}, {file.file}")
        return
    if file.verdict == REFUTED:
        raise InputError(path, f"the results of {file.file} are wrong, so its times mean nothing")
    if not {"machine", "cpu"} <= file.about.keys():
        raise InputError(path, f"the report is damaged: {file.file} names no machine or no cpu")
    times = _speeds(path, file.timings, routine)
    if times:
        number, _, name = file.about["machine"].partition(" ")
        cpu = file.about["cpu"]
        yield MeasuredSpeeds(f"{name or f'machine {number}'}, {cpu}", cpu, path, times)


def _of_text(path: Path, data: bytes) -> MeasuredSpeeds:
    text = data.decode("mac_roman")
    times: dict[int, float] = {}
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        where = f"line {number}"
        if max(map(len, match.groups())) > _MOST_DIGITS:
            raise InputError(path, "a number is far too large", where=where)
        objects, iterations, microseconds = map(int, match.groups())
        if objects in times:
            raise InputError(
                path,
                f"it has a second time for {objects} objects",
                where=where,
                remedy="Give each run a file of its own.",
            )
        times[objects] = _speed(path, iterations, microseconds, where)
    if not times:
        raise InputError(path, "it has no times", remedy=f"Times are read from {_FORMS}.")
    note = (
        "The text does not name its machine. If it was printed under macproof run, its times mean "
        "nothing."
    )
    return MeasuredSpeeds(path.stem, None, path, times, note)


def _speeds(path: Path, timings: Iterable[Timing], routine: str) -> dict[int, float]:
    """Calls of the routine per second, by number of objects."""
    speeds = {}
    for timing in timings:
        if timing.routine == routine:
            numbers = (timing.objects, timing.iterations, timing.microseconds)
            if not all(0 <= number < 10**_MOST_DIGITS for number in numbers):
                raise InputError(path, f"a number is negative or far too large: {timing}")
            speeds[timing.objects] = _speed(path, timing.iterations, timing.microseconds)
    return speeds


def _speed(path: Path, iterations: int, microseconds: int, where: str = "") -> float:
    """Calls per second."""
    if iterations <= 0 or microseconds <= 0:
        problem = "a time needs at least one iteration and one microsecond"
        raise InputError(path, problem, where=where)
    speed = iterations * 1e6 / microseconds
    if speed > _FASTEST:
        problem = f"no Macintosh makes more than {_FASTEST:,.0f} calls per second"
        raise InputError(path, problem, where=where)
    return speed
