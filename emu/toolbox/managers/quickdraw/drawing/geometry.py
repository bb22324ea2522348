"""Points, rectangles and random numbers: what QuickDraw computes without drawing."""

from __future__ import annotations

import math

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.random_sequence import next_random
from emu.toolbox.managers.memory.copies import MemoryCopiesManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.grafport import program_globals
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles


def scaled(value: int, size: int, new_size: int) -> int:
    """A distance in a rectangle of another size, rounded to the nearest, halves away from 0."""
    if size == new_size or size <= 0:
        return value
    result = (abs(value) * new_size * 2 + size) // (2 * size)
    return result if value >= 0 else -result


def map_point(point: Point, source: Rectangle, destination: Rectangle) -> Point:
    """Where a point lies when one rectangle is laid over the other."""
    return Point(
        destination.top + scaled(point[0] - source.top, source.height, destination.height),
        destination.left + scaled(point[1] - source.left, source.width, destination.width),
    )


def map_rectangle(r: Rectangle, source: Rectangle, destination: Rectangle) -> Rectangle:
    """Where a rectangle lies when one rectangle is laid over the other."""
    top, left = map_point(Point(r.top, r.left), source, destination)
    bottom, right = map_point(Point(r.bottom, r.right), source, destination)
    return Rectangle(top, left, bottom, right)


def map_region(region: PixelRegion, source: Rectangle, destination: Rectangle) -> PixelRegion:
    """Where a region lies when one rectangle is laid over the other."""
    if source.width == destination.width and source.height == destination.height:
        return region.offset(destination.left - source.left, destination.top - source.top)
    bands: list[tuple[int, int, tuple[int, ...]]] = []
    for top, bottom, edges in region.bands:
        top, bottom = (map_point(Point(v, 0), source, destination).v for v in (top, bottom))
        columns: list[int] = []
        for h in (map_point(Point(0, h), source, destination).h for h in edges):
            # Spans that have become empty, and gaps that have closed, vanish.
            if columns and columns[-1] == h:
                columns.pop()
            else:
                columns.append(h)
        if top == bottom or not columns:
            continue
        if bands and bands[-1][1:] == (top, tuple(columns)):
            bands[-1] = (bands[-1][0], bottom, bands[-1][2])
        else:
            bands.append((top, bottom, tuple(columns)))
    return PixelRegion.from_bands(bands)


def angle_of(r: Rectangle, point: Point) -> int:
    """The direction of a point from a rectangle's middle, as PtToAngle gives it: 0 to 359.

    Degrees clockwise from straight up, in the rectangle stretched to a square.
    """
    h = (2 * point[1] - r.left - r.right) * max(r.height, 1)
    v = (2 * point[0] - r.top - r.bottom) * max(r.width, 1)
    return round(math.degrees(math.atan2(h, -v))) % 360


