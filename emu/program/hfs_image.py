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
from emu.program.forks import LARGEST_FORK, Forks, parse_finder_info, require_disjoint

LEAST_HEAD = 84 + 1024 + 2
"""How many bytes of a file are needed to tell whether it is an image of a volume."""

APPLICATION = "APPL"

_SECTOR = 512
_MASTER_BLOCK = 1024
_MASTER_BLOCK_SIZE = 162
_DISK_COPY_HEADER = 84
_DISK_COPY_MAGIC = 0x0100
_HFS, _HFS_PLUS, _MFS = b"BD", b"H+", b"\xd2\xd7"
_LARGEST_TREE = 32 << 20
_NODE_HEADER = 14
_HEADER_NODE, _LEAF_NODE = 1, 0xFF
_ROOT_FOLDER = 2
_EXTENTS_FILE, _CATALOGUE_FILE = 3, 4
_DATA, _RESOURCES = 0x00, 0xFF
_FOLDER_RECORD, _FILE_RECORD = 1, 2
_FOLDER_RECORD_SIZE, _FILE_RECORD_SIZE = 70, 102
_DEEPEST_FOLDER = 100
_NAMES_IN_MESSAGE = 10
_INVISIBLE = 0x4000  # a Finder flag; the Finder's own files have it

_Overflow = Mapping[tuple[int, int, int], bytes]


def find_volume(head: bytes) -> int | None:
    """Where in a file a volume begins: 0, or 84 behind the header of Disk Copy 4.2.

    Args:
        head: the first `LEAST_HEAD` bytes of the file.

    Returns:
        The offset, or None for a file that is no image of a volume.
    """
    if head[_MASTER_BLOCK : _MASTER_BLOCK + 2] in (_HFS, _HFS_PLUS, _MFS):
        return 0
    shifted = _DISK_COPY_HEADER + _MASTER_BLOCK
    if (
        len(head) >= shifted + 2
        and struct.unpack_from(">H", head, 82)[0] == _DISK_COPY_MAGIC
        and head[shifted : shifted + 2] in (_HFS, _HFS_PLUS, _MFS)
    ):
        return _DISK_COPY_HEADER
    return None


@dataclass(frozen=True, slots=True)
class _Fork:
    """A fork before it is read: its size in bytes and its first three extents."""

    kind: int
    size: int
    extents: bytes


@dataclass(frozen=True, slots=True)
class HfsFile:
    """An entry of the catalogue.

    Attributes:
        path: the names from the volume's root folder to the file itself.
        type: the file's type, decoded from MacRoman.
        creator: its creator, likewise.
        flags: its Finder flags.
    """

    path: tuple[str, ...]
    type: str
    creator: str
    flags: int
    _number: int
    _data: _Fork
    _resources: _Fork

    @property
    def name(self) -> str:
        """Folders and name as a Mac writes them, without the volume's name."""
        return ":".join(self.path)


@dataclass(frozen=True, slots=True)
class HfsVolume:
    """A volume whose catalogue has been read.

    Attributes:
        path: the image.
        files: all files, in the order of the catalogue.
    """

    path: Path
    files: tuple[HfsFile, ...]
    _blocks: _Blocks
    _overflow: _Overflow

    def find(self, inside: str) -> HfsFile:
        """The file of that name.

        Args:
            inside: the folders and the name with colons between them, case ignored as on a Mac;
                "" for the only application on the volume.

        Raises:
            ProgramError: there is none, or more than one.
        """
        if inside:
            wanted = tuple(part.lower() for part in inside.strip(":").split(":"))
            found = [one for one in self.files if tuple(p.lower() for p in one.path) == wanted]
            missing = f"there is no file {inside!r} in the image"
        else:
            found = [one for one in self.files if one.type == APPLICATION]
            missing = "there is no application in the image"
        if len(found) == 1:
            return found[0]
        choice = found or [one for one in self.files if not one.flags & _INVISIBLE]
        names = ", ".join(repr(one.name) for one in choice[:_NAMES_IN_MESSAGE])
        more = f" and {len(choice) - _NAMES_IN_MESSAGE} more" * (len(choice) > _NAMES_IN_MESSAGE)
        raise ProgramError(
            self.path,
            f"there are {len(found)} such files in the image" if found else missing,
            remedy=f"Name one after a colon: it has {names}{more}." if choice else "It is empty.",
        )

    def read(self, file: HfsFile) -> Forks:
        """Both forks of a file.

        Raises:
            ProgramError: its extents leave the volume or overlap, or a fork exceeds 64 MiB.
        """
        contents = [
            _read_fork(
                self._blocks, fork, file._number, self._overflow, f"the {what} of {file.name!r}"
            )
            for fork, what in ((file._data, "data fork"), (file._resources, "resource fork"))
        ]
        return Forks(
            name=file.path[-1],
            type=file.type,
            creator=file.creator,
            flags=file.flags,
            data=contents[0],
            resource_fork=contents[1],
            container="HFS image",
        )


