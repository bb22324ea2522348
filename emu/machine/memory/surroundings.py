"""The values that a call finds where no value is promised: on the stack and in registers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory import layout


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """Contents of the stack and of the registers that carry nothing.

    Attributes:
        stack: (STACK_SIZE,) uint8.
        words: uint32, one for each register of any register file. None gives every register a
            recognisable value of its own.
        environment: the number of the operating system's state that the call finds, if it asks;
            0 is the usual one.
        same_as: those that have the same stack and words; None if there are none before.
    """

    stack: NDArray[np.uint8]
    words: NDArray[np.uint32] | None = None
    environment: int = 0
    same_as: Surroundings | None = None

    @property
    def contents(self) -> Surroundings:
        """Those with the same stack and words, of which there is one object."""
        return self.same_as or self

    def within(self, environment: int) -> Surroundings:
        """The same stack and words, in the operating system's state of a number."""
        if environment == self.environment:
            return self
        return Surroundings(self.stack, self.words, environment, self.contents)


PLAIN = Surroundings(np.full(layout.STACK_SIZE, layout.FILL, dtype=np.uint8))
"""The usual surroundings: a stack filled with one byte, and recognisable values in registers."""
