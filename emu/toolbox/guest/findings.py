"""Mistakes of a program that do not stop it, and the exceptions that end a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from emu.base.errors import GuestError


class Sureness(StrEnum):
    """How sure it is that a finding is a mistake of the program."""

    EVERY = "wrong on every Mac"
    SOME = "wrong on some Macs"
    UNUSUAL = "unusual"


CHECKS: Mapping[str, Sureness] = MappingProxyType(
    {
        "A5": Sureness.SOME,
        "StuffHex": Sureness.UNUSUAL,
        "below the stack": Sureness.EVERY,
        "address": Sureness.SOME,
        "bit map": Sureness.SOME,
        "callback": Sureness.EVERY,
        "code section": Sureness.SOME,
        "color": Sureness.EVERY,
        "damaged resource": Sureness.EVERY,
        "debugger": Sureness.SOME,
        "device": Sureness.EVERY,
        "dialog item": Sureness.EVERY,
        "disposed block": Sureness.EVERY,
        "disposed handle": Sureness.EVERY,
        "disposed pointer": Sureness.EVERY,
        "disposed port": Sureness.EVERY,
        "disposed resource": Sureness.EVERY,
        "double dispose": Sureness.EVERY,
        "file access": Sureness.UNUSUAL,
        "float status": Sureness.UNUSUAL,
        "findings": Sureness.SOME,
        "font": Sureness.UNUSUAL,
        "free block": Sureness.SOME,
        "free memory": Sureness.SOME,
        "host": Sureness.SOME,
        "long text": Sureness.SOME,
        "low memory": Sureness.SOME,
        "master pointer": Sureness.EVERY,
        "master pointer flags": Sureness.SOME,
        "memory": Sureness.EVERY,
        "menu": Sureness.EVERY,
        "menu bar": Sureness.UNUSUAL,
        "missing resource": Sureness.SOME,
        "nil argument": Sureness.SOME,
        "nil picture": Sureness.UNUSUAL,
        "others' memory": Sureness.SOME,
        "nil port": Sureness.UNUSUAL,
        "no port": Sureness.EVERY,
        "not a control": Sureness.EVERY,
        "not a dialog": Sureness.EVERY,
        "not a handle": Sureness.EVERY,
        "not a list": Sureness.EVERY,
        "not a pointer": Sureness.EVERY,
        "not a port": Sureness.EVERY,
        "not a region": Sureness.EVERY,
        "not a resource": Sureness.SOME,
        "not a window": Sureness.EVERY,
        "not an edit record": Sureness.EVERY,
        "odd address": Sureness.SOME,
        "open file": Sureness.SOME,
        "open picture": Sureness.EVERY,
        "open polygon": Sureness.EVERY,
        "open region": Sureness.EVERY,
        "patches": Sureness.SOME,
        "pen mode": Sureness.SOME,
        "picture": Sureness.SOME,
        "print page": Sureness.EVERY,
        "privileged instruction": Sureness.UNUSUAL,
        "resources": Sureness.SOME,
        "screen": Sureness.UNUSUAL,
        "segments": Sureness.SOME,
        "stack": Sureness.UNUSUAL,
        "stale handle": Sureness.SOME,
        "table of contents": Sureness.SOME,
        "text hook": Sureness.UNUSUAL,
        "time tasks": Sureness.SOME,
        "unlocked code": Sureness.SOME,
        "update": Sureness.EVERY,
        "window storage": Sureness.SOME,
    }
)
"""The names of all checks, and how sure what each finds usually is.

"Wrong on every Mac" breaks a rule of Inside Macintosh whatever the machine, such as a handle that
is disposed of twice. "Wrong on some Macs" goes well or badly with the machine, the System or how
memory lies, such as a pointer into a block that may move. "Unusual" is allowed and often a slip. A
user may allow the mistakes that a check finds by its name.
"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that did not stop the program.

    Attributes:
        check: which check found it ("low memory", "double dispose", ...).
        problem: what is wrong, as a sentence.
        routine: the Toolbox routine in whose call it was found, or "".
        caller: a description of the place in the program that made the call.
        times: how often the same mistake was found.
        sureness: how sure it is that the program is wrong; what is merely unusual fails no run.
    """

    check: str
    problem: str
    routine: str
    caller: str
    times: int = 1
    sureness: Sureness = Sureness.EVERY


class Report(Protocol):
    """Records a finding; see `Host.report`."""

    def __call__(self, check: str, problem: str, sureness: Sureness | None = None) -> None:
        """Record it."""


class UnknownRoutineError(GuestError):
    """The program called a Toolbox routine that macproof does not have."""


class GuestStopError(GuestError):
    """The program cannot go on: a fault, a broken rule of the machine, or an exceeded limit."""


class OutOfTimeError(GuestStopError):
    """The program took longer than it may, on this host; on a faster one it might not."""


class MisuseError(GuestStopError):
    """A routine was given something that it cannot work on, and a Macintosh goes on.

    There it reads or writes memory that is none of its own. Here the routine does nothing, its
    result is 0, and the mistake is reported. Outside of all calls the error ends the run.

    Attributes:
        check: the name of the check that found it.
        problem: what is wrong, as a sentence.
    """

    def __init__(self, message: str, check: str = "", problem: str = "") -> None:
        super().__init__(message)
        self.check = check
        self.problem = problem


class NilGivenError(Exception):
    """A routine was given nil for what it works on.

    A Macintosh goes on with whatever lies at address 0. Here the routine does nothing, its result
    is 0, and the mistake is reported.
    """


class ProgramExit(BaseException):
    """The program called ExitToShell, or its main routine returned."""
