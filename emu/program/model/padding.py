"""Tells the bytes of a variable that hold its value from the padding between members.

C and C++ leave the values of padding bytes unspecified, and the assignment of a struct may copy
them or not (C11 6.2.6.1, C++11 [class.copy]). So padding bytes are no result of a routine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.program.model.types import GuestType


def value_bits(kind: GuestType) -> NDArray[np.uint8]:
    """Which bits of one value of a type are not padding, shape (size,).

    In a union, a bit that belongs to any member is not padding.
    """
    if kind.scalar.wide is not None:
        used = np.frombuffer(kind.scalar.wide.used, np.uint8)
        return np.tile(used, kind.size // max(len(used), 1))
    if kind.bits is not None:
        return np.frombuffer(kind.bits.mask(kind.size), np.uint8)
    if not kind.scalar.fields:
        return np.full(kind.size, 0 if kind.scalar.kind == "struct" else 0xFF, dtype=np.uint8)
    bits = np.zeros(kind.scalar.dtype.itemsize, dtype=np.uint8)
    for member in kind.scalar.fields:
        bits[member.offset : member.offset + member.type.size] |= value_bits(member.type)
    return np.tile(bits, kind.size // max(len(bits), 1))
