"""The experiment round the four-shifts routine, played with a scripted clock.

For 30 seconds all collisions of a scene are found again and again, and after every 50 times a new
scene is made, which does not count. A script says what the clock shows: it moves by one step each
time it is read, so how often it is read decides everything, and half an hour passes at once.

* :func:`play_as_printed` is the test half as Tom Moertel printed it in 1994. Its clock is signed:
  an experiment that would end after 2**31 microseconds is over at once. Its time can run out
  between a new scene and the first detection; then flags and scene do not belong together.
* :func:`play` is the mended one, ``four_shifts_mac.cpp`` without a Toolbox.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.four_shifts import Detection, determine_collisions
from pyref.scene import Stream, check_origin

__all__ = [
    "Experiment",
    "Launch",
    "judge_flags",
    "judge_scene",
    "make_launch",
    "play",
    "play_as_printed",
    "scripted_launch",
]

_TEST_LENGTH = 30_000_000  # microseconds
_CYCLE = 50  # detections from one scene to the next
_TICK = 16_666  # microseconds, as printed
_WIDTH, _HEIGHT = 640, 480
_RAND = 1 << 15  # the printed RAND_MAX + 1
_MAX_WORDS = 2048
_MAX_OBJECTS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Launch:
    """A launch of the program, as its clock, its library and its user have it.

    Times are microseconds and ticks; a 68K asks for the ones, a PowerPC for the others, and the
    scenes of the case have both show the same.

    Attributes:
        words: what ``rand`` gives, over and over, int32 of shape ``(n,)``.
        run_objects: objects of the experiment.
        start: what the clock shows at first, modulo 2**32.
        step: how far it goes from one reading to the next.
        pause: how far it goes between the launch and the experiment.
        tick_start: the same in ticks.
        tick_step: likewise.
        tick_pause: likewise.
        seconds: the date.
        generator: what made the script.
        seed: and from what.
    """

    words: NDArray[np.int32]
    run_objects: int
    start: int
    step: int
    pause: int
    tick_start: int
    tick_step: int
    tick_pause: int
    seconds: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many random numbers there are."""
        return len(self.words)

    def keep(self, indices: ArrayLike) -> Launch:
        """The launch with some of the random numbers only."""
        chosen = np.asarray(indices, dtype=np.int64).reshape(-1)
        if not len(chosen):
            raise ValueError("rand has to give something")
        return replace(self, words=self.words[chosen])


def scripted_launch(
    words: ArrayLike,
    *,
    run_objects: int = 50,
    start: int = 0,
    step: int = 1_000_000,
    pause: int = 0,
    tick_start: int = 60,
    tick_step: int = 60,
    tick_pause: int = 0,
    seconds: int = 0,
) -> Launch:
    """A launch from numbers; see `Launch`.

    Raises:
        ValueError: a number is out of range.
    """
    array = np.asarray(words)
    if array.ndim != 1 or not 0 < len(array) <= _MAX_WORDS or array.dtype.kind not in "iu":
        raise ValueError(f"words are 1 to {_MAX_WORDS} integers")
    if not 0 <= run_objects <= _MAX_OBJECTS:
        raise ValueError(f"an experiment has 0 to {_MAX_OBJECTS} objects, not {run_objects}")
    times = (start, step, pause, tick_start, tick_step, tick_pause, seconds)
    if not all(0 <= operator.index(time) < 2**32 for time in times):
        raise ValueError("times are whole numbers of 32 bits")
    return Launch(array.astype(np.int32), run_objects, *times, generator="given", seed=0)


