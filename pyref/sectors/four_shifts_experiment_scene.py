"""Launches of the experiment round the four-shifts routine: its clock, its random numbers.

A script says what the clock shows: it advances by one step each time it is read. So only the number
of readings matters, and half an hour can pass at once.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import check_origin
from pyref.streams import Stream

TEST_LENGTH = 30_000_000
"""How long an experiment takes, in microseconds."""

_TICK = 16_666  # microseconds, as printed

RAND = 1 << 15
"""The printed RAND_MAX + 1."""

MAX_OBJECTS = 200
"""The most objects that the program has room for."""

_MAX_WORDS = 2048
_MOST_RUN_OBJECTS = (1 << 15) - 1  # what a 68K counts them in

_GENERATORS = ("quick", "slow", "exact", "near_a_million", "corners", "late", "too_many")
# Steps of the clock, and what every second one is longer by, with which something is exact: a
# reading falls on the very end, within the first scene, after twelve scenes or after one; a rate
# lies half-way between two of three digits, 3.125 and 0.03125; one has just three, 1.25.
_EXACT_STEPS = (
    *((TEST_LENGTH // parts, 0) for parts in (1, 2, 5, 10, 16, 25, 30, 48, 50, 625)),
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
        1, MAX_OBJECTS, 60, 1 << 31, 200, 1 << 31, 1 << 16
    )[0].tolist()
    words = stream.below(objects, RAND)[:, 0] if objects else np.zeros(0, dtype=np.int32)
    if generator == "corners":
        words = words % 2048 + (RAND - 2048) * (words >> 11 & 1)
    run_objects, clock = _objects_and_clock(generator, seed, count, ticks, start, late, choice)
    launch = scripted_launch(
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
    return replace(launch, generator=generator, seed=seed)


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
            run_objects, jitter = MAX_OBJECTS, 0
            step = _NEAR_A_MILLION[seed % len(_NEAR_A_MILLION)] + 2 * (choice % 228)
        case "late":  # up to 20 seconds before the clock turns negative, or to 0
            pause = _TICK * (127_000 + 10 * late) % 2**32
            start = (2**31 * (1 + late % 2) - 100_000 * late - pause) % 2**32 // 2
            if seed % 4 == 0:  # the end of the printed form is 2 microseconds before it is
                pause = 2**31 - 2 - TEST_LENGTH - 2 * step - jitter
        case "too_many":
            run_objects = MAX_OBJECTS + 1 + count * (choice % 4) * 40
    return run_objects, _Clock(2 * start, step, jitter, pause)


def _ticks(microseconds: int) -> int:
    """How many ticks the printed program takes for an even number of microseconds.

    It multiplies ticks by 16,666 and keeps 32 bits, so there is always such a number of ticks,
    though it may be far larger than a clock would show.
    """
    return microseconds // 2 * pow(_TICK // 2, -1, 2**31) % 2**31
