"""Selecting cells: by the program, and by the user with the mouse.

Which cells a click selects depends on the modifier keys and on the list's flags (selFlags).
The program's click loop (lClickLoop) is called before each look at the mouse, and may put an end to
it.
Source: Inside Macintosh IV, the chapter on the List Manager Package; Inside Macintosh: More
Macintosh Toolbox, chapter 4; of click loops LClick in Apple's ListMgrPACK.a of 1994.
"""

from __future__ import annotations

from enum import IntFlag

from emu.quickdraw import Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.looks import (
    IN_DOWN,
    IN_PAGE_DOWN,
    IN_PAGE_UP,
    IN_THUMB,
    IN_UP,
)
from emu.toolbox.managers.controls.tracking import ControlTracking
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.lists.drawing import Lists
from emu.toolbox.managers.lists.record import ListRecord
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.records.results import Modifier

_CLICK_LOOP = "FUNCTION ClickLoop: BOOLEAN"
_SCROLLS_DOWN, _SCROLLS_ACROSS = 2, 1
"""The bits of listFlags that let a list scroll while the mouse is dragged beyond its edge."""


class SelectionFlags(IntFlag):
    """The flags of a list about what clicks select (selFlags)."""

    NO_NIL_HILITE = 0x02
    USE_SENSE = 0x04
    NO_RECT = 0x08
    NO_EXTEND = 0x10
    NO_DISJOINT = 0x20
    EXTEND_DRAG = 0x40
    ONLY_ONE = 0x80


def _around(first: Point, second: Point) -> set[Point]:
    """The cells of the rectangle that two cells span."""
    rows = range(min(first.v, second.v), max(first.v, second.v) + 1)
    columns = range(min(first.h, second.h), max(first.h, second.h) + 1)
    return {Point(v, h) for v in rows for h in columns}


def dragged_cells(
    before: set[Point], anchor: Point, here: Point, flags: SelectionFlags, modifiers: int
) -> set[Point]:
    """The cells that are selected while the mouse is dragged from a cell to another.

    Args:
        before: those that were selected when the mouse was pressed.
        anchor: the cell in which it was pressed.
        here: the cell in which it is.
        flags: those of the list.
        modifiers: as an event has them.
    """
    if flags & SelectionFlags.ONLY_ONE:
        return {here}
    dragged = _around(anchor, here)
    if modifiers & Modifier.cmdKey and not flags & SelectionFlags.NO_DISJOINT:
        return before - dragged if anchor in before else before | dragged
    if modifiers & Modifier.shiftKey:
        if flags & SelectionFlags.USE_SENSE and anchor in before:
            return before - dragged
        if flags & SelectionFlags.NO_EXTEND or not before:
            return before | dragged
        if flags & SelectionFlags.NO_RECT:
            return before | dragged
        ends = [*before, anchor, here]
        corner = Point(min(c.v for c in ends), min(c.h for c in ends))
        return _around(corner, Point(max(c.v for c in ends), max(c.h for c in ends)))
    return dragged if flags & SelectionFlags.EXTEND_DRAG else {here}


