"""Why a program that runs from stop to stop has stopped."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from emu.machine.engine.watch.trace import BadAccess


class StopKind(enum.Enum):
    """Why guest code stopped."""

    EXCEPTION = "exception"
    """The processor took an exception: a trap, or an error of the program."""
    RETURNED = "returned"
    """The program came to the sentinel."""
    WATCHED = "watched"
    """The program is about to execute a watched instruction."""
    FAULT = "fault"
    """The program accessed memory that does not exist or is protected, or the engine failed."""
    ASKED = "asked"
    """`HostedEngine.stop` was called, or the limit of its `EdgeCounter` was reached."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where and why guest code stopped.

    Attributes:
        kind: why.
        number: the processor exception, as the engine numbers them; 0 for other kinds.
        bad_access: the refused memory access; None if there was none.
        problem: the engine's message about a fault.
    """

    kind: StopKind
    number: int = 0
    bad_access: BadAccess | None = None
    problem: str = ""
