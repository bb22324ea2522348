"""CDEF 0 of the System file: buttons and boxes, for programs that call it themselves.

A definition function of a program's own often leaves most of its work to that of the system, which
it finds by GetResource. The resource is a trap word that leads here.
Source: Inside Macintosh I, chapter "The Control Manager", "Defining Your Own Controls".
"""

from __future__ import annotations

from emu.quickdraw import PixelRegion
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.controls.definitions import ControlMessage
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.system_file.code import BUTTONS_TRAP

_ADDRESS = 0x00FFFFFF
"""The bits of the parameter of `ControlMessage.REGIONS` that are a region; the highest one asks for
that of the indicator, which buttons do not have."""


class SystemControlDefinition(Manager):
    """Does for a control what its own definition function leaves to the system's."""

    plumbing = True

    _controls: ControlList
    _regions: RegionHandles

    @routine(
        "FUNCTION ButtonDefinition (varCode: INTEGER; theControl: ControlHandle; "
        "message: INTEGER; param: LONGINT): LONGINT",
        trap=BUTTONS_TRAP,
        architecture="m68k",
    )
    def button_definition(self, variant: int, control: int, message: int, parameter: int) -> int:
        """Draw a button or box, find its part or its region; nothing for any other message."""
        look = self._controls.look(control, variant)
        if message == ControlMessage.DRAW:
            if self._controls.is_visible(control):
                self._controls.draw_as(control, look)
        elif message == ControlMessage.TEST:
            vertical, horizontal = parameter >> 16, (parameter & 0xFFFF ^ 0x8000) - 0x8000
            return look.part_at(horizontal, vertical)
        elif message in (ControlMessage.REGIONS, ControlMessage.REGION):
            self._regions.set_region(parameter & _ADDRESS, PixelRegion.from_rectangle(look.r))
        return 0
