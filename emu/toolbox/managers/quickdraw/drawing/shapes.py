"""Rectangles, round rectangles, ovals and arcs: framed, painted, erased, inverted, filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import Procedures
from emu.toolbox.managers.quickdraw.ports.grafport import ERASE, FILL, FRAME, INVERT, PAINT

if TYPE_CHECKING:
    from emu.toolbox.managers.quickdraw.heart.procedures import Procedures


class Shapes(Manager):
    """QuickDraw's routines for shapes that a rectangle describes."""

    title = "QuickDraw"

    _quickdraw: QuickDraw
    _procedures: Procedures
    procedures: Procedures

    def start(self) -> None:
        """Find the procedures that draw."""
        self.procedures = self._procedures

    def _fill_with(self, pattern: int) -> None:
        self._quickdraw.patterns.set_bits(self._quickdraw.port, FILL, self.guest.read(pattern, 8))

    # -- rectangles --------------------------------------------------------------------------------

    @routine("PROCEDURE FrameRect (r: Rect)")
    def frame_rect(self, r: int) -> None:
        """Draw a rectangle's outline, inside it, with the pen."""
        self.procedures.rectangle(FRAME, r)

    @routine("PROCEDURE PaintRect (r: Rect)")
    def paint_rect(self, r: int) -> None:
        """Fill a rectangle with the pen's pattern and mode."""
        self.procedures.rectangle(PAINT, r)

    @routine("PROCEDURE EraseRect (r: Rect)")
    def erase_rect(self, r: int) -> None:
        """Fill a rectangle with the background pattern."""
        self.procedures.rectangle(ERASE, r)

    @routine("PROCEDURE InvertRect (r: Rect)")
    def invert_rect(self, r: int) -> None:
        """Invert a rectangle's pixels."""
        self.procedures.rectangle(INVERT, r)

    @routine("PROCEDURE FillRect (r: Rect; pat: Pattern)")
    def fill_rect(self, r: int, pattern: int) -> None:
        """Fill a rectangle with a pattern."""
        self._fill_with(pattern)
        self.procedures.rectangle(FILL, r)

    # -- round rectangles --------------------------------------------------------------------------

    @routine("PROCEDURE FrameRoundRect (r: Rect; ovalWidth,ovalHeight: INTEGER)")
    def frame_round_rect(self, r: int, width: int, height: int) -> None:
        """Draw a round rectangle's outline."""
        self.procedures.round_rectangle(FRAME, r, width, height)

    @routine("PROCEDURE PaintRoundRect (r: Rect; ovalWidth,ovalHeight: INTEGER)")
    def paint_round_rect(self, r: int, width: int, height: int) -> None:
        """Fill a round rectangle with the pen's pattern and mode."""
        self.procedures.round_rectangle(PAINT, r, width, height)

    @routine("PROCEDURE EraseRoundRect (r: Rect; ovalWidth,ovalHeight: INTEGER)")
    def erase_round_rect(self, r: int, width: int, height: int) -> None:
        """Fill a round rectangle with the background pattern."""
        self.procedures.round_rectangle(ERASE, r, width, height)

    @routine("PROCEDURE InvertRoundRect (r: Rect; ovalWidth,ovalHeight: INTEGER)")
    def invert_round_rect(self, r: int, width: int, height: int) -> None:
        """Invert a round rectangle's pixels."""
        self.procedures.round_rectangle(INVERT, r, width, height)

    @routine("PROCEDURE FillRoundRect (r: Rect; ovalWidth,ovalHeight: INTEGER; pat: Pattern)")
    def fill_round_rect(self, r: int, width: int, height: int, pattern: int) -> None:
        """Fill a round rectangle with a pattern."""
        self._fill_with(pattern)
        self.procedures.round_rectangle(FILL, r, width, height)

    # -- ovals -------------------------------------------------------------------------------------

    @routine("PROCEDURE FrameOval (r: Rect)")
    def frame_oval(self, r: int) -> None:
        """Draw an oval's outline."""
        self.procedures.oval(FRAME, r)

    @routine("PROCEDURE PaintOval (r: Rect)")
    def paint_oval(self, r: int) -> None:
        """Fill an oval with the pen's pattern and mode."""
        self.procedures.oval(PAINT, r)

    @routine("PROCEDURE EraseOval (r: Rect)")
    def erase_oval(self, r: int) -> None:
        """Fill an oval with the background pattern."""
        self.procedures.oval(ERASE, r)

    @routine("PROCEDURE InvertOval (r: Rect)")
    def invert_oval(self, r: int) -> None:
        """Invert an oval's pixels."""
        self.procedures.oval(INVERT, r)

    @routine("PROCEDURE FillOval (r: Rect; pat: Pattern)")
    def fill_oval(self, r: int, pattern: int) -> None:
        """Fill an oval with a pattern."""
        self._fill_with(pattern)
        self.procedures.oval(FILL, r)

    # -- arcs --------------------------------------------------------------------------------------

    @routine("PROCEDURE FrameArc (r: Rect; startAngle,arcAngle: INTEGER)")
    def frame_arc(self, r: int, start: int, extent: int) -> None:
        """Draw part of an oval's outline."""
        self.procedures.arc(FRAME, r, start, extent)

    @routine("PROCEDURE PaintArc (r: Rect; startAngle,arcAngle: INTEGER)")
    def paint_arc(self, r: int, start: int, extent: int) -> None:
        """Fill a wedge with the pen's pattern and mode."""
        self.procedures.arc(PAINT, r, start, extent)

    @routine("PROCEDURE EraseArc (r: Rect; startAngle,arcAngle: INTEGER)")
    def erase_arc(self, r: int, start: int, extent: int) -> None:
        """Fill a wedge with the background pattern."""
        self.procedures.arc(ERASE, r, start, extent)

    @routine("PROCEDURE InvertArc (r: Rect; startAngle,arcAngle: INTEGER)")
    def invert_arc(self, r: int, start: int, extent: int) -> None:
        """Invert a wedge's pixels."""
        self.procedures.arc(INVERT, r, start, extent)

    @routine("PROCEDURE FillArc (r: Rect; startAngle,arcAngle: INTEGER; pat: Pattern)")
    def fill_arc(self, r: int, start: int, extent: int, pattern: int) -> None:
        """Fill a wedge with a pattern."""
        self._fill_with(pattern)
        self.procedures.arc(FILL, r, start, extent)
