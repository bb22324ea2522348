"""Pop-up menu controls: the standard control definition function 63 of System 7.

A title, and beside it a box that shows one item of a menu; pressing it pops the menu up. The
program passes other things than limits to NewControl: as value how the title is written, as
minimum the ID of the menu, as maximum the width of the title. Then the control's setting is the
number of the chosen item.
Source: Inside Macintosh: Macintosh Toolbox Essentials, chapter 5 "Control Manager", pop-up menus.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from emu.quickdraw import Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.definitions import ControlDescription
from emu.toolbox.managers.controls.looks import INACTIVE
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.menus.choice import MenuChoice
from emu.toolbox.managers.menus.items import MenuItems
from emu.toolbox.managers.menus.looks import ITEM_HEIGHT, MARK_WIDTH
from emu.toolbox.managers.menus.manager import MenuManager
from emu.toolbox.managers.quickdraw.heart.canvas import Background
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import WHITE_BACKGROUND, Painter
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.records.fields import handle, int16
from emu.toolbox.records.record import Record
from emu.toolbox.records.windows import ControlRecord

POP_UP = 1008
FIXED_WIDTH = 1
ADD_RESOURCES = 4
"""Variations: the width stays as given; the menu gets the resources of the type in refCon."""

IN_LABEL, IN_MENU = 1, 2
_BOX_HEIGHT = ITEM_HEIGHT + 3
_ARROW: tuple[str, ...] = tuple("." * n + "#" * (11 - 2 * n) + "." * n for n in range(6))
_ARROW_ROOM = 20
_CENTERED, _RIGHT = 1, 255
_CHECK_MARK = 0x12
_ELLIPSIS = b"\xc9"
_AMONG_SUBMENUS = -1


class PopupPrivateData(Record):
    """What contrlData of such a control leads to; the fields after mID are macproof's own."""

    mHandle = handle()
    mID = int16()
    titleWidth = int16()
    titleLook = int16()


