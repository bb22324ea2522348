"""Ends calls that run too long by the clock, at no cost to other calls."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from types import TracebackType

from emu.base.workers import end_stuck_worker

STUCK_SECONDS = 30.0
"""How long an engine may go on after it was told to stop. An engine that takes longer will never
stop, and its process has to end."""


class Watchdog:
    """While entered, calls ``stop`` when no new call has begun for a while.

    The thread that makes calls counts them in ``calls``. A stop may hit the call after the slow
    one, and the engine may lose a stop that comes just when a call begins. Therefore, if ``barked``
    is set after a call, the result of the call is not used; the call is run again under a block
    budget. No call is stopped after the ``with`` block of the watchdog has been left.

    One thread is started at the first entry and kept, because starting and joining a thread costs
    more than a whole scene. It ends with its watchdog.

    Attributes:
        calls: how many calls have begun since the watchdog was made. It is never set back: the
            first calls of two entries would look like one slow call.
        barked: whether ``stop`` has been called since the watchdog was entered.
        seconds: how long a call may take; at most twice as long passes before it is stopped.

    A worker process whose engine does not stop for `STUCK_SECONDS` is ended.
    """

    def __init__(self, stop: Callable[[], None], seconds: float) -> None:
        self.calls = 0
        self.barked = False
        self.seconds = seconds
        self._stop = stop
        self._barking = threading.Lock()
        self._watching = False
        self._started = False
        self._barks = 0

    def __enter__(self) -> Watchdog:
        self.barked = False
        self._watching = True
        if not self._started:
            self._started = True
            threading.Thread(
                target=_watch, args=(weakref.ref(self),), name="macproof-watchdog", daemon=True
            ).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._barking:
            self._watching = False

    def look(self, seen: int) -> int:
        """Bark if no call has begun since there were ``seen`` calls.

        Returns:
            How many calls have begun by now; -1 if the watchdog is not entered.
        """
        with self._barking:
            if not self._watching:
                return -1
            if self.calls == seen:
                self.barked = True
                self._stop()
                self._barks += 1
                if self._barks * self.seconds > STUCK_SECONDS:
                    end_stuck_worker()
            else:
                self._barks = 0
            return self.calls


def _watch(reference: weakref.ref[Watchdog]) -> None:
    seen = -1
    while (watchdog := reference()) is not None:
        seconds = watchdog.seconds
        seen = watchdog.look(seen)
        del watchdog
        time.sleep(seconds)
