"""The Desktop Manager: which programs there are, their icons, and comments on files.

A program is in the database if its file is on the volume, or if another program has put it there.
Icons and comments are those that programs have put there; nothing of it is kept when a run ends.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 9 "Desktop Manager".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.files.nodes import File, Node
from emu.toolbox.managers.files.parameter_block import block_call
from emu.toolbox.records.finder import DTPBRec
from emu.toolbox.records.results import ResultCode

_DATABASE = -2
"""The reference number of the volume's database, which no file has."""

_IS_NEW = 1
_LONGEST_COMMENT = 200
_LARGEST_ICON = 1024
"""Bytes of an icon of 32 by 32 pixels with 256 colours."""


@dataclass(frozen=True, slots=True)
class _Icon:
    """An icon in the database.

    Attributes:
        creator: the creator code of the program that it belongs to.
        type: the type of the files that it is shown for.
        kind: 1 to 3: large, with 1, 4 and 8 bits for each pixel; 4 to 6: small, likewise.
        tag: what the program wants to find with it.
        pixels: the icon and, with 1 bit for each pixel, its mask.
    """

    creator: bytes
    type: bytes
    kind: int
    tag: int
    pixels: bytes


def _desktop(
    name: str, selector: int, *, asynchronous: bool = True
) -> Callable[[Callable[[Any, DTPBRec, int], None]], Callable[..., int]]:
    """Declare a call on the desktop database."""
    return block_call(name, 0xA260, DTPBRec, selector=selector, asynchronous=asynchronous)


