"""Where a port draws, and on what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from emu.quickdraw import (
    PixelRegion,
    PixelView,
    Rectangle,
    Shape,
)
from emu.quickdraw.color_space import Pixels


class Canvas(NamedTuple):
    """Where a port draws: pixels in its local coordinates, and which of them may change."""

    bitmap: PixelView
    clip: Shape

    @property
    def limit(self) -> Rectangle:
        """The smallest rectangle around the pixels that may change."""
        clip = self.clip
        return clip.bounds if isinstance(clip, PixelRegion) else clip


@dataclass(frozen=True, slots=True)
class Background:
    """What erasing leaves in a port.

    Attributes:
        pattern: its pattern of bits.
        colors: what the pattern's ones and zeros are; None for black and white.
        tile: the pixels of a pattern in colour, which is used instead.
    """

    pattern: bytes
    colors: tuple[int, int] | None = None
    tile: Pixels | None = None
