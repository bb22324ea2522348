"""The instructions that access memory of the Toolbox's heap which belongs to no block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.program import Location
from emu.verify.calls.successive_calls import Begin
from emu.verify.images.bound_case import BoundCase
from emu.verify.scenes.fills import Preparation


@dataclass(frozen=True, slots=True)
class Stray:
    """An instruction that accesses memory of the heap which belongs to no block.

    Attributes:
        place: the instruction.
        is_store: whether it stores.
        what: what it does, as a clause without its subject: "reads 2 bytes at 0x000e2d28, where the
            block of handle 0x00052060 was until NewHandle, call 1 of the Toolbox, at ..., moved
            it"; and the call that executes it if there are several.
    """

    place: Location
    is_store: bool
    what: str

    def __str__(self) -> str:
        return f"{self.place} {self.what}"


def strays_of(
    bound: BoundCase, before: NDArray[np.uint8], preparation: Preparation, begin: Begin | None
) -> tuple[Stray, ...]:
    """Make the calls of a scene once more, slowly, and find such instructions.

    Args:
        bound: the case laid onto a program.
        before: (image size,) uint8, the image that the calls begin with.
        preparation: how memory is filled for them.
        begin: as for `call_in_a_row`.

    Returns:
        The first access of each instruction, in the order in which they are made.
    """
    found = bound.calls.strays(before, bound.surroundings([preparation])[0], begin)
    return tuple(
        Stray(
            bound.machine.program.locate(one.instruction),
            one.is_store,
            one.what + (f" (in {words})" if words else ""),
        )
        for one, words in found
    )
