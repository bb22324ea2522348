"""What is being recorded in each port: a region's outline, a polygon, a picture.

The fields rgnSave, polySave and picSave of a port say whether anything is; programs look at them,
and what they lead to is QuickDraw's own affair.

A picture is of version 1, or in a colour port of version 2. It is its size, its frame, and
operation codes, of one byte or two, with their data (Inside Macintosh V, "Picture Opcodes", and
Imaging With QuickDraw, appendix A). Settings are written when a drawing operation needs one that
the picture's reader has not been told of.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from emu.quickdraw import EMPTY, PixelRegion, PixelView, Rectangle, polygon
from emu.quickdraw.color_space import IndexedColorSpace
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.bit_maps import CopiedPixels
from emu.toolbox.managers.quickdraw.ports.deep_pixels import pixel_map
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.quickdraw import GrafPort, PixMap, Polygon, RGBColor
from emu.toolbox.system_file.color_tables import table_bytes

_MOST_TEXT = 255
_PACKED_FROM = 8
_LONG_COUNTS_FROM = 251
_END = 0xFF
_NOT_PACKED = 1
_DIRECT_BASE = b"\0\0\0\xff"
"""What stands for baseAddr before a PixMap of 16 or 32 bits."""

RGB_FOREGROUND = slice(GrafPort.size, GrafPort.size + RGBColor.size)
RGB_BACKGROUND = slice(RGB_FOREGROUND.stop, RGB_FOREGROUND.stop + RGBColor.size)
"""Where the settings of a colour port, after the fields of a port without, have its colours."""

_FRESH = at.FRESH + bytes(RGBColor.size) + b"\xff" * RGBColor.size
_STANDARD = 72 << 16
"""The resolution of screens and of frames of pictures, a Fixed number of dots an inch."""

_VERSION_1 = b"\x11\x01"
_VERSION_2 = b"\x00\x11\x02\xff\x0c\x00"
_EXTENDED = -2
"""The version in the header of a picture that has a resolution."""

_WHOLE_PICTURE = -1

# Opcode of each setting, and its bytes in the port, that lines and shapes need, and text.
_PEN = (
    (0x02, GrafPort.bkPat.span),
    (0x07, GrafPort.pnSize.span),
    (0x08, GrafPort.pnMode.span),
    (0x09, GrafPort.pnPat.span),
    (0x0A, GrafPort.fillPat.span),
)
_CLASSIC_COLORS = ((0x0E, GrafPort.fgColor.span), (0x0F, GrafPort.bkColor.span))
_RGB_COLORS = ((0x1A, RGB_FOREGROUND), (0x1B, RGB_BACKGROUND))
_TEXT = (
    (0x03, GrafPort.txFont.span),
    (0x04, GrafPort.txFace.span),
    (0x05, GrafPort.txMode.span),
    (0x06, GrafPort.spExtra.span),
    (0x0D, GrafPort.txSize.span),
)
_MOST_POINTS = (32767 - Polygon.size) // Polygon.polyPoints.element.size
"""The most points of a polygon, whose record has at most 32,767 bytes, ten of them a header."""


def pack_bits(data: bytes) -> bytes:
    """Bytes in the run-length form of PackBits (Inside Macintosh I, p. I-470)."""
    packed = bytearray()
    start = position = 0

    def literal(end: int) -> None:
        for first in range(start, end, 128):
            piece = data[first : min(first + 128, end)]
            packed.append(len(piece) - 1)
            packed.extend(piece)

    while position < len(data):
        run = position + 1
        while run < len(data) and data[run] == data[position] and run - position < 128:
            run += 1
        if run - position >= 3:
            literal(position)
            packed.append(257 - (run - position))
            packed.append(data[position])
            start = run
        position = run
    literal(len(data))
    return bytes(packed)


def _rectangle(r: Rectangle) -> bytes:
    edges = (r.top, r.left, r.bottom, r.right)
    return struct.pack(">4H", *(edge & 0xFFFF for edge in edges))


def _at_72_dots(r: Rectangle, across: int, down: int) -> Rectangle:
    """A rectangle in dots of a resolution, as it is with 72 dots an inch."""
    top, bottom = (round(edge * _STANDARD / down) for edge in (r.top, r.bottom))
    left, right = (round(edge * _STANDARD / across) for edge in (r.left, r.right))
    return Rectangle(top, left, bottom, right)


def _pixel_map(bitmap: PixelView, row_bytes: int) -> bytes:
    """The PixMap of a picture from rowBytes on; pixels of 16 and 32 bits are not packed."""
    record = PixMap.copied(pixel_map(0, row_bytes, bitmap.bounds, bitmap.depth, 0))
    if bitmap.depth > 8:
        record.packType = _NOT_PACKED
    return record.read()[PixMap.rowBytes.offset :]


def _part(bitmap: PixelView, part: Rectangle) -> PixelView:
    """A copy of some pixels, in rows of whole words."""
    row_bytes = (part.width * bitmap.depth + 15) // 16 * 2
    memory = np.zeros(row_bytes * part.height, np.uint8)
    copy = PixelView(memory, row_bytes, part, bitmap.depth, bitmap.space)
    copy.put(part, bitmap.pixels(part))
    return copy


class PictureRecorder:
    """A picture while it is drawn.

    Args:
        frame: its frame.
        settings: None for a port without colours, whose bytes are its settings; else what makes
            them of the bytes of a port with colours: those of one without, and the two colours.
        resolution: dots an inch, horizontal and vertical, as Fixed numbers; None for 72 by 72. The
            picture's own frame is always in 72 dots an inch, and so smaller than that given.
    """

    def __init__(
        self,
        frame: Rectangle,
        settings: Callable[[bytes], bytes] | None = None,
        resolution: tuple[int, int] | None = None,
    ) -> None:
        self._frame = frame
        self._make_settings = settings
        self._data = bytearray(_VERSION_1)
        if settings is not None:
            edges = [edge << 16 for edge in (frame.left, frame.top, frame.right, frame.bottom)]
            header = struct.pack(">5ii", _WHOLE_PICTURE, *edges, 0)
            if resolution is not None:
                header = struct.pack(">hhii", _EXTENDED, 0, *resolution) + _rectangle(frame)
                header += bytes(4)
                self._frame = _at_72_dots(frame, *resolution)
            self._data = bytearray(_VERSION_2 + header)
        self._told = _FRESH
        self._clip: bytes | None = None
        self._port_clip = b""
        self._oval = b"\0\0\0\0"

    def finish(self) -> bytes:
        """The picture."""
        data, end = bytes(self._data), bytes((_END,))
        if self._make_settings is not None:
            data, end = data + bytes(len(data) & 1), b"\0" + end
        body = _rectangle(self._frame) + data + end
        return ((len(body) + 2) & 0xFFFF).to_bytes(2, "big") + body

    # -- settings ----------------------------------------------------------------------------------

    def see_clip(self, clip: bytes) -> None:
        """The port's clipping region as it is at the next operation."""
        self._port_clip = clip

    def _settings(self, record: bytes, fields: tuple[tuple[int, slice], ...]) -> None:
        if self._port_clip != self._clip:
            self._clip = self._port_clip
            self._put(0x01, self._clip)
        recorded, colors = bytearray(self._told), _CLASSIC_COLORS
        if self._make_settings is not None:
            record, colors = self._make_settings(record), _RGB_COLORS
        for opcode, span in (*fields, *colors):
            value = record[span]
            if value != recorded[span]:
                self._put(opcode, value)
                recorded[span] = value
        self._told = bytes(recorded)

    def _put(self, opcode: int, data: bytes = b"") -> None:
        if self._make_settings is not None:
            self._data += bytes(len(self._data) & 1) + b"\0"
        self._data.append(opcode)
        self._data += data

    def origin(self, dh: int, dv: int) -> None:
        """The port's origin moved."""
        self._put(0x0C, struct.pack(">2H", dh & 0xFFFF, dv & 0xFFFF))

    # -- operations --------------------------------------------------------------------------------

    def line(self, record: bytes, start: Point, end: Point) -> None:
        """A line."""
        self._settings(record, _PEN)
        self._put(0x20, struct.pack(">4h", *start, *end))

    def rectangle(self, record: bytes, verb: int, r: Rectangle) -> None:
        """A rectangle."""
        self._settings(record, _PEN)
        self._put(0x30 + verb, _rectangle(r))

    def round_rectangle(
        self, record: bytes, verb: int, r: Rectangle, width: int, height: int
    ) -> None:
        """A round rectangle."""
        self._settings(record, _PEN)
        corner = struct.pack(">2h", height, width)
        if corner != self._oval:
            self._oval = corner
            self._put(0x0B, corner)
        self._put(0x40 + verb, _rectangle(r))

    def oval(self, record: bytes, verb: int, r: Rectangle) -> None:
        """An oval."""
        self._settings(record, _PEN)
        self._put(0x50 + verb, _rectangle(r))

    def arc(self, record: bytes, verb: int, r: Rectangle, start: int, extent: int) -> None:
        """An arc or wedge."""
        self._settings(record, _PEN)
        self._put(0x60 + verb, _rectangle(r) + struct.pack(">2h", start, extent))

    def polygon(self, record: bytes, verb: int, data: bytes) -> None:
        """A polygon, as its handle holds it."""
        self._settings(record, _PEN)
        self._put(0x70 + verb, data)

    def region(self, record: bytes, verb: int, region: PixelRegion) -> None:
        """A region."""
        self._settings(record, _PEN)
        self._put(0x80 + verb, region.encode())

    def text(self, record: bytes, pen: Point, characters: bytes) -> None:
        """Text; pieces of more than 255 characters are the caller's to cut."""
        self._settings(record, _TEXT)
        piece = characters[:_MOST_TEXT]
        self._put(0x28, struct.pack(">2hB", *pen, len(piece)) + piece)

    def bits(self, record: bytes, copied: CopiedPixels) -> None:
        """Pixels of a bit map, or others with their colours; only what is copied."""
        self._settings(record, ())
        bitmap = _part(copied.bitmap, copied.source.intersect(copied.bitmap.bounds))
        row_bytes, space = bitmap.row_bytes, bitmap.space
        packed = row_bytes >= _PACKED_FROM and bitmap.depth <= 8
        opcode = (0x98 if packed else 0x90) | (copied.mask is not None)
        if not isinstance(space, IndexedColorSpace):
            opcode, data = opcode | 0x0A, _DIRECT_BASE + _pixel_map(bitmap, row_bytes)
        elif space.is_black_and_white:
            data = row_bytes.to_bytes(2, "big") + _rectangle(bitmap.bounds)
        else:
            data = _pixel_map(bitmap, row_bytes) + table_bytes(space.palette, 0)
        data += _rectangle(copied.source)
        data += _rectangle(copied.destination) + (copied.mode & 0xFFFF).to_bytes(2, "big")
        if copied.mask is not None:
            data += copied.mask.encode()
        count_size = 2 if row_bytes >= _LONG_COUNTS_FROM else 1
        for row in bitmap.grid:
            cells = row.tobytes()
            if packed:
                cells = pack_bits(cells)
                data += len(cells).to_bytes(count_size, "big")
            data += cells
        self._put(opcode, data)

    def comment(self, kind: int, data: bytes) -> None:
        """A comment."""
        if data:
            self._put(0xA1, struct.pack(">hH", kind, len(data)) + data)
        else:
            self._put(0xA0, struct.pack(">h", kind))


