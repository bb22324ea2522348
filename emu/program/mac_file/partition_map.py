"""Finds the volumes on an image of a whole disk, by the partition map that follows its first block.

Source: Inside Macintosh: Devices, chapter 3 ("Partition Map Entry"); Inside Macintosh V, page 579,
for the map of the Macintosh Plus, whose entries have a place, a size and four letters.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

_ENTRY = struct.Struct(">2s2xLLL32x32s")
_MARK, _OLD_MARK = b"PM", b"TS"
_OLD_ENTRY = struct.Struct(">LL4s")
_OLD_HFS = b"TFS1"
_UNITS = (512, 2048)
"""Sizes of blocks: those of disks, and those of compact discs, whose maps use one or the other."""

_VOLUMES = (b"apple_hfs", b"apple_hfsx", b"apple_mfs")
_MOST_ENTRIES = 1024


def find_partitions(image: BinaryIO, start: int = 0) -> tuple[int, ...]:
    """Where the partitions with volumes of HFS, HFS Plus and MFS begin, in the order of the map.

    Args:
        image: the image of a disk, or any other file.
        start: where in it the disk begins.

    Returns:
        Their offsets from there in bytes; nothing if there is no partition map.
    """
    for unit in _UNITS:
        block = _block(image, start, unit, 1)
        if block.startswith(_MARK):
            return _partitions(image, start, unit)
        if block.startswith(_OLD_MARK):
            return _old_partitions(block, unit)
    return ()


def _partitions(image: BinaryIO, start: int, unit: int) -> tuple[int, ...]:
    found = []
    count, number = 1, 1
    while number <= min(count, _MOST_ENTRIES):
        block = _block(image, start, unit, number)
        if len(block) < _ENTRY.size or not block.startswith(_MARK):
            break
        _, count, first, _, kind = _ENTRY.unpack_from(block)
        if kind.partition(b"\0")[0].lower() in _VOLUMES:
            found.append(first * unit)
        number += 1
    return tuple(found)


def _old_partitions(block: bytes, unit: int) -> tuple[int, ...]:
    found = []
    for place in range(2, len(block) - _OLD_ENTRY.size + 1, _OLD_ENTRY.size):
        start, size, kind = _OLD_ENTRY.unpack_from(block, place)
        if not size:
            break
        if kind == _OLD_HFS:
            found.append(start * unit)
    return tuple(found)


def _block(image: BinaryIO, start: int, unit: int, number: int) -> bytes:
    image.seek(start + unit * number)
    return image.read(_UNITS[0])
