"""Virtual time."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from typing import Protocol

from emu.machine.cpu import Cpu
from emu.machine.engine import HostedEngine

TICKS_A_SECOND = 60.15
"""Vertical retraces a second on a compact Macintosh (Inside Macintosh II, p. 349)."""

START_SECONDS = 2_866_968_000
"""Seconds since 1 January 1904 at which every run begins: noon, 6 November 1994."""


class Clock(ABC):
    """Microseconds since the Macintosh was switched on."""

    name: str
    counts_ticks = False
    """Whether guest code stops at every tick, so that the tick count in low memory need not be
    brought up to date now and then."""

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:  # noqa: B027 - most need nothing
        """Learn what is being run on, before it runs."""

    @abstractmethod
    def now(self) -> int:
        """Microseconds; never fewer than at the reading before."""

    def read(self) -> int:
        """`now`, where the program asks for the time."""
        return self.now()

    def approximate(self) -> int:
        """About `now`, for showing it; looking at it changes nothing."""
        return self.now()

    def tick_is_due(self) -> bool:
        """Whether guest code has been stopped for a new tick; if so, `plan` the next."""
        return False

    def plan(self) -> None:  # noqa: B027 - most need nothing
        """Have guest code stop at the next tick, if it does at every one."""

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


class Meter(Protocol):
    """Knows how long the processor of the time would have taken for what was executed.

    Toolbox routines are not executed, so what they cost is for the meter to know as well.
    """

    megahertz: float
    """Clock of the processor."""

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:
        """Learn what is being run on, before it runs."""

    def cycles(self) -> float:
        """All that was executed so far."""

    def priced_cycles(self) -> float:
        """The same, without what has not been looked at yet: it changes nothing."""

    def stop_at(self, cycles: float) -> None:
        """Have the engine stop, `StopKind.ASKED`, when `priced_cycles` comes to this.

        It may stop before; `at_stop` is true then, and `cycles` is to be asked.
        """

    def at_stop(self) -> bool:
        """Whether the engine has come to where it is to stop."""


class ModelClock(Clock):
    """Time passes with executed code, by a model of the processor of the time.

    The same program sees the same times at every run, also where it reads the tick count in low
    memory: guest code is stopped at every tick of the model's.

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
        """Microseconds of executed code, and those waited."""
        return int(self._meter.cycles() / self._meter.megahertz) + self._skipped

    def approximate(self) -> int:
        """`now`, perhaps a little less, for showing it."""
        return int(self._meter.priced_cycles() / self._meter.megahertz) + self._skipped

    def wait(self, microseconds: int) -> None:
        """Let time pass."""
        self._skipped += microseconds
        self.plan()

    def tick_is_due(self) -> bool:
        """Whether the tick that was planned has begun."""
        if not self._meter.at_stop():
            return False  # something else has stopped it
        if self._meter.cycles() >= self._tick_at:
            return True
        self.plan()
        return False

    def plan(self) -> None:
        """Have the guest stop at the next tick."""
        # A microsecond later than it begins, for times are rounded down.
        tick = int(self.approximate() * TICKS_A_SECOND / 1_000_000) + 1
        begins = math.ceil(tick * 1_000_000 / TICKS_A_SECOND) + 1 - self._skipped
        self._tick_at = begins * self._meter.megahertz
        self._meter.stop_at(self._tick_at)
