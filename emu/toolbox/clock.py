"""Virtual time."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod

TICKS_A_SECOND = 60.15
"""Vertical retraces a second on a compact Macintosh (Inside Macintosh II, p. 349)."""

START_SECONDS = 2_867_011_200
"""Seconds since 1 January 1904 at which every run begins: noon, 6 November 1994."""


class Clock(ABC):
    """Microseconds since the Macintosh was switched on."""

    name: str

    @abstractmethod
    def now(self) -> int:
        """Microseconds; never fewer than at the reading before."""

    def read(self) -> int:
        """`now`, where the program asks for the time."""
        return self.now()

    @abstractmethod
    def wait(self, microseconds: int) -> None:
        """The program has nothing to do for so long."""

    def ticks(self) -> int:
        """Sixtieths of a second (of 60.15) since start-up."""
        return int(self.now() * TICKS_A_SECOND / 1_000_000)

    def seconds(self) -> int:
        """Seconds since 1 January 1904."""
        return START_SECONDS + self.now() // 1_000_000


class CallClock(Clock):
    """Time passes by a fixed step at each question for it, and while the program waits.

    The same program then sees the same times at every run.

    Args:
        step: microseconds for each question.
    """

    name = "calls"

    def __init__(self, step: int = 12_000) -> None:
        self._now = 0
        self._step = step

    def now(self) -> int:
        """Microseconds so far."""
        return self._now

    def read(self) -> int:
        """Microseconds, a step later than before."""
        self._now += self._step
        return self._now

    def wait(self, microseconds: int) -> None:
        """Let time pass."""
        self._now += microseconds


class RealClock(Clock):
    """The host's clock; waiting is skipped, and counted as if it had been done."""

    name = "real"

    def __init__(self) -> None:
        self._began = time.monotonic_ns()
        self._skipped = 0

    def now(self) -> int:
        """Microseconds since the run began, and those skipped."""
        return (time.monotonic_ns() - self._began) // 1000 + self._skipped

    def wait(self, microseconds: int) -> None:
        """Skip time."""
        self._skipped += microseconds
