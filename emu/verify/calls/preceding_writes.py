"""Names the memory that the routines under ``before`` have written, for the report.

No reference says what these routines should do: whatever they leave is where the routine under test
begins. So a report names the variables that they set. A byte that they changed and that belongs to
no variable is reported with its address, since it is a mistake of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory.data_image import DataImage
from emu.program import Program, Variable

STRAY = "memory that no variable names"


def variables_written(
    written: NDArray[np.bool_],
    program: Program,
    data: DataImage,
    variables: Mapping[str, Sequence[Variable]],
) -> tuple[str, ...]:
    """Name what was written, in the order of the addresses.

    Memory that belongs to no variable is named by the address of its first byte, if the program has
    types.

    Args:
        written: (image size,) bool, the bytes that were changed in any image.
        program: the program. If it has no types, nothing but its symbols is known.
        data: where guest addresses are in an image.
        variables: the variables of the program and of the arguments, by name.
    """
    if not written.any():
        return ()
    left = written.copy()
    names = []
    for start, end, name in _places(program, data, variables):
        if left[start:end].any():
            names.append(name)
            left[start:end] = False
    if program.has_debug_information:
        names += [f"{STRAY} (0x{data.address(start):08x})" for start in _starts(left)]
    return tuple(dict.fromkeys(names))


def _places(
    program: Program, data: DataImage, variables: Mapping[str, Sequence[Variable]]
) -> Iterator[tuple[int, int, str]]:
    for name, several in variables.items():
        for variable in several:
            if variable.problem is None and data.room(variable.address) >= variable.type.size:
                start = data.offset(variable.address)
                yield start, start + variable.type.size, name
    for symbol in program.symbols:  # such as a label in assembler, which has no type
        if symbol.size and data.room(symbol.address) >= symbol.size:
            start = data.offset(symbol.address)
            yield start, start + symbol.size, symbol.name


def _starts(places: NDArray[np.bool_]) -> Iterable[int]:
    """The offsets at which runs of marked bytes begin."""
    edges = np.flatnonzero(places & ~np.concatenate([[False], places[:-1]]))
    return [int(edge) for edge in edges]
