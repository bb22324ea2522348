"""The Icon Utilities of System 7: icons drawn by their families' numbers, and icon suites.

A suite is a block of the handles of its icons, in the order of `TYPES`, and its label. The icon
caches and the getter procedures of a program's own are not there.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 5 "Icon Utilities".
"""

from __future__ import annotations

from collections.abc import Mapping

from emu.quickdraw import PixelRegion
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.icons.color_icons import ColorIcons
from emu.toolbox.managers.icons.images import LABEL_COLORS, TYPES, IconImage, aligned, image_for
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.records.quickdraw import RGBColor
from emu.toolbox.records.results import ResultCode

_LABEL_PLACE = 4 * len(TYPES)
_LABEL_NAMES = (
    b"Essential",
    b"Hot",
    b"In Progress",
    b"Cool",
    b"Personal",
    b"Project 1",
    b"Project 2",
)
_EACH_ICON = "FUNCTION Action (theType: ResType; VAR theIcon: Handle; yourDataPtr: Ptr): OSErr"


class IconUtilities(Manager):
    """Icons of families, of suites, and single ones."""

    _memory: MemoryManager
    _resources: ResourceManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _color_icons: ColorIcons

    # -- drawing -----------------------------------------------------------------------------------

    @routine(
        "FUNCTION PlotIconID (theRect: Rect; align: INTEGER; transform: INTEGER; "
        "theResID: INTEGER): OSErr"
    )
    def plot_icon_id(self, r: int, align: int, transform: int, number: int) -> int:
        """Draw the icon of a family that fits the rectangle and the screen best."""
        return self._plot(self._best(self._family(number), r), r, align, transform)

    @routine(
        "FUNCTION PlotIconSuite (theRect: Rect; align: INTEGER; transform: INTEGER; "
        "theIconSuite: Handle): OSErr"
    )
    def plot_icon_suite(self, r: int, align: int, transform: int, suite: int) -> int:
        """Draw the icon of a suite that fits best, with the suite's label."""
        if not transform & 0xF00:
            transform |= self.get_suite_label(suite) << 8
        return self._plot(self._best(self._icons(suite), r), r, align, transform)

    @routine(
        "FUNCTION PlotIconHandle (theRect: Rect; align: INTEGER; transform: INTEGER; "
        "theIcon: Handle): OSErr"
    )
    def plot_icon_handle(self, r: int, align: int, transform: int, icon: int) -> int:
        """Draw an icon of 32 by 32 bits; its mask follows, or else all of it is drawn."""
        image = IconImage.of_bits(self._memory.contents(icon), 32, 32) if icon else None
        return self._plot(image, r, align, transform)

    @routine(
        "FUNCTION PlotSICNHandle (theRect: Rect; align: INTEGER; transform: INTEGER; "
        "theSICN: Handle): OSErr"
    )
    def plot_sicn_handle(self, r: int, align: int, transform: int, icon: int) -> int:
        """Draw the first small icon of a list; a second one is its mask, if there are two."""
        data = self._memory.contents(icon) if icon else b""
        image = IconImage.of_bits(data if len(data) == 64 else data[:32], 16, 16)
        return self._plot(image if icon else None, r, align, transform)

    @routine(
        "FUNCTION PlotCIconHandle (theRect: Rect; align: INTEGER; transform: INTEGER; "
        "theCIcon: CIconHandle): OSErr"
    )
    def plot_c_icon_handle(self, r: int, align: int, transform: int, icon: int) -> int:
        """Draw a colour icon."""
        return self._plot(self._color_icons.image(icon) if icon else None, r, align, transform)

    def _plot(self, image: IconImage | None, r: int, align: int, transform: int) -> int:
        if image is None:
            return ResultCode.noMaskFoundErr
        quickdraw = self._quickdraw
        depth = quickdraw.canvas(quickdraw.port).bitmap.depth
        shown = image.transformed(transform, depth)
        shown.plot(quickdraw, aligned(image, quickdraw.rectangle(r), align))
        return 0

    def _best(self, icons: Mapping[str, bytes], r: int) -> IconImage | None:
        quickdraw = self._quickdraw
        # Where an icon is asked for and not drawn there need not be a port.
        depth = quickdraw.screen.depth
        return image_for(icons, quickdraw.rectangle(r), depth)

    def _family(self, number: int) -> dict[str, bytes]:
        """The data of the icons of a family, by type."""
        data_of = {kind: self._resources.data(kind, number) for kind in TYPES}
        return {kind: data for kind, data in data_of.items() if data is not None}

    # -- where an icon is --------------------------------------------------------------------------

    def _region(self, icons: Mapping[str, bytes], r: int, align: int) -> PixelRegion | None:
        image = self._best(icons, r)
        if image is None:
            return None
        return image.region(aligned(image, self._quickdraw.rectangle(r), align))

    @routine(
        "FUNCTION PtInIconID (testPt: Point; theRect: Rect; align: INTEGER; iconID: INTEGER): "
        "BOOLEAN"
    )
    def pt_in_icon_id(self, point: Point, r: int, align: int, number: int) -> bool:
        """Whether a point is in the mask of a family's icon."""
        region = self._region(self._family(number), r, align)
        return region is not None and region.contains(point.h, point.v)

    @routine(
        "FUNCTION PtInIconSuite (testPt: Point; theRect: Rect; align: INTEGER; "
        "theIconSuite: Handle): BOOLEAN"
    )
    def pt_in_icon_suite(self, point: Point, r: int, align: int, suite: int) -> bool:
        """Whether a point is in the mask of a suite's icon."""
        region = self._region(self._icons(suite), r, align)
        return region is not None and region.contains(point.h, point.v)

    @routine(
        "FUNCTION RectInIconID (testRect: Rect; iconRect: Rect; align: INTEGER; iconID: INTEGER): "
        "BOOLEAN"
    )
    def rect_in_icon_id(self, test: int, r: int, align: int, number: int) -> bool:
        """Whether a rectangle touches the mask of a family's icon."""
        return self._touches(self._region(self._family(number), r, align), test)

    @routine(
        "FUNCTION RectInIconSuite (testRect: Rect; iconRect: Rect; align: INTEGER; "
        "theIconSuite: Handle): BOOLEAN"
    )
    def rect_in_icon_suite(self, test: int, r: int, align: int, suite: int) -> bool:
        """Whether a rectangle touches the mask of a suite's icon."""
        return self._touches(self._region(self._icons(suite), r, align), test)

    def _touches(self, region: PixelRegion | None, test: int) -> bool:
        rectangle = PixelRegion.from_rectangle(self._quickdraw.rectangle(test))
        return region is not None and not region.intersect(rectangle).empty

    @routine(
        "FUNCTION IconIDToRgn (theRgn: RgnHandle; iconRect: Rect; align: INTEGER; "
        "iconID: INTEGER): OSErr"
    )
    def icon_id_to_rgn(self, target: int, r: int, align: int, number: int) -> int:
        """Make a region of the mask of a family's icon."""
        return self._to_region(target, self._region(self._family(number), r, align))

    @routine(
        "FUNCTION IconSuiteToRgn (theRgn: RgnHandle; iconRect: Rect; align: INTEGER; "
        "theIconSuite: Handle): OSErr"
    )
    def icon_suite_to_rgn(self, target: int, r: int, align: int, suite: int) -> int:
        """Make a region of the mask of a suite's icon."""
        return self._to_region(target, self._region(self._icons(suite), r, align))

    def _to_region(self, target: int, region: PixelRegion | None) -> int:
        if region is None:
            return ResultCode.noMaskFoundErr
        self._regions.set_region(target, region)
        return 0

    # -- suites ------------------------------------------------------------------------------------

    @routine("FUNCTION NewIconSuite (VAR theIconSuite: Handle): OSErr")
    def new_icon_suite(self, result: int) -> int:
        """Make an empty suite."""
        self.guest.put32(result, self._memory.new_handle(_LABEL_PLACE + 2, True))
        return self._memory.last_error

    @routine(
        "FUNCTION GetIconSuite (VAR theIconSuite: Handle; theResID: INTEGER; "
        "selector: LONGINT): OSErr"
    )
    def get_icon_suite(self, result: int, number: int, selector: int) -> int:
        """Make a suite of the icons of a family that the selector's bits name."""
        error = self.new_icon_suite(result)
        suite = self.guest.u32(result)
        for place, kind in enumerate(TYPES):
            if not error and selector >> place // 3 * 8 + place % 3 & 1:
                handle = self._resources.get(kind, number)
                self.guest.put32(self._memory.address(suite) + 4 * place, handle)
        return error

    def _handles(self, suite: int) -> dict[str, int]:
        """The handles of a suite's icons, by type; there may be nil among them."""
        address = self._memory.address(suite)
        return {kind: self.guest.u32(address + 4 * place) for place, kind in enumerate(TYPES)}

    def _icons(self, suite: int) -> dict[str, bytes]:
        handles = self._handles(suite)
        return {kind: self._memory.contents(handle) for kind, handle in handles.items() if handle}

    @routine(
        "FUNCTION AddIconToSuite (theIconData: Handle; theSuite: Handle; theType: ResType): OSErr"
    )
    def add_icon_to_suite(self, icon: int, suite: int, kind: str) -> int:
        """Put an icon into a suite."""
        if kind not in TYPES:
            return ResultCode.paramErr
        self.guest.put32(self._memory.address(suite) + 4 * TYPES.index(kind), icon)
        return 0

    @routine(
        "FUNCTION GetIconFromSuite (VAR theIconData: Handle; theSuite: Handle; "
        "theType: ResType): OSErr"
    )
    def get_icon_from_suite(self, result: int, suite: int, kind: str) -> int:
        """The handle of an icon of a suite."""
        icon = self._handles(suite).get(kind, 0)
        self.guest.put32(result, icon)
        return 0 if icon else ResultCode.paramErr

    @routine(
        "FUNCTION ForEachIconDo (theSuite: Handle; selector: LONGINT; action: ProcPtr; "
        "yourDataPtr: Ptr): OSErr"
    )
    def for_each_icon_do(self, suite: int, selector: int, action: int, data: int) -> int:
        """Call a procedure of the program for each icon of a suite, until it gives an error."""
        variable = self._memory.new_pointer(4)
        error = 0
        for place, (kind, icon) in enumerate(self._handles(suite).items()):
            if error == 0 and selector >> place // 3 * 8 + place % 3 & 1:
                self.guest.put32(variable, icon)
                error = self.host.call_guest(action, _EACH_ICON, kind, variable, data)
                address = self._memory.address(suite) + 4 * place
                self.guest.put32(address, self.guest.u32(variable))
        self._memory.dispose_pointer(variable)
        return error

    @routine("FUNCTION DisposeIconSuite (theIconSuite: Handle; disposeData: BOOLEAN): OSErr")
    def dispose_icon_suite(self, suite: int, data: bool) -> int:
        """Free a suite, and if asked those of its icons that are no resources."""
        for icon in self._handles(suite).values() if data else ():
            if icon and self._resources.entry_of(icon) is None:
                self._memory.dispose_handle(icon)
        self._memory.dispose_handle(suite)
        return 0

    # -- labels ------------------------------------------------------------------------------------

    @routine("FUNCTION GetSuiteLabel (theSuite: Handle): INTEGER")
    def get_suite_label(self, suite: int) -> int:
        """The number of a suite's label; 0 for none."""
        return self.guest.u16(self._memory.address(suite) + _LABEL_PLACE)

    @routine("FUNCTION SetSuiteLabel (theSuite: Handle; theLabel: INTEGER): OSErr")
    def set_suite_label(self, suite: int, label: int) -> int:
        """Give a suite a label."""
        if not 0 <= label <= len(LABEL_COLORS):
            return ResultCode.paramErr
        self.guest.put16(self._memory.address(suite) + _LABEL_PLACE, label)
        return 0

    @routine(
        "FUNCTION GetLabel (labelNumber: INTEGER; VAR labelColor: RGBColor; "
        "VAR labelString: Str255): OSErr"
    )
    def get_label(self, number: int, color: int, name: int) -> int:
        """The colour and the name of a label, 1 to 7."""
        if not 1 <= number <= len(LABEL_COLORS):
            return ResultCode.paramErr
        record = RGBColor(self.guest, color)
        record.red, record.green, record.blue = LABEL_COLORS[number - 1]
        self.guest.put_pascal_string(name, _LABEL_NAMES[number - 1])
        return 0
