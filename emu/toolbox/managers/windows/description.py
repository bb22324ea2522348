"""What a new window is to be: a call of NewWindow or the template in a resource says it.

A resource may leave the place of its window to the system. A window's colour table ('wctb') has the
colours of its parts.
Source: Inside Macintosh: Macintosh Toolbox Essentials, p. 4-125 (window positions).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.quickdraw.ports.inks import Rgb, rgb
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.managers.windows.frames import WindowKind
from emu.toolbox.managers.windows.open_windows import WindowList
from emu.toolbox.managers.windows.record import global_rectangle
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable

FRONT = 0xFFFFFFFF
"""As `behind`: the window is made in front of all others."""
_CONTENT = 0
"""wContentColor."""
_KIND = 0x3800
_CENTER, _ALERT = 0x2800, 0x3000
_WHERE = 0xC000
_PARENT_WINDOW = 0x8000
_TITLE = 19


@dataclass(frozen=True, slots=True)
class WindowDescription:
    """The parameters of NewWindow after the address of the record.

    Attributes:
        bounds: the window's content, in global coordinates.
        title: in MacRoman.
        visible: whether the window is shown at once.
        definition: its definition ID (procID).
        behind: the window in front of it; 0 for the back, `FRONT` for the front.
        go_away: whether it has a close box.
        reference: a number of the program's (refCon).
        content: the colour of its content, if its port is one in colour; else None.
    """

    bounds: Rectangle
    title: bytes
    visible: bool
    definition: int
    behind: int
    go_away: bool
    reference: int
    content: Rgb | None = None

    @classmethod
    def of_call(cls, guest: GuestAccess, bounds: int, title: int, *more: int) -> WindowDescription:
        """The window that a program asks for.

        Args:
            guest: the memory that holds the rectangle and the title.
            bounds: the rectangle's address.
            title: the title's address; 0 for an empty title.
            more: the other parameters, in the order of the attributes.
        """
        name = guest.pascal_string(title) if title else b""
        visible, definition, behind, go_away, reference = more
        where = guest.rect(bounds)
        return cls(where, name, bool(visible), definition, behind, bool(go_away), reference)

    @classmethod
    def of_template(
        cls, windows: WindowList, template: Template, behind: int, *, has_items: bool = False
    ) -> tuple[WindowDescription, int]:
        """The window that a WIND or DLOG resource describes, moved to where the resource wants it.

        Args:
            windows: those on the screen where the window is placed.
            template: the resource's data.
            behind: as in the attributes.
            has_items: whether the ID of an item list is in front of the title, as in a DLOG.

        Returns:
            The description, and the ID of the item list (0 without one).
        """
        bounds, definition = template.rectangle(), template.i16()
        visible, go_away, reference = template.boolean(), template.boolean(), template.u32()
        items = template.i16() if has_items else 0
        title = template.pascal_string()
        has_title = WindowKind(definition).has_title
        bounds = placed(windows, bounds, template.position(), has_title=has_title)
        return cls(bounds, title, visible, definition, behind, go_away, reference), items


def content_of(table: bytes) -> Rgb | None:
    """The colour of a window's content; None if the table has none for it.

    Args:
        table: the bytes of the window's colour table; each entry's value is the number of a part.
    """
    for place in range(ColorTable.size, len(table) - ColorSpec.size + 1, ColorSpec.size):
        entry = table[place : place + ColorSpec.size]
        if ColorSpec.value.of(entry) == _CONTENT:
            return rgb(entry[ColorSpec.rgb.offset :])
    return None


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
