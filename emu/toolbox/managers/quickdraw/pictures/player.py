"""Draws pictures: reads version 1 and 2 and makes the calls they stand for.

Source: Inside Macintosh V, "Picture Opcodes"; Imaging With QuickDraw, appendix A.
"""

from __future__ import annotations

import struct
from dataclasses import replace

from emu.base.errors import UsageError
from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import BACKGROUND, FOREGROUND, Colors
from emu.toolbox.managers.quickdraw.color.ports import PortVariables
from emu.toolbox.managers.quickdraw.drawing.bits import Bits
from emu.toolbox.managers.quickdraw.drawing.geometry import (
    map_point,
    map_rectangle,
    map_region,
    scaled,
)
from emu.toolbox.managers.quickdraw.drawing.polygons import Polygons, encode_polygon
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import Procedures
from emu.toolbox.managers.quickdraw.pictures.pixels import read_map, read_pixels, read_rows
from emu.toolbox.managers.quickdraw.pictures.reader import (
    HEADER_OPCODE,
    DamagedPictureError,
    PictureReader,
)
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.inks import rgb
from emu.toolbox.managers.quickdraw.ports.pixel_patterns import COLOR, PIXELS, PixelPatterns
from emu.toolbox.managers.quickdraw.ports.port_patterns import TransferTerms
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.quickdraw.text.text import TextDrawing
from emu.toolbox.records.quickdraw import (
    CGrafPort,
    ColorTable,
    GrafPort,
    GrafVars,
    PixMap,
    PixPat,
    RGBColor,
)

_END = 0xFF
_VERBS = 5
_LONGEST = 32767
_PATTERNS = {0x02: at.ERASE, 0x09: at.PAINT, 0x0A: at.FILL}
_PIXEL_PATTERNS = {0x12: at.ERASE, 0x13: at.PAINT, 0x14: at.FILL}
_PATTERN_HANDLES = (CGrafPort.bkPixPat, CGrafPort.pnPixPat, CGrafPort.fillPixPat)


class PictureTools(Manager):
    """The parts of QuickDraw that a picture is drawn with."""

    memory: MemoryManager
    regions: RegionHandles
    quickdraw: QuickDraw
    procedures: Procedures
    colors: Colors
    text: TextDrawing
    polygons: Polygons
    patterns: PixelPatterns
    variables: PortVariables
    terms: TransferTerms
    bits: Bits


