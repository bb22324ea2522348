"""The kinds of fields that records have: numbers, strings, places, other records, and arrays.

Numbers are big-endian; one that is stored is cut to the field's size, so an address or a mask may
be stored in a signed field.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any, Generic

import numpy as np

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.records.record import Kind, Record, RecordField, Value

_tuple = tuple.__new__
"""Makes a named tuple of what `struct` unpacks, with no call of Python."""

_POINT = struct.Struct(">hh")
_RECT = struct.Struct(">hhhh")


class Number(RecordField[int]):
    """A whole number, or an address."""

    def __init__(self, code: str, c_type: str) -> None:
        self.code = code
        self._layout = struct.Struct(f">{code}")
        self._unsigned = struct.Struct(f">{code.upper()}")
        super().__init__(self._layout.size, c_type, np.dtype(f">{code}"))

    def reader(self, offset: int) -> Callable[[Record], int]:
        """See `RecordField.reader`."""
        unpack, size = self._layout.unpack_from, self.size

        def read(record: Record) -> int:
            guest = record.guest
            return unpack(guest.contents, guest.offset(record.address + offset, size))[0]  # type: ignore[no-any-return]

        return read

    def of(self, data: bytes) -> int:
        """See `RecordField.of`."""
        return self._layout.unpack_from(data, self.offset)[0]  # type: ignore[no-any-return]

    def writer(self, offset: int) -> Callable[[Record, int], None]:
        """See `RecordField.writer`."""
        pack, size = self._layout.pack_into, self.size
        pack_cut, mask = self._unsigned.pack_into, (1 << 8 * size) - 1

        def write(record: Record, value: int) -> None:
            guest = record.guest
            start = guest.writable_offset(record.address + offset, size)
            try:
                pack(guest.contents, start, value)
            except struct.error:
                pack_cut(guest.contents, start, value & mask)

        return write


class Boolean(RecordField[bool]):
    """A byte that is true unless it is zero.

    Args:
        true: what is stored for true: Pascal's is 1, and some managers store 0xFF.
    """

    def __init__(self, true: int) -> None:
        super().__init__(1, "Boolean", np.uint8)
        self._true = true

    def reader(self, offset: int) -> Callable[[Record], bool]:
        """See `RecordField.reader`."""

        def read(record: Record) -> bool:
            guest = record.guest
            return guest.contents[guest.offset(record.address + offset, 1)] != 0

        return read

    def writer(self, offset: int) -> Callable[[Record, bool], None]:
        """See `RecordField.writer`."""
        true = self._true

        def write(record: Record, value: bool) -> None:
            guest = record.guest
            start = guest.writable_offset(record.address + offset, 1)
            guest.contents[start] = true if value else 0

        return write


class PointField(RecordField[Point]):
    """A Point."""

    def reader(self, offset: int) -> Callable[[Record], Point]:
        """See `RecordField.reader`."""

        def read(record: Record) -> Point:
            guest = record.guest
            start = guest.offset(record.address + offset, 4)
            return _tuple(Point, _POINT.unpack_from(guest.contents, start))

        return read

    def of(self, data: bytes) -> Point:
        """See `RecordField.of`."""
        return _tuple(Point, _POINT.unpack_from(data, self.offset))

    def writer(self, offset: int) -> Callable[[Record, Point], None]:
        """See `RecordField.writer`."""

        def write(record: Record, value: Point) -> None:
            guest = record.guest
            start = guest.writable_offset(record.address + offset, 4)
            _POINT.pack_into(guest.contents, start, _signed(value[0]), _signed(value[1]))

        return write


class Rect(RecordField[Rectangle]):
    """A Rect."""

    def reader(self, offset: int) -> Callable[[Record], Rectangle]:
        """See `RecordField.reader`."""

        def read(record: Record) -> Rectangle:
            guest = record.guest
            start = guest.offset(record.address + offset, 8)
            return _tuple(Rectangle, _RECT.unpack_from(guest.contents, start))

        return read

    def writer(self, offset: int) -> Callable[[Record, Rectangle], None]:
        """See `RecordField.writer`."""

        def write(record: Record, r: Rectangle) -> None:
            guest = record.guest
            start = guest.writable_offset(record.address + offset, 8)
            edges = _signed(r.top), _signed(r.left), _signed(r.bottom), _signed(r.right)
            _RECT.pack_into(guest.contents, start, *edges)

        return write


class Text(RecordField[bytes]):
    """A string that begins with its length; what is stored is cut to the longest that fits."""

    alignment = 1

    def __init__(self, longest: int) -> None:
        super().__init__(longest + 1, f"Str{longest}", np.dtype((np.void, longest + 1)))

    def reader(self, offset: int) -> Callable[[Record], bytes]:
        """See `RecordField.reader`."""

        def read(record: Record) -> bytes:
            guest = record.guest
            length = guest.contents[guest.offset(record.address + offset, 1)]
            start = guest.offset(record.address + offset + 1, length)
            return bytes(guest.contents[start : start + length])

        return read

    def writer(self, offset: int) -> Callable[[Record, bytes], None]:
        """See `RecordField.writer`."""
        longest = self.size - 1

        def write(record: Record, value: bytes) -> None:
            text = bytes([min(len(value), longest)]) + value[:longest]
            guest = record.guest
            start = guest.writable_offset(record.address + offset, len(text))
            guest.contents[start : start + len(text)] = text

        return write


class Bytes(RecordField[bytes]):
    """Some bytes: a pattern, a code of four characters, or what nothing is known about."""

    def __init__(self, size: int, c_type: str) -> None:
        super().__init__(size, c_type, np.dtype((np.void, size)))

    @property
    def alignment(self) -> int:
        """See `RecordField.alignment`."""
        return 1 if self.c_type in ("", "Pattern") else 2

    @property
    def declaration(self) -> str:
        """See `RecordField.declaration`."""
        return f"{self.c_type} {self.name}" if self.c_type else f"char {self.name}[{self.size}]"

    def reader(self, offset: int) -> Callable[[Record], bytes]:
        """See `RecordField.reader`."""
        size = self.size

        def read(record: Record) -> bytes:
            guest = record.guest
            start = guest.offset(record.address + offset, size)
            return bytes(guest.contents[start : start + size])

        return read

    def of(self, data: bytes) -> bytes:
        """See `RecordField.of`."""
        return data[self.offset : self.offset + self.size]

    def writer(self, offset: int) -> Callable[[Record, bytes], None]:
        """See `RecordField.writer`."""
        size = self.size

        def write(record: Record, value: bytes) -> None:
            guest = record.guest
            start = guest.writable_offset(record.address + offset, size)
            guest.contents[start : start + size] = value[:size].ljust(size, b"\0")

        return write


class NestedRecord(RecordField[Kind]):
    """A record inside a record; storing another one there copies its bytes."""

    def __init__(self, kind: type[Kind]) -> None:
        super().__init__(kind.size, kind.__name__, kind.dtype())
        self.kind = kind

    def reader(self, offset: int) -> Callable[[Record], Kind]:
        """See `RecordField.reader`."""
        kind = self.kind
        return lambda record: kind(record.guest, record.address + offset)

    def writer(self, offset: int) -> Callable[[Record, Kind], None]:
        """See `RecordField.writer`."""
        kind = self.kind
        return lambda record, value: kind(record.guest, record.address + offset).write(value.read())


class Elements(Generic[Value]):
    """The elements of an array, read and stored one by one; an open array has no length."""

    __slots__ = ("_array", "_record")

    def __init__(self, array: Array[Value], record: Record) -> None:
        self._array = array
        self._record = record

    def __len__(self) -> int:
        return self._array.count

    def _element(self, index: int) -> Record:
        array = self._array
        if index < 0 or (array.count and index >= array.count):
            raise IndexError(f"{array.name}[{index}] of {array.count} elements")
        place = self._record.address + array.offset + index * array.element.size
        return Record(self._record.guest, place)

    def __getitem__(self, index: int) -> Value:
        return self._array.read(self._element(index))

    def __setitem__(self, index: int, value: Value) -> None:
        self._array.write(self._element(index), value)

    def __iter__(self) -> Iterator[Value]:
        return (self[index] for index in range(self._array.count))


class Array(RecordField[Elements[Value]]):
    """Several values of one type.

    Args:
        element: the type.
        count: how many; 0 for an open array at the end of a record, which adds nothing to its size.
    """

    def __init__(self, element: RecordField[Value], count: int) -> None:
        super().__init__(element.size * count, element.c_type, (element.dtype, count))
        self.element, self.count = element, count
        self.read, self.write = element.reader(0), element.writer(0)

    @property
    def alignment(self) -> int:
        """See `RecordField.alignment`."""
        return self.element.alignment

    @property
    def declaration(self) -> str:
        """See `RecordField.declaration`."""
        return f"{super().declaration}[{self.count or 1}]"

    def reader(self, offset: int) -> Callable[[Record], Elements[Value]]:
        """See `RecordField.reader`."""
        return lambda record: Elements(self, record)

    def writer(self, offset: int) -> Callable[[Record, Elements[Value]], None]:
        """See `RecordField.writer`."""

        def write(record: Record, value: Any) -> None:
            elements = Elements(self, record)
            for index, element in enumerate(value):
                elements[index] = element

        return write


def _signed(value: int) -> int:
    """The low 16 bits of a number, signed."""
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000
