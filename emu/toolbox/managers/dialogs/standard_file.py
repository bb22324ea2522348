"""The Standard File package: it asks the user which file to open, or where to save one.

A person who plays the program sees a dialog and uses it. For all others none is shown: the test or
the script of the run says the answer beforehand; without an answer the dialog counts as cancelled.
Filters and hooks of the program are not called.
Source: Inside Macintosh: Files, chapter 3; Inside Macintosh I and IV for the older calls.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.dialogs.file_dialogs import FileDialogs
from emu.toolbox.managers.dialogs.file_list import FileWish
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import File, Folder, folded
from emu.toolbox.records.files import SFReply, StandardFileReply

# Parameters of the routines; the forms with a dialog of the program's own have more.
_SF_PUT = "where: Point; prompt: Str255; origName: Str255; dlgHook: ProcPtr; VAR reply: SFReply"
_SF_GET = (
    "where: Point; prompt: Str255; fileFilter: ProcPtr; numTypes: INTEGER; typeList: Ptr; "
    "dlgHook: ProcPtr; VAR reply: SFReply"
)
_SF_CUSTOM = "dlgID: INTEGER; filterProc: ProcPtr"
_STANDARD_PUT = "prompt: Str255; defaultName: Str255; VAR reply: StandardFileReply"
_STANDARD_GET = (
    "fileFilter: ProcPtr; numTypes: INTEGER; typeList: Ptr; VAR reply: StandardFileReply"
)
_STANDARD_CUSTOM = (
    "dlgID: INTEGER; where: Point; dlgHook: ProcPtr; filterProc: ProcPtr; activeList: Ptr; "
    "activateProc: ProcPtr; yourDataPtr: Ptr"
)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A file that was chosen; its type is empty where it is chosen for saving."""

    folder: Folder
    name: bytes
    type: bytes


def _path(folder: Folder, name: bytes) -> str:
    text = name.decode("mac_roman")
    return text if folder.parent is None else f"{folder.path}:{text}"


def _first(custom: tuple[Any, ...]) -> int:
    """The ID of a dialog of the program's own, the first parameter that only such calls have."""
    return int(custom[0]) if custom else 0


