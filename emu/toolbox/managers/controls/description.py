"""What a control is to be like, from a call of NewControl or from a CNTL resource.

Source: Inside Macintosh: Macintosh Toolbox Essentials, chapter 5 (NewControl and
the control resource).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.resources.template import Template


@dataclass(frozen=True, slots=True)
class ControlDescription:
    """The parameters of NewControl after the window.

    Attributes:
        r: the control's rectangle, in the window's coordinates.
        title: in MacRoman.
        visible: whether the control is drawn.
        value: its setting.
        minimum: the least setting.
        maximum: the greatest setting.
        definition: its definition ID (procID).
        reference: a number of the program's (refCon).
    """

    r: Rectangle
    title: bytes
    visible: bool
    value: int
    minimum: int
    maximum: int
    definition: int
    reference: int = 0

    @classmethod
    def of_call(cls, guest: GuestAccess, r: int, title: int, *more: int) -> ControlDescription:
        """The control that a program asks for.

        Args:
            guest: the memory that holds the rectangle and the title.
            r: the rectangle's address.
            title: the title's address; 0 for an empty title.
            more: the other parameters, in the order of the attributes.
        """
        text = guest.pascal_string(title) if title else b""
        visible, value, minimum, maximum, definition, reference = more
        return cls(
            guest.rect(r), text, bool(visible), value, minimum, maximum, definition, reference
        )

    @classmethod
    def of_template(cls, template: Template) -> ControlDescription:
        """The control that a CNTL resource describes.

        Raises:
            GuestStopped: the resource is damaged.
        """
        r, value, visible = template.rectangle(), template.i16(), template.boolean()
        maximum, minimum, definition = template.i16(), template.i16(), template.i16()
        reference, title = template.u32(), template.pascal_string()
        return cls(r, title, visible, value, minimum, maximum, definition, reference)
