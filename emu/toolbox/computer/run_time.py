"""How long a run may take, measured so that a busy computer changes nothing.

What counts is the processor's time of the process that runs the guest: the guest's own code, and
the Toolbox, which is Python. It stands still while other processes have the processor, while the
computer sleeps, and while the run waits for something of the host's, such as a file of a network.
Such a wait could last for ever, so it has a limit of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from emu.machine.engine.base.watchdog import WAITING

_WORK = 0.02
"""The part of a beat for which a process has the processor that is at work, even if 40 others on
each processor want it too. A process that waits has it for a thousandth: its heartbeat."""


class RunTime:
    """The time of one run.

    Its heartbeat calls `beat` at each beat. Beats in which the process hardly used the processor
    are added up as a wait, each as the time that lies between two beats, however late it comes: on
    a busy computer beats are rarer, too.

    Args:
        seconds: of processor time that the run may take; it may wait `WAITING` times as long.
        clock: the processor time of this process, in seconds.
    """

    def __init__(
        self, seconds: float = float("inf"), clock: Callable[[], float] | None = None
    ) -> None:
        self._seconds = seconds
        self._clock = clock or time.process_time
        self._began = self._seen = self._clock()
        self._waited = 0.0

    def used(self) -> float:
        """Seconds of processor time since the run began."""
        return self._clock() - self._began

    def beat(self, seconds: float) -> None:
        """Count a beat as work or as a wait.

        Args:
            seconds: that lie between two beats.
        """
        now = self._clock()
        if now - self._seen < _WORK * seconds:
            self._waited += seconds
        self._seen = now

    def late(self) -> float:
        """By how many seconds the run has exceeded one of its limits; not above 0 if none."""
        return max(self.used() - self._seconds, self._waited - WAITING * self._seconds)

    @property
    def problem(self) -> str:
        """Why a run that is late is ended."""
        if self.used() > self._seconds:
            return f"it did not end within {self._seconds:g} seconds"
        return (
            f"it has waited for {WAITING * self._seconds:g} seconds for something of this "
            f"computer, and is ended, as --timeout {self._seconds:g} says"
        )
