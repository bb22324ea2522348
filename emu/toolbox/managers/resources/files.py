"""The Resource Manager's files: making, opening and closing them.

The File Manager has their bytes and gives their reference numbers.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 1.
"""

from __future__ import annotations

from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.mac_file.resource_fork import make_resource_fork, parse_resource_fork
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import SYSTEM_FILE, ResourceManager
from emu.toolbox.managers.resources.map import OpenResources
from emu.toolbox.managers.resources.map_chain import MapChain
from emu.toolbox.records.results import ResultCode

_NO_FILE = -1
_READ, _READ_AND_WRITE = 1, 3


class ResourceFilesManager(Manager):
    """Opens resource files. It starts after the File Manager."""

    _memory: MemoryManager
    _resources: ResourceManager
    _files: FileManager
    _maps: MapChain

    def start(self) -> None:
        """Give the program's own resource file a reference number."""
        name = self.host.application.name.encode("mac_roman", "replace")
        resources = self._resources
        try:
            reference = self._files.open_resource_fork(0, 0, name, _READ)
        except FileError:
            return  # it keeps the one that is no file's
        resources.application.reference = reference
        resources.use(reference)
        self.guest.put16(LowMemory.CURRENT_APPLICATION_REFERENCE, reference)
        fork = self._files.read_fork(reference) or resources.application.fork()
        self._maps.add(reference, fork)

    @routine("PROCEDURE RsrcZoneInit", architecture="m68k")
    def rsrc_zone_init(self) -> None:
        """Prepare the Resource Manager for a new program, as each start of one has done already."""

    # -- inside ------------------------------------------------------------------------------------

    def _open(self, volume: int, directory: int, name: bytes, permission: int) -> int:
        """Open a file, and begin searches there; its reference number, or -1."""
        resources, files = self._resources, self._files
        try:
            already = self._already_open(volume, directory, name)
            if already is not None:
                resources.error(0)
                return already.reference
            reference = int(files.open_resource_fork(volume, directory, name, permission))
        except FileError as error:
            resources.error(error.code)
            return _NO_FILE
        data = files.read_fork(reference)
        try:
            if not data:
                raise FileError(ResultCode.eofErr)
            fork = parse_resource_fork(data, Path(name.decode("mac_roman")))
        except (FileError, ProgramError) as error:
            files.close(reference)
            damaged = isinstance(error, ProgramError)
            resources.error(ResultCode.mapReadErr if damaged else ResultCode.eofErr)
            return _NO_FILE
        writes = files.open.find(reference).writes
        opened = OpenResources(
            reference,
            name.decode("mac_roman"),
            save=(lambda data: files.write_fork(reference, data)) if writes else None,
            close=lambda: files.close(reference),
        )
        opened.fill(fork)
        resources.files.insert(0, opened)
        self._maps.add(reference, data)
        resources.use(reference)
        resources.load_marked(opened)
        resources.error(0)
        return reference

    def _already_open(self, volume: int, directory: int, name: bytes) -> OpenResources | None:
        files = self._files
        file = files.find_file(volume, directory, name)
        open_forks = {fork.reference for fork in files.open.of(file) if fork.resource}
        opened: OpenResources | None
        for opened in self._resources.files:
            if opened.reference in open_forks:
                return opened
        return None

    def _create(
        self, volume: int, directory: int, name: bytes, creator: str = "", type_: str = ""
    ) -> None:
        resources, files = self._resources, self._files
        try:
            try:
                files.find_file(volume, directory, name)
            except FileError as error:
                if error.code is not ResultCode.fnfErr:
                    raise
                files.create(volume, directory, name, creator, type_)
            # It is opened before it is looked at, as by a Macintosh: of a file that is open for
            # writing the program is told opWrErr, not that there is one already.
            reference = files.open_resource_fork(volume, directory, name, _READ_AND_WRITE)
            try:
                if files.read_fork(reference):
                    raise FileError(ResultCode.dupFNErr)
                files.write_fork(reference, make_resource_fork(()))
            finally:
                files.close(reference)
        except FileError as error:
            resources.error(error.code)
        else:
            resources.error(0)

    # -- making ------------------------------------------------------------------------------------

    @routine("PROCEDURE CreateResFile (fileName: Str255)")
    def create_res_file(self, name: int) -> None:
        """Make a resource file without resources in the default folder."""
        self._create(0, 0, self.guest.pascal_string(name))

    @routine("PROCEDURE HCreateResFile (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255)")
    def h_create_res_file(self, volume: int, directory: int, name: int) -> None:
        """Make one in any folder."""
        self._create(volume, directory, self.guest.pascal_string(name))

    @routine(
        "PROCEDURE FSpCreateResFile (spec: FSSpec; creator: OSType; fileType: OSType; "
        "scriptTag: INTEGER)"
    )
    def fsp_create_res_file(self, spec: int, creator: str, type_: str, script: int) -> None:
        """Make one with a creator and a type."""
        volume, directory, name = self._files.spec(spec)
        self._create(volume, directory, name, creator, type_)

    # -- opening and closing -----------------------------------------------------------------------

    @routine("FUNCTION OpenResFile (fileName: Str255): INTEGER")
    def open_res_file(self, name: int) -> int:
        """Open a resource file of the default folder."""
        return self._open(0, 0, self.guest.pascal_string(name), 0)

    @routine(
        "FUNCTION OpenRFPerm (fileName: Str255; vRefNum: INTEGER; permission: SignedByte): INTEGER"
    )
    def open_rf_perm(self, name: int, volume: int, permission: int) -> int:
        """Open one with a permission."""
        return self._open(volume, 0, self.guest.pascal_string(name), permission)

    @routine(
        "FUNCTION HOpenResFile (vRefNum: INTEGER; dirID: LONGINT; fileName: Str255; "
        "permission: SignedByte): INTEGER"
    )
    def h_open_res_file(self, volume: int, directory: int, name: int, permission: int) -> int:
        """Open one of any folder."""
        return self._open(volume, directory, self.guest.pascal_string(name), permission)

    @routine("FUNCTION FSpOpenResFile (spec: FSSpec; permission: SignedByte): INTEGER")
    def fsp_open_res_file(self, spec: int, permission: int) -> int:
        """Open the one that a specification stands for."""
        volume, directory, name = self._files.spec(spec)
        return self._open(volume, directory, name, permission)

    @routine("PROCEDURE CloseResFile (refNum: INTEGER)")
    def close_res_file(self, reference: int) -> None:
        """Update a resource file, release its resources and close it."""
        resources, memory = self._resources, self._memory
        file = resources.file(reference)
        if file is None:
            resources.error(ResultCode.resFNotFound)
            return
        if file in (resources.application, resources.system):
            which = "its own resource file" if file is resources.application else "the System file"
            self.host.report("resources", f"the program closed {which}")
            resources.error(0)
            return
        error = resources.update(file)
        for entry in file.entries:
            handle = entry.handle
            if handle:
                resources.forget(handle)
                if memory.is_handle(handle):
                    memory.dispose_handle(handle)
        place = resources.files.index(file)
        resources.files.remove(file)
        self._maps.remove(file.reference)
        if file.reference == resources.current:
            resources.use(resources.files[min(place, len(resources.files) - 1)].reference)
        if file.close is not None:
            try:
                file.close()
            except FileError as failure:
                error = error or failure.code
        resources.error(error)

    @routine("FUNCTION CurResFile: INTEGER")
    def cur_res_file(self) -> int:
        """The file at which searches begin."""
        self._resources.error(0)
        return self._resources.current

    @routine("PROCEDURE UseResFile (refNum: INTEGER)")
    def use_res_file(self, reference: int) -> None:
        """Begin searches at a file; 0 is the System file."""
        resources = self._resources
        file = resources.file(reference)
        if file is not None:
            resources.use(file.reference)
        resources.error(0 if file is not None else ResultCode.resFNotFound)

    @routine("FUNCTION HomeResFile (theResource: Handle): INTEGER")
    def home_res_file(self, handle: int) -> int:
        """The file a resource is in, 0 if that is the System file; -1 if it is none."""
        entry = self._resources.passed(handle)
        if entry is None:
            return _NO_FILE
        return SYSTEM_FILE if entry.file is self._resources.system else entry.file.reference
