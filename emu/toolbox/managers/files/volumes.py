"""File Manager calls on volumes and working directories, with parameter blocks.

Source: Inside Macintosh: Files, chapter 2, "Volume Access Routines" and "Manipulating Working
Directories"; Inside Macintosh IV, chapter "The File Manager" (the drive queue).
"""

from __future__ import annotations

import struct

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import DRIVE, VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import File, Folder, folded
from emu.toolbox.managers.files.open_files import REFERENCES_END, SYSTEM_REFERENCE, OpenFile
from emu.toolbox.managers.files.parameter_block import HIERARCHICAL, block_call
from emu.toolbox.managers.files.volume import CAPACITY, ROOT_ID
from emu.toolbox.records.files import (
    FCB,
    VCB,
    DrvQEl,
    HIOParam,
    HVolumeParam,
    ParamBlockHeader,
    WDPBRec,
)
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import QHdr

BLOCK_SIZE = 2048
_DISK_DRIVER = -5
"""The reference number of the driver of a hard disk."""

HFS = 0x4244
"""'BD', the signature of an HFS volume."""

_VOLUME_TYPE = 3
"""fsQType: what the elements of the queue of volumes are."""

_DRIVE_BLOCK = 512
_HAS_LARGE_SIZE = 1
_NOT_EJECTABLE = 8
"""The second flag byte of a drive: 0 stands for no disk, 1 and 2 for one that can be ejected."""

_RESOURCE_FORK = 2
"""Of the flags in a file control block."""

_VOLUME_PARAMETERS_SIZE = 14
_HAS_DESKTOP_MANAGER, _HAS_FILE_NUMBERS = 1 << 12, 1 << 6
"""Of the attributes in what HGetVolParms tells."""


