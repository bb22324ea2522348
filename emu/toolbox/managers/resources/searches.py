"""The Resource Manager's routines that find resources by ID, name or position, and count them.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.map import OpenResources, ResourceEntry
from emu.toolbox.records.results import ResultCode
from emu.toolbox.system_file.color_tables import rom_resources

_ROM_FILE = 1
"""What HomeResFile says of a resource in ROM (More Macintosh Toolbox, chapter 1)."""

_Item = TypeVar("_Item")


class ResourceSearches(Manager):
    """Resources of all searched files, or of the current one alone."""

    plumbing = True

    _resources: ResourceManager

    def __post_init__(self) -> None:
        self._rom = OpenResources(_ROM_FILE, "ROM")

    @routine("FUNCTION GetResource (theType: ResType; theID: INTEGER): Handle")
    def get_resource(self, type_: str, identifier: int) -> int:
        """A resource by its number."""
        return self._give(type_, self._resources.find(type_, identifier))

    @routine("FUNCTION Get1Resource (theType: ResType; theID: INTEGER): Handle")
    def get_1_resource(self, type_: str, identifier: int) -> int:
        """A resource of the current file by its number."""
        entry = self._resources.find(type_, identifier, only_current=True)
        return self._give(type_, entry, only_current=True)

    @routine("FUNCTION RGetResource (theType: ResType; theID: INTEGER): Handle")
    def r_get_resource(self, type_: str, identifier: int) -> int:
        """A resource by its number, of the open files or else of the ROM.

        Word 5.1 asks for 'clut' 4, which files do not have.
        """
        entry = self._resources.find(type_, identifier)
        if entry is None and self.host.has_color:
            if not self._rom.entries:
                self._rom.fill(rom_resources())
            entry = self._rom.find(type_, identifier)
        return self._give(type_, entry)

    @routine("FUNCTION GetNamedResource (theType: ResType; name: Str255): Handle")
    def get_named_resource(self, type_: str, name: int) -> int:
        """A resource by its name.

        Where there is none of the type, More Macintosh Toolbox says noErr of this routine, too. But
        NetHack 3.1.3 looks so for a file that is a resource, and starts only after resNotFound.
        """
        return self._resources.give(self._named(type_, name, only_current=False))

    @routine("FUNCTION Get1NamedResource (theType: ResType; name: Str255): Handle")
    def get_1_named_resource(self, type_: str, name: int) -> int:
        """A resource of the current file by its name."""
        return self._resources.give(self._named(type_, name, only_current=True))

    def _give(self, type_: str, entry: ResourceEntry | None, *, only_current: bool = False) -> int:
        """The handle of what was found."""
        handle = self._resources.give(entry)
        if entry is None:
            self._resources.missed(type_, only_current=only_current)
        return handle

    def _named(self, type_: str, address: int, *, only_current: bool) -> ResourceEntry | None:
        name = self.guest.pascal_string(address).decode("mac_roman")
        return self._resources.find_named(type_, name, only_current=only_current)


class ResourceListing(Manager):
    """The resources of the open files, in order."""

    plumbing = True

    _resources: ResourceManager

    @routine("FUNCTION GetIndResource (theType: ResType; index: INTEGER): Handle")
    def get_ind_resource(self, type_: str, index: int) -> int:
        """One of all resources of a type, counted from 1."""
        return self._resources.give(_pick(self._all(type_, only_current=False), index))

    @routine("FUNCTION Get1IndResource (theType: ResType; index: INTEGER): Handle")
    def get_1_ind_resource(self, type_: str, index: int) -> int:
        """One of the current file's resources of a type, counted from 1."""
        return self._resources.give(_pick(self._all(type_, only_current=True), index))

    def _files(self, *, only_current: bool) -> Iterable[OpenResources]:
        # The indexed routines look at all open files, wherever searches begin.
        resources = self._resources
        return resources.searched(only_current=True) if only_current else resources.files

    def _all(self, type_: str, *, only_current: bool) -> list[ResourceEntry]:
        files = self._files(only_current=only_current)
        return [entry for file in files for entry in file.of_type(type_)]

    def _types(self, *, only_current: bool) -> list[str]:
        files = self._files(only_current=only_current)
        return list(dict.fromkeys(entry.type for file in files for entry in file.entries))

    @routine("FUNCTION CountResources (theType: ResType): INTEGER")
    def count_resources(self, type_: str) -> int:
        """How many resources of a type there are."""
        self._resources.error(0)
        return len(self._all(type_, only_current=False))

    @routine("FUNCTION Count1Resources (theType: ResType): INTEGER")
    def count_1_resources(self, type_: str) -> int:
        """How many the current file has."""
        self._resources.error(0)
        return len(self._all(type_, only_current=True))

    @routine("FUNCTION CountTypes: INTEGER")
    def count_types(self) -> int:
        """How many types there are."""
        self._resources.error(0)
        return len(self._types(only_current=False))

    @routine("FUNCTION Count1Types: INTEGER")
    def count_1_types(self) -> int:
        """How many the current file has."""
        self._resources.error(0)
        return len(self._types(only_current=True))

    @routine("PROCEDURE GetIndType (VAR theType: ResType; index: INTEGER)")
    def get_ind_type(self, variable: int, index: int) -> None:
        """One of all types, counted from 1; four zero bytes if there is none."""
        self._put_type(variable, _pick(self._types(only_current=False), index))

    @routine("PROCEDURE Get1IndType (VAR theType: ResType; index: INTEGER)")
    def get_1_ind_type(self, variable: int, index: int) -> None:
        """One of the current file's types."""
        self._put_type(variable, _pick(self._types(only_current=True), index))

    def _put_type(self, variable: int, type_: str | None) -> None:
        self._resources.error(0 if type_ else ResultCode.resNotFound)
        self.guest.write(variable, (type_ or "\0\0\0\0").encode("mac_roman"))


def _pick(items: list[_Item], index: int) -> _Item | None:
    return items[index - 1] if 1 <= index <= len(items) else None
