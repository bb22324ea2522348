"""The File Manager's high-level routines, without parameter blocks.

68K programs bring most of them as glue of their own; those on file system specifications are a
trap. PowerPC programs import all. Those on volumes are in `volume_calls`.
Source: Inside Macintosh: Files, chapter 2, "High-Level File Access Routines" and "File System
Specification Routines"; the older ones are in Inside Macintosh II and IV.
"""

from __future__ import annotations

from typing import Any

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.access import allocated
from emu.toolbox.managers.files.catalog import exchange_contents
from emu.toolbox.managers.files.driver_files import DriverFiles
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import File, Folder
from emu.toolbox.managers.files.parameter_block import error_code
from emu.toolbox.records.files import FInfo
from emu.toolbox.records.results import ResultCode


class FileCalls(Manager):
    """Routines that take names, reference numbers and specifications."""

    plumbing = True

    _files: FileManager
    _driver_files: DriverFiles

    def _name(self, address: int) -> bytes:
        return self.guest.pascal_string(address)

    def _file(self, volume: int, directory: int, name: int) -> File:
        return self._files.find_file(volume, directory, self._name(name))

    def _file_of(self, spec: int) -> File:
        return self._files.find_file(*self._files.spec(spec))

    def _open(
        self, place: tuple[int, int, bytes], permission: int, result: int, *, resource: bool
    ) -> None:
        files = self._files
        file = files.find_file(*place)
        try:
            reference = files.open.open(file, resource, permission).reference
        except FileError as error:
            writer = files.open.writer(file, resource)
            if error.code is ResultCode.opWrErr and writer is not None:
                self.guest.put16(result, writer.reference)
            raise
        self.guest.put16(result, reference)

    # -- open files --------------------------------------------------------------------------------

    @error_code(
        "FUNCTION FSOpen (fileName: Str255; vRefNum: INTEGER; VAR refNum: INTEGER): OSErr",
        imports=("OpenDF",),
    )
    def open_file(self, name: int, volume: int, result: int) -> None:
        """Open a data fork with whatever permission there is, or a driver."""
        driver = self._driver_files.open_of_machine(self._name(name))
        if driver:
            self.guest.put16(result, driver)
            return
        self._open((volume, 0, self._name(name)), 0, result, resource=False)

    @error_code("FUNCTION OpenRF (fileName: Str255; vRefNum: INTEGER; VAR refNum: INTEGER): OSErr")
    def open_resource_file(self, name: int, volume: int, result: int) -> None:
        """Open a resource fork as bytes."""
        self._open((volume, 0, self._name(name)), 0, result, resource=True)

    @error_code(
        "FUNCTION HOpen (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255; "
        "permission: SignedByte; VAR refNum: INTEGER): OSErr",
        imports=("HOpenDF",),
    )
    def open_in_folder(
        self, volume: int, directory: int, name: int, permission: int, result: int
    ) -> None:
        """Open a data fork."""
        self._open((volume, directory, self._name(name)), permission, result, resource=False)

    @error_code(
        "FUNCTION HOpenRF (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255; "
        "permission: SignedByte; VAR refNum: INTEGER): OSErr"
    )
    def open_resource_fork_in_folder(
        self, volume: int, directory: int, name: int, permission: int, result: int
    ) -> None:
        """Open a resource fork as bytes."""
        self._open((volume, directory, self._name(name)), permission, result, resource=True)

    @error_code("FUNCTION FSClose (refNum: INTEGER): OSErr")
    def close(self, reference: int) -> None:
        """Close a file or driver."""
        if not self._driver_files.close(reference):
            self._files.close(reference)

    @error_code("FUNCTION FSRead (refNum: INTEGER; VAR count: LONGINT; buffPtr: Ptr): OSErr")
    def read(self, reference: int, count: int, buffer: int) -> None:
        """Read from the mark; the count becomes what was read."""
        files = self._files
        requested = self.guest.i32(count)
        data = self._driver_files.read(reference, requested)
        if data is None:
            data = files.open.read(files.open.find(reference), requested)
        self.guest.write(buffer, data)
        self.host.engine.forget_code(buffer, len(data))
        self.guest.put32(count, len(data))
        if len(data) < requested:
            raise FileError(ResultCode.eofErr)

    @error_code("FUNCTION FSWrite (refNum: INTEGER; VAR count: LONGINT; buffPtr: Ptr): OSErr")
    def write(self, reference: int, count: int, buffer: int) -> None:
        """Write at the mark; the count becomes what was written."""
        files = self._files
        requested = self.guest.i32(count)
        self.guest.put32(count, 0)
        if requested < 0:
            raise FileError(ResultCode.paramErr)
        data = self.guest.read(buffer, requested)
        if not self._driver_files.write(reference, data):
            files.open.write(files.open.find(reference), data, files.now())
        self.guest.put32(count, requested)

    @error_code("FUNCTION GetFPos (refNum: INTEGER; VAR filePos: LONGINT): OSErr")
    def get_mark(self, reference: int, result: int) -> None:
        """Where the mark is."""
        self.guest.put32(result, self._files.open.find(reference).mark)

    @error_code("FUNCTION SetFPos (refNum: INTEGER; posMode: INTEGER; posOff: LONGINT): OSErr")
    def set_mark(self, reference: int, mode: int, offset: int) -> None:
        """Move the mark."""
        files = self._files
        files.open.set_mark(files.open.find(reference), mode, offset)

    @error_code("FUNCTION GetEOF (refNum: INTEGER; VAR logEOF: LONGINT): OSErr")
    def get_end(self, reference: int, result: int) -> None:
        """Where the file ends."""
        self.guest.put32(result, len(self._files.open.find(reference).fork))

    @error_code("FUNCTION SetEOF (refNum: INTEGER; logEOF: LONGINT): OSErr")
    def set_end(self, reference: int, end: int) -> None:
        """Make the file end elsewhere."""
        files = self._files
        files.open.set_end(files.open.find(reference), end, files.now())

    @error_code(
        "FUNCTION Allocate (refNum: INTEGER; VAR count: LONGINT): OSErr", imports=("AllocContig",)
    )
    def allocate(self, reference: int, count: int) -> None:
        """Set room aside behind the end; the end stays where it is."""
        files = self._files
        requested = self.guest.i32(count)
        if not files.open.find(reference).writes:
            raise FileError(ResultCode.wrPermErr)
        if requested < 0:
            raise FileError(ResultCode.paramErr)
        files.volume.require_room(requested)
        self.guest.put32(count, allocated(requested))

    @error_code("FUNCTION GetVRefNum (pathRefNum: INTEGER; VAR vRefNum: INTEGER): OSErr")
    def get_volume_of_file(self, reference: int, result: int) -> None:
        """The volume that an open file is on."""
        self._files.open.find(reference)
        self.guest.put16(result, VOLUME_REFERENCE)

    # -- names -------------------------------------------------------------------------------------

    @error_code(
        "FUNCTION Create (fileName: Str255; vRefNum: INTEGER; creator: OSType; "
        "fileType: OSType): OSErr"
    )
    def create(self, name: int, volume: int, creator: str, type_: str) -> None:
        """Make an empty file."""
        self._files.create(volume, 0, self._name(name), creator, type_)

    @error_code(
        "FUNCTION HCreate (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255; creator: OSType; "
        "fileType: OSType): OSErr"
    )
    def create_in_folder(
        self, volume: int, directory: int, name: int, creator: str, type_: str
    ) -> None:
        """Make an empty file."""
        self._files.create(volume, directory, self._name(name), creator, type_)

    @error_code(
        "FUNCTION DirCreate (vRefNum: INTEGER; parentDirID: LONGINT; directoryName: Str255; "
        "VAR createdDirID: LONGINT): OSErr"
    )
    def create_folder(self, volume: int, directory: int, name: int, result: int) -> None:
        """Make a folder."""
        self._make_folder(volume, directory, self._name(name), result)

    def _make_folder(self, volume: int, directory: int, name: bytes, result: int) -> None:
        files = self._files
        start, path = files.start_of(volume, directory, name)
        folder = files.volume.create_folder(start, path, files.now())
        self.guest.put32(result, folder.id)

    @error_code("FUNCTION FSDelete (fileName: Str255; vRefNum: INTEGER): OSErr")
    def delete(self, name: int, volume: int) -> None:
        """Delete a file or an empty folder."""
        files = self._files
        files.delete(files.find(volume, 0, self._name(name)))

    @error_code("FUNCTION HDelete (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255): OSErr")
    def delete_in_folder(self, volume: int, directory: int, name: int) -> None:
        """Delete a file or an empty folder."""
        files = self._files
        files.delete(files.find(volume, directory, self._name(name)))

    @error_code("FUNCTION Rename (oldName: Str255; vRefNum: INTEGER; newName: Str255): OSErr")
    def rename(self, name: int, volume: int, new_name: int) -> None:
        """Give a file, a folder or the volume another name."""
        self._rename((volume, 0, self._name(name)), new_name)

    @error_code(
        "FUNCTION HRename (vRefNum: INTEGER; dirID: LONGINT; oldName: Str255; "
        "newName: Str255): OSErr"
    )
    def rename_in_folder(self, volume: int, directory: int, name: int, new_name: int) -> None:
        """Give a file or folder another name."""
        self._rename((volume, directory, self._name(name)), new_name)

    def _rename(self, place: tuple[int, int, bytes], new_name: int) -> None:
        files = self._files
        files.volume.rename(files.find(*place), self._name(new_name).rstrip(b":"))

    @error_code(
        "FUNCTION CatMove (vRefNum: INTEGER; dirID: LONGINT; oldName: Str255; "
        "newDirID: LONGINT; newName: Str255): OSErr"
    )
    def move(
        self, volume: int, directory: int, name: int, new_directory: int, new_name: int
    ) -> None:
        """Move a file or folder into another folder."""
        files = self._files
        node = files.find(volume, directory, self._name(name))
        self._move(node, files.find(volume, new_directory, self._name(new_name)))

    def _move(self, node: Any, target: Any) -> None:
        if not isinstance(target, Folder):
            raise FileError(ResultCode.badMovErr)
        self._files.volume.move(node, target)

    @error_code(
        "FUNCTION GetFInfo (fileName: Str255; vRefNum: INTEGER; VAR fndrInfo: FInfo): OSErr"
    )
    def get_information(self, name: int, volume: int, result: int) -> None:
        """What the Finder keeps about a file."""
        FInfo(self.guest, result).write(self._file(volume, 0, name).finder[: FInfo.size])

    @error_code(
        "FUNCTION HGetFInfo (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255; "
        "VAR fndrInfo: FInfo): OSErr"
    )
    def get_information_in_folder(
        self, volume: int, directory: int, name: int, result: int
    ) -> None:
        """What the Finder keeps about a file."""
        FInfo(self.guest, result).write(self._file(volume, directory, name).finder[: FInfo.size])

    def _set_information(self, file: File, address: int) -> None:
        self._files.set_finder(file, FInfo(self.guest, address).read() + file.finder[FInfo.size :])

    @error_code("FUNCTION SetFInfo (fileName: Str255; vRefNum: INTEGER; fndrInfo: Ptr): OSErr")
    def set_information(self, name: int, volume: int, information: int) -> None:
        """Change what the Finder keeps about a file."""
        self._set_information(self._file(volume, 0, name), information)

    @error_code(
        "FUNCTION HSetFInfo (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255; "
        "fndrInfo: Ptr): OSErr"
    )
    def set_information_in_folder(
        self, volume: int, directory: int, name: int, information: int
    ) -> None:
        """Change what the Finder keeps about a file."""
        self._set_information(self._file(volume, directory, name), information)

    @error_code("FUNCTION SetFLock (fileName: Str255; vRefNum: INTEGER): OSErr")
    def lock(self, name: int, volume: int) -> None:
        """Lock a file."""
        self._file(volume, 0, name).locked = True

    @error_code("FUNCTION RstFLock (fileName: Str255; vRefNum: INTEGER): OSErr")
    def unlock(self, name: int, volume: int) -> None:
        """Unlock a file."""
        self._file(volume, 0, name).locked = False

    @error_code("FUNCTION HSetFLock (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255): OSErr")
    def lock_in_folder(self, volume: int, directory: int, name: int) -> None:
        """Lock a file."""
        self._file(volume, directory, name).locked = True

    @error_code("FUNCTION HRstFLock (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255): OSErr")
    def unlock_in_folder(self, volume: int, directory: int, name: int) -> None:
        """Unlock a file."""
        self._file(volume, directory, name).locked = False

    # -- specifications ----------------------------------------------------------------------------

    @error_code(
        "FUNCTION FSMakeFSSpec (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255; "
        "VAR spec: FSSpec): OSErr"
    )
    def make_specification(self, volume: int, directory: int, name: int, spec: int) -> None:
        """Turn a place and a name into a specification; fnfErr if nothing is there yet."""
        self._files.make_spec(volume, directory, self._name(name), spec)

    @error_code(
        "FUNCTION FSpOpenDF (spec: FSSpec; permission: SignedByte; VAR refNum: INTEGER): OSErr"
    )
    def open_specified(self, spec: int, permission: int, result: int) -> None:
        """Open a data fork."""
        self._open(self._files.spec(spec), permission, result, resource=False)

    @error_code(
        "FUNCTION FSpOpenRF (spec: FSSpec; permission: SignedByte; VAR refNum: INTEGER): OSErr"
    )
    def open_specified_resource_fork(self, spec: int, permission: int, result: int) -> None:
        """Open a resource fork as bytes."""
        self._open(self._files.spec(spec), permission, result, resource=True)

    @error_code(
        "FUNCTION FSpCreate (spec: FSSpec; creator: OSType; fileType: OSType; "
        "scriptTag: INTEGER): OSErr"
    )
    def create_specified(self, spec: int, creator: str, type_: str, script: int) -> None:
        """Make an empty file."""
        self._files.create(*self._files.spec(spec), creator, type_)

    @error_code(
        "FUNCTION FSpDirCreate (spec: FSSpec; scriptTag: INTEGER; VAR createdDirID: LONGINT): OSErr"
    )
    def create_specified_folder(self, spec: int, script: int, result: int) -> None:
        """Make a folder."""
        volume, directory, name = self._files.spec(spec)
        self._make_folder(volume, directory, name, result)

    @error_code("FUNCTION FSpDelete (spec: FSSpec): OSErr")
    def delete_specified(self, spec: int) -> None:
        """Delete a file or an empty folder."""
        self._files.delete(self._files.find(*self._files.spec(spec)))

    @error_code("FUNCTION FSpGetFInfo (spec: FSSpec; VAR fndrInfo: FInfo): OSErr")
    def get_specified_information(self, spec: int, result: int) -> None:
        """What the Finder keeps about a file."""
        FInfo(self.guest, result).write(self._file_of(spec).finder[: FInfo.size])

    @error_code("FUNCTION FSpSetFInfo (spec: FSSpec; fndrInfo: Ptr): OSErr")
    def set_specified_information(self, spec: int, information: int) -> None:
        """Change what the Finder keeps about a file."""
        self._set_information(self._file_of(spec), information)

    @error_code("FUNCTION FSpSetFLock (spec: FSSpec): OSErr")
    def lock_specified(self, spec: int) -> None:
        """Lock a file."""
        self._file_of(spec).locked = True

    @error_code("FUNCTION FSpRstFLock (spec: FSSpec): OSErr")
    def unlock_specified(self, spec: int) -> None:
        """Unlock a file."""
        self._file_of(spec).locked = False

    @error_code("FUNCTION FSpRename (spec: FSSpec; newName: Str255): OSErr")
    def rename_specified(self, spec: int, new_name: int) -> None:
        """Give a file or folder another name."""
        self._rename(self._files.spec(spec), new_name)

    @error_code("FUNCTION FSpCatMove (source: FSSpec; dest: FSSpec): OSErr")
    def move_specified(self, source: int, target: int) -> None:
        """Move a file or folder into another folder."""
        files = self._files
        self._move(files.find(*files.spec(source)), files.find(*files.spec(target)))

    @error_code("FUNCTION FSpExchangeFiles (source: FSSpec; dest: FSSpec): OSErr")
    def exchange(self, source: int, target: int) -> None:
        """Exchange what two files hold; each keeps its name and its number."""
        exchange_contents(self._files, self._file_of(source), self._file_of(target))