def open_hfs_volume(image: BinaryIO, path: Path, start: int = 0) -> HfsVolume:
    """Read the catalogue of a volume.

    Args:
        image: the image, which must stay open as long as files are read from the volume.
        path: its file, for messages.
        start: where in it the volume begins, as `find_volume` returns it.

    Raises:
        ProgramError: it is not HFS, is truncated, or its structures are damaged.
    """
    image.seek(start)
    master = image.read(_MASTER_BLOCK + _MASTER_BLOCK_SIZE)[_MASTER_BLOCK:]
    where = f"offset {start + _MASTER_BLOCK}"
    _check_signature(master, path, where)
    count, block_size = struct.unpack_from(">HL", master, 18)
    (first,) = struct.unpack_from(">H", master, 28)
    if not block_size or block_size % _SECTOR:
        raise ProgramError(path, f"allocation blocks of {block_size} bytes", where=where)
    blocks = _Blocks(image, path, start + _SECTOR * first, block_size, count)
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
    return HfsVolume(path, tuple(_files(catalogue, path)), blocks, overflow)


def _check_signature(master: bytes, path: Path, where: str) -> None:
    kind = master[:2]
    if kind == _HFS and master[124:126] == _HFS_PLUS:
        kind = _HFS_PLUS  # the HFS volume is only a wrapper around an HFS Plus volume
    other = {_HFS_PLUS: "HFS Plus", _MFS: "MFS, the format of 400 KB disks"}.get(kind)
    if other is not None:
        raise ProgramError(
            path,
            f"the volume is {other}",
            where=where,
            remedy="macproof reads HFS volumes; copy the program to one, or to a MacBinary file.",
        )
    if kind != _HFS:
        raise ProgramError(path, f"it has {kind.hex() or 'nothing'}, not 4244", where=where)
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
    left = fork.size
    pieces = []
    for first, end, _ in extents:
        blocks.image.seek(blocks.start + blocks.size * first)
        pieces.append(blocks.image.read(min(left, blocks.size * (end - first))))
        left -= len(pieces[-1])
    if left:
        raise ProgramError(blocks.path, f"{what} cannot be read whole: {left} bytes are missing")
    return b"".join(pieces)


def _overflow(tree: bytes, path: Path) -> _Overflow:
    """Further extents by fork, file number and the count of blocks before them."""
    found = {}
    for record in _leaf_records(tree, path, "the extents overflow file"):
        if len(record) < 20 or record[0] != 7:
            raise ProgramError(path, "the extents overflow file has a record of a wrong size")
        kind, number, block = struct.unpack_from(">BLH", record, 1)
        found[kind, number, block] = record[8:20]
    return found


def _files(tree: bytes, path: Path) -> Iterator[HfsFile]:
    """Every file in a catalogue, with the folders it is in."""
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
        (number,) = struct.unpack_from(">L", contents, 20)
        data_size, resource_size = struct.unpack_from(">L6xL", contents, 26)
        finder = parse_finder_info(contents[4:20], path, f"the entry of {name!r}")
        yield HfsFile(
            path=(*_folder_path(parent, folders, path), name),
            type=finder.type,
            creator=finder.creator,
            flags=finder.flags,
            _number=number,
            _data=_Fork(_DATA, data_size, contents[74:86]),
            _resources=_Fork(_RESOURCES, resource_size, contents[86:98]),
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
    if len(tree) < _SECTOR or tree[8] != _HEADER_NODE:
        raise ProgramError(path, f"{what} does not begin with the header of a tree")
    record_count, node, last, node_size = struct.unpack_from(">6xLLLH", tree, _NODE_HEADER)
    if node_size < _SECTOR or node_size & (node_size - 1):
        raise ProgramError(path, f"{what} has nodes of {node_size} bytes")
    if not record_count:
        return
    seen = set()
    found = 0
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
        found += len(records)
        yield from records
        if node == last:
            break
        (node,) = struct.unpack_from(">L", tree, start)
    if found != record_count:
        raise ProgramError(path, f"{what} announces {record_count} records and has {found}")


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
