"""Tables of handlers that the library for object specifiers keeps with the Apple Event Manager.

A program that calls AEObjectInit contains that library, which makes tables by four routines that
Inside Macintosh does not describe. Source: the multiversal interfaces (names, selectors and
parameters; some parameters have no name there).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode


class AppleEventTables(Manager):
    """Tables of handlers, each found by two words."""

    title = "Apple Event Manager"

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._tables: dict[int, dict[bytes, bytes]] = {}

    @routine(
        "FUNCTION _AE_hdlr_table_alloc (unknown1,unknown2,unknown3: LONGINT; "
        "unknown4: SignedByte; VAR table: Handle): OSErr"
    )
    def allocate(self, first: int, second: int, third: int, fourth: int, result: int) -> int:
        """Make an empty table."""
        handle = self._memory.new_handle(4, clear=True)
        if not handle:
            return ResultCode.memFullErr
        self._tables[handle] = {}
        self.guest.put32(result, handle)
        return 0

    @routine(
        "FUNCTION _AE_hdlr_install (table: Handle; unknown: LONGINT; selector: Ptr; "
        "handler: Ptr): OSErr"
    )
    def install(self, table: int, unknown: int, key: int, handler: int) -> int:
        """Store a handler, which is an address and a word, under two words."""
        if table not in self._tables:
            return ResultCode.paramErr
        self._tables[table][self.guest.read(key, 8)] = self.guest.read(handler, 8)
        return 0

    @routine(
        "FUNCTION _AE_hdlr_lookup (table: Handle; unknown: LONGINT; selector: Ptr; "
        "VAR handler: Ptr): OSErr"
    )
    def look_up(self, table: int, unknown: int, key: int, result: int) -> int:
        """The handler under two words."""
        found = self._tables.get(table, {}).get(self.guest.read(key, 8))
        if found is None:
            return ResultCode.errAEHandlerNotFound
        self.guest.write(result, found)
        return 0

    @routine("FUNCTION _AE_hdlr_delete (table: Handle; unknown: LONGINT; selector: Ptr): OSErr")
    def delete(self, table: int, unknown: int, key: int) -> int:
        """Take a handler away."""
        found = self._tables.get(table, {}).pop(self.guest.read(key, 8), None)
        return 0 if found is not None else ResultCode.errAEHandlerNotFound
