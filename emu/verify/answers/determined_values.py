"""Tells values that a reference in machine code has written from rubbish that was there before.

The reference is called twice, on memory filled with different rubbish; see `oracle`.
"""

from __future__ import annotations

import numpy as np

from emu.cases.case import Case
from emu.verify.answers.host.host_call import PlaceResult
from emu.verify.places.linked_structures.pools import NULL, OUTSIDE


def values_left(
    case: Case, words: str, name: str, left: PlaceResult, *, is_pointer: bool
) -> np.ma.MaskedArray:
    """The values that a reference left in an observed place; those it did not write are masked.

    Args:
        case: the case, for messages.
        words: the reference and the scene that it was asked about, in words.
        name: the place in words.
        left: the values in the place after two calls on memory that was filled differently.
        is_pointer: whether the values are pointers, given as indices of elements.

    Raises:
        CaseError: a value depends on memory that the scene does not fill; or a pointer leads to no
            element of an array that the case names.
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
