"""What fields of records are declared with: ``portRect = rect()``.

C types are those of the headers for guest programs.
"""

from __future__ import annotations

from emu.toolbox.records.kinds import (
    Array,
    Boolean,
    Bytes,
    NestedRecord,
    Number,
    PointField,
    Rect,
    Text,
)
from emu.toolbox.records.record import Kind, Record, RecordField, Value


def int8(c_type: str = "SignedByte") -> Number:
    """A signed byte."""
    return Number("b", c_type)


def uint8(c_type: str = "Byte") -> Number:
    """An unsigned byte."""
    return Number("B", c_type)


def int16(c_type: str = "short") -> Number:
    """A signed word: INTEGER."""
    return Number("h", c_type)


def uint16(c_type: str = "unsigned short") -> Number:
    """An unsigned word."""
    return Number("H", c_type)


def int32(c_type: str = "long") -> Number:
    """A signed long word: LONGINT."""
    return Number("i", c_type)


def uint32(c_type: str = "unsigned long") -> Number:
    """An unsigned long word."""
    return Number("I", c_type)


def fixed() -> Number:
    """A Fixed: a signed number of 1/65536ths."""
    return Number("i", "Fixed")


def pointer(target: type[Record] | str = "") -> Number:
    """An address, 0 for nil; ``target`` is the record there, or its name in C."""
    return Number("I", f"{_struct(target)}*" if target else "Ptr")


def handle(target: type[Record] | str = "") -> Number:
    """The address of a master pointer, 0 for nil; ``target`` as for `pointer`."""
    return Number("I", f"{_struct(target)}**" if target else "Handle")


def string_pointer() -> Number:
    """The address of a string that begins with its length; 0 for nil."""
    return Number("I", "StringPtr")


def string_handle() -> Number:
    """The address of a master pointer to such a string; 0 for nil."""
    return Number("I", "StringHandle")


def procedure() -> Number:
    """The address of a routine, or on PowerPC of its descriptor; 0 for none."""
    return Number("I", "ProcPtr")


def _struct(target: type[Record] | str) -> str:
    return f"struct {target if isinstance(target, str) else target.__name__}"


def boolean(true: int = 1) -> Boolean:
    """A BOOLEAN; see `Boolean`."""
    return Boolean(true)


def point() -> PointField:
    """A Point."""
    return PointField(4, "Point", [("v", ">i2"), ("h", ">i2")])


def rect() -> Rect:
    """A Rect."""
    return Rect(8, "Rect", [(edge, ">i2") for edge in ("top", "left", "bottom", "right")])


def string(longest: int) -> Text:
    """A Str255, Str63, Str31 or Str27: its characters without their count."""
    return Text(longest)


def four_characters(c_type: str = "OSType") -> Bytes:
    """An OSType: the code of a file type, of a program, or of a resource type."""
    return Bytes(4, c_type)


def pattern() -> Bytes:
    """A Pattern of 8 by 8 pixels, a byte for each row."""
    return Bytes(8, "Pattern")


def data(size: int, c_type: str = "") -> Bytes:
    """Bytes that no manager takes apart, or padding; ``c_type`` is what they are to a program."""
    return Bytes(size, c_type)


def nested(kind: type[Kind]) -> NestedRecord[Kind]:
    """A record inside the record."""
    return NestedRecord(kind)


def array(element: RecordField[Value], count: int = 0) -> Array[Value]:
    """Several values of one type; without a count, an open array at the end of a record."""
    return Array(element, count)
