"""Ends somebody else's Python code that does not return."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

SECONDS = 60.0
"""How long one call may take."""

_OURS = str(Path(__file__).parents[1]), contextlib.__file__
_AGAIN = 1.0  # seconds; code that catches this all the same is interrupted again
_EARLY = 0.01  # a timer may ring as much before its time, by the clock that is read here


@dataclass(frozen=True, slots=True)
class _Limit:
    """How long one call may take.

    Attributes:
        seconds: by the clock.
        busy: of this process's time.
    """

    seconds: float
    busy: float


_USUAL = _Limit(SECONDS, SECONDS)
_limit: ContextVar[_Limit] = ContextVar("_limit", default=_USUAL)


class TooLateError(BaseException):
    """The code was interrupted; the place is where it was at that time.

    It is no Exception, so that code that catches each of those does not go on.
    """


@contextlib.contextmanager
def at_most(seconds: float, busy: float = SECONDS) -> Iterator[None]:
    """Have `patience` in this block end code after so many seconds.

    Args:
        seconds: by the clock.
        busy: of this process's time, which does not go on while others keep the computer busy.
    """
    before = _limit.set(_Limit(seconds, min(seconds, busy)))
    try:
        yield
    finally:
        _limit.reset(before)


@contextlib.contextmanager
def patience() -> Iterator[Callable[[], object]]:
    """Interrupt the block when it takes longer than `SECONDS`, or than `at_most` says.

    It can be interrupted between two steps of Python, and only in the main thread of a process on a
    system with signals. Elsewhere it may take as long as it likes.

    Yields:
        What lets the time begin again, for a block that does many things.

    Raises:
        TooLateError: it took longer.
    """
    is_possible = hasattr(signal, "setitimer")
    if not is_possible or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    interrupt = _Interrupt(_limit.get())
    usual = signal.signal(signal.SIGALRM, interrupt)
    before = interrupt.begin()
    try:
        yield interrupt.begin
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, usual)


class _Interrupt:
    """Raises an error in the code that takes too long, and again if that goes on all the same."""

    def __init__(self, limit: _Limit) -> None:
        self._limit = limit
        self._is_late = False
        self._since = 0.0, 0.0

    def begin(self) -> tuple[float, float]:
        """Let the time begin; the timer that ran before."""
        self._since = time.monotonic(), time.process_time()
        busy = self._limit.busy
        return signal.setitimer(signal.ITIMER_REAL, busy, min(busy, _AGAIN))

    def __call__(self, number: int, frame: FrameType | None) -> None:
        # While the first error is on its way out, e.g. past a list that takes long to be freed, a
        # second one would not be caught by whoever waits for the first.
        if self._is_late and frame is not None and frame.f_code.co_filename.startswith(_OURS):
            return
        began, busy_then = self._since
        seconds, busy = time.monotonic() - began, time.process_time() - busy_then
        if seconds >= self._limit.seconds - _EARLY:
            most = f"{self._limit.seconds:g} s"
        elif busy >= self._limit.busy - _EARLY:
            most = f"{self._limit.busy:g} s of processor time"
        else:
            return
        self._is_late = True
        raise TooLateError(f"it did not return within {most}")
