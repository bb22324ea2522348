"""The Dialog Manager: what programs ask and change about items.

Source: Inside Macintosh: Macintosh Toolbox Essentials, chapter 6 "Dialog Manager".
"""

from __future__ import annotations

from dataclasses import replace

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.manager import ControlManager
from emu.toolbox.managers.dialogs.items import EDIT_TEXT, HIDDEN, ItemListEntry
from emu.toolbox.managers.dialogs.looks import DialogLooks
from emu.toolbox.managers.dialogs.manager import DialogManager
from emu.toolbox.managers.dialogs.open_dialogs import DialogList
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.text.clipboard import TextClipboard
from emu.toolbox.managers.text.edit import TextEditManager
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.record import local_origin
from emu.toolbox.records.windows import DialogRecord

_RIGHT, _BOTTOM = 1, 2


class DialogFields(Manager):
    """Items of dialogs, one by one."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _windows: WindowAccess
    _window_tracking: WindowTracking
    _controls: ControlList
    _control_manager: ControlManager
    _text_edit: TextEditing
    _text_edit_manager: TextEditManager
    _clipboard: TextClipboard
    _dialogs: DialogList
    _looks: DialogLooks
    _dialog_manager: DialogManager

    @routine("PROCEDURE ParamText (param0,param1,param2,param3: Str255)")
    def param_text(self, first: int, second: int, third: int, fourth: int) -> None:
        """What stands for ^0 to ^3 in static text; nil leaves one as it is."""
        for number, address in enumerate((first, second, third, fourth)):
            if address:
                self._dialogs.set_parameter(number, self.guest.pascal_string(address))

    @routine(
        "PROCEDURE GetDialogItem (theDialog: DialogPtr; itemNo: INTEGER; VAR itemType: INTEGER; "
        "VAR item: Handle; VAR box: Rect)"
    )
    def get_dialog_item(
        self, dialog: int, number: int, type_at: int, handle_at: int, box_at: int
    ) -> None:
        """An item's type, handle and rectangle; nothing if there is no such item."""
        item = self._dialogs.item(dialog, number)
        if item is None:
            self.host.report("dialog item", f"there is no item {number} in the dialog")
            return
        r = item.r
        self.guest.put16(type_at, item.type)
        self.guest.put32(handle_at, item.handle)
        self.guest.put_rect(box_at, *r)

    @routine(
        "PROCEDURE SetDialogItem (theDialog: DialogPtr; itemNo: INTEGER; itemType: INTEGER; "
        "item: Handle; box: Rect)"
    )
    def set_dialog_item(self, dialog: int, number: int, kind: int, handle: int, box: int) -> None:
        """Change an item; nothing is drawn."""
        item = self._dialogs.item(dialog, number)
        if item is None:
            self.host.report("dialog item", f"there is no item {number} in the dialog")
            return
        r = self.guest.rect(box)
        changed = replace(item, type=kind & 0xFF, handle=handle, r=r)
        self._dialogs.store(dialog, changed)

    @routine("PROCEDURE GetDialogItemText (item: Handle; VAR text: Str255)")
    def get_dialog_item_text(self, handle: int, text: int) -> None:
        """What a text item says; 255 characters of it."""
        owner = self._owner(handle)
        if owner is not None and owner[1].is_control:
            self.host.report("dialog item", "GetDialogItemText was called for a control")
            self.guest.put_pascal_string(text, b"")
            return
        self.guest.put_pascal_string(text, self._memory.contents(handle))

    @routine("PROCEDURE SetDialogItemText (item: Handle; text: Str255)")
    def set_dialog_item_text(self, handle: int, text: int) -> None:
        """Let a text item say something else, and draw it."""
        owner = self._owner(handle)
        if owner is not None and owner[1].is_control:
            self.host.report("dialog item", "SetDialogItemText was called for a control")
            return
        data = self.guest.pascal_string(text)
        self._memory.set_contents(handle, data)
        if owner is None:
            return
        dialog, item = owner
        if self._dialogs.edited(dialog) == item.number:
            record = self._text_edit.record(self._dialogs.text_handle(dialog))
            record.fields.teLength = len(data)
            record.break_lines()
            record.select(*record.selection)
        if not item.is_hidden and DialogRecord(self.guest, dialog).window.visible:
            with self._quickdraw.drawing_in(dialog):
                self._looks.draw_item(dialog, item)

    def _owner(self, handle: int) -> tuple[int, ItemListEntry] | None:
        """The dialog and the item a handle belongs to."""
        for dialog in self._dialogs.all():
            for item in self._dialogs.items(dialog):
                if item.handle == handle and (item.is_text or item.is_control):
                    return dialog, item
        return None

    @routine(
        "PROCEDURE SelectDialogItemText (theDialog: DialogPtr; itemNo: INTEGER; "
        "strtSel,endSel: INTEGER)"
    )
    def select_dialog_item_text(self, dialog: int, number: int, start: int, end: int) -> None:
        """Edit a field, and select characters of it."""
        item = self._dialogs.item(dialog, number)
        if item is None or item.kind != EDIT_TEXT:
            return
        self._dialogs.edit(dialog, item, start, end)
        self._text_edit.show(self._text_edit.record(self._dialogs.text_handle(dialog)))

    # -- showing and hiding ------------------------------------------------------------------------

    @routine("PROCEDURE HideDialogItem (theDialog: DialogPtr; itemNo: INTEGER)")
    def hide_dialog_item(self, dialog: int, number: int) -> None:
        """Take an item out of sight; of a field that is edited, the next in sight takes the place.

        Source of the latter: HideDItem in Apple's DialogMgr.a of 1994.
        """
        item = self._dialogs.item(dialog, number)
        if item is None or item.is_hidden:
            return
        if self._dialogs.edited(dialog) == number:
            self._dialogs.end_editing(dialog)
        self._uncover(dialog, item)
        self._move(dialog, item, HIDDEN)
        self._dialogs.edit_first(dialog)

    @routine("PROCEDURE ShowDialogItem (theDialog: DialogPtr; itemNo: INTEGER)")
    def show_dialog_item(self, dialog: int, number: int) -> None:
        """Bring a hidden item back; it is drawn with the next update."""
        item = self._dialogs.item(dialog, number)
        if item is None or not item.is_hidden:
            return
        self._uncover(dialog, self._move(dialog, item, -HIDDEN))
        self._dialogs.edit_first(dialog)

    def _move(self, dialog: int, item: ItemListEntry, dh: int) -> ItemListEntry:
        moved = replace(item, r=item.r.offset(dh, 0))
        self._dialogs.store(dialog, moved)
        if item.is_control and item.handle:
            controls = self._control_manager
            (controls.hide_control if dh > 0 else controls.show_control)(item.handle)
        return moved

    def _uncover(self, dialog: int, item: ItemListEntry) -> None:
        """Erase an item's place and let it be drawn anew."""
        margin = 3 if item.kind == EDIT_TEXT else 0
        r = item.r
        r = Rectangle(r.top - margin, r.left - margin, r.bottom + margin, r.right + margin)
        record = DialogRecord(self.guest, dialog)
        background = self._quickdraw.background(dialog)
        if record.window.visible:
            Painter.in_port(self._quickdraw, dialog).blank(r, background)
        dh, dv = local_origin(self.guest, dialog)
        self._windows.invalidate(dialog, PixelRegion.from_rectangle(r.offset(-dh, -dv)))

    # -- changing the list -------------------------------------------------------------------------

    @routine("FUNCTION CountDITL (theDialog: DialogPtr): INTEGER")
    def count_ditl(self, dialog: int) -> int:
        """How many items a dialog has."""
        return len(self._dialogs.items(dialog))

    @routine("PROCEDURE AppendDITL (theDialog: DialogPtr; theHandle: Handle; method: INTEGER)")
    def append_ditl(self, dialog: int, items: int, method: int) -> None:
        """Add items over, to the right of or below those that are there; the window grows."""
        dialogs, memory = self._dialogs, self._memory
        record = DialogRecord(self.guest, dialog)
        handle = record.items
        before = dialogs.items(dialog)
        added = dialogs.whole(memory.contents(items), "the item list given to AppendDITL")
        bounds = record.window.port.portRect
        shift = {_RIGHT: (bounds.width, 0), _BOTTOM: (0, bounds.height)}.get(method, (0, 0))
        if method < 0 and -method <= len(before):
            beside = before[-method - 1].r
            shift = beside.left, beside.top
        count = len(before) + int.from_bytes(added[:2], "big", signed=True)
        data = (count & 0xFFFF).to_bytes(2, "big") + memory.contents(handle)[2:]
        memory.set_contents(handle, data + added[2:])
        for item in dialogs.items(dialog)[len(before) :]:
            if shift != (0, 0):
                dialogs.store(dialog, replace(item, r=item.r.offset(*shift)))
        for item in dialogs.items(dialog)[len(before) :]:
            self._dialog_manager.prepare(dialog, item)
        self._enlarge(dialog, len(before))

    def _enlarge(self, dialog: int, first: int) -> None:
        """Make a dialog's window so large that the items from one on can be seen."""
        bounds = DialogRecord(self.guest, dialog).window.port.portRect
        added = [item.r for item in self._dialogs.items(dialog)[first:]]
        right = max([bounds.right, *(r.right + 5 for r in added)])
        bottom = max([bounds.bottom, *(r.bottom + 5 for r in added)])
        self._window_tracking.size_window(dialog, right - bounds.left, bottom - bounds.top, True)

    @routine("PROCEDURE ShortenDITL (theDialog: DialogPtr; numberItems: INTEGER)")
    def shorten_ditl(self, dialog: int, number: int) -> None:
        """Remove items from the end; their places are erased, and drawn anew.

        Source of the latter: Apple's ROM sources of 1994, `DoShortenDITL` in CommToolbox's DITL.p.
        """
        dialogs, memory = self._dialogs, self._memory
        items = dialogs.items(dialog)
        gone = items[len(items) - number :] if 0 < number <= len(items) else []
        for item in gone:
            self._uncover(dialog, item)
            if item.is_control and item.handle:
                self._control_manager.dispose_control(item.handle)
            elif item.is_text and dialogs.edited(dialog) != item.number:
                memory.dispose_handle(item.handle)
        if gone:
            handle = DialogRecord(self.guest, dialog).items
            count = len(items) - len(gone) - 1
            data = memory.contents(handle)[: gone[0].offset]
            memory.set_contents(handle, (count & 0xFFFF).to_bytes(2, "big") + data[2:])

    # -- the rest ----------------------------------------------------------------------------------

    @routine("PROCEDURE SetDialogFont (fontNum: INTEGER)", imports=("SetDAFont",))
    def set_dialog_font(self, font: int) -> None:
        """The font of dialogs made from now on."""
        self.guest.put16(LowMemory.DIALOG_FONT, font)

    @routine("PROCEDURE CouldDialog (dialogID: INTEGER)")
    @routine("PROCEDURE FreeDialog (dialogID: INTEGER)")
    @routine("PROCEDURE CouldAlert (alertID: INTEGER)")
    @routine("PROCEDURE FreeAlert (alertID: INTEGER)")
    def keep_in_memory(self, number: int) -> None:
        """Resources are never out of reach here."""

    @routine("PROCEDURE DialogCut (theDialog: DialogPtr)")
    def dialog_cut(self, dialog: int) -> None:
        """Cut from the field that is edited."""
        handle = self._dialogs.text_handle(dialog)
        if handle:
            self._clipboard.te_cut(handle)

    @routine("PROCEDURE DialogCopy (theDialog: DialogPtr)")
    def dialog_copy(self, dialog: int) -> None:
        """Copy from the field that is edited."""
        handle = self._dialogs.text_handle(dialog)
        if handle:
            self._clipboard.te_copy(handle)

    @routine("PROCEDURE DialogPaste (theDialog: DialogPtr)")
    def dialog_paste(self, dialog: int) -> None:
        """Paste into the field that is edited."""
        handle = self._dialogs.text_handle(dialog)
        if handle:
            self._clipboard.te_paste(handle)

    @routine("PROCEDURE DialogDelete (theDialog: DialogPtr)")
    def dialog_delete(self, dialog: int) -> None:
        """Delete from the field that is edited."""
        handle = self._dialogs.text_handle(dialog)
        if handle:
            self._text_edit_manager.te_delete(handle)
