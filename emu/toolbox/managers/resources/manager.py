"""The Resource Manager: finding, loading and releasing resources.

The routines that get a resource are in `searches`, those that count resources in `listing`, those
that change them in `changes`, and those that open files in `files`. The program's own file is
always open, and behind it the System file (see `emu.toolbox.system_file`).
Source: Inside Macintosh: More Macintosh Toolbox, chapter 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from emu.base.errors import UsageError
from emu.program.mac_file.expansion import ExpansionError
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.open_files import SYSTEM_REFERENCE
from emu.toolbox.managers.files.volume import CAPACITY
from emu.toolbox.managers.memory import block as heap
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.map import (
    CHANGED,
    LOCKED,
    PRELOAD,
    PURGEABLE,
    OpenResources,
    ResourceEntry,
)
from emu.toolbox.records.results import ResultCode
from emu.toolbox.system_file import system_resources

SYSTEM_FILE = 0
"""What stands for the System file, too, where a reference number is passed."""
_NO_FILES_NUMBER = 1
"""A reference number that the File Manager never gives: what the program's own file has first."""

_FIRST_OF_PROGRAMS = 128
"""The System has the resource IDs below (Inside Macintosh: More Macintosh Toolbox, p. 1-46)."""


class ResourceManager(Manager):
    """Resources of the open files.

    Attributes:
        application: the program's own file.
        system: the System file.
        files: the open files, the one opened last first.
        current: the reference number at which searches begin.
        writes_before_purge: what SetResPurge set.
        load_by_patch: loads a resource by the program's own routine (see `load_vector`), always or
            unless SetResLoad forbids it; gives None if the program has no such routine.
    """

    plumbing = True

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._memory.resources = self
        self.application = OpenResources(_NO_FILES_NUMBER, self.host.application.name)
        self.application.fill(self.host.application.resources)
        self.system = OpenResources(SYSTEM_REFERENCE, "System")
        self.system.fill(system_resources())
        self.files: list[OpenResources] = [self.application, self.system]
        self.current = _NO_FILES_NUMBER
        self.writes_before_purge = False
        self.load_by_patch: Callable[[ResourceEntry, bool], int | None] = lambda entry, always: None
        self._by_handle: dict[int, ResourceEntry] = {}

    def start(self) -> None:
        """Set the low-memory globals, and load what is marked to be preloaded."""
        guest = self.guest
        guest.put16(LowMemory.CURRENT_APPLICATION_REFERENCE, self.current)
        guest.put16(LowMemory.RESOURCE_LOAD, 0xFFFF)
        self.use(self.current)
        self.load_marked(self.application)
        self.error(0)
        for problem in self.host.application.resources.damaged:
            # A damaged file is no mistake of the program.
            where = f"in {self.application.name}, left out"
            self.host.report("resources", f"{where}: {problem}", Sureness.UNUSUAL)

    def finish(self) -> None:
        """Write what the program has marked as changed in files it left open."""
        for file in self.files:
            self.update(file)

    def load_marked(self, file: OpenResources) -> None:
        """Load a file's resources that are marked to be preloaded."""
        if self.guest.u16(LowMemory.RESOURCE_LOAD):
            for entry in file.entries:
                if entry.attributes & PRELOAD:
                    self.load(entry)

    # -- writing -----------------------------------------------------------------------------------

    def has_room(self, entry: ResourceEntry, size: int) -> bool:
        """Whether a resource may have so many bytes: open files may hold what a volume may."""
        more = size - len(entry.data)
        used = sum(file.size for file in self.files if file is not self.system)
        return more <= 0 or used + more <= CAPACITY

    def take(self, entry: ResourceEntry) -> int:
        """Take over what is in memory as a resource's contents in its file; the error, or 0."""
        if entry.handle and self._memory.address(entry.handle):
            data = bytes(self._memory.contents(entry.handle))
            if not self.has_room(entry, len(data)):
                return ResultCode.dskFulErr
            entry.file.store(entry, data)
        entry.attributes &= ~CHANGED
        return 0

    def update(self, file: OpenResources) -> int:
        """Write everything in a file that is marked as changed; the error, or 0."""
        full = 0
        changed = [entry for entry in file.entries if entry.attributes & CHANGED]
        for entry in changed:
            full = self.take(entry) or full
        # WriteResource of one resource saves the file, though another still waits to be taken.
        error = self.save(file) if changed or file.changed else 0
        return error or full

    def purging(self, handle: int) -> None:
        """A handle is about to be purged; after SetResPurge a changed resource is written."""
        entry = self._by_handle.get(handle)
        if self.writes_before_purge and entry is not None and entry.attributes & CHANGED:
            self.take(entry)
            self.save(entry.file)

    def save(self, file: OpenResources) -> int:
        """Write a file; the error, or 0. The program's own stays as it is on the host."""
        file.changed = False
        if file.save is None:
            return 0
        try:
            file.save(file.fork())
        except FileError as error:
            return error.code
        except UsageError as error:
            raise self.host.stopped(f"{file.name} cannot be written: {error}") from error
        return 0

    # -- for other managers ------------------------------------------------------------------------

    def error(self, code: int) -> int:
        """Set ResErr; the code again."""
        self.guest.put16(LowMemory.RESOURCE_ERROR, code)
        return code

    def get(self, type_: str, identifier: int) -> int:
        """The handle of a resource, loaded if need be; 0 if there is none. Sets ResErr."""
        entry = self.find(type_, identifier)
        if entry is None:
            self.missed(type_)
            return 0
        return self.load(entry, always=True)

    def missed(self, type_: str, *, only_current: bool = False) -> None:
        """Set ResErr after a search by number that found nothing.

        If there is no resource of the type at all it says that nothing is wrong (More Macintosh
        Toolbox, chapter 1).
        """
        files = self.searched(only_current=only_current)
        has_type = any(next(file.of_type(type_), None) for file in files)
        self.error(ResultCode.resNotFound if has_type else 0)

    def template(self, type_: str, identifier: int) -> bytes | None:
        """What `data` gives, for a routine that makes something of it. Sets ResErr."""
        data = self.data(type_, identifier)
        if data is None:
            self.missed(type_)
        else:
            self.error(0)
        return data

    def data(self, type_: str, identifier: int) -> bytes | None:
        """A resource's contents, as the program may have changed them; None if there is none."""
        entry = self.find(type_, identifier)
        return self.contents(entry) if entry is not None else None

    def contents(self, entry: ResourceEntry) -> bytes:
        """A resource's contents: those in memory, or else in the file."""
        memory = self._memory
        if entry.handle and memory.is_handle(entry.handle) and memory.address(entry.handle):
            return bytes(memory.contents(entry.handle))
        handle = self.load_by_patch(entry, True)
        if handle:
            return bytes(memory.contents(handle))
        self.expand(entry)
        return entry.data

    def loaded(self, type_: str, identifier: int) -> int:
        """The handle of a resource that is in memory; 0 if it is not."""
        for file in self.files:
            entry = file.find(type_, identifier)
            if entry is not None and entry.handle and self._memory.is_handle(entry.handle):
                return entry.handle if self._memory.address(entry.handle) else 0
        return 0

    def entry_of(self, handle: int) -> ResourceEntry | None:
        """The resource that a handle belongs to."""
        return self._by_handle.get(handle)

    def report_missing(self, type_: str, identifier: int, outcome: str) -> None:
        """Report that the Toolbox wants a resource that is not there, and set ResErr.

        It is unusual where the resource may be one of the System file, whose IDs are below 128.

        Args:
            type_: the resource's type.
            identifier: its ID.
            outcome: what the routine does without it.
        """
        self.host.report(
            "missing resource",
            f"{self.host.routine_name('the Toolbox')} wants {type_} {identifier}, which is not "
            f"there: {outcome}",
            Sureness.UNUSUAL if identifier < _FIRST_OF_PROGRAMS else None,
        )
        self.error(ResultCode.resNotFound)

    def describe(self, handle: int) -> str:
        """A resource in words: "'CODE' 1"."""
        entry = self._by_handle.get(handle)
        return str(entry) if entry is not None else f"of handle 0x{handle:08x}"

    def forget(self, handle: int) -> None:
        """A handle is no resource's any more."""
        entry = self._by_handle.pop(handle, None)
        if entry is not None:
            entry.handle = 0

    def attach(self, entry: ResourceEntry, handle: int) -> None:
        """Make a handle the resource's."""
        entry.handle = handle
        self._by_handle[handle] = entry
        flags = heap.RESOURCE
        flags |= heap.LOCKED if entry.attributes & LOCKED else 0
        flags |= heap.PURGEABLE if entry.attributes & PURGEABLE else 0
        if self._memory.address(handle):
            self._memory.change_flags(handle, flags, 0)

    # -- searching ---------------------------------------------------------------------------------

    def searched(self, *, only_current: bool = False) -> Iterator[OpenResources]:
        """The files that are searched: the current one and those opened before it."""
        is_reached = False
        for file in self.files:
            is_reached = is_reached or file.reference == self.current
            if is_reached:
                yield file
                if only_current:
                    return

    def find(
        self, type_: str, identifier: int, *, only_current: bool = False
    ) -> ResourceEntry | None:
        """A resource by its number."""
        for file in self.searched(only_current=only_current):
            entry = file.find(type_, identifier)
            if entry is not None:
                return entry
        return None

    def find_named(
        self, type_: str, name: str, *, only_current: bool = False
    ) -> ResourceEntry | None:
        """A resource by its name, whatever the case of its letters."""
        for file in self.searched(only_current=only_current):
            entry = file.named(type_, name)
            if entry is not None:
                return entry
        return None

    def file(self, reference: int) -> OpenResources | None:
        """An open file; 0 stands for the System file."""
        number = SYSTEM_REFERENCE if reference == SYSTEM_FILE else reference
        return next((file for file in self.files if file.reference == number), None)

    def use(self, reference: int) -> None:
        """Begin searches at a file."""
        self.current = reference
        self.guest.put16(LowMemory.CURRENT_MAP, reference)

    def load(self, entry: ResourceEntry, *, always: bool = False) -> int:
        """What `load_here` gives, or else the program's own routine that loads."""
        handle = self.load_by_patch(entry, always)
        return self.load_here(entry, always=always) if handle is None else handle

    def load_here(self, entry: ResourceEntry, *, always: bool = False) -> int:
        """The handle of a resource, with its contents unless SetResLoad forbids it.

        Sets ResErr.
        """
        memory = self._memory
        handle = entry.handle
        wanted = always or self.guest.u16(LowMemory.RESOURCE_LOAD) != 0
        if handle and memory.address(handle):
            self.error(0)
            return handle
        if wanted and not self.expand(entry):
            return 0
        if not handle:
            handle = memory.new_empty_handle(len(entry.data))
            if not handle:
                self.error(ResultCode.memFullErr)
                return 0
        filled = True
        if wanted:
            filled = memory.set_contents(handle, entry.data)
        self.attach(entry, handle)
        self.error(0 if filled else ResultCode.memFullErr)
        return handle if filled else 0

    def expand(self, entry: ResourceEntry) -> bool:
        """Expand a resource before it is used; False, and ResErr set, if it cannot be expanded."""
        try:
            entry.file.expand(entry)
        except ExpansionError as error:
            self.host.report("resources", f"resource {entry} cannot be expanded: {error}")
            self.error(ResultCode.CantDecompress)
            return False
        return True

    def give(self, entry: ResourceEntry | None) -> int:
        """The handle of what a search found, loaded; 0, and ResErr set, if it found nothing.

        Memory does not move for a resource that is not there or is in memory already.
        """
        if entry is None:
            self.error(ResultCode.resNotFound)
            self.host.memory_stays = True
            return 0
        self.host.memory_stays = bool(entry.handle and self._memory.address(entry.handle))
        return self.load(entry)

    def passed(self, handle: int) -> ResourceEntry | None:
        """The resource of a handle that the program passed; or None, and ResErr is set."""
        entry = self._by_handle.get(handle)
        if entry is not None and self._memory.is_handle(handle):
            self.error(0)
            return entry
        if handle:
            problem = f"{self._memory.heap_user()} was given handle 0x{handle:08x}, which is no "
            problem += "resource's, and only sets ResErr"
            # One that was disposed of may be that of another resource on a Macintosh.
            was_handle = any(zone.disposal_of(handle) for zone in self._memory.zones)
            self.host.report("not a resource", problem, None if was_handle else Sureness.UNUSUAL)
        self.error(ResultCode.resNotFound)
        return None

    # -- loading and releasing ---------------------------------------------------------------------

    @routine("PROCEDURE LoadResource (theResource: Handle)")
    def load_resource(self, handle: int) -> None:
        """Bring back contents that were purged or not loaded."""
        if self._memory.is_handle(handle) and self._memory.address(handle):
            self.error(0)
            return
        entry = self.passed(handle)
        if entry is not None:
            self.load(entry, always=True)

    @routine("PROCEDURE ReleaseResource (theResource: Handle)")
    def release_resource(self, handle: int) -> None:
        """Throw a resource's contents and its handle away, unless it has been changed."""
        entry = self.passed(handle)
        if entry is not None and not entry.attributes & CHANGED:
            self.forget(handle)
            self._memory.dispose_handle(handle)

    @routine("PROCEDURE DetachResource (theResource: Handle)")
    def detach_resource(self, handle: int) -> None:
        """Leave the handle to the program."""
        entry = self.passed(handle)
        if entry is None:
            return
        if entry.attributes & CHANGED:
            self.error(ResultCode.resAttrErr)
            return
        self.forget(handle)
        if self._memory.address(handle):
            self._memory.change_flags(handle, 0, heap.RESOURCE)

    @routine("PROCEDURE SetResLoad (load: BOOLEAN)")
    def set_res_load(self, load: bool) -> None:
        """Whether resources are loaded when they are asked for."""
        self.guest.put16(LowMemory.RESOURCE_LOAD, 0xFFFF if load else 0)

    @routine("FUNCTION ResError: INTEGER")
    def res_error(self) -> int:
        """The error of the last call."""
        return self.guest.i16(LowMemory.RESOURCE_ERROR)