class DesktopManager(Manager):
    """The volume's desktop database."""

    plumbing = True

    _files: FileManager

    def __post_init__(self) -> None:
        self._icons: list[_Icon] = []
        self._comments: dict[int, bytes] = {}
        self._added: list[File] = []
        self._removed: set[int] = set()

    def _require(self, block: DTPBRec) -> None:
        if block.ioDTRefNum != _DATABASE:
            raise FileError(ResultCode.rfNumErr)

    def _node(self, block: DTPBRec) -> Node:
        """The file or folder that a call is about."""
        self._require(block)
        return self._files.find(-1, block.ioDirID, self.guest.pascal_string(block.ioNamePtr))

    # -- the database ------------------------------------------------------------------------------

    @_desktop("DTGetPath", 0x20, asynchronous=False)
    def get_path(self, block: DTPBRec, trap: int) -> None:
        """The reference number of a volume's database."""
        name = self.guest.pascal_string(block.ioNamePtr)
        self._files.find(block.ioVRefNum, 0, name.rstrip(b":") + b":" if name else b"")
        block.ioDTRefNum = _DATABASE

    @_desktop("DTOpenInform", 0x2E, asynchronous=False)
    def open_and_tell(self, block: DTPBRec, trap: int) -> None:
        """The same; the database is made when a run begins, so that it is new."""
        block.ioDTRefNum = _DATABASE
        block.ioTagInfo = _IS_NEW

    @_desktop("DTCloseDown", 0x21, asynchronous=False)
    def close(self, block: DTPBRec, trap: int) -> None:
        """Close the database, which the Finder does before it ejects a disk."""
        self._require(block)

    @_desktop("DTFlush", 0x2B)
    def flush(self, block: DTPBRec, trap: int) -> None:
        """Write the database to its file: it has none."""
        self._require(block)

    @_desktop("DTReset", 0x2C)
    def reset(self, block: DTPBRec, trap: int) -> None:
        """Empty the database; the volume's programs are in it again at once."""
        self._require(block)
        self.__post_init__()

    @_desktop("DTDelete", 0x2F)
    def delete(self, block: DTPBRec, trap: int) -> None:
        """Remove the database, which must not be open; it is open for as long as the Finder is."""
        self._files.find(block.ioVRefNum, 0, b"")
        raise FileError(ResultCode.fBsyErr)

    @_desktop("DTGetInfo", 0x2D)
    def information(self, block: DTPBRec, trap: int) -> None:
        """How long the database and its index are: it has no files."""
        self._require(block)
        block.ioDTLgLen = block.ioDTPyLen = 0

    # -- programs ----------------------------------------------------------------------------------

    def _programs(self, creator: bytes) -> list[File]:
        """The programs of a creator code, the one that was made last in front."""
        volume = self._files.volume
        programs = [file for file in volume.files() if file.finder[:4] == b"APPL"]
        programs = [file for file in programs if file not in self._added] + self._added
        here = (
            program
            for program in programs
            if program.finder[4:8] == creator and volume.node(program.id) is program
        )
        kept = [file for file in here if file.id not in self._removed]
        return sorted(kept, key=lambda file: file.created, reverse=True)

    @_desktop("DTGetAPPL", 0x27)
    def get_application(self, block: DTPBRec, trap: int) -> None:
        """The program of a creator code: by index, or for index 0 the one that was made last."""
        self._require(block)
        index, programs = block.ioIndex, self._programs(block.ioFileCreator)
        if not 0 <= index <= len(programs) or not programs:
            raise FileError(ResultCode.afpItemNotFound, is_answer=True)
        file = programs[max(index - 1, 0)]
        if block.ioNamePtr:
            self.guest.put_pascal_string(block.ioNamePtr, file.name)
        block.ioTagInfo, block.ioAPPLParID = file.created, self._files.parent_id(file)

    @_desktop("DTAddAPPL", 0x25)
    def add_application(self, block: DTPBRec, trap: int) -> None:
        """Put a program into the database."""
        file = self._node(block)
        if not isinstance(file, File):
            raise FileError(ResultCode.fnfErr)
        self._removed.discard(file.id)
        if file not in self._added:
            self._added.append(file)

    @_desktop("DTRemoveAPPL", 0x26)
    def remove_application(self, block: DTPBRec, trap: int) -> None:
        """Take a program out of the database."""
        file = self._node(block)
        if file not in self._programs(block.ioFileCreator):
            raise FileError(ResultCode.afpItemNotFound)
        self._removed.add(file.id)

    # -- icons -------------------------------------------------------------------------------------

    def _give(self, block: DTPBRec, data: bytes) -> None:
        given = data[: max(block.ioDTReqCount, 0)]
        self.guest.write(block.ioDTBuffer, given)
        block.ioDTActCount = len(given)

    @_desktop("DTAddIcon", 0x22)
    def add_icon(self, block: DTPBRec, trap: int) -> None:
        """Put an icon into the database, in place of one for the same type and kind."""
        self._require(block)
        size = block.ioDTReqCount
        if not 0 <= size <= _LARGEST_ICON:
            raise FileError(ResultCode.paramErr)
        icon = _Icon(
            block.ioFileCreator,
            block.ioFileType,
            block.ioIconType & 0xFF,
            block.ioTagInfo,
            self.guest.read(block.ioDTBuffer, size),
        )
        same = (icon.creator, icon.type, icon.kind)
        self._icons = [
            icon_kept
            for icon_kept in self._icons
            if (icon_kept.creator, icon_kept.type, icon_kept.kind) != same
        ]
        self._icons.append(icon)

    @_desktop("DTGetIcon", 0x23)
    def get_icon(self, block: DTPBRec, trap: int) -> None:
        """The icon of a creator code, a file type and a kind."""
        self._require(block)
        wanted = (block.ioFileCreator, block.ioFileType, block.ioIconType & 0xFF)
        for icon in self._icons:
            if (icon.creator, icon.type, icon.kind) == wanted:
                self._give(block, icon.pixels)
                return
        raise FileError(ResultCode.afpItemNotFound, is_answer=True)

    @_desktop("DTGetIconInfo", 0x24)
    def get_icon_information(self, block: DTPBRec, trap: int) -> None:
        """Type, kind, size and tag of an icon, by its number among those of a creator code."""
        self._require(block)
        icons = [icon for icon in self._icons if icon.creator == block.ioFileCreator]
        if not 1 <= block.ioIndex <= len(icons):
            raise FileError(ResultCode.afpItemNotFound, is_answer=True)
        icon = icons[block.ioIndex - 1]
        block.ioFileType, block.ioIconType = icon.type, icon.kind
        block.ioTagInfo, block.ioDTActCount = icon.tag, len(icon.pixels)

    # -- comments ----------------------------------------------------------------------------------

    @_desktop("DTSetComment", 0x28)
    def set_comment(self, block: DTPBRec, trap: int) -> None:
        """Give a file or folder a comment of at most 200 characters."""
        node = self._node(block)
        size = max(0, min(block.ioDTReqCount, _LONGEST_COMMENT))
        self._comments[node.id] = self.guest.read(block.ioDTBuffer, size)

    @_desktop("DTGetComment", 0x2A)
    def get_comment(self, block: DTPBRec, trap: int) -> None:
        """The comment of a file or folder."""
        comment = self._comments.get(self._node(block).id)
        if comment is None:
            raise FileError(ResultCode.afpItemNotFound, is_answer=True)
        self.guest.write(block.ioDTBuffer, comment)
        block.ioDTActCount = len(comment)

    @_desktop("DTRemoveComment", 0x29)
    def remove_comment(self, block: DTPBRec, trap: int) -> None:
        """Take a comment away."""
        if self._comments.pop(self._node(block).id, None) is None:
            raise FileError(ResultCode.afpItemNotFound)
