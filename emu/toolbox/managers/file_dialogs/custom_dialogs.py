"""File dialogs in which a program has a say: windows with items, a hook and filters.

If none of the program's procedures has to do with the dialog, it needs no window (`FileDialogs`).
The order of calls: the hook with -1, the window, activation, then for each event the filter, what
the event means as the number of an item, the hook, and what the hook makes of the number. Open on a
folder becomes the pseudo-item 103 before the hook sees it. Open that the hook makes of another item
ends the dialog even on a folder: so programs let a folder be chosen.
Keys go to the list, or to the name of a file to be saved, and Tab changes nothing. Nothing is asked
before a file is replaced; the reply says that it is there.
Source: Inside Macintosh: Files, chapter 3 "Standard File Package", "Handling User Interactions".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.dialogs.events import DialogEvents
from emu.toolbox.managers.dialogs.manager import DialogManager
from emu.toolbox.managers.dialogs.open_dialogs import DialogList
from emu.toolbox.managers.events.event import AUTO_KEY, KEY_DOWN, MOUSE_DOWN, NULL, Event
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.file_dialogs.custom_looks import (
    ITEMS,
    OPEN_ITEM,
    CustomDialogLooks,
    DialogItems,
)
from emu.toolbox.managers.file_dialogs.file_box import BAR, FileBox, FileBoxClicks
from emu.toolbox.managers.file_dialogs.file_list import LONGEST_NAME, FileList, FileWish
from emu.toolbox.managers.file_dialogs.procedures import FileProcedureCalls, FileProcedures
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import File, Folder
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.menus.choice import MenuChoice
from emu.toolbox.managers.menus.record import Menu, MenuItem
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.description import FRONT
from emu.toolbox.managers.windows.frames import IN_CONTENT
from emu.toolbox.records.results import Modifier
from emu.toolbox.records.system import EventRecord

_DESKTOP = 6
_FIRST_CALL, _LAST_CALL = -1, -2
_NULL_EVENT, _REBUILD_LIST, _FOLDER_POPUP, _OPEN_FOLDER = 100, 101, 102, 103
_GO_TO_DESKTOP, _GO_TO_PARENT = 105, 107
_CHARACTER = 0x1000
_DISK_IN_USE, _FOLDER_IN_USE = 0x214, 0x398
"""SFSaveDisk, the volume's number with the other sign, and CurDirStore, the folder's number."""
_EVERYTHING = 0xFFFF
_ENTER, _RETURN, _ESCAPE, _UP, _DOWN, _PERIOD = 3, 13, 27, 30, 31, 46


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """Who answers without a mouse: the folder and the name of a file, or None to cancel."""

    place: tuple[Folder, bytes] | None


@dataclass(frozen=True, slots=True)
class FileDialogCalls:
    """What the one who shows a dialog wants to be asked, and told.

    Attributes:
        answer: gives an answer that needs no events; None while the dialog's items are used.
        tell: is told what is selected before the hook is called, and at the end.
        type_of: gives a file's type.
    """

    answer: Callable[[], FileAnswer | None]
    tell: Callable[[FileList], None]
    type_of: Callable[[File], bytes]


class CustomFileDialogs(Manager):
    """Shows file dialogs with procedures of the program's."""

    _memory: MemoryManager
    _resources: ResourceManager
    _quickdraw: QuickDraw
    _windows: WindowAccess
    _window_tracking: WindowTracking
    _events: EventManager
    _files: FileManager
    _menu_choice: MenuChoice
    _dialogs: DialogList
    _dialog_manager: DialogManager
    _dialog_events: DialogEvents
    program: FileProcedureCalls
    looks: CustomDialogLooks

    def ask(self, wish: FileWish, procedures: FileProcedures, calls: FileDialogCalls) -> bool:
        """Let a file be chosen; whether one was, of which `FileDialogCalls.tell` was told.

        Raises:
            GuestStopError: an answer names a file that the dialog does not show.

        Args:
            wish: what the program asks for.
            procedures: the program's.
            calls: who answers.
        """
        items = ITEMS[wish.is_saving, procedures.is_new]
        number = wish.own_dialog or items.template
        dialog = self._dialog_manager.get_new_dialog(number, 0, FRONT)
        if not dialog:
            self._resources.report_missing("DLOG", number, "no file dialog is shown")
            return False
        scratch = self._memory.new_pointer(EventRecord.size + 2, clear=True)
        try:
            with self._quickdraw.drawing_in(dialog):
                return self._open_dialog(dialog, items, wish, procedures, calls, scratch).run()
        finally:
            self._memory.dispose_pointer(scratch)
            if self._dialogs.is_dialog(dialog):
                self._dialog_manager.dispose_dialog(dialog)

    def _open_dialog(
        self,
        dialog: int,
        items: DialogItems,
        wish: FileWish,
        procedures: FileProcedures,
        calls: FileDialogCalls,
        scratch: int,
    ) -> _CustomDialog:
        programs, root = self.program, self._files.volume.root
        r = self.looks.item_place(dialog, items.box)
        # The list of System 7 has its bar inside of its item, the older one beside it.
        right = r.right - BAR if procedures.is_new else r.right
        box = FileBox(Rectangle(r.top + 1, r.left + 1, r.bottom - 1, max(r.left, right) + 1))
        files = FileList(
            wish,
            root,
            max(1, box.rows),
            calls.type_of,
            lambda node: programs.hides(procedures, node),
        )
        clicks = FileBoxClicks(
            self._window_tracking,
            box,
            files,
            lambda: Painter.in_port(self._quickdraw, dialog),
            lambda: self.looks.draw(dialog, items, box, files),
            lambda place: self._quickdraw.to_local(dialog, place),
        )
        return _CustomDialog(self, dialog, items, files, clicks, procedures, calls, scratch)

    # -- what happens ------------------------------------------------------------------------------

    def choose_folder(self, dialog: int, items: DialogItems, files: FileList) -> Folder | None:
        """Let a folder be chosen of those that the one on the screen is in."""
        box, path = self.looks.popup(dialog, items, files).box, files.path
        menu = Menu(0, b"", tuple(MenuItem(folder.name) for folder in path))
        corner = self._quickdraw.to_global(dialog, Point(box.top + 1, box.left + 1))
        item = self._menu_choice.pop_up(menu, corner)
        return path[item - 1] if item > 1 else None

    def unusable(self, name: bytes) -> Exception:
        """The error of an answer that the dialog does not show."""
        text = name.decode("mac_roman")
        return self.host.stopped(
            f"the file {text!r} was chosen in a dialog, but the program does not show it there"
        )

    def next_event(self) -> Event:
        """The next event; the user acts if there is none."""
        event = self._events.next(_EVERYTHING, remove=True)
        if event.what == NULL:
            self._events.idle()
        return event

    def filtered(
        self, event: Event, procedures: FileProcedures, dialog: int, scratch: int
    ) -> tuple[Event, int | None]:
        """An event after the program's filter; see `DialogEvents.filtered`."""
        return self._dialog_events.filtered(
            event,
            scratch,
            lambda *places: self.program.takes_event(procedures, dialog, *places),
        )

    def handle(self, dialog: int, event: Event) -> int:
        """Do what the Dialog Manager does at an event; the enabled item that was hit, or 0."""
        return self._dialog_events.handle(dialog, event)

    def is_in(self, dialog: int, event: Event) -> bool:
        """Whether an event is a click in a dialog's content."""
        part, window = self._windows.at(event.where)
        return event.what == MOUSE_DOWN and (part, window) == (IN_CONTENT, dialog)

    def exchange_places(self, folder: Folder) -> None:
        """Tell the program in low memory which folder is shown."""
        self.guest.put16(_DISK_IN_USE, -VOLUME_REFERENCE)
        self.guest.put32(_FOLDER_IN_USE, folder.id)

    def place_wanted(self) -> Folder | None:
        """The folder that the program has put into low memory."""
        node = self._files.volume.node(self.guest.u32(_FOLDER_IN_USE))
        return node if isinstance(node, Folder) else None


