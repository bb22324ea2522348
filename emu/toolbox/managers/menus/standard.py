"""The standard menu definition procedure, 'MDEF' 0 of the System file, for programs that call it.

The Menu Manager draws standard menus itself. But a program finds the procedure's handle in every
standard menu, and some call it: a pop-up control of the program's own that measures its menu, say.
The resource holds one trap word that no Macintosh has, which leads here.
Source: Inside Macintosh I, chapter "The Menu Manager", "Defining your own menus".
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.menus.definitions import MenuMessage
from emu.toolbox.managers.menus.looks import ITEM_HEIGHT, OpenMenu, menu_size
from emu.toolbox.managers.menus.manager import MenuManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.records.windows import MenuInfo
from emu.toolbox.system_file.code import STANDARD_MENU_TRAP


class StandardMenus(Manager):
    """Does what a program asks of the standard menu definition procedure."""

    _memory: MemoryManager
    _menus: MenuManager
    _quickdraw: QuickDraw

    @routine(
        "PROCEDURE StandardMenuDefinition (message: INTEGER; theMenu: MenuHandle; "
        "VAR menuRect: Rect; hitPt: Point; VAR whichItem: INTEGER)",
        trap=STANDARD_MENU_TRAP,
        architecture="m68k",
    )
    def standard_menu_definition(
        self, message: int, menu: int, r: int, place: Point, item: int
    ) -> None:
        """Draw a menu in the current port, choose from it or measure it: MDEF 0."""
        if message == MenuMessage.DRAW:
            self._opened(menu, r).draw_items(self._painter())
        elif message == MenuMessage.CHOOSE:
            self._choose(self._opened(menu, r), place, item)
        elif message == MenuMessage.MEASURE:
            width, height = self._size(menu)
            record = MenuInfo(self.guest, self._memory.address(menu))
            record.menuWidth, record.menuHeight = width, height
        elif message == MenuMessage.POP_UP:
            width, height = self._size(menu)
            top = place.h - ITEM_HEIGHT * (max(self.guest.i16(item), 1) - 1)
            left = place.v  # this message has the two the other way round
            self.guest.put_rect(r, *Rectangle(top, left, top + height, left + width))
            self.guest.put16(item, top)

    def _painter(self) -> Painter:
        return Painter.in_port(self._quickdraw, self._quickdraw.port)

    def _opened(self, menu: int, r: int) -> OpenMenu:
        return OpenMenu(self._menus.menu(menu), self.guest.rect(r))

    def _size(self, menu: int) -> tuple[int, int]:
        return menu_size(self._quickdraw.book.font(0, 12), self._menus.menu(menu))

    def _choose(self, opened: OpenMenu, place: Point, which: int) -> None:
        """Highlight the item at a point instead of another one."""
        before, now = self.guest.i16(which), opened.item_at(place.h, place.v)
        if now > len(opened.menu.items) or (now and not opened.menu.is_enabled(now)):
            now = 0
        for changed in (before, now):
            if changed and before != now:
                self._painter().invert(opened.item_rectangle(changed))
        self.guest.put16(which, now)
