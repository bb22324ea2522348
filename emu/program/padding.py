"""Tells the bytes of a variable that hold its value from the padding between members.

C and C++ leave the values of padding bytes unspecified, and the assignment of a struct may copy
them or not (C11 6.2.6.1, C++11 [class.copy]). So padding bytes are no result of a routine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.program.types import GuestType


def value_bytes(kind: GuestType) -> NDArray[np.bool_]:
    """Which bytes of one value of a type are not padding, shape (size,).

    In a union, a byte that belongs to any member is not padding.
    """
    if not kind.scalar.fields:
        return np.full(kind.size, kind.scalar.kind != "struct", dtype=np.bool_)
    one = np.zeros(kind.scalar.dtype.itemsize, dtype=np.bool_)
    for member in kind.scalar.fields:
        one[member.offset : member.offset + member.type.size] |= value_bytes(member.type)
    return np.tile(one, kind.size // max(len(one), 1))
