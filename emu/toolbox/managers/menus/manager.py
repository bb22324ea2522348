"""The Menu Manager: menus and the menu bar."""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.quickdraw.fonts import Font
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import NilGivenError, Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.menus.colors import MenuColors
from emu.toolbox.managers.menus.definitions import MenuDefinitions
from emu.toolbox.managers.menus.looks import (
    FIRST_TITLE,
    OpenMenu,
    below,
    draw_bar,
    menu_size,
    title_rectangle,
    title_width,
)
from emu.toolbox.managers.menus.record import Menu, MenuDataError, MenuList, decode, without_items
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.records.windows import MenuInfo

_MENU_LIST = 0xA1C
_FLASH = 0xA24
_HIGHLIGHTED = 0xA26

_BEHIND_ALL = 0
_HIERARCHICAL = -1
_APPLE = b"\x14"

_CUT_OFF = MenuInfo.menuData.offset + 256 + 5
"""More bytes than the title or an item can lack, and one for the end of the list."""


class MenuManager(Manager):
    """Menus and the menu bar."""

    _memory: MemoryManager
    _resources: ResourceManager
    _quickdraw: QuickDraw
    _own: MenuDefinitions
    _colors: MenuColors

    def __post_init__(self) -> None:
        self._decoded = b"", Menu(0, b"")  # the menu used last; most calls in a row are for one

    # -- for other managers and for people ---------------------------------------------------------

    def menu(self, handle: int) -> Menu:
        """A menu's contents.

        Raises:
            MisuseError: the handle holds no menu.
            NilGivenError: it is nil.
        """
        if not handle:
            raise NilGivenError("a menu handle is nil")
        if not self._memory.is_handle(handle):
            raise self._memory.no_handle(handle, "menu")
        contents = self._memory.contents(handle)
        if contents == self._decoded[0]:
            return self._decoded[1]
        try:
            menu = decode(contents)
        except MenuDataError as error:
            is_whole = len(contents) > MenuInfo.menuData.offset
            if is_whole and self._own.is_own(MenuInfo.menuProc.of(contents)):
                return without_items(contents)
            problem = f"the menu 0x{handle:x} is damaged at offset {error.offset}: {error}"
            raise self.host.misuse("menu", problem) from error
        self._decoded = contents, menu
        return menu

    def put(self, handle: int, menu: Menu) -> None:
        """Store a menu's contents; a standard menu's size is measured anew."""
        fields = MenuInfo.copied(self._memory.contents(handle))
        fields.enableFlags = menu.flags
        if not self._own.is_own(fields.menuProc):
            fields.menuWidth, fields.menuHeight = menu_size(self._font, menu)
        contents = fields.read()[: MenuInfo.menuData.offset] + menu.encode()
        if self._memory.set_contents(handle, contents):
            self._decoded = contents, menu

    def handles(self) -> list[int]:
        """The menus in the bar, left to right, and then the submenus."""
        bar = self._bar()
        return [handle for handle, _ in bar.menus] + list(bar.submenus)

    def by_number(self, number: int) -> int:
        """The handle of the installed menu with an ID; 0 if there is none."""
        for handle in self.handles():
            if MenuInfo(self.guest, self._memory.address(handle)).menuID == number:
                return handle
        return 0

    def draw_bar(self) -> None:
        """Draw the menu bar with its titles, unless the program has made its height 0."""
        if not self.guest.u16(LowMemory.MENU_BAR_HEIGHT):
            return
        screen = self._quickdraw.screen.bounds
        titles = [(self.menu(handle), left) for handle, left in self._bar().menus]
        painter = Painter.on_screen(self._quickdraw, screen)
        draw_bar(painter, screen.width, titles, self.guest.i16(_HIGHLIGHTED))

    def places(self, title: str, item: str) -> tuple[Point, Point] | None:
        """Where to press in the menu bar and where to let go, to choose an item.

        Args:
            title: the menu's; "Apple" also stands for the apple.
            item: the item's text.

        Returns:
            The two points, global; None if there is no such item.
        """
        position = self._find_item(title, item)
        if position is None:
            return None
        handle, left, number = position
        opened = self.pulled_down(handle, left)
        in_bar = Point.middle_of(title_rectangle(self._font.text_width, opened.menu, left))
        if not opened.own:
            return in_bar, Point.middle_of(opened.item_rectangle(number))
        place = self._own.place_of(handle, opened.r, number)
        return (in_bar, place) if place is not None else None

    def can_be_chosen(self, title: str, item: str) -> bool:
        """Whether an item is not dimmed.

        Also of one that is in no menu of the bar, or in a menu that a procedure of the program's
        own draws, which decides that itself.
        """
        place = self._find_item(title, item)
        if place is None or self._own.draws(place[0]):
            return True
        return self.menu(place[0]).is_enabled(place[2])

    def key_of(self, title: str, item: str) -> int:
        """The character of an item's keyboard equivalent; 0 if it or the item is not there."""
        place = self._find_item(title, item)
        return self.menu(place[0]).items[place[2] - 1].key if place else 0

    def pulled_down(self, handle: int, left: int) -> OpenMenu:
        """A menu under its title; ``left`` is the title's left edge."""
        return self.opened(handle, below(left, self.size(handle), self._screen_width))

    def opened(self, handle: int, r: Rectangle) -> OpenMenu:
        """A menu whose items are in a rectangle of the screen."""
        return OpenMenu(self.menu(handle), r, handle if self._own.draws(handle) else 0)

    def size(self, handle: int) -> tuple[int, int]:
        """Width and height of a menu's items, measured anew."""
        menu = self.menu(handle)
        if self._own.draws(handle):
            return self._own.measure(handle)
        return menu_size(self._font, menu)

    def _find_item(self, title: str, item: str) -> tuple[int, int, int] | None:
        """The menu in the bar with a title and an item, its left edge, and the item's number."""
        names = {title.encode("mac_roman", "replace")} | ({_APPLE} if title == "Apple" else set())
        wanted = item.encode("mac_roman", "replace")
        for handle, left in self._bar().menus:
            menu = self.menu(handle)
            for number, candidate in enumerate(menu.items, 1):
                if menu.title in names and candidate.text == wanted:
                    return handle, left, number
        return None

    def titles(self) -> list[tuple[int, int]]:
        """The menus in the bar, left to right, each with its title's left edge."""
        return list(self._bar().menus)

    @property
    def _screen_width(self) -> int:
        return self._quickdraw.screen.bounds.width

    @property
    def _font(self) -> Font:
        return self._quickdraw.book.font(0, 12)

    # -- the menu list -----------------------------------------------------------------------------

    def _bar(self) -> MenuList:
        handle = self.guest.u32(_MENU_LIST)
        if not handle:
            return MenuList((), ())
        data = self._memory.contents(handle)
        try:
            return MenuList.decode(data)
        except ValueError as error:
            raise self.host.stopped(str(error)) from error

    def _put_bar(self, menus: list[int], submenus: list[int]) -> None:
        """Store the menu list; left edges follow from the titles' widths."""
        placed, left = [], FIRST_TITLE
        for menu in menus:
            placed.append((menu, left))
            left += title_width(self._font, self.menu(menu).title)
        data = MenuList(tuple(placed), tuple(submenus)).encode(left)
        handle = self.guest.u32(_MENU_LIST)
        if handle:
            self._memory.set_contents(handle, data)
        else:
            self.guest.put32(_MENU_LIST, self._memory.handle_from(data))

    @routine("PROCEDURE InitMenus")
    def init_menus(self) -> None:
        """An empty menu bar."""
        self._put_bar([], [])
        self.guest.put16(_HIGHLIGHTED, 0)
        self.guest.put16(_FLASH, 3)
        self._colors.begin()
        self.draw_bar()

    @routine("PROCEDURE InitProcMenu (resID: INTEGER)")
    def init_proc_menu(self, number: int) -> None:
        """A menu bar, if there is none; a definition function of the program's own is left out."""
        problem = f"InitProcMenu wants MBDF {number >> 3}, which macproof does not call: the menu "
        self.host.report("menu bar", f"{problem}bar is the standard one")
        if not self.guest.u32(_MENU_LIST):
            self.init_menus()

    @routine("FUNCTION NewMenu (menuID: INTEGER; menuTitle: Str255): MenuHandle")
    def new_menu(self, number: int, title: int) -> int:
        """A menu without items, in no menu bar yet."""
        menu = Menu(number, self.guest.pascal_string(title))
        fields = (number & 0xFFFF).to_bytes(2, "big") + bytes(8) + menu.flags.to_bytes(4, "big")
        handle = self._memory.handle_from(fields + menu.encode())
        if handle:
            self._own.take(handle)
            self.calc_menu_size(handle)
        return handle

    @routine("FUNCTION GetMenu (resourceID: INTEGER): MenuHandle")
    def get_menu(self, number: int) -> int:
        """A menu as a resource describes it; 0 if there is no such resource."""
        handle = self._resources.get("MENU", number)
        if not handle:
            return 0
        is_short = self._memory.handle_size(handle) <= MenuInfo.menuData.offset
        if is_short or not self._own.take(handle):
            self._complete(handle, number)
        self.calc_menu_size(handle)
        self._colors.load(number)
        return handle

    def _complete(self, handle: int, number: int) -> None:
        """Add zeros to a menu from a resource that is cut off, so that its list has an end."""
        data = self._memory.contents(handle)
        try:
            decode(data)
        except MenuDataError as error:
            where = f"at offset {error.offset} of {len(data)}"
            problem = f"resource MENU {number} is damaged {where}: {error}"
            self.host.report("damaged resource", problem)
            self._memory.set_contents(handle, data + bytes(_CUT_OFF))
            self._own.take(handle)

    @routine("PROCEDURE DisposeMenu (theMenu: MenuHandle)")
    def dispose_menu(self, handle: int) -> None:
        """Free a menu's memory."""
        if handle in self.handles():
            self.host.report("menu", "DisposeMenu was called for a menu that is in the menu bar")
            self.delete_menu(self.menu(handle).number)
        if self._resources.entry_of(handle) is not None:
            # MacPaint 2.0 does so and gets it again (System 7: Apple's sources of 1994, MenuMgr.a).
            problem = "DisposeMenu was called for a resource, which its map keeps before System 7"
            self.host.report("menu", problem, Sureness.SOME)
            self._resources.forget(handle)
        self._memory.dispose_handle(handle)

    @routine("PROCEDURE InsertMenu (theMenu: MenuHandle; beforeID: INTEGER)")
    def insert_menu(self, handle: int, before: int) -> None:
        """Put a menu into the bar, or for -1 among the submenus."""
        bar = self._bar()
        menus, submenus = [menu for menu, _ in bar.menus], list(bar.submenus)
        number = self.menu(handle).number
        if any(self.menu(other).number == number for other in (*menus, *submenus)):
            return
        if before == _HIERARCHICAL:
            submenus.append(handle)
        else:
            numbers = [self.menu(other).number for other in menus]
            is_there = before != _BEHIND_ALL and before in numbers
            menus.insert(numbers.index(before) if is_there else len(menus), handle)
        self._put_bar(menus, submenus)

    @routine("PROCEDURE DeleteMenu (menuID: INTEGER)")
    def delete_menu(self, number: int) -> None:
        """Take a menu from the bar."""
        bar = self._bar()
        gone = self.by_number(number)
        self._put_bar(
            [menu for menu, _ in bar.menus if menu != gone],
            [menu for menu in bar.submenus if menu != gone],
        )

    @routine("PROCEDURE ClearMenuBar")
    def clear_menu_bar(self) -> None:
        """Take all menus from the bar."""
        self._put_bar([], [])

    @routine("FUNCTION GetNewMBar (menuBarID: INTEGER): Handle")
    def get_new_m_bar(self, number: int) -> int:
        """A menu list as a resource describes it; the present one stays."""
        data = self._resources.template("MBAR", number)
        if data is None:
            return 0
        template = Template(self.host, "MBAR", number, data)
        count, held = template.u16(), template.rest // 2
        if count > held:
            template.damaged(f"it announces {count} menus and has {held}")
        wanted = [template.i16() for _ in range(min(count, held))]
        menus = []
        for menu in wanted:
            handle = self.get_menu(menu)
            if handle:
                menus.append(handle)
            else:
                self._resources.report_missing("MENU", menu, "the menu bar is made without it")
        kept = self.guest.u32(_MENU_LIST)
        self.guest.put32(_MENU_LIST, 0)
        self._put_bar(menus, [])
        new = self.guest.u32(_MENU_LIST)
        self.guest.put32(_MENU_LIST, kept)
        return new

    @routine("FUNCTION GetMenuBar : Handle")
    def get_menu_bar(self) -> int:
        """A copy of the menu list."""
        handle = self.guest.u32(_MENU_LIST)
        return self._memory.handle_from(self._memory.contents(handle)) if handle else 0

    @routine("PROCEDURE SetMenuBar (menuList: Handle)")
    def set_menu_bar(self, handle: int) -> None:
        """Make a copy of a menu list the present one."""
        data = self._memory.contents(handle)
        present = self.guest.u32(_MENU_LIST)
        if present:
            self._memory.set_contents(present, data)
        else:
            self.guest.put32(_MENU_LIST, self._memory.handle_from(data))

    @routine("FUNCTION GetMenuHandle (menuID: INTEGER): MenuHandle")
    def get_menu_handle(self, number: int) -> int:
        """The menu with an ID, if it is in the bar or a submenu."""
        return self.by_number(number)

    @routine("PROCEDURE CalcMenuSize (theMenu: MenuHandle)")
    def calc_menu_size(self, handle: int) -> None:
        """Measure a menu."""
        width, height = self.size(handle)
        record = MenuInfo(self.guest, self._memory.address(handle))
        record.menuWidth, record.menuHeight = width, height

    # -- the bar on the screen ---------------------------------------------------------------------

    @routine("PROCEDURE DrawMenuBar")
    def draw_menu_bar(self) -> None:
        """Draw the menu bar."""
        self.draw_bar()

    @routine("PROCEDURE InvalMenuBar")
    def inval_menu_bar(self) -> None:
        """Let the menu bar be drawn; that is done at once."""
        self.draw_bar()

    @routine("PROCEDURE HiliteMenu (menuID: INTEGER)")
    def hilite_menu(self, number: int) -> None:
        """Highlight a menu's title, and no other; 0 for none."""
        number = number if number and self.by_number(number) else 0
        if self.guest.i16(_HIGHLIGHTED) != number:
            self.guest.put16(_HIGHLIGHTED, number)
            self.draw_bar()

    @routine("PROCEDURE FlashMenuBar (menuID: INTEGER)")
    def flash_menu_bar(self, number: int) -> None:
        """Invert a title, or the whole bar."""
        screen = self._quickdraw.screen.bounds
        bar = Rectangle(0, 0, 19, screen.width)
        for handle, left in self._bar().menus:
            menu = self.menu(handle)
            if number and menu.number == number:
                bar = title_rectangle(self._font.text_width, menu, left)
        Painter.on_screen(self._quickdraw, bar).invert(bar)

    @routine("PROCEDURE SetMenuFlash (count: INTEGER)")
    def set_menu_flash(self, count: int) -> None:
        """How often a chosen item flashes; here it does not."""
        self.guest.put16(_FLASH, count)
