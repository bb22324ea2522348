"""The types of Toolbox routines' parameters and results, and how a log shows their values.

A routine's handler sees Python values: whole numbers, booleans, `Point`, four-character strings.
Whatever is larger than four bytes, and every VAR parameter, is passed by address on both
processors, so the handler sees the address.
Source: Inside Macintosh I, chapter "Using Assembly Language" (how Pascal passes parameters).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from emu.quickdraw import Rectangle


class Point(NamedTuple):
    """A point, vertical first, as QuickDraw writes it; pixels."""

    v: int
    h: int

    @classmethod
    def middle_of(cls, r: Rectangle) -> Point:
        """The point in the middle of a rectangle."""
        return cls((r.top + r.bottom) // 2, (r.left + r.right) // 2)


class ParameterKind(Enum):
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
    VERSION = "version"
    """A NumVersion: four bytes, the main number first. A handler sees one number."""
    FOUR_CHARACTERS = "four characters"


@dataclass(frozen=True, slots=True)
class ToolboxType:
    """A type of the Toolbox's interfaces.

    Attributes:
        name: as Inside Macintosh writes it.
        shape: how a value of the type is passed.
        refers_to: for an address, the type of what it points to ("Rect", "Str255"), for logs; or
            "".
    """

    name: str
    shape: ParameterKind
    refers_to: str = ""

    @property
    def nothing(self) -> Any:
        """The value all of whose bits are 0."""
        if self.shape is ParameterKind.POINT:
            return Point(0, 0)
        return "\0" * 4 if self.shape is ParameterKind.FOUR_CHARACTERS else 0

    @property
    def is_record(self) -> bool:
        """Whether C has a structure for it.

        A PowerPC routine with such a result is given, as its first argument, the address to store
        it at, however small it is (Inside Macintosh: PowerPC System Software, p. 1-48).
        """
        return self.shape in (ParameterKind.POINT, ParameterKind.VERSION)

    @property
    def stack_size(self) -> int:
        """How many bytes a value takes on the 68K stack."""
        wide = (
            ParameterKind.SIGNED_32,
            ParameterKind.UNSIGNED_32,
            ParameterKind.POINT,
            ParameterKind.VERSION,
            ParameterKind.FOUR_CHARACTERS,
        )
        return 4 if self.shape in wide else 2


_SHAPES = {
    ParameterKind.SIGNED_16: "INTEGER OSErr ControlPartCode DialogItemIndex DialogItemType",
    ParameterKind.UNSIGNED_16: "UInt16 EventMask ResAttributes",
    ParameterKind.SIGNED_32: "LONGINT Size Fixed Fract",
    ParameterKind.UNSIGNED_32: "UInt32",
    ParameterKind.BOOLEAN: "BOOLEAN",
    ParameterKind.BYTE: "SignedByte Byte",
    ParameterKind.CHARACTER: "CHAR Style",
    ParameterKind.POINT: "Point Cell",
    ParameterKind.VERSION: "NumVersion",
    ParameterKind.FOUR_CHARACTERS: "OSType ResType AEEventClass AEEventID AEKeyword DescType",
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

GUEST_TYPES: dict[str, ToolboxType] = {
    **{
        name: ToolboxType(name, shape) for shape, names in _SHAPES.items() for name in names.split()
    },
    **{name: ToolboxType(name, ParameterKind.UNSIGNED_32) for name in _POINTERS.split()},
    **{name: ToolboxType(name, ParameterKind.UNSIGNED_32, name) for name in _BY_ADDRESS.split()},
}
"""Every type a heading may name. A record that is not listed here is declared as Ptr."""


def variable(type_name: str) -> ToolboxType:
    """The type of a VAR parameter: the address of a variable of that type."""
    return ToolboxType(f"VAR {type_name}", ParameterKind.UNSIGNED_32, type_name)
