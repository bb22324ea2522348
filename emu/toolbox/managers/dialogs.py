"""The Dialog Manager: making, drawing and closing dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from emu.quickdraw import Rectangle, Region
from emu.toolbox.declaration import routine
from emu.toolbox.guest_types import Point
from emu.toolbox.manager import Manager
from emu.toolbox.managers import text_record
from emu.toolbox.managers import window_record as at
from emu.toolbox.managers.alert_icons import draw_alert_icon
from emu.toolbox.managers.dialog_items import (
    CONTROL_ITEM,
    EDIT_TEXT,
    ICON_ITEM,
    PICTURE_ITEM,
    RESOURCE_CONTROL,
    STATIC_TEXT,
    USER_ITEM,
    DialogItem,
    ItemListError,
    parse_items,
    shown_to_user,
)
from emu.toolbox.managers.painter import Painter
from emu.toolbox.managers.window_position import placed
from emu.toolbox.managers.window_record import DIALOG_KIND
from emu.toolbox.template import Template

# The dialog record, behind the window record (Inside Macintosh I, p. I-408).
DIALOG_RECORD_SIZE = 170
ITEMS = 156
TEXT_RECORD = 160
EDIT_FIELD = 164
EDIT_OPEN = 166
DEFAULT_ITEM = 168

_PARAMETERS = 0xAA0
"""The low-memory global DAStrings: four handles."""

_RING = 4
_ICON_SIZE = 32


@dataclass(slots=True)
class Choices:
    """What is kept of a dialog besides its record.

    Attributes:
        default: the item for Return; 0 if the program has not chosen one.
        cancel: the item for Escape; 0 for none.
        ring: the item with a ring around it; 0 for none.
        icon: of an alert: 0 stop, 1 note, 2 caution; -1 for none.
    """

    default: int = 0
    cancel: int = 0
    ring: int = 0
    icon: int = -1


class DialogManager(Manager):
    """Dialogs."""

    title = "Dialog Manager"

    def start(self) -> None:
        """No dialog is there yet."""
        self.choices: dict[int, Choices] = {}

    # -- for other managers and for people ---------------------------------------------------------

    def is_dialog(self, window: int) -> bool:
        """Whether a window is a dialog."""
        return window in self.choices and self.mac.windows.is_window(window)

    def must_be_dialog(self, dialog: int) -> None:
        """Refuse what is no dialog.

        Raises:
            GuestStopped: it is none.
        """
        self.mac.windows.must_be_window(dialog)
        if dialog not in self.choices:
            raise self.mac.stopped(f"the window 0x{dialog:x} is no dialog")

    def items(self, dialog: int) -> list[DialogItem]:
        """A dialog's items.

        Raises:
            GuestStopped: the item list is damaged.
        """
        self.must_be_dialog(dialog)
        handle = self.guest.u32(dialog + ITEMS)
        return self._parsed(self.mac.memory.contents(handle), "the item list of the dialog")

    def _parsed(self, data: bytes, name: str) -> list[DialogItem]:
        try:
            return parse_items(data)
        except ItemListError as error:
            raise self.mac.stopped(
                f"{name} is damaged at offset {error.offset} of {len(data)}: {error}"
            ) from error

    def item(self, dialog: int, number: int) -> DialogItem | None:
        """One item; None if there is none of that number."""
        items = self.items(dialog)
        return items[number - 1] if 1 <= number <= len(items) else None

    def store(self, dialog: int, item: DialogItem) -> None:
        """Write an item's handle, rectangle and type back to the list."""
        place = self.mac.memory.address(self.guest.u32(dialog + ITEMS)) + item.offset
        r = item.r
        self.guest.put32(place, item.handle)
        self.guest.put_rect(place + 4, r.top, r.left, r.bottom, r.right)
        self.guest.put8(place + 12, item.type)

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
            inside = item.r.intersect(at.port_rectangle(self.guest, dialog))
            if inside.empty:
                return None
            where: Point = self.mac.controls.middle(dialog, inside)
            return where
        return None

    def _is_meant(self, item: DialogItem, what: int | str) -> bool:
        if isinstance(what, int):
            return item.number == what
        if not item.is_control or not self.mac.controls.is_control(item.handle):
            return False
        title: bytes = self.mac.controls.look(item.handle).title
        return title == what.encode("mac_roman", "replace")

    def all(self) -> Iterator[int]:
        """The dialogs that are open."""
        return (window for window in self.mac.windows.all() if window in self.choices)

    # -- making ------------------------------------------------------------------------------------

    @routine("PROCEDURE InitDialogs (resumeProc: ProcPtr)", trap=0xA97B, moves_memory=True)
    def init_dialogs(self, resume: int) -> None:
        """Empty texts for ParamText."""
        self.guest.put32(0xA8C, resume)
        for number in range(4):
            self.set_parameter(number, b"")

    def set_parameter(self, number: int, text: bytes) -> None:
        """The text that stands for ^0, ^1, ^2 or ^3 in static text."""
        place = _PARAMETERS + 4 * number
        data = bytes([len(text[:255])]) + text[:255]
        handle = self.guest.u32(place)
        if handle:
            self.mac.memory.set_contents(handle, data)
        else:
            self.guest.put32(place, self.mac.memory.handle_from(data))

    def parameters(self) -> list[bytes]:
        """The texts that stand for ^0 to ^3."""
        handles = [self.guest.u32(_PARAMETERS + 4 * number) for number in range(4)]
        return [self.mac.memory.contents(handle)[1:] if handle else b"" for handle in handles]

    @routine(
        "FUNCTION NewDialog (dStorage: Ptr; boundsRect: Rect; title: Str255; visible: BOOLEAN; "
        "procID: INTEGER; behind: WindowPtr; goAwayFlag: BOOLEAN; refCon: LONGINT; "
        "items: Handle): DialogPtr",
        trap=0xA97D,
        moves_memory=True,
    )
    @routine(
        "FUNCTION NewColorDialog (dStorage: Ptr; boundsRect: Rect; title: Str255; "
        "visible: BOOLEAN; procID: INTEGER; behind: WindowPtr; goAwayFlag: BOOLEAN; "
        "refCon: LONGINT; items: Handle): DialogPtr",
        trap=0xAA4B,
        imports=("NewCDialog",),
        moves_memory=True,
    )
    def new_dialog(
        self,
        storage: int,
        bounds: int,
        title: int,
        visible: bool,
        definition: int,
        behind: int,
        go_away: bool,
        reference: int,
        items: int,
    ) -> int:
        """Make a dialog of an item list, which becomes the dialog's."""
        where = at.rectangle_at(self.guest, bounds)
        name = self.guest.pascal_string(title) if title else b""
        window = self._window(storage, where, name, definition, behind, go_away, reference)
        return self._finish(window, items, visible)

    def _window(
        self,
        storage: int,
        bounds: Rectangle,
        title: bytes,
        definition: int,
        behind: int,
        go_away: bool,
        reference: int,
    ) -> int:
        """The dialog's window, still hidden."""
        window = self.mac.windows.make(
            storage,
            bounds,
            title,
            False,
            definition,
            behind,
            go_away,
            reference,
            kind=DIALOG_KIND,
            size=DIALOG_RECORD_SIZE,
        )
        return int(window)

    def _finish(self, dialog: int, items: int, visible: bool) -> int:
        """Make a dialog's items, and show it."""
        if not dialog:
            return 0
        guest = self.guest
        guest.write(dialog + ITEMS, bytes(DIALOG_RECORD_SIZE - ITEMS))
        guest.put32(dialog + ITEMS, items)
        guest.put16(dialog + EDIT_FIELD, -1)
        guest.put16(dialog + DEFAULT_ITEM, 1)
        self.choices[dialog] = Choices()
        for item in self.items(dialog):
            self.prepare(dialog, item)
        first = next((i for i in self.items(dialog) if i.kind == EDIT_TEXT), None)
        if first is not None:
            self.edit(dialog, first)
        if visible:
            self.mac.windows.show_window(dialog)
        return dialog

    @routine(
        "FUNCTION GetNewDialog (dialogID: INTEGER; dStorage: Ptr; behind: WindowPtr): DialogPtr",
        trap=0xA97C,
        moves_memory=True,
    )
    def get_new_dialog(self, number: int, storage: int, behind: int) -> int:
        """Make a dialog as resources describe it; 0 if there are none."""
        data = self.mac.resources.data("DLOG", number)
        if data is None:
            return 0
        template = Template(self.mac, "DLOG", number, data)
        bounds, definition = template.rectangle(), template.i16()
        visible, go_away = template.boolean(), template.boolean()
        reference, list_number = template.u32(), template.i16()
        title = template.pascal_string()
        bounds = placed(
            self.mac, bounds, template.position(), has_title=definition not in (1, 2, 3)
        )
        return self.of_resource(
            storage, bounds, title, definition, behind, go_away, reference, list_number, visible
        )

    def of_resource(
        self,
        storage: int,
        bounds: Rectangle,
        title: bytes,
        definition: int,
        behind: int,
        go_away: bool,
        reference: int,
        list_number: int,
        visible: bool,
    ) -> int:
        """Make a dialog with a copy of an item list from a DITL resource.

        Raises:
            GuestStopped: there is no such resource, or it is damaged.
        """
        data = self.mac.resources.data("DITL", list_number)
        if data is None:
            raise self.mac.stopped(f"a dialog names DITL {list_number}, which is not there")
        self._parsed(data, f"resource DITL {list_number}")
        items = self.mac.memory.handle_from(data)
        window = self._window(storage, bounds, title, definition, behind, go_away, reference)
        return self._finish(window, items, visible)

    def prepare(self, dialog: int, item: DialogItem) -> None:
        """Make what an item needs: a control, a handle for its text, its resource."""
        handle = 0
        if item.kind == RESOURCE_CONTROL:
            handle = self.mac.controls.get_new_control(item.resource, dialog)
            if not handle:
                raise self.mac.stopped(
                    f"item {item.number} of a dialog names CNTL {item.resource}, which is not there"
                )
        elif item.is_control:
            kind = item.kind - CONTROL_ITEM
            handle = self.mac.controls.make(
                dialog, item.r, item.data, not item.is_hidden, 0, 0, 1, kind, 0
            )
        elif item.is_text:
            handle = self.mac.memory.handle_from(item.data)
        elif item.kind == ICON_ITEM:
            handle = self.mac.resources.get("ICON", item.resource)
        elif item.kind == PICTURE_ITEM:
            handle = self.mac.resources.get("PICT", item.resource)
        place = self.mac.memory.address(self.guest.u32(dialog + ITEMS)) + item.offset
        self.guest.put32(place, handle)

    # -- the field that is edited ------------------------------------------------------------------

    def edited(self, dialog: int) -> int:
        """The number of the item that is edited; 0 if there is none."""
        return self.guest.i16(dialog + EDIT_FIELD) + 1

    def text_handle(self, dialog: int) -> int:
        """The edit record of the field that is edited; 0 if there is none."""
        return self.guest.u32(dialog + TEXT_RECORD) if self.edited(dialog) else 0

    def edit(self, dialog: int, item: DialogItem) -> None:
        """Edit another field; the dialog's one edit record goes there."""
        text_edit = self.mac.text_edit
        handle = self.guest.u32(dialog + TEXT_RECORD)
        if self.edited(dialog) == item.number and handle:
            return
        if not handle:
            with self.mac.quickdraw.drawing_in(dialog):
                handle = text_edit.make(item.r, item.r)
            self.guest.put32(dialog + TEXT_RECORD, handle)
            own = text_edit.record(handle).long(text_record.TEXT)
            self.mac.memory.dispose_handle(own)
        else:
            text_edit.set_active(handle, False)
        record = text_edit.record(handle)
        record.put_long(text_record.TEXT, item.handle)
        record.put_rectangle(text_record.DESTINATION, item.r)
        record.put_rectangle(text_record.VIEW, item.r)
        record.put_word(text_record.LENGTH, self.mac.memory.handle_size(item.handle))
        record.break_lines()
        end = self.mac.memory.handle_size(item.handle)
        record.select(end, end)
        self.guest.put16(dialog + EDIT_FIELD, item.number - 1)
        if self.guest.u8(dialog + at.HIGHLIGHTED):
            text_edit.set_active(handle, True)

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self, dialog: int, part: Region | None = None) -> None:
        """Draw a dialog's items, or those that touch a region in its coordinates."""
        self.must_be_dialog(dialog)
        with self.mac.quickdraw.drawing_in(dialog):
            for item in self.items(dialog):
                touched = (
                    part is None or not part.intersect(Region.from_rectangle(_drawn(item))).empty
                )
                if touched and not item.is_hidden:
                    self.draw_item(dialog, item)
            if self.is_dialog(dialog):
                self._draw_extras(dialog)

    def _draw_extras(self, dialog: int) -> None:
        """The ring around the default button, and an alert's icon."""
        choices, painter = self.choices[dialog], Painter.in_port(self.mac, dialog)
        item = self.item(dialog, choices.ring)
        if item is not None:
            painter.frame_round(_grown(item.r, _RING), 16, 3)
        draw_alert_icon(painter, choices.icon)

    def draw_item(self, dialog: int, item: DialogItem) -> None:
        """Draw one item; a user item is drawn by its procedure."""
        if item.is_control:
            self.mac.controls.draw(item.handle)
        elif item.kind == STATIC_TEXT:
            text = shown_to_user(self.mac.memory.contents(item.handle), self.parameters())
            self.mac.text_edit.draw_box(dialog, text, item.r)
        elif item.kind == EDIT_TEXT:
            self._draw_edit_text(dialog, item)
        elif item.kind == ICON_ITEM and item.handle:
            self._draw_icon(dialog, item)
        elif item.kind == PICTURE_ITEM and item.handle:
            self._draw_picture(dialog, item)
        elif item.kind == USER_ITEM and item.handle:
            self.mac.call_guest(
                item.handle,
                "PROCEDURE UserItem (theWindow: WindowPtr; itemNo: INTEGER)",
                dialog,
                item.number,
            )

    def _draw_edit_text(self, dialog: int, item: DialogItem) -> None:
        painter = Painter.in_port(self.mac, dialog)
        painter.frame(_drawn(item))
        handle = self.text_handle(dialog)
        if handle and self.edited(dialog) == item.number:
            self.mac.text_edit.draw(self.mac.text_edit.record(handle))
        else:
            self.mac.text_edit.draw_box(dialog, self.mac.memory.contents(item.handle), item.r)

    def _draw_icon(self, dialog: int, item: DialogItem) -> None:
        data = self.mac.memory.contents(item.handle)
        if len(data) < _ICON_SIZE * _ICON_SIZE // 8:
            raise self.mac.stopped(
                f"resource ICON {item.resource} has {len(data)} bytes; an icon has 128"
            )
        bits = np.unpackbits(np.frombuffer(data[:128], np.uint8)).reshape(_ICON_SIZE, _ICON_SIZE)
        r = item.r
        if r.empty:
            return
        rows = np.arange(r.height) * _ICON_SIZE // r.height
        columns = np.arange(r.width) * _ICON_SIZE // r.width
        mask = bits[rows][:, columns].astype(np.bool_)
        Painter.in_port(self.mac, dialog).fill(Region.from_mask(r, mask))

    def _draw_picture(self, dialog: int, item: DialogItem) -> None:
        self.mac.quickdraw_pictures.play(self.mac.memory.contents(item.handle), item.r)

    @routine("PROCEDURE DrawDialog (theDialog: DialogPtr)", trap=0xA981, moves_memory=True)
    def draw_dialog(self, dialog: int) -> None:
        """Draw all items."""
        self.draw(dialog)

    @routine(
        "PROCEDURE UpdateDialog (theDialog: DialogPtr; updateRgn: RgnHandle)",
        trap=0xA978,
        imports=("UpdtDialog",),
        moves_memory=True,
    )
    def update_dialog(self, dialog: int, region: int) -> None:
        """Draw the items that touch a region."""
        self.draw(dialog, self.mac.quickdraw.region(region))

    # -- closing -----------------------------------------------------------------------------------

    @routine("PROCEDURE CloseDialog (theDialog: DialogPtr)", trap=0xA982, moves_memory=True)
    def close_dialog(self, dialog: int) -> None:
        """Take a dialog from the screen; its record and item list are left to the program."""
        self._close(dialog, dispose=False)

    @routine(
        "PROCEDURE DisposeDialog (theDialog: DialogPtr)",
        trap=0xA983,
        imports=("DisposDialog",),
        moves_memory=True,
    )
    def dispose_dialog(self, dialog: int) -> None:
        """Take a dialog from the screen and free all that belongs to it."""
        self._close(dialog, dispose=True)

    def _close(self, dialog: int, dispose: bool) -> None:
        windows = self.mac.windows
        if not self.is_dialog(dialog):
            # The Window Manager says what is wrong: closed twice, or no window at all.
            windows.dispose_window(dialog)
            return
        items = self.items(dialog)
        handle, text = self.guest.u32(dialog + ITEMS), self.guest.u32(dialog + TEXT_RECORD)
        del self.choices[dialog]
        if dispose:
            windows.dispose_window(dialog)
        else:
            windows.close_window(dialog)
        if text:
            self.mac.text_edit.forget(text)
        for item in items:
            if item.is_text:
                self.mac.memory.dispose_handle(item.handle)
        if dispose:
            self.mac.memory.dispose_handle(handle)


def _drawn(item: DialogItem) -> Rectangle:
    """The pixels an item may draw: edit text has a frame around its rectangle."""
    return _grown(item.r, 3) if item.kind == EDIT_TEXT else item.r


def _grown(r: Rectangle, by: int) -> Rectangle:
    return Rectangle(r.top - by, r.left - by, r.bottom + by, r.right + by)
