"""The experiment round the four-shifts routine, played with a scripted clock.

For 30 seconds the program finds all collisions of a scene again and again. After every 50
detections it makes a new scene; that time does not count. A script says what the clock shows: it
advances by one step each time it is read. So only the number of readings matters, and half an hour
can pass at once.

* :func:`play_as_printed` is the test half as Tom Moertel printed it in 1994. Its clock is signed:
  an experiment that would end after 2**31 microseconds is over at once. Its time can run out
  between a new scene and the first detection; then flags and scene do not belong together.
* :func:`play` is the mended one, ``four_shifts_mac.cpp`` without a Toolbox.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

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
_MOST_RUN_OBJECTS = (1 << 15) - 1  # what a 68K counts them in

_GENERATORS = ("quick", "slow", "exact", "near_a_million", "corners", "late", "too_many")
# Steps of the clock, and what every second one is longer by, with which something is exact: a
# reading falls on the very end, within the first scene, after twelve scenes or after one; a rate
# lies half-way between two of three digits, 3.125 and 0.03125; one has just three, 1.25.
_EXACT_STEPS = (
    *((_TEST_LENGTH // parts, 0) for parts in (1, 2, 5, 10, 16, 25, 30, 48, 50, 625)),
    (588_200, 72),
    (307_200, 0),
    (12_800_000, 0),
    (743_852, 684),
)
# With a step of up to 456 more than these, 32 detections last about a million microseconds each.
# The digits of their two rates are, one after another: 998.5 and more, 999, 999.5 and more of the
# first; 999.5 and more, 999, 998.5 and more of the second; 99.0 to 99.5 of the second.
_NEAR_A_MILLION = (912_914, 913_372, 913_830, 914_288, 914_744, 915_202, 919_000)


@dataclass(frozen=True, slots=True, eq=False)
class Launch:
    """A scene: what clock, random numbers and user's choice a launch of the program gets.

    Times are given in microseconds and in ticks. A program for the 68K reads the one clock, a
    program for the PowerPC the other. In the scenes of the case both clocks agree.

    Attributes:
        words: the numbers that ``rand`` returns, over and over, int32 of shape ``(n,)``.
        run_objects: the number of objects in the experiment.
        start: the clock's first reading in microseconds, modulo 2**32.
        step: how far it advances between readings.
        jitter: how much farther it advances every second time.
        pause: how far it advances between the launch and the experiment.
        tick_start: `start` in ticks.
        tick_step: `step` in ticks.
        tick_jitter: `jitter` in ticks.
        tick_pause: `pause` in ticks.
        seconds: the date, in seconds.
        generator: the name of the generator, or "given".
        seed: the generator's seed.
    """

    words: NDArray[np.int32]
    run_objects: int
    start: int
    step: int
    jitter: int
    pause: int
    tick_start: int
    tick_step: int
    tick_jitter: int
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
            raise ValueError("rand has to return at least one number")
        return replace(self, words=self.words[chosen])


def scripted_launch(
    words: ArrayLike,
    *,
    run_objects: int = 50,
    start: int = 0,
    step: int = 1_000_000,
    jitter: int = 0,
    pause: int = 0,
    tick_start: int = 60,
    tick_step: int = 60,
    tick_jitter: int = 0,
    tick_pause: int = 0,
    seconds: int = 0,
) -> Launch:
    """Make a launch of given numbers; see `Launch`.

    Raises:
        ValueError: a number is out of range.
    """
    array = np.asarray(words)
    if array.ndim != 1 or not 0 < len(array) <= _MAX_WORDS or array.dtype.kind not in "iu":
        raise ValueError(f"words are 1 to {_MAX_WORDS} integers")
    if not 0 <= run_objects <= _MOST_RUN_OBJECTS:
        raise ValueError(f"an experiment has 0 to {_MOST_RUN_OBJECTS} objects, not {run_objects}")
    times = (start, step, jitter, pause, tick_start, tick_step, tick_jitter, tick_pause, seconds)
    if not all(0 <= operator.index(time) < 2**32 for time in times):
        raise ValueError("times are whole numbers of 32 bits")
    return Launch(array.astype(np.int32), run_objects, *times, generator="given", seed=0)


def make_launch(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Launch:
    """Make a launch in which both clocks agree.

    Args:
        generator: "quick", a few seconds a reading; "slow", less than a second, so that there are
            several scenes, of at most 60 objects; "exact", where a reading falls on the very end
            or a rate on a border;
            "near_a_million", where a rate is printed that is nearly a power of ten; "corners",
            where the random numbers put objects into the corners of the screen; "late", with a
            pause of about 36 minutes, which is too much for the printed form; "too_many", with
            more objects than there is room for, which the printed form does not notice.
        objects: how many random numbers, 1 to 2048.
        seed: 0 <= seed < 2**64.
        width: not used; every generator takes it.
        height: likewise.

    Raises:
        ValueError: for an unknown generator or a number outside these limits.
    """
    check_origin(generator, seed, _GENERATORS)
    stream = Stream(seed)
    count, ticks, start, late, seconds, choice = stream.below(
        1, _MAX_OBJECTS, 60, 1 << 31, 200, 1 << 31, 1 << 16
    )[0].tolist()
    words = stream.below(objects, _RAND)[:, 0] if objects else np.zeros(0, dtype=np.int32)
    if generator == "corners":
        words = words % 2048 + (_RAND - 2048) * (words >> 11 & 1)
    run_objects, clock = _objects_and_clock(generator, seed, count, ticks, start, late, choice)
    made = scripted_launch(
        words,
        run_objects=run_objects,
        start=clock.start,
        step=clock.step,
        jitter=clock.jitter,
        pause=clock.pause,
        tick_start=_ticks(clock.step),
        tick_step=_ticks(clock.step),
        tick_jitter=_ticks(clock.jitter),
        tick_pause=_ticks(clock.pause),
        seconds=2 * seconds,
    )
    return replace(made, generator=generator, seed=seed)


class _Clock(NamedTuple):
    """How the clock of a launch runs, in microseconds; see `Launch`."""

    start: int
    step: int
    jitter: int
    pause: int


def _objects_and_clock(
    generator: str, seed: int, count: int, ticks: int, start: int, late: int, choice: int
) -> tuple[int, _Clock]:
    """The objects of the experiment, and the clock, by the generator and its random numbers."""
    run_objects, step, pause = 1 + count, _TICK * (100 + ticks), 0
    jitter = 2 * (choice % 5000)
    match generator:
        case "slow":
            # Up to 150 detections. With many objects a call would exceed its budget.
            run_objects, step = 1 + count % 60, _TICK * (12 + ticks % 12)
        case "exact":
            run_objects = 1 + count % 10
            step, jitter = _EXACT_STEPS[seed % len(_EXACT_STEPS)]
        case "near_a_million":
            run_objects, jitter = _MAX_OBJECTS, 0
            step = _NEAR_A_MILLION[seed % len(_NEAR_A_MILLION)] + 2 * (choice % 228)
        case "late":  # up to 20 seconds before the clock turns negative, or to 0
            pause = _TICK * (127_000 + 10 * late) % 2**32
            start = (2**31 * (1 + late % 2) - 100_000 * late - pause) % 2**32 // 2
            if seed % 4 == 0:  # the end of the printed form is 2 microseconds before it is
                pause = 2**31 - 2 - _TEST_LENGTH - 2 * step - jitter
        case "too_many":
            run_objects = _MAX_OBJECTS + 1 + count * (choice % 4) * 40
    return run_objects, _Clock(2 * start, step, jitter, pause)


def _ticks(microseconds: int) -> int:
    """How many ticks the printed program takes for an even number of microseconds.

    It multiplies ticks by 16,666 and keeps 32 bits, so there is always such a number of ticks,
    though it may be far larger than a clock would show.
    """
    return microseconds // 2 * pow(_TICK // 2, -1, 2**31) % 2**31


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """The state that an experiment leaves behind, and what it prints.

    Attributes:
        seed: the seed of the random numbers.
        last_seed: the final state of the corrected form's generator; 0 for the printed form.
        numbers: the printed numbers, int64 of shape ``(3,)``: objects, iterations, microseconds.
            The mended form prints nothing if there is no room for the objects: shape ``(0,)``.
        rates: what the mended form prints after that: microseconds an iteration, and iterations a
            second, each with a zero byte behind it.
        corners: the corners of the last scene, int64 of shape ``(n, 2)``; shape ``(0, 2)`` if there
            was no scene.
        detection: the last detection, or None.
    """

    seed: int
    last_seed: int
    numbers: NDArray[np.int64]
    rates: bytes
    corners: NDArray[np.int64]
    detection: Detection | None

    @property
    def number_count(self) -> int:
        """How many numbers are printed."""
        return len(self.numbers)

    @property
    def texts(self) -> NDArray[np.uint8]:
        """The bytes of the rates, uint8."""
        return np.frombuffer(self.rates, dtype=np.uint8)

    @property
    def text_length(self) -> int:
        """How many bytes `texts` has."""
        return len(self.rates)

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
        """For each object of the last scene the next on the list, or -1."""
        links = np.arange(1, len(self.corners) + 1)
        links[-1:] = -1
        return links

    @property
    def flags(self) -> NDArray[np.uint8]:
        """The flags of the last detection; empty if there was none."""
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
    """The present scene, and the last detection."""

    def __init__(self) -> None:
        self.corners: list[tuple[int, int]] = []
        self.seen: list[tuple[int, int]] | None = None

    def look(self) -> None:
        self.seen = self.corners

    def left(
        self, seed: int, last_seed: int, numbers: Sequence[int], rates: bytes = b""
    ) -> Experiment:
        corners = np.array(self.corners, dtype=np.int64).reshape(-1, 2)
        detection = None if self.seen is None else determine_collisions(self.seen)
        printed = np.array(numbers, dtype=np.int64)
        return Experiment(seed, last_seed, printed, rates, corners, detection)


def play_as_printed(launch: Launch) -> Experiment:
    """Play the experiment with the printed program's clock: signed 32-bit microseconds.

    Raises:
        ValueError: there are no objects or more than 200, or a random number has more than 15
            bits; the printed form then writes where it should not.
    """
    if not 0 < launch.run_objects <= _MAX_OBJECTS:
        raise ValueError(f"the printed form needs 1 to {_MAX_OBJECTS} objects")
    if launch.words.min() < 0 or launch.words.max() >= _RAND:
        raise ValueError("the printed form needs random numbers of 15 bits")
    readings = 0

    def clock() -> int:
        nonlocal readings
        readings += 1
        passed = readings * launch.step + readings // 2 * launch.jitter
        return _signed(passed + (launch.pause if readings > 1 else 0))

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
    """Play the experiment of the corrected program, which only subtracts unsigned readings.

    It makes no experiment with more than 200 objects, for which it has no room.

    Raises:
        ValueError: the clock stands still, or there are no objects: the sector lists then depend
            on what was in memory.
    """
    if not launch.step or not launch.run_objects:
        raise ValueError("the mended form needs a clock that goes, and an object")
    scenes = _Scenes()
    if launch.run_objects > _MAX_OBJECTS:
        return scenes.left(launch.seconds, launch.seconds, ())
    readings = 0

    def clock() -> int:
        nonlocal readings
        passed = readings * launch.step + readings // 2 * launch.jitter
        readings += 1
        return launch.start + launch.pause + passed

    random = launch.seconds
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
    spent = (clock() - start) % 2**32
    rates = (Fraction(spent, iterations), Fraction(1_000_000 * iterations, spent))
    return scenes.left(
        launch.seconds,
        random,
        (launch.run_objects, iterations, _signed(spent)),
        b"".join(_three_digits(rate).encode() + b"\0" for rate in rates),
    )


def _three_digits(number: Fraction) -> str:
    """A positive number with three significant digits, half of the last one rounded up."""
    exponent = 0  # of the last digit
    while number >= 1000:
        number, exponent = number / 10, exponent + 1
    while number < 100:
        number, exponent = number * 10, exponent - 1
    digits = int(number + Fraction(1, 2))
    if exponent >= 0:
        return str(digits * 10**exponent)
    whole, part = divmod(digits, 10**-exponent)
    # Rounded up to 1000, it has a digit too many behind the point.
    return f"{whole}.{part:0{-exponent}d}"[: None if digits < 1000 else -1].rstrip(".")


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
    """The low 32 bits of a number as a signed integer."""
    return (number + 2**31) % 2**32 - 2**31


# -- judges of findings ---------------------------------------------------------------------


def judge_scene(launches: Sequence[Launch], seen: Sequence[dict[str, Any]]) -> dict[str, int]:
    """How many objects of the last scene are at the origin or off the screen, and how far off."""
    count = launches[0].run_objects
    x, y = (seen[0][name][:count] for name in ("gObjects.x", "gObjects.y"))
    return {
        "at_the_origin": int(((x == 0) & (y == 0)).sum()),
        "off_the_screen": int(((x >= _WIDTH - 1) | (y >= _HEIGHT - 1)).sum()),
        "largest_x": int(x.max(initial=0)),
    }


def judge_flags(launches: Sequence[Launch], seen: Sequence[dict[str, Any]]) -> dict[str, int]:
    """How many objects are flagged, how many should be, how many are wrong, by brute force."""
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
