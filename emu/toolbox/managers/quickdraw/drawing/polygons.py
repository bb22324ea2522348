"""Polygons: recording and drawing them.

A polygon is a handle to its size in bytes (a word), its bounds and its points (Inside Macintosh
I, p. I-154).
"""

from __future__ import annotations

import struct
from itertools import pairwise

from emu.base.errors import UsageError
from emu.quickdraw import Rectangle, polygon, polygon_lines
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.drawing.pen import Pen
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import POLYGON, Procedures, pen_size
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.grafport import FRAME
from emu.toolbox.managers.quickdraw.ports.recorder import Recordings
from emu.toolbox.records.quickdraw import GrafPort, Polygon

_POINT_SIZE = Polygon.polyPoints.element.size


def encode_polygon(points: list[Point]) -> bytes:
    """The data of a polygon's handle."""
    rows, columns = [p.v for p in points] or [0], [p.h for p in points] or [0]
    words = [min(rows), min(columns), max(rows), max(columns)]
    for point in points:
        words += point
    return struct.pack(f">H{len(words)}h", Polygon.size + _POINT_SIZE * len(points), *words)


class Polygons(Manager):
    """QuickDraw's routines for polygons."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _procedures: Procedures
    _pen: Pen
    _recordings: Recordings

    @routine("FUNCTION OpenPoly : PolyHandle")
    def open_poly(self) -> int:
        """Begin to collect the points of lines; nothing is drawn meanwhile."""
        port = self._quickdraw.port
        record = GrafPort(self.guest, port)
        if record.polySave:
            self.host.report("open polygon", "OpenPoly was called while a polygon was open")
            return record.polySave
        handle = self._memory.handle_from(encode_polygon([]))
        self._recordings.polygons[port] = []
        record.polySave = handle
        self._pen.change_visibility(-1)
        return handle

    @routine("PROCEDURE ClosePoly")
    def close_poly(self) -> None:
        """Stop collecting."""
        port = self._quickdraw.port
        points = self._recordings.polygons.pop(port, None)
        if points is None:
            self.host.report("open polygon", "ClosePoly was called while no polygon was open")
            return
        record = GrafPort(self.guest, port)
        self._memory.set_contents(record.polySave, encode_polygon(points))
        record.polySave = 0
        self._pen.change_visibility(1)

    def points(self, handle: int) -> list[Point]:
        """The points of a polygon."""
        record = Polygon(self.guest, self._memory.address(handle))
        count = (record.polySize - Polygon.size) // _POINT_SIZE
        return [record.polyPoints[number] for number in range(count)]

    @routine("PROCEDURE KillPoly (poly: PolyHandle)")
    def kill_poly(self, poly: int) -> None:
        """Dispose of a polygon."""
        self._memory.dispose_handle(poly)

    @routine("PROCEDURE OffsetPoly (poly: PolyHandle; dh,dv: INTEGER)")
    def offset_poly(self, poly: int, dh: int, dv: int) -> None:
        """Move a polygon."""
        record = Polygon(self.guest, self._memory.address(poly))
        record.polyBBox = record.polyBBox.offset(dh, dv)
        for number in range((record.polySize - Polygon.size) // _POINT_SIZE):
            v, h = record.polyPoints[number]
            record.polyPoints[number] = Point(v + dv, h + dh)

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self, verb: int, poly: int) -> None:
        """Draw a polygon, by the port's own procedure if it has one."""
        port = self._quickdraw.port
        heading = "PROCEDURE PolyProc (verb: Byte; poly: PolyHandle)"
        if GrafPort(self.guest, port).grafProcs:
            record = self.guest.read(port, GrafPort.size)
            if not self._quickdraw.is_usable(port, record):
                return
            if self._procedures.replaced(record, POLYGON, heading, verb, poly):
                return
        self.std_poly(verb, poly)

    @routine("PROCEDURE StdPoly (verb: Byte; poly: PolyHandle)")
    def std_poly(self, verb: int, poly: int) -> None:
        """Draw a polygon, or note it; framing draws its lines one after the other."""
        quickdraw, points = self._quickdraw, self.points(poly)
        quickdraw.check_verb(verb)
        port = quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        in_region = verb == FRAME and GrafPort.rgnSave.of(record)
        if in_region:
            for start, end in pairwise(points):
                self._recordings.region_line(port, start, end)
        elif GrafPort.picSave.of(record):
            recorder = self._recordings.picture(port)
            recorder.polygon(record, verb, encode_polygon(points))
        if at.is_pen_hidden(record):
            return
        within: Rectangle = quickdraw.canvas(port, record).limit
        corners = [(point.h, point.v) for point in points]
        try:
            if verb == FRAME:
                for piece in polygon_lines(corners, pen_size(record), within):
                    quickdraw.draw(verb, piece, port, record)
            else:
                quickdraw.draw(verb, polygon(corners, within), port, record)
        except UsageError as error:
            raise self.host.stopped(str(error)) from error
