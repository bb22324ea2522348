"""Which bytes of a variable belong to no member: a compiler may put anything there.

C and C++ leave the values of padding bytes unspecified, and a struct that is assigned may take
its source's padding along (C11 6.2.6.1, C++11 [class.copy]), so they are no result of a routine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.program.types import GuestType


def value_bytes(kind: GuestType) -> NDArray[np.bool_]:
    """Which bytes of one value of a type hold something, shape (size,).

    A byte of any member of a union holds something.
    """
    if not kind.scalar.fields:
        return np.full(kind.size, kind.scalar.kind != "struct", dtype=np.bool_)
    one = np.zeros(kind.scalar.dtype.itemsize, dtype=np.bool_)
    for member in kind.scalar.fields:
        one[member.offset : member.offset + member.type.size] |= value_bytes(member.type)
    return np.tile(one, kind.size // max(len(one), 1))
