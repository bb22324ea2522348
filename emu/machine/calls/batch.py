"""The terms of a call, and the results of a batch of calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.faults import Fault
from emu.machine.calls.system import Leftover, StrayAccess, SystemTerms
from emu.machine.code_coverage.edges_of_calls import EdgesOfCalls
from emu.machine.engine.quirks.stale_code import StaleCode

USUAL_INSTRUCTIONS = 1_000_000_000
"""`Budget.instructions` of a verification, and the least that somebody may choose: no host executes
so many before a call is stopped for the first time, so its speed decides nothing."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one call.

    A call is made up to three times. First it runs at full speed, where nothing is counted. If it
    takes longer than ``patience`` seconds, it is stopped and traced: it may then enter ``blocks``
    blocks, which are counted exactly, and take ``seconds`` seconds. Seconds are of processor time,
    so that a busy computer changes no verdict.

    If that is not enough, it runs a third time until it returns or has executed ``instructions``
    instructions, which are counted; 0 leaves out this third time. So the speed of the host decides
    nothing. ``is_stated`` says that the user or the case has chosen ``instructions``: a call that
    does not return within them then counts as one that never does.

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
    """What is done with a call that calls the operating system."""

    ANSWERED = "each is answered by a system on which nothing has run yet"
    LEFT = "they are left out, and the batch says which they are"
    BEGINS = "every call is made with a system, on which nothing has run yet"
    GOES_ON = "every call is made with the system as the last call has left it"

    @property
    def is_certain(self) -> bool:
        """Whether all calls are made with the operating system at once, not first at full speed."""
        return self in (SystemCallPolicy.BEGINS, SystemCallPolicy.GOES_ON)


@dataclass(frozen=True, slots=True)
class CallTerms:
    """What holds for all calls of a batch: budget, operating system, and watched addresses.

    Attributes:
        budget: the limits of each call.
        system: the state of the operating system that the calls find.
        asking: what is done with calls that call the operating system.
        watch: guest addresses. For calls that are made with the operating system, `Batch.stores`
            says which instruction stored to them last, and `Batch.strays` lists stray accesses.
            None watches nothing.
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
        asked: the indices of the calls that called the operating system. With
            `SystemCallPolicy.LEFT` they were not made, and ``after`` has the images that they would
            have begun with.
        stores: for every address of `CallTerms.watch`, the program counter of the last store to it.
        left: what each call has left changed in the operating system, by the call's index: for
            example a block that it did not dispose of.
        traced: the indices of calls that took too long at full speed and were made again slowly.
            Their accesses to memory are not checked.
        strays: accesses of watched calls to memory of the heap that belongs to no block.
        untranslated: why Unicorn has made calls in place of another engine, by the call's index: a
            noun, such as "DIVS.L D1,D0".
        edges: the edges that calls have taken, as far as an engine counts them for each call. Of
            those that Unicorn has made in its place, and behind the last, they are of no use.
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
    untranslated: Mapping[int, str] = field(default_factory=dict)
    edges: tuple[EdgesOfCalls, ...] = ()

    @property
    def completed(self) -> int:
        """How many calls returned."""
        return len(self.after)
