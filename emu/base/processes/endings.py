"""How processes that ran guest code ended, in words."""

from __future__ import annotations

import contextlib
import signal

# These are sent by other processes, or by a system without memory.
_FROM_OUTSIDE = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")

STUCK = 97
"""The exit code of a worker that has ended itself."""


def is_from_outside(ending: str) -> bool:
    """Whether a process has ended by a signal that only somebody else sends.

    Args:
        ending: what `ending_of` says.
    """
    return ending in _FROM_OUTSIDE


def blame(ending: str) -> str:
    """Whose doing it is that a process with an engine has ended."""
    if is_from_outside(ending):
        return "the engine's process was ended from outside, which says nothing about guest code"
    return "the guest code brought the engine's process down"


def ending_of(code: int | None) -> str:
    """How a process ended: the name of a signal, or its exit code."""
    if code == STUCK:
        return "the engine could not be stopped"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"
