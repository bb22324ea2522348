"""Tells whether a file is an image of a disk, and opens the volumes on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from emu.base.errors import ProgramError
from emu.program.mac_file.hfs_image import open_hfs_volume
from emu.program.mac_file.mfs_image import open_mfs_volume
from emu.program.mac_file.partition_map import find_partitions
from emu.program.mac_file.volume_image import MASTER_BLOCK, ImageVolume

_DISK_COPY_HEADER = 84
_DISK_COPY_MAGIC = b"\1\0"
_HFS, _HFS_PLUS, _MFS = b"BD", b"H+", b"\xd2\xd7"
_WRAPPED = slice(MASTER_BLOCK + 124, MASTER_BLOCK + 126)
"""Where a volume of HFS that is only a wrapper around HFS Plus says so."""


def find_volumes(image: BinaryIO, start: int = 0) -> tuple[int, ...]:
    """Where in a file volumes begin.

    That is where the disk begins; or 84 bytes behind, after the header of Disk Copy 4.2; or, for a
    disk with a partition map, where its partitions of HFS and MFS do.

    Args:
        image: the file.
        start: where in it a disk would begin.

    Returns:
        The offsets; nothing for a file that is no image of a Macintosh disk.
    """
    image.seek(start)
    head = image.read(_DISK_COPY_HEADER + MASTER_BLOCK + 2)
    if head[MASTER_BLOCK : MASTER_BLOCK + 2] in (_HFS, _HFS_PLUS, _MFS):
        return (start,)
    has_header = head[_DISK_COPY_HEADER - 2 : _DISK_COPY_HEADER] == _DISK_COPY_MAGIC
    if has_header and head[_DISK_COPY_HEADER + MASTER_BLOCK :] in (_HFS, _HFS_PLUS, _MFS):
        return (start + _DISK_COPY_HEADER,)
    return tuple(start + partition for partition in find_partitions(image, start))


def open_volumes(image: BinaryIO, path: Path, starts: Sequence[int]) -> ImageVolume:
    """Read the catalogues of all volumes of a disk.

    If there are several, a file's path begins with the name of its volume. A volume that cannot be
    read is left out, and `ImageVolume.unread` says why.

    Args:
        image: the image, which must stay open as long as files are read from it.
        path: its file, for messages.
        starts: where in it volumes begin, as `find_volumes` returns it; at least one.

    Raises:
        ProgramError: none of them can be read.
    """
    volumes, problems = [], []
    for start in starts:
        try:
            volumes.append(open_volume(image, path, start))
        except ProgramError as error:
            if len(starts) == 1:
                raise
            problems.append(error)
    if not volumes:
        raise problems[0]
    unread = tuple(f"the volume at {error.where}: {error.problem}" for error in problems)
    if len(volumes) == 1:
        return dataclasses.replace(volumes[0], unread=unread)
    names = _distinct([volume.title.decode("mac_roman") or "Untitled" for volume in volumes])
    return ImageVolume(
        path,
        " and ".join(dict.fromkeys(volume.system for volume in volumes)),
        tuple(
            dataclasses.replace(file, path=(name, *file.path), volume=volume.title)
            for name, volume in zip(names, volumes, strict=True)
            for file in volume.files
        ),
        unread=unread,
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number behind one that an earlier volume has too."""
    found: list[str] = []
    for name in names:
        other, number = name, 1
        while other.lower() in map(str.lower, found):
            number += 1
            other = f"{name} {number}"
        found.append(other)
    return found


def open_volume(image: BinaryIO, path: Path, start: int = 0) -> ImageVolume:
    """Read the catalogue of a volume.

    Args:
        image: the image, which must stay open as long as files are read from the volume.
        path: its file, for messages.
        start: where in it the volume begins.

    Raises:
        ProgramError: it is neither HFS nor MFS, is truncated, or its structures are damaged.
    """
    image.seek(start)
    head = image.read(_WRAPPED.stop)
    kind = head[MASTER_BLOCK : MASTER_BLOCK + 2]
    if kind == _MFS:
        return open_mfs_volume(image, path, start)
    if kind == _HFS_PLUS or (kind == _HFS and head[_WRAPPED] == _HFS_PLUS):
        raise ProgramError(
            path,
            "the volume is HFS Plus",
            where=f"offset {start + MASTER_BLOCK}",
            remedy="macproof reads HFS and MFS volumes; copy the program to one, or to a "
            "MacBinary file.",
        )
    return open_hfs_volume(image, path, start)
