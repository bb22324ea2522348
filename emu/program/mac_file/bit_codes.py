"""The numbers that decompressor 3 of the Resource Manager reads, in a varying number of bits.

The source of all forms is what the authors of resource_dasm found out, the slip at 0x66C included.
"""

from __future__ import annotations

_LONGEST_PREFIX = 10
_SHORT, _LONG = 8, 12
"""The first numbers of four bits after which two, and three, bits follow in `BitCodes.count`."""

_LENGTHS = {
    3: (11, 3),
    4: (19, 3),
    5: (27, 5),
    6: (59, 6),
    7: (123, 7),
    8: (251, 8),
    9: (507, 9),
    10: (1019, 10),
}
"""The first number and the bits that follow, by how many ones begin the code of a length."""

_FARTHEST = (
    *(0x0A, 0x14, 0x28, 0x50, 0xA0, 0x2A0, 0x3E8, 0xA80),
    *(0x1500, 0x2A00, 0x5400, 0xA800, 0x11170, 0x2A000, 0x54000),
)
"""Up to which distance each of the fifteen forms of a distance is used."""

_SLIP = (7, 0x66C, 0x680)
"""In the eighth form, Apple's code takes the next width for what lies between these."""


class BitCodes:
    """Reads numbers from bytes, the highest bit first.

    Every method raises EOFError where the bytes end within a number.

    Args:
        data: the bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def bits(self, count: int) -> int:
        """A number of so many bits."""
        end = self._place + count
        if end > 8 * len(self._data):
            raise EOFError
        first, last = self._place >> 3, end + 7 >> 3
        self._place = end
        value = int.from_bytes(self._data[first:last], "big") >> 8 * last - end
        return value & (1 << count) - 1

    def count(self) -> int:
        """How many bytes follow as they are: 1 to 63."""
        if not self.bits(1):
            return 1
        kind = self.bits(2)
        if kind < 2:
            return 2 + kind
        if kind == 2:
            return 4 + self.bits(2)
        group = self.bits(4)
        if group < _SHORT:
            return 8 + group
        if group < _LONG:
            return 16 + (group - _SHORT << 2) + self.bits(2)
        return 32 + (group - _LONG << 3) + self.bits(3)

    def length(self) -> int:
        """A number from 0 to 2,042, from which the length of a repeated text follows."""
        ones = 0
        while ones < _LONGEST_PREFIX and self.bits(1):
            ones += 1
        if ones == 0:
            return self.bits(1)
        if ones == 1:
            return 3 + self.bits(1) if self.bits(1) else 2
        if ones == 2:
            return 7 + self.bits(2) if self.bits(1) else 5 + self.bits(1)
        first, width = _LENGTHS[ones]
        return first + self.bits(width)

    def distance(self, most: int) -> int:
        """How many bytes back a repeated text begins: at least 1.

        Args:
            most: how many there are; the more, the more bits a distance has.

        Raises:
            ValueError: there are more than 0x54000.
        """
        form = next((n for n, farthest in enumerate(_FARTHEST) if most <= farthest), None)
        if form is None:
            raise ValueError(most)
        if not self.bits(1):
            return 1 + self.bits(form)
        if not self.bits(1):
            return 1 + (1 << form) + self.bits(form + 2)
        near = 5 << form
        if form == _SLIP[0] and _SLIP[1] < most <= _SLIP[2]:
            most = _SLIP[2] + 1
        return 1 + near + self.bits(max(1, max(0, most - near - 1).bit_length()))
