"""The window record in guest memory, as programs read it.

Source: Inside Macintosh I, p. I-276 (WindowRecord) and p. I-148 (GrafPort).
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.guest_access import GuestAccess

WINDOW_RECORD_SIZE = 156

PORT_BITS_BASE = 2
PORT_BITS_BOUNDS = 8
PORT_RECT = 16
VISIBLE_REGION = 24
CLIP_REGION = 28
BACKGROUND_PATTERN = 32

WINDOW_KIND = 108
VISIBLE = 110
HIGHLIGHTED = 111
GO_AWAY = 112
SPARE_FLAG = 113
STRUCTURE_REGION = 114
CONTENT_REGION = 118
UPDATE_REGION = 122
DEFINITION_PROCEDURE = 126
DATA_HANDLE = 130
TITLE_HANDLE = 134
TITLE_WIDTH = 138
CONTROL_LIST = 140
NEXT_WINDOW = 144
WINDOW_PICTURE = 148
REFERENCE = 152

USER_KIND = 8
DIALOG_KIND = 2


def rectangle_at(guest: GuestAccess, address: int) -> Rectangle:
    """A Rect of guest memory."""
    return Rectangle(*guest.rect(address))


def port_rectangle(guest: GuestAccess, port: int) -> Rectangle:
    """A port's portRect, in its local coordinates."""
    return Rectangle(*guest.rect(port + PORT_RECT))


def local_origin(guest: GuestAccess, port: int) -> tuple[int, int]:
    """What to add to global coordinates, (h, v), to get a port's local ones."""
    top, left, _, _ = guest.rect(port + PORT_BITS_BOUNDS)
    return left, top


def global_rectangle(guest: GuestAccess, port: int) -> Rectangle:
    """A port's portRect in global coordinates."""
    dh, dv = local_origin(guest, port)
    return port_rectangle(guest, port).offset(-dh, -dv)
