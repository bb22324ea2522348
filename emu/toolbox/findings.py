"""Mistakes of a program that do not stop it, and the exceptions that end a run."""

from __future__ import annotations

from dataclasses import dataclass

from emu.base.errors import GuestError

CHECKS = frozenset(
    {
        "StuffHex",
        "callback",
        "color",
        "debugger",
        "device",
        "dialog item",
        "disposed block",
        "disposed handle",
        "disposed pointer",
        "disposed port",
        "disposed resource",
        "double dispose",
        "file access",
        "findings",
        "free memory",
        "host",
        "long text",
        "low memory",
        "master pointer",
        "memory",
        "menu",
        "nil argument",
        "nil picture",
        "nil port",
        "not a handle",
        "not a pointer",
        "not a port",
        "not a resource",
        "open file",
        "open picture",
        "open polygon",
        "open region",
        "patches",
        "pen mode",
        "resources",
        "segments",
        "stack",
        "stale handle",
        "table of contents",
        "time tasks",
        "unlocked code",
        "update",
        "window storage",
    }
)
"""The names of all checks. A user may allow the mistakes that a check finds by its name."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake that did not stop the program.

    Attributes:
        check: which check found it ("low memory", "double dispose", ...).
        problem: what is wrong, as a sentence.
        routine: the Toolbox routine in whose call it was found, or "".
        caller: a description of the place in the program that made the call.
        times: how often the same mistake was found.
    """

    check: str
    problem: str
    routine: str
    caller: str
    times: int = 1


class UnknownRoutineError(GuestError):
    """The program called a Toolbox routine that macproof does not have."""


class GuestStopped(GuestError):
    """The program cannot go on: a fault, a broken rule of the machine, or an exceeded limit."""


class NilGivenError(Exception):
    """A routine was given nil for what it works on.

    A Macintosh goes on with whatever lies at address 0. Here the routine does nothing, its result
    is 0, and the mistake is reported.
    """


class ProgramEnded(BaseException):
    """The program called ExitToShell, or its main routine returned."""
