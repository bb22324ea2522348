"""Which numbers are close enough to count as equal."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.program.model.wide_floats import WideFloat
from emu.verify.places.slots.fields import Slot


def is_close(wanted: NDArray[Any], seen: NDArray[Any], slot: Slot) -> NDArray[np.bool_]:
    """Which floats are both NaN, or differ by no more than the slot's tolerance, if it has one."""
    with np.errstate(invalid="ignore", over="ignore"):
        number, other = (values.astype(np.float64) for values in (wanted, seen))
        limit: Any = slot.phrase.tolerance
        if slot.phrase.in_ulp:
            limit = limit * np.abs(np.spacing(wanted.astype(wanted.dtype.newbyteorder("="))))
        near = (
            np.abs(number - other) <= limit
            if slot.phrase.tolerance
            else np.zeros(number.shape, bool)
        )
    return np.asarray((np.isnan(number) & np.isnan(other)) | near)


def unmark_close(marks: NDArray[Any], wanted: NDArray[Any], seen: NDArray[Any], slot: Slot) -> None:
    """Clear the marks of long doubles that are equal numbers, or within the slot's tolerance."""
    form = slot.type.wide
    assert form is not None
    same = np.zeros((), marks.dtype)
    for place in zip(*np.nonzero(marks != same), strict=True):
        first, other = (form.number_at(values[place].tobytes()) for values in (wanted, seen))
        if first.is_same(other) or _is_within(first, other, slot):
            marks[place] = same


def _is_within(number: WideFloat, other: WideFloat, slot: Slot) -> bool:
    """Whether two long doubles are no further apart than the slot's tolerance."""
    phrase = slot.phrase
    if not (phrase.tolerance and number.is_finite and other.is_finite):
        return False
    limit = Fraction(phrase.tolerance) * (number.ulp() if phrase.in_ulp else 1)
    return abs(Fraction(*number.as_integer_ratio()) - Fraction(*other.as_integer_ratio())) <= limit
