"""Apple event descriptors as Python values, and how lists and events lie in a handle.

What is in the handle of a list, a record or an event is a secret of the Apple Event Manager
(Inside Macintosh: Interapplication Communication, p. 3-17), so it has a form of its own here:
the number of attributes, then items, each keyword, type, length and data.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

_COUNT = struct.Struct(">I")
_ITEM = struct.Struct(">4s4sI")

NULL, LIST, RECORD, EVENT = "null", "list", "reco", "aevt"
CONTAINERS = (LIST, RECORD, EVENT)
WILD = "****"
"""typeWildCard: data of any type."""


@dataclass(frozen=True, slots=True)
class Descriptor:
    """Data and their type."""

    type: str
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Item:
    """A descriptor in a list, a record or an event; the keyword of a list's is all zeros."""

    keyword: str
    value: Descriptor


@dataclass(slots=True)
class Container:
    """What a list, a record or an event contains; only events have attributes."""

    attributes: list[Item] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    @classmethod
    def of(cls, data: bytes) -> Container:
        """Read it from the data of a descriptor.

        Raises:
            ValueError: the data are damaged.
        """
        if len(data) < _COUNT.size:
            raise ValueError("the data of a list, record or event are cut off")
        (count,), place, items = _COUNT.unpack_from(data), _COUNT.size, list[Item]()
        while place < len(data):
            if place + _ITEM.size > len(data):
                raise ValueError("an item of a list, record or event is cut off")
            keyword, kind, size = _ITEM.unpack_from(data, place)
            place += _ITEM.size
            value = Descriptor(kind.decode("mac_roman"), data[place : place + size])
            items.append(Item(keyword.decode("mac_roman"), value))
            place += size
        return cls(items[:count], items[count:])

    def data(self) -> bytes:
        """The data of its descriptor."""
        parts = [_COUNT.pack(len(self.attributes))]
        for item in (*self.attributes, *self.items):
            kind, data = item.value.type.encode("mac_roman"), item.value.data
            parts += [_ITEM.pack(item.keyword.encode("mac_roman"), kind, len(data)), data]
        return b"".join(parts)


def find(items: list[Item], keyword: str) -> Descriptor | None:
    """The value of a keyword."""
    return next((item.value for item in items if item.keyword == keyword), None)


def put(items: list[Item], keyword: str, value: Descriptor) -> None:
    """Give a keyword a value."""
    items[:] = [item for item in items if item.keyword != keyword] + [Item(keyword, value)]


def coerced(value: Descriptor, wanted: str) -> Descriptor | None:
    """Data in another type; None if there is no way from the one to the other.

    Numbers become other numbers, characters and back, and anything becomes a list of one
    (IAC, table 4-1, p. 4-43).
    """
    if wanted in (WILD, value.type):
        return value
    if wanted == LIST:
        return Descriptor(LIST, Container(items=[Item("\0" * 4, value)]).data())
    if {value.type, wanted} <= _RECORDS:
        return Descriptor(wanted, value.data)
    number = _number(value)
    if number is None:
        return None
    if wanted in _NUMBERS:
        size = _NUMBERS[wanted]
        fits = -(1 << 8 * size - 1) <= number < 1 << 8 * size
        return (
            Descriptor(wanted, (number % (1 << 8 * size)).to_bytes(size, "big")) if fits else None
        )
    return Descriptor(wanted, str(number).encode("ascii")) if wanted == "TEXT" else None


_RECORDS = {RECORD, EVENT, "obj ", "cmpd", "logi", "rang"}
"""Types of records, of events and of parts of object specifiers: what is in them is the same."""

_NUMBERS = {"shor": 2, "long": 4, "magn": 4, "bool": 1}


def _number(value: Descriptor) -> int | None:
    if value.type in _NUMBERS:
        return int.from_bytes(value.data, "big", signed=value.type in ("shor", "long"))
    if value.type in ("true", "fals"):
        return int(value.type == "true")
    if value.type == "TEXT":
        text = value.data.decode("mac_roman").strip()
        return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdigit() else None
    return None
