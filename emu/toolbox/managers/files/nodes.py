"""What a volume holds: folders, and files with two forks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from emu.toolbox.managers.files.host_folder import NO_FINDER_INFO, StoredFile


@dataclass(slots=True, eq=False)
class Node:
    """The common part of a file and a folder.

    Attributes:
        id: its number, which is never used again.
        name: MacRoman.
        host_name: its name on the host.
        parent: the folder it is in; None for the root.
        created: seconds since 1904.
        modified: seconds since 1904.
        finder: the Finder's 32 bytes about it: FInfo and FXInfo, or DInfo and DXInfo.
        locked: whether it may not be changed.
    """

    id: int
    name: bytes
    host_name: str
    parent: Folder | None
    created: int
    modified: int
    finder: bytes = NO_FINDER_INFO
    locked: bool = False

    @property
    def path(self) -> str:
        """Its path on the volume, with colons and without the volume's name, for messages."""
        # A loop, not recursion: a program can nest folders deeper than Python allows calls.
        names, folder = [self.name], self.parent
        while folder is not None and folder.parent is not None:
            names.append(folder.name)
            folder = folder.parent
        return b":".join(reversed(names)).decode("mac_roman")


@dataclass(slots=True, eq=False)
class Folder(Node):
    """A folder; the keys of its children are their names as `folded` returns them."""

    children: dict[str, Node] = field(default_factory=dict)

    def sorted(self) -> list[Node]:
        """Its contents ordered by name, as the File Manager numbers them."""
        return [self.children[key] for key in sorted(self.children)]


@dataclass(slots=True, eq=False)
class File(Node):
    """A file.

    Attributes:
        data: its data fork; `Volume.load` reads it.
        resources: its resource fork, likewise.
        loaded: whether both have been read.
        size: the bytes of both forks when they were last counted.
        changed: whether it differs from what the host has.
        written: whether the program made or changed it.
        stored: whether it is stored on the host.
        source: the function that reads its contents, if they do not come from the host.
    """

    data: bytearray = field(default_factory=bytearray)
    resources: bytearray = field(default_factory=bytearray)
    loaded: bool = True
    size: int = 0
    changed: bool = False
    written: bool = False
    stored: bool = True
    source: Callable[[], StoredFile] | None = None


def folded(name: bytes) -> str:
    """A name in the form that the volume compares: without upper case, but with accents."""
    return "".join(
        upper if len(upper := letter.upper()) == 1 else letter
        for letter in name.decode("mac_roman")
    )


def host_parts(node: Node) -> tuple[str, ...]:
    """The names of the folders that lead to it on the host, and its own."""
    names: list[str] = []
    place: Node | None = node
    while place is not None and place.parent is not None:
        names.append(place.host_name)
        place = place.parent
    return tuple(reversed(names))


def levels(folder: Folder) -> int:
    """How deep folders are nested in a folder; the folder itself counts as one level."""
    count, row = 0, [folder]
    while row:
        count += 1
        row = [c for parent in row for c in parent.children.values() if isinstance(c, Folder)]
    return count