class Outline:
    """What has been drawn into a region being recorded."""

    def __init__(self) -> None:
        self.shapes = EMPTY
        self.paths: list[list[tuple[int, int]]] = []

    def add_line(self, start: Point, end: Point) -> None:
        """Go on with the path that ends where a line begins, or begin another one."""
        first, last = (start.h, start.v), (end.h, end.v)
        if self.paths and self.paths[-1][-1] == first:
            self.paths[-1].append(last)
        else:
            self.paths.append([first, last])

    def region(self) -> PixelRegion:
        """The pixels inside."""
        result = self.shapes
        for path in self.paths:
            result = result.xor(polygon(path))
        return result


class Recordings(Manager):
    """Notes what is drawn for the region, the polygon and the picture that a port has open.

    Attributes:
        outlines: of the region being recorded in a port.
        polygons: the points of the polygon being recorded in a port.
        pictures: the picture being recorded in a port.
    """

    _regions: RegionHandles

    def __post_init__(self) -> None:
        self.outlines: dict[int, Outline] = {}
        self.polygons: dict[int, list[Point]] = {}
        self.pictures: dict[int, PictureRecorder] = {}

    def region_line(self, port: int, start: Point, end: Point) -> None:
        """A line belongs to the region being recorded."""
        if port in self.outlines:
            self.outlines[port].add_line(start, end)

    def region_shape(self, port: int, shape: PixelRegion) -> None:
        """A framed shape belongs to the region being recorded."""
        outline = self.outlines.get(port)
        if outline is not None:
            outline.shapes = outline.shapes.xor(shape)

    def polygon_line(self, port: int, start: Point, end: Point) -> None:
        """A line belongs to the polygon being recorded."""
        points = self.polygons.get(port)
        if points is None:
            return
        if not points:
            points.append(start)
        points.append(end)
        if len(points) > _MOST_POINTS:
            raise self.host.stopped("a polygon has more points than its 32 KB hold")

    def picture(self, port: int) -> PictureRecorder:
        """The picture being recorded in a port, with the port's clip region noted."""
        recorder = self.pictures.get(port)
        if recorder is None:
            raise self.host.stopped(
                f"the field picSave of the port 0x{port:x} is not nil, but no picture is open"
            )
        clip = self._regions.region(GrafPort(self.guest, port).clipRgn)
        recorder.see_clip(clip.encode())
        return recorder
