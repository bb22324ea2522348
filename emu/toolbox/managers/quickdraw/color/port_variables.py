"""What a colour port keeps beside its record: the colours of highlighting and of arithmetic modes.

Sources: Inside Macintosh V, chapter "Color QuickDraw" (GrafVars, HiliteColor, OpColor).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.records.kinds import NestedRecord
from emu.toolbox.records.quickdraw import CGrafPort, GrafVars, RGBColor


class PortVariables(Manager):
    """The colours in the GrafVars record of the current port."""

    title = "Color QuickDraw"

    _memory: MemoryManager
    _quickdraw: QuickDraw

    def store(self, field: NestedRecord[RGBColor], color: bytes) -> None:
        """Keep a colour for the current port; a port without colours has no place for it."""
        port = self._quickdraw.port
        if not self._quickdraw.is_color_port(port):
            return
        record = CGrafPort(self.guest, port)
        if not record.grafVars:
            record.grafVars = self._memory.new_handle(GrafVars.size, clear=True)
        if self._memory.handle_size(record.grafVars) >= GrafVars.size:
            place = self._memory.address(record.grafVars) + field.offset
            self.guest.write(place, color)

    @routine("PROCEDURE HiliteColor (color: Ptr)")
    def hilite_color(self, color: int) -> None:
        """Set the colour that highlighting puts in place of the background."""
        self.store(GrafVars.rgbHiliteColor, self.guest.read(color, RGBColor.size))

    @routine("PROCEDURE OpColor (color: Ptr)")
    def op_color(self, color: int) -> None:
        """Set the weights of the mode blend, and where the modes addPin and subPin stop."""
        self.store(GrafVars.rgbOpColor, self.guest.read(color, RGBColor.size))
