"""What a file dialog with a window looks like: a dialog whose list and folder's menu are drawn."""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.popups import PopupLook
from emu.toolbox.managers.dialogs.fields import DialogFields
from emu.toolbox.managers.dialogs.manager import DialogManager
from emu.toolbox.managers.dialogs.open_dialogs import DialogList
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.file_dialogs.file_box import FileBox
from emu.toolbox.managers.file_dialogs.file_list import FileList, FileWish
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.windows.manager import WindowManager
from emu.toolbox.records.windows import DialogRecord

OPEN_ITEM, _VOLUME, _EJECT, _DRIVE = 1, 4, 5, 6
_MAIN_DIALOG = int.from_bytes(b"stdf", "big")
_ACTIVE, _INACTIVE = 0, 255
_CENTER = Point(-1, -1)
_BASELINE = 12
_POPUP_HEIGHT, _POPUP_GAP = 19, 3
_EDGE = 7
"""Pixels between a dialog and the menu bar, or the screen's lower edge, at least."""


@dataclass(frozen=True, slots=True)
class DialogItems:
    """The numbers of a dialog's items; 0 for one that it has not."""

    template: int
    cancel: int
    box: int = 0
    popup: int = 0
    field: int = 0
    prompt: int = 0


ITEMS = {  # by whether it is to save, and whether it is one of System 7
    (False, False): DialogItems(-4000, cancel=3, box=7),
    (True, False): DialogItems(-3999, cancel=2, field=7, prompt=3),
    (False, True): DialogItems(-6042, cancel=2, box=7, popup=8),
    (True, True): DialogItems(-6043, cancel=2, box=7, popup=8, field=10, prompt=11),
}


class CustomDialogLooks(Manager):
    """Draws such dialogs."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _window_manager: WindowManager
    _window_tracking: WindowTracking
    _controls: ControlList
    _dialogs: DialogList
    _dialog_manager: DialogManager
    _dialog_fields: DialogFields

    def begin(self, dialog: int, items: DialogItems, wish: FileWish) -> None:
        """Mark a dialog as the main one, and fill in what it says."""
        DialogRecord(self.guest, dialog).window.refCon = _MAIN_DIALOG
        choices = self._dialogs.choices[dialog]
        choices.default = choices.ring = OPEN_ITEM
        choices.cancel = items.cancel
        if wish.name is not None:
            self.set_text(dialog, items.prompt, wish.prompt)
            self.set_text(dialog, items.field, wish.name)
        # The one disk there is is fixed. Item 6 shows the desktop in the dialogs of System 7.
        self._activate(dialog, _EJECT, active=False)
        if not items.popup:
            self._activate(dialog, _DRIVE, active=False)

    def hide(self, dialog: int) -> None:
        """Take a dialog from the screen; its items are still there."""
        self._window_manager.hide_window(dialog)

    def show(self, dialog: int, where: Point) -> None:
        """Show a dialog where the program wants it, or in the middle of the screen.

        It is neither under the menu bar nor below the screen, as in Executor: programs give (0, 0).
        """
        r, screen = self._quickdraw.port_rect(dialog), self._quickdraw.screen.bounds
        if where == _CENTER:
            where = Point((screen.height - r.height) // 3, (screen.width - r.width) // 2)
        lowest = screen.bottom - r.height - _EDGE
        v = max(min(where.v, lowest), self.guest.u16(LowMemory.MENU_BAR_HEIGHT) + _EDGE)
        self._window_tracking.move_window(dialog, where.h, v, front=False)
        self._window_manager.show_window(dialog)
        self._dialog_manager.draw_dialog(dialog)

    def draw(self, dialog: int, items: DialogItems, box: FileBox, files: FileList) -> None:
        """Draw the items of its own: the list, the folder's menu, the disk's name."""
        painter = Painter.in_port(self._quickdraw, dialog)
        if items.box:
            box.draw(painter, files)
        popup = self.popup(dialog, items, files)
        if not popup.r.empty:
            painter.erase(popup.r)
            popup.draw(painter)
        disk, volume = self.item_place(dialog, _VOLUME), files.path[-1].name
        left = disk.left + max(0, (disk.width - painter.text_width(volume)) // 2)
        painter.within(disk).text((left, disk.top + _BASELINE), volume)
        self._activate(dialog, OPEN_ITEM, active=files.can_accept)

    def _activate(self, dialog: int, number: int, *, active: bool) -> None:
        """Let a button be pressed, or not."""
        item = self._dialogs.item(dialog, number)
        state = _ACTIVE if active else _INACTIVE
        if item is None or not self._controls.is_control(item.handle):
            return
        if self._controls.look(item.handle).highlight != state:
            self._controls.set_highlight(item.handle, state)

    def popup(self, dialog: int, items: DialogItems, files: FileList) -> PopupLook:
        """The pop-up menu of the folders above; in the older dialogs it has no item."""
        r = self.item_place(dialog, items.popup or items.box)
        if items.box and not items.popup:
            bottom = r.top - _POPUP_GAP
            r = Rectangle(bottom - _POPUP_HEIGHT, r.left + 20, bottom, r.right - 4)
        return PopupLook(r, b"", 0, 0, files.folder.name, 0)

    def item_place(self, dialog: int, number: int) -> Rectangle:
        """Where an item is; an empty rectangle if there is none."""
        item = self._dialogs.item(dialog, number)
        return item.r if item is not None else Rectangle(0, 0, 0, 0)

    def text(self, dialog: int, number: int) -> bytes:
        """What a text item says."""
        item = self._dialogs.item(dialog, number)
        return self._memory.contents(item.handle) if item is not None and item.is_text else b""

    def set_text(self, dialog: int, number: int, text: bytes) -> None:
        """Let a text item say something, and select it if it can be edited."""
        item = self._dialogs.item(dialog, number)
        if item is None or not item.is_text:
            return
        address = self._memory.new_pointer(256)
        self.guest.write(address, pascal_string(text))
        self._dialog_fields.set_dialog_item_text(item.handle, address)
        self._memory.dispose_pointer(address)
        self._dialog_fields.select_dialog_item_text(dialog, number, 0, len(text))
