"""The Dialog Manager: handling events in dialogs."""

from __future__ import annotations

from collections.abc import Callable

from emu.quickdraw import PixelRegion
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.looks import IN_BUTTON
from emu.toolbox.managers.controls.tracking import ControlTracking
from emu.toolbox.managers.dialogs.items import CONTROL_ITEM, EDIT_TEXT, ItemListEntry
from emu.toolbox.managers.dialogs.looks import DialogLooks
from emu.toolbox.managers.dialogs.open_dialogs import DialogList
from emu.toolbox.managers.events.event import (
    ACTIVATE,
    AUTO_KEY,
    KEY_DOWN,
    MOUSE_DOWN,
    NULL,
    UPDATE,
    Event,
)
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.text.edit import TextEditManager
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.frames import IN_CONTENT, IN_GROW
from emu.toolbox.managers.windows.record import local_origin
from emu.toolbox.managers.windows.updates import WindowUpdates
from emu.toolbox.records.results import Modifier
from emu.toolbox.records.system import EventRecord
from emu.toolbox.records.windows import DialogRecord

_EVERYTHING = 0xFFFF
_ENTER, _TAB, _RETURN, _ESCAPE = 3, 9, 13, 27
_CONTROLS_OWN_ACTION = 0xFFFFFFFF
_FILTER = (
    "FUNCTION Filter (theDialog: DialogPtr; VAR theEvent: EventRecord; "
    "VAR itemHit: INTEGER): BOOLEAN"
)
_NO_ITEM = -1
_FLASH = 8
_STANDARD_FILTER = 0xABF7
"""A trap word of our own, which no routine of Apple's has: the standard filter's code."""


