"""The Menu Manager: choosing from menus, with the mouse and with keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw import Rectangle
from emu.quickdraw.fonts import Font
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.menus.definitions import MenuDefinitions
from emu.toolbox.managers.menus.looks import (
    ITEM_HEIGHT,
    OpenMenu,
    beside,
    menu_size,
    title_rectangle,
)
from emu.toolbox.managers.menus.manager import MenuManager
from emu.toolbox.managers.menus.record import Menu
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter

_DISABLED_CHOICE = 0xB54
"""The low-memory global MenuDisable (Inside Macintosh V, p. V-249)."""


@dataclass(slots=True)
class _Level:
    """A menu on the screen: what it covers, and which item is highlighted (0 for none)."""

    opened: OpenMenu
    covers: Rectangle
    under: NDArray[np.uint8]
    item: int = 0

    @property
    def submenu(self) -> int:
        """The ID of the highlighted item's submenu; 0 for none."""
        items = self.opened.menu.items
        return items[self.item - 1].submenu if 0 < self.item <= len(items) else 0


class MenuChoice(Manager):
    """Following the mouse in menus, and finding keyboard equivalents."""

    _events: EventManager
    _quickdraw: QuickDraw
    _window_tracking: WindowTracking
    _menus: MenuManager
    _own: MenuDefinitions

    @property
    def _font(self) -> Font:
        return self._quickdraw.book.font(0, 12)

    # -- menus on the screen -----------------------------------------------------------------------

    def _open(self, opened: OpenMenu) -> _Level:
        """Draw a menu, and keep what it covers."""
        screen = self._quickdraw.screen
        r = opened.outside.intersect(screen.bounds)
        level = _Level(opened, r, screen.pixels(r))
        opened.draw(Painter.on_screen(self._quickdraw, r))
        if opened.own:
            self._own.draw(opened.own, opened.r)
        return level

    def _close(self, levels: list[_Level], kept: int) -> None:
        """Take menus from the screen until so many are left."""
        while len(levels) > kept:
            level = levels.pop()
            self._quickdraw.screen.put(level.covers, level.under)

    def _highlight(self, level: _Level, item: int) -> None:
        if level.opened.own:
            # Its own procedure has highlighted any other item itself.
            if level.item and not item:
                self._own.unhighlight(level.opened.own, level.opened.r, level.item)
            level.item = item
            return
        painter = Painter.on_screen(self._quickdraw, level.opened.r)
        for changed in (level.item, item):
            if changed and level.item != item:
                painter.invert(level.opened.item_rectangle(changed))
        level.item = item

    def _follow(self, levels: list[_Level], place: Point) -> None:
        """Show what the mouse is on; a submenu opens when it is on its item."""
        for depth in range(len(levels), 0, -1):
            level = levels[depth - 1]
            if not level.opened.r.contains(place.h, place.v):
                continue
            item = self._item_at(level.opened, place, level.item)
            if item != level.item or not item:
                self._close(levels, depth)
                self._highlight(level, item)
                self._open_submenu(levels, place)
            elif len(levels) > depth:
                self._highlight(levels[-1], 0)
            return
        self._highlight(levels[-1], 0)

    def _item_at(self, opened: OpenMenu, place: Point, highlighted: int) -> int:
        """The item of a menu at a point in it; 0 if it may not be chosen."""
        if opened.own:
            return self._own.choose(opened.own, opened.r, place, highlighted)
        item = opened.item_at(place.h, place.v)
        return item if opened.menu.is_enabled(item) else 0

    def _open_submenu(self, levels: list[_Level], place: Point) -> None:
        level, menus = levels[-1], self._menus
        handle = menus.by_number(level.submenu) if level.submenu else 0
        if handle:
            screen = self._quickdraw.screen.bounds
            if not level.opened.own:
                r = level.opened.item_rectangle(level.item)
            elif (r := self._own.chosen_rectangle()).empty:
                r = Rectangle(place.v, level.opened.r.left, place.v + 1, level.opened.r.right)
            levels.append(self._open(menus.opened(handle, beside(r, menus.size(handle), screen))))

    def _track(self, opened: OpenMenu, under: int) -> tuple[int, int]:
        """Follow the mouse in a menu.

        Args:
            opened: the menu.
            under: the handle of the menu whose title it hangs from; 0 for a pop-up menu.

        Returns:
            What was chosen, and the handle of another menu if the mouse has moved to its title.
        """
        levels = [self._open(opened)]
        place = self._events.mouse
        try:
            for place in self._window_tracking.while_mouse_is_down():
                other = self._title_at(place) if under else 0
                if other not in (0, under) and self._events.mouse_is_down():
                    return 0, other
                self._follow(levels, place)
            return self._chosen_item(levels, place), 0
        finally:
            self._close(levels, 0)

    def _chosen_item(self, levels: list[_Level], place: Point) -> int:
        level = next(
            (lv for lv in reversed(levels) if lv.opened.r.contains(place.h, place.v)), None
        )
        if level is None:
            return 0
        menu = level.opened.menu
        if not level.item:
            over = 0 if level.opened.own else level.opened.item_at(place.h, place.v)
            self.guest.put32(_DISABLED_CHOICE, _choice(menu.number, over))
            return 0
        # An item with a submenu only opens it.
        return 0 if level.submenu else _choice(menu.number, level.item)

    def _title_at(self, place: Point) -> int:
        """The menu whose title is at a point; 0 if there is none."""
        for handle, left in self._menus.titles():
            menu = self._menus.menu(handle)
            if title_rectangle(self._font.text_width, menu, left).contains(place.h, place.v):
                return handle
        return 0

    # -- routines ----------------------------------------------------------------------------------

    @routine("FUNCTION MenuSelect (startPt: Point): LONGINT")
    def menu_select(self, start: Point) -> int:
        """Follow the mouse in the menu bar: the chosen menu and item, or 0."""
        menus, under, chosen = self._menus, self._title_at(start), 0
        if not under:
            under = self._wait_for_title()
        while under:
            menus.hilite_menu(menus.menu(under).number)
            opened = menus.pulled_down(under, dict(menus.titles())[under])
            chosen, under = self._track(opened, under)
        if not chosen:
            menus.hilite_menu(0)
        return chosen

    def _wait_for_title(self) -> int:
        """The menu to whose title the mouse comes; 0 if the button is let go."""
        for place in self._window_tracking.while_mouse_is_down():
            under = self._title_at(place)
            if under and self._events.mouse_is_down():
                return under
        return 0

    @routine("FUNCTION MenuKey (ch: CHAR): LONGINT")
    def menu_key(self, character: int) -> int:
        """The menu and item with a keyboard equivalent, or 0."""
        menus = self._menus
        wanted = bytes([character & 0xFF]).upper()
        for handle in menus.handles():
            menu = menus.menu(handle)
            for number, item in enumerate(menu.items, 1):
                if item.key and bytes([item.key]).upper() == wanted and menu.is_enabled(number):
                    menus.hilite_menu(menu.number)
                    return _choice(menu.number, number)
        menus.hilite_menu(0)
        return 0

    @routine("FUNCTION MenuChoice : LONGINT")
    def menu_choice(self) -> int:
        """The disabled item on which the mouse was let go at last."""
        return self.guest.i32(_DISABLED_CHOICE)

    @routine("FUNCTION PopUpMenuSelect (menu: MenuHandle; top,left,popUpItem: INTEGER): LONGINT")
    def pop_up_menu_select(self, handle: int, top: int, left: int, item: int) -> int:
        """Show a menu so that an item lies at a point, and follow the mouse in it."""
        width, height = self._menus.size(handle)
        if self._own.draws(handle):
            r = self._own.pop_up(handle, top, left, item)
        else:
            top -= ITEM_HEIGHT * (max(item, 1) - 1)
            r = Rectangle(top, left, top + height, left + width)
        return self._track(self._menus.opened(handle, r), 0)[0]

    def pop_up(self, menu: Menu, corner: Point) -> int:
        """Show a menu that is none of the program's with its corner at a point; its chosen item."""
        width, height = menu_size(self._font, menu)
        r = Rectangle(corner.v, corner.h, corner.v + height, corner.h + width)
        return self._track(OpenMenu(menu, r), 0)[0] & 0xFFFF


def _choice(menu: int, item: int) -> int:
    """A menu's ID and an item's number as the long word in which they are given back."""
    value = (menu & 0xFFFF) << 16 | item
    return value - (1 << 32) if value & 0x80000000 else value
