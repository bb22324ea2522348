"""The List Manager's routines for cells: what they hold, where they are, and which holds something.

Sources: Inside Macintosh IV, the chapter on the List Manager Package; Inside Macintosh: More
Macintosh Toolbox, chapter 4.
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.lists.drawing import Lists
from emu.toolbox.managers.lists.record import ListRecord
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.text.strings import folded

_COMPARE = "FUNCTION Search (aPtr,bPtr: Ptr; aLen,bLen: INTEGER): INTEGER"


def _plain(text: bytes) -> bytes:
    return folded(text, case=False, marks=False)


class ListCells(Manager):
    """The cells of lists."""

    _memory: MemoryManager
    _lists: Lists

    # -- contents and places -----------------------------------------------------------------------

    def _store(self, cell: Point, handle: int, data: bytes) -> None:
        record = self._lists.record(handle)
        if record.has(cell) and record.put_data(cell, data):
            self._lists.draw(record, [cell])

    @routine(
        "PROCEDURE LSetCell (dataPtr: Ptr; dataLen: INTEGER; theCell: Point; lHandle: ListHandle)"
    )
    def l_set_cell(self, data: int, length: int, cell: Point, handle: int) -> None:
        """Give a cell other data; a cell that is not there is ignored."""
        self._store(cell, handle, self.guest.read(data, max(length, 0)))

    @routine(
        "PROCEDURE LAddToCell (dataPtr: Ptr; dataLen: INTEGER; theCell: Point; lHandle: ListHandle)"
    )
    def l_add_to_cell(self, data: int, length: int, cell: Point, handle: int) -> None:
        """Add data to that of a cell."""
        record = self._lists.record(handle)
        if record.has(cell):
            new = self.guest.read(data, max(length, 0))
            self._store(cell, handle, record.data(cell) + new)

    @routine("PROCEDURE LClrCell (theCell: Point; lHandle: ListHandle)")
    def l_clr_cell(self, cell: Point, handle: int) -> None:
        """Take a cell's data away."""
        self._store(cell, handle, b"")

    @routine(
        "PROCEDURE LGetCell (dataPtr: Ptr; VAR dataLen: INTEGER; theCell: Point; "
        "lHandle: ListHandle)"
    )
    def l_get_cell(self, result: int, length: int, cell: Point, handle: int) -> None:
        """Copy a cell's data, at most so many bytes; how many they are is stored."""
        record = self._lists.record(handle)
        if record.has(cell):
            data = record.data(cell)[: max(self.guest.i16(length), 0)]
            self.guest.write(result, data)
            self.guest.put16(length, len(data))

    @routine(
        "PROCEDURE LGetCellDataLocation (VAR offset,len: INTEGER; theCell: Point; "
        "lHandle: ListHandle)"
    )
    def l_find(self, offset: int, length: int, cell: Point, handle: int) -> None:
        """Where a cell's data is in the list's, and how long; both -1 if there is no such cell."""
        record = self._lists.record(handle)
        place = record.place(cell) if record.has(cell) else (-1, -1)
        for address, value in zip((offset, length), place, strict=True):
            self.guest.put16(address, value)

    @routine("PROCEDURE LRect (VAR cellRect: Rect; theCell: Point; lHandle: ListHandle)")
    def l_rect(self, result: int, cell: Point, handle: int) -> None:
        """The rectangle of a cell in its window; an empty one if there is no such cell."""
        record = self._lists.record(handle)
        r = record.rectangle(cell) if record.has(cell) else Rectangle(0, 0, 0, 0)
        self.guest.put_rect(result, *r)

    @routine(
        "FUNCTION LNextCell (hNext,vNext: BOOLEAN; VAR theCell: Point; "
        "lHandle: ListHandle): BOOLEAN"
    )
    def l_next_cell(self, across: bool, down: bool, cell: int, handle: int) -> bool:
        """Go to the next cell of the row, of the column, or of all; whether there is one."""
        record, (v, h) = self._lists.record(handle), self.guest.point(cell)
        bounds = record.bounds
        if across and h + 1 < bounds.right:
            following = Point(v, h + 1)
        elif down and v + 1 < bounds.bottom:
            following = Point(v + 1, bounds.left if across else h)
        else:
            return False
        self.guest.put_point(cell, following)
        return True

    # -- searching ---------------------------------------------------------------------------------

    @routine(
        "FUNCTION LSearch (dataPtr: Ptr; dataLen: INTEGER; searchProc: ProcPtr; "
        "VAR theCell: Point; lHandle: ListHandle): BOOLEAN"
    )
    def l_search(self, data: int, length: int, procedure: int, cell: int, handle: int) -> bool:
        """Look for data from a cell on, by a procedure or as equal text; whether it is found.

        Without a procedure capitals and accents do not count.
        """
        record, start = self._lists.record(handle), self.guest.point(cell)
        wanted = _plain(self.guest.read(data, max(length, 0)))
        for place in record.every_cell():
            if place < start:
                continue
            if procedure:
                equal = self._equal_by(record, place, procedure, data, length)
            else:
                equal = _plain(record.data(place)) == wanted
            if equal:
                self.guest.put_point(cell, place)
                return True
        return False

    def _equal_by(
        self, record: ListRecord, cell: Point, procedure: int, data: int, length: int
    ) -> bool:
        held = record.data(cell)
        copy = self._memory.new_pointer(max(len(held), 1))
        self.guest.write(copy, held)
        result = self.host.call_guest(procedure, _COMPARE, copy, data, len(held), length)
        self._memory.dispose_pointer(copy)
        return int(result) == 0
