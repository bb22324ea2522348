"""A volume in a disk image, whatever its file system: its files, found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.mac_file.forks import Forks

SECTOR = 512
MASTER_BLOCK = 1024
"""Where the block that describes a volume lies in it, whether it is HFS or MFS."""

_TITLE, _LONGEST_TITLE = 36, 27

APPLICATION = "APPL"

_NAMES_IN_MESSAGE = 10
_INVISIBLE = 0x4000  # a Finder flag; the Finder's own files have it


@dataclass(frozen=True, slots=True)
class ImageFile:
    """An entry of a volume's catalogue.

    Attributes:
        path: the names from the volume's root folder to the file itself.
        type: the file's type, decoded from MacRoman.
        creator: its creator, likewise.
        flags: its Finder flags.
        created: when it was made, in seconds since 1904.
        modified: when it was last changed, likewise.
        read_forks: a function that reads its data fork and its resource fork.
        volume: the name of its volume, MacRoman, where the image has several; else b"".
    """

    path: tuple[str, ...]
    type: str
    creator: str
    flags: int
    created: int
    modified: int
    read_forks: Callable[[], tuple[bytes, bytes]] = field(repr=False, compare=False)
    volume: bytes = b""

    @property
    def name(self) -> str:
        """Folders and name as a Mac writes them, without the volume's name."""
        return ":".join(self.path)


def volume_title(master: bytes) -> bytes:
    """The volume's name in the block that describes it; b"" if that holds none."""
    size = master[_TITLE]
    title = master[_TITLE + 1 : _TITLE + 1 + size]
    return title if size <= _LONGEST_TITLE and b":" not in title else b""


@dataclass(frozen=True, slots=True)
class ImageVolume:
    """A volume whose catalogue has been read.

    Attributes:
        path: the image.
        system: its file system, "HFS" or "MFS".
        files: all files, in the order of the catalogue.
        title: its own name, MacRoman; b"" if it has none, and for several volumes.
        unread: for each volume of the same disk that could not be read, where it is and why.
    """

    path: Path
    system: str
    files: tuple[ImageFile, ...]
    title: bytes = b""
    unread: tuple[str, ...] = ()

    def find(self, inside: str) -> ImageFile:
        """The file of that name.

        Args:
            inside: the folders and the name with colons between them, case ignored as on a Mac;
                "" for the only application on the volume.

        Raises:
            ProgramError: there is none, or more than one.
        """
        if inside:
            wanted = tuple(part.lower() for part in inside.strip(":").split(":"))
            files = [file for file in self.files if tuple(p.lower() for p in file.path) == wanted]
            missing = f"there is no file {inside!r} in the image"
        else:
            files = [file for file in self.files if file.type == APPLICATION]
            missing = "there is no application in the image"
        if len(files) == 1:
            return files[0]
        choice = files or [file for file in self.files if not file.flags & _INVISIBLE]
        names = ", ".join(repr(image_file.name) for image_file in choice[:_NAMES_IN_MESSAGE])
        more = f" and {len(choice) - _NAMES_IN_MESSAGE} more" * (len(choice) > _NAMES_IN_MESSAGE)
        remedy = f"Name one after a colon: it has {names}{more}." if choice else "It is empty."
        raise ProgramError(
            self.path,
            f"there are {len(files)} such files in the image" if files else missing,
            remedy="; ".join([remedy, *(f"not read: {problem}" for problem in self.unread)]),
        )

    def read(self, file: ImageFile) -> Forks:
        """Both forks of a file.

        Raises:
            ProgramError: its blocks leave the volume or overlap, or a fork exceeds 64 MiB.
        """
        data, resource_fork = file.read_forks()
        return Forks(
            name=file.path[-1],
            type=file.type,
            creator=file.creator,
            flags=file.flags,
            data=data,
            resource_fork=resource_fork,
            container=f"{self.system} image",
            created=file.created,
            modified=file.modified,
        )
