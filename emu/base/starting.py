"""What holds while a process is started, so that it sees no Ctrl-C and runs no script again."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import ModuleType


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C to the end of the block; processes that the block starts never see it."""
    came: list[int] = []
    # The mask is for the children, which inherit it. It is not enough here: any thread of a
    # library may take the signal, and Python then interrupts this one between two steps, when a
    # child has been started but is not recorded yet.
    is_main = threading.current_thread() is threading.main_thread()
    if is_main:
        usual = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    masked = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masked else set()
    try:
        yield
    finally:
        if masked:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if is_main:
            signal.signal(signal.SIGINT, usual or signal.SIG_DFL)
    if came:
        signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def main_left_out() -> Iterator[None]:
    """Processes that are started here do not run the script of this process again.

    They would import it, as they would a module, so that one without ``if __name__ ==
    "__main__":`` would start processes in each of them. Nothing that they are given lies in it.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