@dataclass(frozen=True, slots=True)
class PopupLook:
    """A pop-up menu control as it is to be drawn.

    Attributes:
        r: its rectangle.
        title: its title, MacRoman.
        title_width: how much of the rectangle is the title's.
        title_look: its alignment in the low byte, and its Style in the high one.
        text: the item that the box shows.
        highlight: 0, a part code, or 254 or 255 for what cannot be used.
    """

    r: Rectangle
    title: bytes
    title_width: int
    title_look: int
    text: bytes
    highlight: int

    @property
    def box(self) -> Rectangle:
        """The box that shows an item, its shadow included."""
        top = self.r.top + (self.r.height - _BOX_HEIGHT) // 2
        return Rectangle(top, self.r.left + self.title_width, top + _BOX_HEIGHT, self.r.right)

    def part_at(self, h: int, v: int) -> int:
        """The part code of a point; 0 where nothing is."""
        if self.highlight in INACTIVE or not self.r.contains(h, v):
            return 0
        return IN_MENU if h >= self.box.left else IN_LABEL

    @property
    def band(self) -> Rectangle:
        """The part of its rectangle that it uses, as high as its box."""
        return Rectangle(self.box.top, self.r.left, self.box.bottom, self.r.right)

    def draw(self, painter: Painter, background: Background = WHITE_BACKGROUND) -> None:
        """Draw it over a background; what is above and below its band stays as it is.

        Source of the latter: Apple's ROM sources of 1994, `DrawControl` in PopupCDEF.c.
        """
        painter = painter.within(self.r)
        painter.blank(self.band, background)
        box = self.box
        baseline = box.top + (box.height - 1 - painter.font.ascent - painter.font.descent) // 2
        baseline += painter.font.ascent
        self._draw_title(painter, baseline)
        painter.fill(Rectangle(box.top + 3, box.left + 3, box.bottom, box.right))
        frame = Rectangle(box.top, box.left, box.bottom - 1, box.right - 1)
        painter.erase(frame)
        painter.frame(frame)
        left = frame.left + 1 + MARK_WIDTH
        painter.text((left, baseline), self._shortened(painter, frame.right - left - _ARROW_ROOM))
        painter.picture((frame.right - _ARROW_ROOM + 4, frame.top + 6), _ARROW)
        if self.highlight in INACTIVE:
            painter.dim(self.band)

    def _draw_title(self, painter: Painter, baseline: int) -> None:
        style, alignment = self.title_look >> 8 & 0xFF, self.title_look & 0xFF
        room = self.title_width - painter.text_width(self.title, style)
        left = self.r.left + {_CENTERED: room // 2, _RIGHT: room}.get(alignment, 0)
        label = Rectangle(self.box.top, self.r.left, self.box.bottom, self.box.left)
        painter.within(label).text((left, baseline), self.title, style)
        if self.highlight == IN_LABEL:
            painter.invert(label)

    def _shortened(self, painter: Painter, room: int) -> bytes:
        text = shown = self.text
        while text and painter.text_width(shown) > room:
            text = text[:-1]
            shown = text + _ELLIPSIS
        return shown


class PopupControls(Manager):
    """Makes, draws and follows pop-up menu controls."""

    _memory: MemoryManager
    _resources: ResourceManager
    _quickdraw: QuickDraw
    _menus: MenuManager
    _menu_items: MenuItems
    _choice: MenuChoice

    @staticmethod
    def are_meant(definition: int) -> bool:
        """Whether a definition ID is that of a pop-up menu control."""
        return definition & ~15 == POP_UP

    def initialise(self, control: int, definition: int, wanted: ControlDescription) -> None:
        """Get the menu of a new control, and let its setting be the first item."""
        menu = self._menus.get_menu(wanted.minimum)
        if not menu:
            self._resources.report_missing("MENU", wanted.minimum, "a control is made without it")
        elif definition & ADD_RESOURCES:
            kind = (wanted.reference & 0xFFFFFFFF).to_bytes(4, "big").decode("mac_roman")
            self._menu_items.append_res_menu(menu, kind)
        if menu:
            self._menus.insert_menu(menu, _AMONG_SUBMENUS)
        own = self._memory.new_handle(PopupPrivateData.size, clear=True)
        data = PopupPrivateData(self.guest, self._memory.address(own))
        data.mHandle, data.mID = menu, wanted.minimum
        data.titleWidth, data.titleLook = wanted.maximum, wanted.value
        record, r = self._record(control), wanted.r
        record.contrlData = own
        record.contrlMin = record.contrlValue = 1
        record.contrlMax = len(self._menus.menu(menu).items) if menu else 1
        if menu and not definition & FIXED_WIDTH:
            right = r.left + wanted.maximum + self._menus.size(menu)[0] + _ARROW_ROOM
            self._record(control).contrlRect = Rectangle(r.top, r.left, r.bottom, right)

    def discard(self, control: int) -> None:
        """Take the menu of a control out of the menu list."""
        data = self._data(control)
        if data.mHandle:
            self._menus.delete_menu(data.mID)
        self._memory.dispose_handle(self._record(control).contrlData)

    def look(self, control: int) -> PopupLook:
        """A control as it is to be drawn."""
        record, data = self._record(control), self._data(control)
        items = self.items(control)
        value = record.contrlValue
        return PopupLook(
            r=record.contrlRect,
            title=record.contrlTitle,
            title_width=data.titleWidth,
            title_look=data.titleLook,
            text=items[value - 1] if 0 < value <= len(items) else b"",
            highlight=record.contrlHilite,
        )

    def choose(self, control: int) -> int:
        """Pop the menu of a control up and follow the mouse; the chosen item, or 0."""
        menu = self._data(control).mHandle
        if not menu:
            return 0
        value = self._mark(control)
        top_left = self._top_left(control)
        return self._choice.pop_up_menu_select(menu, top_left.v, top_left.h, value) & 0xFFFF

    def _mark(self, control: int) -> int:
        """Let a check mark stand before the chosen item of the menu; its number."""
        value, handle_ = self._record(control).contrlValue, self._data(control).mHandle
        menu = self._menus.menu(handle_)
        for number, item in enumerate(menu.items, 1):
            if not item.submenu:
                mark = _CHECK_MARK if number == value else 0
                menu = menu.with_item(number, replace(item, mark=mark))
        self._menus.put(handle_, menu)
        return value

    def _top_left(self, control: int) -> Point:
        """Where the chosen item is when the menu has popped up, global."""
        box, window = self.look(control).box, self._record(control).contrlOwner
        return self._quickdraw.to_global(window, Point(box.top + 1, box.left + 1))

    def items(self, control: int) -> tuple[bytes, ...]:
        """The texts of the items of a control's menu, MacRoman."""
        menu = self._data(control).mHandle
        return tuple(item.text for item in self._menus.menu(menu).items) if menu else ()

    def places(self, control: int, item: str) -> tuple[Point, Point] | None:
        """Where to press and where to let go to choose an item, global; None if it has none."""
        texts, wanted = self.items(control), item.encode("mac_roman", "replace")
        if wanted not in texts:
            return None
        corner, value = self._top_left(control), self._record(control).contrlValue
        press = Point(corner.v + ITEM_HEIGHT // 2, corner.h + MARK_WIDTH)
        return press, Point(press.v + (texts.index(wanted) + 1 - value) * ITEM_HEIGHT, press.h)

    def _record(self, control: int) -> ControlRecord:
        return ControlRecord(self.guest, self._memory.address(control))

    def _data(self, control: int) -> PopupPrivateData:
        return PopupPrivateData(self.guest, self._memory.address(self._record(control).contrlData))
