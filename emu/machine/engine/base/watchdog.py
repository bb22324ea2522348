"""Ends calls that take too much of the processor's time, at no cost to other calls."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from emu.base.processes.workers import end_stuck_worker

STUCK_SECONDS = 30.0
"""How long an engine may go on after it was told to stop. An engine that takes longer will never
stop, and its process has to end."""


_MOST = 0.9
"""The part of a tick of the watch for which a call has the processor if nothing else wants it."""

WAITING = 20
"""How many times longer than its limit something may last that hardly gets the processor."""


class Watchdog:
    """Inside its ``with`` block, calls ``stop`` when one call has used the processor for too long.

    What counts is the processor time of this process, so that nothing is stopped because other
    processes keep the machine busy.

    The thread that makes calls counts them in ``calls``. A stop may hit the call after the slow
    one, and the engine may lose a stop that comes just when a call begins. Therefore, if ``barked``
    is set after a call, the result of the call is not used; the call is run again under a block
    budget. No call is stopped after the ``with`` block of the watchdog has been left.

    One thread is started at the first entry and kept, because starting and joining a thread takes
    34 µs, and a short call 17. It ends with its watchdog.

    Attributes:
        calls: how many calls have begun since the watchdog was made. It is never set back: the
            first calls of two entries would look like one slow call.
        barked: whether ``stop`` has been called since the watchdog was entered.
        seconds: how long a call may take; at most twice as long passes before it is stopped. A call
            that waits for something and does not use the processor is stopped too, later.

    A worker process whose engine does not stop for `STUCK_SECONDS` is ended.
    """

    def __init__(
        self,
        stop: Callable[[], None],
        seconds: float,
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        self.calls = 0
        self.barked = False
        self.seconds = seconds
        self._stop = stop
        self._clock = clock
        self._barking = threading.Lock()
        self._watching = False
        self._started = False
        self._since = 0.0
        self._looks = 0
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
        """Bark if a call takes too long: if it is under way now and was at the last looks, too.

        Args:
            seen: what the last look returned.

        Returns:
            How many calls have begun by now; -1 if the watchdog is not entered.
        """
        with self._barking:
            if not self._watching:
                return -1
            now = self._clock()
            if self.calls != seen:
                self._since, self._looks, self._barks = now, 0, 0
                return self.calls
            self._looks += 1
            waited = self._looks * self.seconds
            if now - self._since >= _MOST * self.seconds or waited > STUCK_SECONDS:
                self.barked = True
                self._stop()
                self._barks += 1
                if self._barks * self.seconds > STUCK_SECONDS:
                    end_stuck_worker()
            return self.calls


def _watch(reference: weakref.ref[Watchdog]) -> None:
    seen = -1
    while (watchdog := reference()) is not None:
        seconds = watchdog.seconds
        seen = watchdog.look(seen)
        del watchdog
        time.sleep(seconds)


@contextmanager
def ended_if_stuck(seconds: float) -> Iterator[None]:
    """End this worker process if the body takes longer, of processor time, and then is stuck.

    Args:
        seconds: after which the body should end by itself; `STUCK_SECONDS` later it is stuck.
    """
    limit, done = seconds + STUCK_SECONDS, threading.Event()
    ends, gives_up = time.process_time() + limit, time.monotonic() + WAITING * limit

    def watch() -> None:
        while not done.wait(min(limit, 1.0)):
            if time.process_time() > ends or time.monotonic() > gives_up:
                end_stuck_worker()

    threading.Thread(target=watch, name="macproof-stuck", daemon=True).start()
    try:
        yield
    finally:
        done.set()
