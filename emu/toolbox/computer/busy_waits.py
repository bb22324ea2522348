"""Lets time pass for a program that waits in a loop and never asks the Toolbox for the time.

Many games wait until the tick count in low memory has grown. With a clock that advances only when
it is asked, such a loop would never end. So a tick passes each time that the program has made a
thousand calls at one moment, or that it is found in a loop without calls that reads the tick count.
Either way it sees every tick, so that a run is the same each time.

Others wait for a variable that a routine of theirs sets at interrupt time. Such a program makes no
call and comes back to a state that it had, registers and memory: from there it could only go round
for ever. So the time has come of the next task.
"""

from __future__ import annotations

import zlib
from collections import Counter

from emu.toolbox.computer.clock import TICK
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.layout import LowMemory

_CALLS = 1000
"""A Macintosh of 1990 makes so many calls in a tick or more; few draw in less than 20
microseconds."""

_AROUND = 64
"""How far from the present instruction the one may be that reads the tick count, in bytes."""

_SIGHTINGS = 3
"""How often a program is seen in one state until it is clear that it waits."""

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
        self._is_idle = False
        self._states = Counter[tuple[int, ...]]()

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
        self._is_idle = is_idle and not waits
        self._last_beat = host.calls_made
        if waits:
            host.clock.wait(TICK)
        return waits

    def comes_round(self) -> bool:
        """Whether the program, at a heartbeat, is again in a state that it had since its last call.

        Twice may mean that nothing was executed from one heartbeat to the next, where Python was
        at work. To look at 8 MB of memory takes some 3 ms.
        """
        if not self._is_idle:
            self._states.clear()
            return False
        state = *map(int, self._host.engine.registers), self._memory()
        self._states[state] += 1
        is_known = self._states[state] >= _SIGHTINGS
        if is_known:
            self._states.clear()
        return is_known

    def _memory(self) -> int:
        """A check sum of all memory that the program can change."""
        memory, total = self._host.guest.memory, 0
        for region in memory.regions:
            if region.writable:
                total = zlib.crc32(memory.view(region.address, region.size).data, total)
        return total

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
