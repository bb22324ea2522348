"""Ports as QuickDraw draws with them: what can be done to a shape, and what a new port is like.

Source: Inside Macintosh I, p. I-163 (InitPort) and "QuickDraw" (verbs); V, "Color QuickDraw".
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.records.quickdraw import CGrafPort, GrafPort, QDGlobals
from emu.toolbox.records.record import between

FRAME, PAINT, ERASE, INVERT, FILL = range(5)
"""What a shape is to be done to it: GrafVerb."""

PAT_COPY = 8
PAT_XOR = 10
SRC_OR = 1
BLACK_COLOR = 33
WHITE_COLOR = 30

BLACK_PATTERN = b"\xff" * 8
WHITE_PATTERN = bytes(8)

WIDE_OPEN = Rectangle(-32767, -32767, 32767, 32767)
"""The clipping region of a new port: the whole plane (Inside Macintosh I, p. I-163)."""

PEN = between(GrafPort.pnLoc, GrafPort.pnMode)
TEXT = between(GrafPort.txFont, GrafPort.spExtra)
COLORS = between(GrafPort.fgColor, GrafPort.bkColor)
RGB_COLORS = between(CGrafPort.rgbFgColor, CGrafPort.rgbBkColor)
HOOKS = between(GrafPort.picSave, GrafPort.grafProcs)
"""What is being recorded, and the procedures in place of QuickDraw's: nil, as a rule."""

NO_HOOKS = bytes(HOOKS.stop - HOOKS.start)


def _fresh_port() -> bytes:
    port = GrafPort.copied()
    port.fillPat = port.pnPat = BLACK_PATTERN
    port.pnSize, port.pnMode, port.txMode = Point(1, 1), PAT_COPY, SRC_OR
    port.fgColor, port.bkColor = BLACK_COLOR, WHITE_COLOR
    return port.read()


FRESH = _fresh_port()
"""The bytes of a port with standard settings, but without bit map and regions."""


def is_color_port(record: bytes) -> bool:
    """Whether the bytes of a port say that it is one of Color QuickDraw's."""
    return CGrafPort.portVersion.of(record) & 0xC000 == 0xC000


def is_pen_hidden(record: bytes) -> bool:
    """Whether the bytes of a port say that nothing is drawn in it."""
    return GrafPort.pnVis.of(record) < 0


def program_globals(guest: GuestAccess, the_port: int) -> QDGlobals:
    """QuickDraw's globals of a program, of which its variable thePort is the last."""
    return QDGlobals(guest, the_port - QDGlobals.thePort.offset)
