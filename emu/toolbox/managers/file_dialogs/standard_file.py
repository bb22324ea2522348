"""The Standard File package: it asks the user which file to open, or where to save one.

A dialog for which the program has a hook, a filter of events or an activation procedure is a window
(`CustomFileDialogs`). Otherwise a person who plays the program sees a dialog and uses it; for all
others none is shown: the test or the script of the run says the answer beforehand. Without an
answer a dialog counts as cancelled.
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
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.file_dialogs.custom_dialogs import (
    CustomFileDialogs,
    FileAnswer,
    FileDialogCalls,
)
from emu.toolbox.managers.file_dialogs.file_list import FileList, FileWish
from emu.toolbox.managers.file_dialogs.played_dialogs import FileDialogs
from emu.toolbox.managers.file_dialogs.procedures import FileProcedureCalls, FileProcedures
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
    """A file that was chosen; its type is empty where it is chosen for saving.

    While a dialog is shown, `selected` is the folder that is selected in it, and nothing is good.
    """

    folder: Folder
    name: bytes
    type: bytes
    selected: Folder | None = None
    is_good: bool = True


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, and the record at ``reply_at`` that ``write`` makes of the answer."""

    wish: FileWish
    procedures: FileProcedures
    write: Callable[[int, _Choice | None], None]
    reply_at: int

    def reply(self, choice: _Choice | None) -> None:
        """Write the answer."""
        self.write(self.reply_at, choice)


def _path(folder: Folder, name: bytes) -> str:
    text = name.decode("mac_roman")
    return text if folder.parent is None else f"{folder.path}:{text}"


def _first(custom: tuple[Any, ...]) -> int:
    """The ID of a dialog of the program's own, the first parameter that only such calls have."""
    return int(custom[0]) if custom else 0


