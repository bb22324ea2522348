"""The bottlenecks: every drawing routine goes through one of these, which a port may replace.

A port's field grafProcs leads to thirteen procedures (QDProcs); nil stands for QuickDraw's own,
which programs can also call by the names StdText, StdLine, StdRect and so on.
Source: Inside Macintosh I, pp. I-197 to I-200.
"""

from __future__ import annotations

from typing import Any

from emu.program.instructions.trap_table import signatures
from emu.quickdraw import (
    PixelRegion,
    Rectangle,
    arc,
    frame_arc,
    frame_oval,
    frame_rectangle,
    frame_round_rectangle,
    line,
    oval,
    round_rectangle,
)
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.grafport import FRAME
from emu.toolbox.managers.quickdraw.ports.recorder import Recordings
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.quickdraw import CQDProcs, GrafPort, QDProcs

_TABLE = """
    StdText StdLine StdRect StdRRect StdOval StdArc StdPoly StdRgn StdBits StdComment StdTxMeas
    StdGetPic StdPutPic
"""
_NAMES = _TABLE.split()
"""In the order of QDProcs."""

TEXT, LINE, RECTANGLE, ROUND_RECTANGLE, OVAL, ARC, POLYGON, REGION, BITS, COMMENT, MEASURE = range(
    11
)


def pen_size(record: bytes) -> tuple[int, int]:
    """Width and height of a port's pen; both are 0 if one is not positive, and nothing is drawn."""
    height, width = GrafPort.pnSize.of(record)
    return (width, height) if width > 0 and height > 0 else (0, 0)


