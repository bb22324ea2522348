"""Files of StdCLib by their descriptors: open, read, write and their like.

Nothing can be read from 0, and 1 and 2 are the console. A path is one of the File Manager's. Bytes
are not translated: a line ends with a return, which is the newline of MPW's compilers.
Sources: MPW's headers FCntl.h and ErrNo.h, among the sources of the ROM of 1994.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.c_library.routines import StandardC
from emu.toolbox.managers.c_library.strings import CStrings, c_routine
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.files.open_files import OpenFile
from emu.toolbox.managers.processes.fragments import Fragments
from emu.toolbox.records.results import ResultCode

WRITE_ONLY, READ_AND_WRITE, APPEND, RESOURCES = 1, 2, 8, 16
CREATE, TRUNCATE, EXCLUSIVE = 0x100, 0x200, 0x400
"""What open is asked for (O_WRONLY and its like)."""

FIRST_FILE = 3
"""The descriptor after those of the standard streams."""

FROM_START, FROM_MARK = 0, 1
"""Where lseek counts from: SEEK_SET and SEEK_CUR; from anything else it is the end."""

_READ, _READ_WRITE = 1, 3  # permissions
_CONSOLE = (1, 2)
_NO_ENTRY, _IO, _BAD_NUMBER, _ACCESS, _EXISTS, _INVALID, _NO_SPACE = 2, 5, 9, 13, 17, 22, 28
_ERRORS: Mapping[int, int] = {
    **dict.fromkeys((ResultCode.fnfErr, ResultCode.dirNFErr, ResultCode.nsvErr), _NO_ENTRY),
    **dict.fromkeys((ResultCode.permErr, ResultCode.opWrErr, ResultCode.wrPermErr), _ACCESS),
    ResultCode.rfNumErr: _BAD_NUMBER,
    ResultCode.dupFNErr: _EXISTS,
    ResultCode.posErr: _INVALID,
    ResultCode.dskFulErr: _NO_SPACE,
}
"""errno of the File Manager's results."""


@dataclass(frozen=True, slots=True)
class FileDescriptor:
    """An open file of the C library.

    Attributes:
        file: the File Manager's.
        appends: whether all is written at its end.
    """

    file: OpenFile
    appends: bool


