"""File dialogs that a person sees and uses.

The dialog is no window of the program's: its pixels are put over the screen's as those of a menu
are, and taken away at the end. So a program sees no difference between a person who uses it and a
script that names the file, and the log of both is the same.
Keys and clicks are those of System 7 (Inside Macintosh: Files, chapter 3 "Standard File Package").
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from emu.quickdraw import Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.controls.looks import IN_BUTTON, Look
from emu.toolbox.managers.events.event import (
    AUTO_KEY,
    KEY_DOWN,
    KEY_UP,
    MOUSE_DOWN,
    MOUSE_UP,
    NULL,
    Event,
)
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.file_dialogs.file_box import FileBoxClicks
from emu.toolbox.managers.file_dialogs.file_list import FileList, FileWish
from emu.toolbox.managers.file_dialogs.looks import FileDialogLook
from emu.toolbox.managers.file_dialogs.procedures import FileProcedureCalls, FileProcedures
from emu.toolbox.managers.file_dialogs.replace_question import ReplaceQuestion
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.files.nodes import File, Folder, folded
from emu.toolbox.managers.menus.choice import MenuChoice
from emu.toolbox.managers.menus.record import Menu, MenuItem
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.records.results import Modifier

_INPUTS = sum(1 << kind for kind in (MOUSE_DOWN, MOUSE_UP, KEY_DOWN, KEY_UP, AUTO_KEY))
_ENTER, _RETURN, _ESCAPE, _UP, _DOWN, _PERIOD = 3, 13, 27, 30, 31, 46
_LEFT, _RIGHT = 28, 29


class FileDialogs(Manager):
    """Shows file dialogs.

    Attributes:
        is_open: whether one is on the screen, so that clicks and keys are not the program's.
    """

    _quickdraw: QuickDraw
    _events: EventManager
    _files: FileManager
    _window_tracking: WindowTracking
    _menu_choice: MenuChoice
    _procedure_calls: FileProcedureCalls

    def __post_init__(self) -> None:
        self._folder: Folder | None = None
        self.is_open = False

    def ask(
        self, wish: FileWish, procedures: FileProcedures, give_up: Callable[[], bool]
    ) -> tuple[Folder, bytes] | None:
        """Let a person choose a file: its folder and its name, or None.

        Args:
            wish: what the program asks for.
            procedures: the program's; its filter says which files are shown.
            give_up: whether the answer has come from somewhere else meanwhile.
        """
        screen = self._quickdraw.screen
        look = FileDialogLook.on(screen.bounds, has_field=wish.is_saving)
        hides = functools.partial(self._procedure_calls.hides, procedures)
        files = FileList(wish, self._first_folder(), look.rows, self.type_of, hides)
        covered = look.outside.intersect(screen.bounds)
        under = screen.pixels(covered)
        dialog = _FileDialog(self._quickdraw, self._window_tracking, self._menu_choice, look, files)
        self.is_open = True
        try:
            dialog.draw()
            while not dialog.has_ended and not give_up():
                event = self._events.next(_INPUTS, remove=True)
                if event.what == NULL:
                    self._events.idle()
                else:
                    dialog.handle(event, self.guest.u32(LowMemory.DOUBLE_CLICK_TIME))
        finally:
            self.is_open = False
            screen.put(covered, under)
            while self._events.next(1 << MOUSE_UP, remove=True).what != NULL:
                pass
        self._folder = files.folder
        return dialog.chosen

    def _first_folder(self) -> Folder:
        """The folder that a dialog showed last, if it is still on the disk; else the disk's."""
        volume = self._files.volume
        known = self._folder
        return known if known and volume.node(known.id) is known else volume.root

    def type_of(self, file: File) -> bytes:
        """A file's type; empty if it cannot be read."""
        try:
            return self._files.loaded(file).finder[:4]
        except FileError:
            return b""  # it cannot be read


