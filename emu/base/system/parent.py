"""Ends a worker process when its parent has ended, even if that was killed by ``kill -9``."""

from __future__ import annotations

import contextlib
import fcntl
import multiprocessing
import os
import signal
import sys
import threading
from typing import Any


def end_with_parent() -> None:
    """From now on, end this process as soon as its parent has ended, whatever it is doing then.

    Parent and child hold the ends of a pipe; the parent's is closed when the parent ends. A thread
    of the child waits for that. The thread cannot run while native code holds the interpreter's
    lock, as a regular expression does that backtracks for hours. So on Linux the kernel is told,
    too, to kill the child.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            _have_kernel_end_this_process(parent.sentinel)
    end_copy_with_parent()


def end_copy_with_parent() -> None:
    """Do what `end_with_parent` does in a copy of a process, which has none of its threads.

    The kernel is not told: it kills one process for each pipe, and that is the original.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _have_kernel_end_this_process(pipe: int) -> None:
    """Have the kernel kill this process when the other end of a pipe is closed.

    PR_SET_PDEATHSIG does not help here. It is about the process that forked, which is the fork
    server, and that lives as long as any worker; and it is sent already when the thread ends that
    forked.
    """
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)
