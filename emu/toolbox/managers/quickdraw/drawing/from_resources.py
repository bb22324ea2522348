"""Patterns, icons, cursors and pictures that come from resources.

Source: Inside Macintosh I, pp. I-473 to I-476 (Toolbox Utilities).
"""

from __future__ import annotations

import numpy as np

from emu.quickdraw import PixelView, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.drawing.bits import Bits
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.bit_maps import CopiedPixels
from emu.toolbox.managers.resources.manager import ResourceManager

_ICON_SIDE = 32
_ICON_SIZE = 128


class GraphicResources(Manager):
    """The Toolbox Utilities for patterns, icons, cursors and pictures."""

    _memory: MemoryManager
    _resources: ResourceManager
    _quickdraw: QuickDraw
    _bits: Bits

    @routine("FUNCTION GetPicture (picID: INTEGER): PicHandle")
    def get_picture(self, number: int) -> int:
        """The picture of a 'PICT' resource."""
        return self._resources.get("PICT", number)

    @routine("FUNCTION GetPattern (patID: INTEGER): Handle")
    def get_pattern(self, number: int) -> int:
        """The pattern of a 'PAT ' resource."""
        return self._resources.get("PAT ", number)

    @routine("PROCEDURE GetIndPattern (VAR thePattern: Pattern; patListID,index: INTEGER)")
    def get_ind_pattern(self, pattern: int, number: int, index: int) -> None:
        """One pattern of a 'PAT#' resource, counted from 1; none leaves the variable alone."""
        handle = self._resources.get("PAT#", number)
        if not handle:
            return
        data = self._memory.contents(handle)
        count = int.from_bytes(data[:2], "big")
        if 1 <= index <= count and len(data) >= 2 + 8 * index:
            self.guest.write(pattern, data[8 * index - 6 : 8 * index + 2])

    @routine("FUNCTION GetCursor (cursorID: INTEGER): Handle")
    def get_cursor(self, number: int) -> int:
        """The cursor of a 'CURS' resource; nil if there is none."""
        return self._resources.get("CURS", number)

    @routine("FUNCTION GetIcon (iconID: INTEGER): Handle")
    def get_icon(self, number: int) -> int:
        """The icon of an 'ICON' resource."""
        return self._resources.get("ICON", number)

    @routine("PROCEDURE PlotIcon (theRect: Rect; theIcon: Handle)")
    def plot_icon(self, r: int, icon: int) -> None:
        """Draw an icon, stretched or shrunk to a rectangle; nothing for nil."""
        if not icon:
            return
        data = self._memory.reachable(icon)[:_ICON_SIZE].ljust(_ICON_SIZE, b"\0")
        pixels = np.frombuffer(data, np.uint8)
        bounds = Rectangle(0, 0, _ICON_SIDE, _ICON_SIDE)
        source = PixelView(pixels, _ICON_SIDE // 8, bounds)
        target = self._quickdraw.rectangle(r)
        self._bits.draw_bits(CopiedPixels(source, bounds, target, 0))
