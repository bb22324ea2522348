"""The Resource Manager's changes: adding, altering, removing and writing resources.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 1.
"""

from __future__ import annotations

import itertools

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory import block as heap
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.map import CHANGED, PROTECTED, ResourceEntry
from emu.toolbox.records.results import ResultCode

_FIRST_UNIQUE_ID = 128
_LARGEST = 0xFFFFFF
_FILE_CHANGED = 0x20
"""mapChanged, an attribute of a file's map."""


class ResourceChangesManager(Manager):
    """Changes resources, in memory and in their files."""

    plumbing = True

    _memory: MemoryManager
    _resources: ResourceManager

    def __post_init__(self) -> None:
        self._next_ids: dict[str, int] = {}

    def _changeable(self, handle: int) -> ResourceEntry | None:
        """The resource of a handle, if it may be changed; else None, and ResErr is set."""
        resources = self._resources
        entry: ResourceEntry | None = resources.passed(handle)
        if entry is not None and entry.attributes & PROTECTED:
            resources.error(ResultCode.resAttrErr)
            return None
        return entry

    def _mark(self, entry: ResourceEntry) -> None:
        entry.attributes |= CHANGED
        entry.file.changed = True

    # -- information -------------------------------------------------------------------------------

    @routine(
        "PROCEDURE GetResInfo (theResource: Handle; VAR theID: INTEGER; VAR theType: ResType; "
        "VAR name: Str255)",
        skips_nil=True,
    )
    def get_res_info(self, handle: int, identifier: int, type_: int, name: int) -> None:
        """A resource's number, type and name, as far as the program has places for them.

        A Macintosh looks whether a place is nil (Apple's sources of 1994, ResourceMgr.a).
        """
        entry = self._resources.passed(handle)
        if entry is None:
            return
        for place, size, value in (
            (identifier, 2, entry.id & 0xFFFF),
            (type_, 4, int.from_bytes(entry.type.encode("mac_roman"), "big")),
        ):
            if place:
                self.guest.write(place, value.to_bytes(size, "big"))
        if name:
            self.guest.put_pascal_string(name, entry.name.encode("mac_roman"))

    @routine("PROCEDURE SetResInfo (theResource: Handle; theID: INTEGER; name: Str255)")
    def set_res_info(self, handle: int, identifier: int, name: int) -> None:
        """Change a resource's number, and its name unless an empty one or nil is given."""
        entry = self._changeable(handle)
        if entry is None:
            return
        entry.id = identifier
        text = self.guest.pascal_string(name) if name else b""
        if text:
            entry.name = text.decode("mac_roman")
        entry.file.changed = True

    @routine("FUNCTION GetResAttrs (theResource: Handle): INTEGER")
    def get_res_attrs(self, handle: int) -> int:
        """A resource's attributes."""
        entry = self._resources.passed(handle)
        return entry.attributes if entry is not None else 0

    @routine("PROCEDURE SetResAttrs (theResource: Handle; attrs: INTEGER)")
    def set_res_attrs(self, handle: int, attributes: int) -> None:
        """Change a resource's attributes; in memory they count when it is next loaded."""
        entry = self._resources.passed(handle)
        if entry is not None:
            entry.attributes = attributes & 0xFF
            entry.file.changed = True

    @routine("FUNCTION GetResourceSizeOnDisk (theResource: Handle): LONGINT")
    def size_on_disk(self, handle: int) -> int:
        """A resource's size in its file; -1 if it is none."""
        entry = self._resources.passed(handle)
        return len(entry.data) if entry is not None and self._resources.expand(entry) else -1

    @routine("FUNCTION GetMaxResourceSize (theResource: Handle): LONGINT")
    def max_size(self, handle: int) -> int:
        """The same, found without reading the file."""
        return self.size_on_disk(handle)

    @routine("FUNCTION UniqueID (theType: ResType): INTEGER")
    def unique_id(self, type_: str) -> int:
        """A number that no resource of a type has: the next one, from 128 on."""
        return self._unique(type_, {e.id for f in self._resources.files for e in f.of_type(type_)})

    @routine("FUNCTION Unique1ID (theType: ResType): INTEGER")
    def unique_1_id(self, type_: str) -> int:
        """A number that none in the current file has."""
        current = self._resources.searched(only_current=True)
        return self._unique(type_, {entry.id for file in current for entry in file.of_type(type_)})

    def _unique(self, type_: str, taken: set[int]) -> int:
        """The next number, another one at each call: Speed Disk asks until it gets a large one."""
        self._resources.error(0)
        following = self._next_ids.get(type_, _FIRST_UNIQUE_ID)
        numbers = itertools.chain(range(following, 0x8000), range(_FIRST_UNIQUE_ID, following))
        found = next((n for n in numbers if n not in taken), 0)
        self._next_ids[type_] = found + 1 if found else _FIRST_UNIQUE_ID
        return found

    # -- changing ----------------------------------------------------------------------------------

    @routine("PROCEDURE ChangedResource (theResource: Handle)")
    def changed_resource(self, handle: int) -> None:
        """Have a resource written when its file is updated."""
        entry = self._changeable(handle)
        if entry is not None:
            self._mark(entry)

    @routine(
        "PROCEDURE AddResource (theData: Handle; theType: ResType; theID: INTEGER; name: Str255)"
    )
    def add_resource(self, handle: int, type_: str, identifier: int, name: int) -> None:
        """Make a handle a resource of the current file."""
        resources, memory = self._resources, self._memory
        file = resources.file(resources.current)
        if not memory.is_handle(handle) or resources.entry_of(handle) is not None or file is None:
            resources.error(ResultCode.addResFailed)
            return
        text = self.guest.pascal_string(name).decode("mac_roman")
        entry = ResourceEntry(type_, identifier, text, CHANGED, b"", file)
        file.entries.append(entry)
        file.changed = True
        resources.attach(entry, handle)
        resources.error(0)

    @routine("PROCEDURE RemoveResource (theResource: Handle)")
    def remove_resource(self, handle: int) -> None:
        """Take a resource out of the current file; its handle stays the program's."""
        resources, memory = self._resources, self._memory
        entry = resources.passed(handle)
        if entry is None or entry.attributes & PROTECTED:
            resources.error(ResultCode.rmvResFailed)
            return
        if entry.file.reference != resources.current:
            resources.error(ResultCode.rmvResFailed)
            return
        entry.file.remove(entry)
        entry.file.changed = True
        resources.forget(handle)
        if memory.address(handle):
            memory.change_flags(handle, 0, heap.RESOURCE)

    @routine("PROCEDURE WriteResource (theResource: Handle)")
    def write_resource(self, handle: int) -> None:
        """Write a resource to its file, if it is marked as changed."""
        resources = self._resources
        entry = self._changeable(handle)
        if entry is not None and entry.attributes & CHANGED:
            error = resources.take(entry)
            resources.error(error or resources.save(entry.file))

    @routine("PROCEDURE UpdateResFile (refNum: INTEGER)")
    def update_res_file(self, reference: int) -> None:
        """Write all that is marked as changed."""
        resources = self._resources
        file = resources.file(reference)
        resources.error(ResultCode.resFNotFound if file is None else resources.update(file))

    @routine("PROCEDURE SetResPurge (install: BOOLEAN)")
    def set_res_purge(self, install: bool) -> None:
        """Whether changed resources are written before they are purged."""
        self._resources.writes_before_purge = install

    @routine("FUNCTION GetResFileAttrs (refNum: INTEGER): INTEGER")
    def get_res_file_attrs(self, reference: int) -> int:
        """The attributes of a file's map."""
        file = self._resources.file(reference)
        self._resources.error(0 if file is not None else ResultCode.resFNotFound)
        return file.attributes | _FILE_CHANGED * file.changed if file is not None else 0

    @routine("PROCEDURE SetResFileAttrs (refNum: INTEGER; attrs: INTEGER)")
    def set_res_file_attrs(self, reference: int, attributes: int) -> None:
        """Change them."""
        file = self._resources.file(reference)
        self._resources.error(0 if file is not None else ResultCode.resFNotFound)
        if file is not None:
            file.attributes = attributes & ~_FILE_CHANGED
            file.changed = bool(attributes & _FILE_CHANGED)

    # -- parts of resources ------------------------------------------------------------------------

    def _part(self, handle: int, offset: int, count: int) -> ResourceEntry | None:
        resources = self._resources
        entry: ResourceEntry | None = resources.passed(handle)
        if entry is None:
            resources.error(ResultCode.resNotFound)
        elif not resources.expand(entry):
            return None
        elif offset < 0 or count < 0 or offset > len(entry.data):
            resources.error(ResultCode.inputOutOfBounds)
            return None
        return entry

    @routine(
        "PROCEDURE ReadPartialResource (theResource: Handle; offset: LONGINT; buffer: Ptr; "
        "count: LONGINT)"
    )
    def read_partial_resource(self, handle: int, offset: int, buffer: int, count: int) -> None:
        """Read a part of a resource from its file."""
        entry = self._part(handle, offset, count)
        if entry is None:
            return
        part = entry.data[offset : offset + count]
        self.guest.write(buffer, part)
        self.host.engine.forget_code(buffer, len(part))
        if len(part) < count:
            self._resources.error(ResultCode.inputOutOfBounds)
        elif self._memory.address(handle):
            self._resources.error(ResultCode.resourceInMemory)

    @routine(
        "PROCEDURE WritePartialResource (theResource: Handle; offset: LONGINT; buffer: Ptr; "
        "count: LONGINT)"
    )
    def write_partial_resource(self, handle: int, offset: int, buffer: int, count: int) -> None:
        """Write a part of a resource to its file, beyond its end too."""
        entry = self._part(handle, offset, count)
        if entry is None:
            return
        before = len(entry.data)
        if not self._resources.has_room(entry, max(before, offset + count)):
            self._resources.error(ResultCode.dskFulErr)
            return
        data = self.guest.read(buffer, count)
        entry.file.store(entry, entry.data[:offset] + data + entry.data[offset + count :])
        error = self._resources.save(entry.file)
        if not error and offset + count > before:
            error = ResultCode.writingPastEnd
        elif not error and self._memory.address(handle):
            error = ResultCode.resourceInMemory
        self._resources.error(error)

    @routine("PROCEDURE SetResourceSize (theResource: Handle; newSize: LONGINT)")
    def set_resource_size(self, handle: int, size: int) -> None:
        """Change a resource's size in its file."""
        entry = self._part(handle, 0, size)
        if entry is None:
            return
        if size > _LARGEST:
            self._resources.error(ResultCode.inputOutOfBounds)
            return
        if not self._resources.has_room(entry, size):
            self._resources.error(ResultCode.dskFulErr)
            return
        entry.file.store(entry, entry.data[:size].ljust(size, b"\0"))
        error = self._resources.save(entry.file)
        if not error and self._memory.address(handle):
            error = ResultCode.resourceInMemory
        self._resources.error(error)
