"""The terms of a call, and the results of a batch of calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.faults import Fault
from emu.machine.calls.system import Leftover, StrayAccess, SystemTerms
from emu.machine.engine import StaleCode

USUAL_INSTRUCTIONS = 1_000_000_000
"""`Budget.instructions` of a verification, and the least that somebody may choose: no host executes
so many before a call is stopped for the first time, so its speed decides nothing."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one call.

    At full speed nothing is counted. A call that takes longer than ``patience`` seconds is stopped
    and run again with tracing. A traced call may enter ``blocks`` blocks, which are counted
    exactly, and may take ``seconds`` seconds. Both are seconds of processor time, so that a busy
    machine changes no verdict.

    A call that needs more is run once more up to its end, or until it has executed
    ``instructions`` instructions, which are counted; 0 gives it up before. So how fast the host is
    decides nothing. ``is_stated`` says that somebody has chosen this number: a call that does not
    return within it counts as one that never does.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O2.elf")
        >>> machine = macproof.Machine(program, "601", budget=macproof.Budget(blocks=10_000))
        >>> machine.budget.blocks
        10000
    """

    blocks: int = 2_000_000
    patience: float = 0.25
    seconds: float = 30.0
    instructions: int = 0
    is_stated: bool = False


class SystemCallPolicy(Enum):
    """What becomes of calls that ask the operating system something."""

    ANSWERED = "each is answered by a system on which nothing has run yet"
    LEFT = "they are left out, and the batch says which they are"
    BEGINS = "every call is made with a system, on which nothing has run yet"
    GOES_ON = "every call is made with the system as the last call has left it"

    @property
    def is_certain(self) -> bool:
        """Whether calls are made with a system without being tried at full speed."""
        return self in (SystemCallPolicy.BEGINS, SystemCallPolicy.GOES_ON)


@dataclass(frozen=True, slots=True)
class CallTerms:
    """On what terms calls are made.

    Attributes:
        budget: the limits of each call.
        system: what they find of the operating system.
        asking: what becomes of calls that ask the operating system.
        watch: guest addresses; what stores to them is told of calls that `asking` makes with the
            system, and stray accesses are. None for calls that are not watched.
    """

    budget: Budget
    system: SystemTerms = field(default_factory=SystemTerms)
    asking: SystemCallPolicy = SystemCallPolicy.ANSWERED
    watch: range | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The results of a batch of calls.

    Attributes:
        after: (completed, image size) uint8, the data image after each call.
        violations: sentences about broken rules of the contract, by index of the call.
        fault: why the call after the last completed one did not return, or None.
        stale: the first code that was changed and executed without emptying the caches in between.
        asked: the indices of the calls that asked the operating system something. With
            `SystemCallPolicy.LEFT` they were not made, and ``after`` has what they would begin
            with.
        stores: for every address of `CallTerms.watch`, the program counter of the last store to it.
        left: what calls have left of the operating system otherwise than it was, by their index.
        traced: the indices of calls that took too long at full speed and were made again slowly.
            Nothing looks at the accesses of such a call.
        strays: what calls that were watched have accessed that belongs to no block.
    """

    after: NDArray[np.uint8]
    violations: dict[int, tuple[str, ...]]
    fault: Fault | None
    stale: StaleCode | None = None
    asked: tuple[int, ...] = ()
    stores: Mapping[int, int] = field(default_factory=dict)
    left: Mapping[int, tuple[Leftover, ...]] = field(default_factory=dict)
    traced: tuple[int, ...] = ()
    strays: tuple[StrayAccess, ...] = ()

    @property
    def completed(self) -> int:
        """How many calls returned."""
        return len(self.after)