class _CustomDialog:
    """One dialog while it is on the screen."""

    def __init__(
        self,
        of: CustomFileDialogs,
        dialog: int,
        items: DialogItems,
        files: FileList,
        clicks: FileBoxClicks,
        procedures: FileProcedures,
        calls: FileDialogCalls,
        scratch: int,
    ) -> None:
        self._of, self._dialog, self._items, self._files = of, dialog, items, files
        self._clicks, self._procedures, self._calls = clicks, procedures, calls
        self._scratch = scratch
        self._has_ended = self._is_good = False

    def run(self) -> bool:
        """Show it until it ends; whether a file was chosen."""
        of, dialog, items, wish = self._of, self._dialog, self._items, self._files.wish
        of.looks.begin(dialog, items, wish)
        self._hooked(_FIRST_CALL)
        of.looks.show(dialog, self._procedures.where)
        self._clicks.draw()
        of.program.activate(self._procedures, dialog, items.field or items.box)
        while not self._has_ended:
            self._perform(self._hooked(self._next_item()))
            if not self._has_ended:
                self._clicks.draw()
        of.looks.hide(dialog)
        if self._procedures.is_new:
            self._hooked(_LAST_CALL)
        return self._is_good

    def _hooked(self, item: int) -> int:
        files = self._files
        if self._items.field and files.node is None:
            files.name = self._of.looks.text(self._dialog, self._items.field)[:LONGEST_NAME]
        self._calls.tell(files)
        self._of.exchange_places(files.folder)
        return self._of.program.hooked(self._procedures, item, self._dialog)

    # -- what the user does ------------------------------------------------------------------------

    def _next_item(self) -> int:
        """What happens next, as the number of an item or a pseudo-item."""
        answer = self._calls.answer()
        if answer is not None:
            return self._take(answer)
        event, hit = self._of.next_event(), None
        if self._procedures.events:
            event, hit = self._of.filtered(event, self._procedures, self._dialog, self._scratch)
        item = hit if hit is not None else self._item_of(event)
        return _OPEN_FOLDER if item == OPEN_ITEM and self._files.opens_folder else item

    def _take(self, answer: FileAnswer) -> int:
        """Select what somebody has answered; the item that ends the dialog."""
        self._of.next_event()  # A hook may refuse the answer, and time has to pass.
        if answer.place is None:
            return self._items.cancel
        folder, name = answer.place
        self._files.enter(folder)
        if self._files.wish.is_saving:
            self._of.looks.set_text(self._dialog, self._items.field, name)
        else:
            self._files.select_name(name)
            if self._files.node is None:
                raise self._of.unusable(name)
        return OPEN_ITEM

    def _item_of(self, event: Event) -> int:
        of, files = self._of, self._files
        if of.is_in(self._dialog, event):
            place, box = self._clicks.local(event.where), self._clicks.box
            if box.r.contains(place.h, place.v):
                double_time = of.guest.u32(LowMemory.DOUBLE_CLICK_TIME)
                is_double = self._clicks.select(event, double_time)
                return OPEN_ITEM if is_double else self._items.box
            if box.bar(files).part_at(place.h, place.v):
                self._clicks.scroll(event.where)
                return self._items.box
            if of.looks.popup(self._dialog, self._items, files).r.contains(place.h, place.v):
                folder = of.choose_folder(self._dialog, self._items, files)
                if folder is not None:
                    files.enter(folder)
                return _FOLDER_POPUP
        if event.what in (KEY_DOWN, AUTO_KEY) and (item := self._item_of_key(event)):
            return item
        return of.handle(self._dialog, event) or _NULL_EVENT

    def _item_of_key(self, event: Event) -> int:
        """What a key means; 0 if it goes to a text item."""
        key, command = event.message & 0xFF, bool(event.modifiers & Modifier.cmdKey)
        if key in (_RETURN, _ENTER):
            return OPEN_ITEM if self._files.can_accept else _NULL_EVENT
        if key == _ESCAPE or (command and key == _PERIOD):
            return self._items.cancel
        if command and key == _UP:
            return _GO_TO_PARENT
        if command and key == _DOWN:
            return _OPEN_FOLDER
        if self._items.field and key not in (_UP, _DOWN):
            self._files.edit_name()
            return 0
        return _CHARACTER + key

    # -- what is done ------------------------------------------------------------------------------

    def _perform(self, item: int) -> None:
        """Do what an item means."""
        files, root = self._files, self._files.path[-1]
        if item == OPEN_ITEM:
            self._has_ended = self._is_good = files.can_accept
        elif item == self._items.cancel:
            self._has_ended = True
        elif item == _REBUILD_LIST:
            files.enter(self._of.place_wanted() or files.folder)
        elif item == _OPEN_FOLDER and isinstance(files.node, Folder):
            files.enter(files.node)
        elif item == _GO_TO_PARENT:
            files.enter(files.folder.parent or root)
        elif item == _GO_TO_DESKTOP or (item == _DESKTOP and self._procedures.is_new):
            files.enter(root)
        elif item in (_CHARACTER + _UP, _CHARACTER + _DOWN):
            files.step(1 if item == _CHARACTER + _DOWN else -1)
        elif item >= _CHARACTER and not self._items.field:
            files.jump(bytes([item & 0xFF]))
