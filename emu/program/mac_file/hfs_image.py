"""Reads files out of an image of an HFS volume (Inside Macintosh: Files, chapter 2).

A volume may be damaged. Therefore every offset and size in it is compared with the size of the
image before it is used, chains of nodes are followed once, and only the forks that are asked for
are read. (machfs, which writes such images well, reads every fork of a volume into memory and
follows its chains wherever they lead.)
"""

from __future__ import annotations

import itertools
import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from emu.base.errors import ProgramError
from emu.program.mac_file.forks import LARGEST_FORK, parse_finder_info, require_disjoint
from emu.program.mac_file.volume_image import (
    MASTER_BLOCK,
    SECTOR,
    ImageFile,
    ImageVolume,
    volume_title,
)

_MASTER_BLOCK_SIZE = 162
_HFS = b"BD"
_LARGEST_TREE = 32 << 20
_NODE_HEADER = 14
_HEADER_NODE, _LEAF_NODE = 1, 0xFF
_ROOT_FOLDER = 2
_EXTENTS_FILE, _CATALOGUE_FILE = 3, 4
_DATA, _RESOURCES = 0x00, 0xFF
_FOLDER_RECORD, _FILE_RECORD = 1, 2
_FOLDER_RECORD_SIZE, _FILE_RECORD_SIZE = 70, 102
_DEEPEST_FOLDER = 100

_Overflow = Mapping[tuple[int, int, int], bytes]


@dataclass(frozen=True, slots=True)
class _Fork:
    """A fork before it is read: its size in bytes and its first three extents."""

    kind: int
    size: int
    extents: bytes


def open_hfs_volume(image: BinaryIO, path: Path, start: int = 0) -> ImageVolume:
    """Read the catalogue of a volume.

    Args:
        image: the image, which must stay open as long as files are read from the volume.
        path: its file, for messages.
        start: where in it the volume begins.

    Raises:
        ProgramError: it is not HFS, is truncated, or its structures are damaged.
    """
    image.seek(start)
    master = image.read(MASTER_BLOCK + _MASTER_BLOCK_SIZE)[MASTER_BLOCK:]
    where = f"offset {start + MASTER_BLOCK}"
    _check_signature(master, path, where)
    count, block_size = struct.unpack_from(">HL", master, 18)
    (first,) = struct.unpack_from(">H", master, 28)
    if not block_size or block_size % SECTOR:
        raise ProgramError(path, f"allocation blocks of {block_size} bytes", where=where)
    blocks = _Blocks(image, path, start + SECTOR * first, block_size, count)
    end = blocks.start + block_size * count
    size = image.seek(0, os.SEEK_END)
    if end > size:
        raise ProgramError(
            path,
            f"the image is truncated: its {count} allocation blocks of {block_size} bytes end at "
            f"offset {end}, the image at {size}",
            where=where,
        )

    def tree(what: str, number: int, offset: int, overflow: _Overflow) -> bytes:
        (size,) = struct.unpack_from(">L", master, offset)
        if size > _LARGEST_TREE:
            raise ProgramError(path, f"{what} has {size:,} bytes", where=where)
        fork = _Fork(_DATA, size, master[offset + 4 : offset + 16])
        return _read_fork(blocks, fork, number, overflow, what)

    # This file holds the further extents of other files; its own must all be in the master block.
    overflow = _overflow(tree("the extents overflow file", _EXTENTS_FILE, 130, {}), path)
    catalogue = tree("the catalogue", _CATALOGUE_FILE, 146, overflow)
    files = tuple(_files(catalogue, blocks, overflow))
    return ImageVolume(path, "HFS", files, volume_title(master))


