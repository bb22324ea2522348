"""The file of scenes that PortCheck reads.

::

    macproof scenes 1
    scenes N
    scene INDEX GENERATOR OBJECTS SEED WIDTH HEIGHT
    X Y                                     a line for each object
    end CRC

`text_file` describes line ends and the CRC. The file holds the corners, so that the program on the
Macintosh needs no generators, and it holds generator and seed, so that a report can name a scene.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import default_case
from emu.cases.keys.parts import Scene
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import columns_of, corners_of, scene_of, with_corners
from emu.results.text_file import (
    CheckedLines,
    check_lines,
    quoted,
    read_lines,
    whole_number,
    with_checksum,
)

SCENES_NAME = "PortCheck Scenes"
"""What the file is called on the Macintosh."""

_TITLE = "macproof scenes 1"
_LARGEST = 400 << 10
_MOST_SCENES = 500
_MOST_OBJECTS = 10_000
_MOST_PIXELS = 32_767
_MOST_SEED = 2**64 - 1
_NAME = re.compile(r"[a-z][a-z-]{0,22}")


@dataclass(frozen=True, slots=True, eq=False)
class WrittenScene:
    """A scene as the file has it.

    Attributes:
        index: its place in the file, from 0.
        plan: what it was made from.
        width: of the screen it was made for, in pixels.
        height: of that screen, in pixels.
        corners: (objects, 2) upper-left corners in pixels.
    """

    index: int
    plan: SceneName
    width: int
    height: int
    corners: NDArray[np.int32]

    def __str__(self) -> str:
        return f"scene {self.index} ({self.plan})"


@dataclass(frozen=True, slots=True, eq=False)
class ScenesFile:
    """The scenes of a file, and the file's CRC, which results files quote."""

    scenes: Sequence[WrittenScene]
    crc: int


def default_plan(case: Case | None = None) -> tuple[SceneName, ...]:
    """Combine every generator of a case with every number of objects.

    All scenes without objects are the same, so only the first generator makes one. PortCheck reads
    nothing but corners, so scenes that hold more are left out. Without a case the default case is
    used.
    """
    case = case or default_case()
    counts = [count for count in case.objects if count > 0]
    first = SceneName(case.generators[0], 0, DEFAULT_SEED)
    return (
        first,
        *(
            SceneName(generator, objects, DEFAULT_SEED + row)
            for row, generator in enumerate(case.generators)
            if _is_of_corners(case, scene_of(case, SceneName(generator, max(counts), DEFAULT_SEED)))
            for objects in counts
        ),
    )


def _is_of_corners(case: Case, scene: Scene) -> bool:
    """Whether the case's program reads nothing of a scene but its corners, in plain order."""
    plain = with_corners(
        case, scene_of(case, SceneName(case.generators[0], 0, 0)), corners_of(case, scene)
    )
    theirs = columns_of(case, plain)
    return all(np.array_equal(theirs[name], own) for name, own in columns_of(case, scene).items())


def make_scenes_file(
    plan: Sequence[SceneName] | None = None,
    *,
    case: Case | None = None,
    end_of_line: bytes = b"\r",
) -> bytes:
    """Make the contents of a file of scenes; the same plan always gives the same contents.

    Args:
        plan: the scenes; `default_plan` if it is not given.
        case: the case whose generators and screen are used; the default case if it is not given.
        end_of_line: CR, as on a Macintosh, or LF, or both.

    Raises:
        UsageError: a generator refuses a scene, or PortCheck could not read the file.
    """
    case = case or default_case()
    plan = default_plan(case) if plan is None else plan
    if not 0 < len(plan) <= _MOST_SCENES:
        raise UsageError(f"a file has 1 to {_MOST_SCENES} scenes, not {len(plan)}")
    lines = [_TITLE, f"scenes {len(plan)}"]
    for index, planned in enumerate(plan):
        if planned.objects > _MOST_OBJECTS:
            raise UsageError(f"{planned}: PortCheck takes up to {_MOST_OBJECTS:,} objects")
        scene = scene_of(case, planned)
        if not _is_of_corners(case, scene):
            raise UsageError(
                f"{planned}: PortCheck has its objects in the order of their corners, and this "
                "scene has them in another"
            )
        corners = corners_of(case, scene)
        if corners.size and not 0 <= corners.min() <= corners.max() <= _MOST_PIXELS:
            raise UsageError(f"{planned}: a corner is outside 0..{_MOST_PIXELS}")
        lines.append(
            f"scene {index} {planned.generator} {planned.objects} {planned.seed} "
            f"{case.width} {case.height}"
        )
        lines += [f"{x} {y}" for x, y in corners.tolist()]
    content = with_checksum(lines, end_of_line)
    if len(content) > _LARGEST:
        raise UsageError(
            f"the scenes have {len(content):,} bytes, and PortCheck reads up to {_LARGEST:,}"
        )
    return content


