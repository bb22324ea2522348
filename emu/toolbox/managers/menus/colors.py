"""The colours of menus: the table that programs read and change.

It is kept as on a Macintosh with Color QuickDraw. The menu bar and menus are drawn black on white
whatever it says, since every entry is a matter of taste of a program or of the user.
Source: Inside Macintosh: Macintosh Toolbox Essentials, chapter 3, "The Menu Color Information Table
Record".
"""

from __future__ import annotations

import struct

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager

_ENTRY = struct.Struct(">hh26s")
"""mctID, mctItem; four colours and a reserved word. All bits of an entry are kept."""
_COUNT = struct.Struct(">h")
_END_ID = -99
_END = _ENTRY.pack(_END_ID, 0, b"")
_ALL_ITEMS = -98

_Key = tuple[int, int]


class MenuColors(Manager):
    """Entries for the bar (menu 0), a menu's title (item 0) and items, in order of both."""

    _memory: MemoryManager
    _resources: ResourceManager

    def begin(self) -> None:
        """Make the table for InitMenus: empty, or as the program's 'mctb' 0 says."""
        if self.host.has_color:
            self._store({})
            self.load(0)

    def load(self, number: int) -> None:
        """Take the entries of a 'mctb' resource, as GetMenu does for a menu of its number."""
        data = self._resources.data("mctb", number) if self.host.has_color else None
        if data is not None and len(data) >= _COUNT.size:
            (count,) = _COUNT.unpack_from(data)
            self._add(data[_COUNT.size :], count)

    def _entries(self, data: bytes, most: int) -> dict[_Key, bytes]:
        """The entries in some bytes, up to the one that ends a table."""
        entries: dict[_Key, bytes] = {}
        for start in range(0, len(data) - _ENTRY.size + 1, _ENTRY.size)[: max(most, 0)]:
            menu, item, _ = _ENTRY.unpack_from(data, start)
            if menu == _END_ID:
                break
            entries[menu, item] = data[start : start + _ENTRY.size]
        return entries

    @property
    def _handle(self) -> int:
        return self.guest.u32(LowMemory.MENU_COLORS)

    def _table(self) -> dict[_Key, bytes]:
        data = self._memory.contents(self._handle) if self._handle else b""
        return self._entries(data, len(data))

    def _store(self, entries: dict[_Key, bytes]) -> None:
        data = b"".join(entries[key] for key in sorted(entries)) + _END
        if self._handle and self._memory.is_handle(self._handle):
            self._memory.set_contents(self._handle, data)
        else:
            self.guest.put32(LowMemory.MENU_COLORS, self._memory.handle_from(data))

    def _add(self, data: bytes, count: int) -> None:
        self._store(self._table() | self._entries(data, count))

    @routine("FUNCTION GetMCInfo : Handle")
    def get_mc_info(self) -> int:
        """A copy of the table; nil without one."""
        return self._memory.handle_from(self._memory.contents(self._handle)) if self._handle else 0

    @routine("PROCEDURE SetMCInfo (menuCTbl: Handle)")
    def set_mc_info(self, table: int) -> None:
        """Put a copy of another table in its place."""
        data = self._memory.contents(table) if table else b""
        self._store(self._entries(data, len(data)))

    @routine("PROCEDURE DisposeMCInfo (menuCTbl: Handle)")
    def dispose_mc_info(self, table: int) -> None:
        """Free a copy of the table."""
        self._memory.dispose_handle(table)

    @routine("FUNCTION GetMCEntry (menuID: INTEGER; menuItem: INTEGER): Ptr")
    def get_mc_entry(self, menu: int, item: int) -> int:
        """Where an entry is in the table, until memory moves; nil if there is none."""
        keys = sorted(self._table())
        if (menu, item) not in keys:
            return 0
        return self._memory.address(self._handle) + _ENTRY.size * keys.index((menu, item))

    @routine("PROCEDURE SetMCEntries (numEntries: INTEGER; menuCEntries: Ptr)")
    def set_mc_entries(self, count: int, entries: int) -> None:
        """Add entries, or replace those of the same menu and item."""
        self._add(self.guest.read(entries, _ENTRY.size * max(count, 0)), count)

    @routine("PROCEDURE DeleteMCEntries (menuID: INTEGER; menuItem: INTEGER)")
    def delete_mc_entries(self, menu: int, item: int) -> None:
        """Remove an entry; -98 stands for all items of a menu."""
        table = self._table()
        gone = [key for key in table if key[0] == menu and item in (key[1], _ALL_ITEMS)]
        self._store({key: entry for key, entry in table.items() if key not in gone})
