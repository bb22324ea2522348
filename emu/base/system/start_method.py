"""How worker processes are started, which is not the same on all systems.

A process with an engine is never forked: the engine would not work in the child, nor would locks
that threads hold. Linux forks a server process that has neither. On macOS forks are not reliable at
all, so a new Python is started there for each worker; that takes half a second of imports.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading

from emu.base.errors import UsageError

VARIABLE = "MACPROOF_START_METHOD"
"""The environment variable that chooses, so that the way of macOS can be tried on Linux."""
_METHODS = ("forkserver", "spawn")


def start_method() -> str:
    """The start method of `multiprocessing` for workers: "forkserver" or "spawn".

    Raises:
        UsageError: the environment variable names another one.
    """
    chosen = os.environ.get(VARIABLE, "")
    if chosen and chosen not in _METHODS:
        raise UsageError(f"{VARIABLE} is {chosen!r}; it has to be {' or '.join(_METHODS)}")
    return chosen or ("forkserver" if sys.platform == "linux" else "spawn")


def quick_start_method() -> str:
    """The start method for one call: "fork" where that is safe, which saves the imports.

    It is on Linux, as long as this process has one thread.
    """
    usual = start_method()
    is_safe = usual == "forkserver" and sys.platform == "linux" and threading.active_count() == 1
    return "fork" if is_safe else usual


def load_beforehand(module: str) -> None:
    """Have worker processes begin with a module in them, where the way of starting allows it.

    Call it before the first of them is started. The module must make no engine when it is loaded.
    """
    if start_method() == "forkserver":
        multiprocessing.set_forkserver_preload([module])
