"""What processes need before they can be started, and what holds while one is."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import ModuleType

from emu.base.errors import ToolMissingError

SHARED_MEMORY = "/dev/shm"
"""The folder of Linux for memory that processes share, as the page shm_overview(7) says."""

_SAFE_PATH = "PYTHONSAFEPATH"
_environment = threading.RLock()


def require_shared_locks() -> None:
    """Make sure that locks can be made that processes share; worker processes need some.

    Linux keeps them in a folder, but its error names no folder, and says that a file is missing
    where the folder may not be written to.

    Raises:
        ToolMissingError: none can be made.
    """
    try:
        with working_folder_left_out():
            multiprocessing.get_context().Lock()
    except (OSError, ImportError) as error:  # ImportError: the system has no such locks at all
        where, remedy, why = "", "", str(error)
        if sys.platform == "linux" and isinstance(error, OSError):
            is_hidden = error.errno == errno.ENOENT and os.path.isdir(SHARED_MEMORY)
            why = os.strerror(errno.EACCES if is_hidden else error.errno or 0)
            where = f" in {SHARED_MEMORY}"
            remedy = (
                f". Make {SHARED_MEMORY} a folder that you may write to, with room in it, such as "
                f"by: mount -t tmpfs -o mode=1777 tmpfs {SHARED_MEMORY}"
            )
        raise ToolMissingError(
            f"worker processes need locks that they share, and none can be made{where}: "
            f"{why}{remedy}"
        ) from error


@contextlib.contextmanager
def process_start() -> Iterator[None]:
    """What holds while a worker process is started; see the three of which it consists."""
    with interrupts_held(), main_left_out(), working_folder_left_out():
        yield


@contextlib.contextmanager
def working_folder_left_out() -> Iterator[None]:
    """Python processes that are started here do not look for modules in the working folder.

    A Python that is given a command looks there first, before it is told where else. So a user's
    file ``re.py`` would take the place of Python's own module. Once it has begun, a worker looks
    where this process does. Python's own children (the fork server, and the process that tracks
    resources) can be told this by the environment alone.
    """
    with _environment:
        before = os.environ.get(_SAFE_PATH)
        os.environ[_SAFE_PATH] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE_PATH]
            else:
                os.environ[_SAFE_PATH] = before


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