class _FileDialog:
    """One dialog while it is on the screen."""

    def __init__(
        self,
        quickdraw: QuickDraw,
        tracking: WindowTracking,
        menus: MenuChoice,
        look: FileDialogLook,
        files: FileList,
    ) -> None:
        self._quickdraw, self._tracking, self._menus = quickdraw, tracking, menus
        self._look, self._files = look, files
        self._box = FileBoxClicks(tracking, look.box, files, lambda: self._painter, self.draw)
        self._question: ReplaceQuestion | None = None
        self.chosen: tuple[Folder, bytes] | None = None
        self.has_ended = False

    @property
    def _painter(self) -> Painter:
        return Painter.on_screen(self._quickdraw, self._look.outside)

    def draw(self) -> None:
        """Draw all of it."""
        self._look.draw(self._painter, self._files)
        if self._question is not None:
            self._question.draw(self._painter)

    def handle(self, event: Event, double_time: int) -> None:
        """Do what a click or a key asks for; two clicks within so many ticks are a double click."""
        if self._question is not None:
            self._answer(self._question, event)
        elif event.what == MOUSE_DOWN:
            self._click(event, double_time)
        elif event.what in (KEY_DOWN, AUTO_KEY):
            self._key(event.message & 0xFF, command=bool(event.modifiers & Modifier.cmdKey))
        if not self.has_ended:
            self.draw()

    def _end(self, chosen: tuple[Folder, bytes] | None) -> None:
        self.chosen, self.has_ended = chosen, True

    def _accept(self) -> None:
        """Open the folder that is selected, or end with what is chosen."""
        files = self._files
        if not files.can_accept:
            return
        there = files.node or files.folder.children.get(folded(files.name))
        if isinstance(there, Folder):
            files.enter(there)
        elif there is not None and files.wish.is_saving:
            self._question = ReplaceQuestion.over(self._look.content, there.name)
        else:
            self._end(files.choice)

    def _answer(self, question: ReplaceQuestion, event: Event) -> None:
        """Replace the file that is there already, or go on."""
        if event.what == MOUSE_DOWN:
            for replaces in (True, False):
                r = question.replace if replaces else question.cancel
                button = functools.partial(question.button, replaces=replaces)
                if self._is_pressed(event.where, r, button):
                    self._question = None
                    if replaces:
                        self._end(self._files.choice)
        elif event.what == KEY_DOWN and event.message & 0xFF in (_RETURN, _ENTER, _ESCAPE):
            self._question = None

    def _leave_folder(self) -> None:
        parent = self._files.folder.parent
        if parent is not None:
            self._files.enter(parent)

    # -- keys --------------------------------------------------------------------------------------

    def _key(self, key: int, *, command: bool) -> None:
        files = self._files
        if key in (_RETURN, _ENTER):
            self._accept()
        elif key == _ESCAPE or (command and key == _PERIOD):
            self._end(None)
        elif key in (_UP, _DOWN):
            if not command:
                files.step(1 if key == _DOWN else -1)
            elif key == _UP:
                self._leave_folder()
            elif files.opens_folder:
                self._accept()
        elif key in (_LEFT, _RIGHT):
            files.edit_name()
        elif files.wish.is_saving:
            files.type(key)
        elif not command:
            files.jump(bytes([key]))

    # -- clicks ------------------------------------------------------------------------------------

    def _click(self, event: Event, double_time: int) -> None:
        look, place = self._look, event.where
        if look.list.contains(place.h, place.v):
            if self._box.select(event, double_time):
                self._accept()
        elif look.box.bar(self._files).part_at(place.h, place.v):
            self._box.scroll(place)
        elif look.popup(self._files).part_at(place.h, place.v):
            self._choose_folder()
        elif look.has_field and look.field.contains(place.h, place.v):
            self._files.edit_name()
        elif self._is_pressed(place, look.cancel, self._button(accepts=False)):
            self._end(None)
        elif self._files.can_accept and self._is_pressed(
            place, look.accept, self._button(accepts=True)
        ):
            self._accept()

    def _button(self, *, accepts: bool) -> functools.partial[Look]:
        return functools.partial(self._look.button, self._files, accepts=accepts)

    def _is_pressed(self, place: Point, r: Rectangle, button: functools.partial[Look]) -> bool:
        """Follow the mouse if it is in a button; whether it is let go there."""
        if not r.contains(place.h, place.v):
            return False

        def show(pressed: bool) -> None:
            button(highlight=IN_BUTTON if pressed else 0).draw(self._painter)

        return self._tracking.track(lambda mouse: r.contains(mouse.h, mouse.v), show)

    def _choose_folder(self) -> None:
        """Let a folder be chosen of those that the one on the screen is in."""
        path, box = self._files.path, self._look.popup(self._files).box
        menu = Menu(0, b"", tuple(MenuItem(folder.name) for folder in path))
        item = self._menus.pop_up(menu, Point(box.top + 1, box.left + 1))
        if item > 1:
            self._files.enter(path[item - 1])
