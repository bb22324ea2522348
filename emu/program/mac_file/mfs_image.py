"""Reads files out of an image of an MFS volume, the file system of the 400 KB disks of 1984.

All files are in one directory; folders were only the Finder's. Blocks of a file are linked by a map
with 12 bits for each allocation block: 0 for a free one, 1 for the last of a fork, or else the
number of the next. The first allocation block has number 2.

A volume may be damaged, so every number in it is compared with the size of the image before it is
used, and no chain is longer than the volume.
Source: Inside Macintosh II, chapter 4 ("The File Manager": "Data Organization on Volumes").
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from emu.base.errors import ProgramError
from emu.program.mac_file.forks import LARGEST_FORK, parse_finder_info
from emu.program.mac_file.volume_image import (
    MASTER_BLOCK,
    SECTOR,
    ImageFile,
    ImageVolume,
    volume_title,
)

_INFORMATION = struct.Struct(">HLLHHHHHLLHLH")  # the volume's name follows
_MAP = MASTER_BLOCK + 64
_MAGIC = b"\xd2\xd7"
_ENTRY = struct.Struct(">BB16sLHLLHLLLL")  # the length of the name follows
_USED = 0x80
_FIRST_BLOCK = 2
_LARGEST_DIRECTORY = 4096  # sectors


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The allocation blocks of a volume, which lie inside the image, and the map of them."""

    image: BinaryIO
    path: Path
    start: int
    size: int
    count: int
    map: bytes

    def next(self, block: int) -> int:
        """The entry of a block in the map."""
        index = block - _FIRST_BLOCK
        (pair,) = struct.unpack_from(">H", self.map, index * 3 // 2)
        return int(pair & 0xFFF if index % 2 else pair >> 4)

    def read(self, first: int, size: int, what: str) -> bytes:
        """A fork of so many bytes, whose first block is given."""
        if size > LARGEST_FORK:
            raise self._error(f"{what} has {size:,} bytes, more than {LARGEST_FORK >> 20} MiB")
        needed = -(-size // self.size)
        if needed > self.count:
            raise self._error(f"{what} has {needed} blocks, the volume {self.count}")
        pieces, block = [], first
        for number in range(needed):
            if not _FIRST_BLOCK <= block < _FIRST_BLOCK + self.count:
                raise self._error(f"{what} has {number} of its {needed} blocks; then comes {block}")
            self.image.seek(self.start + self.size * (block - _FIRST_BLOCK))
            pieces.append(self.image.read(self.size))
            block = self.next(block)
        return b"".join(pieces)[:size]

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self.path, problem)


def open_mfs_volume(image: BinaryIO, path: Path, start: int = 0) -> ImageVolume:
    """Read the directory of a volume.

    Args:
        image: the image, which must stay open as long as files are read from the volume.
        path: its file, for messages.
        start: where in it the volume begins.

    Raises:
        ProgramError: it is not MFS, is truncated, or its structures are damaged.
    """
    where = f"offset {start + MASTER_BLOCK}"
    size = image.seek(0, os.SEEK_END)
    image.seek(start + MASTER_BLOCK)
    information = image.read(_MAP - MASTER_BLOCK)
    if len(information) < _MAP - MASTER_BLOCK or not information.startswith(_MAGIC):
        raise ProgramError(path, "it has no volume information of MFS", where=where)
    _, _, _, _, files, directory, length, count, block_size, _, first, _, _ = (
        _INFORMATION.unpack_from(information)
    )
    if not block_size or block_size % SECTOR:
        raise ProgramError(path, f"allocation blocks of {block_size} bytes", where=where)
    if length > _LARGEST_DIRECTORY:
        raise ProgramError(path, f"a directory of {length} sectors", where=where)
    block_map = image.read((count * 3 + 1) // 2 + 1)
    for what, end in (
        (f"directory of {length} sectors", SECTOR * (directory + length)),
        (f"{count} allocation blocks of {block_size} bytes", SECTOR * first + block_size * count),
        (f"map of {count} allocation blocks", _MAP + (count * 3 + 1) // 2),
    ):
        if start + end > size:
            raise ProgramError(
                path,
                f"the image is truncated: its {what} ends at offset {start + end}, the image at "
                f"{size}",
                where=where,
            )
    blocks = _Blocks(image, path, start + SECTOR * first, block_size, count, block_map)
    image.seek(start + SECTOR * directory)
    entries = tuple(_files(image.read(SECTOR * length), blocks))
    if len(entries) != files:
        raise ProgramError(
            path,
            f"the volume announces {files} files, its directory has {len(entries)}",
            where=where,
        )
    return ImageVolume(path, "MFS", entries, volume_title(information))


def _files(directory: bytes, blocks: _Blocks) -> Iterator[ImageFile]:
    """The files of a directory: entries do not cross sectors, and begin at even offsets."""
    for sector in range(0, len(directory), SECTOR):
        place, end = sector, sector + SECTOR
        while place + _ENTRY.size < end and directory[place] & _USED:
            name_end = place + _ENTRY.size + 1 + directory[place + _ENTRY.size]
            if name_end > end:
                raise ProgramError(
                    blocks.path, f"the entry at offset {place} of the directory leaves its sector"
                )
            yield _file(directory[place:name_end], blocks)
            place = name_end + name_end % 2


def _file(entry: bytes, blocks: _Blocks) -> ImageFile:
    _, _, finder, _, data, data_size, _, resources, resource_size, _, created, modified = (
        _ENTRY.unpack_from(entry)
    )
    name = entry[_ENTRY.size + 1 :].decode("mac_roman")
    information = parse_finder_info(finder, blocks.path, f"the entry of {name!r}")

    def read_forks() -> tuple[bytes, bytes]:
        return (
            blocks.read(data, data_size, f"the data fork of {name!r}"),
            blocks.read(resources, resource_size, f"the resource fork of {name!r}"),
        )

    return ImageFile(
        path=(name,),
        type=information.type,
        creator=information.creator,
        flags=information.flags,
        created=created,
        modified=modified,
        read_forks=read_forks,
    )
