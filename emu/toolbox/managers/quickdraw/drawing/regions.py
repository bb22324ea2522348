"""Regions: making, changing and comparing them."""

from __future__ import annotations

from emu.quickdraw import EMPTY, PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.drawing.pen import Pen
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.managers.quickdraw.ports.recorder import Outline, Recordings
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.results import ResultCode


class Regions(Manager):
    """QuickDraw's routines for regions."""

    _memory: MemoryManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _bit_maps: BitMaps
    _pen: Pen
    _recordings: Recordings

    # -- making ------------------------------------------------------------------------------------

    @routine("FUNCTION NewRgn : RgnHandle")
    def new_rgn(self) -> int:
        """A new handle with an empty region; nil if memory is full."""
        return self._regions.new_region(EMPTY)

    @routine("PROCEDURE DisposeRgn (rgn: RgnHandle)")
    def dispose_rgn(self, rgn: int) -> None:
        """Dispose of a region."""
        self._memory.dispose_handle(rgn)

    @routine("PROCEDURE CopyRgn (srcRgn,dstRgn: RgnHandle)")
    def copy_rgn(self, source: int, result: int) -> None:
        """Make one region like another."""
        self._set(result, self._region(source))

    @routine("PROCEDURE SetEmptyRgn (rgn: RgnHandle)")
    def set_empty_rgn(self, rgn: int) -> None:
        """Make a region empty."""
        self._set(rgn, EMPTY)

    @routine("PROCEDURE SetRectRgn (rgn: RgnHandle; left,top,right,bottom: INTEGER)")
    def set_rect_rgn(self, rgn: int, left: int, top: int, right: int, bottom: int) -> None:
        """Make a region a rectangle."""
        self._set(rgn, PixelRegion.from_rectangle(Rectangle(top, left, bottom, right)))

    @routine("PROCEDURE RectRgn (rgn: RgnHandle; r: Rect)")
    def rect_rgn(self, rgn: int, r: int) -> None:
        """Make a region a rectangle."""
        self._set(rgn, PixelRegion.from_rectangle(self._quickdraw.rectangle(r)))

    @routine("PROCEDURE OpenRgn")
    def open_rgn(self) -> None:
        """Begin to collect lines and framed shapes as the outline of a region."""
        port = self._quickdraw.port
        record = GrafPort(self.guest, port)
        if record.rgnSave:
            self.host.report("open region", "OpenRgn was called while a region was open")
        else:
            # Programs only look whether it is nil; what it leads to is QuickDraw's own affair.
            saved = self._regions.new_region(EMPTY)
            record.rgnSave = saved
            self._pen.change_visibility(-1)
        self._recordings.outlines[port] = Outline()

    @routine("PROCEDURE CloseRgn (dstRgn: RgnHandle)")
    def close_rgn(self, rgn: int) -> None:
        """Stop collecting; the region is what lies inside the outline."""
        port = self._quickdraw.port
        outline = self._recordings.outlines.pop(port, None)
        if outline is None:
            self.host.report(
                "open region",
                "CloseRgn was called while no region was open, and does nothing",
                Sureness.UNUSUAL,
            )
            return
        record = GrafPort(self.guest, port)
        self._memory.dispose_handle(record.rgnSave)
        record.rgnSave = 0
        self._pen.change_visibility(1)
        self._set(rgn, outline.region())

    @routine("FUNCTION BitMapToRegion (region: RgnHandle; bMap: BitMap): OSErr")
    def bit_map_to_region(self, rgn: int, bit_map: int) -> int:
        """Make a region of a bit map's black pixels."""
        pixels = self._bit_maps.at(bit_map)
        region = PixelRegion.from_mask(pixels.bounds, pixels.pixels(pixels.bounds) != 0)
        if len(region.encode()) > 32767:
            return ResultCode.rgnTooBigErr
        self._set(rgn, region)
        return 0

    # -- changing ----------------------------------------------------------------------------------

    @routine("PROCEDURE OffsetRgn (rgn: RgnHandle; dh,dv: INTEGER)")
    def offset_rgn(self, rgn: int, dh: int, dv: int) -> None:
        """Move a region."""
        self._set(rgn, self._region(rgn).offset(dh, dv))

    @routine("PROCEDURE InsetRgn (rgn: RgnHandle; dh,dv: INTEGER)")
    def inset_rgn(self, rgn: int, dh: int, dv: int) -> None:
        """Shrink or grow a region."""
        self._set(rgn, self._region(rgn).inset(dh, dv))

    @routine("PROCEDURE SectRgn (srcRgnA,srcRgnB,dstRgn: RgnHandle)")
    def sect_rgn(self, first: int, second: int, result: int) -> None:
        """The pixels in both."""
        self._set(result, self._region(first).intersect(self._region(second)))

    @routine("PROCEDURE UnionRgn (srcRgnA,srcRgnB,dstRgn: RgnHandle)")
    def union_rgn(self, first: int, second: int, result: int) -> None:
        """The pixels in either."""
        self._set(result, self._region(first).union(self._region(second)))

    @routine("PROCEDURE DiffRgn (srcRgnA,srcRgnB,dstRgn: RgnHandle)")
    def diff_rgn(self, first: int, second: int, result: int) -> None:
        """The pixels in the first and not in the second."""
        self._set(result, self._region(first).difference(self._region(second)))

    @routine("PROCEDURE XorRgn (srcRgnA,srcRgnB,dstRgn: RgnHandle)")
    def xor_rgn(self, first: int, second: int, result: int) -> None:
        """The pixels in one and not in both."""
        self._set(result, self._region(first).xor(self._region(second)))

    # -- asking ------------------------------------------------------------------------------------

    @routine("FUNCTION PtInRgn (pt: Point; rgn: RgnHandle): BOOLEAN")
    def pt_in_rgn(self, pt: Point, rgn: int) -> bool:
        """Whether the pixel below and right of a point is in a region."""
        return self._region(rgn).contains(pt.h, pt.v)

    @routine("FUNCTION RectInRgn (r: Rect; rgn: RgnHandle): BOOLEAN")
    def rect_in_rgn(self, r: int, rgn: int) -> bool:
        """Whether a region holds any pixel of a rectangle."""
        rectangle = PixelRegion.from_rectangle(self._quickdraw.rectangle(r))
        return not self._region(rgn).intersect(rectangle).empty

    @routine("FUNCTION EqualRgn (rgnA,rgnB: RgnHandle): BOOLEAN")
    def equal_rgn(self, first: int, second: int) -> bool:
        """Whether two regions hold the same pixels."""
        return self._region(first) == self._region(second)

    @routine("FUNCTION EmptyRgn (rgn: RgnHandle): BOOLEAN")
    def empty_rgn(self, rgn: int) -> bool:
        """Whether a region holds no pixel."""
        return self._region(rgn).empty

    def _region(self, handle: int) -> PixelRegion:
        return self._regions.region(handle)

    def _set(self, handle: int, region: PixelRegion) -> None:
        self._regions.set_region(handle, region)
