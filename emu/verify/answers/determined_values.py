"""Tells what a reference that is machine code leaves from what it only finds in memory."""

from __future__ import annotations

import numpy as np

from emu.cases.case import Case
from emu.verify.answers.host.host_call import PlaceResult
from emu.verify.places.linked_structures.pools import NULL, OUTSIDE


def values_left(
    case: Case, words: str, name: str, left: PlaceResult, *, is_pointer: bool
) -> np.ma.MaskedArray:
    """What a reference leaves in an observed place, with a mask over what it did not write.

    Args:
        case: the case, for messages.
        words: the reference and the scene that it was asked about, in words.
        name: the place in words.
        left: what is there after two calls on memory that was filled differently.
        is_pointer: whether the values are indices of what pointers lead to.

    Raises:
        CaseError: what it leaves depends on memory that the scene does not fill, or is a pointer to
            nothing that the case names.
    """
    if left.unclear.any():
        raise case.error(
            "reference:",
            f"what {words} leaves in {name} depends on memory that the scene does not fill",
            "Fill whatever it reads, under input or arguments.",
        )
    value = left.value
    if is_pointer:
        if ((value == OUTSIDE) & ~left.unwritten).any():
            raise case.error(
                "reference:",
                f"{words} leaves in {name} a pointer to nothing that the case names",
                "Say where it points, as in *source into **source.",
            )
        value = np.where(left.unwritten, NULL, value)
    return np.ma.MaskedArray(value, left.unwritten)
