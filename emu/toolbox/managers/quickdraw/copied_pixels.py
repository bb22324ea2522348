"""What CopyBits is asked for, as drawing, pictures and their recording hand it on."""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import BitMap, Rectangle, Region


@dataclass(frozen=True, slots=True)
class CopiedPixels:
    """Pixels to be copied.

    Attributes:
        bitmap: where they are.
        source: the rectangle that is copied, in the bit map's coordinates.
        destination: the rectangle that it fills, stretched or shrunk, in the port's coordinates.
        mode: the transfer mode.
        mask: the pixels of the destination that may change; None for all.
    """

    bitmap: BitMap
    source: Rectangle
    destination: Rectangle
    mode: int
    mask: Region | None = None
