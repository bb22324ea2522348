"""The Menu Manager: the items of a menu."""

from __future__ import annotations

from dataclasses import replace

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.menus.looks import MOST_ITEMS
from emu.toolbox.managers.menus.manager import MenuManager
from emu.toolbox.managers.menus.record import Menu, MenuItem, items_of
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.resources.manager import ResourceManager

_CHECK_MARK = 0x12
_FONT_TYPES = ("FONT", "FOND")
_MENU_DISPATCH = 0xA825
"""A trap for script systems: Macintosh Toolbox Essentials, chapter 3, has its selectors."""


class MenuItems(Manager):
    """Adding, changing and asking for items."""

    _resources: ResourceManager
    _fonts: FontManager
    _menus: MenuManager

    def _menu(self, handle: int) -> Menu:
        return self._menus.menu(handle)

    def _put(self, handle: int, menu: Menu) -> None:
        self._menus.put(handle, menu)

    # -- adding and removing -----------------------------------------------------------------------

    @routine("PROCEDURE AppendMenu (theMenu: MenuHandle; data: Str255)")
    def append_menu(self, handle: int, text: int) -> None:
        """Add the items that a string describes."""
        self._insert(handle, items_of(self.guest.pascal_string(text)), 1 << 15)

    @routine(
        "PROCEDURE InsertMenuItem (theMenu: MenuHandle; itemString: Str255; afterItem: INTEGER)"
    )
    def insert_menu_item(self, handle: int, text: int, after: int) -> None:
        """Insert the items that a string describes, the last of them first."""
        self._insert(handle, list(reversed(items_of(self.guest.pascal_string(text)))), after)

    def _insert(self, handle: int, items: list[tuple[MenuItem, bool]], after: int) -> None:
        menu = self._menu(handle)
        after = min(max(after, 0), len(menu.items))
        room = max(0, MOST_ITEMS - len(menu.items))
        if len(items) > room:
            items = items[:room]
            self.host.report("menu", f"a menu was given more than {MOST_ITEMS:,} items")
            if not items:
                return
        for item, enabled in items:
            menu = menu.inserted(after, item, enabled)
            after += 1
        self._put(handle, menu)

    @routine("PROCEDURE DeleteMenuItem (theMenu: MenuHandle; item: INTEGER)")
    def delete_menu_item(self, handle: int, item: int) -> None:
        """Remove an item."""
        menu = self._menu(handle)
        if 1 <= item <= len(menu.items):
            self._put(handle, menu.without(item))

    @routine("PROCEDURE AppendResMenu (theMenu: MenuHandle; theType: ResType)")
    def append_res_menu(self, handle: int, kind: str) -> None:
        """Add an item for each resource of a type that has a name."""
        self._insert(handle, self._named(kind), 1 << 15)

    @routine("PROCEDURE InsertResMenu (theMenu: MenuHandle; theType: ResType; afterItem: INTEGER)")
    def insert_res_menu(self, handle: int, kind: str, after: int) -> None:
        """Insert an item for each resource of a type that has a name."""
        self._insert(handle, self._named(kind), after)

    @routine(
        "PROCEDURE InsertIntlResMenu (theMenu: MenuHandle; theType: ResType; "
        "afterItem,scriptFilter: INTEGER)",
        trap=_MENU_DISPATCH,
        selector=("D0", 0x601),
    )
    def insert_intl_res_menu(self, handle: int, kind: str, after: int, script: int) -> None:
        """The same for resources of a script system; there is one only."""
        self.insert_res_menu(handle, kind, after)

    @routine(
        "PROCEDURE InsertFontResMenu (theMenu: MenuHandle; afterItem,scriptFilter: INTEGER)",
        trap=_MENU_DISPATCH,
        selector=("D0", 0x400),
    )
    def insert_font_res_menu(self, handle: int, after: int, script: int) -> None:
        """The same for fonts."""
        self.insert_res_menu(handle, _FONT_TYPES[0], after)

    def _named(self, kind: str) -> list[tuple[MenuItem, bool]]:
        names = {
            entry.name.encode("mac_roman", "replace")
            for file in self._resources.files
            for entry in file.of_type(kind)
        }
        if kind in _FONT_TYPES:
            names |= set(self._fonts.names())
        # Names that begin with a full stop or a percent sign are drivers of the system's.
        shown = sorted((n for n in names if n[:1] not in (b"", b".", b"%")), key=bytes.lower)
        return [(MenuItem(name), True) for name in shown]

    @routine("FUNCTION CountMItems (theMenu: MenuHandle): INTEGER")
    def count_m_items(self, handle: int) -> int:
        """How many items a menu has."""
        return len(self._menu(handle).items)

    # -- enabling ----------------------------------------------------------------------------------

    @routine("PROCEDURE EnableItem (theMenu: MenuHandle; item: INTEGER)")
    def enable_item(self, handle: int, item: int) -> None:
        """Let an item be chosen; 0 is the whole menu."""
        self._put(handle, self._menu(handle).with_flag(item, True))

    @routine("PROCEDURE DisableItem (theMenu: MenuHandle; item: INTEGER)")
    def disable_item(self, handle: int, item: int) -> None:
        """Let an item not be chosen; 0 is the whole menu."""
        self._put(handle, self._menu(handle).with_flag(item, False))

    # -- one field each ----------------------------------------------------------------------------

    def _item(self, handle: int, item: int) -> MenuItem | None:
        items = self._menu(handle).items
        return items[item - 1] if 1 <= item <= len(items) else None

    def _change(self, handle: int, item: int, **fields: int | bytes) -> None:
        menu_item = self._item(handle, item)
        if menu_item is not None:
            changed = replace(menu_item, **fields)  # type: ignore[arg-type]
            self._put(handle, self._menu(handle).with_item(item, changed))

    @routine("PROCEDURE SetMenuItemText (theMenu: MenuHandle; item: INTEGER; itemString: Str255)")
    def set_menu_item_text(self, handle: int, item: int, text: int) -> None:
        """Change what an item says; no character of it has a special meaning."""
        self._change(handle, item, text=self.guest.pascal_string(text) or b" ")

    @routine(
        "PROCEDURE GetMenuItemText (theMenu: MenuHandle; item: INTEGER; VAR itemString: Str255)"
    )
    def get_menu_item_text(self, handle: int, item: int, text: int) -> None:
        """What an item says."""
        menu_item = self._item(handle, item)
        self.guest.put_pascal_string(text, menu_item.text if menu_item else b"")

    @routine("PROCEDURE CheckItem (theMenu: MenuHandle; item: INTEGER; checked: BOOLEAN)")
    def check_item(self, handle: int, item: int, checked: bool) -> None:
        """Mark an item with a check mark, or not at all."""
        self._change(handle, item, mark=_CHECK_MARK if checked else 0)

    @routine("PROCEDURE SetItemMark (theMenu: MenuHandle; item: INTEGER; markChar: CHAR)")
    def set_item_mark(self, handle: int, item: int, mark: int) -> None:
        """Mark an item with a character; 0 for none."""
        self._change(handle, item, mark=mark & 0xFF)

    @routine("PROCEDURE GetItemMark (theMenu: MenuHandle; item: INTEGER; VAR markChar: INTEGER)")
    def get_item_mark(self, handle: int, item: int, result: int) -> None:
        """The character that marks an item."""
        menu_item = self._item(handle, item)
        self.guest.put16(result, menu_item.mark if menu_item else 0)

    @routine("PROCEDURE SetItemIcon (theMenu: MenuHandle; item: INTEGER; icon: Byte)")
    def set_item_icon(self, handle: int, item: int, icon: int) -> None:
        """Give an item an icon; it is kept but not drawn."""
        self._change(handle, item, icon=icon & 0xFF)

    @routine("PROCEDURE GetItemIcon (theMenu: MenuHandle; item: INTEGER; VAR icon: INTEGER)")
    def get_item_icon(self, handle: int, item: int, result: int) -> None:
        """An item's icon."""
        menu_item = self._item(handle, item)
        self.guest.put16(result, menu_item.icon if menu_item else 0)

    @routine("PROCEDURE SetItemStyle (theMenu: MenuHandle; item: INTEGER; chStyle: Style)")
    def set_item_style(self, handle: int, item: int, style: int) -> None:
        """Write an item in a style."""
        self._change(handle, item, style=style & 0xFF)

    def _style(self, handle: int, item: int) -> int:
        menu_item = self._item(handle, item)
        return menu_item.style if menu_item else 0

    @routine(
        "PROCEDURE GetItemStyle (theMenu: MenuHandle; item: INTEGER; VAR chStyle: INTEGER)",
        architecture="m68k",
    )
    def get_item_style_68k(self, handle: int, item: int, result: int) -> None:
        """The style in which an item is written: a word, as the other properties (MenuMgr.a)."""
        self.guest.put16(result, self._style(handle, item))

    @routine(
        "PROCEDURE GetItemStyle (theMenu: MenuHandle; item: INTEGER; VAR chStyle: INTEGER)",
        architecture="powerpc",
    )
    def get_item_style(self, handle: int, item: int, result: int) -> None:
        """The same: one byte, the ``Style`` of Apple's header Menus.h."""
        self.guest.put8(result, self._style(handle, item))

    @routine("PROCEDURE SetItemCmd (theMenu: MenuHandle; item: INTEGER; cmdChar: CHAR)")
    def set_item_cmd(self, handle: int, item: int, command: int) -> None:
        """Give an item a keyboard equivalent, or a special code."""
        self._change(handle, item, command=command & 0xFF)

    @routine("PROCEDURE GetItemCmd (theMenu: MenuHandle; item: INTEGER; VAR cmdChar: INTEGER)")
    def get_item_cmd(self, handle: int, item: int, result: int) -> None:
        """An item's keyboard equivalent."""
        menu_item = self._item(handle, item)
        self.guest.put16(result, menu_item.command if menu_item else 0)
