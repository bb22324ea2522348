"""Menu records and the menu list, as they lie in guest memory and in MENU resources.

The menu list says which menus are in the menu bar, and which are submenus. A header and its entries
stand for the menus of the bar; after them a second header and its entries stand for the submenus.
Source: Inside Macintosh I, p. I-344 (MenuInfo) and p. I-364 (menu resources); V, p. V-224, V-228.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from emu.toolbox.records.windows import MenuInfo, MenuListEntry, MenuListHeader

HAS_SUBMENU = 0x1B
"""In place of a Command key: the item's mark is the ID of its submenu."""

_SPECIAL_COMMANDS = frozenset(range(0x1B, 0x20))
_STYLES = {"B": 1, "I": 2, "U": 4, "O": 8, "S": 16}
_ALL_ENABLED = 0xFFFFFFFF
_MOST_MENUS = 200


class MenuDataError(ValueError):
    """A menu's data is damaged; the argument is the offset, the text says how."""

    def __init__(self, offset: int, problem: str) -> None:
        self.offset = offset
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class MenuItem:
    """An item of a menu; texts are MacRoman.

    Attributes:
        text: what it says.
        icon: its icon's ID less 256; 0 for none.
        command: the character of its keyboard equivalent, or a special code; 0 for none.
        mark: the character that marks it; 0 for none.
        style: its Style.
    """

    text: bytes
    icon: int = 0
    command: int = 0
    mark: int = 0
    style: int = 0

    @property
    def is_line(self) -> bool:
        """Whether it is a dividing line."""
        return self.text[:1] == b"-"

    @property
    def key(self) -> int:
        """The character of its keyboard equivalent; 0 for none."""
        return 0 if self.command in _SPECIAL_COMMANDS else self.command

    @property
    def submenu(self) -> int:
        """The ID of its submenu; 0 for none."""
        return self.mark if self.command == HAS_SUBMENU else 0


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu's contents.

    Attributes:
        number: its ID.
        title: MacRoman.
        items: from top to bottom; the first has the number 1.
        flags: bit 0 is set if the menu is enabled, bit n if item n is.
        rest: what follows the items: a 0, and what a definition procedure of the program's own
            keeps behind it.
    """

    number: int
    title: bytes
    items: tuple[MenuItem, ...] = field(default=())
    flags: int = _ALL_ENABLED
    rest: bytes = b"\0"

    def is_enabled(self, item: int) -> bool:
        """Whether an item can be chosen; 0 stands for the menu itself."""
        if not self.flags & 1:
            return False
        if item and self.items[item - 1].is_line:
            return False
        # Items after the 31st cannot be disabled by themselves.
        return item > 31 or bool(self.flags >> item & 1)

    def with_flag(self, item: int, enabled: bool) -> Menu:
        """With an item, or for 0 the whole menu, enabled or disabled."""
        if not 0 <= item <= 31:
            return self
        flags = self.flags | 1 << item if enabled else self.flags & ~(1 << item)
        return replace(self, flags=flags & 0xFFFFFFFF)

    def with_item(self, item: int, changed: MenuItem) -> Menu:
        """With another item in place of one."""
        return replace(self, items=(*self.items[: item - 1], changed, *self.items[item:]))

    def inserted(self, after: int, item: MenuItem, enabled: bool) -> Menu:
        """With a new item after one; 0 stands for the beginning."""
        after = min(max(after, 0), len(self.items))
        flags = self._flags_moved(after + 1, 1)
        menu = replace(self, items=(*self.items[:after], item, *self.items[after:]), flags=flags)
        return menu.with_flag(after + 1, enabled)

    def without(self, item: int) -> Menu:
        """Without an item."""
        items = (*self.items[: item - 1], *self.items[item:])
        return replace(self, items=items, flags=self._flags_moved(item, -1))

    def _flags_moved(self, first: int, by: int) -> int:
        """The flags when items from one on get other numbers."""
        if first > 31:
            return self.flags
        kept = self.flags & (1 << first) - 1
        rest = self.flags >> first
        moved = rest << first + 1 if by > 0 else rest >> 1 << first
        # What comes in at the end is enabled.
        return (kept | moved | (0x80000000 if by < 0 else 0)) & 0xFFFFFFFF

    def encode(self) -> bytes:
        """The title and the items as they follow the record's fields."""
        data = bytearray([len(self.title)]) + self.title
        for item in self.items:
            data.append(len(item.text))
            data += item.text + bytes([item.icon, item.command, item.mark, item.style])
        return bytes(data) + self.rest