def _procedures(filter_: int, custom: tuple[Any, ...]) -> FileProcedures:
    """The procedures of a call of System 7."""
    if not custom:
        return FileProcedures(filter_)
    _, where, hook, events, _, activate, data = custom
    return FileProcedures(filter_, hook, events, activate, data, where)


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
    _custom: CustomFileDialogs
    _calls: FileProcedureCalls

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

    def _chosen_file(self, ask: _Question) -> tuple[Folder, bytes] | None:
        if self._events.is_played and not self._answers:
            chosen = self._dialogs.ask(ask.wish, ask.procedures, lambda: bool(self._answers))
            if not self._answers:
                self.on_choice(_path(*chosen) if chosen is not None else None)
                return chosen
        if self.on_wish is not None:
            self.on_wish(ask.wish)
        return self._answered()

    def _answered(self) -> tuple[Folder, bytes] | None:
        """The folder and the name of what a test or a script answers."""
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

    def _next_answer(self) -> FileAnswer | None:
        """An answer to a dialog that is a window; None while somebody uses its items."""
        has_other_step = getattr(self._events.user, "has_other_step", None)
        is_used = self._events.is_played or (has_other_step is not None and has_other_step())
        return None if is_used and not self._answers else FileAnswer(self._answered())

    def _answer(self, ask: _Question) -> None:
        """Ask, and write the reply."""
        if ask.procedures.use_dialog:
            self._answer_in_window(ask)
            return
        chosen = self._chosen_file(ask)
        if chosen is None:
            ask.reply(None)
            return
        folder, name = chosen
        if ask.wish.is_saving:
            ask.reply(_Choice(folder, name, b""))
            return
        node = folder.children.get(folded(name))
        if not isinstance(node, File) or self._calls.hides(ask.procedures, node):
            raise self._unusable(name.decode("mac_roman"))
        file = self._files.loaded(node)
        if ask.wish.types and file.finder[:4] not in ask.wish.types:
            raise self._unusable(name.decode("mac_roman"))
        ask.reply(_Choice(folder, file.name, file.finder[:4]))

    def _answer_in_window(self, ask: _Question) -> None:
        def tell(files: FileList) -> None:
            node, (folder, name) = files.node, files.choice
            kind = self._dialogs.type_of(node) if isinstance(node, File) else b""
            is_folder = node if isinstance(node, Folder) else None
            ask.reply(_Choice(folder, name, kind, is_folder, is_good=False))

        if self.on_wish is not None:
            self.on_wish(ask.wish)
        calls = FileDialogCalls(self._next_answer, tell, self._dialogs.type_of)
        is_good = self._custom.ask(ask.wish, ask.procedures, calls)
        self.guest.put8(ask.reply_at, is_good)

    def _to_save(self, prompt: int, name: int, own_dialog: int) -> FileWish:
        texts = [self.guest.pascal_string(text) if text else b"" for text in (prompt, name)]
        return FileWish(texts[0], texts[1], own_dialog=own_dialog)

    def _to_open(self, count: int, types: int, own_dialog: int) -> FileWish:
        wanted = (self.guest.read(types + 4 * number, 4) for number in range(max(count, 0)))
        return FileWish(types=tuple(wanted), own_dialog=own_dialog)

    # -- replies -----------------------------------------------------------------------------------

    def _old_reply(self, reply: int, choice: _Choice | None) -> None:
        """Write an SFReply; of a folder it has the number where a file's type is (IV, p. 73)."""
        record = SFReply(self.guest, reply)
        if choice is None:
            record.good = False
            return
        record.clear()
        record.good, record.fType, record.fName = choice.is_good, choice.type, choice.name
        if choice.selected is not None:
            record.fType, record.fName = choice.selected.id.to_bytes(4, "big"), b""
        record.vRefNum = self._files.open_working_directory(choice.folder, 0)

    def _new_reply(self, reply: int, choice: _Choice | None) -> None:
        """Write a StandardFileReply."""
        record = StandardFileReply(self.guest, reply)
        if choice is None:
            record.sfGood = False
            return
        record.clear()
        exists = folded(choice.name) in choice.folder.children
        record.sfGood, record.sfReplacing = choice.is_good, exists and not choice.type
        record.sfType, file = choice.type, record.sfFile
        record.sfIsFolder = choice.selected is not None
        file.vRefNum, file.parID, file.name = VOLUME_REFERENCE, choice.folder.id, choice.name

    # -- the dialogs -------------------------------------------------------------------------------

    @routine(f"PROCEDURE SFPutFile ({_SF_PUT})")
    @routine(f"PROCEDURE SFPPutFile ({_SF_PUT}; {_SF_CUSTOM})")
    def put_file(
        self, where: Point, prompt: int, name: int, hook: int, reply: int, *custom: int
    ) -> None:
        """Ask where to save; a dialog of the program's own is shown if it has procedures."""
        wish = self._to_save(prompt, name, _first(custom))
        procedures = FileProcedures(0, hook, custom[1] if custom else 0, where=where)
        self._answer(_Question(wish, procedures, self._old_reply, reply))

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
        """Ask what to open; a dialog of the program's own is shown if it has procedures."""
        wish = self._to_open(count, types, _first(custom))
        procedures = FileProcedures(filter_, hook, custom[1] if custom else 0, where=where)
        self._answer(_Question(wish, procedures, self._old_reply, reply))

    @routine(f"PROCEDURE StandardPutFile ({_STANDARD_PUT})")
    @routine(f"PROCEDURE CustomPutFile ({_STANDARD_PUT}; {_STANDARD_CUSTOM})")
    def standard_put_file(self, prompt: int, name: int, reply: int, *custom: Any) -> None:
        """Ask where to save; a dialog of the program's own is shown if it has procedures."""
        wish = self._to_save(prompt, name, _first(custom))
        self._answer(_Question(wish, _procedures(0, custom), self._new_reply, reply))

    @routine(f"PROCEDURE StandardGetFile ({_STANDARD_GET})")
    @routine(f"PROCEDURE CustomGetFile ({_STANDARD_GET}; {_STANDARD_CUSTOM})")
    def standard_get_file(
        self, filter_: int, count: int, types: int, reply: int, *custom: Any
    ) -> None:
        """Ask what to open; a dialog of the program's own is shown if it has procedures."""
        wish = self._to_open(count, types, _first(custom))
        self._answer(_Question(wish, _procedures(filter_, custom), self._new_reply, reply))
