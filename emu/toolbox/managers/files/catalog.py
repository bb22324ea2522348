"""File Manager calls on names, with parameter blocks: making, deleting, information, moving.

Source: Inside Macintosh: Files, chapter 2, "Creating and Deleting Files and Directories",
"Manipulating File and Directory Information".
"""

from __future__ import annotations

from emu.toolbox.manager import Manager
from emu.toolbox.managers.files.access import allocated
from emu.toolbox.managers.files.errors import FileCode, FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE
from emu.toolbox.managers.files.parameter_block import HIERARCHICAL, At, block_call
from emu.toolbox.managers.files.volume import File, Folder, Node

_LOCKED, _RESOURCE_OPEN, _DATA_OPEN, _DIRECTORY, _OPEN = 0x01, 0x04, 0x08, 0x10, 0x80


class FileCatalog(Manager):
    """Files and folders by name."""

    title = "File Manager"
    plumbing = True

    # -- what a block names ------------------------------------------------------------------------

    def _place(self, block: int, trap: int) -> tuple[int, int, bytes]:
        guest = self.guest
        return (
            guest.i16(block + At.VOLUME),
            guest.i32(block + At.DIRECTORY) if trap & HIERARCHICAL else 0,
            guest.pascal_string(guest.u32(block + At.NAME)),
        )

    def _node(self, block: int, trap: int) -> Node:
        node: Node = self.mac.files.find(*self._place(block, trap))
        return node

    def _indexed(self, block: int, trap: int, *, only_files: bool) -> Node:
        """What a block names by an index in a folder, or by name."""
        index = self.guest.i16(block + At.INDEX)
        if index == 0 or (index < 0 and only_files):
            return self._node(block, trap)
        volume, directory, _ = self._place(block, trap)
        folder: Folder = self.mac.files.folder_of(volume, directory)
        if index < 0:
            return folder
        inside = [node for node in folder.sorted() if isinstance(node, File) or not only_files]
        if index > len(inside):
            raise FileError(FileCode.NOT_FOUND)
        return inside[index - 1]

    def _put_name(self, block: int, node: Node) -> None:
        name = self.guest.u32(block + At.NAME)
        if name and self.guest.i16(block + At.INDEX) != 0:
            self.guest.put_pascal_string(name, node.name)

    # -- making and deleting -----------------------------------------------------------------------

    @block_call("Create", 0xA008, hierarchical=True)
    def create(self, block: int, trap: int) -> None:
        """Make an empty file."""
        self.mac.files.create(*self._place(block, trap), "", "")

    @block_call("DirCreate", 0xA260, selector=6)
    def create_folder(self, block: int, trap: int) -> None:
        """Make a folder."""
        files = self.mac.files
        start, path = files.start_of(*self._place(block, trap))
        folder = files.volume.create_folder(start, path, files.now())
        self.guest.put32(block + At.DIRECTORY, folder.id)

    @block_call("Delete", 0xA009, hierarchical=True)
    def delete(self, block: int, trap: int) -> None:
        """Delete a file or an empty folder."""
        self.mac.files.delete(self._node(block, trap))

    @block_call("Rename", 0xA00B, hierarchical=True)
    def rename(self, block: int, trap: int) -> None:
        """Give a file, a folder or the volume another name."""
        name = self.guest.pascal_string(self.guest.u32(block + At.MISC))
        self.mac.files.volume.rename(self._node(block, trap), name.rstrip(b":"))

    @block_call("CatMove", 0xA260, selector=5)
    def move(self, block: int, trap: int) -> None:
        """Move a file or folder into another folder."""
        guest, files = self.guest, self.mac.files
        node = self._node(block, trap)
        directory = guest.i32(block + At.NEW_DIRECTORY)
        name = guest.pascal_string(guest.u32(block + At.NEW_NAME))
        target = files.find(guest.i16(block + At.VOLUME), directory, name)
        if not isinstance(target, Folder):
            raise FileError(FileCode.BAD_MOVE)
        files.volume.move(node, target)

    # -- information -------------------------------------------------------------------------------

    def _put_file(self, block: int, file: File) -> None:
        guest, files = self.guest, self.mac.files
        files.loaded(file)
        attributes = _LOCKED if file.locked else 0
        for opened in files.open.of(file):
            attributes |= _OPEN | (_RESOURCE_OPEN if opened.resource else _DATA_OPEN)
        guest.put8(block + At.ATTRIBUTES, attributes)
        guest.write(block + At.FINDER_INFO, file.finder[:16])
        guest.put32(block + At.DIRECTORY, file.id)
        for start, length, size, fork in (
            (At.DATA_START, At.DATA_LENGTH, At.DATA_ALLOCATED, file.data),
            (At.RESOURCE_START, At.RESOURCE_LENGTH, At.RESOURCE_ALLOCATED, file.resources),
        ):
            guest.put16(block + start, 0)
            guest.put32(block + length, len(fork))
            guest.put32(block + size, allocated(len(fork)))
        guest.put32(block + At.CREATED, file.created)
        guest.put32(block + At.MODIFIED, file.modified)

    @block_call("GetFInfo", 0xA00C, hierarchical=True)
    def get_file_information(self, block: int, trap: int) -> None:
        """Sizes, dates and Finder information of a file."""
        node = self._indexed(block, trap, only_files=True)
        if not isinstance(node, File):
            raise FileError(FileCode.NOT_FOUND)
        self._put_name(block, node)
        self._put_file(block, node)
        # There is one write path at most, and its number is what the block is given.
        opened = self.mac.files.open.of(node)
        self.guest.put16(block + At.REFERENCE, opened[0].reference if opened else 0)

    @block_call("SetFInfo", 0xA00D, hierarchical=True)
    def set_file_information(self, block: int, trap: int) -> None:
        """Change dates and Finder information of a file."""
        file = self.mac.files.loaded(self._node(block, trap))
        file.created = self.guest.u32(block + At.CREATED)
        file.modified = self.guest.u32(block + At.MODIFIED)
        changed = self.guest.read(block + At.FINDER_INFO, 16) + file.finder[16:]
        self.mac.files.set_finder(file, changed)

    @block_call("GetCatInfo", 0xA260, selector=9)
    def get_catalog_information(self, block: int, trap: int) -> None:
        """What the catalog has about a file or folder."""
        guest, files = self.guest, self.mac.files
        node = self._indexed(block, trap, only_files=False)
        self._put_name(block, node)
        guest.put16(block + At.REFERENCE, 0)
        if isinstance(node, File):
            self._put_file(block, node)
            guest.put32(block + At.CLUMP_SIZE, 0)
        else:
            assert isinstance(node, Folder)
            guest.put8(block + At.ATTRIBUTES, _DIRECTORY)
            guest.write(block + At.FINDER_INFO, node.finder[:16])
            guest.put32(block + At.DIRECTORY, node.id)
            guest.put16(block + At.ITEMS_IN_FOLDER, len(node.children))
            guest.put32(block + At.CREATED, node.created)
            guest.put32(block + At.MODIFIED, node.modified)
        guest.put8(block + At.ATTRIBUTES + 1, 0)
        guest.put32(block + At.BACKED_UP, 0)
        guest.write(block + At.MORE_FINDER_INFO, node.finder[16:])
        guest.put32(block + At.PARENT, files.parent_id(node))

    @block_call("SetCatInfo", 0xA260, selector=10)
    def set_catalog_information(self, block: int, trap: int) -> None:
        """Change what the catalog has about a file or folder."""
        node = self._node(block, trap)
        if isinstance(node, File):
            self.mac.files.loaded(node)
        node.created = self.guest.u32(block + At.CREATED)
        node.modified = self.guest.u32(block + At.MODIFIED)
        finder = self.guest.read(block + At.FINDER_INFO, 16)
        self.mac.files.set_finder(node, finder + self.guest.read(block + At.MORE_FINDER_INFO, 16))

    @block_call("SetFLock", 0xA041, hierarchical=True)
    def lock(self, block: int, trap: int) -> None:
        """Lock a file."""
        self.mac.files.loaded(self._node(block, trap)).locked = True

    @block_call("RstFLock", 0xA042, hierarchical=True)
    def unlock(self, block: int, trap: int) -> None:
        """Unlock a file."""
        self.mac.files.loaded(self._node(block, trap)).locked = False

    @block_call("SetFVers", 0xA043)
    def set_version(self, block: int, trap: int) -> None:
        """Refused, as on every HFS volume."""
        raise FileError(FileCode.WRONG_VOLUME_TYPE)

    @block_call("MakeFSSpec", 0xA260, selector=0x1B)
    def make_specification(self, block: int, trap: int) -> None:
        """Turn a place and a name into a file system specification."""
        self.mac.files.make_spec(*self._place(block, trap), self.guest.u32(block + At.MISC))
        self.guest.put16(block + At.VOLUME, VOLUME_REFERENCE)
