"""Checks the structure of a whole HFS volume, by machfs' walk through its trees and plain sums."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from machfs import btree

EXTENTS_FILE, CATALOGUE_FILE = 3, 4


@dataclass(frozen=True)
class Entry:
    """A file's record in the catalogue: its name as bytes, FInfo, and the sizes of its forks."""

    name: bytes
    finder: bytes
    data: int
    resources: int

    @property
    def place(self) -> tuple[int, int]:
        vertical, horizontal = struct.unpack_from(">hh", self.finder, 10)
        return vertical, horizontal


@dataclass(frozen=True)
class Volume:
    """What the check has found."""

    entries: dict[bytes, Entry]
    block_size: int
    free: int
    clumps: tuple[int, int]


def check_volume(image: bytes, *, changed: bool = False) -> Volume:
    """Every block belongs to one file and is marked, every other is free, and the sums agree.

    Where a volume was ``changed``, the copy of its master block may be older: it is renewed when a
    tree grows only.
    """
    assert image[1024:1026] == b"BD"
    assert changed or image[-1024 : -1024 + 162] == image[1024 : 1024 + 162], "the copy at the end"
    blocks, block_size = struct.unpack_from(">HL", image, 1024 + 18)
    first_block, free = (struct.unpack_from(">H", image, 1024 + at)[0] for at in (28, 34))
    assert first_block * 512 + blocks * block_size <= len(image) - 1024
    owners: dict[int, tuple[int, int]] = {}
    overflow: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def take(number: int, fork: int, record: bytes, size: int) -> bytes:
        contents = b""
        extents = [(a, n) for a, n in struct.iter_unpack(">HH", record) if n]
        extents += overflow.get((number, fork), [])
        for start, count in extents:
            for block in range(start, start + count):
                assert block < blocks
                assert block not in owners, f"block {block}: {owners.get(block)}, {number}"
                owners[block] = (number, fork)
            at = first_block * 512 + start * block_size
            contents += image[at : at + count * block_size]
        assert len(contents) >= size
        return contents[:size]

    trees = []
    for number, at in ((EXTENTS_FILE, 130), (CATALOGUE_FILE, 146)):
        (size,) = struct.unpack_from(">L", image, 1024 + at)
        tree = take(number, 0, image[1024 + at + 4 : 1024 + at + 16], size)
        _check_nodes(tree)
        trees.append(tree)
        if number == EXTENTS_FILE:
            overflow.update(_overflow(tree))
    entries = {}
    for record in _records(trees[1]):
        name = record[7 : 7 + record[6]]
        value = record[(record[0] + 2) & ~1 :]
        if value[0] != 2:
            continue
        number, data, resources = (struct.unpack_from(">L", value, at)[0] for at in (20, 26, 36))
        take(number, 0, value[74:86], data)
        take(number, 0xFF, value[86:98], resources)
        entries[name] = Entry(name, value[4:20], data, resources)
    _check_marks(image, blocks, set(owners), free)
    assert struct.unpack_from(">L", image, 1024 + 84) == (len(entries),)
    clumps = struct.unpack_from(">LL", image, 1024 + 74)
    return Volume(entries, block_size, free * block_size, clumps)


def _check_marks(image: bytes, blocks: int, owned: set[int], free: int) -> None:
    """The bitmap marks the blocks that belong to a file, and the others are counted."""
    marked = {block for block in range(blocks) if image[1536 + block // 8] & 0x80 >> block % 8}
    assert marked == owned, "the bitmap"
    assert free == blocks - len(owned), "the count of free blocks"


def _check_nodes(tree: bytes) -> None:
    """A tree has as many nodes as it says, and its map has those that are not free."""
    nodes, free_nodes = struct.unpack_from(">LL", tree, 14 + 22)
    assert nodes * 512 == len(tree)
    mapped = sum(byte.bit_count() for byte in tree[14 + 106 + 128 : 14 + 106 + 128 + 256])
    assert nodes > 2048 or mapped == nodes - free_nodes, "the map of nodes"


def _overflow(tree: bytes) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The extents of files that have more than three, by file and fork."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for record in _records(tree):
        kind, file_number = struct.unpack_from(">BL", record, 1)
        extents = [(a, n) for a, n in struct.iter_unpack(">HH", record[8:20]) if n]
        found.setdefault((file_number, kind), []).extend(extents)
    return found


def _records(tree: bytes) -> Iterator[bytes]:
    (depth,) = struct.unpack_from(">H", tree, 14)
    yield from btree.dump_btree(tree) if depth else ()
