"""The documents that a program is opened with, or that are dropped onto it.

A program that understands high-level events is sent "open documents" (odoc). Any other finds them
in the Finder's message of earlier Systems when it starts; while it runs nobody can tell it of any.
Sources: Inside Macintosh II, "The Segment Loader"; Inside Macintosh: Interapplication
Communication, chapter 4, "Handling Apple Events Sent by the Finder".
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from emu.base.errors import UsageError
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.apple_events.manager import AppleEventManager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import File
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.files import FSSpec

_PARAMETERS_ABOVE_A5 = 16
_APP_FILE = struct.Struct(">h4sh256s")


class FinderDocuments(Manager):
    """Tells a program of documents."""

    plumbing = True

    _memory: MemoryManager
    _files: FileManager
    _apple_events: AppleEventManager

    def __post_init__(self) -> None:
        self._parameters = 0
        self._opened: list[bytes] = []

    def start(self) -> None:
        """Leave the Finder's message where programs look for it without a call."""
        self._put_message()

    def open(self, names: Sequence[str], *, is_starting: bool = False) -> None:
        """Let a program open documents.

        Args:
            names: their paths from the disk's root, with colons.
            is_starting: whether the program has not been started yet.

        Raises:
            UsageError: there is no such file, or the program cannot be told of it any more.
        """
        files = [self._file(name) for name in names]
        if self._apple_events.are_understood:
            self._apple_events.open_documents([self._spec(file) for file in files])
        elif is_starting:
            self._opened = [self._app_file(file) for file in files]
            self._put_message()
        else:
            raise UsageError(
                "the program's 'SIZE' resource does not say that it understands Apple events, so "
                "it can be given documents only when it starts (--open)"
            )

    def _file(self, name: str) -> File:
        files = self._files
        try:
            folder, last = files.volume.locate(files.volume.root, files.path(name))
            return files.find_file(0, folder.id, last)
        except (FileError, UnicodeEncodeError) as error:
            raise UsageError(f"there is no file {name!r} on the program's disk") from error

    def _spec(self, file: File) -> bytes:
        spec = FSSpec.copied()
        spec.vRefNum, spec.parID = VOLUME_REFERENCE, self._files.parent_id(file)
        spec.name = file.name
        return spec.read()

    def _app_file(self, file: File) -> bytes:
        """An AppFile record: where the file is, its type, its version and its name."""
        files = self._files
        assert file.parent is not None  # only the root has none
        place = files.open_working_directory(file.parent, 0)
        kind = files.loaded(file).finder[:4]
        return _APP_FILE.pack(place, kind, 0, pascal_string(file.name))

    def _put_message(self) -> None:
        """Write the message: 0 for opening, the number of documents, and each of them."""
        data = struct.pack(">hh", 0, len(self._opened))
        for record in self._opened:
            name = record[8 : 9 + record[8]]
            data += record[:8] + name + bytes(len(name) % 2)
        if self._memory.is_handle(self._parameters):
            self._memory.set_contents(self._parameters, data)
        else:
            self._parameters = self._memory.handle_from(data)
        self.guest.put32(LowMemory.APPLICATION_PARAMETERS, self._parameters)
        if self.host.cpu.architecture == "m68k":
            self.guest.put32(self.host.layout.a5 + _PARAMETERS_ABOVE_A5, self._parameters)

    @routine(
        "PROCEDURE GetAppParms (VAR apName: Str255; VAR apRefNum: INTEGER; VAR apParam: Handle)"
    )
    def get_app_parms(self, name: int, reference: int, parameters: int) -> None:
        """The program's name, its resource file, and the documents it was opened with."""
        self.guest.put_pascal_string(
            name, self.host.application.name.encode("mac_roman", "replace")
        )
        self.guest.put16(reference, self.guest.u16(LowMemory.CURRENT_APPLICATION_REFERENCE))
        if not self._memory.is_handle(self._parameters):
            self._put_message()
        self.guest.put32(parameters, self._parameters)

    @routine("PROCEDURE CountAppFiles (VAR message,count: INTEGER)")
    def count_app_files(self, message: int, count: int) -> None:
        """How many documents the program was opened with (--open); none are to be printed."""
        self.guest.put16(message, 0)
        self.guest.put16(count, len(self._opened))

    @routine("PROCEDURE GetAppFiles (index: INTEGER; VAR theFile: AppFile)")
    def get_app_files(self, index: int, file: int) -> None:
        """A document the program was opened with; a record of zeros if there is none."""
        known = 1 <= index <= len(self._opened)
        self.guest.write(file, self._opened[index - 1] if known else bytes(_APP_FILE.size))

    @routine("PROCEDURE ClrAppFiles (index: INTEGER)")
    def clr_app_files(self, index: int) -> None:
        """Take note that a document was opened."""
