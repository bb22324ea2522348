"""Times from real machines, in any of the forms in which they come.

* the text that a program printed: ``200 objects: 2401 in 30024000 us:  12500 us/iter, ...``;
* the file of results that PortCheck wrote;
* the JSON that ``macproof results --json`` makes of such files.

Times of ``macproof run`` are virtual: its clock measures nothing. They are left out, which is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.errors import InputError
from emu.base.files import read_at_most
from emu.program.mac_file import read_mac_file
from emu.results.check import REFUTED, check_results
from emu.results.report import SCHEMA
from emu.results.results_file import ResultsFile, read_results_file
from emu.results.scenes_file import default_scenes

_RESULTS = b"macproof results "
_LARGEST = 4 << 20
_FASTEST = 1e7  # calls in a second: no Macintosh calls even an empty routine as often
_MOST_DIGITS = 18
_LINE = re.compile(r"\s*([0-9]+) objects: ([0-9]+) in ([0-9]+) us:.*")
_FORMS = (
    'lines like "200 objects: 2401 in 30024000 us:", a file of PortCheck\'s, or the JSON of '
    "macproof results"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What one machine did.

    Attributes:
        machine: what it is called.
        file: where the times are from.
        per_second: complete calls in a second, by number of objects.
        cpu: its processor, as the file names it; "" if it does not.
        note: what is to be known about them, as a sentence; "" for nothing.
    """

    machine: str
    file: Path
    per_second: Mapping[int, float]
    cpu: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Measurements:
    """All measured times, and what was left out, in sentences."""

    found: Sequence[Measured]
    left_out: Sequence[str]


def read_measured(paths: Iterable[Path], routine: str) -> Measurements:
    """Read files of times of a routine.

    Args:
        paths: the files, plain, MacBinary or AppleSingle, or ``disk.dsk:NAME``.
        routine: the case's name; of a file with times of several routines these are taken.

    Raises:
        InputError: a file cannot be read, is none of these, has no times of the routine, or has
            results that are wrong.
    """
    found: list[Measured] = []
    left_out: list[str] = []
    for path in paths:
        data = _read(path)
        if data.startswith(_RESULTS):
            one = _of_portcheck(read_results_file(path), routine)
            _keep(found, left_out, [one])
        elif data.lstrip().startswith(b"{"):
            _keep(found, left_out, _of_json(path, data, routine))
        else:
            _keep(found, left_out, [_of_text(path, data)])
    return Measurements(tuple(found), tuple(left_out))


def _keep(found: list[Measured], left_out: list[str], ones: Sequence[Measured | str]) -> None:
    for one in ones:
        if isinstance(one, str):
            left_out.append(one)
        else:
            found.append(one)


def _virtual(path: Path) -> str:
    return f"{path}: its times are of macproof run, whose clock measures nothing"


def _read(path: Path) -> bytes:
    """The file's contents, taken out of what a Macintosh's file may be wrapped in."""
    if not path.exists() and ":" in path.name:
        return _within(path, read_mac_file(path).data)
    data = read_at_most(path, _LARGEST, "a file of times")
    return _within(path, read_mac_file(path).data) if data[:1] == b"\0" else data


def _within(path: Path, data: bytes) -> bytes:
    if len(data) > _LARGEST:
        raise InputError(path, f"it has more than {_LARGEST:,} bytes, too large for times")
    return data


def _of_portcheck(results: ResultsFile, routine: str) -> Measured | str:
    if results.is_virtual:
        return _virtual(results.path)
    scenes = default_scenes()
    note = ""
    if results.scenes_crc == scenes.crc:
        checked = check_results(results, scenes)
        if checked.refutations:
            raise InputError(
                results.path,
                f"its results are wrong, so its times mean nothing: {checked.refutations[0]}",
            )
    else:
        note = "It was made with other scenes, so that its results could not be checked here."
    times = {t.objects: t.per_second for t in results.timings if t.routine == routine}
    if not times:
        raise InputError(results.path, f"it has no times of {routine}")
    return Measured(results.machine, results.path, times, results.about["cpu"], note)


def _of_json(path: Path, data: bytes, routine: str) -> list[Measured | str]:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"it is not JSON: {error}") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise InputError(
            path, f"it is not of schema {SCHEMA}", remedy="macproof results --json writes it."
        )
    try:
        ones = [_of_json_file(path, one, routine) for one in document["files"]]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(path, f"it is damaged ({error!r})") from error
    found = [one for one in ones if one is not None]
    if not found:
        raise InputError(path, f"it has no times of {routine}")
    return found


def _of_json_file(path: Path, one: Mapping[str, Any], routine: str) -> Measured | str | None:
    about = one["about"]
    machine, cpu = _text(about["machine"]), _text(about["cpu"])
    if one["virtual_clock"]:
        return _virtual(Path(f"{path}, {_text(one['file'])}"))
    if one["verdict"] == REFUTED:
        raise InputError(path, f"the results of {one['file']} are wrong, so its times mean nothing")
    times = {
        _whole(time["objects"]): _speed(
            path, _whole(time["iterations"]), _whole(time["microseconds"])
        )
        for time in one["timings"]
        if time["routine"] == routine
    }
    number, _, name = machine.partition(" ")
    title = f"{name or f'machine {number}'}, {cpu}"
    return Measured(title, path, times, cpu) if times else None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no text")
    return value


def _whole(value: object) -> int:
    """A number of JSON that cannot be negative, no fraction, and no larger than any time."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**_MOST_DIGITS:
        raise ValueError(f"{value!r:.40} is no number of objects, iterations or microseconds")
    return value


def _of_text(path: Path, data: bytes) -> Measured:
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
        raise InputError(path, "it has no times", remedy=f"Known are {_FORMS}.")
    note = (
        "The text does not name its machine; if it was printed under macproof run, its times are "
        "virtual and mean nothing."
    )
    return Measured(path.stem, path, times, note=note)


def _speed(path: Path, iterations: int, microseconds: int, where: str = "") -> float:
    if iterations <= 0 or microseconds <= 0:
        raise InputError(path, "no iterations, or no time, is no measurement", where=where)
    speed = iterations * 1e6 / microseconds
    if speed > _FASTEST:
        raise InputError(
            path,
            f"more than {_FASTEST:,.0f} calls in a second are more than any Macintosh makes",
            where=where,
        )
    return speed