class CFiles(Manager):
    """Files by their numbers, from 3."""

    powerpc_only = True

    _c_strings: CStrings
    _standard_c: StandardC
    _fragments: Fragments
    _files: FileManager

    def __post_init__(self) -> None:
        self._open: dict[int, FileDescriptor] = {}

    def failed(self, error: FileError) -> int:
        """Leave the reason in errno and MacOSErr; -1."""
        self.guest.put32(self._fragments.variable("errno"), _ERRORS.get(error.code, _IO))
        self.guest.put16(self._fragments.variable("MacOSErr"), int(error.code))
        return -1

    def _find(self, number: int) -> FileDescriptor:
        found = self._open.get(number)
        if found is None:
            raise FileError(ResultCode.rfNumErr)
        return found

    # -- for streams -------------------------------------------------------------------------------

    def open_path(self, path: int, flags: int) -> int:
        """Open a file; its number.

        Raises:
            FileError: it cannot be opened, or made.
        """
        files, name = self._files, self._c_strings.string(path)
        try:
            file = files.find_file(0, 0, name)
        except FileError as error:
            if error.code is not ResultCode.fnfErr or not flags & CREATE:
                raise
            file = files.create(0, 0, name, "MPS ", "TEXT")
        else:
            if flags & CREATE and flags & EXCLUSIVE:
                raise FileError(ResultCode.dupFNErr)
        writes = flags & (WRITE_ONLY | READ_AND_WRITE)
        opened = files.open.open(file, bool(flags & RESOURCES), _READ_WRITE if writes else _READ)
        opened.by_system = True  # the library closes it when the program ends
        if writes and flags & TRUNCATE:
            files.open.set_end(opened, 0, files.now())
        number = next(
            n for n in range(FIRST_FILE, FIRST_FILE + len(self._open) + 1) if n not in self._open
        )
        self._open[number] = FileDescriptor(opened, bool(flags & APPEND))
        return number

    def read_from(self, number: int, count: int) -> bytes:
        """Up to so many bytes.

        Raises:
            FileError: it is not open, or cannot be read.
        """
        if 0 <= number < FIRST_FILE:
            return b""
        return self._files.open.read(self._find(number).file, count)

    def write_to(self, number: int, data: bytes) -> None:
        """Write bytes.

        Raises:
            FileError: it is not open, or cannot be written.
        """
        if number in _CONSOLE:
            self._standard_c.write(data)
            return
        found, files = self._find(number), self._files
        if found.appends:
            found.file.mark = len(found.file.fork)
        files.open.write(found.file, data, files.now())

    def seek_in(self, number: int, offset: int, start: int) -> int:
        """Move the mark, also behind the end; the place.

        Raises:
            FileError: it is not open, or the place is before the beginning.
        """
        file = self._find(number).file
        base = {FROM_START: 0, FROM_MARK: file.mark}.get(start, len(file.fork))
        if base + offset < 0:
            raise FileError(ResultCode.posErr)
        if base + offset > len(file.fork) and file.writes:
            self._files.open.set_end(file, base + offset, self._files.now())
        file.mark = min(base + offset, len(file.fork))
        return file.mark

    def close_number(self, number: int) -> None:
        """Close a file.

        Raises:
            FileError: it is not open.
        """
        self._files.close(self._find(number).file.reference)
        del self._open[number]

    # -- routines ----------------------------------------------------------------------------------

    @c_routine("FUNCTION open (path: Ptr; flags: LONGINT): LONGINT")
    def open(self, path: int, flags: int) -> int:
        """Open a file; its number, or -1."""
        try:
            return self.open_path(path, flags)
        except FileError as error:
            return self.failed(error)

    @c_routine("FUNCTION creat (path: Ptr): LONGINT")
    def create(self, path: int) -> int:
        """Make a file, or empty it, and open it; its number, or -1."""
        return self.open(path, WRITE_ONLY | CREATE | TRUNCATE)

    @c_routine("FUNCTION read (number: LONGINT; block: Ptr; count: UInt32): LONGINT")
    def read(self, number: int, block: int, count: int) -> int:
        """Read up to so many bytes; how many, 0 at the end, or -1."""
        try:
            data = self.read_from(number, count)
        except FileError as error:
            return self.failed(error)
        self._c_strings.move(block, data)
        return len(data)

    @c_routine("FUNCTION write (number: LONGINT; block: Ptr; count: UInt32): LONGINT")
    def write(self, number: int, block: int, count: int) -> int:
        """Write bytes; how many, or -1."""
        try:
            self.write_to(number, self.guest.read(block, count) if count else b"")
        except FileError as error:
            return self.failed(error)
        return count

    @c_routine("FUNCTION lseek (number: LONGINT; offset: LONGINT; start: LONGINT): LONGINT")
    def lseek(self, number: int, offset: int, start: int) -> int:
        """Move the mark; where it is then, or -1."""
        try:
            return self.seek_in(number, offset, start)
        except FileError as error:
            return self.failed(error)

    @c_routine("FUNCTION close (number: LONGINT): LONGINT")
    def close(self, number: int) -> int:
        """Close a file; 0, or -1."""
        try:
            self.close_number(number)
        except FileError as error:
            return self.failed(error)
        return 0

    @c_routine("FUNCTION unlink (path: Ptr): LONGINT", imports=("remove",))
    def unlink(self, path: int) -> int:
        """Delete a file; 0, or -1."""
        try:
            self._files.delete(self._files.find(0, 0, self._c_strings.string(path)))
        except FileError as error:
            return self.failed(error)
        return 0

    @c_routine("FUNCTION rename (path: Ptr; name: Ptr): LONGINT")
    def rename(self, path: int, name: int) -> int:
        """Give a file another name in its folder; 0, or -1."""
        try:
            node = self._files.find(0, 0, self._c_strings.string(path))
            self._files.volume.rename(node, self._c_strings.string(name).rpartition(b":")[2])
        except FileError as error:
            return self.failed(error)
        return 0

    @c_routine("FUNCTION isatty (number: LONGINT): LONGINT")
    def is_terminal(self, number: int) -> int:
        """Whether it is the console."""
        return 0 <= number < FIRST_FILE

    @c_routine("FUNCTION fcntl (number: LONGINT; command: UInt32; argument: LONGINT): LONGINT")
    def control(self, number: int, command: int, argument: int) -> int:
        """Give a file a second number from one on (F_DUPFD, 0): refused, as is all else; -1."""
        return self.failed(FileError(ResultCode.paramErr))

    @c_routine(
        "FUNCTION _addDevHandler (slot: LONGINT; name: OSType; access: ProcPtr; close: ProcPtr; "
        "read: ProcPtr; write: ProcPtr; control: ProcPtr): LONGINT"
    )
    def add_device(self, slot: int, name: str, *routines: int) -> int:
        """Add a kind of files with routines of its own, which no path leads to; its slot."""
        return slot
