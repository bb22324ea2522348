"""Draws pixels as QuickDraw does: regions, shapes, transfer modes, copying and text.

This package knows nothing of guest programs, ports and traps. Coordinates are relative to a bit
map's bounds. Points and sizes have the horizontal coordinate first: (h, v).
"""

from __future__ import annotations

from emu.quickdraw.arithmetic import ArithmeticTerms
from emu.quickdraw.bitmap import DEPTHS, PixelView, bytes_in_row
from emu.quickdraw.color_space import ColorSpace, standard_space
from emu.quickdraw.copy_bits import copy_bits, scroll
from emu.quickdraw.fonts import Font, FontBook
from emu.quickdraw.fonts.text import draw_text
from emu.quickdraw.paint import BLACK, DARK_GRAY, GRAY, LIGHT_GRAY, WHITE, Shape, paint, paint_tile
from emu.quickdraw.palette import Palette, standard_palette
from emu.quickdraw.png import screenshot
from emu.quickdraw.rectangle import NOTHING, PLANE, Point, Rectangle
from emu.quickdraw.region import EMPTY, PixelRegion
from emu.quickdraw.shapes import (
    arc,
    frame_arc,
    frame_oval,
    frame_rectangle,
    frame_round_rectangle,
    line,
    oval,
    polygon,
    polygon_lines,
    round_rectangle,
)

__all__ = [
    "BLACK",
    "DARK_GRAY",
    "DEPTHS",
    "EMPTY",
    "GRAY",
    "LIGHT_GRAY",
    "NOTHING",
    "PLANE",
    "WHITE",
    "ArithmeticTerms",
    "ColorSpace",
    "Font",
    "FontBook",
    "Palette",
    "PixelRegion",
    "PixelView",
    "Point",
    "Rectangle",
    "Shape",
    "arc",
    "bytes_in_row",
    "copy_bits",
    "draw_text",
    "frame_arc",
    "frame_oval",
    "frame_rectangle",
    "frame_round_rectangle",
    "line",
    "oval",
    "paint",
    "paint_tile",
    "polygon",
    "polygon_lines",
    "round_rectangle",
    "screenshot",
    "scroll",
    "standard_palette",
    "standard_space",
]
