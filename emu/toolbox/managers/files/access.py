"""File Manager calls on open files, with parameter blocks.

Source: Inside Macintosh: Files, chapter 2, "Low-Level File Access Routines".
"""

from __future__ import annotations

from emu.toolbox.manager import Manager
from emu.toolbox.managers.files.errors import FileCode, FileError
from emu.toolbox.managers.files.open_files import NEWLINE_MODE, OpenFile
from emu.toolbox.managers.files.parameter_block import HIERARCHICAL, At, block_call

_ALLOCATION_BLOCK = 2048
_FCB_NAME, _FCB_FLAGS, _FCB_START, _FCB_END, _FCB_ALLOCATED = 32, 36, 38, 40, 44
_FCB_MARK, _FCB_VOLUME, _FCB_CLUMP, _FCB_PARENT = 48, 52, 54, 58
_FCB_WRITABLE, _FCB_RESOURCE = 0x100, 0x200


def allocated(length: int) -> int:
    """The bytes that a fork takes on the volume: whole allocation blocks."""
    return -(-length // _ALLOCATION_BLOCK) * _ALLOCATION_BLOCK


class FileAccess(Manager):
    """Opening, reading, writing and closing."""

    title = "File Manager"
    plumbing = True

    def _opened(self, block: int) -> OpenFile:
        opened: OpenFile = self.mac.files.open.find(self.guest.i16(block + At.REFERENCE))
        return opened

    def _open(self, block: int, trap: int, *, resource: bool) -> None:
        files, guest = self.mac.files, self.guest
        directory = guest.i32(block + At.DIRECTORY) if trap & HIERARCHICAL else 0
        name = guest.pascal_string(guest.u32(block + At.NAME))
        file = files.find_file(guest.i16(block + At.VOLUME), directory, name)
        try:
            opened = files.open.open(file, resource, guest.u8(block + At.PERMISSION))
        except FileError as error:
            writer = files.open.writer(file, resource)
            if error.code is FileCode.ALREADY_WRITING and writer is not None:
                guest.put16(block + At.REFERENCE, writer.reference)
            raise
        guest.put16(block + At.REFERENCE, opened.reference)

    @block_call("Open", 0xA000, hierarchical=True)
    def open(self, block: int, trap: int) -> None:
        """Open a data fork."""
        self._open(block, trap, resource=False)

    @block_call("OpenDF", 0xA060, selector=0x1A, hierarchical=True)
    def open_data_fork(self, block: int, trap: int) -> None:
        """Open a data fork; the name is never a driver's."""
        self._open(block, trap, resource=False)

    @block_call("OpenRF", 0xA00A, hierarchical=True)
    def open_resource_fork(self, block: int, trap: int) -> None:
        """Open a resource fork as bytes."""
        self._open(block, trap, resource=True)

    @block_call("Close", 0xA001)
    def close(self, block: int, trap: int) -> None:
        """Close a file."""
        self.mac.files.close(self.guest.i16(block + At.REFERENCE))

    @block_call("Read", 0xA002)
    def read(self, block: int, trap: int) -> None:
        """Read from the mark, or from another place."""
        guest, files = self.guest, self.mac.files
        guest.put32(block + At.ACTUAL, 0)
        opened = self._opened(block)
        requested = guest.i32(block + At.REQUESTED)
        mode = guest.u16(block + At.POSITION_MODE)
        try:
            offset = guest.i32(block + At.POSITION_OFFSET)
            data = files.open.read(opened, requested, mode, offset)
        finally:
            guest.put32(block + At.POSITION_OFFSET, opened.mark)
        self._store(guest.u32(block + At.BUFFER), data)
        guest.put32(block + At.ACTUAL, len(data))
        ended_by_newline = mode & NEWLINE_MODE and data and data[-1] == mode >> 8
        if len(data) < requested and not ended_by_newline:
            raise FileError(FileCode.END_OF_FILE)

    def _store(self, address: int, data: bytes) -> None:
        self.guest.write(address, data)
        self.mac.memory_copies.check_target(address, len(data))
        self.mac.engine.forget_code(address, len(data))

    @block_call("Write", 0xA003)
    def write(self, block: int, trap: int) -> None:
        """Write at the mark, or at another place."""
        guest, files = self.guest, self.mac.files
        guest.put32(block + At.ACTUAL, 0)
        opened = self._opened(block)
        requested = guest.i32(block + At.REQUESTED)
        if requested < 0:
            raise FileError(FileCode.PARAMETER)
        data = guest.read(guest.u32(block + At.BUFFER), requested)
        mode = guest.u16(block + At.POSITION_MODE)
        try:
            offset = guest.i32(block + At.POSITION_OFFSET)
            files.open.write(opened, data, files.now(), mode, offset)
        finally:
            guest.put32(block + At.POSITION_OFFSET, opened.mark)
        guest.put32(block + At.ACTUAL, requested)

    @block_call("Allocate", 0xA010, also={"PBAllocContig": 0xA210})
    def allocate(self, block: int, trap: int) -> None:
        """Set room aside behind the end; the end stays where it is."""
        opened = self._opened(block)
        requested = self.guest.i32(block + At.REQUESTED)
        if not opened.writes:
            raise FileError(FileCode.WRITE_PERMISSION)
        if requested < 0:
            raise FileError(FileCode.PARAMETER)
        self.mac.files.volume.require_room(requested)
        self.guest.put32(block + At.ACTUAL, allocated(requested))

    @block_call("GetEOF", 0xA011)
    def get_end(self, block: int, trap: int) -> None:
        """Where the file ends."""
        self.guest.put32(block + At.MISC, len(self._opened(block).fork))

    @block_call("SetEOF", 0xA012)
    def set_end(self, block: int, trap: int) -> None:
        """Make the file end elsewhere."""
        files = self.mac.files
        files.open.set_end(self._opened(block), self.guest.i32(block + At.MISC), files.now())

    @block_call("GetFPos", 0xA018)
    def get_mark(self, block: int, trap: int) -> None:
        """Where the mark is."""
        opened = self._opened(block)
        for field in (At.REQUESTED, At.ACTUAL):
            self.guest.put32(block + field, 0)
        self.guest.put16(block + At.POSITION_MODE, 0)
        self.guest.put32(block + At.POSITION_OFFSET, opened.mark)

    @block_call("SetFPos", 0xA044)
    def set_mark(self, block: int, trap: int) -> None:
        """Move the mark."""
        opened = self._opened(block)
        mode = self.guest.u16(block + At.POSITION_MODE)
        try:
            offset = self.guest.i32(block + At.POSITION_OFFSET)
            self.mac.files.open.set_mark(opened, mode, offset)
        finally:
            self.guest.put32(block + At.POSITION_OFFSET, opened.mark)

    @block_call("FlushFile", 0xA045)
    def flush(self, block: int, trap: int) -> None:
        """Write what has changed in a file."""
        self.mac.files.volume.flush(self._opened(block).file)

    @block_call("LockRange", 0xA260, selector=0x10)
    def lock_range(self, block: int, trap: int) -> None:
        """Refused, as on a volume that is not shared."""
        self._opened(block)
        raise FileError(FileCode.PARAMETER)

    @block_call("UnlockRange", 0xA260, selector=0x11)
    def unlock_range(self, block: int, trap: int) -> None:
        """Refused, as on a volume that is not shared."""
        self._opened(block)
        raise FileError(FileCode.PARAMETER)

    @block_call("GetFCBInfo", 0xA260, selector=8)
    def get_information(self, block: int, trap: int) -> None:
        """What the File Manager knows about an open file, by its reference or by counting."""
        guest, files = self.guest, self.mac.files
        index = guest.i16(block + At.INDEX)
        if index > 0:
            every = list(files.open)
            if index > len(every):
                raise FileError(FileCode.BAD_REFERENCE)
            opened = every[index - 1]
        else:
            opened = self._opened(block)
        name = guest.u32(block + At.NAME)
        if name:
            guest.put_pascal_string(name, opened.file.name)
        flags = (_FCB_WRITABLE if opened.writes else 0) | (_FCB_RESOURCE if opened.resource else 0)
        guest.put16(block + At.REFERENCE, opened.reference)
        guest.put32(block + _FCB_NAME, opened.file.id)
        guest.put16(block + _FCB_FLAGS, flags)
        guest.put16(block + _FCB_START, 0)
        guest.put32(block + _FCB_END, len(opened.fork))
        guest.put32(block + _FCB_ALLOCATED, allocated(len(opened.fork)))
        guest.put32(block + _FCB_MARK, opened.mark)
        guest.put16(block + _FCB_VOLUME, -1)
        guest.put32(block + _FCB_CLUMP, _ALLOCATION_BLOCK)
        guest.put32(block + _FCB_PARENT, files.parent_id(opened.file))
