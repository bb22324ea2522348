"""The Dialog Manager: making, drawing and closing dialogs."""

from __future__ import annotations

from dataclasses import replace

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.controls.definitions import ControlDescription
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.manager import ControlManager
from emu.toolbox.managers.dialogs.items import (
    CONTROL_ITEM,
    ICON_ITEM,
    PICTURE_ITEM,
    RESOURCE_CONTROL,
    ItemListEntry,
)
from emu.toolbox.managers.dialogs.looks import DialogLooks
from emu.toolbox.managers.dialogs.open_dialogs import (
    Choices,
    DialogList,
)
from emu.toolbox.managers.icons.color_icons import ColorIcons
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.description import WindowDescription
from emu.toolbox.managers.windows.manager import WindowManager
from emu.toolbox.managers.windows.record import DIALOG_KIND
from emu.toolbox.records.windows import DialogRecord

_NEW_DIALOG = (
    "(dStorage: Ptr; boundsRect: Rect; title: Str255; visible: BOOLEAN; procID: INTEGER; "
    "behind: WindowPtr; goAwayFlag: BOOLEAN; refCon: LONGINT; items: Handle): DialogPtr"
)


class DialogManager(Manager):
    """Dialogs."""

    _color_icons: ColorIcons
    _dialogs: DialogList
    _looks: DialogLooks
    _memory: MemoryManager
    _resources: ResourceManager
    _regions: RegionHandles
    _windows: WindowAccess
    _window_manager: WindowManager
    _controls: ControlList
    _control_manager: ControlManager
    _text_edit: TextEditing

    # -- making ------------------------------------------------------------------------------------

    @routine("PROCEDURE InitDialogs (resumeProc: ProcPtr)")
    def init_dialogs(self, resume: int) -> None:
        """Empty texts for ParamText, and the system's font for dialogs."""
        self.guest.put32(0xA8C, resume)
        self.guest.put16(LowMemory.DIALOG_FONT, 0)
        for number in range(4):
            self._dialogs.set_parameter(number, b"")

    @routine(f"FUNCTION NewDialog {_NEW_DIALOG}")
    def new_dialog(self, storage: int, *parameters: int) -> int:
        """Make a dialog of an item list, which becomes the dialog's."""
        *window, items = parameters
        return self._make(storage, WindowDescription.of_call(self.guest, *window), items)

    @routine(f"FUNCTION NewColorDialog {_NEW_DIALOG}")
    def new_color_dialog(self, storage: int, *parameters: int) -> int:
        """Make a dialog with a port in colour; without Color QuickDraw it is like any other."""
        *window, items = parameters
        wanted = WindowDescription.of_call(self.guest, *window)
        content = self._window_manager.content_color("dctb", None)
        return self._make(storage, replace(wanted, content=content), items)

    def in_color(self, wanted: WindowDescription, kind: str, number: int) -> WindowDescription:
        """A window that is one in colour if a resource of its number has colours for it.

        Args:
            wanted: the window.
            kind: the resource's type, 'dctb' or 'actb'.
            number: its ID.
        """
        if self._resources.data(kind, number) is None:
            return wanted
        return replace(wanted, content=self._window_manager.content_color(kind, number))

    def _make(self, storage: int, wanted: WindowDescription, items: int) -> int:
        """Make a dialog's window, still hidden, and its items; then show it if it is wanted so."""
        dialog = self._window_manager.make(
            storage, replace(wanted, visible=False), kind=DIALOG_KIND, size=DialogRecord.size
        )
        if not dialog:
            return 0
        record = DialogRecord(self.guest, dialog)
        record.items = items
        record.editField, record.editOpen, record.aDefItem = -1, 0, 1
        record.window.port.txFont = self.guest.i16(LowMemory.DIALOG_FONT)
        self._dialogs.choices[dialog] = Choices()
        self._dialogs.make_text_record(dialog)
        for item in self._dialogs.items(dialog):
            self.prepare(dialog, item)
        self._dialogs.edit_first(dialog)
        if wanted.visible:
            self._window_manager.show_window(dialog)
        return int(dialog)

    @routine(
        "FUNCTION GetNewDialog (dialogID: INTEGER; dStorage: Ptr; behind: WindowPtr): DialogPtr"
    )
    def get_new_dialog(self, number: int, storage: int, behind: int) -> int:
        """Make a dialog as resources describe it; 0 if there are none."""
        data = self._resources.template("DLOG", number)
        if data is None:
            return 0
        template = Template(self.host, "DLOG", number, data)
        wanted, items = WindowDescription.of_template(
            self._windows.list, template, behind, has_items=True
        )
        return self.of_resource(storage, self.in_color(wanted, "dctb", number), items)

    def of_resource(self, storage: int, wanted: WindowDescription, number: int) -> int:
        """Make a dialog with a copy of an item list from a DITL resource; 0 if there is none."""
        data = self._resources.data("DITL", number)
        if data is None:
            self._resources.report_missing("DITL", number, "no dialog is made")
            return 0
        data = self._dialogs.whole(data, f"resource DITL {number}")
        return self._make(storage, wanted, self._memory.handle_from(data))

    def prepare(self, dialog: int, item: ItemListEntry) -> None:
        """Make what an item needs: a control, a handle for its text, its resource."""
        handle = 0
        if item.kind == RESOURCE_CONTROL:
            handle = self._control_manager.get_new_control(item.resource, dialog)
            if not handle:
                self._resources.report_missing(
                    "CNTL", item.resource, f"item {item.number} has no control"
                )
            elif self._controls.look(handle).r[:2] != item.r[:2]:
                # Templates leave the place to the item, and 31 of 484 programs rely on it. The
                # size is the template's: an arrow 11 wide in an item 100 wide stays an arrow.
                self._control_manager.move_control(handle, item.r.left, item.r.top)
        elif item.is_control:
            kind = item.kind - CONTROL_ITEM
            visible = not item.is_hidden
            wanted = ControlDescription(item.r, item.data, visible, 0, 0, 1, kind)
            handle = self._controls.make(dialog, wanted)
        elif item.is_text:
            handle = self._memory.handle_from(item.data)
        elif item.kind == ICON_ITEM:
            number = item.resource
            handle = self._color_icons.get_c_icon(number) if self.host.has_color else 0
            handle = handle or self._resources.get("ICON", number)
        elif item.kind == PICTURE_ITEM:
            handle = self._resources.get("PICT", item.resource)
        elif not item.is_known:
            problem = f"item {item.number} of a dialog has the unknown type {item.type}"
            self.host.report("dialog item", problem)
        self._dialogs.item_record(dialog, item).placeholder = handle

    # -- drawing -----------------------------------------------------------------------------------

    @routine("PROCEDURE DrawDialog (theDialog: DialogPtr)")
    def draw_dialog(self, dialog: int) -> None:
        """Draw all items."""
        self._looks.draw(dialog)

    @routine("PROCEDURE UpdateDialog (theDialog: DialogPtr; updateRgn: RgnHandle)")
    def update_dialog(self, dialog: int, region: int) -> None:
        """Draw the items that touch a region."""
        self._looks.draw(dialog, self._regions.region(region))

    # -- closing -----------------------------------------------------------------------------------

    @routine("PROCEDURE CloseDialog (theDialog: DialogPtr)")
    def close_dialog(self, dialog: int) -> None:
        """Take a dialog from the screen; its record and item list are left to the program."""
        self._close(dialog, dispose=False)

    @routine("PROCEDURE DisposeDialog (theDialog: DialogPtr)")
    def dispose_dialog(self, dialog: int) -> None:
        """Take a dialog from the screen and free all that belongs to it."""
        self._close(dialog, dispose=True)

    def _close(self, dialog: int, dispose: bool) -> None:
        if not self._dialogs.is_dialog(dialog):
            # The Window Manager says what is wrong: closed twice, or no window at all.
            self._window_manager.dispose_window(dialog)
            return
        items = self._dialogs.items(dialog)
        record = DialogRecord(self.guest, dialog)
        handle, text = record.items, record.textH
        edited = self._dialogs.edited(dialog)
        del self._dialogs.choices[dialog]
        if dispose:
            self._window_manager.dispose_window(dialog)
        else:
            self._window_manager.close_window(dialog)
        if text:
            own = 0 if edited else self._text_edit.record(text).fields.hText
            self._text_edit.discard(text)
            if own:
                self._memory.dispose_handle(own)
        for item in items:
            if item.is_text:
                self._memory.dispose_handle(item.handle)
        if dispose:
            self._memory.dispose_handle(handle)
