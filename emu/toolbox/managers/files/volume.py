"""A volume, in memory or in a folder of the host.

A volume knows names, folders and contents; the File Manager keeps open files and parameter blocks.
Folders and files are numbered as on an HFS volume: the root is 2, and new ones count from 16.
Source: Inside Macintosh: Files, chapter 2, "The File System".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from emu.base.errors import InputError, UsageError
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.host_folder import (
    DEEPEST,
    MOST_ENTRIES,
    HostEntry,
    HostFolder,
    StoredFile,
    host_name,
    is_valid_name,
)
from emu.toolbox.managers.files.nodes import File, Folder, Node, folded, host_parts, levels
from emu.toolbox.records.results import ResultCode

ROOT_ID = 2
PARENT_OF_ROOT = 1
CAPACITY = 64 << 20
"""The most bytes in all forks of a volume."""
_FIRST_ID = 16


class Volume:
    """A volume.

    Args:
        name: its name, MacRoman.
        folder: the folder of the host that the volume shows; None for an empty volume in memory.
        now: the date of all files at the beginning, in seconds since 1904.

    Attributes:
        root: the folder that everything is in.
        host: the host's folder.
        used: bytes of all forks.
        next_id: the number that the next file or folder gets.
        has_changed_host: whether something in the host's folder was changed.

    Raises:
        UsageError: the folder cannot be used, or holds more than a volume may.
    """

    def __init__(self, name: bytes, folder: Path | None, now: int) -> None:
        self.name = name
        self.host = HostFolder(folder) if folder is not None else None
        self.has_changed_host = False
        self.root = Folder(ROOT_ID, name, "", None, now, now)
        self.used = 0
        self._nodes: dict[int, Node] = {ROOT_ID: self.root}
        self.next_id = _FIRST_ID
        self._stored = 0  # number of files and folders on the host, including invisible ones
        if self.host is not None:
            self._fill(self.root, self.host.entries(), now)
            self._stored = self.host.seen
            if self.used > CAPACITY:
                raise UsageError(
                    f"{folder}: its files have {self.used:,} bytes, and a volume has room for "
                    f"{CAPACITY:,}; give a folder with only the files that the program needs"
                )

    def _fill(self, folder: Folder, entries: tuple[HostEntry, ...], now: int) -> None:
        for entry in entries:
            if folded(entry.mac_name) in folder.children:
                continue  # the host distinguishes case and the Macintosh does not
            place = (self._new_id(), entry.mac_name, entry.host_name, folder, now, now)
            if entry.inside is not None:
                inner = Folder(*place)
                self._enter(inner)
                self._fill(inner, entry.inside, now)
            else:
                self._enter(File(*place, loaded=False, size=entry.size))
                self.used += entry.size

    def _new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    def _enter(self, node: Node) -> None:
        assert node.parent is not None
        node.parent.children[folded(node.name)] = node
        self._nodes[node.id] = node

    # -- finding -----------------------------------------------------------------------------------

    def node(self, number: int) -> Node | None:
        """The file or folder of a number."""
        return self._nodes.get(number)

    def folder(self, number: int) -> Folder:
        """The folder of a number.

        Raises:
            FileError: there is none.
        """
        node = self._nodes.get(number)
        if not isinstance(node, Folder):
            raise FileError(ResultCode.dirNFErr)
        return node

    def nodes(self) -> Iterator[Node]:
        """Every file and folder, the root too."""
        return iter(self._nodes.values())

    def files(self) -> Iterator[File]:
        """Every file."""
        return (node for node in self._nodes.values() if isinstance(node, File))

    def locate(self, start: Folder, path: bytes) -> tuple[Folder, bytes]:
        """Follow a path; its last folder and the name in it, which is b"" for the folder itself.

        A path that begins with a colon, or has no colon, starts from ``start``. Any other path is a
        full path and begins with the volume's name. Two colons in a row lead one folder up.

        Raises:
            FileError: there is no such folder on the way, or the name is not allowed.
        """
        if not path:
            return start, b""
        if len(path) > 255:
            raise FileError(ResultCode.bdNamErr)
        colon = path.find(b":")
        if colon < 0:
            return start, self._valid(path)
        if colon > 0:
            if folded(path[:colon]) != folded(self.name):
                raise FileError(ResultCode.nsvErr)
            start = self.root
        *way, last = path[colon + 1 :].split(b":")
        place = start
        for number, name in enumerate(way):
            if not name:
                if place.parent is None:
                    raise FileError(ResultCode.dirNFErr)
                place = place.parent
                continue
            inner = place.children.get(folded(self._valid(name)))
            if inner is None and number == len(way) - 1 and not last:
                return place, name  # ":New:" may name a folder that does not exist yet
            if not isinstance(inner, Folder):
                raise FileError(ResultCode.dirNFErr)
            place = inner
        return place, self._valid(last) if last else b""

    @staticmethod
    def _valid(name: bytes) -> bytes:
        if not is_valid_name(name):
            raise FileError(ResultCode.bdNamErr)
        return name

    def find(self, start: Folder, path: bytes) -> Node:
        """The file or folder at a path.

        Raises:
            FileError: there is none.
        """
        folder, name = self.locate(start, path)
        if not name:
            return folder
        node = folder.children.get(folded(name))
        if node is None:
            raise FileError(ResultCode.fnfErr)
        return node

    # -- changing ----------------------------------------------------------------------------------

    def create_file(self, start: Folder, path: bytes, now: int, *, stored: bool = True) -> File:
        """Make an empty file.

        Args:
            start: the folder that the path starts from.
            path: see `locate`.
            now: its date.
            stored: whether the host gets it too.

        Raises:
            FileError: there is one already, or it cannot be made.
        """
        folder, name, on_host = self._new_place(start, path, stored)
        file = File(self._new_id(), name, on_host, folder, now, now, stored=stored)
        if stored:
            self._on_host(
                lambda host: host.write(host_parts(file), StoredFile(b"", b"", file.finder))
            )
            self._stored += 1
        self._enter(file)
        folder.modified = now
        return file

    def create_folder(self, start: Folder, path: bytes, now: int) -> Folder:
        """Make an empty folder; arguments and errors are those of `create_file`."""
        folder, name, on_host = self._new_place(start, path, True)
        self._require_depth(folder, 1)
        new = Folder(self._new_id(), name, on_host, folder, now, now)
        self._on_host(lambda host: host.make_folder(host_parts(new)))
        self._stored += 1
        self._enter(new)
        folder.modified = now
        return new

    def _new_place(self, start: Folder, path: bytes, stored: bool) -> tuple[Folder, bytes, str]:
        folder, name = self.locate(start, path)
        if not name:
            raise FileError(ResultCode.dupFNErr)
        # The next run must be able to read the folder, so a run may not leave too many files in it.
        if stored and self._stored >= MOST_ENTRIES:
            raise FileError(ResultCode.dirFulErr)
        self._require_free(folder, name, stored)
        return folder, name, host_name(name)

    def _require_depth(self, folder: Folder, levels: int) -> None:
        """Refuse folders nested so deep that the next run could not read the host's folder."""
        if self.host is not None and len(host_parts(folder)) + levels > DEEPEST:
            raise FileError(ResultCode.dirFulErr)

    def _require_free(self, folder: Folder, name: bytes, stored: bool = True) -> None:
        if folded(name) in folder.children:
            raise FileError(ResultCode.dupFNErr)
        if self.host is not None and stored:
            try:
                taken = self.host.exists((*host_parts(folder), host_name(name)))
            except InputError as error:
                raise FileError(ResultCode.ioErr) from error
            if taken:
                raise FileError(ResultCode.dupFNErr)

    def delete(self, node: Node) -> None:
        """Delete a file, or a folder with nothing in it.

        Raises:
            FileError: it is locked, not empty, or the root.
        """
        if node.parent is None:
            raise FileError(ResultCode.fBsyErr)
        if isinstance(node, Folder) and node.children:
            raise FileError(ResultCode.fBsyErr)
        if node.locked:
            raise FileError(ResultCode.fLckdErr)
        if not isinstance(node, File) or node.stored:
            folder = isinstance(node, Folder)
            self._on_host(lambda host: host.remove(host_parts(node), folder=folder))
            self._stored -= 1
        del node.parent.children[folded(node.name)]
        del self._nodes[node.id]
        if isinstance(node, File):
            self.used -= node.size

    def rename(self, node: Node, name: bytes) -> None:
        """Give a file, folder or the volume another name.

        Raises:
            FileError: the name is not allowed or taken, or the file is locked.
        """
        self._valid(name)
        if node.parent is None:
            self.name = node.name = name
            return
        if node.locked:
            raise FileError(ResultCode.fLckdErr)
        same_but_for_case = folded(name) == folded(node.name)
        if not same_but_for_case:
            self._require_free(node.parent, name)
        self._relocate(node, node.parent, name)

    def move(self, node: Node, target: Folder) -> None:
        """Move a file or folder into another folder of the volume.

        Raises:
            FileError: the name is taken, or a folder would be moved into itself.
        """
        place: Folder | None = target
        while place is not None:
            if place is node:
                raise FileError(ResultCode.badMovErr)
            place = place.parent
        if node.parent is None:
            raise FileError(ResultCode.badMovErr)
        if node.locked:
            raise FileError(ResultCode.fLckdErr)
        if target is not node.parent:
            self._require_free(target, node.name)
            if isinstance(node, Folder):
                self._require_depth(target, levels(node))
            self._relocate(node, target, node.name)

    def _relocate(self, node: Node, target: Folder, name: bytes) -> None:
        assert node.parent is not None
        new_host_name = host_name(name)
        before, after = host_parts(node), (*host_parts(target), new_host_name)
        if before != after and (not isinstance(node, File) or node.stored):
            self._on_host(lambda host: host.move(before, after))
        del node.parent.children[folded(node.name)]
        node.name, node.host_name, node.parent = name, new_host_name, target
        self._enter(node)

    # -- contents ----------------------------------------------------------------------------------

    def load(self, file: File) -> None:
        """Read both forks of a file into memory, if they are not there yet.

        Raises:
            FileError: the host cannot read them.
        """
        if file.loaded:
            return
        try:
            if file.source is not None:
                stored = file.source()
            else:
                assert self.host is not None
                stored = self.host.read(host_parts(file))
        except InputError as error:
            raise FileError(ResultCode.ioErr) from error
        file.loaded = True
        file.data[:], file.resources[:] = stored.data, stored.resources
        file.finder = stored.finder
        self.account(file)

    def account(self, file: File) -> None:
        """Update the volume's size after a file's forks have changed size."""
        size = len(file.data) + len(file.resources)
        self.used += size - file.size
        file.size = size

    def require_room(self, more: int) -> None:
        """Make sure that there is room for so many more bytes.

        Raises:
            FileError: there is not.
        """
        if self.used + more > CAPACITY:
            raise FileError(ResultCode.dskFulErr)

    def flush(self, file: File) -> None:
        """Store a changed file on the host.

        Raises:
            FileError: the host cannot store it.
        """
        if not file.changed:
            return
        if file.stored:
            stored = StoredFile(bytes(file.data), bytes(file.resources), file.finder)
            self._on_host(lambda host: host.write(host_parts(file), stored))
        file.changed = False

    def _on_host(self, act: Callable[[HostFolder], None]) -> None:
        if self.host is None:
            return
        self.has_changed_host = True
        try:
            act(self.host)
        except InputError as error:
            raise FileError(ResultCode.ioErr) from error
