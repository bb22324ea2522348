"""Descriptions of new controls, and control definition functions of the program's own.

A control is described by a call of NewControl or by a CNTL resource. A definition function is a
'CDEF' resource, executed as guest code.
Sources: Inside Macintosh I, p. I-328 to I-332 (messages, parameters and results); Inside Macintosh:
Macintosh Toolbox Essentials, chapter 5 (NewControl and the control resource).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from emu.quickdraw import Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.resources.code import DefinitionFunctions
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.records.windows import ControlRecord

_HEADING = (
    "FUNCTION CDEF (varCode: INTEGER; theControl: Handle; message: INTEGER; "
    "param: LONGINT): LONGINT"
)
_VARIANT = 15
"""The bits of a definition ID that are the variation code; the rest is the resource's ID."""


class ControlMessage(IntEnum):
    """What a control definition function is asked to do."""

    DRAW = 0
    TEST = 1
    REGIONS = 2
    INITIALISE = 3
    DISPOSE = 4
    MOVE_INDICATOR = 5
    TRACK = 8
    REGION = 10


class ControlDefinitions(Manager):
    """Calls control definition functions."""

    _memory: MemoryManager
    _code: DefinitionFunctions
    _quickdraw: QuickDraw

    def find(self, definition: int) -> int:
        """The handle of the program's own function for a definition ID; 0 if it has none."""
        return self._code.find("CDEF", definition >> 4)

    def call(
        self, control: int, definition: int, message: ControlMessage, parameter: int = 0
    ) -> int:
        """Ask a control's own function to do something, in the port of its window; its result.

        Raises:
            GuestStopped: it cannot be called, for instance because it was disposed of.
        """
        record = ControlRecord(self.guest, self._memory.address(control))
        code, variant = record.contrlDefProc, definition & _VARIANT
        with self._quickdraw.drawing_in(record.contrlOwner):
            result = self._code.call(code, _HEADING, variant, control, int(message), parameter)
        return int(result)

    def part_at(self, control: int, definition: int, place: Point) -> int:
        """The part code of a point, local to the control's window."""
        point = (place.v & 0xFFFF) << 16 | place.h & 0xFFFF
        return self.call(control, definition, ControlMessage.TEST, point) & 0xFFFF


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
            r=guest.rect(r),
            title=text,
            visible=bool(visible),
            value=value,
            minimum=minimum,
            maximum=maximum,
            definition=definition,
            reference=reference,
        )

    @classmethod
    def of_template(cls, template: Template) -> ControlDescription:
        """The control that a CNTL resource describes."""
        r, value, visible = template.rectangle(), template.i16(), template.boolean()
        maximum, minimum, definition = template.i16(), template.i16(), template.i16()
        reference, title = template.u32(), template.pascal_string()
        return cls(
            r=r,
            title=title,
            visible=visible,
            value=value,
            minimum=minimum,
            maximum=maximum,
            definition=definition,
            reference=reference,
        )
