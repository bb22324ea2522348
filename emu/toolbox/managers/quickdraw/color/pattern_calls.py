"""Color QuickDraw's routines for patterns in colour.

Source: Inside Macintosh: Imaging With QuickDraw, chapter 4.
"""

from __future__ import annotations

from collections.abc import Callable

from emu.quickdraw import GRAY
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.drawing.polygons import Polygons
from emu.toolbox.managers.quickdraw.drawing.shapes import SHAPES, QuickDrawShape
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import Procedures
from emu.toolbox.managers.quickdraw.ports.deep_pixels import table_size
from emu.toolbox.managers.quickdraw.ports.grafport import ERASE, FILL, PAINT
from emu.toolbox.managers.quickdraw.ports.inks import rgb
from emu.toolbox.managers.quickdraw.ports.pixel_patterns import BITS, PIXELS, PixelPatterns
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.records.quickdraw import CGrafPort, ColorTable, PixMap, PixPat, RGBColor

_DESKTOP = 16
"""deskPatID."""


class PatternCalls(Manager):
    """Makes patterns in colour, and draws with them."""

    _memory: MemoryManager
    _resources: ResourceManager
    _quickdraw: QuickDraw
    _procedures: Procedures
    _polygons: Polygons
    _patterns: PixelPatterns

    # -- making and choosing -----------------------------------------------------------------------

    @routine("FUNCTION NewPixPat : PixPatHandle")
    def new_pix_pat(self) -> int:
        """A pattern of pixels that has none yet; its bits are half grey."""
        return self._patterns.new(PixMap.copied().read(), b"", ColorTable.copied().read(), PIXELS)

    @routine("FUNCTION GetPixPat (patID: INTEGER): PixPatHandle")
    def get_pix_pat(self, number: int) -> int:
        """A new pattern as a 'ppat' resource or the System (16, the desktop) has it; else nil."""
        data = self._resources.data("ppat", number)
        if data is None and number == _DESKTOP:
            empty = PixMap.copied().read()
            return self._patterns.new(empty, b"", ColorTable.copied().read(), BITS, GRAY)
        if data is None or len(data) < PixPat.size:
            return 0
        record = PixPat.copied(data[: PixPat.size])
        map_ = data[record.patMap : record.patMap + PixMap.size].ljust(PixMap.size, b"\0")
        table = PixMap.pmTable.of(map_)
        colors = data[table : table + table_size(data[table:])] if table else b""
        pixels = data[record.patData : table or len(data)]
        return self._patterns.new(map_, pixels, colors, record.patType, record.pat1Data)

    @routine("PROCEDURE DisposePixPat (thePixPat: PixPatHandle)")
    def dispose_pix_pat(self, pattern: int) -> None:
        """Free a pattern and what belongs to it."""
        self._patterns.dispose(pattern)

    @routine("PROCEDURE CopyPixPat (srcPP: PixPatHandle; dstPP: PixPatHandle)")
    def copy_pix_pat(self, source: int, target: int) -> None:
        """Make a pattern like another one, with handles of its own."""
        memory, guest = self._memory, self.guest
        old, new = (PixPat(guest, memory.address(handle)) for handle in (source, target))
        new.patType, new.pat1Data, new.patXValid = old.patType, old.pat1Data, -1
        memory.set_contents(new.patData, memory.contents(old.patData))
        old_map, new_map = (PixMap(guest, memory.address(handle.patMap)) for handle in (old, new))
        table = new_map.pmTable
        memory.set_contents(table, memory.contents(old_map.pmTable))
        new_map.write(old_map.read())
        new_map.pmTable = table

    @routine("PROCEDURE MakeRGBPat (thePixPat: PixPatHandle; color: Ptr)")
    def make_rgb_pat(self, pattern: int, color: int) -> None:
        """Let a pattern stand for a colour."""
        self._patterns.set_color(pattern, rgb(self.guest.read(color, RGBColor.size)))

    @routine("PROCEDURE PixPatChanged (thePixPat: PixPatHandle)")
    def pix_pat_changed(self, pattern: int) -> None:
        """Tell QuickDraw that a program wrote into a pattern, which is seen without that too."""

    @routine("PROCEDURE PenPixPat (thePixPat: PixPatHandle)")
    def pen_pix_pat(self, pattern: int) -> None:
        """Set the pen's pattern."""
        self._quickdraw.patterns.set_pixels(self._quickdraw.port, PAINT, pattern)

    @routine("PROCEDURE BackPixPat (thePixPat: PixPatHandle)")
    def back_pix_pat(self, pattern: int) -> None:
        """Set the pattern that erasing leaves."""
        self._quickdraw.patterns.set_pixels(self._quickdraw.port, ERASE, pattern)

    # -- filling -----------------------------------------------------------------------------------

    def fill(self, shape: QuickDrawShape, *where: int) -> None:
        """Fill a shape; the pattern comes last, and is the program's to be disposed of."""
        quickdraw = self._quickdraw
        port = quickdraw.port
        before = CGrafPort(self.guest, port).fillPixPat
        quickdraw.patterns.set_pixels(port, FILL, where[-1])
        shape.drawn_by(self._procedures, self._polygons)(FILL, *where[:-1])
        if quickdraw.is_color_port(port):
            CGrafPort(self.guest, port).fillPixPat = before


def _filling(shape: QuickDrawShape) -> Callable[..., None]:
    return lambda self, *where: self.fill(shape, *where)


for _shape in SHAPES:
    _does = _shape.declared(
        "FillC",
        "; thePixPat: PixPatHandle",
        _filling(_shape),
        f"Fill {_shape.noun} with a pattern in colour.",
    )
    setattr(PatternCalls, f"FillC{_shape.name}", _does)