def read_scenes_file(path: Path) -> ScenesFile:
    """Read a file of scenes.

    Args:
        path: a plain file, a MacBinary or AppleSingle file, or ``disk.dsk:PortCheck Scenes`` for a
            file in an HFS disk image.

    Raises:
        DamagedFileError: the file is damaged or was changed.
        InputError: the file cannot be read.
    """
    return _parse(read_lines(path, _TITLE, _LARGEST))


def parse_scenes_file(data: bytes, path: Path = Path(SCENES_NAME)) -> ScenesFile:
    """Like `read_scenes_file`, but for contents in memory; ``path`` is for messages."""
    return _parse(check_lines(data, path, _TITLE))


@functools.cache
def default_scenes() -> ScenesFile:
    """The scenes that come with macproof; a process makes them once."""
    return parse_scenes_file(make_scenes_file())


def _parse(file: CheckedLines) -> ScenesFile:
    reader = _Reader(file)
    count = reader.count()
    scenes = [reader.scene(index) for index in range(count)]
    reader.require_end()
    return ScenesFile(tuple(scenes), file.crc)


class _Reader:
    """Reads one line after the other."""

    def __init__(self, file: CheckedLines) -> None:
        self._file = file
        self._next = 1

    def _words(self, wanted: str) -> list[str]:
        if self._next >= len(self._file.lines):
            raise self._file.error(self._next, f"{wanted} is missing")
        self._next += 1
        return self._file.lines[self._next - 1].split(" ")

    def _numbers(self, words: Sequence[str], limits: Sequence[int], wanted: str) -> list[int]:
        numbers = [whole_number(w, most) for w, most in zip(words, limits, strict=False)]
        in_range = [n for n in numbers if n is not None]
        if len(words) != len(limits) or len(in_range) != len(limits):
            line = self._next - 1
            raise self._file.error(line, f"{quoted(self._file.lines[line])} is not {wanted}")
        return in_range

    def count(self) -> int:
        """Read the number of scenes."""
        wanted = f"the number of scenes, 1 to {_MOST_SCENES}"
        first, *rest = self._words(wanted)
        (count,) = self._numbers(rest if first == "scenes" else [], [_MOST_SCENES], wanted)
        if count == 0:
            raise self._file.error(self._next - 1, "it has no scenes")
        return count

    def scene(self, index: int) -> WrittenScene:
        """Read the next scene."""
        wanted = f"the beginning of scene {index}"
        words = self._words(wanted)
        named = len(words) == 7 and words[0] == "scene" and _NAME.fullmatch(words[2])
        number, objects, seed, width, height = self._numbers(
            [words[1], *words[3:]] if named else [],
            [_MOST_SCENES, _MOST_OBJECTS, _MOST_SEED, _MOST_PIXELS, _MOST_PIXELS],
            wanted,
        )
        if number != index:
            raise self._file.error(self._next - 1, f"this is scene {number}, where {index} belongs")
        plan = SceneName(words[2], objects, seed)
        corners = [
            self._numbers(self._words(f"an object of scene {index}"), [_MOST_PIXELS] * 2, "x and y")
            for _ in range(objects)
        ]
        array = np.array(corners, dtype=np.int32).reshape(-1, 2)
        return WrittenScene(index, plan, width, height, array)

    def require_end(self) -> None:
        """Refuse lines after the last scene."""
        if self._next != len(self._file.lines):
            raise self._file.error(self._next, "there is more than the scenes that were announced")
