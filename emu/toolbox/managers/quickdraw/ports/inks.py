"""Colours as programs give them, and as pixel values of what is drawn on."""

from __future__ import annotations

from emu.quickdraw import ArithmeticTerms, ColorSpace
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.records.quickdraw import CGrafPort, GrafPort, RGBColor

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 65535."""

BLACK, WHITE = (0, 0, 0), (0xFFFF, 0xFFFF, 0xFFFF)

CLASSIC_COLORS: dict[int, Rgb] = {
    33: (0, 0, 0),
    30: (0xFFFF, 0xFFFF, 0xFFFF),
    205: (0xDD6B, 0x08C2, 0x06A2),
    341: (0x0000, 0x8000, 0x11B0),
    409: (0x0000, 0x0000, 0xD400),
    273: (0x0241, 0xAB54, 0xEAFF),
    137: (0xF2D7, 0x0856, 0x84EC),
    69: (0xFC00, 0xF37D, 0x052F),
}
"""What the eight colours of the first QuickDraw are on a colour screen, by their numbers."""


def pixel_of(color: Rgb, space: ColorSpace) -> int:
    """The pixel value nearest to a colour."""
    red, green, blue = color
    return space.pixel((red >> 8, green >> 8, blue >> 8))


def color_of(pixel: int, space: ColorSpace) -> Rgb:
    """The colour of a pixel value."""
    red, green, blue = space.color(pixel)
    return red * 257, green * 257, blue * 257


def colors_of(record: bytes, space: ColorSpace, *, own: bool = True) -> tuple[int, int] | None:
    """A port's foreground and background as pixel values; None for black on white.

    Args:
        record: the bytes of the port.
        space: what the pixel values mean.
        own: whether the pixels are the port's own. A port in colour keeps indices for those.
    """
    fore, back = GrafPort.fgColor.of(record), GrafPort.bkColor.of(record)
    if at.is_color_port(record):
        if own and space.depth <= 8:
            most = (1 << space.depth) - 1
            pair = fore & most, back & most
        else:
            pair = pixel_of(foreground(record), space), pixel_of(background(record), space)
    elif space.depth == 1:
        # One plane of the colour's number is drawn; the lowest is black or white.
        plane = GrafPort.colrBit.of(record) & 31
        pair = fore >> plane & 1, back >> plane & 1
    else:
        pair = pixel_of(foreground(record), space), pixel_of(background(record), space)
    return None if pair == (space.black, space.white) else pair


def foreground(record: bytes) -> Rgb:
    """A port's foreground as a colour."""
    if at.is_color_port(record):
        return rgb(record[CGrafPort.rgbFgColor.span])
    return CLASSIC_COLORS.get(GrafPort.fgColor.of(record), BLACK)


def background(record: bytes) -> Rgb:
    """A port's background as a colour."""
    if at.is_color_port(record):
        return rgb(record[CGrafPort.rgbBkColor.span])
    return CLASSIC_COLORS.get(GrafPort.bkColor.of(record), WHITE)


def rgb(data: bytes) -> Rgb:
    """The colour that an RGBColor record holds."""
    return RGBColor.red.of(data), RGBColor.green.of(data), RGBColor.blue.of(data)


def terms_of(operand: Rgb, highlight: Rgb) -> ArithmeticTerms:
    """What a port adds to the arithmetic modes, from its colours."""
    (red, green, blue), (light_red, light_green, light_blue) = operand, highlight
    return ArithmeticTerms(
        (red >> 8, green >> 8, blue >> 8), (light_red >> 8, light_green >> 8, light_blue >> 8)
    )
