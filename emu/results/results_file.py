"""The file of results that PortCheck writes.

::

    macproof results 1
    KEY: VALUE                              a line for each of `KEYS`, in their order
    scene INDEX OBJECTS ROUTINE DIGEST      a line for each scene a routine was run on
    time ROUTINE OBJECTS ITERATIONS MICROSECONDS
    end CRC

`text_file` describes line ends and the CRC. Scenes are listed routine by routine, for each in the
order of the file of scenes. Times are listed routine by routine too, for each by growing number of
objects. This module does not compare digests; `check` does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.results.text_file import CheckedLines, check_lines, quoted, read_lines, whole_number

RESULTS_NAME = "PortCheck Results"
"""What the file is called on the Macintosh."""

KEYS = (
    "program",
    "build",
    "compiler",
    "cpu",
    "machine",
    "system",
    "clock",
    "screen",
    "free-memory",
    "scenes-crc",
    "date",
)
"""What the file says of the machine, in this order."""

_TITLE = "macproof results 1"
_LARGEST = 1 << 20
_MOST = 2**32 - 1
_FASTEST = 10_000_000  # runs in a second; no Macintosh can call even an empty routine so often
_ROUTINE = r"[a-z][a-z0-9-]{0,30}"
_SCENE = re.compile(rf"scene ([0-9]+) ([0-9]+) ({_ROUTINE}) ([0-9a-f]{{8}})")
_TIME = re.compile(rf"time ({_ROUTINE}) ([0-9]+) ([0-9]+) ([0-9]+)")
_CRC = re.compile(r"[0-9a-f]{8}")
_UNDER_MACPROOF = "macproof"


@dataclass(frozen=True, slots=True)
class SceneResult:
    """The digest of what a routine left after running on a scene."""

    line: int
    index: int
    objects: int
    routine: str
    digest: int


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a routine took.

    Attributes:
        routine: its name.
        objects: the number of objects in the scene.
        iterations: the number of complete runs.
        microseconds: the time of all runs together.
    """

    routine: str
    objects: int
    iterations: int
    microseconds: int

    @property
    def per_second(self) -> float:
        """Complete runs in a second."""
        return self.iterations * 1_000_000 / self.microseconds


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """A whole file of results.

    Attributes:
        path: the file.
        about: what the file says of the machine and the program, by `KEYS`.
        scenes: the results, in the file's order.
        timings: the times, in the file's order.
        scenes_crc: the CRC of the file of scenes that the program used.
    """

    path: Path
    about: Mapping[str, str]
    scenes: Sequence[SceneResult]
    timings: Sequence[Timing]
    scenes_crc: int

    @property
    def machine(self) -> str:
        """The machine in a few words, for a table."""
        number, _, name = self.about["machine"].partition(" ")
        if self.is_virtual:
            return f"macproof run, {self.about['cpu']}"
        if name:
            return f"{name}, {self.about['cpu']}"
        return f"machine {number}, {self.about['cpu']}"

    @property
    def is_virtual(self) -> bool:
        """Whether ``macproof run`` made the file; its clock measures nothing."""
        return self.about["machine"] == _UNDER_MACPROOF


def read_results_file(path: Path) -> ResultsFile:
    """Read a file of results.

    Args:
        path: a plain file, a MacBinary or AppleSingle file, or ``disk.dsk:PortCheck Results`` for a
            file in an HFS disk image.

    Raises:
        DamagedFileError: the file is damaged, cut short or was changed.
        InputError: the file cannot be read.
    """
    return _parse(read_lines(path, _TITLE, _LARGEST))


def parse_results_file(data: bytes, path: Path = Path(RESULTS_NAME)) -> ResultsFile:
    """Like `read_results_file`, but for contents in memory; ``path`` is for messages."""
    return _parse(check_lines(data, path, _TITLE))


def _parse(file: CheckedLines) -> ResultsFile:
    about = _about(file)
    scenes: list[SceneResult] = []
    timings: list[Timing] = []
    for number, line in enumerate(file.lines):
        if number <= len(KEYS):
            continue
        if line.startswith("scene ") and not timings:
            scenes.append(_scene(file, number, scenes))
        elif line.startswith("time ") and scenes:
            timings.append(_timing(file, number, timings))
        else:
            raise file.error(number, f"{quoted(line)} does not belong here")
    if not scenes:
        raise file.error(len(file.lines), "it has no scenes, so there is nothing to check")
    return ResultsFile(
        file.path, about, tuple(scenes), tuple(timings), int(about["scenes-crc"], 16)
    )


def _about(file: CheckedLines) -> dict[str, str]:
    about = {}
    for number, key in enumerate(KEYS, 1):
        line = file.lines[number] if number < len(file.lines) else ""
        word, colon, value = line.partition(": ")
        if not colon or word != key:
            problem = "is not at its place" if word in KEYS else "is unknown here"
            what = f"{quoted(word)} {problem}" if colon else f"{quoted(line)} is no key and value"
            raise file.error(number, f"{what}, where {key} belongs")
        if not value.strip():
            raise file.error(number, f"{key} has no value")
        about[key] = value
    if _CRC.fullmatch(about["scenes-crc"]) is None:
        raise file.error(KEYS.index("scenes-crc") + 1, "scenes-crc is not a CRC")
    return about


def _numbers(file: CheckedLines, number: int, words: Sequence[str]) -> list[int]:
    numbers = [n for n in (whole_number(word, _MOST) for word in words) if n is not None]
    if len(numbers) != len(words):
        raise file.error(number, f"{quoted(file.lines[number])} has a number that is none")
    return numbers


def _scene(file: CheckedLines, number: int, before: Sequence[SceneResult]) -> SceneResult:
    line = file.lines[number]
    match = _SCENE.fullmatch(line)
    if match is None:
        raise file.error(number, f"{quoted(line)} is no scene's result")
    index, objects = _numbers(file, number, match.groups()[:2])
    scene = SceneResult(number, index, objects, match[3], int(match[4], 16))
    seen = {scene_result.routine for scene_result in before}
    follows = bool(before) and before[-1].routine == scene.routine
    if (follows and index <= before[-1].index) or (not follows and scene.routine in seen):
        raise file.error(number, f"scene {index} of {scene.routine} is out of order")
    return scene


def _timing(file: CheckedLines, number: int, before: Sequence[Timing]) -> Timing:
    line = file.lines[number]
    match = _TIME.fullmatch(line)
    if match is None:
        raise file.error(number, f"{quoted(line)} is no time")
    timing = Timing(match[1], *_numbers(file, number, match.groups()[1:]))
    if timing.iterations == 0 or timing.microseconds == 0:
        raise file.error(number, "a time needs at least one iteration and one microsecond")
    if timing.per_second > _FASTEST:
        raise file.error(
            number, f"more than {_FASTEST:,} runs in a second are more than any Macintosh makes"
        )
    seen = {timing.routine for timing in before}
    follows = bool(before) and before[-1].routine == timing.routine
    if (follows and timing.objects <= before[-1].objects) or (
        not follows and timing.routine in seen
    ):
        raise file.error(number, f"the time for {timing.objects} objects is out of order")
    return timing
