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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.sectors.four_shifts import Detection, determine_collisions
from pyref.sectors.four_shifts_experiment_scene import MAX_OBJECTS, RAND, TEST_LENGTH, Launch

Detect: TypeAlias = Callable[[list[tuple[int, int]]], Any]
"""Detects collisions: called with corners, returns what `determine_collisions` says of them."""

_CYCLE = 50  # detections from one scene to the next
_WIDTH, _HEIGHT = 640, 480


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

    def __init__(self, detect: Detect) -> None:
        self.detect = detect
        self.corners: list[tuple[int, int]] = []
        self.seen: list[tuple[int, int]] | None = None

    def look(self) -> None:
        self.seen = self.corners

    def left(
        self, seed: int, last_seed: int, numbers: Sequence[int], rates: bytes = b""
    ) -> Experiment:
        corners = np.array(self.corners, dtype=np.int64).reshape(-1, 2)
        detection = None if self.seen is None else self.detect(self.seen)
        printed = np.array(numbers, dtype=np.int64)
        return Experiment(seed, last_seed, printed, rates, corners, detection)


def play_as_printed(launch: Launch, detect: Detect = determine_collisions) -> Experiment:
    """Play the experiment with the printed program's clock: signed 32-bit microseconds.

    Args:
        launch: the scene.
        detect: detects the collisions of the last scene.

    Raises:
        ValueError: there are no objects or more than 200, or a random number has more than 15
            bits; the printed form then writes where it should not.
    """
    if not 0 < launch.run_objects <= MAX_OBJECTS:
        raise ValueError(f"the printed form needs 1 to {MAX_OBJECTS} objects")
    if launch.words.min() < 0 or launch.words.max() >= RAND:
        raise ValueError("the printed form needs random numbers of 15 bits")
    readings = 0

    def clock() -> int:
        nonlocal readings
        readings += 1
        passed = readings * launch.step + readings // 2 * launch.jitter
        return _signed(passed + (launch.pause if readings > 1 else 0))

    seed = clock() % 2**32
    taken = 0
    scenes = _Scenes(detect)
    end = _signed(clock() + TEST_LENGTH)
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
    total = _signed(TEST_LENGTH + clock() - end)
    return scenes.left(seed, 0, (launch.run_objects, iterations, total))


def _printed_scene(launch: Launch, taken: int) -> tuple[list[tuple[int, int]], int]:
    corners = []
    for _ in range(launch.run_objects):
        x, y = (int(launch.words[(taken + i) % len(launch.words)]) for i in (0, 1))
        corners.append(((_WIDTH - 1) * x // RAND, (_HEIGHT - 1) * y // RAND))
        taken += 2
    return corners, taken


def play(launch: Launch, detect: Detect = determine_collisions) -> Experiment:
    """Play the experiment of the corrected program, which only subtracts unsigned readings.

    It makes no experiment with more than 200 objects, for which it has no room.

    Args:
        launch: the scene.
        detect: detects the collisions of the last scene.

    Raises:
        ValueError: the clock stands still, or there are no objects: the sector lists then depend
            on what was in memory.
    """
    if not launch.step or not launch.run_objects:
        raise ValueError("the mended form needs a clock that goes, and an object")
    scenes = _Scenes(detect)
    if launch.run_objects > MAX_OBJECTS:
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
        for count in range(1, _CYCLE + 1):
            scenes.look()
            iterations += 1
            if count == _CYCLE or (clock() - start) % 2**32 >= TEST_LENGTH:
                break
        running = (clock() - start) % 2**32 < TEST_LENGTH
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
