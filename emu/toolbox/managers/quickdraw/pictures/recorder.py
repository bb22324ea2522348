"""Writes down drawing calls as a picture of version 1.

A picture is its size, its frame, and one-byte operation codes with their data (Inside Macintosh
V, "Picture Opcodes", and Imaging With QuickDraw, appendix A). Settings are written when a
drawing operation needs one that the picture's reader has not been told of.
"""

from __future__ import annotations

import struct

import numpy as np

from emu.quickdraw import Rectangle, Region
from emu.toolbox.guest_types import Point
from emu.toolbox.managers.quickdraw import grafport as at
from emu.toolbox.managers.quickdraw.copied_pixels import CopiedPixels
from emu.toolbox.records.quickdraw import GrafPort

_MOST_TEXT = 255
_PACKED_FROM = 8
_LONG_COUNTS_FROM = 251
_END = 0xFF

# Opcode of each setting, and its bytes in the port, that lines and shapes need, and text.
_PEN = (
    (0x02, GrafPort.bkPat.span),
    (0x07, GrafPort.pnSize.span),
    (0x08, GrafPort.pnMode.span),
    (0x09, GrafPort.pnPat.span),
    (0x0A, GrafPort.fillPat.span),
)
_COLORS = ((0x0E, GrafPort.fgColor.span), (0x0F, GrafPort.bkColor.span))
_TEXT = (
    (0x03, GrafPort.txFont.span),
    (0x04, GrafPort.txFace.span),
    (0x05, GrafPort.txMode.span),
    (0x06, GrafPort.spExtra.span),
    (0x0D, GrafPort.txSize.span),
)


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


class PictureRecorder:
    """A picture while it is drawn.

    Args:
        frame: its frame.
    """

    def __init__(self, frame: Rectangle) -> None:
        self._frame = frame
        self._data = bytearray(b"\x11\x01")
        self._told = at.FRESH
        self._clip: bytes | None = None
        self._port_clip = b""
        self._oval = b"\0\0\0\0"

    def finish(self) -> bytes:
        """The picture."""
        body = _rectangle(self._frame) + bytes(self._data) + bytes((_END,))
        return ((len(body) + 2) & 0xFFFF).to_bytes(2, "big") + body

    # -- settings ----------------------------------------------------------------------------------

    def see_clip(self, clip: bytes) -> None:
        """The port's clipping region as it is at the next operation."""
        self._port_clip = clip

    def _settings(self, record: bytes, fields: tuple[tuple[int, slice], ...]) -> None:
        if self._port_clip != self._clip:
            self._clip = self._port_clip
            self._put(0x01, self._clip)
        told = bytearray(self._told)
        for opcode, span in (*fields, *_COLORS):
            value = record[span]
            if value != told[span]:
                self._put(opcode, value)
                told[span] = value
        self._told = bytes(told)

    def _put(self, opcode: int, data: bytes = b"") -> None:
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

    def region(self, record: bytes, verb: int, region: Region) -> None:
        """A region."""
        self._settings(record, _PEN)
        self._put(0x80 + verb, region.encode())

    def text(self, record: bytes, pen: Point, characters: bytes) -> None:
        """Text; pieces of more than 255 characters are the caller's to cut."""
        self._settings(record, _TEXT)
        piece = characters[:_MOST_TEXT]
        self._put(0x28, struct.pack(">2hB", *pen, len(piece)) + piece)

    def bits(self, record: bytes, copied: CopiedPixels) -> None:
        """Pixels of a bit map; only the part that is copied is kept."""
        self._settings(record, ())
        part = copied.source.intersect(copied.bitmap.bounds)
        row_bytes = (part.width + 15) // 16 * 2
        wide = np.zeros((part.height, row_bytes * 8), np.uint8)
        wide[:, : part.width] = copied.bitmap.pixels(part)
        rows = [row.tobytes() for row in np.packbits(wide, axis=1)]
        packed = row_bytes >= _PACKED_FROM
        opcode = (0x98 if packed else 0x90) | (copied.mask is not None)
        data = row_bytes.to_bytes(2, "big") + _rectangle(part) + _rectangle(copied.source)
        data += _rectangle(copied.destination) + (copied.mode & 0xFFFF).to_bytes(2, "big")
        if copied.mask is not None:
            data += copied.mask.encode()
        count_size = 2 if row_bytes >= _LONG_COUNTS_FROM else 1
        for row in rows:
            if packed:
                row = pack_bits(row)
                data += len(row).to_bytes(count_size, "big")
            data += row
        self._put(opcode, data)

    def comment(self, kind: int, data: bytes) -> None:
        """A comment."""
        if data:
            self._put(0xA1, struct.pack(">hH", kind, len(data)) + data)
        else:
            self._put(0xA0, struct.pack(">h", kind))
