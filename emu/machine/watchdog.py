"""Ends calls that run too long by the clock, at no cost to the ones that do not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType


class Watchdog:
    """While entered, calls ``stop`` when no new call has begun for a while.

    The thread that makes calls counts them in ``calls``. A stop may hit the call after the one
    that was slow; that call is then simply run again under a block budget, so nothing is lost.
    ``barked`` says whether it has happened.
    """

    def __init__(self, stop: Callable[[], None], seconds: float) -> None:
        self.calls = 0
        self.barked = False
        self._stop = stop
        self._seconds = seconds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="macproof-watchdog", daemon=True)

    def __enter__(self) -> Watchdog:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        seen = -1
        while not self._done.wait(self._seconds):
            if self.calls == seen:
                self.barked = True
                self._stop()
            seen = self.calls
