"""Where windows made from resources are put when the resource leaves that to the system.

Source: Inside Macintosh: Macintosh Toolbox Essentials, p. 4-125 (window positions).
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.managers.windows.open_windows import WindowList
from emu.toolbox.managers.windows.record import global_rectangle

_KIND = 0x3800
_CENTER, _ALERT = 0x2800, 0x3000
_WHERE = 0xC000
_PARENT_WINDOW = 0x8000
_TITLE = 19


def placed(windows: WindowList, bounds: Rectangle, position: int, *, has_title: bool) -> Rectangle:
    """The content of a window after the system has put it in its place.

    Args:
        windows: what is on the screen already.
        bounds: as the resource has it.
        position: the resource's position word; 0 leaves the window where it is. Of the places it
            can name, centred and alert position are done; staggered windows stay where they are.
        has_title: whether the window has a title bar, which counts as a part of it.
    """
    kind = position & _KIND
    if kind not in (_CENTER, _ALERT):
        return bounds
    around = windows.desktop.bounds
    if position & _WHERE == _PARENT_WINDOW and windows.visible():
        around = global_rectangle(windows.guest, windows.visible()[0])
    title = _TITLE if has_title else 0
    left = around.left + (around.width - bounds.width) // 2
    free = around.height - bounds.height - title
    # An alert has one part of the free height above it, and two below.
    top = around.top + title + (free // 2 if kind == _CENTER else free // 3)
    return bounds.offset(left - bounds.left, top - bounds.top)
