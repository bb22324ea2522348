"""Why and where a program that is debugged stands."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class StopReason(enum.Enum):
    """Why a program that is debugged has stopped."""

    BEGUN = "begun"
    """Nothing has been executed yet."""
    STEP = "step"
    """It has executed as many instructions as it was asked to."""
    BREAKPOINT = "breakpoint"
    """It is about to execute an instruction with a breakpoint."""
    WATCHPOINT = "watchpoint"
    """Watched bytes have changed, or were read; going backwards: are about to."""
    ROUTINE = "routine"
    """It is about to call a routine of the Toolbox; the program counter is at the trap."""
    FINDING = "finding"
    """A check has just found a mistake of the program."""
    INTERRUPTED = "interrupted"
    """The user wanted it to stop."""
    FAULT = "fault"
    """It cannot go on: an exception, a refused access, an unknown routine, no time left."""
    ENDED = "ended"
    """It has come to its end."""
    HISTORY_BEGINS = "history begins"
    """Going backwards, nothing was found up to the beginning, where it stands now."""


class WatchKind(enum.Enum):
    """What bytes are watched for."""

    CHANGES = "changes"
    """By the program or the Toolbox."""
    READS = "reads"
    """By the program."""
    ACCESSES = "accesses"
    """Both, and stores of the program that change nothing."""


@dataclass(frozen=True, slots=True)
class WatchHit:
    """Bytes that are watched, and their change; the same twice if they were accessed only.

    Attributes:
        address: the first byte that is watched.
        old: the bytes before.
        new: the bytes after.
        routine: the routine of the Toolbox that changed them; "" if the program's code did.
        kind: what they are watched for.
    """

    address: int
    old: bytes
    new: bytes
    routine: str = ""
    kind: WatchKind = WatchKind.CHANGES


@dataclass(frozen=True, slots=True)
class DebugStop:
    """Where a program that is debugged stands, and why.

    Attributes:
        reason: why.
        instructions: how many instructions it has executed since its beginning. That is its time:
            in every run the program is in the same state at the same number.
        pc: the address of the instruction that comes next. At a fault: of the one that failed.
        text: the Toolbox call with its arguments, the finding, the problem, or the exit in words;
            "" where there is nothing to say.
        hit: the watched bytes; None for other reasons than a watchpoint.
        exit_code: at the end, the status that the program gave; at a fault, that of macproof.
    """

    reason: StopReason
    instructions: int
    pc: int
    text: str = ""
    hit: WatchHit | None = None
    exit_code: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the program cannot go on; it can still be looked at, and go back."""
        return self.reason in (StopReason.FAULT, StopReason.ENDED)