def _check_signature(master: bytes, path: Path, where: str) -> None:
    if master[:2] != _HFS:
        raise ProgramError(path, f"it has {master[:2].hex() or 'nothing'}, not 4244", where=where)
    if len(master) < _MASTER_BLOCK_SIZE:
        raise ProgramError(path, "the master directory block is truncated", where=where)


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The allocation blocks of a volume; they lie inside the image."""

    image: BinaryIO
    path: Path
    start: int
    size: int
    count: int


def _read_fork(blocks: _Blocks, fork: _Fork, number: int, overflow: _Overflow, what: str) -> bytes:
    """The contents of a fork, from its extents here and in the extents overflow file."""
    if fork.size > LARGEST_FORK:
        raise ProgramError(
            blocks.path, f"{what} has {fork.size:,} bytes, more than {LARGEST_FORK >> 20} MiB"
        )
    needed = -(-fork.size // blocks.size)
    extents: list[tuple[int, int, str]] = []
    record: bytes | None = fork.extents
    have = 0
    while have < needed:
        before = have
        for first, count in struct.iter_unpack(">HH", record or b""):
            if first + count > blocks.count:
                raise ProgramError(
                    blocks.path,
                    f"{what} has blocks {first} to {first + count - 1}, "
                    f"the volume {blocks.count} blocks",
                )
            extents.append((first, first + count, "a part of " + what))
            have += count
        if have == before:
            raise ProgramError(blocks.path, f"{what} has {have} of its {needed} blocks only")
        record = overflow.get((fork.kind, number, have))
    require_disjoint(extents, blocks.path, inside="the volume, in blocks")
    remaining = fork.size
    pieces = []
    for first, end, _ in extents:
        blocks.image.seek(blocks.start + blocks.size * first)
        pieces.append(blocks.image.read(min(remaining, blocks.size * (end - first))))
        remaining -= len(pieces[-1])
    if remaining:
        raise ProgramError(
            blocks.path, f"{what} cannot be read whole: {remaining} bytes are missing"
        )
    return b"".join(pieces)


def _overflow(tree: bytes, path: Path) -> _Overflow:
    """Further extents by fork, file number and the count of blocks before them."""
    extents = {}
    for record in _leaf_records(tree, path, "the extents overflow file"):
        if len(record) < 20 or record[0] != 7:
            raise ProgramError(path, "the extents overflow file has a record of a wrong size")
        kind, number, block = struct.unpack_from(">BLH", record, 1)
        extents[kind, number, block] = record[8:20]
    return extents


def _files(tree: bytes, blocks: _Blocks, overflow: _Overflow) -> Iterator[ImageFile]:
    """Every file in a catalogue, with the folders it is in."""
    path = blocks.path
    folders: dict[int, tuple[int, str]] = {}
    files: list[tuple[int, str, bytes]] = []
    for record in _leaf_records(tree, path, "the catalogue"):
        key_size = record[0] if record else 0
        contents = record[(key_size + 2) & ~1 :]
        name_size = record[6] if len(record) > 6 else 0
        if key_size < 6 or name_size > key_size - 6 or len(contents) < 2:
            raise ProgramError(path, "the catalogue has a record of a wrong size")
        (parent,) = struct.unpack_from(">L", record, 2)
        name = record[7 : 7 + name_size].decode("mac_roman")
        needed = {_FOLDER_RECORD: _FOLDER_RECORD_SIZE, _FILE_RECORD: _FILE_RECORD_SIZE}
        if len(contents) < needed.get(contents[0], 0):
            raise ProgramError(path, f"the entry of {name!r} in the catalogue is truncated")
        if contents[0] == _FOLDER_RECORD:
            (number,) = struct.unpack_from(">L", contents, 6)
            folders[number] = (parent, name)
        elif contents[0] == _FILE_RECORD:
            files.append((parent, name, contents))
    for parent, name, contents in files:
        yield _file((*_folder_path(parent, folders, path), name), contents, blocks, overflow)


def _file(
    path: tuple[str, ...], contents: bytes, blocks: _Blocks, overflow: _Overflow
) -> ImageFile:
    """A file, by its record in the catalogue."""
    (number,) = struct.unpack_from(">L", contents, 20)
    data_size, resource_size, created, modified = struct.unpack_from(">L6xL4xLL", contents, 26)
    finder = parse_finder_info(contents[4:20], blocks.path, f"the entry of {path[-1]!r}")
    data = _Fork(_DATA, data_size, contents[74:86])
    resources = _Fork(_RESOURCES, resource_size, contents[86:98])
    name = ":".join(path)

    def read_forks() -> tuple[bytes, bytes]:
        return (
            _read_fork(blocks, data, number, overflow, f"the data fork of {name!r}"),
            _read_fork(blocks, resources, number, overflow, f"the resource fork of {name!r}"),
        )

    return ImageFile(
        path=path,
        type=finder.type,
        creator=finder.creator,
        flags=finder.flags,
        created=created,
        modified=modified,
        read_forks=read_forks,
    )


def _folder_path(
    number: int, folders: Mapping[int, tuple[int, str]], path: Path
) -> tuple[str, ...]:
    names: list[str] = []
    while number != _ROOT_FOLDER:
        if number not in folders:
            raise ProgramError(path, f"the catalogue lacks folder {number}")
        if len(names) == _DEEPEST_FOLDER:
            raise ProgramError(
                path, f"folders are nested deeper than {_DEEPEST_FOLDER}, or contain themselves"
            )
        number, name = folders[number]
        names.append(name)
    return tuple(reversed(names))


def _leaf_records(tree: bytes, path: Path, what: str) -> Iterator[bytes]:
    """Every record in the leaves of a B*-tree, in order; each node is visited once."""
    if len(tree) < SECTOR or tree[8] != _HEADER_NODE:
        raise ProgramError(path, f"{what} does not begin with the header of a tree")
    record_count, node, last, node_size = struct.unpack_from(">6xLLLH", tree, _NODE_HEADER)
    if node_size < SECTOR or node_size & (node_size - 1):
        raise ProgramError(path, f"{what} has nodes of {node_size} bytes")
    if not record_count:
        return
    seen = set()
    count = 0
    while True:
        start = node * node_size
        if start + node_size > len(tree):
            raise ProgramError(path, f"{what} refers to node {node}, which it does not have")
        if node in seen:
            raise ProgramError(path, f"the nodes of {what} form a loop at node {node}")
        seen.add(node)
        if tree[start + 8] != _LEAF_NODE:
            raise ProgramError(path, f"node {node} of {what} is not a leaf")
        records = _records(tree[start : start + node_size], path, f"node {node} of {what}")
        count += len(records)
        yield from records
        if node == last:
            break
        (node,) = struct.unpack_from(">L", tree, start)
    if count != record_count:
        raise ProgramError(path, f"{what} announces {record_count} records and has {count}")


def _records(node: bytes, path: Path, what: str) -> list[bytes]:
    (count,) = struct.unpack_from(">H", node, 10)
    table = len(node) - 2 * (count + 1)
    if table < _NODE_HEADER:
        raise ProgramError(path, f"{what} announces {count} records, more than fit")
    offsets = struct.unpack_from(f">{count + 1}H", node, table)[::-1]
    ordered = all(a <= b for a, b in itertools.pairwise(offsets))
    if offsets[0] < _NODE_HEADER or offsets[-1] > table or not ordered:
        raise ProgramError(path, f"the records of {what} overlap or leave it")
    return [node[a:b] for a, b in itertools.pairwise(offsets)]