def decode(record: bytes) -> Menu:
    """The menu of a whole record, as it lies in guest memory or in a resource.

    Raises:
        MenuDataError: it is cut off or has no end.
    """
    if len(record) <= MenuInfo.menuData.offset:
        raise MenuDataError(len(record), "it ends within its first fields")
    at = MenuInfo.menuData.offset
    title, at = _string(record, at, "its title")
    items: list[MenuItem] = []
    while at < len(record) and record[at]:
        text, at = _string(record, at, f"item {len(items) + 1}")
        if at + 4 > len(record):
            raise MenuDataError(at, f"item {len(items) + 1} is cut off")
        items.append(MenuItem(text, *record[at : at + 4]))
        at += 4
    if at >= len(record):
        raise MenuDataError(at, "its list of items has no end")
    flags = MenuInfo.enableFlags.of(record)
    return Menu(MenuInfo.menuID.of(record), title, tuple(items), flags, bytes(record[at:]))


def without_items(record: bytes) -> Menu:
    """The menu of a record whose items only its own definition procedure can read."""
    start = MenuInfo.menuData.offset + 1
    at = start + record[start - 1]
    flags = MenuInfo.enableFlags.of(record)
    return Menu(MenuInfo.menuID.of(record), bytes(record[start:at]), (), flags, bytes(record[at:]))


def _string(record: bytes, at: int, what: str) -> tuple[bytes, int]:
    end = at + 1 + record[at]
    if end > len(record):
        raise MenuDataError(at, f"{what} is cut off")
    return record[at + 1 : end], end


def items_of(text: bytes) -> list[tuple[MenuItem, bool]]:
    """The items that a string for AppendMenu describes, each with whether it is enabled.

    Source: Inside Macintosh I, p. I-346.
    """
    items = []
    for piece in text.replace(b"\r", b";").split(b";"):
        item, enabled = MenuItem(b""), True
        letters = bytearray()
        characters = iter(piece)
        for character in characters:
            sign = chr(character)
            if sign == "(":
                enabled = False
            elif sign == "^":
                item = replace(item, icon=max(0, next(characters, 48) - 48))
            elif sign == "!":
                item = replace(item, mark=next(characters, 0))
            elif sign == "<":
                item = replace(item, style=item.style | _STYLES.get(chr(next(characters, 0)), 0))
            elif sign == "/":
                item = replace(item, command=next(characters, 0))
            else:
                letters.append(character)
        # An empty text would end the list of items.
        items.append((replace(item, text=bytes(letters) or b" "), enabled))
    return items


@dataclass(frozen=True, slots=True)
class MenuList:
    """The menu list.

    Attributes:
        menus: the handles of the menus in the bar, left to right, each with its title's left edge.
        submenus: the handles of the submenus.
    """

    menus: tuple[tuple[int, int], ...]
    submenus: tuple[int, ...]

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """The menu list in the contents of its handle.

        Raises:
            ValueError: it is damaged.
        """
        menus, end = _entries(data, 0)
        submenus, _ = _entries(data, end)
        return cls(tuple(menus), tuple(handle for handle, _ in submenus))

    def encode(self, end: int) -> bytes:
        """What the handle holds.

        Args:
            end: the right edge of the last title in the bar.
        """
        return _encoded(self.menus, end) + _encoded([(menu, 0) for menu in self.submenus], 0)


def _entries(data: bytes, start: int) -> tuple[list[tuple[int, int]], int]:
    """A header's menus, each with its left edge, and where they end."""
    first = start + MenuListHeader.size
    header = MenuListHeader.copied(data[start:first])
    count = header.lastMenu // MenuListEntry.size
    end = first + count * MenuListEntry.size
    if count > _MOST_MENUS or len(data) < end:
        raise ValueError("the menu list is damaged")
    return list(MenuListEntry.layout().iter_unpack(data[first:end])), end


def _encoded(menus: Iterable[tuple[int, int]], right: int) -> bytes:
    entries = b"".join(MenuListEntry.layout().pack(*menu) for menu in menus)
    return MenuListHeader.layout().pack(len(entries), right, 0) + entries
