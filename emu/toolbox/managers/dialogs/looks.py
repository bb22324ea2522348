"""What dialogs look like: their items, the ring around the default button, an alert's icon."""

from __future__ import annotations

import numpy as np

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.dialogs.items import (
    EDIT_TEXT,
    ICON_ITEM,
    PICTURE_ITEM,
    STATIC_TEXT,
    USER_ITEM,
    ItemListEntry,
    shown_to_user,
)
from emu.toolbox.managers.dialogs.open_dialogs import DialogList
from emu.toolbox.managers.icons.color_icons import ColorIcons
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.pictures.manager import Pictures
from emu.toolbox.managers.text.edit import TextEditManager
from emu.toolbox.managers.text.editing import TextEditing

_RING = 4
_ICON_SIZE = 32
_ALERT_ICON = Rectangle(10, 20, 42, 52)
"""Where in an alert its icon is."""


class DialogLooks(Manager):
    """Draws dialogs."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _pictures: Pictures
    _controls: ControlList
    _text_edit: TextEditing
    _text_edit_manager: TextEditManager
    _color_icons: ColorIcons
    _dialogs: DialogList

    def draw(self, dialog: int, part: PixelRegion | None = None) -> None:
        """Draw a dialog's controls, then its other items; or those that touch a region in it."""
        self._dialogs.must_be_dialog(dialog)
        with self._quickdraw.drawing_in(dialog):
            self._controls.draw_all(dialog, part)
            for item in self._dialogs.items(dialog):
                touched = (
                    part is None
                    or not part.intersect(PixelRegion.from_rectangle(_drawn_area(item))).empty
                )
                if touched and not item.is_hidden and not item.is_control:
                    self.draw_item(dialog, item)
            if self._dialogs.is_dialog(dialog):
                self._draw_extras(dialog)

    def _draw_extras(self, dialog: int) -> None:
        """The ring around the default button, and an alert's icon."""
        choices, painter = self._dialogs.choices[dialog], Painter.in_port(self._quickdraw, dialog)
        item = self._dialogs.item(dialog, choices.ring)
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
            text = shown_to_user(self._memory.contents(item.handle), self._dialogs.parameters())
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
        painter.frame(_drawn_area(item))
        handle = self._dialogs.text_handle(dialog)
        if handle and self._dialogs.edited(dialog) == item.number:
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
            self.host.report(
                "bit map",
                f"resource {self._memory.resources.describe(icon)} has {len(data)} bytes; an icon "
                "has 128",
            )
        bits = np.unpackbits(np.frombuffer(data[:128].ljust(128, b"\0"), np.uint8)).reshape(
            _ICON_SIZE, _ICON_SIZE
        )
        if r.empty:
            return
        rows = np.arange(r.height) * _ICON_SIZE // r.height
        columns = np.arange(r.width) * _ICON_SIZE // r.width
        mask = bits[rows][:, columns].astype(np.bool_)
        Painter.in_port(self._quickdraw, dialog).fill(PixelRegion.from_mask(r, mask))

    def _draw_picture(self, dialog: int, item: ItemListEntry) -> None:
        self._pictures.play(self._memory.contents(item.handle), item.r)


def _drawn_area(item: ItemListEntry) -> Rectangle:
    """The pixels an item may draw: edit text has a frame around its rectangle."""
    return _grown(item.r, 3) if item.kind == EDIT_TEXT else item.r


def _grown(r: Rectangle, by: int) -> Rectangle:
    return Rectangle(r.top - by, r.left - by, r.bottom + by, r.right + by)
