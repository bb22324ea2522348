"""Reads and writes guest memory for Toolbox routines, and checks every address."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from emu.quickdraw import PixelView, Rectangle
from emu.quickdraw.bitmap import Cells
from emu.quickdraw.color_space import ColorSpace
from emu.toolbox.guest.guest_types import Point

_U16 = struct.Struct(">H")
_I16 = struct.Struct(">h")
_U32 = struct.Struct(">I")
_I32 = struct.Struct(">i")
_tuple = tuple.__new__
"""Makes a named tuple of what `struct` unpacks, with no call of Python."""

_POINT = struct.Struct(">hh")
_RECT = struct.Struct(">hhhh")
_WORDS = struct.Struct(">HH")


_READABLE, _WRITABLE = 1, 2
_LOAD, _STORE, _QUESTION = range(3)
"""What an address is asked for."""


class BadAddressError(GuestError):
    """The program gave the Toolbox an address where there is no memory."""


@dataclass(frozen=True, slots=True)
class NotedAccesses:
    """What routines read and wrote.

    Attributes:
        reads: addresses and sizes of what was read, in that order.
        writes: of what was written.
        cells: pixels of which routines may have changed some, and what they were before.
    """

    reads: list[tuple[int, int]]
    writes: list[tuple[int, int]]
    cells: list[tuple[Cells, Cells]]


class GuestAccess:
    """Reads and writes guest memory; an address outside it is the program's mistake.

    Every method raises `BadAddressError` for bytes that are not all mapped.

    Args:
        memory: the memory.
        closed: regions of it that are no memory for routines.
    """

    def __init__(self, memory: GuestMemory, closed: Collection[MemoryRegion] = ()) -> None:
        self.memory = memory
        self._base = memory.base
        self.contents = memory.buffer.data.cast("B")
        self._size = len(self.contents)
        self._mapped = bytearray(len(self.contents) // PAGE)
        for region in memory.regions:
            if region in closed:
                continue
            first = (region.address - self._base) // PAGE
            self._mapped[first : first + region.size // PAGE] = bytes(
                [_WRITABLE if region.writable else _READABLE]
            ) * (region.size // PAGE)
        self._noted: list[NotedAccesses] = []
        self.may_write: Callable[[MemoryRegion], bool] = lambda region: False
        """Asked when a routine writes to a region that is not writable; whether it goes on."""
        self.short_address: Callable[[int], int] = lambda address: address
        """Asked for the address that stands for one where there is no memory."""
        self.stand_in: Callable[[int, bool], int | None] = lambda address, stores: None
        """Asked for the page that answers where there is none; None if it is a mistake."""

    def offset(self, address: int, size: int, purpose: int = _LOAD) -> int:
        """The offset of bytes in the buffer of guest memory.

        Args:
            address: of the first.
            size: how many.
            purpose: to load them, to store into them, or only to know whether they are there.

        Raises:
            BadAddressError: they are not all mapped.
        """
        # `writable_offset` repeats this for stores: sharing a function would slow every trap by a
        # tenth.
        start = address - self._base
        # Nearly always all bytes are on one page.
        if (
            0 <= start < self._size
            and 0 <= size <= PAGE - start % PAGE
            and self._mapped[start // PAGE]
        ):
            return start
        if size < 0 or start < 0 or start + size > len(self.contents):
            return self._short_offset(address, size, purpose)
        first, last = start // PAGE, (start + max(size, 1) - 1) // PAGE
        if not self._mapped[first] or not self._mapped[last]:
            return self._short_offset(address, size, purpose)
        if last - first > 1 and 0 in self._mapped[first : last + 1]:
            return self._short_offset(address, size, purpose)
        return start

    def _short_offset(self, address: int, size: int, purpose: int) -> int:
        short = self.short_address(address)
        if short == address or not self.memory.find(short):
            in_page = address % PAGE
            fits = 0 <= size <= PAGE - in_page and not self.memory.find(address)
            is_used = fits and purpose != _QUESTION
            page = self.stand_in(address, purpose == _STORE) if is_used else None
            if page is None:
                raise self._error(address, size)
            return page + in_page - self._base
        try:
            return GuestAccess.offset(self, short, size)
        except BadAddressError as error:
            raise self._error(address, size) from error

    def writable_offset(self, address: int, size: int) -> int:
        """The offset of bytes that may be written, in the buffer of guest memory.

        Raises:
            BadAddressError: a program may not write all of them.
        """
        start = address - self._base
        on_one_page = 0 <= start < self._size and 0 <= size <= PAGE - start % PAGE
        if on_one_page and self._mapped[start // PAGE] == _WRITABLE:
            return start
        # What a store asks is noted as no load.
        start = GuestAccess.offset(self, address, size, _STORE)
        pages = self._mapped[start // PAGE : (start + max(size, 1) - 1) // PAGE + 1]
        if pages.count(_WRITABLE) != len(pages) and not self._may_write(address, size):
            raise BadAddressError(f"what is at 0x{address & 0xFFFFFFFF:08x} may not be written")
        return start

    def _may_write(self, address: int, size: int) -> bool:
        region = self.memory.find(address)
        if region is None or address + size > region.end:
            return False
        return self.may_write(region)

    def allow_stores(self, pages: range, allowed: bool) -> None:
        """Let routines write to pages, or not."""
        for page in pages:
            self._mapped[(page - self._base) // PAGE] = _WRITABLE if allowed else _READABLE

    @contextlib.contextmanager
    def noting(self) -> Iterator[NotedAccesses]:
        """Note which bytes are read and written by these methods meanwhile."""
        noted = NotedAccesses([], [], [])
        offset, writable_offset = self.offset, self.writable_offset

        def read(address: int, size: int, purpose: int = _LOAD) -> int:
            noted.reads.append((address, size))
            return offset(address, size, purpose)

        def write(address: int, size: int) -> int:
            start = writable_offset(address, size)
            noted.writes.append((address, size))
            return start

        vars(self).update(offset=read, writable_offset=write)
        self._noted.append(noted)
        try:
            yield noted
        finally:
            self._noted.pop()
            vars(self).update(offset=offset, writable_offset=writable_offset)

    def _see_cells(self, cells: Cells) -> None:
        """Note pixels that are about to be read or changed."""
        for noted in self._noted:
            noted.cells.append((cells, cells.copy()))

    def is_mapped(self, address: int, size: int = 1) -> bool:
        """Whether there is memory there; nothing stands in for it."""
        try:
            self.offset(address, size, _QUESTION)
        except BadAddressError:
            return False
        return True

    @staticmethod
    def _error(address: int, size: int) -> BadAddressError:
        unit = "byte" if size == 1 else "bytes"
        return BadAddressError(
            f"there is no memory for {size} {unit} at 0x{address & 0xFFFFFFFF:08x}"
        )

    def u8(self, address: int) -> int:
        """The byte at an address."""
        return self.contents[self.offset(address, 1)]

    def u16(self, address: int) -> int:
        """The unsigned 16-bit word at an address."""
        return int(_U16.unpack_from(self.contents, self.offset(address, 2))[0])

    def i16(self, address: int) -> int:
        """The signed 16-bit word at an address."""
        return int(_I16.unpack_from(self.contents, self.offset(address, 2))[0])

    def u32(self, address: int) -> int:
        """The unsigned 32-bit word at an address."""
        return int(_U32.unpack_from(self.contents, self.offset(address, 4))[0])

    def i32(self, address: int) -> int:
        """The signed 32-bit word at an address."""
        return int(_I32.unpack_from(self.contents, self.offset(address, 4))[0])

    def point(self, address: int) -> Point:
        """The point at an address."""
        return _tuple(Point, _POINT.unpack_from(self.contents, self.offset(address, 4)))

    def rect(self, address: int) -> Rectangle:
        """The rectangle at an address."""
        return _tuple(Rectangle, _RECT.unpack_from(self.contents, self.offset(address, 8)))

    def read(self, address: int, size: int) -> bytes:
        """A copy of bytes."""
        start = self.offset(address, size)
        return bytes(self.contents[start : start + size])

    def view(self, address: int, size: int) -> NDArray[np.uint8]:
        """A writable view of bytes."""
        start = self.writable_offset(address, size)
        return self.memory.buffer[start : start + size]

    def pixels(
        self,
        address: int,
        row_bytes: int,
        bounds: Rectangle,
        depth: int = 1,
        space: ColorSpace | None = None,
    ) -> PixelView:
        """The pixels at an address, to read and to change; see `PixelView` for the arguments.

        Raises:
            UsageError: there are no such pixels.
        """
        size = row_bytes * bounds.height
        start = GuestAccess.writable_offset(self, address, size)  # `_see_cells` notes the accesses
        memory = self.memory.buffer[start : start + size]
        return PixelView(memory, row_bytes, bounds, depth, space, self._see_cells)

    def pascal_string(self, address: int) -> bytes:
        """The characters of a string that begins with its length; b"" for nil."""
        return self.read(address + 1, self.u8(address)) if address else b""

    def c_string(self, address: int, limit: int = 4096) -> bytes:
        """The characters up to a zero byte, but at most ``limit``."""
        text = bytearray()
        while len(text) < limit and (character := self.u8(address + len(text))):
            text.append(character)
        return bytes(text)

    def put8(self, address: int, value: int) -> None:
        """Store a byte."""
        self.contents[self.writable_offset(address, 1)] = value & 0xFF

    def put16(self, address: int, value: int) -> None:
        """Store a 16-bit word, signed or unsigned."""
        _U16.pack_into(self.contents, self.writable_offset(address, 2), value & 0xFFFF)

    def put32(self, address: int, value: int) -> None:
        """Store a 32-bit word, signed or unsigned."""
        _U32.pack_into(self.contents, self.writable_offset(address, 4), value & 0xFFFFFFFF)

    def put_point(self, address: int, point: Point) -> None:
        """Store a point."""
        start = self.writable_offset(address, 4)
        _WORDS.pack_into(self.contents, start, point.v & 0xFFFF, point.h & 0xFFFF)

    def put_rect(self, address: int, top: int, left: int, bottom: int, right: int) -> None:
        """Store a rectangle."""
        words = [value & 0xFFFF for value in (top, left, bottom, right)]
        struct.pack_into(">4H", self.contents, self.writable_offset(address, 8), *words)

    def write(self, address: int, data: bytes) -> None:
        """Store bytes."""
        start = self.writable_offset(address, len(data))
        self.contents[start : start + len(data)] = data

    def write_of_system(self, address: int, data: bytes) -> None:
        """Store bytes where a program may not, such as a file's control block."""
        for noted in self._noted:
            noted.writes.append((address, len(data)))
        self.memory.write(address, data)

    def put_pascal_string(self, address: int, text: bytes) -> None:
        """Store a string with its length in front; at most 255 characters of it."""
        self.write(address, pascal_string(text))

    def unpack(self, layout: struct.Struct, address: int) -> tuple[int, ...]:
        """The values at an address, by a layout prepared with `struct`."""
        return layout.unpack_from(self.contents, self.offset(address, layout.size))


def pascal_string(text: bytes) -> bytes:
    """A string of at most 255 characters with its length in front."""
    text = text[:255]
    return bytes([len(text)]) + text
