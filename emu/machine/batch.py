"""What calls may use up, and what a batch of them leaves behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.machine.engine import StaleCode
from emu.machine.faults import Fault


@dataclass(frozen=True, slots=True)
class Budget:
    """What one call may use up.

    ``blocks`` decides, and is counted exactly, in a traced run. At full speed nothing is counted;
    there the clock decides only when to run a call again with tracing: after ``patience``
    seconds. ``seconds`` bounds the traced run itself.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O2.elf")
        >>> machine = macproof.Machine(program, "601", budget=macproof.Budget(blocks=10_000))
        >>> machine.budget.blocks
        10000
    """

    blocks: int = 2_000_000
    patience: float = 0.25
    seconds: float = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a batch of calls left behind.

    Attributes:
        after: (completed, image size) uint8, the data image after each call.
        violations: sentences about broken rules of the contract, by index of the call.
        fault: why the call after the last completed one did not come back, or None.
        stale: the first code that was changed and executed without its caches being emptied.
    """

    after: NDArray[np.uint8]
    violations: dict[int, tuple[str, ...]]
    fault: Fault | None
    stale: StaleCode | None = None

    @property
    def completed(self) -> int:
        """How many calls came back."""
        return len(self.after)
