"""Tells whether a file is an image of a Macintosh volume, and opens the volume."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from emu.base.errors import ProgramError
from emu.program.mac_file.hfs_image import open_hfs_volume
from emu.program.mac_file.mfs_image import open_mfs_volume
from emu.program.mac_file.volume_image import MASTER_BLOCK, ImageVolume

LEAST_HEAD = 84 + 1024 + 2
"""How many bytes of a file are needed to tell whether it is an image of a volume."""

_DISK_COPY_HEADER = 84
_DISK_COPY_MAGIC = 0x0100
_HFS, _HFS_PLUS, _MFS = b"BD", b"H+", b"\xd2\xd7"
_WRAPPED = slice(MASTER_BLOCK + 124, MASTER_BLOCK + 126)
"""Where a volume of HFS that is only a wrapper around HFS Plus says so."""


def find_volume(head: bytes) -> int | None:
    """Where in a file a volume begins: 0, or 84 behind the header of Disk Copy 4.2.

    Args:
        head: the first `LEAST_HEAD` bytes of the file.

    Returns:
        The offset, or None for a file that is no image of a volume.
    """
    if head[MASTER_BLOCK : MASTER_BLOCK + 2] in (_HFS, _HFS_PLUS, _MFS):
        return 0
    shifted = _DISK_COPY_HEADER + MASTER_BLOCK
    if (
        len(head) >= shifted + 2
        and struct.unpack_from(">H", head, 82)[0] == _DISK_COPY_MAGIC
        and head[shifted : shifted + 2] in (_HFS, _HFS_PLUS, _MFS)
    ):
        return _DISK_COPY_HEADER
    return None


def open_volume(image: BinaryIO, path: Path, start: int = 0) -> ImageVolume:
    """Read the catalogue of a volume.

    Args:
        image: the image, which must stay open as long as files are read from the volume.
        path: its file, for messages.
        start: where in it the volume begins, as `find_volume` returns it.

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
