"""The File Manager's high-level routines on volumes, and the Disk Initialization Package.

68K programs bring those on volumes and working directories as glue of their own; PowerPC programs
import them. The package formats disks, of which there is one and none is inserted.
Source: Inside Macintosh: Files, chapters 2 and 5; older routines are in Inside Macintosh II and IV.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import DRIVE, VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import Folder
from emu.toolbox.managers.files.parameter_block import error_code
from emu.toolbox.managers.files.volumes import FileVolumes
from emu.toolbox.records.results import ResultCode

_EJECTED = 1
"""What DIBadMount returns if the user will have the disk back."""


class VolumeCalls(Manager):
    """Routines that take names and references of volumes."""

    plumbing = True

    _files: FileManager
    _file_volumes: FileVolumes

    def _name(self, address: int) -> bytes:
        return self.guest.pascal_string(address)

    @error_code(
        "FUNCTION GetVInfo (drvNum: INTEGER; volName: StringPtr; VAR vRefNum: INTEGER; "
        "VAR freeBytes: LONGINT): OSErr"
    )
    def get_volume(self, drive: int, name: int, result: int, free: int) -> None:
        """Name, reference and free bytes of a volume."""
        files = self._files
        files.folder_of(drive, 0)
        if name:
            self.guest.put_pascal_string(name, files.volume.name)
        self.guest.put16(result, VOLUME_REFERENCE)
        self.guest.put32(free, self._file_volumes.free_bytes())

    @error_code("FUNCTION GetVol (volName: StringPtr; VAR vRefNum: INTEGER): OSErr")
    def get_default(self, name: int, result: int) -> None:
        """The default volume."""
        if name:
            self.guest.put_pascal_string(name, self._files.volume.name)
        self.guest.put16(result, self._files.reference_of_default()[0])

    @error_code("FUNCTION SetVol (volName: StringPtr; vRefNum: INTEGER): OSErr")
    def set_default(self, name: int, volume: int) -> None:
        """Choose the default volume."""
        files = self._files
        self._file_volumes.require_volume(self._name(name), volume)
        if name and self._name(name):
            files.set_default(VOLUME_REFERENCE, files.volume.root)
        else:
            files.set_default(volume, files.folder_of(volume, 0))

    @error_code(
        "FUNCTION HGetVol (volName: StringPtr; VAR vRefNum: INTEGER; VAR dirID: LONGINT): OSErr"
    )
    def get_default_folder(self, name: int, result: int, directory: int) -> None:
        """The default volume and folder."""
        files = self._files
        if name:
            self.guest.put_pascal_string(name, files.volume.name)
        reference, number = files.reference_of_default()
        self.guest.put16(result, reference)
        self.guest.put32(directory, number)

    @error_code("FUNCTION HSetVol (volName: StringPtr; vRefNum: INTEGER; dirID: LONGINT): OSErr")
    def set_default_folder(self, name: int, volume: int, directory: int) -> None:
        """Choose the default folder."""
        files = self._files
        node = files.find(volume, directory, self._name(name))
        if not isinstance(node, Folder):
            raise FileError(ResultCode.dirNFErr)
        files.set_default(VOLUME_REFERENCE if directory or name else volume, node)

    @error_code("FUNCTION FlushVol (volName: StringPtr; vRefNum: INTEGER): OSErr")
    def flush(self, name: int, volume: int) -> None:
        """Write everything that has changed."""
        self._file_volumes.require_volume(self._name(name), volume)
        self._files.flush()

    @error_code(
        "FUNCTION UnmountVol (volName: StringPtr; vRefNum: INTEGER): OSErr", imports=("Eject",)
    )
    def unmount(self, name: int, volume: int) -> None:
        """Refused: there are always open files on the volume that a program was started from."""
        self._file_volumes.require_volume(self._name(name), volume)
        raise FileError(ResultCode.fBsyErr)

    @error_code(
        "FUNCTION OpenWD (vRefNum: INTEGER; dirID: LONGINT; procID: LONGINT; "
        "VAR wdRefNum: INTEGER): OSErr"
    )
    def open_working_directory(
        self, volume: int, directory: int, process: int, result: int
    ) -> None:
        """A volume reference that stands for a folder."""
        files = self._files
        folder = files.folder_of(volume, directory)
        self.guest.put16(result, files.open_working_directory(folder, process))

    @error_code("FUNCTION CloseWD (wdRefNum: INTEGER): OSErr")
    def close_working_directory(self, reference: int) -> None:
        """Give such a reference back."""
        self._files.folder_of(reference, 0)
        self._files.close_working_directory(reference)

    @error_code(
        "FUNCTION GetWDInfo (wdRefNum: INTEGER; VAR vRefNum: INTEGER; VAR dirID: LONGINT; "
        "VAR procID: LONGINT): OSErr"
    )
    def get_working_directory(
        self, reference: int, volume: int, directory: int, process: int
    ) -> None:
        """The folder that such a reference stands for."""
        folder, number = self._files.working_directory(reference)
        self.guest.put16(volume, VOLUME_REFERENCE)
        self.guest.put32(directory, folder.id)
        self.guest.put32(process, number)


class DiskInitialization(Manager):
    """Answers for disks that cannot be read or are to be made empty."""

    @routine("PROCEDURE DILoad")
    def di_load(self) -> None:
        """Load the package, which is always there."""

    @routine("PROCEDURE DIUnload")
    def di_unload(self) -> None:
        """Release the package."""

    @routine("FUNCTION DIBadMount (where: Point; evtMessage: LONGINT): INTEGER")
    def di_bad_mount(self, where: Point, message: int) -> int:
        """Ask what to do with a disk that cannot be read: the user takes it out."""
        return _EJECTED

    @routine("FUNCTION DIFormat (drvNum: INTEGER): OSErr")
    def di_format(self, drive: int) -> int:
        """Format a disk: refused, since the only one is the program's own."""
        return ResultCode.wPrErr if drive == DRIVE else ResultCode.nsDrvErr

    @routine("FUNCTION DIVerify (drvNum: INTEGER): OSErr")
    def di_verify(self, drive: int) -> int:
        """Check that a disk was formatted well."""
        return 0 if drive == DRIVE else ResultCode.nsDrvErr

    @routine("FUNCTION DIZero (drvNum: INTEGER; volName: Str255): OSErr")
    def di_zero(self, drive: int, name: int) -> int:
        """Put an empty volume on a disk: refused likewise."""
        return self.di_format(drive)
