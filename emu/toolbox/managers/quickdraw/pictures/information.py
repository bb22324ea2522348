"""The Picture Utilities: what a picture holds, without drawing it.

GetPictInfo counts shapes, texts and pixels, tells frame and resolution, and makes a table of the
colours that most pixels have, whichever method is asked for. Palettes, comments and the names of
fonts are not collected: a call that asks for them stops the run, named.
Source: Imaging With QuickDraw, chapter 7 "Pictures" (GetPictInfo, the PictInfo record) and
appendix A.
"""

from __future__ import annotations

import struct
from collections import Counter

import numpy as np

from emu.quickdraw import PixelView, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.pictures.pixels import read_map, read_pixels, read_rows
from emu.toolbox.managers.quickdraw.pictures.reader import (
    HEADER_OPCODE,
    DamagedPictureError,
    PictureReader,
)
from emu.toolbox.managers.quickdraw.ports.pixel_patterns import COLOR, PIXELS
from emu.toolbox.records.results import ResultCode
from emu.toolbox.system_file.color_tables import table_bytes

_END, _VERSION, _CLIP, _COMMENT, _LONG_COMMENT = 0xFF, 0x11, 0x01, 0xA0, 0xA1
_COLOR_TABLE, _SUPPRESS_BLACK_AND_WHITE = 1, 16
_MOST_COLORS = 256
_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_RGB = (0x1A, 0x1B)
"""RGBFgCol and RGBBkCol."""
_SETTINGS = {
    0x02: 8, 0x03: 2, 0x04: 1, 0x05: 2, 0x06: 4, 0x07: 4, 0x08: 2, 0x09: 8, 0x0A: 8, 0x0B: 4,
    0x0C: 4, 0x0D: 2, 0x0E: 4, 0x0F: 4, 0x10: 8, 0x1A: 6, 0x1B: 6,
}  # fmt: skip
"""The bytes that follow an operation which sets something (Imaging, table A-2)."""
_PATTERNS = (0x12, 0x13, 0x14)
_KINDS = {3: "rectangle", 4: "round", 5: "oval", 6: "arc", 7: "polygon", 8: "region"}
_PIXELS = (0x90, 0x91, 0x98, 0x99, 0x9A, 0x9B)
_RESOLUTION = 72 << 16
_COUNTED = ("text", "line", *(_KINDS[kind] for kind in sorted(_KINDS)), "bit map", "pixel map")
_COUNTED += ("comment",)
_INFO = struct.Struct(">2xI4xIiih4h11I28x")
"""A PictInfo: how many colours and their table, resolutions, depth, frame and counts; what is not
told is zeros."""