class Geometry(Manager):
    """QuickDraw's calculations with points and rectangles."""

    _memory: MemoryManager
    _memory_copies: MemoryCopiesManager
    _regions: RegionHandles
    _quickdraw: QuickDraw

    # -- rectangles --------------------------------------------------------------------------------

    @routine("PROCEDURE SetRect (VAR r: Rect; left,top,right,bottom: INTEGER)")
    def set_rect(self, r: int, left: int, top: int, right: int, bottom: int) -> None:
        """Store four edges."""
        self.guest.put_rect(r, top, left, bottom, right)

    @routine("PROCEDURE OffsetRect (VAR r: Rect; dh,dv: INTEGER)")
    def offset_rect(self, r: int, dh: int, dv: int) -> None:
        """Move a rectangle."""
        top, left, bottom, right = self.guest.rect(r)
        self.guest.put_rect(r, top + dv, left + dh, bottom + dv, right + dh)

    @routine("PROCEDURE InsetRect (VAR r: Rect; dh,dv: INTEGER)")
    def inset_rect(self, r: int, dh: int, dv: int) -> None:
        """Shrink or grow a rectangle; one that becomes empty becomes (0, 0, 0, 0)."""
        top, left, bottom, right = self.guest.rect(r)
        top, left, bottom, right = top + dv, left + dh, bottom - dv, right - dh
        if bottom <= top or right <= left:
            top = left = bottom = right = 0
        self.guest.put_rect(r, top, left, bottom, right)

    @routine("FUNCTION SectRect (src1,src2: Rect; VAR dstRect: Rect): BOOLEAN")
    def sect_rect(self, first: int, second: int, result: int) -> bool:
        """The pixels in both; whether there are any."""
        a, b = self.guest.rect(first), self.guest.rect(second)
        top, left = max(a[0], b[0]), max(a[1], b[1])
        bottom, right = min(a[2], b[2]), min(a[3], b[3])
        if bottom <= top or right <= left:
            self.guest.put_rect(result, 0, 0, 0, 0)
            return False
        self.guest.put_rect(result, top, left, bottom, right)
        return True

    @routine("PROCEDURE UnionRect (src1,src2: Rect; VAR dstRect: Rect)")
    def union_rect(self, first: int, second: int, result: int) -> None:
        """The smallest rectangle around both."""
        a, b = self.guest.rect(first), self.guest.rect(second)
        top, left = min(a[0], b[0]), min(a[1], b[1])
        self.guest.put_rect(result, top, left, max(a[2], b[2]), max(a[3], b[3]))

    @routine("FUNCTION PtInRect (pt: Point; r: Rect): BOOLEAN")
    def pt_in_rect(self, pt: Point, r: int) -> bool:
        """Whether the pixel below and right of a point is in a rectangle."""
        top, left, bottom, right = self.guest.rect(r)
        return top <= pt.v < bottom and left <= pt.h < right

    @routine("PROCEDURE Pt2Rect (pt1,pt2: Point; VAR dstRect: Rect)")
    def pt2_rect(self, pt1: Point, pt2: Point, result: int) -> None:
        """The rectangle with two opposite corners."""
        top, left = min(pt1.v, pt2.v), min(pt1.h, pt2.h)
        self.guest.put_rect(result, top, left, max(pt1.v, pt2.v), max(pt1.h, pt2.h))

    @routine("PROCEDURE PtToAngle (r: Rect; pt: Point; VAR angle: INTEGER)")
    def pt_to_angle(self, r: int, pt: Point, angle: int) -> None:
        """The direction of a point from a rectangle's middle."""
        self.guest.put16(angle, angle_of(self.guest.rect(r), pt))

    @routine("FUNCTION EqualRect (rect1,rect2: Rect): BOOLEAN")
    def equal_rect(self, first: int, second: int) -> bool:
        """Whether all edges are the same."""
        return self.guest.rect(first) == self.guest.rect(second)

    @routine("FUNCTION EmptyRect (r: Rect): BOOLEAN")
    def empty_rect(self, r: int) -> bool:
        """Whether it holds no pixel."""
        top, left, bottom, right = self.guest.rect(r)
        return bottom <= top or right <= left

    # -- points ------------------------------------------------------------------------------------

    @routine("PROCEDURE AddPt (srcPt: Point; VAR dstPt: Point)")
    def add_pt(self, src: Point, result: int) -> None:
        """Add to a point."""
        v, h = self.guest.point(result)
        self.guest.put_point(result, Point(v + src.v, h + src.h))

    @routine("PROCEDURE SubPt (srcPt: Point; VAR dstPt: Point)")
    def sub_pt(self, src: Point, result: int) -> None:
        """Subtract from a point."""
        v, h = self.guest.point(result)
        self.guest.put_point(result, Point(v - src.v, h - src.h))

    @routine("FUNCTION DeltaPoint (ptA,ptB: Point): LONGINT")
    def delta_point(self, point: Point, other: Point) -> int:
        """The first point less the second: the vertical difference above the horizontal one."""
        return (point.v - other.v) << 16 | (point.h - other.h) & 0xFFFF

    @routine("PROCEDURE SetPt (VAR pt: Point; h,v: INTEGER)")
    def set_pt(self, pt: int, h: int, v: int) -> None:
        """Store a point."""
        self.guest.put_point(pt, Point(v, h))

    @routine("FUNCTION EqualPt (pt1,pt2: Point): BOOLEAN")
    def equal_pt(self, pt1: Point, pt2: Point) -> bool:
        """Whether two points are one."""
        return pt1 == pt2

    @routine("PROCEDURE LocalToGlobal (VAR pt: Point)")
    def local_to_global(self, pt: int) -> None:
        """From the current port's coordinates to those of its bit map."""
        quickdraw = self._quickdraw
        self.guest.put_point(pt, quickdraw.to_global(quickdraw.port, self.guest.point(pt)))

    @routine("PROCEDURE GlobalToLocal (VAR pt: Point)")
    def global_to_local(self, pt: int) -> None:
        """From the coordinates of the current port's bit map to its own."""
        quickdraw = self._quickdraw
        self.guest.put_point(pt, quickdraw.to_local(quickdraw.port, self.guest.point(pt)))

    # -- from one rectangle to another -------------------------------------------------------------

    @routine("PROCEDURE ScalePt (VAR pt: Point; srcRect,dstRect: Rect)")
    def scale_pt(self, pt: int, src: int, dst: int) -> None:
        """Scale a width and height; neither becomes less than 1."""
        source, destination = self._pair(src, dst)
        v, h = self.guest.point(pt)
        v = max(scaled(v, source.height, destination.height), 1)
        h = max(scaled(h, source.width, destination.width), 1)
        self.guest.put_point(pt, Point(v, h))

    @routine("PROCEDURE MapPt (VAR pt: Point; srcRect,dstRect: Rect)")
    def map_pt(self, pt: int, src: int, dst: int) -> None:
        """Map a point."""
        self.guest.put_point(pt, map_point(self.guest.point(pt), *self._pair(src, dst)))

    @routine("PROCEDURE MapRect (VAR r: Rect; srcRect,dstRect: Rect)")
    def map_rect(self, r: int, src: int, dst: int) -> None:
        """Map a rectangle."""
        mapped = map_rectangle(self.guest.rect(r), *self._pair(src, dst))
        self._quickdraw.put_rectangle(r, mapped)

    @routine("PROCEDURE MapRgn (rgn: RgnHandle; srcRect,dstRect: Rect)")
    def map_rgn(self, rgn: int, src: int, dst: int) -> None:
        """Map a region."""
        region = self._regions.region(rgn)
        self._regions.set_region(rgn, map_region(region, *self._pair(src, dst)))

    @routine("PROCEDURE MapPoly (poly: PolyHandle; srcRect,dstRect: Rect)")
    def map_poly(self, poly: int, src: int, dst: int) -> None:
        """Map a polygon's points and its bounds."""
        source, destination = self._pair(src, dst)
        address = self._memory.address(poly)
        for place in range(address + 2, address + self.guest.u16(address), 4):
            mapped = map_point(self.guest.point(place), source, destination)
            self.guest.put_point(place, mapped)

    def _pair(self, src: int, dst: int) -> tuple[Rectangle, Rectangle]:
        return self.guest.rect(src), self.guest.rect(dst)

    # -- others ------------------------------------------------------------------------------------

    @routine("FUNCTION Random : INTEGER")
    def random(self) -> int:
        """The next of -32767..32767; randSeed is the state (Inside Macintosh I, p. I-194)."""
        place = self._quickdraw.globals
        if not place:
            raise self.host.misuse("no port", "Random was called before InitGraf")
        program = program_globals(self.guest, place)
        seed = next_random(program.randSeed & 0xFFFFFFFF)
        program.randSeed = seed
        low = ((seed & 0xFFFF) ^ 0x8000) - 0x8000
        return 0 if low == -32768 else low

    @routine("PROCEDURE StuffHex (thingPtr: Ptr; s: Str255)")
    def stuff_hex(self, thing: int, s: int) -> None:
        """Store bytes written in hexadecimal."""
        digits = self.guest.pascal_string(s)
        try:
            data = bytes.fromhex(digits[: len(digits) & ~1].decode("ascii"))
        except ValueError:
            self.host.report("StuffHex", f"{digits.decode('mac_roman')!r} is not hexadecimal")
            return
        self.guest.write(thing, data)
        self._memory_copies.check_target(thing, len(data))
