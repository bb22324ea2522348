"""What ports and low memory say of the arithmetic transfer modes and of highlighting.

Sources: Inside Macintosh V, chapter "Color QuickDraw" (GrafVars, HiliteMode, HiliteRGB).
"""

from __future__ import annotations

from emu.quickdraw import ArithmeticTerms
from emu.quickdraw.arithmetic import NO_TERMS
from emu.quickdraw.transfer import BLEND
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.inks import BLACK, rgb, terms_of
from emu.toolbox.records.quickdraw import CGrafPort, GrafVars, RGBColor

_NOT_HIGHLIGHTING = 0x80
"""The bit of HiliteMode that programs clear so that the next inverting highlights."""


class TransferTerms(Manager):
    """The colours of transfer modes, for QuickDraw's other parts."""

    title = "Color QuickDraw"

    _memory: MemoryManager

    def start(self) -> None:
        """Inverting inverts, until a program asks for something else."""
        self.guest.put8(LowMemory.HIGHLIGHT_MODE, 0xFF)

    def of(self, record: bytes, mode: int) -> ArithmeticTerms:
        """What a port, given by its bytes, adds to a transfer mode, if it is an arithmetic one."""
        if mode < BLEND:
            return NO_TERMS
        if at.is_color_port(record):
            handle = CGrafPort.grafVars.of(record)
            if self._memory.is_handle(handle) and self._memory.handle_size(handle) >= GrafVars.size:
                extra = GrafVars(self.guest, self._memory.address(handle))
                return terms_of(rgb(extra.rgbOpColor.read()), rgb(extra.rgbHiliteColor.read()))
        return terms_of(BLACK, rgb(self.guest.read(LowMemory.HIGHLIGHT_COLOR, RGBColor.size)))

    def highlight_next(self) -> None:
        """Let the next inverting highlight, as a program or a picture asks for it."""
        flags = self.guest.u8(LowMemory.HIGHLIGHT_MODE)
        self.guest.put8(LowMemory.HIGHLIGHT_MODE, flags & ~_NOT_HIGHLIGHTING)

    def takes_highlighting(self) -> bool:
        """Whether the program asked to highlight instead of inverting; that counts once."""
        flags = self.guest.u8(LowMemory.HIGHLIGHT_MODE)
        if flags & _NOT_HIGHLIGHTING:
            return False
        self.guest.put8(LowMemory.HIGHLIGHT_MODE, flags | _NOT_HIGHLIGHTING)
        return True
