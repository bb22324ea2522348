"""Ends somebody else's Python code that does not return."""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from types import FrameType

SECONDS = 60.0
"""How long one call may take."""

_limit: ContextVar[float] = ContextVar("_limit", default=SECONDS)
_OURS = str(Path(__file__).parents[1]), contextlib.__file__
_AGAIN = 1.0  # seconds; code that catches this all the same is interrupted again


class TooLateError(BaseException):
    """The code was interrupted; the place is where it was at that time.

    It is no Exception, so that code that catches each of those does not go on.
    """


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Have `patience` in this block end code after so many seconds."""
    before = _limit.set(seconds)
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
    usual = signal.signal(signal.SIGALRM, _Interrupt())
    begin = functools.partial(signal.setitimer, signal.ITIMER_REAL, _limit.get(), _AGAIN)
    before = begin()
    try:
        yield begin
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, usual)


class _Interrupt:
    """Raises an error in the code that takes too long, and again if that goes on all the same."""

    def __init__(self) -> None:
        self._is_late = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        # While the first error is on its way out, e.g. past a list that takes long to be freed, a
        # second one would not be caught by whoever waits for the first.
        if self._is_late and frame is not None and frame.f_code.co_filename.startswith(_OURS):
            return
        self._is_late = True
        raise TooLateError(f"it did not return within {_limit.get():g} s")
