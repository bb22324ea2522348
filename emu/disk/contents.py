"""The files that go on a disk: their kinds, their names, and the places of their icons.

The icons lie in a grid. FInfo, the Finder's record about a file, has 16 bytes: type, creator,
flags, the icon's place as a Point (vertical coordinate first) and the folder that contains the file
(Inside Macintosh: Macintosh Toolbox Essentials, chapter 7).
"""

from __future__ import annotations

import datetime
import math
import struct
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.program.mac_file.mac_file import MacFile

LONGEST_NAME = 31
"""Bytes in the name of a file on an HFS volume (Inside Macintosh: Files, chapter 2)."""

DATE = (datetime.date(1994, 1, 1) - datetime.date(1904, 1, 1)).days * 24 * 60 * 60
"""The date of every file and volume, in seconds since 1904; fixed, so disks are reproducible."""

APPLICATION, UNKNOWN = "APPL", "????"

_REMEDY = "Give it another one: FILE=NAME"
_FINDERS_OWN = ("desktop", "desktop db", "desktop df")
_ON_DESK, _INITED = 0x0001, 0x0100
_LEFT, _TOP = 32, 16
_ACROSS, _DOWN = (
    112,
    64,
)  # pixels between icons; a name of 31 characters then just touches its neighbour's
_COLUMNS = 4  # columns fit into a window on a screen of 512 pixels


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file for a disk.

    Attributes:
        name: its name on the Mac.
        type: its type, four characters of MacRoman.
        creator: its creator, four characters of MacRoman.
        flags: its Finder flags, 16 bits.
        data: the data fork.
        resource_fork: the resource fork.
        processors: the processors that it is a program for, "68K" or "PowerPC" or both; empty for a
            document.
        source: the file that it was read from, for messages.
    """

    name: str
    type: str
    creator: str
    flags: int
    data: bytes
    resource_fork: bytes
    processors: tuple[str, ...] = ()
    source: str = ""

    @property
    def raw_name(self) -> bytes:
        """The name in MacRoman."""
        return self.name.encode("mac_roman")

    @property
    def placed_flags(self) -> int:
        """Its Finder flags, with the one that says that its icon has been given a place."""
        return self.flags & ~_ON_DESK | _INITED


@dataclass(frozen=True, slots=True)
class IconPosition:
    """The upper left corner of an icon in its window, in pixels."""

    vertical: int
    horizontal: int


def file_from(program: MacFile, name: str = "") -> DiskFile:
    """Make a file for a disk from a Mac file.

    Args:
        program: the file.
        name: a name to use instead of its own.

    Raises:
        UsageError: a Mac disk cannot hold the name, or the type or creator is not MacRoman.
    """
    resources = program.resources
    processors = []
    if any(resource.type == "CODE" for resource in resources.resources):
        processors.append("68K")
    if ("cfrg", 0) in resources:
        processors.append("PowerPC")
    return DiskFile(
        name=checked_name(name or program.name, str(program.path)),
        type=_code(program.type, str(program.path)),
        creator=_code(program.creator, str(program.path)),
        flags=program.flags,
        data=program.data,
        resource_fork=program.resource_fork,
        processors=tuple(processors),
        source=str(program.path),
    )


def checked_name(name: str, source: str = "") -> str:
    """Check a name for a Mac disk. Letters and accents that the host stores apart are joined again.

    Raises:
        UsageError: it is empty, too long, has a colon or a zero byte, begins with a period, or has
            characters outside MacRoman, or is the Finder's own.
    """
    what = f"{source}: " if source else ""
    composed = unicodedata.normalize("NFC", name)
    try:
        raw = composed.encode("mac_roman")
    except UnicodeEncodeError as error:
        wrong = composed[error.start : error.end]
        problem = f"has {wrong!r}, which is outside MacRoman"
        raise UsageError(f"{what}the name {name!r} {problem}. {_REMEDY}") from error
    if not raw:
        problem = "is empty"
    elif len(raw) > LONGEST_NAME:
        problem = f"has {len(raw)} characters, but a Mac disk allows only {LONGEST_NAME}"
    elif b":" in raw:
        problem = "has a colon, which separates folders on a Mac"
    elif b"\0" in raw:
        problem = "has a zero byte"
    elif raw.startswith(b"."):
        problem = "begins with a period: a Mac would take it for the name of a driver"
    elif composed.lower() in _FINDERS_OWN:
        problem = "is the name of a file that the Finder makes on every disk"
    else:
        return composed
    raise UsageError(f"{what}the name {name!r} {problem}. {_REMEDY}")


def check_distinct(files: Sequence[DiskFile]) -> None:
    """Refuse two files whose names are the same to a Mac, which ignores case.

    Raises:
        UsageError: two names are the same.
    """
    seen: dict[str, DiskFile] = {}
    for file in files:
        # The File Manager's comparison (RelString) treats a non-breaking space as a space.
        key = file.name.replace("\xa0", " ").lower()
        if key in seen:
            first, second = (
                disk_file.source or "macproof's own" for disk_file in (seen[key], file)
            )
            raise UsageError(
                f"two files would be called {file.name!r} on the disk: {first} and {second}. "
                f"{_REMEDY}"
            )
        seen[key] = file


def places(count: int) -> list[IconPosition]:
    """Places for a number of icons: a grid that is filled row by row.

    With very many icons the grid gets wider than a window, so that its rows stay within 16-bit
    coordinates.
    """
    columns = max(_COLUMNS, math.isqrt(count))
    return [
        IconPosition(_TOP + _DOWN * (index // columns), _LEFT + _ACROSS * (index % columns))
        for index in range(count)
    ]


def finder_info(file: DiskFile, place: IconPosition) -> bytes:
    """The 16 bytes of an FInfo record."""
    return struct.pack(
        ">4s4sHhhH",
        file.type.encode("mac_roman"),
        file.creator.encode("mac_roman"),
        file.placed_flags,
        place.vertical,
        place.horizontal,
        0,
    )


def _code(code: str, source: str) -> str:
    try:
        if len(code.encode("mac_roman")) == 4:
            return code
    except UnicodeEncodeError:
        pass
    raise UsageError(f"{source}: {code!r} is no type or creator of four characters")
