"""The Scrap Manager: what is cut or copied, for other programs and for the next run of this one.

Nobody else is here to take it, so the scrap lives in memory only, from the program's beginning to
its end.
Source: Inside Macintosh I, chapter 15 (format, result codes and low memory); Inside Macintosh:
More Macintosh Toolbox, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import ScrapStuff

_SCRAP_STUFF = 0x960
"""Where the record that InfoScrap leads to is in low memory."""

_IN_MEMORY = 1


class ScrapManager(Manager):
    """The desk scrap: items one after another, each with its type, its length and its data."""

    _memory: MemoryManager

    @property
    def _stuff(self) -> ScrapStuff:
        return ScrapStuff(self.guest, _SCRAP_STUFF)

    def start(self) -> None:
        """The scrap is in memory, and there is nothing in it."""
        self._stuff.scrapState = _IN_MEMORY

    def _handle(self) -> int:
        """The scrap's handle; 0 if there is no memory for it."""
        handle = self._stuff.scrapHandle
        if not handle:
            handle = self._memory.new_handle(0)
            self._stuff.scrapHandle = handle
        return handle

    def put(self, kind: str, data: bytes) -> int:
        """Add an item behind those that are there; the error, or 0."""
        handle, memory = self._handle(), self._memory
        if not handle:
            return ResultCode.memFullErr
        item = kind.encode("mac_roman") + len(data).to_bytes(4, "big") + data
        whole = memory.contents(handle) + item + bytes(len(data) % 2)
        if not memory.set_contents(handle, whole):
            return ResultCode.memFullErr
        self._stuff.scrapSize = len(whole)
        return 0

    def find(self, kind: str) -> tuple[int, bytes] | None:
        """Where in the scrap the first item's data of a type begins, and the data."""
        handle = self._stuff.scrapHandle
        whole = self._memory.contents(handle) if handle else b""
        wanted, at = kind.encode("mac_roman"), 0
        while at + 8 <= len(whole):
            length = int.from_bytes(whole[at + 4 : at + 8], "big")
            if whole[at : at + 4] == wanted:
                return at + 8, whole[at + 8 : at + 8 + length]
            at += 8 + length + length % 2
        return None

    # -- routines ----------------------------------------------------------------------------------

    @routine("FUNCTION InfoScrap: Ptr")
    def info_scrap(self) -> int:
        """The record about the scrap: size, handle, count of ZeroScrap's calls, state, name."""
        self._handle()
        return _SCRAP_STUFF

    @routine("FUNCTION UnloadScrap: LONGINT")
    @routine("FUNCTION LoadScrap: LONGINT")
    def keep_in_memory(self) -> int:
        """Write the scrap to disk, or read it from there: in memory it stays."""
        return 0

    @routine("FUNCTION ZeroScrap: LONGINT")
    def empty(self) -> int:
        """Empty the scrap; programs see by its count that it has changed."""
        handle = self._handle()
        if not handle:
            return ResultCode.memFullErr
        self._memory.set_contents(handle, b"")
        self._stuff.scrapSize = 0
        self._stuff.scrapCount += 1
        return 0

    @routine("FUNCTION PutScrap (length: LONGINT; theType: ResType; source: Ptr): LONGINT")
    def put_scrap(self, length: int, kind: str, source: int) -> int:
        """Add an item."""
        return self.put(kind, self.guest.read(source, max(length, 0)))

    @routine("FUNCTION GetScrap (hDest: Handle; theType: ResType; VAR offset: LONGINT): LONGINT")
    def get_scrap(self, destination: int, kind: str, offset: int) -> int:
        """Copy the first item of a type to a handle, or to none if that is nil; its length."""
        entry = self.find(kind)
        if entry is None:
            return ResultCode.noTypeErr
        place, data = entry
        if destination and not self._memory.set_contents(destination, data):
            return ResultCode.memFullErr
        self.guest.put32(offset, place)
        return len(data)
