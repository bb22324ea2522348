"""The Resource Manager's routines that get a resource by its type and its ID or its name.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 1.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.map import ResourceEntry


class ResourceSearches(Manager):
    """Resources of all searched files, or of the current one alone."""

    title = "Resource Manager"
    plumbing = True

    _resources: ResourceManager

    @routine("FUNCTION GetResource (theType: ResType; theID: INTEGER): Handle")
    def get_resource(self, type_: str, identifier: int) -> int:
        """A resource by its number."""
        return self._give(type_, self._resources.find(type_, identifier))

    @routine("FUNCTION Get1Resource (theType: ResType; theID: INTEGER): Handle")
    def get_1_resource(self, type_: str, identifier: int) -> int:
        """A resource of the current file by its number."""
        found = self._resources.find(type_, identifier, only_current=True)
        return self._give(type_, found, only_current=True)

    @routine("FUNCTION RGetResource (theType: ResType; theID: INTEGER): Handle")
    def r_get_resource(self, type_: str, identifier: int) -> int:
        """A resource by its number; in ROM there are none."""
        return self._give(type_, self._resources.find(type_, identifier))

    @routine("FUNCTION GetNamedResource (theType: ResType; name: Str255): Handle")
    def get_named_resource(self, type_: str, name: int) -> int:
        """A resource by its name."""
        return self._give(type_, self._named(type_, name, only_current=False))

    @routine("FUNCTION Get1NamedResource (theType: ResType; name: Str255): Handle")
    def get_1_named_resource(self, type_: str, name: int) -> int:
        """A resource of the current file by its name."""
        found = self._named(type_, name, only_current=True)
        return self._give(type_, found, only_current=True)

    def _give(self, type_: str, entry: ResourceEntry | None, *, only_current: bool = False) -> int:
        """The handle of what was found.

        If there is no resource of its type at all, it is nil, and ResErr says that nothing is wrong
        (More Macintosh Toolbox, chapter 1).
        """
        handle = self._resources.give(entry)
        files = self._resources.searched(only_current=only_current)
        if entry is None and not any(next(file.of_type(type_), None) for file in files):
            self._resources.error(0)
        return handle

    def _named(self, type_: str, address: int, *, only_current: bool) -> ResourceEntry | None:
        name = self.guest.pascal_string(address).decode("mac_roman")
        for file in self._resources.searched(only_current=only_current):
            entry = file.named(type_, name)
            if entry is not None:
                return entry
        return None
