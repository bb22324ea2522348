"""The Standard File package: which file to open or save, as the person at the Macintosh says.

Nobody sees a dialog: it is answered beforehand or by the script, and without an answer it is
cancelled. Filters and hooks of the program are not called.
Source: Inside Macintosh: Files, chapter 3; Inside Macintosh I and IV for the older calls.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from emu.toolbox.declaration import routine
from emu.toolbox.file_errors import FileError
from emu.toolbox.guest_types import Point
from emu.toolbox.manager import Manager
from emu.toolbox.managers.files import VOLUME_REFERENCE
from emu.toolbox.volume import File, Folder, folded

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_PACKAGE = 0xA9EA
_OLD_REPLY_SIZE, _NEW_REPLY_SIZE = 74, 88


class StandardFileManager(Manager):
    """Asks for a file."""

    title = "Standard File Package"

    def __init__(self, mac: Macintosh) -> None:
        super().__init__(mac)
        self._answers: deque[str | None] = deque()

    def answer(self, name: str | None) -> None:
        """Say what the next dialog is answered with.

        Args:
            name: the file by its path from the root folder, or None to cancel.
        """
        self._answers.append(name)

    # -- choosing ----------------------------------------------------------------------------------

    def _chosen(self) -> tuple[Folder, bytes] | None:
        if self._answers:
            answer = self._answers.popleft()
        else:
            take_file = getattr(self.mac.events.user, "take_file", None)
            answer = take_file() if take_file is not None else None
        if answer is None:
            return None
        files = self.mac.files
        try:
            folder, name = files.volume.locate(files.volume.root, files.path(answer))
        except FileError as error:
            raise self._unusable(answer) from error
        return (folder, name) if name else None

    def _unusable(self, answer: str) -> Exception:
        return self.mac.stopped(f"the file {answer!r} was chosen in a dialog, but cannot be")

    def _file_to_open(self, count: int, types: int) -> File | None:
        chosen = self._chosen()
        if chosen is None:
            return None
        folder, name = chosen
        node = folder.children.get(folded(name))
        if not isinstance(node, File):
            raise self._unusable(name.decode("mac_roman"))
        file: File = self.mac.files.loaded(node)
        wanted = [self.guest.read(types + 4 * number, 4) for number in range(max(count, 0))]
        if wanted and file.finder[:4] not in wanted:
            raise self._unusable(name.decode("mac_roman"))
        return file

    # -- replies -----------------------------------------------------------------------------------

    def _old_reply(self, reply: int, folder: Folder | None, name: bytes, type_: bytes) -> None:
        guest = self.guest
        if folder is None:
            guest.put8(reply, 0)
            return
        guest.write(reply, bytes(_OLD_REPLY_SIZE))
        guest.put8(reply, 1)
        guest.write(reply + 2, type_)
        guest.put16(reply + 6, self.mac.files.open_working_directory(folder, 0))
        guest.put_pascal_string(reply + 10, name)

    def _new_reply(self, reply: int, folder: Folder | None, name: bytes, type_: bytes) -> None:
        guest = self.guest
        if folder is None:
            guest.put8(reply, 0)
            return
        exists = folded(name) in folder.children
        guest.write(reply, bytes(_NEW_REPLY_SIZE))
        guest.put8(reply, 1)
        guest.put8(reply + 1, int(exists and not type_))
        guest.write(reply + 2, type_ or bytes(4))
        guest.put16(reply + 6, VOLUME_REFERENCE)
        guest.put32(reply + 8, folder.id)
        guest.put_pascal_string(reply + 12, name)

    def _get_old(self, count: int, types: int, reply: int) -> None:
        file = self._file_to_open(count, types)
        if file is None:
            self._old_reply(reply, None, b"", b"")
        else:
            self._old_reply(reply, file.parent, file.name, file.finder[:4])

    def _get_new(self, count: int, types: int, reply: int) -> None:
        file = self._file_to_open(count, types)
        if file is None:
            self._new_reply(reply, None, b"", b"")
        else:
            self._new_reply(reply, file.parent, file.name, file.finder[:4])

    # -- the dialogs -------------------------------------------------------------------------------

    @routine(
        "PROCEDURE SFPutFile (where: Point; prompt: Str255; origName: Str255; dlgHook: ProcPtr; "
        "VAR reply: SFReply)",
        trap=_PACKAGE,
        selector=("stack", 1),
        moves_memory=True,
    )
    def put_file(self, where: Point, prompt: int, name: int, hook: int, reply: int) -> None:
        """Where to save."""
        folder, chosen = self._chosen() or (None, b"")
        self._old_reply(reply, folder, chosen, bytes(4))

    @routine(
        "PROCEDURE SFPPutFile (where: Point; prompt: Str255; origName: Str255; dlgHook: ProcPtr; "
        "VAR reply: SFReply; dlgID: INTEGER; filterProc: ProcPtr)",
        trap=_PACKAGE,
        selector=("stack", 3),
        moves_memory=True,
    )
    def put_file_custom(
        self,
        where: Point,
        prompt: int,
        name: int,
        hook: int,
        reply: int,
        dialog: int,
        filter_: int,
    ) -> None:
        """Where to save, by a dialog of the program's own, which is not shown."""
        self.put_file(where, prompt, name, hook, reply)

    @routine(
        "PROCEDURE SFGetFile (where: Point; prompt: Str255; fileFilter: ProcPtr; "
        "numTypes: INTEGER; typeList: Ptr; dlgHook: ProcPtr; VAR reply: SFReply)",
        trap=_PACKAGE,
        selector=("stack", 2),
        moves_memory=True,
    )
    def get_file(
        self,
        where: Point,
        prompt: int,
        filter_: int,
        count: int,
        types: int,
        hook: int,
        reply: int,
    ) -> None:
        """What to open."""
        self._get_old(count, types, reply)

    @routine(
        "PROCEDURE SFPGetFile (where: Point; prompt: Str255; fileFilter: ProcPtr; "
        "numTypes: INTEGER; typeList: Ptr; dlgHook: ProcPtr; VAR reply: SFReply; "
        "dlgID: INTEGER; filterProc: ProcPtr)",
        trap=_PACKAGE,
        selector=("stack", 4),
        moves_memory=True,
    )
    def get_file_custom(
        self,
        where: Point,
        prompt: int,
        filter_: int,
        count: int,
        types: int,
        hook: int,
        reply: int,
        dialog: int,
        event_filter: int,
    ) -> None:
        """What to open, by a dialog of the program's own, which is not shown."""
        self._get_old(count, types, reply)

    @routine(
        "PROCEDURE StandardPutFile (prompt: Str255; defaultName: Str255; "
        "VAR reply: StandardFileReply)",
        trap=_PACKAGE,
        selector=("stack", 5),
        moves_memory=True,
    )
    def standard_put_file(self, prompt: int, name: int, reply: int) -> None:
        """Where to save."""
        folder, chosen = self._chosen() or (None, b"")
        self._new_reply(reply, folder, chosen, b"")

    @routine(
        "PROCEDURE StandardGetFile (fileFilter: ProcPtr; numTypes: INTEGER; typeList: Ptr; "
        "VAR reply: StandardFileReply)",
        trap=_PACKAGE,
        selector=("stack", 6),
        moves_memory=True,
    )
    def standard_get_file(self, filter_: int, count: int, types: int, reply: int) -> None:
        """What to open."""
        self._get_new(count, types, reply)

    @routine(
        "PROCEDURE CustomPutFile (prompt: Str255; defaultName: Str255; "
        "VAR reply: StandardFileReply; dlgID: INTEGER; where: Point; dlgHook: ProcPtr; "
        "filterProc: ProcPtr; activeList: Ptr; activateProc: ProcPtr; yourDataPtr: Ptr)",
        trap=_PACKAGE,
        selector=("stack", 7),
        moves_memory=True,
    )
    def custom_put_file(self, prompt: int, name: int, reply: int, *more: object) -> None:
        """Where to save, by a dialog of the program's own, which is not shown."""
        self.standard_put_file(prompt, name, reply)

    @routine(
        "PROCEDURE CustomGetFile (fileFilter: ProcPtr; numTypes: INTEGER; typeList: Ptr; "
        "VAR reply: StandardFileReply; dlgID: INTEGER; where: Point; dlgHook: ProcPtr; "
        "filterProc: ProcPtr; activeList: Ptr; activateProc: ProcPtr; yourDataPtr: Ptr)",
        trap=_PACKAGE,
        selector=("stack", 8),
        moves_memory=True,
    )
    def custom_get_file(
        self, filter_: int, count: int, types: int, reply: int, *more: object
    ) -> None:
        """What to open, by a dialog of the program's own, which is not shown."""
        self._get_new(count, types, reply)
