"""The values that a call finds where no value is promised: on the stack and in registers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.machine import layout


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """Contents of the stack and of the registers that carry nothing.

    Attributes:
        stack: (STACK_SIZE,) uint8.
        words: uint32, one for each register of any register file. None gives every register a
            recognisable value of its own.
    """

    stack: NDArray[np.uint8]
    words: NDArray[np.uint32] | None = None


PLAIN = Surroundings(np.full(layout.STACK_SIZE, layout.FILL, dtype=np.uint8))
"""The usual surroundings: a stack filled with one byte, and recognisable values in registers."""
