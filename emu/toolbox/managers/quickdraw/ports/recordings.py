"""What is being recorded in each port: a region's outline, a polygon, a picture.

The fields rgnSave, polySave and picSave of a port say whether anything is; programs look at them,
and what they lead to is QuickDraw's own affair.
"""

from __future__ import annotations

from emu.quickdraw import EMPTY, PixelRegion, polygon
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.ports.recorder import PictureRecorder
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.quickdraw import GrafPort, Polygon

_MOST_POINTS = (32767 - Polygon.size) // Polygon.polyPoints.element.size
"""The most points of a polygon, whose record has at most 32,767 bytes, ten of them a header."""


class Outline:
    """What has been drawn into a region being recorded."""

    def __init__(self) -> None:
        self.shapes = EMPTY
        self.paths: list[list[tuple[int, int]]] = []

    def add_line(self, start: Point, end: Point) -> None:
        """Go on with the path that ends where a line begins, or begin another one."""
        first, last = (start.h, start.v), (end.h, end.v)
        if self.paths and self.paths[-1][-1] == first:
            self.paths[-1].append(last)
        else:
            self.paths.append([first, last])

    def region(self) -> PixelRegion:
        """The pixels inside."""
        result = self.shapes
        for path in self.paths:
            result = result.xor(polygon(path))
        return result


class Recordings(Manager):
    """Notes what is drawn for the region, the polygon and the picture that a port has open.

    Attributes:
        outlines: of the region being recorded in a port.
        polygons: the points of the polygon being recorded in a port.
        pictures: the picture being recorded in a port.
    """

    title = "QuickDraw"

    _regions: RegionHandles

    def __post_init__(self) -> None:
        self.outlines: dict[int, Outline] = {}
        self.polygons: dict[int, list[Point]] = {}
        self.pictures: dict[int, PictureRecorder] = {}

    def region_line(self, port: int, start: Point, end: Point) -> None:
        """A line belongs to the region being recorded."""
        if port in self.outlines:
            self.outlines[port].add_line(start, end)

    def region_shape(self, port: int, shape: PixelRegion) -> None:
        """A framed shape belongs to the region being recorded."""
        outline = self.outlines.get(port)
        if outline is not None:
            outline.shapes = outline.shapes.xor(shape)

    def polygon_line(self, port: int, start: Point, end: Point) -> None:
        """A line belongs to the polygon being recorded."""
        points = self.polygons.get(port)
        if points is None:
            return
        if not points:
            points.append(start)
        points.append(end)
        if len(points) > _MOST_POINTS:
            raise self.host.stopped("a polygon has more points than its 32 KB hold")

    def picture(self, port: int) -> PictureRecorder:
        """The picture being recorded in a port, with the port's clip region noted."""
        recorder = self.pictures.get(port)
        if recorder is None:
            raise self.host.stopped(
                f"the field picSave of the port 0x{port:x} is not nil, but no picture is open"
            )
        clip = self._regions.region(GrafPort(self.guest, port).clipRgn)
        recorder.see_clip(clip.encode())
        return recorder