class PictureContents:
    """What a picture holds.

    Attributes:
        counts: how many of each kind.
        frame: in the picture's own coordinates.
        resolution: dots an inch across and down, fixed-point numbers.
        depth: the most bits that a pixel has; 1 if there are none.
        colors: how many pixels have each colour, as red, green and blue of eight bits; a colour
            that is set for drawing counts as one pixel.
    """

    def __init__(self, data: bytes) -> None:
        self._reader = PictureReader(data)
        self.counts: Counter[str] = Counter()
        self.resolution = _RESOLUTION, _RESOLUTION
        self.depth = 1
        self.colors: Counter[tuple[int, int, int]] = Counter()
        self._reader.skip(2)
        self.frame: Rectangle = self._reader.rectangle()
        while not self._reader.is_empty:
            opcode = self._reader.opcode()
            if opcode == _END:
                break
            self._take(opcode)

    def _take(self, opcode: int) -> None:
        """Count one operation."""
        reader, kind = self._reader, opcode >> 4
        if opcode in _RGB:
            red, green, blue = (part >> 8 & 0xFF for part in reader.words(3))
            self.colors[red, green, blue] += 1
        elif opcode in _SETTINGS:
            reader.skip(_SETTINGS[opcode])
        elif opcode in _PATTERNS:
            self._pattern()
        elif opcode == _CLIP:
            reader.region()
        elif opcode == _VERSION:
            reader.version()
        elif 0x20 <= opcode <= 0x23:
            self.counts["line"] += 1
            reader.skip((0 if opcode & 1 else 4) + (2 if opcode & 2 else 4))
        elif 0x28 <= opcode <= 0x2B:
            self.counts["text"] += 1
            reader.skip({0x28: 4, 0x29: 1, 0x2A: 1, 0x2B: 2}[opcode])
            reader.skip(reader.byte())
        elif kind in _KINDS and opcode & 7 < 5:
            self._shape(opcode)
        elif opcode in _PIXELS:
            self._pixels(read_pixels(reader, opcode).bitmap)
        elif opcode == HEADER_OPCODE:
            self._header()
        else:
            self.counts["comment"] += opcode in (_COMMENT, _LONG_COMMENT)
            reader.skip_operation(opcode)

    def _pixels(self, bitmap: PixelView) -> None:
        self.depth = max(self.depth, bitmap.depth)
        self.counts["bit map" if bitmap.depth == 1 else "pixel map"] += 1
        values, times = np.unique(bitmap.pixels(bitmap.bounds), return_counts=True)
        for color, count in zip(bitmap.space.colors(values).tolist(), times.tolist(), strict=True):
            red, green, blue = color
            self.colors[red, green, blue] += count

    def table(self, most: int, *, with_black_and_white: bool) -> bytes:
        """A ColorTable of the colours that most pixels have; black and white may be added."""
        colors = [color for color, _ in self.colors.most_common(most)]
        ends = (_BLACK, _WHITE) if with_black_and_white else ()
        colors += [color for color in ends if color not in colors]
        return table_bytes(np.array(colors, np.uint8).reshape(-1, 3), 0)

    def _shape(self, opcode: int) -> None:
        reader, kind, same = self._reader, opcode >> 4, opcode & 8
        self.counts[_KINDS[kind]] += 1
        if kind == 7 and not same:
            reader.polygon()
        elif kind == 8 and not same:
            reader.region()
        elif kind < 7:
            reader.skip((0 if same else 8) + (4 if kind == 6 else 0))

    def _pattern(self) -> None:
        reader = self._reader
        kind = reader.size()
        reader.skip(8)
        if kind == COLOR:
            reader.skip(6)
        elif kind == PIXELS:
            flagged = reader.size()
            image = read_map(reader, flagged, reader.rectangle(), has_table=True)
            read_rows(reader, image, packed=True)

    def _header(self) -> None:
        """An extended picture has its frame and its resolution in its header."""
        frame = self._reader.source_rectangle()
        if frame is not None:
            self.frame, self.resolution = frame, self._reader.resolution


class PictureInformation(Manager):
    """GetPictInfo."""

    _memory: MemoryManager

    @routine(
        "FUNCTION GetPictInfo (thePictHandle: PicHandle; thePictInfo: Ptr; "
        "verb: INTEGER; colorsRequested: INTEGER; colorPickMethod: INTEGER; version: INTEGER): "
        "OSErr"
    )
    def get_pict_info(
        self, picture: int, result: int, verb: int, colors: int, method: int, version: int
    ) -> int:
        """Tell what a picture holds; no palette, and neither comments nor fonts."""
        if verb & ~(_SUPPRESS_BLACK_AND_WHITE | _COLOR_TABLE):
            raise self.host.unknown_routine(
                "GetPictInfo for a palette, comments or fonts", f"verb {verb}"
            )
        if version:
            return ResultCode.pictInfoVersionErr
        try:
            contents = PictureContents(self._memory.reachable(picture))
        except DamagedPictureError:
            return ResultCode.pictureDataErr
        unique, table = 0, 0
        if verb & _COLOR_TABLE:
            plain = not verb & _SUPPRESS_BLACK_AND_WHITE
            most = min(max(colors, 0), _MOST_COLORS)
            data = contents.table(most, with_black_and_white=plain)
            unique, table = len(contents.colors), self._memory.handle_from(data)
            if not table:
                return ResultCode.memFullErr
        about = *contents.resolution, contents.depth, *contents.frame
        counts = [contents.counts[kind] for kind in _COUNTED]
        self.guest.write(result, _INFO.pack(unique, table, *about, *counts))
        return 0
