"""Clocks that tell a program the time: by counting its questions, by a cycle model, or real."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from typing import Protocol

from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine

TICKS_A_SECOND = 60.15
"""Vertical retraces a second on a compact Macintosh (Inside Macintosh II, chapter 11)."""

TICK = math.ceil(1_000_000 / TICKS_A_SECOND)
"""Microseconds after which the tick count has certainly grown."""

START_SECONDS = 2_866_968_000
"""Seconds since 1 January 1904 at which every run begins: noon, 6 November 1994."""

START_TICKS = 3609
"""Ticks since start-up at which every run begins: a Mac is on for a minute until somebody opens a
program. Games put the tick count into randSeed, and Random gives nothing but 0 if that is 0."""


USUAL_STEP = 12_000
"""Microseconds for each question for the time: a program that waits for a second asks 83 times."""


class Clock(ABC):
    """Tells how many microseconds have passed since the Macintosh was switched on."""

    name: str
    counts_ticks = False
    """Whether guest code is stopped at every tick. If so, the tick count in low memory is always
    right and need not be refreshed from time to time."""
    passes_in_calls = False
    """Whether time passes in calls of the Toolbox alone. If so, it is enough to refresh the tick
    count in low memory after each of them, and a program that reads it sees the same each time."""

    first_ticks = START_TICKS
    first_seconds = START_SECONDS
    by_asking = 0
    """The microseconds that have passed only because the program asked for the time."""

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:  # noqa: B027 - most need nothing
        """Learn which processor and engine will run the program."""

    @abstractmethod
    def now(self) -> int:
        """The time in microseconds; it never goes backwards."""

    def read(self) -> int:
        """The time in microseconds, for a program that asks; asking may itself take time."""
        return self.now()

    def approximate(self) -> int:
        """About the time of `now`, for display; unlike `now` it has no side effects."""
        return self.now()

    def tick_is_due(self) -> bool:
        """Whether guest code was stopped because a new tick has begun; if so, call `plan` next."""
        return False

    def plan(self) -> None:  # noqa: B027 - most need nothing
        """If this clock stops guest code at every tick, make it stop at the next one."""

    @abstractmethod
    def wait(self, microseconds: int) -> None:
        """Let time pass in which the program has nothing to do."""

    def ticks(self) -> int:
        """The ticks since start-up; a second has 60.15 of them."""
        return self.first_ticks + int(self.now() * TICKS_A_SECOND / 1_000_000)

    def seconds(self) -> int:
        """The date and time in seconds since 1 January 1904."""
        return self.first_seconds + self.now() // 1_000_000


class CallClock(Clock):
    """Advances by a fixed step whenever the program asks for the time, and while it waits.

    So a program sees the same times in every run.

    Args:
        step: microseconds for each time that the program asks.
        first_ticks: the ticks since start-up at which it begins.
        first_seconds: the seconds since 1 January 1904 at which it begins.
    """

    name = "calls"
    passes_in_calls = True

    def __init__(
        self,
        step: int = USUAL_STEP,
        first_ticks: int = START_TICKS,
        first_seconds: int = START_SECONDS,
    ) -> None:
        self.first_ticks, self.first_seconds = first_ticks, first_seconds
        self._now = 0
        self.step = step

    def now(self) -> int:
        """The time in microseconds."""
        return self._now

    def read(self) -> int:
        """Advance by one step, and return the time in microseconds."""
        self._now += self.step
        self.by_asking += self.step
        return self._now

    def wait(self, microseconds: int) -> None:
        """Let time pass."""
        self._now += microseconds


class RealClock(Clock):
    """The host's clock. Waiting takes no real time, but is added to the clock."""

    name = "real"

    def __init__(self) -> None:
        self._began = time.monotonic_ns()
        self._skipped = 0

    def now(self) -> int:
        """Microseconds of real time since the run began, plus the waiting that was skipped."""
        return (time.monotonic_ns() - self._began) // 1000 + self._skipped

    def wait(self, microseconds: int) -> None:
        """Add the time of waiting without waiting."""
        self._skipped += microseconds


class Meter(Protocol):
    """Counts the cycles that the modelled processor would have taken for the executed code.

    Toolbox routines are Python and execute no guest code, so the meter adds their cost itself.
    """

    megahertz: float
    """The processor's clock."""

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:
        """Learn which processor and engine will run the program."""

    def cycles(self) -> float:
        """The cycles of all code executed so far."""

    def priced_cycles(self) -> float:
        """The cycles of executed code that has a price already; this call prices nothing."""

    def stop_at(self, cycles: float) -> None:
        """Make the engine stop, with `StopKind.ASKED`, when `priced_cycles` reaches a value.

        It may stop earlier. `at_stop` is then true, and `cycles` tells how far it really is.
        """

    def at_stop(self) -> bool:
        """Whether the engine has stopped because of `stop_at`."""


class ModelClock(Clock):
    """Advances with executed code, as a cycle model of the processor counts it.

    A program sees the same times in every run, even if it reads the tick count in low memory,
    because guest code is stopped at every tick.

    Args:
        meter: counts cycles.
    """

    name = "model"
    counts_ticks = True

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._skipped = 0
        self._tick_at = 0.0

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:
        """Count what the engine executes."""
        self._meter.attach(cpu, engine)
        self.plan()

    def now(self) -> int:
        """Microseconds of executed code plus those of waiting."""
        return int(self._meter.cycles() / self._meter.megahertz) + self._skipped

    def approximate(self) -> int:
        """About the time of `now`, perhaps a little less, for display."""
        return int(self._meter.priced_cycles() / self._meter.megahertz) + self._skipped

    def wait(self, microseconds: int) -> None:
        """Let time pass."""
        self._skipped += microseconds
        self.plan()

    def tick_is_due(self) -> bool:
        """Whether the tick that was planned has begun."""
        if not self._meter.at_stop():
            return False  # something else has stopped the engine
        if self._meter.cycles() >= self._tick_at:
            return True
        self.plan()
        return False

    def plan(self) -> None:
        """Make guest code stop at the next tick."""
        # Stop one microsecond after the tick begins, because times are rounded down.
        tick = int(self.approximate() * TICKS_A_SECOND / 1_000_000) + 1
        begins = math.ceil(tick * 1_000_000 / TICKS_A_SECOND) + 1 - self._skipped
        self._tick_at = begins * self._meter.megahertz
        self._meter.stop_at(self._tick_at)
