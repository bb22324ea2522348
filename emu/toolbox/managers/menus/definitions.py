"""Menu definition procedures of the program's own: 'MDEF' resources, executed as guest code.

Sources: Inside Macintosh I, chapter "The Menu Manager", "Defining your own menus"; V for pop-up
menus. That mPopUpMsg gets the item's top in front of its left is in Technical Note TB 36.
"""

from __future__ import annotations

from enum import IntEnum

from emu.quickdraw import Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.resources.code import DefinitionFunctions
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.records.windows import MenuInfo

_HEADING = (
    "PROCEDURE MDEF (message: INTEGER; theMenu: MenuHandle; VAR menuRect: Rect; hitPt: Point; "
    "VAR whichItem: INTEGER)"
)
_ARGUMENTS_SIZE = 18
_RECTANGLE_SIZE, _VARIABLES_SIZE = 8, 10

# Low memory for menus that scroll (Inside Macintosh V, chapter "The Menu Manager").
_TOP_MENU_ITEM = 0xA0A
_AT_MENU_BOTTOM = 0xA0C

# MBSaveLoc: a handle of what menu and menu bar procedures share; submenus open beside the rectangle
# of the chosen item in it.
_SHARED, _SHARED_SIZE, _SHARED_ITEM = 0xB5C, 20, 6

_LEAST_ITEM = 4
"""Pixels between the points at which an item is looked for."""

_NOWHERE = Point(-0x8000, -0x8000)


class MenuMessage(IntEnum):
    """What a menu definition procedure is asked to do."""

    DRAW = 0
    CHOOSE = 1
    MEASURE = 2
    POP_UP = 3


class MenuDefinitions(Manager):
    """Calls menu definition procedures.

    A menu belongs to one if the field menuProc of its record is another handle than that of the
    standard procedure.
    """

    _memory: MemoryManager
    _code: DefinitionFunctions
    _resources: ResourceManager
    _quickdraw: QuickDraw

    def take(self, menu: int) -> bool:
        """Give a menu from a resource its procedure, which the resource names by its ID.

        One whose procedure is not there stays empty. Source: GetMgr.a and MenuMgr.a of Apple's
        Toolbox of 1994.

        Returns:
            Whether it has another than the standard one.
        """
        record = MenuInfo(self.guest, self._memory.address(menu))
        if self._memory.is_handle(record.menuProc):
            return self.is_own(record.menuProc)  # the resource was got before
        # In a resource, the ID is in the high half of what becomes the handle. If the low half is
        # not 0 a program has saved a menu with its handle, which says nothing.
        saved_handle = record.menuProc & 0xFFFF
        number = 0 if saved_handle else (record.menuProc >> 16 ^ 0x8000) - 0x8000
        own = self._code.find("MDEF", number)
        if number and not own:
            own = self._code.absent("MDEF", number, "the menu is empty", _ARGUMENTS_SIZE)
        procedure = own or self._standard()
        MenuInfo(self.guest, self._memory.address(menu)).menuProc = procedure
        return own != 0

    def _standard(self) -> int:
        """The handle of the standard procedure, which is in the System file."""
        entry = self._resources.system.find("MDEF", 0)
        if entry is None:
            return 0
        return entry.handle or self._resources.load(entry, always=True)

    def is_own(self, procedure: int) -> bool:
        """Whether the menuProc of a menu is a procedure of the program's own."""
        return procedure not in (0, self._standard())

    def draws(self, menu: int) -> bool:
        """Whether a menu is drawn by a procedure of the program's own."""
        return self.is_own(MenuInfo(self.guest, self._memory.address(menu)).menuProc)

    def measure(self, menu: int) -> tuple[int, int]:
        """Width and height that a menu's own procedure gives it."""
        self._call(menu, MenuMessage.MEASURE)
        record = MenuInfo(self.guest, self._memory.address(menu))
        return record.menuWidth, record.menuHeight

    def draw(self, menu: int, r: Rectangle) -> None:
        """Let the items of a menu be drawn in a rectangle of the screen."""
        self.guest.put16(_TOP_MENU_ITEM, r.top)
        self.guest.put16(_AT_MENU_BOTTOM, r.bottom)
        self._call(menu, MenuMessage.DRAW, r)

    def choose(self, menu: int, r: Rectangle, place: Point, item: int) -> int:
        """Let the item at a point be highlighted instead of another one.

        Args:
            menu: the menu's handle.
            r: the rectangle of the screen in which its items are.
            place: the point, global.
            item: the item that is highlighted now; 0 for none.

        Returns:
            The item at the point; 0 if there is none that may be chosen.
        """
        return self._call(menu, MenuMessage.CHOOSE, r, place, item)[1]

    def chosen_rectangle(self) -> Rectangle:
        """Where the procedure that was called last has highlighted an item; empty if unknown."""
        return self.guest.rect(self._memory.address(self.guest.u32(_SHARED)) + _SHARED_ITEM)

    def unhighlight(self, menu: int, r: Rectangle, item: int) -> None:
        """Let no item be highlighted, as when the mouse leaves the menu."""
        self.choose(menu, r, _NOWHERE, item)

    def pop_up(self, menu: int, top: int, left: int, item: int) -> Rectangle:
        """The rectangle of a pop-up menu one item of which is at a point of the screen."""
        r, first = self._call(menu, MenuMessage.POP_UP, place=Point(left, top), item=item)
        self.guest.put16(_TOP_MENU_ITEM, first)
        return r

    def place_of(self, menu: int, r: Rectangle, item: int) -> Point | None:
        """A point of a menu at which its own procedure finds an item; None if there is none.

        The screen's pixels stay: what the procedure draws while it is asked is taken away.
        """
        screen = self._quickdraw.screen
        covers = r.intersect(screen.bounds)
        if covers.empty:
            return None
        under, chosen = screen.pixels(covers), 0
        self.draw(menu, r)
        h = (covers.left + covers.right) // 2
        place = None
        for v in range(covers.top, covers.bottom, _LEAST_ITEM):
            chosen = self.choose(menu, r, Point(v, h), chosen)
            if chosen == item:
                place = Point(v + _LEAST_ITEM // 2, h)
                break
        self.unhighlight(menu, r, chosen)
        screen.put(covers, under)
        return place

    def _call(
        self,
        menu: int,
        message: MenuMessage,
        r: Rectangle | None = None,
        place: Point = _NOWHERE,
        item: int = 0,
    ) -> tuple[Rectangle, int]:
        """Call a menu's own procedure in the Window Manager port; its two variables."""
        guest, quickdraw = self.guest, self._quickdraw
        code = MenuInfo(guest, self._memory.address(menu)).menuProc
        variables = self._memory.new_pointer(_VARIABLES_SIZE, clear=True)
        if not variables:
            raise self.host.stopped("memory is full: a menu definition procedure cannot be called")
        if not guest.u32(_SHARED):
            guest.put32(_SHARED, self._memory.new_handle(_SHARED_SIZE, clear=True))
        which = variables + _RECTANGLE_SIZE
        if r is not None:
            guest.put_rect(variables, *r)
        guest.put16(which, item)
        port = guest.u32(LowMemory.WINDOW_MANAGER_PORT) or guest.u32(quickdraw.globals)
        with quickdraw.drawing_in(port):
            self._code.call(code, _HEADING, int(message), menu, variables, place, which)
        result = guest.rect(variables), guest.i16(which)
        self._memory.dispose_pointer(variables)
        return result
