"""What follows from a window's record: where its content is on the screen."""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.records.quickdraw import CGrafPort, GrafPort, PixMap

USER_KIND = 8
DIALOG_KIND = 2


def local_origin(guest: GuestAccess, port: int) -> tuple[int, int]:
    """What to add to global coordinates, (h, v), to get a port's local ones."""
    if CGrafPort(guest, port).portVersion & 0xC000 == 0xC000:
        pixels = CGrafPort(guest, port).portPixMap
        bounds = PixMap(guest, guest.u32(pixels)).bounds
    else:
        bounds = GrafPort(guest, port).portBits.bounds
    return bounds.left, bounds.top


def global_rectangle(guest: GuestAccess, port: int) -> Rectangle:
    """A port's portRect in global coordinates."""
    dh, dv = local_origin(guest, port)
    return GrafPort(guest, port).portRect.offset(-dh, -dv)
