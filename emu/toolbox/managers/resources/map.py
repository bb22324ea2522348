"""The resource maps of open files: their resources, and which of them are in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from emu.program.mac_file.expansion import expand, is_compressed
from emu.program.mac_file.resource_fork import (
    COMPRESSED,
    Resource,
    ResourceFork,
    make_resource_fork,
)

PURGEABLE, LOCKED, PROTECTED, PRELOAD, CHANGED = 0x20, 0x10, 0x08, 0x04, 0x02
"""Resource attributes (Inside Macintosh: More Macintosh Toolbox, p. 1-17)."""


@dataclass(slots=True, eq=False)
class ResourceEntry:
    """A resource in an open file.

    Attributes:
        type: four characters.
        id: its number.
        name: its name, decoded from MacRoman; "" for none.
        attributes: the attribute byte.
        data: its contents in the file; changed by `OpenResources.store`.
        file: the file it is in.
        handle: the handle of its contents in memory, which may have been purged; 0 if there is
            none.
    """

    type: str
    id: int
    name: str
    attributes: int
    data: bytes
    file: OpenResources
    handle: int = 0

    def __str__(self) -> str:
        return f"'{self.type}' {self.id}"

    @property
    def resource(self) -> Resource:
        """It as it is written to a file."""
        return Resource(self.type, self.id, self.name, self.attributes & ~CHANGED, self.data)


@dataclass(slots=True, eq=False)
class OpenResources:
    """A resource file that is open.

    Attributes:
        reference: its reference number.
        name: for messages.
        save: the function that stores the changed fork; None if the file cannot be written.
        close: the function to call when the file is closed.
        attributes: the attributes of the file's map.
        entries: the resources, in the order of the map.
        size: the bytes of all contents together.
        changed: whether the map differs from the file.
    """

    reference: int
    name: str
    save: Callable[[bytes], None] | None = None
    close: Callable[[], None] | None = None
    attributes: int = 0
    entries: list[ResourceEntry] = field(default_factory=list)
    changed: bool = False
    size: int = 0

    def fill(self, fork: ResourceFork) -> None:
        """Fill the map with the resources of a file."""
        self.entries = [
            ResourceEntry(
                resource.type,
                resource.id,
                resource.name,
                resource.attributes & ~CHANGED,
                resource.data,
                self,
            )
            for resource in fork.resources
        ]
        self.size = sum(len(entry.data) for entry in self.entries)

    def store(self, entry: ResourceEntry, data: bytes) -> None:
        """Change the contents of a resource."""
        self.size += len(data) - len(entry.data)
        entry.data = data

    def expand(self, entry: ResourceEntry) -> None:
        """Put the expanded contents of a compressed resource in the place of the compressed ones.

        Raises:
            ExpansionError: they cannot be expanded.
        """
        if entry.attributes & COMPRESSED:
            if is_compressed(entry.data):
                self.store(entry, expand(entry.data))
            entry.attributes &= ~COMPRESSED

    def remove(self, entry: ResourceEntry) -> None:
        """Remove a resource."""
        self.size -= len(entry.data)
        self.entries.remove(entry)

    def find(self, type_: str, identifier: int) -> ResourceEntry | None:
        """The first resource of that type and number."""
        for entry in self.entries:
            if entry.id == identifier and entry.type == type_:
                return entry
        return None

    def named(self, type_: str, name: str) -> ResourceEntry | None:
        """The first resource of that type and name, ignoring case."""
        wanted = name.lower()
        for entry in self.entries:
            if entry.type == type_ and entry.name and entry.name.lower() == wanted:
                return entry
        return None

    def of_type(self, type_: str) -> Iterator[ResourceEntry]:
        """All resources of a type."""
        return (entry for entry in self.entries if entry.type == type_)

    def fork(self) -> bytes:
        """Make the resource fork that the map describes."""
        return make_resource_fork(entry.resource for entry in self.entries)
