"""A thread that stops the guest from time to time, and ends what takes longer than it may."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Iterator

from emu.base.processes.workers import end_stuck_worker
from emu.machine.engine.base import watchdog
from emu.machine.engine.hosted_engine import HostedEngine
from emu.toolbox.computer.run_time import RunTime

_SECONDS, _HASTY_SECONDS = 0.2, 0.005


class RoutineTooLongError(BaseException):
    """A routine of the Toolbox was still at work when the time of the run was over."""


class Heartbeat:
    """Stops an engine five times a second, so that Python sees signals and the time.

    Args:
        engine: what is stopped.

    Attributes:
        engine: the same; another one while that runs.
        is_due: whether it has stopped the engine since the last time that this was set to false.
        time: of the run; a routine of the Toolbox is ended when this is over.
        seconds: from one beat to the next.
        is_hasty: whether the next beat comes sooner, since the program waits for a tick.
    """

    def __init__(self, engine: HostedEngine) -> None:
        self.engine = engine
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._was_interrupted = False
        self.is_due = False
        self.time = RunTime()
        self.seconds = _SECONDS
        self.is_hasty = False

    @contextlib.contextmanager
    def beating(self) -> Iterator[None]:
        """Beat during a block. What the block calls is interrupted if it ends too late.

        Raises:
            RoutineTooLongError: a routine of the Toolbox was ended.
        """
        outer = self._thread, self._stopping
        self._was_interrupted = False
        self._begin()
        try:
            yield
        finally:
            self._end()
            self._thread, self._stopping = outer
            if self._was_interrupted:
                _meet_interrupts()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Have no thread during a block, such as one that forks: only the forking thread goes on.

        It beats again afterwards, in each process that leaves the block.
        """
        was_beating = self._thread is not None
        if was_beating:
            self._end()
        yield
        if was_beating:
            self._begin()

    def _begin(self) -> None:
        self._stopping = threading.Event()
        arguments = self._stopping, threading.get_ident()
        self._thread = threading.Thread(target=self._beat, args=arguments, daemon=True)
        self._thread.start()

    def _end(self) -> None:
        """End the thread, which may interrupt this one meanwhile."""
        thread = self._thread
        while thread is not None and thread.is_alive():
            with contextlib.suppress(RoutineTooLongError):
                self._stopping.set()
                thread.join()

    def _beat(self, stopping: threading.Event, thread: int) -> None:
        # The engine holds back signals such as Ctrl-C, so it is stopped from time to time and
        # continued. A routine of the Toolbox is Python, and gets an exception.
        unheard_since: float | None = None  # the run's time at which the engine was told to stop
        while not stopping.wait(seconds := _HASTY_SECONDS if self.is_hasty else self.seconds):
            engine = self.engine
            self.time.beat(seconds)
            late = self.time.late()
            if late > 0 and self.is_due and not engine.is_running:
                if late > watchdog.STUCK_SECONDS:  # it is in one step of Python, or waits in one
                    end_stuck_worker()
                self._was_interrupted = True
                _interrupt(thread)
            if not (self.is_due and engine.is_running):
                unheard_since = None
            elif unheard_since is None:
                unheard_since = self.time.used()
            elif self.time.used() - unheard_since > watchdog.STUCK_SECONDS:
                end_stuck_worker()
            self.is_due = True
            engine.stop()


def _interrupt(thread: int) -> None:
    """Raise an error in a thread, at its next step of Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(RoutineTooLongError)
    )


def _meet_interrupts() -> None:
    """Have errors that are still on their way to this thread arrive now.

    They are not taken back, as CPython offers: in 3.11 it looks for such an error at every call
    and every jump from then on, and all Python of the process is several times slower.
    """
    with contextlib.suppress(RoutineTooLongError):
        _interrupt(threading.get_ident())
        for _ in range(1000):  # it arrives at the first jump
            pass
