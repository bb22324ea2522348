"""Writes an image of an HFS volume: the bytes of a disk, for an emulator or a real floppy.

The library machfs lays out the volume, with fixed dates, without boot blocks and without a desktop
database (the Finder makes one when it first sees the disk). Then `emu.disk.tree_room` enlarges the
volume's B-trees, so that a Mac can add files.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import machfs
from machfs.main import OutOfSpaceError

from emu.base.errors import UsageError
from emu.base.files import open_file
from emu.disk.contents import DATE, DiskFile, check_distinct, checked_name, places
from emu.disk.tree_room import with_tree_room

SIZES = tuple(
    kilobytes << 10 for kilobytes in (800, 1440, *(m << 10 for m in (5, 10, 20, 50, 100, 200)))
)
"""The sizes in bytes that are tried in turn if none is given: two floppy sizes, then hard disks."""

SMALLEST, LARGEST = 400 << 10, 256 << 20

_LONGEST_VOLUME_NAME = 27
_SECTOR = 512
_ROOM_LEFT = 48 << 10  # bytes that stay free for the Finder's desktop file and for results
_MASTER_BLOCK = 1024
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}


@dataclass(frozen=True, slots=True)
class Image:
    """A disk image.

    Attributes:
        contents: its bytes.
        name: the volume's name.
        free: how many bytes are free.
        files: the files on it.
    """

    contents: bytes
    name: str
    free: int
    files: tuple[DiskFile, ...]


def parse_size(text: str) -> int:
    """Read a size such as "800K" or "10M", or a number of bytes.

    Raises:
        UsageError: it is not a size, not a multiple of 512, or not between 400K and 256M.
    """
    match = re.fullmatch(r"(\d{1,12})([KM]?)", text.strip().upper().removesuffix("B"))
    size = int(match[1]) * _UNITS[match[2]] if match else 0
    if not match or size % _SECTOR or not SMALLEST <= size <= LARGEST:
        raise UsageError(
            f"{text} is no size for a disk: it is from 400K to 256M, "
            "as 800K, 1440K, 10M or a number of bytes that 512 divides"
        )
    return size


def make_image(files: Sequence[DiskFile], size: int | None = None, name: str = "macproof") -> Image:
    """Make a volume with files in its root folder; the same arguments always give the same bytes.

    Args:
        files: the files, in the order of their icons.
        size: its size in bytes; None for the smallest of `SIZES` that leaves some room free.
        name: the volume's name.

    Raises:
        UsageError: the files do not fit, two have the same name, or a name is wrong.
    """
    check_distinct(files)
    if len(checked_name(name).encode("mac_roman")) > _LONGEST_VOLUME_NAME:
        raise UsageError(f"the volume name {name!r} has more than {_LONGEST_VOLUME_NAME} letters")
    if size is not None and (size % _SECTOR or not SMALLEST <= size <= LARGEST):
        raise UsageError(f"{size:,} bytes are no size for a disk")
    total = sum(len(file.data) + len(file.resource_fork) for file in files)
    for candidate in SIZES if size is None else (size,):
        if total > candidate:
            continue
        image = _try(files, candidate, name)
        if image is not None and (size is not None or image.free >= _ROOM_LEFT):
            return image
    raise UsageError(_too_large(files, total, size, name))


def is_untouched(path: Path) -> bool:
    """Whether a file is an image that no Mac has changed: a Mac changes the volume's date."""
    try:
        with open_file(path) as file:
            block = file.read(_MASTER_BLOCK + 10)[_MASTER_BLOCK:]
    except OSError:
        return False
    return block == struct.pack(">2sLL", b"BD", DATE, DATE)


def _try(files: Sequence[DiskFile], size: int, name: str) -> Image | None:
    volume = machfs.Volume()
    volume.name = name
    volume.crdate = volume.mddate = DATE
    for file, place in zip(files, places(len(files)), strict=True):
        entry = machfs.File()
        entry.type, entry.creator = file.type.encode("mac_roman"), file.creator.encode("mac_roman")
        entry.flags = file.placed_flags
        # machfs swaps the coordinates of a Point: its field x holds the vertical one, which comes
        # first.
        entry.x, entry.y = place.vertical, place.horizontal
        entry.crdate = entry.mddate = DATE
        entry.data, entry.rsrc = file.data, file.resource_fork
        volume[file.raw_name] = entry
    try:
        small = volume.write(size=size, desktopdb=False, bootable=False)
    except OutOfSpaceError:
        return None
    contents = with_tree_room(small)
    if contents is None:
        return None
    block_size, free = (
        struct.unpack_from(form, contents, _MASTER_BLOCK + offset)[0]
        for form, offset in ((">L", 20), (">H", 34))
    )
    return Image(contents, name, block_size * free, tuple(files))


def _too_large(files: Sequence[DiskFile], total: int, size: int | None, name: str) -> str:
    kilobytes = -(-total // 1024)
    if size is None:
        return f"{len(files)} files with {kilobytes:,}K do not fit on a disk of {LARGEST >> 20}M"
    fitting = (
        candidate
        for candidate in SIZES
        if candidate > size and total <= candidate and _try(files, candidate, name)
    )
    larger = next(fitting, None)
    remedy = f"Give --size {shown_size(larger)}" if larger else "Leave some out"
    return (
        f"{len(files)} files with {kilobytes:,}K do not fit on a disk of {shown_size(size)}. "
        f"{remedy}"
    )


def shown_size(size: int) -> str:
    """A size in a short form, such as "800K"."""
    for unit in ("M", "K"):
        # 1440K stays 1440K: nobody knows that floppy as 1.4M.
        if size % _UNITS[unit] == 0 and size >= 2 * _UNITS[unit]:
            return f"{size // _UNITS[unit]}{unit}"
    return f"{size} bytes"
