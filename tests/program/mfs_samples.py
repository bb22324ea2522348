"""Writes MFS volumes, by Inside Macintosh II, chapter 4; machfs writes HFS only."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from tests.program.mac_samples import CREATOR, DATA, FLAGS, NAME, TYPE, resource_fork

DIRECTORY, BLOCKS, BLOCK_SIZE, COUNT = 4, 16, 1024, 391
"""Sectors of directory and first block, and bytes and number of blocks, on a disk of 400 KB."""

CREATED, MODIFIED = 0x95A1B2C3, 0x96000001
INFORMATION, MAP = 1024, 1024 + 64


@dataclass(frozen=True)
class MfsFile:
    name: str = NAME
    data: bytes = DATA
    resources: bytes = resource_fork()
    type: str = TYPE
    flags: int = FLAGS


def mfs_image(files: Sequence[MfsFile] | None = None, *, backwards: bool = False) -> bytes:
    """A volume with these files; with an application and a text if none are given.

    Args:
        files: the files, in the order of the directory.
        backwards: whether the blocks of a fork follow each other from the disk's end on, each two
            blocks before the last, so that forks are mixed.
    """
    if files is None:
        files = [MfsFile(), MfsFile("Notes", b"text", b"", "TEXT")]
    image = bytearray(409_600)
    free = list(range(2, COUNT + 2))
    if backwards:
        free = free[::-2] + free[-2::-2]
    links = [0] * COUNT
    entries = []

    def put(fork: bytes) -> int:
        """Write a fork; its first block, or 0 if it is empty."""
        blocks = [free.pop(0) for _ in range(-(-len(fork) // BLOCK_SIZE))]
        for index, block in enumerate(blocks):
            place = 512 * BLOCKS + BLOCK_SIZE * (block - 2)
            piece = fork[BLOCK_SIZE * index :][:BLOCK_SIZE]
            image[place : place + len(piece)] = piece
            links[block - 2] = blocks[index + 1] if index + 1 < len(blocks) else 1
        return blocks[0] if blocks else 0

    for number, file in enumerate(files):
        forks = b"".join(
            struct.pack(">HLL", put(fork), len(fork), -(-len(fork) // BLOCK_SIZE) * BLOCK_SIZE)
            for fork in (file.data, file.resources)
        )
        finder = struct.pack(">4s4sH6x", file.type.encode(), CREATOR.encode(), file.flags)
        name = file.name.encode("mac_roman")
        entry = b"\x80\0" + finder + struct.pack(">L", number + 1) + forks
        entry += struct.pack(">LLB", CREATED, MODIFIED, len(name)) + name
        entries.append(entry + bytes(len(entry) % 2))
    image[512 * DIRECTORY : 512 * BLOCKS] = _directory(entries)
    information = struct.pack(
        ">2sLLHHHHHLLHLH",
        b"\xd2\xd7",
        CREATED,
        0,
        0,
        len(files),
        DIRECTORY,
        BLOCKS - DIRECTORY,
        COUNT,
        BLOCK_SIZE,
        8192,
        BLOCKS,
        len(files) + 1,
        len(free),
    )
    image[INFORMATION : INFORMATION + 42] = information + b"\x05Disk1"
    image[MAP : MAP + 587] = _map(links)
    return bytes(image)


def _directory(entries: Sequence[bytes]) -> bytes:
    """The sectors of a directory: no entry crosses from one to the next."""
    sectors = [b""]
    for entry in entries:
        if len(sectors[-1]) + len(entry) > 512:
            sectors.append(b"")
        sectors[-1] += entry
    return b"".join(sector.ljust(512, b"\0") for sector in sectors).ljust(
        512 * (BLOCKS - DIRECTORY), b"\0"
    )


def _map(links: Sequence[int]) -> bytes:
    """The numbers of the next blocks, 12 bits each."""
    digits = "".join(f"{link:03x}" for link in links)
    return bytes.fromhex(digits + "0" * (len(digits) % 2))
