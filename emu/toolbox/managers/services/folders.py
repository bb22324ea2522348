"""FindFolder: the system's folders.

They are ordinary folders of the one volume, by the names that the American system gives them. One
is made when a program asks for it, as a disk with System 7 has it; only two of them are there no
earlier than a program wants them to be made.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 7 "Finder Interface" (FindFolder,
p. 7-66; the folder types, p. 7-49).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import Folder
from emu.toolbox.records.results import ResultCode

_FOLDERS = {
    "macs": ("System Folder",),
    "amnu": ("System Folder", "Apple Menu Items"),
    "ctrl": ("System Folder", "Control Panels"),
    "desk": ("Desktop Folder",),
    "empt": ("Trash",),
    "extn": ("System Folder", "Extensions"),
    "font": ("System Folder", "Fonts"),
    "pref": ("System Folder", "Preferences"),
    "prnt": ("System Folder", "PrintMonitor Documents"),
    "strt": ("System Folder", "Startup Items"),
    "temp": ("Temporary Items",),
    "trsh": ("Trash",),
}
_WHEN_WANTED = frozenset(("prnt", "temp"))
"""The folders that are not on every disk with System 7."""


class FolderManager(Manager):
    """Where the system's folders are."""

    _files: FileManager

    @routine(
        "FUNCTION FindFolder (vRefNum: INTEGER; folderType: OSType; createFolder: BOOLEAN; "
        "VAR foundVRefNum: INTEGER; VAR foundDirID: LONGINT): OSErr"
    )
    def find_folder(
        self, volume: int, kind: str, create: bool, found_volume: int, found_directory: int
    ) -> int:
        """Find one of the system's folders; fnfErr if it is not there and is not to be made."""
        if kind not in _FOLDERS:
            return ResultCode.fnfErr
        try:
            folder = self._folder(kind, create=create or kind not in _WHEN_WANTED)
        except FileError as error:
            return error.code
        self.guest.put16(found_volume, VOLUME_REFERENCE)
        self.guest.put32(found_directory, folder.id)
        return 0

    def _folder(self, kind: str, *, create: bool) -> Folder:
        """One of the system's folders, which is made if need be and allowed."""
        disk = self._files.volume
        folder = disk.root
        for name in _FOLDERS[kind]:
            path = b":" + name.encode("ascii")
            try:
                node = disk.find(folder, path)
            except FileError:
                if not create:
                    raise
                node = disk.create_folder(folder, path, self._files.now())
            if not isinstance(node, Folder):
                raise FileError(ResultCode.dirNFErr)
            folder = node
        return folder
