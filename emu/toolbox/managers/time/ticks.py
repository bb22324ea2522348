"""The time since the Macintosh was switched on, in ticks and in microseconds.

Source: Inside Macintosh I, p. 260; Inside Macintosh: Processes, chapter 3.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.records.system import UnsignedWide

_TICKS_TO_MICROSECONDS = 1_000_000 / 60.15


class Ticks(Manager):
    """Tells the time, after running the tasks that are due by then."""

    plumbing = True

    _tasks: TimeManager

    @routine("FUNCTION TickCount: LONGINT")
    def tick_count(self) -> int:
        """Ticks since the Macintosh was switched on."""
        self._read()
        self.host.show_time()
        return self.host.clock.ticks()

    @routine("PROCEDURE Microseconds (VAR microTickCount: UnsignedWide)", architecture="powerpc")
    def microseconds(self, variable: int) -> None:
        """Microseconds since the Macintosh was switched on."""
        now = self._read()
        wide = UnsignedWide(self.guest, variable)
        wide.hi, wide.lo = now >> 32, now

    @routine("FUNCTION Microseconds: LONGINT", trap=0xA193, registers="-> D0", architecture="m68k")
    def microseconds_68k(self) -> int:
        """The same: the high half in A0, the low one in D0."""
        now = self._read()
        self.also_return("a0", now >> 32)
        return now & 0xFFFFFFFF

    def _read(self) -> int:
        """Microseconds since the Macintosh was switched on, before the tasks due then have run."""
        now = self.host.clock.read()
        if now >= self._tasks.next_due:
            self._tasks.run_due()
        return now

    @routine("PROCEDURE Delay (numTicks: LONGINT; VAR finalTicks: LONGINT)", architecture="powerpc")
    def delay(self, ticks: int, variable: int) -> None:
        """Let time pass; the ticks then."""
        self.guest.put32(variable, self._delay(ticks))

    @routine(
        "FUNCTION Delay (numTicks: LONGINT): LONGINT", registers="A0 -> D0", architecture="m68k"
    )
    def delay_68k(self, ticks: int) -> int:
        """The same."""
        return self._delay(ticks)

    def _delay(self, ticks: int) -> int:
        clock = self.host.clock
        end = clock.now() + max(int(ticks * _TICKS_TO_MICROSECONDS) + 1, 0)
        # A task that waits keeps the others waiting, as it does on a Macintosh.
        while self._tasks.next_due <= end and not self._tasks.is_running:
            clock.wait(max(int(self._tasks.next_due) - clock.now(), 0))
            self._tasks.run_due()
        clock.wait(max(end - clock.now(), 0))
        self.host.show_time()
        return clock.ticks()
