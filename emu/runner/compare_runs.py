"""Compares two runs: their endings, text, Toolbox calls, files and pictures."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from emu.runner.runner import LoggedCall, RunResult


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of one kind.

    Attributes:
        what: "texts", "calls", "files", "pictures" or "endings".
        where: the line, call, file or picture, such as "line 3".
        first: what the first program did there.
        second: what the other did.
    """

    what: str
    where: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.what} differ at {self.where}:\n  {self.first}\n  {self.second}"


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What was compared of two runs, and the first difference of each kind.

    Attributes:
        lines: how many lines of text were compared.
        calls: how many Toolbox calls of the normalised log.
        files: how many files that the programs wrote.
        pictures: how many pictures.
        pixels: how many pixels in these pictures.
        differences: the first difference of each kind; empty if the programs did the same.
    """

    lines: int
    calls: int
    files: int
    pictures: int
    pixels: int
    differences: tuple[Difference, ...]


def compare_runs(first: RunResult, second: RunResult) -> RunComparison:
    """Compare two runs; both must have been made with a log.

    Two kinds of calls are left out: those that compilers' libraries make (memory, segments, traps,
    files), and those that ask for the time, since a program on a faster processor asks more often.
    What the programs wrote to files is compared directly.
    """
    differences: list[Difference] = []
    if (first.exit_code, bool(first.problem)) != (second.exit_code, bool(second.problem)):
        differences.append(Difference("endings", "the end", _ending(first), _ending(second)))
    texts = [f"{run.text}{run.output}".splitlines() for run in (first, second)]
    differences += _first_difference("texts", "line", texts[0], texts[1])
    logs = [[call.text for call in _normalised(run.log)] for run in (first, second)]
    differences += _first_difference("calls", "call", logs[0], logs[1])
    files = [_digests(run) for run in (first, second)]
    differences += _first_difference("files", "file", files[0], files[1])
    pixels, pictures, different = _compare_pictures(first, second)
    differences += different
    return RunComparison(
        lines=min(map(len, texts)),
        calls=min(map(len, logs)),
        files=min(map(len, files)),
        pictures=pictures,
        pixels=pixels,
        differences=tuple(differences),
    )


def _ending(run: RunResult) -> str:
    return run.problem.splitlines()[0] if run.problem else "it came to its own end"


def _digests(run: RunResult) -> list[str]:
    return [
        f"{name}: {len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}"
        for name, data in sorted(run.files.items())
    ]


def _normalised(log: Sequence[LoggedCall]) -> list[LoggedCall]:
    return [call for call in log if not call.plumbing]


def _first_difference(
    what: str, unit: str, first: Sequence[str], second: Sequence[str]
) -> list[Difference]:
    for number, (line, other) in enumerate(zip_longest(first, second), 1):
        if line != other:
            shown = [text if text is not None else "(no more)" for text in (line, other)]
            return [Difference(what, f"{unit} {number}", shown[0], shown[1])]
    return []


def _compare_pictures(first: RunResult, second: RunResult) -> tuple[int, int, list[Difference]]:
    pixels = compared = 0
    differences: list[Difference] = []
    for mine, other in zip_longest(first.pictures, second.pictures):
        if mine is None or other is None:
            number = f"picture {compared + 1}"
            names = [picture.name if picture else "(no more)" for picture in (mine, other)]
            differences.append(Difference("pictures", number, names[0], names[1]))
            break
        compared += 1
        arrays = [_pixels(picture.png) for picture in (mine, other)]
        if arrays[0].shape != arrays[1].shape:
            shapes = [f"{a.shape[1]}x{a.shape[0]} pixels" for a in arrays]
            differences.append(Difference("pictures", mine.name, shapes[0], shapes[1]))
            break
        pixels += arrays[0].size
        different = np.argwhere(arrays[0] != arrays[1])
        if len(different):
            v, h = different[0]
            values = [str(array[v, h]) for array in arrays]
            where = f"{mine.name}, pixel ({h},{v}) and {len(different) - 1} more"
            differences.append(Difference("pictures", where, values[0], values[1]))
            break
    return pixels, compared, differences


def _pixels(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("L"), dtype=np.uint8)