def make_launch(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Launch:
    """Make a launch on which both clocks show the same.

    Args:
        generator: "quick", a few seconds a reading; "slow", less than a second, so that there are
            several scenes, of at most 60 objects; "late", with a pause of about 36 minutes, which
            is too much for the printed form.
        objects: how many random numbers, 1 to 2048.
        seed: 0 <= seed < 2**64.
        width: without meaning; every scene has one.
        height: likewise.

    Raises:
        ValueError: for an unknown generator or a number outside these limits.
    """
    check_origin(generator, seed, ("quick", "slow", "late"))
    stream = Stream(seed)
    ((count, ticks, start, late, seconds),) = stream.below(
        1, _MAX_OBJECTS, 60, 1 << 31, 200, 1 << 31
    ).tolist()
    words: ArrayLike = stream.below(objects, _RAND)[:, 0] if objects else []
    tick_step = 100 + ticks
    if generator == "slow":
        # Up to 150 detections: few objects, or a call would take longer than one may.
        tick_step, count = 12 + ticks % 12, count % 60
    tick_pause = 127_000 + 10 * late if generator == "late" else 0
    pause = _TICK * tick_pause % 2**32
    if generator == "late":  # up to 20 seconds before the clock turns negative, or to 0
        start = (2**31 * (1 + late % 2) - 100_000 * late - pause) % 2**32 // 2
    made = scripted_launch(
        words,
        run_objects=1 + count,
        start=2 * start,
        step=_TICK * tick_step,
        pause=pause,
        tick_start=tick_step,
        tick_step=tick_step,
        tick_pause=tick_pause,
        seconds=2 * seconds,
    )
    return replace(made, generator=generator, seed=seed)


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """What an experiment leaves behind.

    Attributes:
        seed: of the random numbers.
        last_seed: what the mended generator has become; 0 for the printed form.
        numbers: what is printed, int64 of shape ``(3,)``: objects, iterations, microseconds.
        corners: of the last scene, int64 of shape ``(n, 2)``; shape ``(0, 2)`` if there was none.
        detection: of the last scene that was looked at, or None.
    """

    seed: int
    last_seed: int
    numbers: NDArray[np.int64]
    corners: NDArray[np.int64]
    detection: Detection | None

    @property
    def number_count(self) -> int:
        """How many numbers are printed."""
        return len(self.numbers)

    @property
    def x(self) -> NDArray[np.int64]:
        """Left edges of the last scene."""
        return self.corners[:, 0]

    @property
    def y(self) -> NDArray[np.int64]:
        """Top edges of the last scene."""
        return self.corners[:, 1]

    @property
    def links(self) -> NDArray[np.int64]:
        """For each object of the last scene the next, or -1."""
        links = np.arange(1, len(self.corners) + 1)
        links[-1:] = -1
        return links

    @property
    def flags(self) -> NDArray[np.uint8]:
        """Of the last detection; nothing if there was none."""
        return self.detection.flags if self.detection else np.zeros(0, dtype=np.uint8)

    @property
    def sector_heads(self) -> NDArray[np.int16]:
        """Likewise."""
        empty = np.zeros((0, 9), dtype=np.int16)
        return self.detection.sector_heads if self.detection else empty

    @property
    def sector_links(self) -> NDArray[np.int16]:
        """Likewise."""
        return self.detection.sector_links if self.detection else np.zeros(0, dtype=np.int16)


class _Scenes:
    """The scene that is there, and the one that was last looked at."""

    def __init__(self) -> None:
        self.corners: list[tuple[int, int]] = []
        self.seen: list[tuple[int, int]] | None = None

    def look(self) -> None:
        self.seen = self.corners

    def left(self, seed: int, last_seed: int, numbers: Sequence[int]) -> Experiment:
        corners = np.array(self.corners, dtype=np.int64).reshape(-1, 2)
        detection = None if self.seen is None else determine_collisions(self.seen)
        return Experiment(seed, last_seed, np.array(numbers, dtype=np.int64), corners, detection)


def play_as_printed(launch: Launch) -> Experiment:
    """The experiment with the clock of the printed program, signed 32-bit microseconds.

    Raises:
        ValueError: there are no objects, or a random number has more than 15 bits; the printed
            form then writes where it should not.
    """
    if not launch.run_objects or launch.words.min() < 0 or launch.words.max() >= _RAND:
        raise ValueError("the printed form needs an object and random numbers of 15 bits")
    readings = 0

    def clock() -> int:
        nonlocal readings
        readings += 1
        return _signed(readings * launch.step + (launch.pause if readings > 1 else 0))

    seed = clock() % 2**32
    taken = 0
    scenes = _Scenes()
    end = _signed(clock() + _TEST_LENGTH)
    iterations = 0
    while clock() < end:
        begun = clock()
        scenes.corners, taken = _printed_scene(launch, taken)
        end = _signed(end + clock() - begun)
        for _ in range(_CYCLE):
            if clock() >= end:
                break
            scenes.look()
            iterations += 1
    total = _signed(_TEST_LENGTH + clock() - end)
    return scenes.left(seed, 0, (launch.run_objects, iterations, total))


def _printed_scene(launch: Launch, taken: int) -> tuple[list[tuple[int, int]], int]:
    corners = []
    for _ in range(launch.run_objects):
        x, y = (int(launch.words[(taken + i) % len(launch.words)]) for i in (0, 1))
        corners.append(((_WIDTH - 1) * x // _RAND, (_HEIGHT - 1) * y // _RAND))
        taken += 2
    return corners, taken


def play(launch: Launch) -> Experiment:
    """The experiment of the mended program, whose clock is unsigned and only ever subtracted.

    Raises:
        ValueError: the clock stands still, or there are no objects: the sector lists then depend
            on what was in memory.
    """
    if not launch.step or not launch.run_objects:
        raise ValueError("the mended form needs a clock that goes, and an object")
    now = launch.start + launch.pause

    def clock() -> int:
        nonlocal now
        now += launch.step
        return now - launch.step

    random = launch.seconds
    scenes = _Scenes()
    start = clock()
    iterations = 0
    running = True
    while running:
        setup = clock()
        scenes.corners, random = _mended_scene(launch.run_objects, random)
        start += clock() - setup
        for made in range(1, _CYCLE + 1):
            scenes.look()
            iterations += 1
            if made == _CYCLE or (clock() - start) % 2**32 >= _TEST_LENGTH:
                break
        running = (clock() - start) % 2**32 < _TEST_LENGTH
    spent = _signed(clock() - start)
    return scenes.left(launch.seconds, random, (launch.run_objects, iterations, spent))


def _mended_scene(objects: int, random: int) -> tuple[list[tuple[int, int]], int]:
    corners = []
    for _ in range(objects):
        corner = []
        for limit in (_WIDTH - 1, _HEIGHT - 1):
            random = (random * 1103515245 + 12345) % 2**32
            corner.append(limit * (random >> 16 & 0x7FFF) >> 15)
        corners.append((corner[0], corner[1]))
    return corners, random


def _signed(number: int) -> int:
    """A number as a signed one of 32 bits."""
    return (number + 2**31) % 2**32 - 2**31


# -- what findings look at ---------------------------------------------------------------------


def judge_scene(launches: Sequence[Launch], seen: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Where the objects of the last scene are: at the origin, off the screen, and how far."""
    count = launches[0].run_objects
    x, y = (seen[0][name][:count] for name in ("gObjects.x", "gObjects.y"))
    return {
        "at_the_origin": int(((x == 0) & (y == 0)).sum()),
        "off_the_screen": int(((x >= _WIDTH - 1) | (y >= _HEIGHT - 1)).sum()),
        "largest_x": int(x.max(initial=0)),
    }


def judge_flags(launches: Sequence[Launch], seen: Sequence[dict[str, Any]]) -> dict[str, int]:
    """How many objects are flagged, should be, and are flagged wrongly, by brute force."""
    count = launches[0].run_objects
    x, y, flags = (
        seen[0][name][:count].astype(np.int64)
        for name in ("gObjects.x", "gObjects.y", "gCollisionArray")
    )
    near = (abs(x[:, None] - x) < 30) & (abs(y[:, None] - y) < 30)
    np.fill_diagonal(near, False)
    truth = near.any(axis=1)
    return {
        "flagged": int(flags.sum()),
        "in_collision": int(truth.sum()),
        "flagged_wrongly": int((truth != (flags != 0)).sum()),
    }
