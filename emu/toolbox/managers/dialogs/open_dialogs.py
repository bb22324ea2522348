"""The dialogs there are: their items, as other managers use and draw them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.dialogs.items import (
    EDIT_TEXT,
    ICON_ITEM,
    PICTURE_ITEM,
    STATIC_TEXT,
    USER_ITEM,
    ItemListEntry,
    ItemListError,
    parse_items,
    shown_to_user,
)
from emu.toolbox.managers.icons.color_icons import ColorIcons
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.pictures.manager import Pictures
from emu.toolbox.managers.text.edit import TextEditManager
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.windows import DialogItem, DialogRecord

PARAMETERS = 0xAA0
"""The low-memory global DAStrings: four handles."""

_RING = 4
_ICON_SIZE = 32
_ALERT_ICON = Rectangle(10, 20, 42, 52)
"""Where in an alert its icon is."""


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

    title = "Dialog Manager"

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _pictures: Pictures
    _windows: WindowAccess
    _controls: ControlList
    _text_edit: TextEditing
    _text_edit_manager: TextEditManager
    _color_icons: ColorIcons

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
            GuestStopped: it is none.
        """
        self._windows.must_be_window(dialog)
        if dialog not in self.choices:
            raise self.host.stopped(f"the window 0x{dialog:x} is no dialog")

    def items(self, dialog: int) -> list[ItemListEntry]:
        """A dialog's items.

        Raises:
            GuestStopped: the item list is damaged.
        """
        self.must_be_dialog(dialog)
        handle = DialogRecord(self.guest, dialog).items
        return self.parsed(self._memory.contents(handle), "the item list of the dialog")

    def parsed(self, data: bytes, name: str) -> list[ItemListEntry]:
        """The items of a list.

        Args:
            data: the list.
            name: what it is, for the message.

        Raises:
            GuestStopped: it is damaged.
        """
        try:
            return parse_items(data)
        except ItemListError as error:
            raise self.host.stopped(
                f"{name} is damaged at offset {error.offset} of {len(data)}: {error}"
            ) from error

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

    def edit(self, dialog: int, item: ItemListEntry) -> None:
        """Edit another field; the dialog's one edit record goes there."""
        text_edit = self._text_edit
        record = DialogRecord(self.guest, dialog)
        handle = record.textH
        if self.edited(dialog) == item.number and handle:
            return
        if not handle:
            with self._quickdraw.drawing_in(dialog):
                handle = text_edit.make(item.r, item.r)
            record.textH = handle
            self._memory.dispose_handle(text_edit.record(handle).fields.hText)
        else:
            text_edit.set_active(handle, False)
        text = text_edit.record(handle)
        end = text_edit.at_most(self._memory.handle_size(item.handle))
        fields = text.fields
        fields.hText, fields.teLength = item.handle, end
        fields.destRect = fields.viewRect = item.r
        text.break_lines()
        text.select(end, end)
        record.editField = item.number - 1
        if record.window.hilited:
            text_edit.set_active(handle, True)

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self, dialog: int, part: PixelRegion | None = None) -> None:
        """Draw a dialog's items, or those that touch a region in its coordinates."""
        self.must_be_dialog(dialog)
        with self._quickdraw.drawing_in(dialog):
            for item in self.items(dialog):
                touched = (
                    part is None
                    or not part.intersect(PixelRegion.from_rectangle(_drawn(item))).empty
                )
                if touched and not item.is_hidden:
                    self.draw_item(dialog, item)
            if self.is_dialog(dialog):
                self._draw_extras(dialog)

    def _draw_extras(self, dialog: int) -> None:
        """The ring around the default button, and an alert's icon."""
        choices, painter = self.choices[dialog], Painter.in_port(self._quickdraw, dialog)
        item = self.item(dialog, choices.ring)
        if item is not None:
            painter.frame_round(_grown(item.r, _RING), 16, 3)
        if choices.icon:
            self._draw_icon(dialog, choices.icon, _ALERT_ICON)

    def draw_item(self, dialog: int, item: ItemListEntry) -> None:
        """Draw one item; a user item is drawn by its procedure."""
        if item.is_control:
            if item.handle:  # nil if its CNTL resource was missing
                self._controls.draw(item.handle)
        elif item.kind == STATIC_TEXT:
            text = shown_to_user(self._memory.contents(item.handle), self.parameters())
            self._text_edit_manager.draw_box(dialog, text, item.r)
        elif item.kind == EDIT_TEXT:
            self._draw_edit_text(dialog, item)
        elif item.kind == ICON_ITEM and item.handle:
            self._draw_icon(dialog, item.handle, item.r)
        elif item.kind == PICTURE_ITEM and item.handle:
            self._draw_picture(dialog, item)
        elif item.kind == USER_ITEM and item.handle:
            self.host.call_guest(
                item.handle,
                "PROCEDURE UserItem (theWindow: WindowPtr; itemNo: INTEGER)",
                dialog,
                item.number,
            )

    def _draw_edit_text(self, dialog: int, item: ItemListEntry) -> None:
        painter = Painter.in_port(self._quickdraw, dialog)
        painter.frame(_drawn(item))
        handle = self.text_handle(dialog)
        if handle and self.edited(dialog) == item.number:
            self._text_edit.draw(self._text_edit.record(handle))
        else:
            self._text_edit_manager.draw_box(dialog, self._memory.contents(item.handle), item.r)

    def _draw_icon(self, dialog: int, icon: int, r: Rectangle) -> None:
        if self._color_icons.has_made(icon):
            with self._quickdraw.drawing_in(dialog):
                self._color_icons.image(icon).plot(self._quickdraw, r)
            return
        data = self._memory.contents(icon)
        if len(data) < _ICON_SIZE * _ICON_SIZE // 8:
            raise self.host.stopped(
                f"resource {self._memory.resources.describe(icon)} has {len(data)} bytes; an icon "
                "has 128"
            )
        bits = np.unpackbits(np.frombuffer(data[:128], np.uint8)).reshape(_ICON_SIZE, _ICON_SIZE)
        if r.empty:
            return
        rows = np.arange(r.height) * _ICON_SIZE // r.height
        columns = np.arange(r.width) * _ICON_SIZE // r.width
        mask = bits[rows][:, columns].astype(np.bool_)
        Painter.in_port(self._quickdraw, dialog).fill(PixelRegion.from_mask(r, mask))

    def _draw_picture(self, dialog: int, item: ItemListEntry) -> None:
        self._pictures.play(self._memory.contents(item.handle), item.r)


def _drawn(item: ItemListEntry) -> Rectangle:
    """The pixels an item may draw: edit text has a frame around its rectangle."""
    return _grown(item.r, 3) if item.kind == EDIT_TEXT else item.r


def _grown(r: Rectangle, by: int) -> Rectangle:
    return Rectangle(r.top - by, r.left - by, r.bottom + by, r.right + by)
