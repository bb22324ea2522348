"""The dialogs there are, and their items, as other managers use them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from emu.quickdraw.rectangle import Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.dialogs.items import (
    EDIT_TEXT,
    ItemListEntry,
    ItemListError,
    parse_items,
)
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.windows import DialogItem, DialogRecord

PARAMETERS = 0xAA0
"""The low-memory global DAStrings: four handles."""


@dataclass(slots=True)
class Choices:
    """What is kept of a dialog besides its record.

    Attributes:
        default: the item for Return; 0 if the program has not chosen one.
        cancel: the item for Escape; 0 for none.
        ring: the item with a ring around it; 0 for none.
        icon: an alert's icon, a handle; 0 for none.
    """

    default: int = 0
    cancel: int = 0
    ring: int = 0
    icon: int = 0


class DialogList(Manager):
    """Dialogs and their items."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _windows: WindowAccess
    _controls: ControlList
    _text_edit: TextEditing

    def start(self) -> None:
        """No dialog is there yet."""
        self.choices: dict[int, Choices] = {}
        self._windows.on_close.append(lambda window: self.choices.pop(window, None))

    # -- for other managers and for people ---------------------------------------------------------

    def is_dialog(self, window: int) -> bool:
        """Whether a window is a dialog."""
        return window in self.choices and self._windows.is_window(window)

    def must_be_dialog(self, dialog: int) -> None:
        """Refuse what is no dialog.

        Raises:
            MisuseError: it is none.
        """
        self._windows.must_be_window(dialog)
        if dialog not in self.choices:
            raise self.host.misuse("not a dialog", f"the window 0x{dialog:x} is no dialog")

    def items(self, dialog: int) -> list[ItemListEntry]:
        """A dialog's items."""
        self.must_be_dialog(dialog)
        handle = DialogRecord(self.guest, dialog).items
        return self.parsed(self._memory.contents(handle), "the item list of the dialog")

    def parsed(self, data: bytes, name: str) -> list[ItemListEntry]:
        """The items of a list, of a damaged one those before the damage.

        Args:
            data: the list.
            name: what it is, for the finding.
        """
        try:
            return parse_items(data)
        except ItemListError as error:
            self.host.report(
                "damaged resource",
                f"{name} is damaged at offset {error.offset} of {len(data)}: {error}",
            )
            return error.items

    def whole(self, data: bytes, name: str) -> bytes:
        """The bytes of a list, of a damaged one up to the damage."""
        items = self.parsed(data, name)
        last = (len(items) - 1 & 0xFFFF).to_bytes(2, "big")
        if data[:2] == last:
            return data
        return last + data[2 : items[-1].end if items else 2]

    def item(self, dialog: int, number: int) -> ItemListEntry | None:
        """One item; None if there is none of that number."""
        items = self.items(dialog)
        return items[number - 1] if 1 <= number <= len(items) else None

    def store(self, dialog: int, item: ItemListEntry) -> None:
        """Write an item's handle, rectangle and type back to the list."""
        record = self.item_record(dialog, item)
        record.placeholder, record.displayRect, record.itemType = item.handle, item.r, item.type

    def item_record(self, dialog: int, item: ItemListEntry) -> DialogItem:
        """The record of an item in its dialog's list, good until memory moves."""
        items = self._memory.address(DialogRecord(self.guest, dialog).items)
        return DialogItem(self.guest, items + item.offset)

    def item_place(self, dialog: int, what: int | str) -> Point | None:
        """Where to click on an item, by number or by the title of a control, global.

        Returns:
            None if the window is no dialog or shows no such item.
        """
        if not self.is_dialog(dialog):
            return None
        for item in self.items(dialog):
            if item.is_hidden or not self._is_meant(item, what):
                continue
            inside = item.r.intersect(DialogRecord(self.guest, dialog).window.port.portRect)
            if inside.empty:
                return None
            return self._controls.middle(dialog, inside)
        return None

    def _is_meant(self, item: ItemListEntry, what: int | str) -> bool:
        if isinstance(what, int):
            return item.number == what
        if not item.is_control or not self._controls.is_control(item.handle):
            return False
        title = self._controls.look(item.handle).title
        return title == what.encode("mac_roman", "replace")

    def all(self) -> Iterator[int]:
        """The dialogs that are open."""
        return (window for window in self._windows.all() if window in self.choices)

    # -- texts for ^0 to ^3 ------------------------------------------------------------------------

    def set_parameter(self, number: int, text: bytes) -> None:
        """The text that stands for ^0, ^1, ^2 or ^3 in static text."""
        place = PARAMETERS + 4 * number
        data = pascal_string(text)
        handle = self.guest.u32(place)
        if handle:
            self._memory.set_contents(handle, data)
        else:
            self.guest.put32(place, self._memory.handle_from(data))

    def parameters(self) -> list[bytes]:
        """The texts that stand for ^0 to ^3."""
        handles = [self.guest.u32(PARAMETERS + 4 * number) for number in range(4)]
        return [self._memory.contents(handle)[1:] if handle else b"" for handle in handles]

    # -- the field that is edited ------------------------------------------------------------------

    def edited(self, dialog: int) -> int:
        """The number of the item that is edited; 0 if there is none."""
        return DialogRecord(self.guest, dialog).editField + 1

    def text_handle(self, dialog: int) -> int:
        """The edit record of the field that is edited; 0 if there is none."""
        return DialogRecord(self.guest, dialog).textH if self.edited(dialog) else 0

    def make_text_record(self, dialog: int) -> None:
        """Make the dialog's edit record.

        A dialog without fields has one, too: programs set its font and its line height for what the
        dialog shows, as soon as they have the dialog.
        """
        record, nowhere = DialogRecord(self.guest, dialog), Rectangle(0, 0, 0, 0)
        with self._quickdraw.drawing_in(dialog):
            record.textH = self._text_edit.make(nowhere, nowhere)

    def fields(self, dialog: int) -> list[ItemListEntry]:
        """The fields that a Mac lets the user edit: those that are not wholly outside the window.

        Source: IsVisItem in Apple's DialogMgr.a of 1994.
        """
        seen = DialogRecord(self.guest, dialog).window.port.portRect
        items = self.items(dialog)
        return [i for i in items if i.kind == EDIT_TEXT and not i.r.intersect(seen).empty]

    def edit_first(self, dialog: int) -> None:
        """Edit the first field in sight if none is edited."""
        if not self.edited(dialog):
            for item in self.fields(dialog)[:1]:
                self.edit(dialog, item)

    def end_editing(self, dialog: int) -> None:
        """Edit no field; the edit record has a text of its own again."""
        record = DialogRecord(self.guest, dialog)
        self._text_edit.set_active(record.textH, False)
        text = self._memory.handle_from(b"")
        self._text_edit.record(record.textH).fields.hText = text
        self._text_edit.record(record.textH).fields.teLength = 0
        record.editField = -1

    def edit(self, dialog: int, item: ItemListEntry, start: int = 0, end: int = 0) -> None:
        """Edit a field with some of it selected; the dialog's one edit record goes there.

        If it is the field that is edited already, its rectangle may be another one since. Source:
        ChangeField in Apple's DialogMgr.a of 1994.

        Args:
            dialog: the dialog.
            item: the field.
            start: where the selection begins, in characters.
            end: where it ends.
        """
        text_edit = self._text_edit
        record = DialogRecord(self.guest, dialog)
        handle = record.textH
        if self.edited(dialog):
            text_edit.set_active(handle, False)
        else:  # the record still has a text of its own
            self._memory.dispose_handle(text_edit.record(handle).fields.hText)
        text = text_edit.record(handle)
        fields = text.fields
        fields.hText = item.handle
        fields.teLength = text_edit.at_most(self._memory.handle_size(item.handle))
        fields.destRect = fields.viewRect = item.r
        text.break_lines()
        text.select(start, end)
        record.editField = item.number - 1
        if record.window.hilited:
            text_edit.set_active(handle, True)