class Procedures(Manager):
    """The standard drawing procedures, and calls of what replaces them."""

    _regions: RegionHandles
    _quickdraw: QuickDraw
    _recordings: Recordings
    _dispatcher: Dispatcher

    def replaced(self, record: bytes, which: int, heading: str, *values: Any) -> bool:
        """Call the program's procedure, if the port has one in the place of the standard one."""
        address = self.replacement(record, which)
        if address:
            self.host.call_guest(address, heading, *values)
        return bool(address)

    def replacement(self, record: bytes, which: int) -> int:
        """The program's procedure; 0 if there is none."""
        table = GrafPort.grafProcs.of(record)
        if not table:
            return 0
        address = QDProcs(self.guest, table)[QDProcs.fields[which]]
        return 0 if address in (0, self.standard(which)) else address

    def standard(self, which: int) -> int:
        """The procedure pointer of one of QuickDraw's own."""
        name = _NAMES[which]
        return self._dispatcher.procedure_pointer(name, signatures()[name].trap)

    @routine("PROCEDURE SetStdProcs (VAR procs: Ptr)")
    def set_std_procs(self, table: int) -> None:
        """Fill a table with QuickDraw's own procedures."""
        for which in range(len(_NAMES)):
            QDProcs(self.guest, table)[QDProcs.fields[which]] = self.standard(which)

    @routine("PROCEDURE SetStdCProcs (VAR procs: Ptr)")
    def set_std_c_procs(self, table: int) -> None:
        """Fill a colour port's table, which has seven places more."""
        self.set_std_procs(table)
        self.guest.write(table + QDProcs.size, bytes(CQDProcs.size - QDProcs.size))

    # -- rectangles --------------------------------------------------------------------------------

    def rectangle(self, verb: int, r: int) -> None:
        """Draw the rectangle at an address."""
        port = self._quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        if record[at.HOOKS] != at.NO_HOOKS:
            heading = "PROCEDURE RectProc (verb: Byte; r: Rect)"
            if not self._quickdraw.is_usable(port, record):
                return
            if not self.replaced(record, RECTANGLE, heading, verb, r):
                self.std_rect(verb, r)
            return
        self._draw_rectangle(verb, self.guest.rect(r), port, record)

    @routine("PROCEDURE StdRect (verb: Byte; r: Rect)")
    def std_rect(self, verb: int, r: int) -> None:
        """Draw a rectangle, or note it in what is being recorded."""
        quickdraw = self._quickdraw
        port, edges = quickdraw.port, self.guest.rect(r)
        record = self.guest.read(port, GrafPort.size)
        self._note(record, verb, "rectangle", Rectangle(*edges))
        if verb == FRAME:
            self._outline(port, record, PixelRegion.from_rectangle(Rectangle(*edges)))
        self._draw_rectangle(verb, edges, port, record)

    def _draw_rectangle(
        self, verb: int, edges: tuple[int, int, int, int], port: int, record: bytes
    ) -> None:
        quickdraw = self._quickdraw
        r = Rectangle(*edges)
        if verb == FRAME:
            quickdraw.draw(verb, frame_rectangle(r, pen_size(record)), port, record)
            return
        quickdraw.draw(verb, r, port, record)
        if verb == at.ERASE and not at.is_pen_hidden(record):
            for tell in quickdraw.on_erase:
                tell(port, r)

    # -- other shapes ------------------------------------------------------------------------------

    def round_rectangle(self, verb: int, r: int, width: int, height: int) -> None:
        """Draw a round rectangle."""
        heading = "PROCEDURE RRectProc (verb: Byte; r: Rect; ovalWidth,ovalHeight: INTEGER)"
        if not self._replaced_now(ROUND_RECTANGLE, heading, verb, r, width, height):
            self.std_r_rect(verb, r, width, height)

    def _replaced_now(self, which: int, heading: str, *values: Any) -> bool:
        """Call the program's procedure; whether the standard one has nothing left to do."""
        port = self._quickdraw.port
        if not GrafPort(self.guest, port).grafProcs:
            return False
        record = self.guest.read(port, GrafPort.size)
        if not self._quickdraw.is_usable(port, record):
            return True
        return self.replaced(record, which, heading, *values)

    @routine("PROCEDURE StdRRect (verb: Byte; r: Rect; ovalWidth,ovalHeight: INTEGER)")
    def std_r_rect(self, verb: int, r: int, width: int, height: int) -> None:
        """Draw a round rectangle, or note it in what is being recorded."""
        port, record, within = self._current()
        shape = self.guest.rect(r)
        self._note(record, verb, "round_rectangle", shape, width, height)
        if verb == FRAME:
            self._outline(port, record, lambda: round_rectangle(shape, width, height))
            pen = pen_size(record)
            pixels = frame_round_rectangle(shape, width, height, pen, within)
        else:
            pixels = round_rectangle(shape, width, height, within)
        self._quickdraw.draw(verb, pixels, port, record)

    def oval(self, verb: int, r: int) -> None:
        """Draw an oval."""
        if not self._replaced_now(OVAL, "PROCEDURE OvalProc (verb: Byte; r: Rect)", verb, r):
            self.std_oval(verb, r)

    @routine("PROCEDURE StdOval (verb: Byte; r: Rect)")
    def std_oval(self, verb: int, r: int) -> None:
        """Draw an oval, or note it in what is being recorded."""
        port, record, within = self._current()
        shape = self.guest.rect(r)
        self._note(record, verb, "oval", shape)
        if verb == FRAME:
            self._outline(port, record, lambda: oval(shape))
            pixels = frame_oval(shape, pen_size(record), within)
        else:
            pixels = oval(shape, within)
        self._quickdraw.draw(verb, pixels, port, record)

    def arc(self, verb: int, r: int, start: int, extent: int) -> None:
        """Draw an arc or wedge."""
        heading = "PROCEDURE ArcProc (verb: Byte; r: Rect; startAngle,arcAngle: INTEGER)"
        if not self._replaced_now(ARC, heading, verb, r, start, extent):
            self.std_arc(verb, r, start, extent)

    @routine("PROCEDURE StdArc (verb: Byte; r: Rect; startAngle,arcAngle: INTEGER)")
    def std_arc(self, verb: int, r: int, start: int, extent: int) -> None:
        """Draw an arc or wedge; arcs add nothing to a region being recorded."""
        port, record, within = self._current()
        shape = self.guest.rect(r)
        self._note(record, verb, "arc", shape, start, extent)
        if verb == FRAME:
            pixels = frame_arc(shape, start, extent, pen_size(record), within)
        else:
            pixels = arc(shape, start, extent, within)
        self._quickdraw.draw(verb, pixels, port, record)

    def region(self, verb: int, rgn: int) -> None:
        """Draw a region."""
        heading = "PROCEDURE RgnProc (verb: Byte; rgn: RgnHandle)"
        if not self._replaced_now(REGION, heading, verb, rgn):
            self.std_rgn(verb, rgn)

    @routine("PROCEDURE StdRgn (verb: Byte; rgn: RgnHandle)")
    def std_rgn(self, verb: int, rgn: int) -> None:
        """Draw a region, or note it in what is being recorded."""
        quickdraw = self._quickdraw
        port, record, _ = self._current()
        pixels = self._regions.region(rgn)
        self._note(record, verb, "region", pixels)
        if verb == FRAME:
            self._outline(port, record, pixels)
            pixels = pixels.difference(pixels.inset(*pen_size(record)))
        quickdraw.draw(verb, pixels, port, record)

    # -- lines -------------------------------------------------------------------------------------

    def line(self, v: int, h: int) -> None:
        """Draw from where the pen is, and leave it at the end."""
        port = self._quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        end = Point(v, h)
        if record[at.HOOKS] == at.NO_HOOKS:
            self._draw_line(port, record, end)
        elif not self._quickdraw.is_usable(port, record):
            return
        elif not self.replaced(record, LINE, "PROCEDURE LineProc (newPt: Point)", end):
            self.std_line(end)
        GrafPort(self.guest, port).pnLoc = end

    @routine("PROCEDURE StdLine (newPt: Point)")
    def std_line(self, end: Point) -> None:
        """Draw a line, or note it in what is being recorded."""
        port, record, _ = self._current()
        start = GrafPort(self.guest, port).pnLoc
        if GrafPort.polySave.of(record):
            self._recordings.polygon_line(port, start, end)
            return
        if GrafPort.rgnSave.of(record):
            self._recordings.region_line(port, start, end)
        elif GrafPort.picSave.of(record):
            self._recordings.picture(port).line(record, start, end)
        self._draw_line(port, record, end)

    def _draw_line(self, port: int, record: bytes, end: Point) -> None:
        quickdraw = self._quickdraw
        start = GrafPort(self.guest, port).pnLoc
        pen = pen_size(record)
        if start.v == end.v or start.h == end.h:
            (top, bottom), (left, right) = sorted((start.v, end.v)), sorted((start.h, end.h))
            r = Rectangle(top, left, bottom + pen[1], right + pen[0])
            if pen[0] > 0 and pen[1] > 0:
                quickdraw.draw(FRAME, r, port, record)
        elif not at.is_pen_hidden(record):
            within = quickdraw.canvas(port, record).limit
            pixels = line((start.h, start.v), (end.h, end.v), pen, within)
            quickdraw.draw(FRAME, pixels, port, record)

    # -- common ------------------------------------------------------------------------------------

    def _current(self) -> tuple[int, bytes, Rectangle]:
        """The current port, its bytes, and the rectangle in which anything can be seen."""
        quickdraw = self._quickdraw
        port = quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        if at.is_pen_hidden(record):
            return port, record, Rectangle(0, 0, 0, 0)
        return port, record, quickdraw.canvas(port, record).limit

    def _note(self, record: bytes, verb: int, what: str, *values: Any) -> None:
        """Tell the picture being recorded, if one is; outlines of an open region are not for it."""
        self._quickdraw.check_verb(verb)
        in_region = verb == FRAME and GrafPort.rgnSave.of(record)
        if GrafPort.picSave.of(record) and not in_region:
            recorder = self._recordings.picture(self._quickdraw.port)
            getattr(recorder, what)(record, verb, *values)

    def _outline(self, port: int, record: bytes, shape: Any) -> None:
        """Tell the region being recorded, if one is, of a framed shape."""
        if GrafPort.rgnSave.of(record):
            region = shape() if callable(shape) else shape
            self._recordings.region_shape(port, region)