class PicturePlayer:
    """One drawing of one picture in the current port.

    Args:
        tools: what it is drawn with.
        reader: the picture, from its beginning on.
        destination: the rectangle that its frame is to fill.
    """

    def __init__(self, tools: PictureTools, reader: PictureReader, destination: Rectangle) -> None:
        self._tools = tools
        self._guest = tools.guest
        self._quickdraw = tools.quickdraw
        self._regions = tools.regions
        self._reader = reader
        self._destination = destination
        self._frame = Rectangle(0, 0, 0, 0)
        self._scratch = 0
        self._oval = Point(0, 0)
        self._last_rectangle = {kind: Rectangle(0, 0, 0, 0) for kind in (3, 4, 5, 6)}
        self._last_polygon: list[Point] = []
        self._last_region = PixelRegion.from_rectangle(Rectangle(0, 0, 0, 0))
        self._line_at = Point(0, 0)
        self._text_at = Point(0, 0)
        self._ratio = (Point(1, 1), Point(1, 1))
        self._port = 0
        self._clip = self._last_region
        self._made: list[int] = []

    def play(self) -> None:
        """Draw it; the port's settings are as before afterwards.

        Raises:
            MisuseError: it is damaged, or holds what macproof does not draw; what comes before is
                drawn.
        """
        quickdraw, guest = self._quickdraw, self._guest
        self._port = port = quickdraw.port
        record = guest.read(port, GrafPort.size)
        color = at.is_color_port(record)
        variables = CGrafPort.grafVars.of(record) if color else 0
        kept = self._tools.memory.contents(variables) if variables else b""
        clip_handle = GrafPort(guest, port).clipRgn
        self._clip = self._regions.region(clip_handle)
        self._scratch = self._tools.memory.new_pointer(8)
        try:
            self._begin(color)
            self._run()
        except (DamagedPictureError, UsageError) as error:
            raise self._tools.host.misuse("picture", str(error)) from error
        finally:
            self._tools.memory.dispose_pointer(self._scratch)
            self._regions.set_region(clip_handle, self._clip)
            start = (GrafPort.pnLoc if color else GrafPort.bkPat).offset
            if color:
                now = {CGrafPort(guest, port)[field] for field in _PATTERN_HANDLES}
                self._made += now.difference(self._made, self._handles(record))
            guest.write(port + start, record[start : GrafPort.picSave.offset])
            if color:
                guest.write(port + at.RGB_COLORS.start, record[at.RGB_COLORS])
                CGrafPort(guest, port).bkPixPat = CGrafPort.bkPixPat.of(record)
                if kept:
                    self._tools.memory.set_contents(variables, kept)
                for pattern in self._made:
                    self._tools.patterns.dispose(pattern)

    def _handles(self, record: bytes) -> set[int]:
        return {field.of(record) for field in _PATTERN_HANDLES}

    def _begin(self, color: bool) -> None:
        """A picture finds a port with standard settings, and patterns of its own."""
        guest, port = self._guest, self._port
        for field in _PATTERN_HANDLES if color else ():
            self._made.append(self._tools.memory.new_handle(PixPat.size, True))
            CGrafPort(guest, port)[field] = self._made[-1]
        for verb, pattern in (
            (at.PAINT, at.BLACK_PATTERN),
            (at.ERASE, at.WHITE_PATTERN),
            (at.FILL, at.BLACK_PATTERN),
        ):
            self._quickdraw.patterns.set_bits(self._quickdraw.port, verb, pattern)
        for part in (at.PEN, at.TEXT):
            guest.write(port + part.start, at.FRESH[part])
        self._tools.colors.fore_color(at.BLACK_COLOR)
        self._tools.colors.back_color(at.WHITE_COLOR)

    def _run(self) -> None:
        reader = self._reader
        reader.skip(2)
        self._set_frame(reader.rectangle())
        if reader.is_empty:
            return
        while True:
            opcode = reader.opcode()
            if opcode == _END:
                return
            self._do(opcode)

    def _set_frame(self, frame: Rectangle) -> None:
        """Let a rectangle of the picture's own coordinates fill the destination."""
        self._frame = frame
        GrafPort(self._guest, self._port).pnSize = self._scale(Point(1, 1))

    # -- one operation -----------------------------------------------------------------------------

    def _do(self, opcode: int) -> None:
        kind, verb = opcode >> 4, opcode & 7
        if opcode <= 0x1F:
            self._setting(opcode)
        elif 0x20 <= opcode <= 0x23:
            self._line(opcode)
        elif 0x28 <= opcode <= 0x2B:
            self._text(opcode)
        elif 3 <= kind <= 8 and verb < _VERBS:
            self._shape(kind, verb, same=bool(opcode & 8))
        elif opcode in (0x90, 0x91, 0x98, 0x99, 0x9A, 0x9B):
            self._pixels(opcode)
        elif opcode == HEADER_OPCODE:
            self._set_frame(self._reader.source_rectangle() or self._frame)
        else:
            self._reader.skip_operation(opcode)

    def _setting(self, opcode: int) -> None:
        reader, guest, port = self._reader, self._guest, self._port
        plain = {
            0x03: GrafPort.txFont,
            0x04: GrafPort.txFace,
            0x05: GrafPort.txMode,
            0x06: GrafPort.spExtra,
            0x08: GrafPort.pnMode,
            0x0D: GrafPort.txSize,
        }
        if opcode in plain:
            field = plain[opcode]
            guest.write(port + field.offset, reader.take(field.size))
        elif opcode in _PATTERNS:
            self._quickdraw.patterns.set_bits(
                self._quickdraw.port, _PATTERNS[opcode], reader.take(8)
            )
        elif opcode in _PIXEL_PATTERNS:
            self._pixel_pattern(_PIXEL_PATTERNS[opcode])
        elif opcode == 0x01:
            region = map_region(reader.region(), self._frame, self._destination)
            self._regions.set_region(GrafPort(guest, port).clipRgn, region.intersect(self._clip))
        elif opcode == 0x07:
            GrafPort(guest, port).pnSize = self._scale(reader.point())
        elif opcode == 0x0B:
            self._oval = self._scale(reader.point())
        elif opcode == 0x0C:
            dh, dv = reader.words(2)
            self._frame = self._frame.offset(dh, dv)
        elif opcode == 0x0E:
            self._tools.colors.fore_color(reader.long())
        elif opcode == 0x0F:
            self._tools.colors.back_color(reader.long())
        elif opcode == 0x10:
            self._ratio = reader.point(), reader.point()
        elif opcode == 0x11:
            reader.version()
        elif opcode in (0x1A, 0x1B, 0x1D, 0x1F):
            self._color(opcode, reader.take(RGBColor.size))
        elif opcode == 0x1C:
            self._tools.terms.highlight_next()
        else:
            reader.skip_operation(opcode)

    def _color(self, opcode: int, data: bytes) -> None:
        """A colour to draw with or on, for highlighting, or for the arithmetic modes."""
        if opcode == 0x1A:
            self._tools.colors.set_color(FOREGROUND, rgb(data))
        elif opcode == 0x1B:
            self._tools.colors.set_color(BACKGROUND, rgb(data))
        else:
            field = GrafVars.rgbHiliteColor if opcode == 0x1D else GrafVars.rgbOpColor
            self._tools.variables.store(field, data)

    def _scale(self, size: Point) -> Point:
        frame, destination = self._frame, self._destination
        return Point(
            max(scaled(size.v, frame.height, destination.height), 1) if size.v else 0,
            max(scaled(size.h, frame.width, destination.width), 1) if size.h else 0,
        )

    def _map(self, point: Point) -> Point:
        return map_point(point, self._frame, self._destination)

    # -- lines and text ----------------------------------------------------------------------------

    def _line(self, opcode: int) -> None:
        reader = self._reader
        start = self._line_at if opcode & 1 else reader.point()
        if opcode & 2:
            dh, dv = reader.signed_bytes(2)
            end = Point(start.v + dv, start.h + dh)
        else:
            end = reader.point()
        self._line_at = end
        GrafPort(self._guest, self._port).pnLoc = self._map(start)
        self._tools.procedures.line(*self._map(end))

    def _text(self, opcode: int) -> None:
        reader = self._reader
        if opcode == 0x28:
            self._text_at = reader.point()
        else:
            dh = reader.byte() if opcode & 1 else 0
            dv = reader.byte() if opcode & 2 else 0
            self._text_at = Point(self._text_at.v + dv, self._text_at.h + dh)
        characters = reader.take(reader.byte())
        GrafPort(self._guest, self._port).pnLoc = self._map(self._text_at)
        frame, destination = self._frame, self._destination
        numer, denom = self._ratio
        self._tools.text.draw(
            characters,
            0,
            Point(numer.v * destination.height, numer.h * destination.width),
            Point(denom.v * frame.height, denom.h * frame.width),
        )

    # -- shapes ------------------------------------------------------------------------------------

    def _shape(self, kind: int, verb: int, same: bool) -> None:
        reader = self._reader
        if kind == 7:
            if not same:
                self._last_polygon = reader.polygon()
            points = [self._map(point) for point in self._last_polygon]
            handle = self._tools.memory.handle_from(encode_polygon(points))
            self._tools.polygons.draw(verb, handle)
            self._tools.memory.dispose_handle(handle)
        elif kind == 8:
            if not same:
                self._last_region = reader.region()
            region = map_region(self._last_region, self._frame, self._destination)
            handle = self._regions.new_region(region)
            self._tools.procedures.region(verb, handle)
            self._tools.memory.dispose_handle(handle)
        else:
            self._rectangular(kind, verb, same)

    def _rectangular(self, kind: int, verb: int, same: bool) -> None:
        reader, procedures = self._reader, self._tools.procedures
        if not same:
            self._last_rectangle[kind] = reader.rectangle()
        r = map_rectangle(self._last_rectangle[kind], self._frame, self._destination)
        self._quickdraw.put_rectangle(self._scratch, _on_plane(r))
        if kind == 3:
            procedures.rectangle(verb, self._scratch)
        elif kind == 4:
            procedures.round_rectangle(verb, self._scratch, self._oval.h, self._oval.v)
        elif kind == 5:
            procedures.oval(verb, self._scratch)
        else:
            procedures.arc(verb, self._scratch, *reader.words(2))

    def _pixel_pattern(self, verb: int) -> None:
        """A pattern in colour; a colour or pixels of its own follow its bits."""
        reader, patterns = self._reader, self._tools.patterns
        kind, bits = reader.size(), reader.take(8)
        if kind == COLOR:
            empty = PixMap.copied().read()
            pattern = patterns.new(empty, b"", ColorTable.copied().read(), kind, bits)
            red, green, blue = struct.unpack(">3H", reader.take(6))
            patterns.set_color(pattern, (red, green, blue))
        elif kind == PIXELS:
            flagged = reader.size()
            image = read_map(reader, flagged, reader.rectangle(), has_table=True)
            rows = b"".join(read_rows(reader, image, packed=True))
            pattern = patterns.new(image.record, rows, image.table, kind, bits)
        else:
            self._quickdraw.patterns.set_bits(self._quickdraw.port, verb, bits)
            return
        self._made.append(pattern)
        self._quickdraw.patterns.set_pixels(self._quickdraw.port, verb, pattern)

    # -- pixels ------------------------------------------------------------------------------------

    def _pixels(self, opcode: int) -> None:
        image = read_pixels(self._reader, opcode)
        frame, destination = self._frame, self._destination
        mask = map_region(image.mask, frame, destination) if image.mask is not None else None
        r = map_rectangle(image.destination, frame, destination)
        self._tools.bits.draw_bits(replace(image, destination=r, mask=mask))


def _on_plane(r: Rectangle) -> Rectangle:
    def limited(value: int) -> int:
        return max(-_LONGEST, min(_LONGEST, value))

    return Rectangle(limited(r.top), limited(r.left), limited(r.bottom), limited(r.right))