class DialogEvents(Manager):
    """ModalDialog and its relatives."""

    _memory: MemoryManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _windows: WindowAccess
    _window_updates: WindowUpdates
    _events: EventManager
    _controls: ControlList
    _control_tracking: ControlTracking
    _text_edit: TextEditing
    _text_edit_manager: TextEditManager
    _dialogs: DialogList
    _looks: DialogLooks
    _dispatcher: Dispatcher

    # -- modal dialogs -----------------------------------------------------------------------------

    @routine("PROCEDURE ModalDialog (filterProc: ProcPtr; VAR itemHit: INTEGER)")
    def modal_dialog(self, procedure: int, result: int) -> None:
        """Wait until an enabled item of the dialog in front is hit."""
        self.guest.put16(result, self.wait_for_item(procedure))

    def wait_for_item(self, procedure: int) -> int:
        """Handle events until an enabled item of the dialog in front is hit; its number.

        If the window in front is no dialog, only the program's filter can end the waiting. Source:
        ModalDialog in Apple's DialogMgr.a of 1994.

        Args:
            procedure: the program's filter; 0 for the standard one.

        Raises:
            GuestStopped: a Macintosh would hang, or nothing happens any more.
        """
        dialog = self._windows.front()
        if not self._dialogs.is_dialog(dialog):
            problem = "ModalDialog was called while the window in front was no dialog"
            if not (dialog and procedure):
                raise self.host.stopped(f"{problem}; a Macintosh would hang")
            self.host.report("not a dialog", problem)
        scratch = self._memory.new_pointer(EventRecord.size + 2, clear=True)
        try:
            with self._quickdraw.drawing_in(dialog):
                while True:
                    number = self._step(self._windows.front(), procedure, scratch)
                    if number is not None:
                        return number
        finally:
            self._memory.dispose_pointer(scratch)

    def _step(self, dialog: int, procedure: int, scratch: int) -> int | None:
        """Handle one event; the item that ends the waiting, if one was hit."""
        events = self._events
        event = events.next(_EVERYTHING, remove=True)
        if event.what == NULL:
            events.idle()
        if procedure:
            event, hit = self.filtered(
                event,
                scratch,
                lambda *places: self.host.call_guest(procedure, _FILTER, dialog, *places),
            )
            if hit is not None:
                return hit
        else:
            number = self.standard_key(dialog, event)
            if number:
                return number
        number = self.handle(dialog, event) if self._dialogs.is_dialog(dialog) else 0
        if event.what == UPDATE and self._window_updates.update_needed() == event.message:
            events.idle()  # Nobody draws that window; it must not keep the dialog waiting.
        return number or None

    def filtered(
        self, event: Event, scratch: int, takes: Callable[[int, int], bool]
    ) -> tuple[Event, int | None]:
        """An event as a filter of the program's leaves it, and the item that it says is hit.

        Args:
            event: the event.
            scratch: where an event record and an item's number can be.
            takes: calls the filter with both addresses; whether it has handled the event.

        Returns:
            the event, and the number of the item, or None if the filter has not handled it.
        """
        self._put(event, scratch)
        number_at = scratch + EventRecord.size
        self.guest.put16(number_at, 0)
        if takes(scratch, number_at):
            return event, self.guest.i16(number_at)
        return self._get(scratch), None

    def _put(self, event: Event, address: int) -> None:
        event.store(EventRecord(self.guest, address))

    def _get(self, address: int) -> Event:
        record = EventRecord(self.guest, address)
        return Event(record.what, record.message, record.when, record.where, record.modifiers)

    def standard_key(self, dialog: int, event: Event) -> int:
        """The button that a key stands for; 0 for none."""
        if event.what not in (KEY_DOWN, AUTO_KEY):
            return 0
        dialogs = self._dialogs
        dialogs.must_be_dialog(dialog)
        choices, key = dialogs.choices[dialog], event.message & 0xFF
        number = 0
        if key in (_RETURN, _ENTER):
            number = choices.default or DialogRecord(self.guest, dialog).aDefItem or 1
        elif key == _ESCAPE or (key == 0x2E and event.modifiers & Modifier.cmdKey):
            number = choices.cancel
        item = dialogs.item(dialog, number)
        if item is None:
            return 0
        if item.kind == CONTROL_ITEM:
            if self._controls.look(item.handle).usable:
                self._flash(item.handle)
            else:
                return 0
        return int(number)

    def _flash(self, button: int) -> None:
        """Show a button as pressed; to a person for 8 ticks (Macintosh Toolbox Essentials, 6)."""
        self._controls.set_highlight(button, IN_BUTTON)
        for _ in range(_FLASH if self._events.is_played else 0):
            self._events.idle()
        if self._controls.is_control(button):
            self._controls.set_highlight(button, 0)

    # -- one event ---------------------------------------------------------------------------------

    def handle(self, dialog: int, event: Event) -> int:
        """Do what an event asks of a dialog; the enabled item that was hit, or 0."""
        if event.what == UPDATE:
            if self._dialogs.is_dialog(event.message):
                self._update(event.message)
        elif event.what == ACTIVATE:
            if self._dialogs.is_dialog(event.message):
                handle = self._dialogs.text_handle(event.message)
                if handle:
                    self._text_edit.set_active(handle, bool(event.modifiers & Modifier.activeFlag))
        elif event.what == MOUSE_DOWN:
            part, window = self._windows.at(event.where)
            if window == dialog and part in (IN_CONTENT, IN_GROW):
                return self._click(dialog, event)
        elif event.what in (KEY_DOWN, AUTO_KEY):
            return self._key(dialog, event)
        else:
            handle = self._dialogs.text_handle(dialog)
            if handle:
                self._text_edit_manager.te_idle(handle)
        return 0

    def _update(self, dialog: int) -> None:
        self._window_updates.begin_update(dialog)
        visible = self._regions.region(DialogRecord(self.guest, dialog).window.port.visRgn)
        self._looks.draw(dialog, visible)
        self._window_updates.end_update(dialog)

    def _click(self, dialog: int, event: Event) -> int:
        place = self._quickdraw.to_local(dialog, event.where)
        item = self._item_at(dialog, place)
        if item is None:
            return 0
        if item.is_control:
            if not item.handle:
                return 0
            tracked = self._control_tracking.track_control(item.handle, place, _CONTROLS_OWN_ACTION)
            return item.number if tracked and item.enabled else 0
        if item.kind == EDIT_TEXT:
            if self._dialogs.edited(dialog) != item.number:
                self._dialogs.edit(dialog, item)
            extend = bool(event.modifiers & Modifier.shiftKey)
            self._text_edit_manager.te_click(place, extend, self._dialogs.text_handle(dialog))
        return item.number if item.enabled else 0

    def _item_at(self, dialog: int, place: Point) -> ItemListEntry | None:
        for item in self._dialogs.items(dialog):
            if item.r.contains(place.h, place.v):
                entry: ItemListEntry = item
                return entry
        return None

    def _key(self, dialog: int, event: Event) -> int:
        dialogs = self._dialogs
        handle = dialogs.text_handle(dialog)
        if not handle or event.modifiers & Modifier.cmdKey:
            return 0
        key = event.message & 0xFF
        if key == _TAB:
            self._next_field(dialog)
        else:
            self._text_edit.type(handle, key)
        item = dialogs.item(dialog, dialogs.edited(dialog))
        return item.number if item is not None and item.enabled else 0

    def _next_field(self, dialog: int) -> None:
        dialogs = self._dialogs
        now = dialogs.edited(dialog)
        others = [item for item in dialogs.fields(dialog) if item.number != now]
        if not others:
            return
        following = (item for item in others if item.number > now)
        dialogs.edit(dialog, next(following, others[0]), 0, 32767)
        self._text_edit.show(self._text_edit.record(dialogs.text_handle(dialog)))

    # -- modeless dialogs --------------------------------------------------------------------------

    @routine("FUNCTION IsDialogEvent (VAR theEvent: EventRecord): BOOLEAN")
    def is_dialog_event(self, address: int) -> bool:
        """Whether an event belongs to a dialog."""
        event, dialogs = self._get(address), self._dialogs
        if event.what in (UPDATE, ACTIVATE):
            return bool(dialogs.is_dialog(event.message))
        front = self._windows.front()
        if not dialogs.is_dialog(front):
            return False
        if event.what == MOUSE_DOWN:
            part, window = self._windows.at(event.where)
            return window == front and part in (IN_CONTENT, IN_GROW)
        return True

    @routine(
        "FUNCTION DialogSelect (VAR theEvent: EventRecord; VAR theDialog: DialogPtr; "
        "VAR itemHit: INTEGER): BOOLEAN"
    )
    def dialog_select(self, address: int, dialog_at: int, number_at: int) -> bool:
        """Handle an event of a dialog; whether an enabled item was hit.

        Both variables are always set, as System 7 does, which WordMaker relies on: to the dialog,
        or nil, and to the item, or -1.
        """
        event = self._get(address)
        dialog = self._windows.front()
        if event.what in (UPDATE, ACTIVATE):
            dialog = event.message
        number = 0
        if self._dialogs.is_dialog(dialog):
            with self._quickdraw.drawing_in(dialog):
                number = self.handle(dialog, event)
        else:
            dialog = 0
        self.guest.put32(dialog_at, dialog)
        self.guest.put16(number_at, number or _NO_ITEM)
        return bool(number)

    @routine("FUNCTION FindDialogItem (theDialog: DialogPtr; thePt: Point): INTEGER")
    def find_dialog_item(self, dialog: int, place: Point) -> int:
        """The item at a point, counted from 0; -1 if there is none."""
        item = self._item_at(dialog, place)
        return item.number - 1 if item is not None else _NO_ITEM

    # -- System 7's additions ----------------------------------------------------------------------

    @routine(
        "FUNCTION StdFilterProc (theDialog: DialogPtr; VAR theEvent: EventRecord; "
        "VAR itemHit: INTEGER): BOOLEAN",
        trap=_STANDARD_FILTER,
    )
    def standard_filter(self, dialog: int, address: int, number_at: int) -> bool:
        """The standard filter, as programs call it."""
        number = self.standard_key(dialog, self._get(address))
        if number:
            self.guest.put16(number_at, number)
        return bool(number)

    @routine("FUNCTION GetStdFilterProc (VAR theProc: ProcPtr): OSErr")
    def get_std_filter_proc(self, result: int) -> int:
        """The address of the standard filter."""
        address = self._dispatcher.procedure_pointer("StdFilterProc", _STANDARD_FILTER)
        self.guest.put32(result, address)
        return 0

    @routine("FUNCTION SetDialogDefaultItem (theDialog: DialogPtr; newItem: INTEGER): OSErr")
    def set_dialog_default_item(self, dialog: int, number: int) -> int:
        """The button for Return, which gets a ring."""
        self._dialogs.must_be_dialog(dialog)
        choices = self._dialogs.choices[dialog]
        choices.default = choices.ring = number
        item = self._dialogs.item(dialog, number)
        if item is not None:
            dh, dv = local_origin(self.guest, dialog)
            ring = PixelRegion.from_rectangle(item.r.offset(-dh, -dv)).inset(-4, -4)
            self._windows.invalidate(dialog, ring)
        return 0

    @routine("FUNCTION SetDialogCancelItem (theDialog: DialogPtr; newItem: INTEGER): OSErr")
    def set_dialog_cancel_item(self, dialog: int, number: int) -> int:
        """The button for Escape and Command-period."""
        self._dialogs.must_be_dialog(dialog)
        self._dialogs.choices[dialog].cancel = number
        return 0

    @routine("FUNCTION SetDialogTracksCursor (theDialog: DialogPtr; tracks: BOOLEAN): OSErr")
    def set_dialog_tracks_cursor(self, dialog: int, tracks: bool) -> int:
        """Whether the cursor becomes a beam over edit text; it cannot be seen here."""
        self._dialogs.must_be_dialog(dialog)
        return 0
