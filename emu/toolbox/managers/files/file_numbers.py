"""Files by their numbers, files that change places, and calls that only some volumes know.

The volume is on a local disk, so it refuses the calls of file servers; it is not searched whole
(PBCatSearch) either. HGetVolParms tells a program so.
Source: Inside Macintosh: Files, chapter 2, "Manipulating File IDs", "Shared Environment Routines".
"""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.files.nodes import File
from emu.toolbox.managers.files.parameter_block import block_call
from emu.toolbox.records.files import FIDParam, ParamBlockHeader
from emu.toolbox.records.results import ResultCode

_DISPATCH = 0xA260


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

    title = "File Manager"
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
