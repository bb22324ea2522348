"""The menu list: which menus are in the menu bar, and which are submenus, as it lies in memory.

A header and its entries stand for the menus of the bar; after them a second header and its entries
stand for the submenus.
Source: Inside Macintosh V, p. V-228.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from emu.toolbox.records.windows import MenuListEntry, MenuListHeader

_MOST_MENUS = 200


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
