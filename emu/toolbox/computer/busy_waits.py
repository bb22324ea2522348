"""Lets time pass for a program that waits in a loop and never asks the Toolbox for the time.

Many games wait until the tick count in low memory has grown. With a clock that advances only when
it is asked, such a loop would never end. So a tick passes each time that the program has made a
thousand calls at one moment, or that it is found in a loop without calls that reads the tick count.
Either way it sees every tick, so that a run is the same each time.
"""

from __future__ import annotations

from emu.toolbox.computer.clock import TICK
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.layout import LowMemory

_CALLS = 1000
"""A Macintosh of 1990 makes so many calls in a tick or more; few draw in less than 20
microseconds."""

_AROUND = 64
"""How far from the present instruction the one may be that reads the tick count, in bytes."""

_TICKS = LowMemory.TICKS.to_bytes(2, "big")


class BusyWaits:
    """Finds loops that wait for a tick.

    Args:
        host: the machine.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._call = 0  # the number of the last call at which time had passed
        self._last_beat = -1  # and of the last one before the last heartbeat

    def after_call(self, before: int) -> bool:
        """Let a tick pass if too many calls were made at one moment.

        Args:
            before: the time that low memory has, in microseconds.

        Returns:
            Whether it is another one now.
        """
        clock, call = self._host.clock, self._host.calls_made
        if clock.now() == before and call - self._call < _CALLS:
            return False
        if clock.now() == before:
            clock.wait(TICK)
        self._call = call
        return True

    def on_heartbeat(self) -> bool:
        """Let a tick pass if the program waits for one without calls; whether it does."""
        host = self._host
        is_idle = host.clock.passes_in_calls and host.calls_made == self._last_beat
        waits = is_idle and self._reads_ticks()
        self._last_beat = host.calls_made
        if waits:
            host.clock.wait(TICK)
        return waits

    def _reads_ticks(self) -> bool:
        """Whether code around the present instruction, or a register, has the count's address."""
        engine, guest = self._host.engine, self._host.guest
        registers = engine.registers
        place = int(registers[engine.index["pc"]]) & ~1
        start = max(place - _AROUND, 0)
        if not guest.is_mapped(start, 2 * _AROUND):
            return False
        code = guest.read(start, 2 * _AROUND)
        words = (code[n : n + 2] for n in range(0, len(code), 2))
        return _TICKS in words or LowMemory.TICKS in map(int, registers)
