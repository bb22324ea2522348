"""The pen and the lines it draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.toolbox.declaration import routine
from emu.toolbox.guest_types import Point
from emu.toolbox.manager import Manager
from emu.toolbox.managers.quickdraw import grafport as at
from emu.toolbox.managers.quickdraw.manager import QuickDraw
from emu.toolbox.managers.quickdraw.procedures import Procedures

if TYPE_CHECKING:
    from emu.toolbox.managers.quickdraw.manager import QuickDraw

_STATE_SIZE = at.PEN_VISIBILITY - at.PEN_LOCATION
"""A PenState holds the port's fields from pnLoc to pnPat in the same order."""


class Pen(Manager):
    """QuickDraw's routines for the pen."""

    title = "QuickDraw"

    _quickdraw: QuickDraw
    _procedures: Procedures
    quickdraw: QuickDraw

    def start(self) -> None:
        """Find the ports."""
        self.quickdraw = self._quickdraw

    @routine("PROCEDURE HidePen", trap=0xA896)
    def hide_pen(self) -> None:
        """Draw nothing until as many ShowPens."""
        self.change_visibility(-1)

    @routine("PROCEDURE ShowPen", trap=0xA897)
    def show_pen(self) -> None:
        """Take back a HidePen."""
        self.change_visibility(1)

    def change_visibility(self, by: int) -> None:
        """Count the current port's pen up or down."""
        place = self.quickdraw.port + at.PEN_VISIBILITY
        self.guest.put16(place, self.guest.i16(place) + by)

    @routine("PROCEDURE GetPen (VAR pt: Point)", trap=0xA89A)
    def get_pen(self, result: int) -> None:
        """Where the pen is."""
        port = self.quickdraw.port
        self.guest.put32(result, self.guest.u32(port + at.PEN_LOCATION))

    @routine("PROCEDURE GetPenState (VAR pnState: PenState)", trap=0xA898)
    def get_pen_state(self, state: int) -> None:
        """Copy place, size, mode and pattern of the pen."""
        quickdraw = self.quickdraw
        record = self.guest.read(quickdraw.port, at.PORT_SIZE)
        self.guest.write(state, record[at.PEN_LOCATION : at.PEN_PATTERN])
        self.guest.write(state + 10, quickdraw.pattern(record, at.PAINT))

    @routine("PROCEDURE SetPenState (pnState: PenState)", trap=0xA899)
    def set_pen_state(self, state: int) -> None:
        """Set place, size, mode and pattern of the pen."""
        saved = self.guest.read(state, _STATE_SIZE)
        self.guest.write(self.quickdraw.port + at.PEN_LOCATION, saved[:10])
        self.quickdraw.set_pattern(at.PAINT, saved[10:])

    @routine("PROCEDURE PenSize (width,height: INTEGER)", trap=0xA89B)
    def pen_size(self, width: int, height: int) -> None:
        """Set the pen's size; with a negative one it draws nothing."""
        if width < 0 or height < 0:
            width = height = 0
        self.guest.put_point(self.quickdraw.port + at.PEN_SIZE, Point(height, width))

    @routine("PROCEDURE PenMode (mode: INTEGER)", trap=0xA89C)
    def pen_mode(self, mode: int) -> None:
        """Set the pen's transfer mode."""
        self.guest.put16(self.quickdraw.port + at.PEN_MODE, mode)

    @routine("PROCEDURE PenPat (pat: Pattern)", trap=0xA89D)
    def pen_pat(self, pattern: int) -> None:
        """Set the pen's pattern."""
        self.quickdraw.set_pattern(at.PAINT, self.guest.read(pattern, 8))

    @routine("PROCEDURE PenNormal", trap=0xA89E)
    def pen_normal(self) -> None:
        """A black pen of one pixel, in its place."""
        quickdraw = self.quickdraw
        self.guest.write(quickdraw.port + at.PEN_SIZE, at.FRESH_PEN[4:10])
        quickdraw.set_pattern(at.PAINT, at.BLACK_PATTERN)

    @routine("PROCEDURE MoveTo (h,v: INTEGER)", trap=0xA893)
    def move_to(self, h: int, v: int) -> None:
        """Move the pen without drawing."""
        self.guest.put32(self.quickdraw.port + at.PEN_LOCATION, (v & 0xFFFF) << 16 | (h & 0xFFFF))

    @routine("PROCEDURE Move (dh,dv: INTEGER)", trap=0xA894)
    def move(self, dh: int, dv: int) -> None:
        """Move the pen from where it is without drawing."""
        place = self.quickdraw.port + at.PEN_LOCATION
        v, h = self.guest.point(place)
        self.guest.put_point(place, Point(v + dv, h + dh))

    @routine("PROCEDURE LineTo (h,v: INTEGER)", trap=0xA891)
    def line_to(self, h: int, v: int) -> None:
        """Draw a line to a point."""
        self._procedures.line(v, h)

    @routine("PROCEDURE Line (dh,dv: INTEGER)", trap=0xA892)
    def line(self, dh: int, dv: int) -> None:
        """Draw a line to a point so far away."""
        v, h = self.guest.point(self.quickdraw.port + at.PEN_LOCATION)
        self._procedures.line(_word(v + dv), _word(h + dh))


def _word(value: int) -> int:
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000
