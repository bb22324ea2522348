"""The pen and the lines it draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import Procedures
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.records.quickdraw import GrafPort, PenState

if TYPE_CHECKING:
    from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw

_IN_COLOR = -0x8000
"""The bit of pnMode in a PenState whose pattern is the handle of a PixPat (Apple's sources of 1994,
GetPenState in Lines.a)."""


class Pen(Manager):
    """QuickDraw's routines for the pen."""

    _quickdraw: QuickDraw
    _procedures: Procedures
    quickdraw: QuickDraw

    def start(self) -> None:
        """Find the ports."""
        self.quickdraw = self._quickdraw

    @property
    def port(self) -> GrafPort:
        """The current port."""
        return GrafPort(self.guest, self.quickdraw.port)

    @routine("PROCEDURE HidePen")
    def hide_pen(self) -> None:
        """Draw nothing until as many ShowPens."""
        self.change_visibility(-1)

    @routine("PROCEDURE ShowPen")
    def show_pen(self) -> None:
        """Take back a HidePen."""
        self.change_visibility(1)

    def change_visibility(self, by: int) -> None:
        """Count the current port's pen up or down."""
        self.port.pnVis += by

    @routine("PROCEDURE GetPen (VAR pt: Point)")
    def get_pen(self, result: int) -> None:
        """Where the pen is."""
        self.guest.put_point(result, self.port.pnLoc)

    @routine("PROCEDURE GetPenState (VAR pnState: PenState)")
    def get_pen_state(self, state: int) -> None:
        """Copy place, size, mode and pattern of the pen; of one in colour the handle."""
        patterns = self.quickdraw.patterns
        record, saved = self.port.read(), PenState(self.guest, state)
        saved.write(record[at.PEN])
        handle = patterns.in_color(record, at.PAINT)
        if handle:
            saved.pnMode |= _IN_COLOR
            saved.pnPat = handle.to_bytes(4, "big") + bytes(4)
        else:
            saved.pnPat = patterns.pattern(record, at.PAINT)

    @routine("PROCEDURE SetPenState (pnState: PenState)")
    def set_pen_state(self, state: int) -> None:
        """Set place, size, mode and pattern of the pen."""
        saved, port = PenState.copied(self.guest.read(state, PenState.size)), self.port
        port.pnLoc, port.pnSize, port.pnMode = saved.pnLoc, saved.pnSize, saved.pnMode & ~_IN_COLOR
        patterns, current = self.quickdraw.patterns, self.quickdraw.port
        if saved.pnMode & _IN_COLOR and self.quickdraw.is_color_port(current):
            patterns.set_pixels(current, at.PAINT, int.from_bytes(saved.pnPat[:4], "big"))
        else:
            patterns.set_bits(current, at.PAINT, saved.pnPat)

    @routine("PROCEDURE PenSize (width,height: INTEGER)")
    def pen_size(self, width: int, height: int) -> None:
        """Set the pen's size; with a negative one it draws nothing."""
        if width < 0 or height < 0:
            width = height = 0
        self.port.pnSize = Point(height, width)

    @routine("PROCEDURE PenMode (mode: INTEGER)")
    def pen_mode(self, mode: int) -> None:
        """Set the pen's transfer mode."""
        self.port.pnMode = mode

    @routine("PROCEDURE PenPat (pat: Pattern)")
    def pen_pat(self, pattern: int) -> None:
        """Set the pen's pattern."""
        self.quickdraw.patterns.set_bits(self.quickdraw.port, at.PAINT, self.guest.read(pattern, 8))

    @routine("PROCEDURE PenNormal")
    def pen_normal(self) -> None:
        """A black pen of one pixel, in its place."""
        quickdraw = self.quickdraw
        self.port.pnSize, self.port.pnMode = Point(1, 1), at.PAT_COPY
        quickdraw.patterns.set_bits(quickdraw.port, at.PAINT, at.BLACK_PATTERN)

    @routine("PROCEDURE MoveTo (h,v: INTEGER)")
    def move_to(self, h: int, v: int) -> None:
        """Move the pen without drawing."""
        self.port.pnLoc = Point(v, h)

    @routine("PROCEDURE Move (dh,dv: INTEGER)")
    def move(self, dh: int, dv: int) -> None:
        """Move the pen from where it is without drawing."""
        port = self.port
        v, h = port.pnLoc
        port.pnLoc = Point(v + dv, h + dh)

    @routine("PROCEDURE LineTo (h,v: INTEGER)")
    def line_to(self, h: int, v: int) -> None:
        """Draw a line to a point."""
        self._procedures.line(v, h)

    @routine("PROCEDURE Line (dh,dv: INTEGER)")
    def line(self, dh: int, dv: int) -> None:
        """Draw a line to a point so far away."""
        v, h = self.port.pnLoc
        self._procedures.line(_word(v + dv), _word(h + dh))


def _word(value: int) -> int:
    return ((value & 0xFFFF) ^ 0x8000) - 0x8000
