"""File Manager calls with parameter blocks on what is in a volume's catalog.

They make, delete, describe and move files and folders by their names, and find and exchange files
by their numbers. The volume is on a local disk, so it refuses the calls of file servers; it is not
searched whole (PBCatSearch) either. HGetVolParms tells a program so.
Source: Inside Macintosh: Files, chapter 2, "Creating and Deleting Files and Directories",
"Manipulating File and Directory Information", "Manipulating File IDs", "Shared Environment
Routines".
"""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.access import allocated
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import File, Folder, Node
from emu.toolbox.managers.files.parameter_block import HIERARCHICAL, block_call
from emu.toolbox.managers.files.volume import PARENT_OF_ROOT
from emu.toolbox.records.files import (
    CMovePBRec,
    DirInfo,
    FIDParam,
    FInfo,
    HFileInfo,
    HFileParam,
    HIOParam,
    ParamBlockHeader,
)
from emu.toolbox.records.results import ResultCode

_LOCKED, _RESOURCE_OPEN, _DATA_OPEN, _DIRECTORY, _OPEN = 0x01, 0x04, 0x08, 0x10, 0x80
_DISPATCH = 0xA260


class FileCatalog(Manager):
    """Files and folders by name."""

    plumbing = True

    _files: FileManager

    # -- what a block names ------------------------------------------------------------------------

    def _place(self, block: ParamBlockHeader, trap: int) -> tuple[int, int, bytes]:
        directory = block.cast(HFileParam).ioDirID if trap & HIERARCHICAL else 0
        return block.ioVRefNum, directory, self.guest.pascal_string(block.ioNamePtr)

    def _node(self, block: ParamBlockHeader, trap: int) -> Node:
        return self._files.find(*self._place(block, trap))

    def _indexed(self, block: HFileParam, trap: int, *, only_files: bool) -> Node:
        """What a block names by an index in a folder, or by name."""
        index = block.ioFDirIndex
        if index == 0 or (index < 0 and only_files):
            return self._node(block, trap)
        volume, directory, _ = self._place(block, trap)
        if directory == PARENT_OF_ROOT:
            raise FileError(ResultCode.fnfErr)  # a name leads out of it, but it is no folder
        folder = self._files.folder_of(volume, directory)
        if index < 0:
            return folder
        inside = [node for node in folder.sorted() if isinstance(node, File) or not only_files]
        if index > len(inside):
            raise FileError(ResultCode.fnfErr)
        return inside[index - 1]

    def _put_name(self, block: HFileParam, node: Node) -> None:
        name = block.ioNamePtr
        if name and block.ioFDirIndex != 0:
            self.guest.put_pascal_string(name, node.name)

    # -- making and deleting -----------------------------------------------------------------------

    @block_call("Create", 0xA008, HFileParam, hierarchical=True)
    def create(self, block: HFileParam, trap: int) -> None:
        """Make an empty file."""
        self._files.create(*self._place(block, trap), "", "")

    @block_call("DirCreate", 0xA260, HFileParam, selector=6)
    def create_folder(self, block: HFileParam, trap: int) -> None:
        """Make a folder."""
        files = self._files
        start, path = files.start_of(*self._place(block, trap))
        folder = files.volume.create_folder(start, path, files.now())
        block.ioDirID = folder.id

    @block_call("Delete", 0xA009, HFileParam, hierarchical=True)
    def delete(self, block: HFileParam, trap: int) -> None:
        """Delete a file or an empty folder."""
        self._files.delete(self._node(block, trap))

    @block_call("Rename", 0xA00B, HIOParam, hierarchical=True)
    def rename(self, block: HIOParam, trap: int) -> None:
        """Give a file, a folder or the volume another name."""
        name = self.guest.pascal_string(block.ioMisc)
        self._files.volume.rename(self._node(block, trap), name.rstrip(b":"))

    @block_call("CatMove", 0xA260, CMovePBRec, selector=5)
    def move(self, block: CMovePBRec, trap: int) -> None:
        """Move a file or folder into another folder."""
        files = self._files
        node = self._node(block, trap)
        directory = block.ioNewDirID
        name = self.guest.pascal_string(block.ioNewName)
        target = files.find(block.ioVRefNum, directory, name)
        if not isinstance(target, Folder):
            raise FileError(ResultCode.badMovErr)
        files.volume.move(node, target)

    # -- information -------------------------------------------------------------------------------

    def _put_file(self, block: HFileParam, file: File) -> None:
        files = self._files
        files.loaded(file)
        attributes = _LOCKED if file.locked else 0
        for opened in files.open.of(file):
            attributes |= _OPEN | (_RESOURCE_OPEN if opened.resource else _DATA_OPEN)
        block.ioFlAttrib = attributes
        block.ioFlVersNum = 0
        block.ioFlFndrInfo.write(file.finder[: FInfo.size])
        block.ioDirID = file.id
        data, resources = len(file.data), len(file.resources)
        block.ioFlStBlk = block.ioFlRStBlk = 0
        block.ioFlLgLen, block.ioFlPyLen = data, allocated(data)
        block.ioFlRLgLen, block.ioFlRPyLen = resources, allocated(resources)
        block.ioFlCrDat = file.created
        block.ioFlMdDat = file.modified

    @block_call("GetFInfo", 0xA00C, HFileParam, hierarchical=True)
    def get_file_information(self, block: HFileParam, trap: int) -> None:
        """Sizes, dates and Finder information of a file."""
        node = self._indexed(block, trap, only_files=True)
        if not isinstance(node, File):
            raise FileError(ResultCode.fnfErr)
        self._put_name(block, node)
        self._put_file(block, node)
        # There is one write path at most, and its number is what the block is given.
        opened = self._files.open.of(node)
        block.ioFRefNum = opened[0].reference if opened else 0

    @block_call("SetFInfo", 0xA00D, HFileParam, hierarchical=True)
    def set_file_information(self, block: HFileParam, trap: int) -> None:
        """Change dates and Finder information of a file."""
        file = self._files.loaded(self._node(block, trap))
        file.created = block.ioFlCrDat
        file.modified = block.ioFlMdDat
        changed = block.ioFlFndrInfo.read() + file.finder[FInfo.size :]
        self._files.set_finder(file, changed)

    @block_call("GetCatInfo", 0xA260, HFileInfo, selector=9)
    def get_catalog_information(self, block: HFileInfo, trap: int) -> None:
        """What the catalog has about a file or folder."""
        node = self._indexed(block, trap, only_files=False)
        self._put_name(block, node)
        self.describe(block, node)

    def describe(self, block: HFileInfo, node: Node) -> None:
        """Write what the catalog has about a file or folder into a block."""
        block.ioFRefNum = 0
        if isinstance(node, File):
            self._put_file(block, node)
            block.ioFlClpSiz = 0
        else:
            assert isinstance(node, Folder)
            folder = block.cast(DirInfo)
            folder.ioFlAttrib = _DIRECTORY
            folder.ioDrUsrWds = node.finder[: FInfo.size]
            folder.ioDrDirID = node.id
            folder.ioDrNmFls = len(node.children)
            folder.ioDrCrDat = node.created
            folder.ioDrMdDat = node.modified
        block.ioFlVersNum = 0
        block.ioFlBkDat = 0
        block.ioFlXFndrInfo = node.finder[FInfo.size :]
        block.ioFlParID = self._files.parent_id(node)

    @block_call("SetCatInfo", 0xA260, HFileInfo, selector=10)
    def set_catalog_information(self, block: HFileInfo, trap: int) -> None:
        """Change what the catalog has about a file or folder."""
        node = self._node(block, trap)
        if isinstance(node, File):
            self._files.loaded(node)
        node.created = block.ioFlCrDat
        node.modified = block.ioFlMdDat
        self._files.set_finder(node, block.ioFlFndrInfo.read() + block.ioFlXFndrInfo)

    @block_call("SetFLock", 0xA041, HFileParam, hierarchical=True)
    def lock(self, block: HFileParam, trap: int) -> None:
        """Lock a file."""
        self._files.loaded(self._node(block, trap)).locked = True

    @block_call("RstFLock", 0xA042, HFileParam, hierarchical=True)
    def unlock(self, block: HFileParam, trap: int) -> None:
        """Unlock a file."""
        self._files.loaded(self._node(block, trap)).locked = False

    @block_call("SetFVers", 0xA043, HFileParam)
    def set_version(self, block: HFileParam, trap: int) -> None:
        """Refused, as on every HFS volume."""
        raise FileError(ResultCode.wrgVolTypErr)

    @block_call("MakeFSSpec", 0xA260, HIOParam, selector=0x1B)
    def make_specification(self, block: HIOParam, trap: int) -> None:
        """Turn a place and a name into a file system specification."""
        self._files.make_spec(*self._place(block, trap), block.ioMisc)
        block.ioVRefNum = VOLUME_REFERENCE


