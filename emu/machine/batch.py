"""The terms of a call, and the results of a batch of calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from emu.machine.engine import StaleCode
from emu.machine.faults import Fault


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one call.

    At full speed nothing is counted. A call that takes longer than ``patience`` seconds is stopped
    and run again with tracing. A traced call may enter ``blocks`` blocks, which are counted
    exactly, and may take ``seconds`` seconds.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O2.elf")
        >>> machine = macproof.Machine(program, "601", budget=macproof.Budget(blocks=10_000))
        >>> machine.budget.blocks
        10000
    """

    blocks: int = 2_000_000
    patience: float = 0.25
    seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms calls are made: their budget, and what is answered from guest memory.

    Attributes:
        budget: the limits of each call.
        answers: the routines of the operating system that are answered from guest memory (see
            `System.run`).
    """

    budget: Budget
    answers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The results of a batch of calls.

    Attributes:
        after: (completed, image size) uint8, the data image after each call.
        violations: sentences about broken rules of the contract, by index of the call.
        fault: why the call after the last completed one did not return, or None.
        stale: the first code that was changed and executed without emptying the caches in between.
    """

    after: NDArray[np.uint8]
    violations: dict[int, tuple[str, ...]]
    fault: Fault | None
    stale: StaleCode | None = None

    @property
    def completed(self) -> int:
        """How many calls returned."""
        return len(self.after)
