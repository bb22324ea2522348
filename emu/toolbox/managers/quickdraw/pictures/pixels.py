"""Bit maps and pixel maps inside pictures.

Source: Inside Macintosh: Imaging With QuickDraw, appendix A "Picture Opcodes", and chapter 4 (how
pixels of 16 and 32 bits are packed).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw import PixelView, Rectangle
from emu.toolbox.managers.quickdraw.pictures.reader import DamagedPictureError, PictureReader
from emu.toolbox.managers.quickdraw.ports.bit_maps import CopiedPixels
from emu.toolbox.managers.quickdraw.ports.deep_pixels import as_bitmap
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable, PixMap

_UNPACKED_BELOW = 8
_LONG_COUNTS_FROM = 251
_MOST_PIXELS = 1 << 24
_PIXEL_MAP_REST = 36
_DIRECT_OPCODES = 0x9A
_NOT_PACKED, _NO_PAD_BYTE, _BY_WORDS, _BY_COMPONENTS = 1, 2, 3, 4
"""packType: how rows of 16 and 32 bits are packed; 0 is by words or by components."""


@dataclass(frozen=True, slots=True)
class PictureMap:
    """A pixel map in a picture: what it says of its pixels, and its colour table.

    Attributes:
        record: the bytes of its PixMap.
        table: the bytes of its ColorTable; empty for pixels of 16 and 32 bits.
    """

    record: bytes
    table: bytes

    @property
    def depth(self) -> int:
        """The bits of each pixel."""
        return PixMap.pixelSize.of(self.record)

    @property
    def row_bytes(self) -> int:
        """Bytes from one row to the next."""
        return PixMap.rowBytes.of(self.record) & 0x3FFF

    @property
    def bounds(self) -> Rectangle:
        """The pixels' coordinates."""
        return PixMap.bounds.of(self.record)


def unpack_bits(packed: bytes, size: int, unit: int = 1) -> bytes:
    """Bytes from the run-length form of PackBits; zeros for those that are missing.

    Args:
        packed: the packed bytes.
        size: how many bytes there are to be.
        unit: how many bytes are repeated or copied together: 1, or 2 for pixels of 16 bits.
    """
    data = bytearray()
    at = 0
    while at < len(packed) and len(data) < size:
        count = packed[at]
        at += 1
        if count < 128:
            data += packed[at : at + (count + 1) * unit]
            at += (count + 1) * unit
        elif count > 128 and at < len(packed):
            data += packed[at : at + unit] * (257 - count)
            at += unit
    return bytes(data[:size]).ljust(size, b"\0")


def read_pixels(reader: PictureReader, opcode: int) -> CopiedPixels:
    """The data of BitsRect, BitsRgn, PackBitsRect, PackBitsRgn, DirectBitsRect or DirectBitsRgn.

    Raises:
        DamagedPictureError: it is cut off, or of a kind that is not read.
    """
    if opcode >= _DIRECT_OPCODES:
        reader.skip(4)  # where the pixels were
    flagged = reader.size()
    bounds = reader.rectangle()
    image = None
    if flagged & 0x8000:
        image = read_map(reader, flagged, bounds, has_table=opcode < _DIRECT_OPCODES)
    row_bytes = flagged & 0x3FFF
    _check_size(row_bytes, bounds, image.depth if image else 1)
    source, destination = reader.rectangle(), reader.rectangle()
    mode = reader.words(1)[0]
    mask = reader.region() if opcode & 1 else None
    if image is not None:
        bitmap = read_bitmap(reader, image, packed=opcode >= 0x98)
    else:
        rows = [_row(reader, row_bytes, packed=opcode >= 0x98) for _ in range(bounds.height)]
        bitmap = PixelView(np.frombuffer(b"".join(rows), np.uint8).copy(), row_bytes, bounds)
    return CopiedPixels(bitmap, source, destination, mode, mask)


def read_map(
    reader: PictureReader, flagged: int, bounds: Rectangle, *, has_table: bool
) -> PictureMap:
    """The rest of a PixMap after rowBytes and bounds, and its colour table, if one follows."""
    record = PixMap.copied()
    record.rowBytes, record.bounds = flagged, bounds
    data = record.read()[:-_PIXEL_MAP_REST] + reader.take(_PIXEL_MAP_REST)
    if not has_table:
        return PictureMap(data, b"")
    table = reader.take(ColorTable.size)
    return PictureMap(data, table + reader.take(ColorSpec.size * (ColorTable.ctSize.of(table) + 1)))


def read_bitmap(reader: PictureReader, image: PictureMap, *, packed: bool) -> PixelView:
    """The pixels that a pixel map describes.

    Raises:
        DamagedPictureError: they are cut off, or of a depth that there is not.
    """
    row_bytes, bounds = image.row_bytes, image.bounds
    _check_size(row_bytes, bounds, image.depth)
    data = b"".join(read_rows(reader, image, packed=packed))
    try:
        return as_bitmap(data, row_bytes, bounds, image.depth, image.table)
    except UsageError as error:
        raise DamagedPictureError(f"the picture holds {error}") from error


def read_rows(reader: PictureReader, image: PictureMap, *, packed: bool) -> list[bytes]:
    """The rows of a pixel map as they are in memory."""
    height, row_bytes = image.bounds.height, image.row_bytes
    if image.depth <= 8:
        return [_row(reader, row_bytes, packed=packed) for _ in range(height)]
    kind = PixMap.packType.of(image.record)
    kind = kind or (_BY_WORDS if image.depth == 16 else _BY_COMPONENTS)
    if kind == _NOT_PACKED or row_bytes < _UNPACKED_BELOW:
        return [reader.take(row_bytes) for _ in range(height)]
    if kind == _NO_PAD_BYTE:
        rows = [reader.take(row_bytes // 4 * 3) for _ in range(height)]
        return [_interleaved(np.frombuffer(row, np.uint8).reshape(-1, 3).T) for row in rows]
    if kind == _BY_WORDS:
        return [_row(reader, row_bytes, packed=True, unit=2) for _ in range(height)]
    if kind != _BY_COMPONENTS:
        raise DamagedPictureError(f"the picture holds pixels packed in the unknown way {kind}")
    planes, width = PixMap.cmpCount.of(image.record), row_bytes // 4
    if planes not in (3, 4):
        raise DamagedPictureError(f"the picture holds pixels of {planes} components")
    return [
        _interleaved(
            np.frombuffer(
                _row(reader, width * planes, packed=True, counts_for=row_bytes), np.uint8
            ).reshape(planes, width)[planes - 3 :]
        )
        for _ in range(height)
    ]


def _interleaved(planes: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> bytes:
    """Red, green and blue as pixels of 32 bits."""
    row = np.zeros((planes.shape[1], 4), np.uint8)
    row[:, 1:] = planes.T
    return row.tobytes()


def _check_size(row_bytes: int, bounds: Rectangle, depth: int) -> None:
    too_many = row_bytes * bounds.height * 8 // max(depth, 1) > _MOST_PIXELS
    if too_many or row_bytes * 8 < bounds.width * depth:
        raise DamagedPictureError(
            f"the picture holds a bit map of {bounds.height} rows of {row_bytes} bytes"
        )


def _row(
    reader: PictureReader, size: int, *, packed: bool, unit: int = 1, counts_for: int = 0
) -> bytes:
    """A row of so many bytes; the size for which its count is long is another one for planes."""
    if not packed or size < _UNPACKED_BELOW:
        return reader.take(size)
    long_count = (counts_for or size) >= _LONG_COUNTS_FROM
    count = reader.size() if long_count else reader.byte()
    return unpack_bits(reader.take(count), size, unit)
