"""The List Manager's routines for lists; cells are in `cells`, what a click does in `clicks`.

Sources: Inside Macintosh IV, the chapter on the List Manager Package; Inside Macintosh: More
Macintosh Toolbox, chapter 4.
"""

from __future__ import annotations

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.lists.drawing import ListMessage, Lists
from emu.toolbox.managers.lists.record import ListCell, ListRecord, can_be
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.lists import ListRec

_INDENT = 4
_ALWAYS, _SIZE_BOX = 0x14, 0x20
"""Bits of listFlags that Inside Macintosh reserves, as a Macintosh sets them in a new list."""


class ListManager(Manager):
    """Lists of cells that the user can select."""

    _memory: MemoryManager
    _regions: RegionHandles
    _lists: Lists

    # -- lists -------------------------------------------------------------------------------------

    @routine(
        "FUNCTION LNew (rView,dataBounds: Rect; cSize: Point; theProc: INTEGER; "
        "theWindow: WindowPtr; drawIt,hasGrow,scrollHoriz,scrollVert: BOOLEAN): ListHandle"
    )
    def l_new(
        self,
        view: int,
        bounds: int,
        size: Point,
        definition: int,
        window: int,
        draw: bool,
        grows: bool,
        horizontal: bool,
        vertical: bool,
    ) -> int:
        """A list in a window, with empty cells; nil if memory is full."""
        lists, memory = self._lists, self._memory
        rectangles = self.guest.rect(view), self.guest.rect(bounds)
        if not can_be(rectangles[1].height, rectangles[1].width):
            return 0
        own = lists.find_definition(definition)
        handle, cells = memory.new_handle(ListRec.size + 2, clear=True), memory.new_handle(0)
        if not handle or not cells:
            return 0
        lists.lists.add(handle)
        record = ListRecord(memory, handle)
        fields = record.fields
        fields.rView, fields.dataBounds = rectangles
        fields.port, fields.cells, fields.listDefProc = window, cells, own
        fields.lActive = 1
        fields.listFlags = _ALWAYS | grows * _SIZE_BOX | vertical * 2 | horizontal * 1
        fields.lastClick = Point(-1, -1)
        font, _ = lists.font(record)
        wide, columns = rectangles[0].width, max(rectangles[1].width, 1)
        fields.cellSize = Point(size.v or font.line_height, size.h or wide // columns)
        fields.indent = Point(font.ascent, _INDENT)
        empty = [
            [ListCell() for _ in range(rectangles[1].width)] for _ in range(rectangles[1].height)
        ]
        record.put_rows(empty, rectangles[1])
        record.show_from(Point(rectangles[1].top, rectangles[1].left))
        lists.set_drawing(record, draw)
        for wanted, upright in ((vertical, True), (horizontal, False)):
            if wanted:
                bar = lists.make_bar(record, vertical=upright, visible=draw)
                fields = record.fields
                fields.vScroll, fields.hScroll = (
                    (bar, fields.hScroll) if upright else (fields.vScroll, bar)
                )
        lists.call(record, ListMessage.INITIALISE)
        lists.update_bars(record)
        lists.draw(record)
        return handle

    @routine("PROCEDURE LDispose (lHandle: ListHandle)")
    def l_dispose(self, handle: int) -> None:
        """Free a list with its data and its scroll bars."""
        record = self._lists.record(handle)
        self._lists.call(record, ListMessage.CLOSE)
        self._lists.remove_bars(record)
        self._memory.dispose_handle(record.fields.cells)
        self._memory.dispose_handle(handle)
        self._lists.lists.remove(handle)

    @routine("PROCEDURE LActivate (act: BOOLEAN; lHandle: ListHandle)")
    def l_activate(self, active: bool, handle: int) -> None:
        """Show or hide a list's selection and its scroll bars."""
        record = self._lists.record(handle)
        if bool(record.fields.lActive) == active:
            return
        chosen = record.selection()
        record.fields.lActive = 1
        for cell in chosen:
            record.select(cell, active)
            self._lists.highlight(record, cell)
            record.select(cell, True)
        record.fields.lActive = int(active)
        self._lists.show_bars(record, active)

    @routine("PROCEDURE LSetDrawingMode (drawIt: BOOLEAN; lHandle: ListHandle)")
    def l_set_drawing_mode(self, on: bool, handle: int) -> None:
        """Switch drawing on or off; what has changed in between is drawn by LUpdate."""
        record = self._lists.record(handle)
        self._lists.set_drawing(record, on)
        if on:
            self._lists.show_bars(record, bool(record.fields.lActive))

    @routine("PROCEDURE LUpdate (theRgn: RgnHandle; lHandle: ListHandle)")
    def l_update(self, region: int, handle: int) -> None:
        """Draw the cells that touch a region, and the scroll bars."""
        record, part = self._lists.record(handle), self._regions.region(region)
        touched = [
            cell
            for cell in record.visible_cells()
            if not part.intersect(PixelRegion.from_rectangle(record.rectangle(cell))).empty
        ]
        self._lists.draw(record, touched)
        self._lists.draw_bars(record)

    @routine("PROCEDURE LDraw (theCell: Point; lHandle: ListHandle)")
    def l_draw(self, cell: Point, handle: int) -> None:
        """Draw a cell."""
        self._lists.draw(self._lists.record(handle), [cell])

    @routine("PROCEDURE LSize (listWidth,listHeight: INTEGER; lHandle: ListHandle)")
    def l_size(self, width: int, height: int, handle: int) -> None:
        """Give a list another width and height; its scroll bars move along."""
        record = self._lists.record(handle)
        top, left, _, _ = record.fields.rView
        record.fields.rView = Rectangle(top, left, top + height, left + width)
        self._lists.place_bars(record)
        self._lists.changed(record)

    @routine("PROCEDURE LCellSize (cSize: Point; lHandle: ListHandle)")
    def l_cell_size(self, size: Point, handle: int) -> None:
        """Give the cells another size."""
        record = self._lists.record(handle)
        record.fields.cellSize = size
        self._lists.changed(record)

    # -- scrolling ---------------------------------------------------------------------------------

    @routine("PROCEDURE LScroll (dCols,dRows: INTEGER; lHandle: ListHandle)")
    def l_scroll(self, columns: int, rows: int, handle: int) -> None:
        """Scroll by columns and rows, as far as there are any."""
        record = self._lists.record(handle)
        visible = record.fields.visible
        self._lists.scroll_to(record, Point(visible.top + rows, visible.left + columns))

    @routine("PROCEDURE LAutoScroll (lHandle: ListHandle)")
    def l_auto_scroll(self, handle: int) -> None:
        """Scroll so that the first selected cell is seen."""
        record = self._lists.record(handle)
        chosen = record.selection()
        if not chosen:
            return
        visible, room = record.fields.visible, record.room()
        first = chosen[0]
        top = first.v if not visible.top <= first.v < visible.top + room.v else visible.top
        left = first.h if not visible.left <= first.h < visible.left + room.h else visible.left
        self._lists.scroll_to(record, Point(top, left))

    # -- rows and columns --------------------------------------------------------------------------

    def _resize(self, record: ListRecord, rows: list[list[ListCell]], bounds: Rectangle) -> bool:
        stored = record.put_rows(rows, bounds)
        if stored:
            self._lists.changed(record)
        return stored

    @routine("FUNCTION LAddRow (count,rowNum: INTEGER; lHandle: ListHandle): INTEGER")
    def l_add_row(self, count: int, row: int, handle: int) -> int:
        """Add empty rows before a row, or at the end; the number of the first."""
        record = self._lists.record(handle)
        top, left, bottom, right = record.bounds
        row, count = min(max(row, top), bottom), max(count, 0)
        if not can_be(bottom - top + count, right - left):
            return row
        rows = record.rows() or [[] for _ in range(bottom - top)]
        new = [[ListCell() for _ in range(right - left)] for _ in range(count)]
        rows[row - top : row - top] = new
        self._resize(record, rows, Rectangle(top, left, bottom + len(new), right))
        return row

    @routine("FUNCTION LAddColumn (count,colNum: INTEGER; lHandle: ListHandle): INTEGER")
    def l_add_column(self, count: int, column: int, handle: int) -> int:
        """Add empty columns before a column, or at the end; the number of the first."""
        record = self._lists.record(handle)
        top, left, bottom, right = record.bounds
        column, count = min(max(column, left), right), max(count, 0)
        if not can_be(bottom - top, right - left + count):
            return column
        rows = record.rows() or [[] for _ in range(bottom - top)]
        for row in rows:
            row[column - left : column - left] = [ListCell() for _ in range(count)]
        self._resize(record, rows, Rectangle(top, left, bottom, right + count))
        return column

    @routine("PROCEDURE LDelRow (count,rowNum: INTEGER; lHandle: ListHandle)")
    def l_del_row(self, count: int, row: int, handle: int) -> None:
        """Delete rows from a row on; all of them for a count of 0."""
        record = self._lists.record(handle)
        top, left, bottom, right = record.bounds
        row, count = (row, count) if count else (top, bottom - top)
        if not top <= row < bottom or count < 0:
            return
        rows = record.rows()
        del rows[row - top : row - top + count]
        gone = min(count, bottom - row)
        self._resize(record, rows, Rectangle(top, left, bottom - gone, right))

    @routine("PROCEDURE LDelColumn (count,colNum: INTEGER; lHandle: ListHandle)")
    def l_del_column(self, count: int, column: int, handle: int) -> None:
        """Delete columns from a column on; all of them for a count of 0."""
        record = self._lists.record(handle)
        top, left, bottom, right = record.bounds
        column, count = (column, count) if count else (left, right - left)
        if not left <= column < right or count < 0:
            return
        rows = record.rows()
        for row in rows:
            del row[column - left : column - left + count]
        gone = min(count, right - column)
        self._resize(record, rows, Rectangle(top, left, bottom, right - gone))
