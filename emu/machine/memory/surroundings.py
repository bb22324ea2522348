"""What unused stack and registers hold when a call begins: values that no routine may rely on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory import layout


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The contents of the stack and of unused registers at the beginning of a call.

    Attributes:
        stack: (STACK_SIZE,) uint8.
        words: uint32, one for each register of any register file. None gives every register a
            recognisable value of its own.
        environment: the number of the operating system's state that the call finds, if it calls the
            system; 0 is the usual one.
        same_as: earlier surroundings with the same stack and words, if there are any; see
            `contents`.
    """

    stack: NDArray[np.uint8]
    words: NDArray[np.uint32] | None = None
    environment: int = 0
    same_as: Surroundings | None = None

    @property
    def contents(self) -> Surroundings:
        """The first surroundings with this stack and these words; they stand for all others."""
        return self.same_as or self

    def within(self, environment: int) -> Surroundings:
        """Surroundings with the same stack and words, and another state of the operating system."""
        if environment == self.environment:
            return self
        return Surroundings(self.stack, self.words, environment, self.contents)


PLAIN = Surroundings(np.full(layout.STACK_SIZE, layout.FILL, dtype=np.uint8))
"""The usual surroundings: a stack filled with one byte, and recognisable values in registers."""
