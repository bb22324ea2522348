"""File Manager calls on open files, with parameter blocks.

Source: Inside Macintosh: Files, chapter 2, "Low-Level File Access Routines".
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.driver_files import DriverFiles
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.files.open_files import NEWLINE_MODE, OpenFile
from emu.toolbox.managers.files.parameter_block import HIERARCHICAL, block_call
from emu.toolbox.managers.hardware.program_drivers import READ, WRITE
from emu.toolbox.managers.memory.copies import MemoryCopiesManager
from emu.toolbox.records.files import FCBPBRec, HFileParam, IOParam
from emu.toolbox.records.results import ResultCode

_ALLOCATION_BLOCK = 2048
_FCB_WRITABLE, _FCB_RESOURCE = 0x100, 0x200


def allocated(length: int) -> int:
    """The bytes that a fork takes on the volume: whole allocation blocks."""
    return -(-length // _ALLOCATION_BLOCK) * _ALLOCATION_BLOCK


class FileAccess(Manager):
    """Opening, reading, writing and closing."""

    plumbing = True

    _memory_copies: MemoryCopiesManager
    _files: FileManager
    _driver_files: DriverFiles

    def _opened(self, block: IOParam | FCBPBRec) -> OpenFile:
        return self._files.open.find(block.ioRefNum)

    def _open(self, block: IOParam, trap: int, *, resource: bool) -> None:
        files = self._files
        directory = block.cast(HFileParam).ioDirID if trap & HIERARCHICAL else 0
        name = self.guest.pascal_string(block.ioNamePtr)
        file = files.find_file(block.ioVRefNum, directory, name)
        try:
            opened = files.open.open(file, resource, block.ioPermssn)
        except FileError as error:
            writer = files.open.writer(file, resource)
            if error.code is ResultCode.opWrErr and writer is not None:
                block.ioRefNum = writer.reference
            raise
        block.ioRefNum = opened.reference

    @block_call("Open", 0xA000, IOParam, hierarchical=True)
    def open(self, block: IOParam, trap: int) -> int:
        """Open a data fork, or a driver whose name begins with a dot."""
        result = self._driver_files.open(self.guest.pascal_string(block.ioNamePtr), block)
        if result is None:
            self._open(block, trap, resource=False)
        return result or 0

    @block_call("OpenDF", 0xA060, IOParam, selector=0x1A, hierarchical=True)
    def open_data_fork(self, block: IOParam, trap: int) -> None:
        """Open a data fork; the name is never a driver's."""
        self._open(block, trap, resource=False)

    @block_call("OpenRF", 0xA00A, IOParam, hierarchical=True)
    def open_resource_fork(self, block: IOParam, trap: int) -> None:
        """Open a resource fork as bytes."""
        self._open(block, trap, resource=True)

    @block_call("Close", 0xA001, IOParam)
    def close(self, block: IOParam, trap: int) -> int:
        """Close a file or driver."""
        result = self._driver_files.program.close(block)
        if result is None and not self._driver_files.close(block.ioRefNum):
            self._files.close(block.ioRefNum)
        return result or 0

    @block_call("Read", 0xA002, IOParam)
    def read(self, block: IOParam, trap: int) -> int:
        """Read from the mark, or from another place."""
        files = self._files
        block.ioActCount = 0
        result = self._driver_files.program.transfer(block, READ)
        if result is not None:
            return result
        requested = block.ioReqCount
        arrived = self._driver_files.read(block.ioRefNum, requested)
        if arrived is not None:
            self._store(block.ioBuffer, arrived)
            block.ioActCount = len(arrived)
            return 0
        opened = self._opened(block)
        mode = block.ioPosMode
        try:
            offset = block.ioPosOffset
            data = files.open.read(opened, requested, mode, offset)
        finally:
            block.ioPosOffset = opened.mark
        self._store(block.ioBuffer, data)
        block.ioActCount = len(data)
        ended_by_newline = mode & NEWLINE_MODE and data and data[-1] == mode >> 8
        if len(data) < requested and not ended_by_newline:
            raise FileError(ResultCode.eofErr)
        return 0

    def _store(self, address: int, data: bytes) -> None:
        self.guest.write(address, data)
        self._memory_copies.check_target(address, len(data))
        self.host.engine.forget_code(address, len(data))

    @block_call("Write", 0xA003, IOParam)
    def write(self, block: IOParam, trap: int) -> int:
        """Write at the mark, or at another place."""
        files = self._files
        block.ioActCount = 0
        result = self._driver_files.program.transfer(block, WRITE)
        if result is not None:
            return result
        requested = block.ioReqCount
        if requested < 0:
            raise FileError(ResultCode.paramErr)
        data = self.guest.read(block.ioBuffer, requested)
        if self._driver_files.write(block.ioRefNum, data):
            block.ioActCount = requested
            return 0
        opened = self._opened(block)
        mode = block.ioPosMode
        try:
            offset = block.ioPosOffset
            files.open.write(opened, data, files.now(), mode, offset)
        finally:
            block.ioPosOffset = opened.mark
        block.ioActCount = requested
        return 0

    @block_call("Allocate", 0xA010, IOParam, also={"PBAllocContig": 0xA210})
    def allocate(self, block: IOParam, trap: int) -> None:
        """Set room aside behind the end; the end stays where it is."""
        opened = self._opened(block)
        requested = block.ioReqCount
        if not opened.writes:
            raise FileError(ResultCode.wrPermErr)
        if requested < 0:
            raise FileError(ResultCode.paramErr)
        self._files.volume.require_room(requested)
        block.ioActCount = allocated(requested)

    @block_call("GetEOF", 0xA011, IOParam)
    def get_end(self, block: IOParam, trap: int) -> None:
        """Where the file ends."""
        block.ioMisc = len(self._opened(block).fork)

    @block_call("SetEOF", 0xA012, IOParam)
    def set_end(self, block: IOParam, trap: int) -> None:
        """Make the file end elsewhere."""
        files = self._files
        files.open.set_end(self._opened(block), block.ioMisc, files.now())

    @block_call("GetFPos", 0xA018, IOParam)
    def get_mark(self, block: IOParam, trap: int) -> None:
        """Where the mark is."""
        opened = self._opened(block)
        block.ioReqCount = block.ioActCount = block.ioPosMode = 0
        block.ioPosOffset = opened.mark

    @block_call("SetFPos", 0xA044, IOParam)
    def set_mark(self, block: IOParam, trap: int) -> None:
        """Move the mark."""
        opened = self._opened(block)
        mode = block.ioPosMode
        try:
            offset = block.ioPosOffset
            self._files.open.set_mark(opened, mode, offset)
        finally:
            block.ioPosOffset = opened.mark

    @block_call("FlushFile", 0xA045, IOParam)
    def flush(self, block: IOParam, trap: int) -> None:
        """Write what has changed in a file."""
        self._files.volume.flush(self._opened(block).file)

    def _refuse_range(self, block: IOParam, trap: int) -> None:
        """Refused, as on a volume that is not shared."""
        self._opened(block)
        raise FileError(ResultCode.paramErr)

    lock_range = block_call("LockRange", 0xA260, IOParam, selector=0x10)(_refuse_range)
    unlock_range = block_call("UnlockRange", 0xA260, IOParam, selector=0x11)(_refuse_range)

    @block_call("GetFCBInfo", 0xA260, FCBPBRec, selector=8)
    def get_information(self, block: FCBPBRec, trap: int) -> None:
        """What the File Manager knows about an open file, by its reference or by counting."""
        files = self._files
        index = block.ioFCBIndx
        if index > 0:
            every = list(files.open)
            opened = every[index - 1] if index <= len(every) else None
        else:
            opened = next((file for file in files.open if file.reference == block.ioRefNum), None)
        if opened is None:
            # Speed Disk counts until a file is not open.
            code = ResultCode.fnOpnErr if index > 0 else ResultCode.rfNumErr
            raise FileError(code, is_answer=True)
        name = block.ioNamePtr
        if name:
            self.guest.put_pascal_string(name, opened.file.name)
        flags = (_FCB_WRITABLE if opened.writes else 0) | (_FCB_RESOURCE if opened.resource else 0)
        block.ioRefNum = opened.reference
        block.ioFCBFlNm = opened.file.id
        block.ioFCBFlags = flags
        block.ioFCBStBlk = 0
        block.ioFCBEOF = len(opened.fork)
        block.ioFCBPLen = allocated(len(opened.fork))
        block.ioFCBCrPs = opened.mark
        block.ioFCBVRefNum = -1
        block.ioFCBClpSiz = _ALLOCATION_BLOCK
        block.ioFCBParID = files.parent_id(opened.file)
