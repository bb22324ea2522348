"""Reads the fields of a resource; a finding names the offset of what is wrong.

Where a resource is cut off a Macintosh reads whatever lies behind it in the heap. Here it is zeros.
"""

from __future__ import annotations

import struct

from emu.quickdraw import Rectangle
from emu.toolbox.computer.host import Host


class Template:
    """The data of a resource, read field by field.

    Args:
        host: the machine, which is told if the data is damaged.
        kind: the resource's type.
        number: its ID.
        data: its bytes.

    Attributes:
        offset: the offset of the next field.
    """

    def __init__(self, host: Host, kind: str, number: int, data: bytes) -> None:
        self._host = host
        self._name = f"{kind} {number}"
        self._data = data
        self._is_damaged = False
        self.offset = 0

    def take(self, count: int, field: str = "") -> bytes:
        """The next bytes, with zeros for those that are not there."""
        data = self._data[self.offset : self.offset + count]
        if len(data) < count and not self._is_damaged:
            self.damaged(f"{field or 'a field'} of {count} bytes is cut off")
        self.offset += count
        return data.ljust(count, b"\0")

    def damaged(self, problem: str) -> None:
        """Report wrong data at the present offset; what follows from it is not reported."""
        self._is_damaged = True
        self._host.report(
            "damaged resource",
            f"resource {self._name} is damaged at offset {self.offset} of {len(self._data)}: "
            f"{problem}",
        )

    @property
    def rest(self) -> int:
        """How many bytes are left."""
        return len(self._data) - self.offset

    def u8(self) -> int:
        """A byte."""
        return self.take(1)[0]

    def i16(self) -> int:
        """A signed word."""
        return int(struct.unpack(">h", self.take(2))[0])

    def u16(self) -> int:
        """An unsigned word."""
        return int.from_bytes(self.take(2), "big")

    def u32(self) -> int:
        """An unsigned long word."""
        return int.from_bytes(self.take(4), "big")

    def boolean(self) -> bool:
        """Read a Boolean, which takes two bytes; Rez puts the value into either of them."""
        return self.take(2) != b"\0\0"

    def rectangle(self) -> Rectangle:
        """A Rect."""
        return Rectangle(*struct.unpack(">4h", self.take(8, "a rectangle")))

    def pascal_string(self) -> bytes:
        """A string with its length in front."""
        return self.take(self.u8(), "a string")

    def position(self) -> int:
        """The position word that may follow a title, on an even offset; 0 if there is none."""
        if self.offset % 2 and self.rest:
            self.offset += 1
        return self.u16() if self.rest >= 2 else 0