class StandardFileManager(Manager):
    """Asks for a file.

    Attributes:
        on_choice: is called with the path of the file that a person has chosen, as a script's step
            ``file`` has it, or with None if the dialog was cancelled.
        on_wish: is called with what a program asks for, before somebody else than a person answers;
            None for nobody.
    """

    _events: EventManager
    _files: FileManager
    _dialogs: FileDialogs

    def __post_init__(self) -> None:
        self._answers: deque[str | None] = deque()
        self.on_choice: Callable[[str | None], None] = lambda path: None
        self.on_wish: Callable[[FileWish], None] | None = None

    def answer(self, name: str | None) -> None:
        """Say what the next dialog is answered with.

        Args:
            name: the file by its path from the root folder, or None to cancel.
        """
        self._answers.append(name)

    # -- choosing ----------------------------------------------------------------------------------

    def _chosen_file(self, wish: Callable[[], FileWish]) -> tuple[Folder, bytes] | None:
        if self._events.is_played and not self._answers:
            chosen = self._dialogs.ask(wish(), lambda: bool(self._answers))
            if not self._answers:
                self.on_choice(_path(*chosen) if chosen is not None else None)
                return chosen
        if self.on_wish is not None:
            self.on_wish(wish())
        if self._answers:
            answer = self._answers.popleft()
        else:
            take_file = getattr(self._events.user, "take_file", None)
            answer = take_file() if take_file is not None else None
        if answer is None:
            return None
        files = self._files
        try:
            folder, name = files.volume.locate(files.volume.root, files.path(answer))
        except FileError as error:
            raise self._unusable(answer) from error
        return (folder, name) if name else None

    def _unusable(self, answer: str) -> Exception:
        return self.host.stopped(f"the file {answer!r} was chosen in a dialog, but cannot be")

    def _to_save(self, prompt: int, name: int, own_dialog: int) -> _Choice | None:
        def wish() -> FileWish:
            guest = self.guest
            texts = [guest.pascal_string(text) if text else b"" for text in (prompt, name)]
            return FileWish(texts[0], texts[1], own_dialog=own_dialog)

        chosen = self._chosen_file(wish)
        return _Choice(*chosen, b"") if chosen is not None else None

    def _to_open(self, count: int, types: int, own_dialog: int) -> _Choice | None:
        def wanted() -> tuple[bytes, ...]:
            return tuple(self.guest.read(types + 4 * number, 4) for number in range(max(count, 0)))

        chosen = self._chosen_file(lambda: FileWish(types=wanted(), own_dialog=own_dialog))
        if chosen is None:
            return None
        folder, name = chosen
        node = folder.children.get(folded(name))
        if not isinstance(node, File):
            raise self._unusable(name.decode("mac_roman"))
        file = self._files.loaded(node)
        if (kinds := wanted()) and file.finder[:4] not in kinds:
            raise self._unusable(name.decode("mac_roman"))
        return _Choice(folder, file.name, file.finder[:4])

    # -- replies -----------------------------------------------------------------------------------

    def _old_reply(self, reply: int, choice: _Choice | None) -> None:
        """Write an SFReply."""
        record = SFReply(self.guest, reply)
        if choice is None:
            record.good = False
            return
        record.clear()
        record.good, record.fType, record.fName = True, choice.type, choice.name
        record.vRefNum = self._files.open_working_directory(choice.folder, 0)

    def _new_reply(self, reply: int, choice: _Choice | None) -> None:
        """Write a StandardFileReply."""
        record = StandardFileReply(self.guest, reply)
        if choice is None:
            record.sfGood = False
            return
        record.clear()
        exists = folded(choice.name) in choice.folder.children
        record.sfGood, record.sfReplacing = True, exists and not choice.type
        record.sfType, file = choice.type, record.sfFile
        file.vRefNum, file.parID, file.name = VOLUME_REFERENCE, choice.folder.id, choice.name

    # -- the dialogs -------------------------------------------------------------------------------

    @routine(f"PROCEDURE SFPutFile ({_SF_PUT})")
    @routine(f"PROCEDURE SFPPutFile ({_SF_PUT}; {_SF_CUSTOM})")
    def put_file(
        self, where: Point, prompt: int, name: int, hook: int, reply: int, *custom: int
    ) -> None:
        """Ask where to save; a dialog of the program's own is not shown."""
        self._old_reply(reply, self._to_save(prompt, name, _first(custom)))

    @routine(f"PROCEDURE SFGetFile ({_SF_GET})")
    @routine(f"PROCEDURE SFPGetFile ({_SF_GET}; {_SF_CUSTOM})")
    def get_file(
        self,
        where: Point,
        prompt: int,
        filter_: int,
        count: int,
        types: int,
        hook: int,
        reply: int,
        *custom: int,
    ) -> None:
        """Ask what to open; a dialog of the program's own is not shown."""
        self._old_reply(reply, self._to_open(count, types, _first(custom)))

    @routine(f"PROCEDURE StandardPutFile ({_STANDARD_PUT})")
    @routine(f"PROCEDURE CustomPutFile ({_STANDARD_PUT}; {_STANDARD_CUSTOM})")
    def standard_put_file(self, prompt: int, name: int, reply: int, *custom: object) -> None:
        """Ask where to save; a dialog of the program's own is not shown."""
        self._new_reply(reply, self._to_save(prompt, name, _first(custom)))

    @routine(f"PROCEDURE StandardGetFile ({_STANDARD_GET})")
    @routine(f"PROCEDURE CustomGetFile ({_STANDARD_GET}; {_STANDARD_CUSTOM})")
    def standard_get_file(
        self, filter_: int, count: int, types: int, reply: int, *custom: object
    ) -> None:
        """Ask what to open; a dialog of the program's own is not shown."""
        self._new_reply(reply, self._to_open(count, types, _first(custom)))
