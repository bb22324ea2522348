"""A list in guest memory, as programs read and write it.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 4.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.lists import ListRec

_SELECTED = 0x8000
_MOST_BYTES = 0x7FFF
_MOST_CELLS = 0x7FFF // 2  # a list's maxIndex is an INTEGER, and grows by two with each cell


@dataclass(slots=True)
class ListCell:
    """The data of a cell, and whether it is selected."""

    data: bytes = b""
    selected: bool = False


def can_be(rows: int, columns: int) -> bool:
    """Whether a list has room for so many rows and columns."""
    return rows * columns <= _MOST_CELLS


class ListRecord:
    """A list; every property reads or writes guest memory at once."""

    def __init__(self, memory: MemoryManager, handle: int) -> None:
        self._memory = memory
        self.handle = handle

    @property
    def fields(self) -> ListRec:
        """The record itself, good until memory moves."""
        return ListRec(self._memory.guest, self._memory.address(self.handle))

    # -- cells -------------------------------------------------------------------------------------

    @property
    def bounds(self) -> Rectangle:
        """Rows and columns that the list has."""
        return self.fields.dataBounds

    def has(self, cell: Point) -> bool:
        """Whether there is a cell of that row (v) and column (h)."""
        return self.bounds.contains(cell.h, cell.v)

    def number(self, cell: Point) -> int:
        """The place of a cell in the order of rows, and of columns in each."""
        bounds = self.bounds
        return (cell.v - bounds.top) * bounds.width + cell.h - bounds.left

    def every_cell(self) -> Iterator[Point]:
        """Row and column of all cells, in that order."""
        top, left, bottom, right = self.bounds
        return (Point(v, h) for v in range(top, bottom) for h in range(left, right))

    def _offsets(self) -> tuple[int, ...]:
        fields, bounds = self.fields, self.bounds
        count = bounds.height * bounds.width + 1
        return self._memory.guest.unpack(
            struct.Struct(f">{count}H"), fields.address_of(ListRec.cellArray)
        )

    def place(self, cell: Point) -> tuple[int, int]:
        """Where a cell's data begins in the list's data, and how long it is."""
        number, offsets = self.number(cell), self._offsets()
        start, end = (word & ~_SELECTED for word in offsets[number : number + 2])
        return start, end - start

    def data(self, cell: Point) -> bytes:
        """A cell's data."""
        start, size = self.place(cell)
        return self._memory.contents(self.fields.cells)[start : start + size]

    def is_selected(self, cell: Point) -> bool:
        """Whether a cell is selected."""
        return bool(self.fields.cellArray[self.number(cell)] & _SELECTED)

    def select(self, cell: Point, selected: bool) -> None:
        """Select a cell, or not; nothing is drawn."""
        fields, number = self.fields, self.number(cell)
        word = fields.cellArray[number]
        fields.cellArray[number] = word | _SELECTED if selected else word & ~_SELECTED

    def selection(self) -> list[Point]:
        """The selected cells, in order."""
        words = self._offsets()
        return [
            cell for cell, word in zip(self.every_cell(), words, strict=False) if word & _SELECTED
        ]

    def rows(self) -> list[list[ListCell]]:
        """All cells, row by row."""
        words, data = self._offsets(), self._memory.contents(self.fields.cells)
        plain = [word & ~_SELECTED for word in words]
        cells = [
            ListCell(data[start:end], bool(word & _SELECTED))
            for start, end, word in zip(plain, plain[1:], words, strict=False)
        ]
        wide = self.bounds.width
        return [cells[at : at + wide] for at in range(0, len(cells), wide)] if wide else []

    def put_rows(self, rows: list[list[ListCell]], bounds: Rectangle) -> bool:
        """Store other cells; False, and nothing is stored, if their data is too long."""
        cells = [cell for row in rows for cell in row]
        data = b"".join(cell.data for cell in cells)
        memory, size = self._memory, ListRec.size + 2 * len(cells) + 2
        if len(data) > _MOST_BYTES or not memory.set_contents(self.fields.cells, data):
            return False
        if memory.handle_size(self.handle) < size and not memory.resize_handle(self.handle, size):
            return False
        fields, offset = self.fields, 0
        fields.dataBounds, fields.maxIndex = bounds, 2 * len(cells)
        for number, cell in enumerate(cells):
            fields.cellArray[number] = offset | (_SELECTED if cell.selected else 0)
            offset += len(cell.data)
        fields.cellArray[len(cells)] = offset
        return True

    def put_data(self, cell: Point, data: bytes) -> bool:
        """Give a cell other data; False if that is too much."""
        rows, bounds = self.rows(), self.bounds
        rows[cell.v - bounds.top][cell.h - bounds.left].data = data
        return self.put_rows(rows, bounds)

    # -- places ------------------------------------------------------------------------------------

    def rectangle(self, cell: Point) -> Rectangle:
        """Where a cell is in its port, seen or not."""
        fields = self.fields
        view, (high, wide), visible = fields.rView, fields.cellSize, fields.visible
        top = view.top + (cell.v - visible.top) * high
        left = view.left + (cell.h - visible.left) * wide
        return Rectangle(top, left, top + high, left + wide)

    def cell_at(self, place: Point) -> Point:
        """Row and column at a point of the port; they need not exist."""
        fields = self.fields
        view, size, visible = fields.rView, fields.cellSize, fields.visible
        v = visible.top + (place.v - view.top) // max(size.v, 1)
        return Point(v, visible.left + (place.h - view.left) // max(size.h, 1))

    def visible_cells(self) -> list[Point]:
        """The cells that are seen, all or in part."""
        top, left, bottom, right = self.fields.visible.intersect(self.bounds)
        return [Point(v, h) for v in range(top, bottom) for h in range(left, right)]

    def room(self) -> Point:
        """How many whole rows and columns are seen."""
        fields = self.fields
        size = fields.cellSize
        return Point(fields.rView.height // max(size.v, 1), fields.rView.width // max(size.h, 1))

    def show_from(self, first: Point) -> None:
        """Let the list be seen from a cell on, or as near to it as there are cells; see `seen`."""
        fields, bounds, room = self.fields, self.bounds, self.room()
        top = max(bounds.top, min(first.v, bounds.bottom - room.v))
        left = max(bounds.left, min(first.h, bounds.right - room.h))
        size = fields.cellSize
        high = -(-fields.rView.height // max(size.v, 1))
        wide = -(-fields.rView.width // max(size.h, 1))
        fields.visible = Rectangle(top, left, top + high, left + wide)