def exchange_contents(files: FileManager, first: File, second: File) -> None:
    """Exchange what two files hold; each keeps its name and its number.

    Raises:
        FileError: one is locked, or the host cannot take what has changed.
    """
    if first.locked or second.locked:
        raise FileError(ResultCode.fLckdErr)
    first.data, second.data = second.data, first.data
    first.resources, second.resources = second.resources, first.resources
    for file in (first, second):
        file.modified, file.changed, file.written = files.now(), True, True
        files.volume.account(file)
        files.volume.flush(file)


def _refused(name: str, selector: int) -> Callable[..., int]:
    """Declare a call that this volume does not know."""

    def refuse(self: Manager, block: ParamBlockHeader, trap: int) -> None:
        """A call of file servers, or a search of the whole volume: paramErr, not done here."""
        raise FileError(ResultCode.paramErr, is_answer=True)

    return block_call(name, _DISPATCH, ParamBlockHeader, selector=selector)(refuse)


class FileNumbers(Manager):
    """Numbers of files, and what this volume does not do."""

    plumbing = True

    _files: FileManager

    def _file(self, block: FIDParam, directory: int, name: int) -> File:
        text = self.guest.pascal_string(name)
        return self._files.find_file(block.ioVRefNum, directory, text)

    @block_call("CreateFileIDRef", _DISPATCH, FIDParam, selector=0x14)
    def create_number(self, block: FIDParam, trap: int) -> None:
        """The number of a file; every file has one."""
        block.ioFileID = self._file(block, block.ioSrcDirID, block.ioNamePtr).id

    @block_call("ResolveFileIDRef", _DISPATCH, FIDParam, selector=0x16)
    def resolve_number(self, block: FIDParam, trap: int) -> None:
        """Name and folder of the file with a number."""
        self._files.folder_of(block.ioVRefNum, 0)
        node = self._files.volume.node(block.ioFileID)
        if not isinstance(node, File):
            raise FileError(ResultCode.fidNotFound, is_answer=True)
        if block.ioNamePtr:
            self.guest.put_pascal_string(block.ioNamePtr, node.name)
        block.ioSrcDirID = self._files.parent_id(node)

    @block_call("DeleteFileIDRef", _DISPATCH, FIDParam, selector=0x15)
    def delete_number(self, block: FIDParam, trap: int) -> None:
        """Give up a number: the file keeps it."""
        if not isinstance(self._files.volume.node(block.ioFileID), File):
            raise FileError(ResultCode.fidNotFound, is_answer=True)

    @block_call("ExchangeFiles", _DISPATCH, FIDParam, selector=0x17)
    def exchange(self, block: FIDParam, trap: int) -> None:
        """Exchange what two files hold."""
        first = self._file(block, block.ioSrcDirID, block.ioNamePtr)
        second = self._file(block, block.ioDestDirID, block.ioDestNamePtr)
        exchange_contents(self._files, first, second)

    search = _refused("CatSearch", 0x18)
    log_in_information = _refused("HGetLogInInfo", 0x31)
    directory_access = _refused("HGetDirAccess", 0x32)
    set_directory_access = _refused("HSetDirAccess", 0x33)
    name_of_user = _refused("HMapID", 0x34)
    user_of_name = _refused("HMapName", 0x35)
    copy_file = _refused("HCopyFile", 0x36)
    move_and_rename = _refused("HMoveRename", 0x37)
    open_and_deny = _refused("HOpenDeny", 0x38)
    open_resource_fork_and_deny = _refused("HOpenRFDeny", 0x39)
