"""What a new window is to be, as a call of NewWindow or a template in a resource says."""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.quickdraw.ports.inks import Rgb
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.managers.windows.frames import WindowKind
from emu.toolbox.managers.windows.open_windows import WindowList
from emu.toolbox.managers.windows.position import placed

FRONT = 0xFFFFFFFF
"""As `behind`: the window is made in front of all others."""


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

        Raises:
            GuestStopped: the resource is damaged.
        """
        bounds, definition = template.rectangle(), template.i16()
        visible, go_away, reference = template.boolean(), template.boolean(), template.u32()
        items = template.i16() if has_items else 0
        title = template.pascal_string()
        has_title = WindowKind(definition).has_title
        bounds = placed(windows, bounds, template.position(), has_title=has_title)
        return cls(bounds, title, visible, definition, behind, go_away, reference), items