class ListClicks(Manager):
    """Selected cells."""

    _lists: Lists
    _controls: ControlList
    _control_tracking: ControlTracking
    _quickdraw: QuickDraw
    _window_tracking: WindowTracking

    # -- by the program ----------------------------------------------------------------------------

    @routine("PROCEDURE LSetSelect (setIt: BOOLEAN; theCell: Point; lHandle: ListHandle)")
    def l_set_select(self, selected: bool, cell: Point, handle: int) -> None:
        """Select a cell, or not."""
        record = self._lists.record(handle)
        if record.has(cell):
            self._lists.select(record, cell, selected)

    @routine(
        "FUNCTION LGetSelect (next: BOOLEAN; VAR theCell: Point; lHandle: ListHandle): BOOLEAN"
    )
    def l_get_select(self, search: bool, cell: int, handle: int) -> bool:
        """Whether a cell is selected; or with ``next``, the first that is from there on."""
        record, place = self._lists.record(handle), self.guest.point(cell)
        if not search:
            return record.has(place) and record.is_selected(place)
        selected = next(
            (cell_selected for cell_selected in record.selection() if cell_selected >= place), None
        )
        if selected is not None:
            self.guest.put_point(cell, selected)
        return selected is not None

    @routine("FUNCTION LLastClick (lHandle: ListHandle): Cell")
    def l_last_click(self, handle: int) -> Point:
        """The cell that was clicked last; (-1, -1) before the first click."""
        return self._lists.record(handle).fields.lastClick

    # -- by the user -------------------------------------------------------------------------------

    @routine("FUNCTION LClick (pt: Point; modifiers: INTEGER; lHandle: ListHandle): BOOLEAN")
    def l_click(self, place: Point, modifiers: int, handle: int) -> bool:
        """Follow the mouse from a press in a list or its scroll bars; whether it clicked twice."""
        record = self._lists.record(handle)
        fields = record.fields
        bar = next(
            (each_bar for each_bar in self._lists.bars(record) if self._part(each_bar, place)), 0
        )
        if bar:
            self._scroll_with(record, bar, place)
            return False
        if not fields.rView.contains(place.h, place.v):
            return False
        now, cell = self.host.clock.ticks(), record.cell_at(place)
        quick = now - fields.clikTime <= self.guest.u32(LowMemory.DOUBLE_CLICK_TIME)
        twice = quick and fields.lastClick == cell
        fields.clikTime, fields.clikLoc, fields.lastClick = now, place, cell
        self._drag(record, cell, modifiers)
        return twice and record.has(cell)

    def _drag(self, record: ListRecord, anchor: Point, modifiers: int) -> None:
        flags, before = SelectionFlags(record.fields.selFlags & 0xFF), set(record.selection())
        port = record.fields.port
        for mouse in self._window_tracking.while_mouse_is_down():
            place = self._quickdraw.to_local(port, mouse)
            record.fields.mouseLoc = place
            loop = record.fields.lClickLoop
            if loop and not self.host.call_guest(loop, _CLICK_LOOP, registers="-> D0"):
                break
            self._follow(record, place)
            here = record.cell_at(place)
            if record.has(anchor):
                here = self._nearest(record.bounds, here)
                wanted = dragged_cells(before, anchor, here, flags, modifiers)
            else:
                keeps = modifiers & (Modifier.cmdKey | Modifier.shiftKey)
                wanted = before if keeps else {here} if record.has(here) else set()
            if flags & SelectionFlags.NO_NIL_HILITE:
                wanted = {cell for cell in wanted if record.place(cell)[1]}
            for cell in sorted(set(record.selection()) ^ wanted):
                self._lists.select(record, cell, cell in wanted)

    def _nearest(self, bounds: Rectangle, cell: Point) -> Point:
        v = min(max(cell.v, bounds.top), bounds.bottom - 1)
        return Point(v, min(max(cell.h, bounds.left), bounds.right - 1))

    def _follow(self, record: ListRecord, place: Point) -> None:
        """Scroll towards a mouse that is dragged beyond the list's edge."""
        fields = record.fields
        view, flags, visible = fields.rView, fields.listFlags, fields.visible
        down = (place.v >= view.bottom) - (place.v < view.top) if flags & _SCROLLS_DOWN else 0
        across = (place.h >= view.right) - (place.h < view.left) if flags & _SCROLLS_ACROSS else 0
        if down or across:
            self._lists.scroll_to(record, Point(visible.top + down, visible.left + across))

    # -- scroll bars -------------------------------------------------------------------------------

    def _part(self, bar: int, place: Point) -> int:
        return self._controls.part_at(bar, place) if self._controls.is_visible(bar) else 0

    def _scroll_with(self, record: ListRecord, bar: int, place: Point) -> None:
        """Scroll while the mouse is held down in a part of a scroll bar."""
        upright, part = bar == record.fields.vScroll, self._part(bar, place)
        if part == IN_THUMB:
            self._control_tracking.track_control(bar, place, 0)
            self._scroll(record, upright, self._controls.record(bar).contrlValue)
            return
        room = record.room()
        page = max((room.v if upright else room.h) - 1, 1)
        step = {IN_UP: -1, IN_DOWN: 1, IN_PAGE_UP: -page, IN_PAGE_DOWN: page}[part]
        for mouse in self._window_tracking.while_mouse_is_down():
            inside = self._part(bar, self._quickdraw.to_local(record.fields.port, mouse)) == part
            self._controls.set_highlight(bar, part if inside else 0)
            if inside:
                seen = record.fields.visible
                self._scroll(record, upright, (seen.top if upright else seen.left) + step)
        self._controls.set_highlight(bar, 0)

    def _scroll(self, record: ListRecord, upright: bool, first: int) -> None:
        seen = record.fields.visible
        self._lists.scroll_to(
            record, Point(first, seen.left) if upright else Point(seen.top, first)
        )
