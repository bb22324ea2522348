"""Names files of the Macintosh world that macproof does not unpack, and what opens them."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from emu.base.errors import ProgramError

_HEAD = 8192
_UNPACK = "Unpack it on a Mac, or with unar -k hidden FILE, and name what comes out"
_CONVERT = "Make a plain image of the disk of it, as hdiutil convert FILE -format UDTO does"
_DISK_COPY_HEADER, _DISK_COPY_MAGIC = 84, b"\1\0"
_COMPACT_PRO_FILE = 45  # bytes of a file's entry after its name


@dataclass(frozen=True, slots=True)
class UnreadFormat:
    """A format that macproof does not read.

    Attributes:
        name: what the file is, with an article ("a StuffIt archive").
        remedy: what the reader can do about it, as a sentence.
    """

    name: str
    remedy: str

    def error(self, path: Path) -> ProgramError:
        """The error for a file of this format where one was wanted that can be read."""
        return ProgramError(path, f"it is {self.name}, which is not read", remedy=self.remedy)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Bytes that a file of a format has at an offset; a negative one counts from the end."""

    offset: int
    bytes: bytes
    name: str
    remedy: str = _UNPACK + "."


_STUFFIT, _NEWER_STUFFIT = "a StuffIt archive", "a StuffIt X archive"
_MARKS = (
    _Mark(10, b"rLau", _STUFFIT),
    _Mark(0, b"StuffIt (c)", "a StuffIt 5 archive"),
    _Mark(0, b"StuffIt!", _NEWER_STUFFIT),
    _Mark(0, b"StuffIt?", _NEWER_STUFFIT),
    _Mark(0, b"PMag", "a PackIt archive"),
    _Mark(0, b"PMa4", "a PackIt archive"),
    _Mark(0, b"PK\3\4", "a zip archive"),
    _Mark(0, b"\x1f\x8b", "a file compressed with gzip"),
    _Mark(-512, b"koly", "a compressed disk image of Mac OS X (UDIF, .dmg)", _CONVERT + "."),
    _Mark(0, b"encrcdsa", "an encrypted disk image of Mac OS X", _CONVERT + "."),
    _Mark(
        0,
        b"\0" + 10 * b"\xff" + b"\0",
        "a raw copy of a compact disc, with 2352 bytes a sector",
        "Make an image of 2048 bytes a sector of it, as bchunk does.",
    ),
    _Mark(
        32769,
        b"CD001",
        "an ISO 9660 disc without a partition of HFS",
        "Copy the program from it to a MacBinary file.",
    ),
)
_BIN_HEX = b"(This file must be converted with BinHex"


def unread_format(image: BinaryIO) -> UnreadFormat | None:
    """The format of a file, if it is one that is known and not read.

    Args:
        image: the file. An archive may be much larger than memory; only some blocks are read.
    """
    size = image.seek(0, os.SEEK_END)
    head = _at(image, 0, _HEAD)
    for mark in _MARKS:
        place = mark.offset if mark.offset >= 0 else size + mark.offset
        if place >= 0 and _at(image, place, len(mark.bytes)) == mark.bytes:
            return UnreadFormat(mark.name, mark.remedy)
    if _BIN_HEX in head:
        return UnreadFormat("a BinHex file", _UNPACK + ".")
    if _is_disk_copy(head, size):
        return UnreadFormat(
            "a Disk Copy 4.2 image of a disk that is neither HFS nor MFS",
            "Its file system may be that of ProDOS or MS-DOS, or of a Lisa; copy the program to "
            "a MacBinary file.",
        )
    if _is_compact_pro(image, head, size):
        return UnreadFormat("a Compact Pro archive", _UNPACK + ".")
    return None


def compressed_disk_image() -> UnreadFormat:
    """What an image of Disk Copy 6 is; only a resource 'bcem' tells it, not its data."""
    return UnreadFormat("a compressed disk image of Disk Copy 6 (NDIF)", _CONVERT + ".")


def _at(image: BinaryIO, place: int, size: int) -> bytes:
    image.seek(place)
    return image.read(size)


def _is_disk_copy(head: bytes, size: int) -> bool:
    """Whether a file begins with the header of Disk Copy 4.2, whose two sizes fill the file."""
    if head[82:_DISK_COPY_HEADER] != _DISK_COPY_MAGIC or not 1 <= head[0] <= 63:
        return False
    data, tags = struct.unpack_from(">2L", head, 64)
    return data > 0 and bool(_DISK_COPY_HEADER + data + tags == size)


def _is_compact_pro(image: BinaryIO, head: bytes, size: int) -> bool:
    """Whether a file has Compact Pro's directory: it has no mark, so all entries must be plausible.

    The directory has a checksum, the count of its entries and a comment; an entry is the length of
    a name, whose bit 7 marks a folder, the name, and for a folder the count of what is in it.
    """
    if len(head) < 8 or head[:2] != b"\1\1":
        return False
    (start,) = struct.unpack_from(">L", head, 4)
    directory = _at(image, start, _HEAD) if 8 <= start < size else b""
    if len(directory) < 8:
        return False
    (count,) = struct.unpack_from(">H", directory, 4)
    place = 7 + directory[6]
    for _ in range(count):
        if place >= len(directory):
            return len(directory) == _HEAD
        length = directory[place] & 0x7F
        if not 1 <= length <= 63:
            return False
        place += 1 + length + (2 if directory[place] & 0x80 else _COMPACT_PRO_FILE)
    return count > 0 and (place <= len(directory) or len(directory) == _HEAD)
