"""The File Manager's state: the volume, open files, default folder and working directories.

The calls are in `access` (open files), `catalog` (names, information and volumes) and
`calls` and `volume_calls` (the high-level routines); this module is what they share, and what
other managers and the command line use.
Source: Inside Macintosh: Files, chapter 2.
"""

from __future__ import annotations

import contextlib

from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_file.resource_fork import make_resource_fork
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.host_folder import LONGEST_NAME, StoredFile, is_valid_name
from emu.toolbox.managers.files.nodes import File, Folder, Node, folded
from emu.toolbox.managers.files.open_files import OpenFiles
from emu.toolbox.managers.files.volume import PARENT_OF_ROOT, ROOT_ID, Volume
from emu.toolbox.records.files import FSSpec
from emu.toolbox.records.results import ResultCode

VOLUME_NAME = b"macproof"
VOLUME_REFERENCE = -1
DRIVE = 1
_FIRST_WORKING_DIRECTORY, _WORKING_DIRECTORY_STEP = -32767, 16
_MOST_WORKING_DIRECTORIES = 40


class FileManager(Manager):
    """One volume, and what is open on it.

    Attributes:
        volume: the volume.
        open: open files by reference number, for every manager.
        default: the folder that a volume reference of 0 stands for.
        default_reference: the reference with which it was chosen.
        working: working directories: folder and the program's own number of each.
    """

    plumbing = True

    def __post_init__(self) -> None:
        self.volume = Volume(VOLUME_NAME, self.host.settings.folder, self.host.clock.seconds())
        self.open = OpenFiles(self.volume)
        self.default = self.volume.root
        self.default_reference = VOLUME_REFERENCE
        self.working: dict[int, tuple[Folder, int]] = {}

    def start(self) -> None:
        """Put the program's own file on the volume, if it is not there."""
        application = self.host.application
        name = application.name.encode("mac_roman", "replace")[:LONGEST_NAME]
        if not is_valid_name(name) or folded(name) in self.volume.root.children:
            return
        try:
            file = self.volume.create_file(self.volume.root, name, self.now(), stored=False)
        except FileError:
            return
        finder = b"APPL" + application.creator.encode("mac_roman", "replace")[:4].ljust(4)
        file.finder = finder.ljust(32, b"\0")
        file.loaded = False
        file.source = lambda: StoredFile(
            application.data,
            application.fork or make_resource_fork(application.resources.resources),
            file.finder,
        )

    def finish(self) -> None:
        """Close what the program has left open, and say so if it has ended by itself."""
        for opened in list(self.open):
            if not opened.by_system and not self.host.is_cut_short:
                fork = "resource fork" if opened.resource else "data fork"
                self.host.report(
                    "open file",
                    f"the {fork} of {opened.file.path} was still open when the program ended",
                )
            with contextlib.suppress(FileError):  # which is reported
                self.close(opened.reference)

    def now(self) -> int:
        """The time for a file's dates, seconds since 1904."""
        return self.host.clock.seconds()

    # -- for the command line and other managers ---------------------------------------------------

    def add(self, name: str, data: bytes = b"", type: str = "TEXT", creator: str = "????") -> None:
        """Put a file into the root folder before the program starts, in place of one of that name.

        Raises:
            FileError: it cannot be there.
        """
        self._add(name, StoredFile(data, b"", (type + creator).encode("mac_roman")))

    def add_copy(self, file: MacFile) -> None:
        """Put a Mac file into the root folder, with both forks and its dates.

        Raises:
            FileError: it cannot be there.
        """
        finder = (file.type + file.creator).encode("mac_roman") + file.flags.to_bytes(2, "big")
        node = self._add(file.name, StoredFile(file.data, file.resource_fork, finder))
        node.created = file.created or node.created
        node.modified = file.modified or node.modified

    def _add(self, name: str, file: StoredFile) -> File:
        folder, last = self.volume.locate(self.volume.root, self.path(name))
        node = folder.children.get(folded(last)) if last else folder
        if node is None:
            node = self.volume.create_file(folder, last, self.now())
        if not isinstance(node, File):
            raise FileError(ResultCode.dupFNErr)
        self.volume.load(node)
        more = len(file.data) + len(file.resources or node.resources)
        self.volume.require_room(more - len(node.data) - len(node.resources))
        node.data[:] = file.data
        node.resources[:] = file.resources or node.resources
        node.finder = file.finder + node.finder[len(file.finder) :]
        node.changed = True
        self.volume.account(node)
        self.volume.flush(node)
        return node

    @staticmethod
    def path(name: str) -> bytes:
        """The path, from the root folder, that people write without a colon in front."""
        return b":" + name.encode("mac_roman", "replace").removeprefix(b":")

    def contents(self, name: str) -> bytes:
        """The data fork of a file; folders before its name are parted by colons.

        Raises:
            FileError: there is no such file.
        """
        node = self.volume.find(self.volume.root, self.path(name))
        return bytes(self.loaded(node).data)

    def changed_files(self) -> dict[str, bytes]:
        """Data forks of the files that the program made or changed, by their paths."""
        files = (file for file in self.volume.files() if file.written)
        return {
            file.path: bytes(file.data)
            for file in sorted(files, key=lambda each_file: each_file.path)
        }

    def open_resource_fork(
        self, volume: int, directory: int, name: bytes, permission: int = 0, *, system: bool = True
    ) -> int:
        """Open a resource fork; its reference number.

        Args:
            volume: a volume reference, working directory or drive, or 0.
            directory: a directory ID, or 0.
            name: the file's name or path.
            permission: as for FSpOpenRF.
            system: whether the program need not close it itself.

        Raises:
            FileError: it cannot be opened.
        """
        file = self.find_file(volume, directory, name)
        opened = self.open.open(file, True, permission)
        opened.by_system = system
        return opened.reference

    def read_fork(self, reference: int) -> bytes:
        """All of an open fork.

        Raises:
            FileError: it is not open.
        """
        return bytes(self.open.find(reference).fork)

    def write_fork(self, reference: int, data: bytes) -> None:
        """Put other contents into an open fork; the host gets them at once.

        Raises:
            FileError: it is not open, may not be written, or there is no room.
        """
        opened = self.open.find(reference)
        self.open.set_end(opened, 0, self.now())
        self.open.write(opened, data, self.now())
        self.volume.flush(opened.file)

    def close(self, reference: int) -> None:
        """Close an open fork.

        Raises:
            FileError: it is not open, or the host cannot take what has changed.
        """
        try:
            self.open.close(reference)
        except FileError as error:
            if error.code is ResultCode.ioErr:
                self.host.report("host", "the host could not take what the program wrote to a file")
            raise

    def create(self, volume: int, directory: int, name: bytes, creator: str, type: str) -> File:
        """Make a file.

        Raises:
            FileError: it cannot be made.
        """
        start, path = self.start_of(volume, directory, name)
        file = self.volume.create_file(start, path, self.now())
        file.written = True
        if type or creator:
            self.set_finder(file, (type + creator).encode("mac_roman") + file.finder[8:])
        return file

    # -- finding -----------------------------------------------------------------------------------

    def folder_of(self, volume: int, directory: int) -> Folder:
        """The folder that a volume reference and a directory ID stand for.

        Raises:
            FileError: there is no such volume or folder.
        """
        if volume in self.working:
            folder = self.working[volume][0]
        elif volume in (VOLUME_REFERENCE, DRIVE):
            folder = self.volume.root
        elif volume == 0:
            folder = self.default
        else:
            raise FileError(ResultCode.nsvErr)
        if directory:
            return self.volume.folder(directory)
        return folder if self.volume.node(folder.id) is folder else self.volume.root

    def start_of(self, volume: int, directory: int, name: bytes) -> tuple[Folder, bytes]:
        """The folder that a name counts from, and the name."""
        if directory == PARENT_OF_ROOT:
            # The root's own parent, in which only the volume itself is.
            first, _, rest = name.removeprefix(b":").partition(b":")
            if folded(first) != folded(self.volume.name):
                raise FileError(ResultCode.dirNFErr)
            return self.volume.root, b":" + rest if rest else b""
        if b":" in name[1:] and not name.startswith(b":"):
            return self.volume.root, name
        return self.folder_of(volume, directory), name

    def find(self, volume: int, directory: int, name: bytes) -> Node:
        """A file or folder.

        Raises:
            FileError: there is none.
        """
        return self.volume.find(*self.start_of(volume, directory, name))

    def find_file(self, volume: int, directory: int, name: bytes) -> File:
        """A file, with its forks in memory.

        Raises:
            FileError: there is none.
        """
        return self.loaded(self.find(volume, directory, name))

    def loaded(self, node: Node) -> File:
        """The node, as a file with its forks in memory.

        Raises:
            FileError: it is a folder, or the host cannot give it.
        """
        if not isinstance(node, File):
            raise FileError(ResultCode.fnfErr)
        try:
            self.volume.load(node)
        except FileError:
            self.host.report("host", f"{node.path} cannot be read on the host, or is damaged there")
            raise
        return node

    def parent_id(self, node: Node) -> int:
        """The directory ID of the folder a node is in."""
        return node.parent.id if node.parent is not None else PARENT_OF_ROOT

    def reference_of_default(self) -> tuple[int, int]:
        """Volume reference and directory ID of the default folder."""
        return self.default_reference, self.folder_of(0, 0).id

    # -- changing ----------------------------------------------------------------------------------

    def delete(self, node: Node) -> None:
        """Delete a file or folder.

        Raises:
            FileError: it is open, locked or not empty.
        """
        if isinstance(node, File) and self.open.of(node):
            raise FileError(ResultCode.fBsyErr)
        if any(folder is node for folder, _ in self.working.values()):
            raise FileError(ResultCode.fBsyErr)
        self.volume.delete(node)

    def set_finder(self, node: Node, finder: bytes) -> None:
        """Change what the Finder keeps about a file or folder.

        Raises:
            FileError: the host cannot take it.
        """
        node.finder = finder
        if isinstance(node, File):
            node.changed = True
            self.volume.flush(node)

    def flush(self) -> None:
        """Give the host everything that has changed.

        Raises:
            FileError: it cannot take it.
        """
        for file in list(self.volume.files()):
            self.volume.flush(file)

    def open_working_directory(self, folder: Folder, process: int) -> int:
        """A reference number for a folder, the same for the same folder and process.

        Raises:
            FileError: there are too many.
        """
        if folder.id == ROOT_ID:
            return VOLUME_REFERENCE
        for reference, opened in self.working.items():
            if opened == (folder, process):
                return reference
        for number in range(_MOST_WORKING_DIRECTORIES):
            reference = _FIRST_WORKING_DIRECTORY + _WORKING_DIRECTORY_STEP * number
            if reference not in self.working:
                self.working[reference] = (folder, process)
                return reference
        raise FileError(ResultCode.tmwdoErr)

    def close_working_directory(self, reference: int) -> None:
        """Forget a working directory; the default folder stays what it is."""
        self.working.pop(reference, None)
        if self.default_reference == reference:
            self.default_reference = VOLUME_REFERENCE

    def working_directory(self, reference: int) -> tuple[Folder, int]:
        """Folder and process of a reference; the volume's own stands for its root.

        Raises:
            FileError: it is neither.
        """
        return self.working.get(reference) or (self.folder_of(reference, 0), 0)

    def set_default(self, volume: int, folder: Folder) -> None:
        """Choose the folder that a volume reference of 0 stands for."""
        self.default = folder
        self.default_reference = volume if volume in self.working else VOLUME_REFERENCE

    # -- specifications ----------------------------------------------------------------------------

    def spec(self, address: int) -> tuple[int, int, bytes]:
        """Volume reference, directory ID and name in a file system specification record."""
        spec = FSSpec(self.guest, address)
        return spec.vRefNum, spec.parID, spec.name

    def make_spec(self, volume: int, directory: int, name: bytes, address: int) -> None:
        """Fill in a file system specification record.

        Raises:
            FileError: NOT_FOUND if only the last name of the path is not there: the record is
                then right for making it. Another code if a folder before it is not there.
        """
        start, path = self.start_of(volume, directory, name)
        folder, last = self.volume.locate(start, path)
        node = folder.children.get(folded(last)) if last else folder
        parent = self.parent_id(node) if node is not None else folder.id
        spec = FSSpec(self.guest, address)
        spec.vRefNum, spec.parID = VOLUME_REFERENCE, parent
        spec.name = node.name if node is not None else last
        if node is None:
            raise FileError(ResultCode.fnfErr)
