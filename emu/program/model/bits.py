"""Bit-fields: members of structs that are some bits of one byte or of several.

Big-endian compilers allocate bits from the highest down. So a bit-field lies in consecutive bytes,
read as one big-endian number, whose lowest bits may belong to the next bit-field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORD = 8


@dataclass(frozen=True, slots=True)
class BitField:
    """Where the bits of a member lie in the bytes that hold them.

    Attributes:
        width: how many bits.
        shift: how many bits of the last byte lie below them.
        is_signed: whether the highest of them is a sign.
    """

    width: int
    shift: int
    is_signed: bool

    @property
    def least(self) -> int:
        """The least number that fits."""
        return -(1 << self.width - 1) if self.is_signed else 0

    @property
    def most(self) -> int:
        """The greatest number that fits."""
        return (1 << self.width - self.is_signed) - 1

    def mask(self, size: int) -> bytes:
        """A mask of the field's bits, as a big-endian number of ``size`` bytes."""
        return (((1 << self.width) - 1) << self.shift).to_bytes(size, "big")

    def read(self, units: NDArray[Any]) -> NDArray[Any]:
        """The values of the field in many structs, int64 (uint64 for 64 unsigned bits).

        Args:
            units: the bytes that hold each, of a dtype such as ``V2``.
        """
        size = units.dtype.itemsize
        words = np.zeros((*units.shape, _WORD), np.uint8)
        words[..., _WORD - size :] = _bytes_of(np.atleast_1d(units)).reshape(*units.shape, size)
        numbers = words.view(">u8")[..., 0].astype(np.uint64) >> np.uint64(self.shift)
        numbers = numbers << np.uint64(64 - self.width)
        if self.is_signed:
            return np.asarray(numbers.astype(np.int64) >> np.int64(64 - self.width))
        numbers = numbers >> np.uint64(64 - self.width)
        return np.asarray(numbers if self.width == 64 else numbers.astype(np.int64))

    def put(self, units: NDArray[Any], numbers: NDArray[Any]) -> NDArray[Any]:
        """The bytes with the field set to other numbers; all other bits stay.

        Args:
            units: the bytes that hold each; they are not changed.
            numbers: whole numbers that fit, of the same shape.
        """
        size = units.dtype.itemsize
        # NumPy's operations on an array of shape () give a scalar, which has no byte order.
        words = np.atleast_1d(numbers).astype(np.int64).astype(np.uint64)
        laid = (words << np.uint64(self.shift)).astype(">u8")[..., np.newaxis].view(np.uint8)
        mask = np.frombuffer(self.mask(size), np.uint8)
        changed = (_bytes_of(np.atleast_1d(units)) & ~mask) | (laid[..., _WORD - size :] & mask)
        return np.ascontiguousarray(changed).view(units.dtype)[..., 0].reshape(units.shape)


def _bytes_of(units: NDArray[Any]) -> NDArray[np.uint8]:
    """The bytes of each unit, with one dimension more."""
    return np.ascontiguousarray(units)[..., np.newaxis].view(np.uint8)
