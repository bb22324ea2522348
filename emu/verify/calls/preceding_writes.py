"""What the routines write that are called before the one under test.

Their work is taken for granted: what the routine finds is what they have left, and only that is
held against what it leaves. So a report names the variables that they have set, and tells of memory
that they have changed and that no variable names, since that is a mistake of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory.data_image import DataImage
from emu.program import Program, Variable

STRAY = "memory that no variable names"


class PrecedingWrites:
    """Notes which variables, and which other memory, calls have changed.

    Args:
        program: the program. If it has no types, nothing but its symbols is known.
        data: where guest addresses are in an image.
        variables: the variables of the program and of the arguments, by name.
    """

    def __init__(
        self, program: Program, data: DataImage, variables: Mapping[str, Sequence[Variable]]
    ) -> None:
        self._program, self._data, self._variables = program, data, variables
        self._changed = np.zeros(data.size, np.bool_)

    def note(self, loaded: NDArray[np.uint8], left: NDArray[np.uint8]) -> None:
        """Note what differs between the images that calls began with and what they left."""
        self._changed |= (loaded != left).any(axis=0)

    def take(self) -> tuple[str, ...]:
        """The names of what was changed since the last call of this function, in their order.

        What no variable names is told with the address of its first byte, if the program has types.
        """
        if not self._changed.any():
            return ()
        left = self._changed.copy()
        found = []
        for start, end, name in self._places():
            if left[start:end].any():
                found.append(name)
                left[start:end] = False
        self._changed[:] = False
        if self._program.has_debug_information:
            found += [f"{STRAY} (0x{self._data.address(one):08x})" for one in _starts(left)]
        return tuple(dict.fromkeys(found))

    def _places(self) -> Iterator[tuple[int, int, str]]:
        for name, variables in self._variables.items():
            for one in variables:
                if one.problem is None and self._data.room(one.address) >= one.type.size:
                    start = self._data.offset(one.address)
                    yield start, start + one.type.size, name
        for symbol in self._program.symbols:  # such as a label in assembler, which has no type
            if symbol.size and self._data.room(symbol.address) >= symbol.size:
                start = self._data.offset(symbol.address)
                yield start, start + symbol.size, symbol.name


def _starts(places: NDArray[np.bool_]) -> Iterable[int]:
    """Where runs of places begin."""
    edges = np.flatnonzero(places & ~np.concatenate([[False], places[:-1]]))
    return [int(one) for one in edges]
