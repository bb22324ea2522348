"""The types of Toolbox routines' parameters and results, and how a log shows their values.

A routine's handler sees Python values: whole numbers, booleans, `Point`, four-character strings.
Whatever is larger than four bytes, and every VAR parameter, is passed by address on both
processors, so the handler sees the address.
Source: Inside Macintosh I, chapter "Using Assembly Language" (how Pascal passes parameters).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple


class Point(NamedTuple):
    """A point, vertical first, as QuickDraw writes it; pixels."""

    v: int
    h: int


class Shape(Enum):
    """How a value is passed."""

    SIGNED_16 = "signed 16"
    UNSIGNED_16 = "unsigned 16"
    SIGNED_32 = "signed 32"
    UNSIGNED_32 = "unsigned 32"
    BOOLEAN = "boolean"
    """68K: the high byte of a stack word. PowerPC: the low byte of a register."""
    BYTE = "byte"
    """68K: the high byte of a stack word, as MOVE.B -(A7) leaves it."""
    CHARACTER = "character"
    """68K: the low byte of a stack word."""
    POINT = "point"
    FOUR_CHARACTERS = "four characters"


@dataclass(frozen=True, slots=True)
class GuestType:
    """A type of the Toolbox's interfaces.

    Attributes:
        name: as Inside Macintosh writes it.
        shape: how a value of the type is passed.
        refers_to: for an address, the type of what it points to ("Rect", "Str255"), for logs; or
            "".
    """

    name: str
    shape: Shape
    refers_to: str = ""

    @property
    def nothing(self) -> Any:
        """The value all of whose bits are 0."""
        if self.shape is Shape.POINT:
            return Point(0, 0)
        return "\0" * 4 if self.shape is Shape.FOUR_CHARACTERS else 0

    @property
    def stack_size(self) -> int:
        """How many bytes a value takes on the 68K stack."""
        wide = (Shape.SIGNED_32, Shape.UNSIGNED_32, Shape.POINT, Shape.FOUR_CHARACTERS)
        return 4 if self.shape in wide else 2


_SHAPES = {
    Shape.SIGNED_16: "INTEGER OSErr ControlPartCode DialogItemIndex DialogItemType",
    Shape.UNSIGNED_16: "UInt16 EventMask ResAttributes",
    Shape.SIGNED_32: "LONGINT Size Fixed Fract",
    Shape.UNSIGNED_32: "UInt32",
    Shape.BOOLEAN: "BOOLEAN",
    Shape.BYTE: "SignedByte Byte",
    Shape.CHARACTER: "CHAR Style",
    Shape.POINT: "Point",
    Shape.FOUR_CHARACTERS: "OSType ResType AEEventClass AEEventID AEKeyword DescType",
}
_POINTERS = (
    "Ptr Handle ProcPtr StringPtr GrafPtr WindowPtr DialogPtr THz RgnHandle PicHandle PolyHandle "
    "ControlHandle MenuHandle TEHandle CTabHandle PixMapHandle PixPatHandle PaletteHandle "
    "ListHandle CIconHandle QElemPtr ParmBlkPtr"
)
_BY_ADDRESS = (
    "Rect Str255 Str63 Str31 Pattern BitMap Cursor FontInfo EventRecord PenState TextBytes FSSpec "
    "AEDesc"
)

GUEST_TYPES: dict[str, GuestType] = {
    **{name: GuestType(name, shape) for shape, names in _SHAPES.items() for name in names.split()},
    **{name: GuestType(name, Shape.UNSIGNED_32) for name in _POINTERS.split()},
    **{name: GuestType(name, Shape.UNSIGNED_32, name) for name in _BY_ADDRESS.split()},
}
"""Every type a heading may name. A record that is not listed here is declared as Ptr."""


def variable(type_name: str) -> GuestType:
    """The type of a VAR parameter: the address of a variable of that type."""
    return GuestType(f"VAR {type_name}", Shape.UNSIGNED_32, type_name)
