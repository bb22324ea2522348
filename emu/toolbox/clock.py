"""Virtual time."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

from emu.machine.cpu import Cpu
from emu.machine.engine import ExecutedCode, HostedEngine

TICKS_A_SECOND = 60.15
"""Vertical retraces a second on a compact Macintosh (Inside Macintosh II, p. 349)."""

START_SECONDS = 2_866_968_000
"""Seconds since 1 January 1904 at which every run begins: noon, 6 November 1994."""


class Clock(ABC):
    """Microseconds since the Macintosh was switched on."""

    name: str

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:  # noqa: B027 - most need nothing
        """Learn what is being run on, before it runs."""

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


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a machine of the time executed code; an assumption, not a measurement.

    Attributes:
        megahertz: of a common machine with the processor.
        cycles: for an instruction of compiled code, on average.
        size: bytes of an instruction, on average.
    """

    megahertz: float
    cycles: float
    size: float

    @property
    def microseconds_a_byte(self) -> float:
        """How long a byte of code takes."""
        return self.cycles / self.size / self.megahertz


PACES = {
    "68000": Pace(megahertz=7.8336, cycles=12.0, size=3.0),  # a Macintosh Plus
    "68040": Pace(megahertz=25.0, cycles=2.2, size=3.0),  # a Quadra 700
    "601": Pace(megahertz=80.0, cycles=1.1, size=4.0),  # a Power Macintosh 8100/80
}
"""By processor. Clocks as Apple published them; cycles an instruction as usual for integer code
whose data are in the cache. A model by instruction belongs to ``emu.timing``."""


class ModelClock(Clock):
    """Time passes with executed code, at the `Pace` of a machine of the time.

    Raises:
        ToolMissingError: when attached, and Numba is not installed.
    """

    name = "model"

    def __init__(self) -> None:
        self._executed: ExecutedCode | None = None
        self._pace = 0.0
        self._skipped = 0

    def attach(self, cpu: Cpu, engine: HostedEngine) -> None:
        """Count what the engine executes."""
        self._executed = engine.count_code()
        self._pace = PACES[cpu.name].microseconds_a_byte

    def now(self) -> int:
        """Microseconds of executed code, and those waited."""
        size = self._executed.size if self._executed is not None else 0
        return int(size * self._pace) + self._skipped

    def wait(self, microseconds: int) -> None:
        """Let time pass."""
        self._skipped += microseconds
