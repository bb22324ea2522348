"""The bytes of a picture, read in order."""

from __future__ import annotations

import struct
from collections.abc import Callable

from emu.base.errors import MacproofError, UsageError
from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.guest.guest_types import Point

HEADER_OPCODE = 0x0C00
"""The operation of version 2 that says where a picture comes from."""

_HEADER = struct.Struct(">h2xii4h4x")
_EXTENDED = -2
_POLYGON_HEADER = 10


class DamagedPictureError(MacproofError):
    """A picture ends too soon, or holds what cannot be drawn."""


class PictureReader:
    """A picture's data, from its beginning on.

    Args:
        data: all of it; or its beginning, if there is more to fetch.
        fetch: the function that gives so many further bytes, if the picture is not all in memory.

    Attributes:
        resolution: dots an inch across and down that its header tells, fixed-point numbers.
    """

    def __init__(self, data: bytes, fetch: Callable[[int], bytes] | None = None) -> None:
        self._data = bytearray(data)
        self._fetch = fetch
        self._at = 0
        self._two_byte_opcodes = False
        self.resolution = (0, 0)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing more to read."""
        return self._fetch is None and self._at >= len(self._data)

    def take(self, count: int) -> bytes:
        """The next bytes.

        Raises:
            DamagedPictureError: there are not so many, or the picture asks for less than none.
        """
        if count < 0:
            raise DamagedPictureError(f"the picture has a piece of {count} bytes")
        missing = self._at + count - len(self._data)
        if missing > 0 and self._fetch is not None:
            self._data += self._fetch(missing)
        elif missing > 0:
            raise DamagedPictureError(
                f"the picture ends at byte {len(self._data)}, in the middle of an operation"
            )
        self._at += count
        return bytes(self._data[self._at - count : self._at])

    def skip(self, count: int) -> None:
        """Leave bytes out."""
        self.take(count)

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def words(self, count: int) -> tuple[int, ...]:
        """The next signed 16-bit words."""
        return struct.unpack(f">{count}h", self.take(2 * count))

    def signed_bytes(self, count: int) -> tuple[int, ...]:
        """The next signed bytes."""
        return struct.unpack(f">{count}b", self.take(count))

    def size(self) -> int:
        """The next unsigned 16-bit word."""
        return int.from_bytes(self.take(2), "big")

    def long(self) -> int:
        """The next unsigned 32-bit word."""
        return int.from_bytes(self.take(4), "big")

    def point(self) -> Point:
        """The next point."""
        v, h = self.words(2)
        return Point(v, h)

    def rectangle(self) -> Rectangle:
        """The next rectangle."""
        top, left, bottom, right = self.words(4)
        return Rectangle(top, left, bottom, right)

    def region(self) -> PixelRegion:
        """The next region."""
        data = self._sized("region")
        try:
            return PixelRegion.decode(data)
        except UsageError as error:
            raise DamagedPictureError(f"the picture holds {error}") from error

    def polygon(self) -> list[Point]:
        """The points of the next polygon."""
        data = self._sized("polygon")
        numbers = struct.unpack_from(f">{(len(data) - _POLYGON_HEADER) // 4 * 2}h", data, 10)
        return [Point(v, h) for v, h in zip(numbers[::2], numbers[1::2], strict=True)]

    def _sized(self, what: str) -> bytes:
        size = int.from_bytes(self.take(2), "big")
        if size < _POLYGON_HEADER:
            raise DamagedPictureError(f"the picture holds a {what} of {size} bytes")
        self._at -= 2
        return self.take(size)

    # -- operations --------------------------------------------------------------------------------

    def opcode(self) -> int:
        """The next operation code."""
        if not self._two_byte_opcodes:
            return self.byte()
        self._at += self._at & 1
        return self.size()

    def version(self) -> None:
        """The data of the version operation: it says how long operation codes are from here on."""
        version = self.byte()
        if version == 2:
            # In version 2 it is the word 02FF.
            self.skip(1)
            self._two_byte_opcodes = True
        elif version != 1:
            raise DamagedPictureError(f"the picture is of version {version}; there are 1 and 2")

    def source_rectangle(self) -> Rectangle | None:
        """The data of the header: the rectangle in which an extended picture has its coordinates.

        The frame of such a picture is in 72 dots an inch, its operations are in the resolution that
        the header also has (Imaging With QuickDraw, p. A-22). None for any other header.
        """
        version, *resolution, top, left, bottom, right = _HEADER.unpack(self.take(_HEADER.size))
        self.resolution = resolution[0], resolution[1]
        source = Rectangle(top, left, bottom, right)
        return source if version == _EXTENDED and not source.empty else None

    def skip_operation(self, opcode: int) -> None:
        """Leave out an operation that draws nothing, by the length its code implies."""
        if opcode > 0xFF and not self._two_byte_opcodes:
            raise DamagedPictureError(f"the picture holds the operation 0x{opcode:x}")
        if opcode == 0xA1:
            self.skip(2)
            self.skip(self.size())
        elif opcode in _FIXED:
            self.skip(_FIXED[opcode])
        elif 0x24 <= opcode <= 0x2F or 0x92 <= opcode <= 0xAF:
            self.skip(self.size())
        elif 0x30 <= opcode <= 0x6F:
            self.skip(_reserved_shape(opcode))
        elif 0x70 <= opcode <= 0x8F:
            if not opcode & 8:
                self._sized("shape")
        elif 0xB0 <= opcode <= 0xCF or 0x8000 <= opcode <= 0x80FF:
            pass
        elif 0x100 <= opcode <= 0x7FFF:
            self.skip(opcode >> 8 << 1)
        elif 0xD0 <= opcode <= 0xFE or opcode >= 0x8100:
            self.skip(self.long())
        else:
            raise DamagedPictureError(f"the picture holds the unknown operation 0x{opcode:x}")


_FIXED = {
    0x00: 0,
    0x15: 2,
    0x16: 2,
    0x17: 0,
    0x18: 0,
    0x19: 0,
    0x1C: 0,
    0x1D: 6,
    0x1E: 0,
    0x1F: 6,
    0xA0: 2,
}


def _reserved_shape(opcode: int) -> int:
    if opcode >> 4 == 6:
        return 4 if opcode & 8 else 12
    return 0 if opcode & 8 else 8
