"""A record of guest memory, declared once: typed fields in order, from which offsets follow.

::

    class Picture(Record):
        picSize = int16()
        picFrame = rect()

    picture = Picture(guest, address)
    picture.picFrame.top          # an int, read from guest memory now
    picture.picSize = 10          # stored there at once
    Picture.picFrame.offset       # 2
    Picture.size                  # 10

A record holds nothing but where it lies. Its fields have the names that Inside Macintosh gives
them. Records are laid out as a 68000 compiler does: a field of two bytes or more begins at an even
offset, and where a field of one byte leaves an odd one, the declaration shows the padding.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar, overload

import numpy as np

Value = TypeVar("Value")
Kind = TypeVar("Kind", bound="Record")


class Storage(Protocol):
    """Bytes that records lie in: guest memory, or a copy of a part of it."""

    contents: memoryview

    def offset(self, address: int, size: int) -> int:
        """The offset in ``contents`` of bytes that are to be read; an error if there are none."""

    def writable_offset(self, address: int, size: int) -> int:
        """The offset in ``contents`` of bytes that are to be written."""


class RecordField(property, Generic[Value]):
    """A field of a record: its type, and when the record is declared, its name and offset.

    It is a property, so that a field is read with one call of Python.

    Args:
        size: its size in bytes.
        c_type: its type in C.
        dtype: its type in NumPy.

    Attributes:
        size: its size in bytes.
        name: its name in the record.
        offset: its offset in the record, in bytes.
        dtype: its type in NumPy.
        code: its type in `struct`; "" for what is no number.
    """

    name = ""
    offset = 0
    code = ""

    def __init__(self, size: int, c_type: str, dtype: Any) -> None:
        self.size = size
        self.c_type = c_type
        self.dtype: np.dtype[Any] = np.dtype(dtype)

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __get__(self, record: None, owner: type) -> Self: ...
        @overload
        def __get__(self, record: Record, owner: type) -> Value: ...
        def __get__(self, record: Record | None, owner: type) -> Self | Value: ...
        def __set__(self, record: Record, value: Value) -> None: ...

    @property
    def alignment(self) -> int:
        """Of which number the field's offset must be a multiple: 1 or 2."""
        return 2 if self.size > 1 else 1

    @property
    def declaration(self) -> str:
        """The field in C: ``short rowBytes``."""
        return f"{self.c_type} {self.name}"

    def place(self, name: str, offset: int) -> None:
        """Give the field its name and its offset."""
        self.name, self.offset = name, offset
        property.__init__(self, self.reader(offset), self.writer(offset))

    @property
    def span(self) -> slice:
        """Its bytes in a copy of the record."""
        return slice(self.offset, self.offset + self.size)

    def of(self, data: bytes) -> Value:
        """Its value in a copy of the record."""
        return self.reader(self.offset)(Record(Copy(data), 0))

    def reader(self, offset: int) -> Callable[[Record], Value]:
        """The function that reads the field of a record."""
        raise NotImplementedError

    def writer(self, offset: int) -> Callable[[Record, Value], None]:
        """The function that stores the field of a record."""
        raise NotImplementedError


class _Declaration(type):
    """Places the fields of a record when its class is made."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        namespace.setdefault("__slots__", ())
        record_class: Any = super().__new__(mcs, name, bases, namespace)
        size = record_class.size if bases else 0
        fields = list(record_class.fields) if bases else []
        for key, field in namespace.items():
            if isinstance(field, RecordField):
                if size % field.alignment:
                    raise TypeError(f"{name}.{key} is at the odd offset {size}: declare padding")
                field.place(key, size)
                fields.append(field)
                size += field.size
        record_class.size, record_class.fields = size, tuple(fields)
        return record_class


class Record(metaclass=_Declaration):
    """A record at an address; see the module for how one is declared.

    Reading or storing a field raises `BadAddressError` if the field is not all in mapped memory.

    Attributes:
        size: its size in bytes.
        fields: its fields, those of the record that it extends first.
        guest: what it lies in.
        address: where it begins.
    """

    __slots__ = ("address", "guest")
    size: ClassVar[int]
    fields: ClassVar[tuple[RecordField[Any], ...]]

    def __init__(self, guest: Storage, address: int) -> None:
        self.guest = guest
        self.address = address

    @classmethod
    def copied(cls, data: bytes = b"") -> Self:
        """A record of its own, in no guest memory: a copy of bytes, filled up with zeros."""
        return cls(Copy(data.ljust(cls.size, b"\0")), 0)

    @classmethod
    def layout(cls) -> struct.Struct:
        """All of its fields at once, each a number, or bytes where it is none."""
        codes = (field.code or f"{field.size}s" for field in cls.fields)
        return struct.Struct(">" + "".join(codes))

    @classmethod
    def dtype(cls) -> np.dtype[Any]:
        """The record as NumPy sees it, for arrays of records."""
        named = [field for field in cls.fields if field.dtype.itemsize]
        return np.dtype(
            {
                "names": [field.name for field in named],
                "formats": [field.dtype for field in named],
                "offsets": [field.offset for field in named],
                "itemsize": cls.size,
            }
        )

    def cast(self, kind: type[Kind]) -> Kind:
        """The same place as a record of another kind, as a union has it."""
        return kind(self.guest, self.address)

    def __getitem__(self, field: RecordField[Value]) -> Value:
        """The value of a field that is chosen at run time."""
        return field.__get__(self, type(self))

    def __setitem__(self, field: RecordField[Value], value: Value) -> None:
        """Store a field that is chosen at run time."""
        field.__set__(self, value)

    def read(self) -> bytes:
        """A copy of its bytes."""
        start = self.guest.offset(self.address, self.size)
        return bytes(self.guest.contents[start : start + self.size])

    def write(self, data: bytes) -> None:
        """Store bytes from its beginning on."""
        start = self.guest.writable_offset(self.address, len(data))
        self.guest.contents[start : start + len(data)] = data

    def clear(self) -> None:
        """Fill it with zeros."""
        self.write(bytes(self.size))

    def address_of(self, field: RecordField[Any]) -> int:
        """Where one of its fields lies."""
        return self.address + field.offset


class Copy:
    """Bytes of its own for a record to lie in, from address 0 on."""

    __slots__ = ("contents",)

    def __init__(self, data: bytes) -> None:
        self.contents = memoryview(bytearray(data))

    def offset(self, address: int, size: int) -> int:
        """The same number.

        Raises:
            IndexError: the bytes are not all there.
        """
        if address < 0 or address + size > len(self.contents):
            raise IndexError(f"{size} bytes at {address} of {len(self.contents)}")
        return address

    writable_offset = offset


def between(first: RecordField[Any], last: RecordField[Any]) -> slice:
    """The bytes of the fields from one to another, in a copy of their record."""
    return slice(first.offset, last.offset + last.size)
