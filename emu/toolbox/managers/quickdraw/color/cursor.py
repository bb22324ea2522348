"""The cursor. It is kept track of and never drawn: it would be in every picture's way."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.color.ports import ARROW_CURSOR

_CURSOR_SIZE = 68
_MASK, _HOT_SPOT = 32, 64


@dataclass(frozen=True, slots=True)
class CursorLook:
    """The cursor as it is to be drawn.

    Attributes:
        image: 16 rows of 16 pixels, two bytes a row: ones are black.
        mask: likewise; where it has zeros, ones of the image invert the screen.
        hot_spot: the pixel that is where the mouse is.
        is_visible: whether it is drawn at all.
    """

    image: bytes
    mask: bytes
    hot_spot: Point
    is_visible: bool


class CursorManager(Manager):
    """QuickDraw's routines for the cursor.

    Attributes:
        image: the cursor set last: data, mask, hot spot.
        level: 0 if it can be seen, below that the number of HideCursors.
        is_obscured: whether it is invisible until the mouse moves.
    """

    image = ARROW_CURSOR
    level = 0
    is_obscured = False

    @property
    def look(self) -> CursorLook:
        """What a user sees of it. It is made anew; compare two to learn whether it has changed."""
        data = self.image.ljust(_CURSOR_SIZE, b"\0")
        v, h = struct.unpack_from(">hh", data, _HOT_SPOT)
        visible = self.level == 0 and not self.is_obscured
        return CursorLook(data[:_MASK], data[_MASK:_HOT_SPOT], Point(v, h), visible)

    @routine("PROCEDURE InitCursor")
    def init_cursor(self) -> None:
        """The arrow, visible."""
        self.image, self.level, self.is_obscured = ARROW_CURSOR, 0, False

    @routine("PROCEDURE SetCursor (crsr: Cursor)")
    def set_cursor(self, cursor: int) -> None:
        """Another image."""
        self.image = self.guest.read(cursor, _CURSOR_SIZE)

    @routine("PROCEDURE HideCursor")
    def hide_cursor(self) -> None:
        """Make it invisible until as many ShowCursors."""
        self.level -= 1

    @routine("PROCEDURE ShowCursor")
    def show_cursor(self) -> None:
        """Take back a HideCursor."""
        self.level = min(self.level + 1, 0)

    @routine("PROCEDURE ObscureCursor")
    def obscure_cursor(self) -> None:
        """Make it invisible until the mouse moves."""
        self.is_obscured = True

    @routine("PROCEDURE ShieldCursor (shieldRect: Rect; offsetPt: Point)")
    def shield_cursor(self, rect: int, offset: Point) -> None:
        """Make it invisible if it is in a rectangle."""
        self.level -= 1