class FileVolumes(Manager):
    """The one volume, its default folder, and working directories."""

    plumbing = True

    _files: FileManager

    def start(self) -> None:
        """Put the volume and its drive into the queues that programs read without a routine.

        The volume's numbers of files and free blocks are those of the beginning.
        """
        place = LowMemory.DRIVE_QUEUE_ELEMENT
        self.guest.put32(place - 4, _NOT_EJECTABLE << 16)
        drive = DrvQEl(self.guest, place)
        drive.qType = _HAS_LARGE_SIZE
        drive.dQDrive, drive.dQRefNum = DRIVE, _DISK_DRIVER
        drive.dQDrvSz2, drive.dQDrvSz = divmod(CAPACITY // _DRIVE_BLOCK, 1 << 16)
        self._put_volume(LowMemory.VOLUME)
        for header, element in (
            (LowMemory.DRIVE_QUEUE, place),
            (LowMemory.VOLUME_QUEUE, LowMemory.VOLUME),
        ):
            queue = QHdr(self.guest, header)
            queue.qHead = queue.qTail = element
        self.guest.put32(LowMemory.DEFAULT_VOLUME, LowMemory.VOLUME)
        self.guest.put16(LowMemory.BOOT_DRIVE, VOLUME_REFERENCE)
        self.guest.put32(LowMemory.FILE_CONTROL_BLOCKS, LowMemory.OPEN_FILES)
        self.guest.memory.write(LowMemory.OPEN_FILES, REFERENCES_END.to_bytes(2, "big"))
        system = FCB.copied()
        system.fcbMdRByt, system.fcbVPtr = _RESOURCE_FORK, LowMemory.VOLUME
        system.fcbDirID, system.fcbCName = ROOT_ID, b"System"
        self.guest.write_of_system(LowMemory.OPEN_FILES + SYSTEM_REFERENCE, system.read())
        self._files.open.on_change = self._put_file
        for opened in self._files.open:
            self._put_file(opened, True)

    def _put_file(self, opened: OpenFile, is_open: bool) -> None:
        """Fill a file's control block, which compilers' glue reads (GetVRefNum), or clear it.

        Lengths and the mark are those of when the file was opened.
        """
        block = FCB.copied()
        if is_open:
            file = opened.file
            block.fcbFlNum = file.id
            block.fcbMdRByt = opened.writes | _RESOURCE_FORK * opened.resource
            block.fcbEOF = block.fcbPLen = len(opened.fork)
            block.fcbVPtr = LowMemory.VOLUME
            block.fcbClmpSize = BLOCK_SIZE
            block.fcbFType = file.finder[:4]
            block.fcbDirID = self._files.parent_id(file)
            block.fcbCName = file.name
        self.guest.write_of_system(LowMemory.OPEN_FILES + opened.reference, block.read())

    def _put_volume(self, place: int) -> None:
        volume, block = self._files.volume, VCB(self.guest, place)
        block.qType, block.vcbSigWord = _VOLUME_TYPE, HFS
        block.vcbCrDate, block.vcbLsMod = volume.root.created, volume.root.modified
        block.vcbNmFls = sum(isinstance(node, File) for node in volume.root.children.values())
        block.vcbNmAlBlks = min(CAPACITY // BLOCK_SIZE, 0xFFFF)
        block.vcbAlBlkSiz = block.vcbClpSiz = BLOCK_SIZE
        block.vcbFreeBks = self.free_bytes() // BLOCK_SIZE
        block.vcbVN = volume.name
        block.vcbDrvNum, block.vcbDRefNum = DRIVE, _DISK_DRIVER
        block.vcbVRefNum = VOLUME_REFERENCE

    @routine("FUNCTION GetDrvQHdr : Ptr", architecture="powerpc", imports=("LMGetDrvQHdr",))
    def get_drives(self) -> int:
        """The header of the queue of drives."""
        return LowMemory.DRIVE_QUEUE

    @routine(
        "PROCEDURE AddDrive (drvrRefNum,drvNum: INTEGER; qEl: Ptr)",
        trap=0xA04E,
        registers="D0,D0high,A0",
    )
    def add_drive(self, driver: int, number: int, element: int) -> None:
        """Put a drive into the queue; no volume is ever on it."""
        drive = DrvQEl(self.guest, element)
        drive.qLink, drive.dQDrive, drive.dQRefNum = 0, number, driver
        queue = QHdr(self.guest, LowMemory.DRIVE_QUEUE)
        DrvQEl(self.guest, queue.qTail).qLink = element
        queue.qTail = element

    @routine("FUNCTION GetVCBQHdr : Ptr", architecture="powerpc", imports=("LMGetVCBQHdr",))
    def get_volumes(self) -> int:
        """The header of the queue of volumes."""
        return LowMemory.VOLUME_QUEUE

    @routine("FUNCTION GetFSQHdr : Ptr", architecture="powerpc")
    def get_calls(self) -> int:
        """The header of the queue of calls that wait for the File Manager: none does."""
        return LowMemory.FILE_QUEUE

    def free_bytes(self) -> int:
        """Bytes there is still room for, in whole blocks."""
        free: int = CAPACITY - self._files.volume.used
        return free // BLOCK_SIZE * BLOCK_SIZE

    def require_volume(self, name: bytes, reference: int) -> None:
        """Make sure that a name, or else a reference, is our volume's.

        A name without a colon beside a reference is a file's, and says nothing of the volume.

        Raises:
            FileError: it is not.
        """
        files = self._files
        name, colon, _ = name.partition(b":")
        if name and (colon or not reference):
            if folded(name) != folded(files.volume.name):
                raise FileError(ResultCode.nsvErr)
        else:
            files.folder_of(reference, 0)

    def _require(self, block: ParamBlockHeader) -> None:
        self.require_volume(self.guest.pascal_string(block.ioNamePtr), block.ioVRefNum)

    # -- volumes -----------------------------------------------------------------------------------

    @block_call("GetVInfo", 0xA007, HVolumeParam, hierarchical=True)
    def get_information(self, block: HVolumeParam, trap: int) -> None:
        """What there is to know about the volume."""
        files = self._files
        index = block.ioVolIndex
        name = block.ioNamePtr
        if index > 1:
            raise FileError(ResultCode.nsvErr)
        if index < 0:
            self._require(block)
        elif index == 0:
            files.folder_of(block.ioVRefNum, 0)
        if name:
            self.guest.put_pascal_string(name, files.volume.name)
        root = files.volume.root
        children = root.children.values()
        block.ioVRefNum = VOLUME_REFERENCE
        block.ioVCrDate = root.created
        block.ioVLsMod = root.modified
        block.ioVAtrb = 0
        block.ioVNmFls = sum(isinstance(node, File) for node in children)
        block.ioVBitMap = 0
        block.ioVAllocPtr = 0
        block.ioVNmAlBlks = min(CAPACITY // BLOCK_SIZE, 0xFFFF)
        block.ioVAlBlkSiz = BLOCK_SIZE
        block.ioVClpSiz = BLOCK_SIZE
        block.ioAlBlSt = 0
        block.ioVNxtCNID = files.volume.next_id
        block.ioVFrBlk = self.free_bytes() // BLOCK_SIZE
        if not trap & HIERARCHICAL:
            return
        nodes = list(files.volume.nodes())
        block.ioVSigWord = HFS
        block.ioVDrvInfo = DRIVE
        block.ioVDRefNum = _DISK_DRIVER
        block.ioVFSID = block.ioVBkUp = block.ioVSeqNum = block.ioVWrCnt = 0
        block.ioVFilCnt = sum(isinstance(node, File) for node in nodes)
        block.ioVDirCnt = sum(isinstance(node, Folder) for node in nodes) - 1
        for index in range(len(block.ioVFndrInfo)):
            block.ioVFndrInfo[index] = 0

    @block_call("SetVInfo", 0xA260, HVolumeParam, selector=11)
    def set_information(self, block: HVolumeParam, trap: int) -> None:
        """Change the volume's dates."""
        self._require(block)
        root = self._files.volume.root
        root.created, root.modified = block.ioVCrDate, block.ioVLsMod

    @routine(
        "FUNCTION SetPMSP (paramBlock: Ptr): OSErr",
        trap=0xA260,
        registers="A0 -> D0",
        selector=("D0", 12),
        architecture="m68k",
    )
    def set_search_path(self, block: int) -> int:
        """Where else files are looked for that are not in their folder: here, nowhere else."""
        return 0

    @block_call("HGetVolParms", 0xA260, HIOParam, selector=0x30)
    def get_parameters(self, block: HIOParam, trap: int) -> None:
        """What the volume can do: it has a desktop database and numbers of files."""
        self._require(block)
        size = min(block.ioReqCount & 0xFFFFFFFF, _VOLUME_PARAMETERS_SIZE)
        parameters = struct.pack(">HI", 1, _HAS_DESKTOP_MANAGER | _HAS_FILE_NUMBERS).ljust(
            _VOLUME_PARAMETERS_SIZE, b"\0"
        )
        self.guest.write(block.ioBuffer, parameters[:size])
        block.ioActCount = size

    @block_call("FlushVol", 0xA013, ParamBlockHeader)
    def flush(self, block: ParamBlockHeader, trap: int) -> None:
        """Write everything that has changed."""
        self._require(block)
        self._files.flush()

    @block_call("GetVol", 0xA014, WDPBRec, hierarchical=True)
    def get_default(self, block: WDPBRec, trap: int) -> None:
        """The default volume and folder."""
        files = self._files
        name = block.ioNamePtr
        if name:
            self.guest.put_pascal_string(name, files.volume.name)
        reference, directory = files.reference_of_default()
        block.ioVRefNum = reference
        if trap & HIERARCHICAL:
            block.ioWDProcID = 0
            block.ioWDVRefNum = VOLUME_REFERENCE
            block.ioWDDirID = directory

    @block_call("SetVol", 0xA015, WDPBRec, hierarchical=True)
    def set_default(self, block: WDPBRec, trap: int) -> None:
        """Choose the default volume and folder."""
        files = self._files
        reference = block.ioVRefNum
        name = self.guest.pascal_string(block.ioNamePtr)
        if trap & HIERARCHICAL:
            directory = block.ioWDDirID
            node = files.find(reference, directory, name)
            if not isinstance(node, Folder):
                raise FileError(ResultCode.dirNFErr)
            files.set_default(VOLUME_REFERENCE if directory or name else reference, node)
        elif name:
            self.require_volume(name, 0)
            files.set_default(VOLUME_REFERENCE, files.volume.root)
        else:
            files.set_default(reference, files.folder_of(reference, 0))

    def _keep(self, block: ParamBlockHeader, trap: int) -> None:
        """Refused: there are always open files on the volume that a program was started from."""
        self._require(block)
        raise FileError(ResultCode.fBsyErr)

    unmount = block_call("UnmountVol", 0xA00E, ParamBlockHeader, asynchronous=False)(_keep)
    eject = block_call("Eject", 0xA017, ParamBlockHeader, asynchronous=False)(_keep)
    take_off_line = block_call("OffLine", 0xA035, ParamBlockHeader, asynchronous=False)(_keep)

    @block_call("MountVol", 0xA00F, ParamBlockHeader, asynchronous=False)
    def mount(self, block: ParamBlockHeader, trap: int) -> None:
        """Refused: the only volume is mounted."""
        in_our_drive = block.ioVRefNum == DRIVE
        raise FileError(ResultCode.volOnLinErr if in_our_drive else ResultCode.nsDrvErr)

    # -- working directories -----------------------------------------------------------------------

    @block_call("OpenWD", 0xA260, WDPBRec, selector=1)
    def open_working_directory(self, block: WDPBRec, trap: int) -> None:
        """A volume reference that stands for a folder."""
        files = self._files
        name = self.guest.pascal_string(block.ioNamePtr)
        directory = block.ioWDDirID
        node = files.find(block.ioVRefNum, directory, name)
        if not isinstance(node, Folder):
            raise FileError(ResultCode.dirNFErr)
        process = block.ioWDProcID
        block.ioVRefNum = files.open_working_directory(node, process)

    @block_call("CloseWD", 0xA260, WDPBRec, selector=2)
    def close_working_directory(self, block: WDPBRec, trap: int) -> None:
        """Give such a reference back; the volume's own reference is left as it is."""
        reference, files = block.ioVRefNum, self._files
        files.folder_of(reference, 0)
        files.close_working_directory(reference)

    @block_call("GetWDInfo", 0xA260, WDPBRec, selector=7)
    def get_working_directory(self, block: WDPBRec, trap: int) -> None:
        """The folder that such a reference stands for, by reference or by counting."""
        files = self._files
        reference = block.ioVRefNum
        index = block.ioWDIndex
        if index > 0:
            references = sorted(files.working)
            if index > len(references):
                raise FileError(ResultCode.nsvErr)
            reference = references[index - 1]
            block.ioVRefNum = reference
        folder, process = files.working_directory(reference)
        name = block.ioNamePtr
        if name:
            self.guest.put_pascal_string(name, files.volume.name)
        block.ioWDProcID = process
        block.ioWDVRefNum = VOLUME_REFERENCE
        block.ioWDDirID = folder.id
