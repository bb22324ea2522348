"""Gives the two B-trees of a new HFS volume room to grow.

machfs makes both trees as small as they can be, with clumps of one block. A Mac that adds files,
as PortCheck does with its results, would then grow them block by block between the blocks of those
files, until the tree of extents needs a fourth extent, which nothing can record. Formatted disks
begin with trees of a 128th of the volume (hfsutils' hformat does: 12 blocks each on 800K). Here
both trees get as much in one piece behind the last file, and clumps of that size.

Offsets in the master directory block and in a tree's header are from Inside Macintosh: Files,
chapter 2.
"""

from __future__ import annotations

import struct

_NODE = 512
_MASTER_BLOCK, _FROM_END = 1024, 1024
_BITMAP = 3 * _NODE
_SHARE = 128
_MAPPED_NODES = 2048  # those that the map in the header node counts
_HEADER_RECORD = 14
_NODES = _HEADER_RECORD + 22  # two longs: all nodes, free nodes

_BLOCKS, _BLOCK_SIZE, _CLUMP, _FIRST_BLOCK = 18, 20, 24, 28
_FREE = 34
_EXTENTS_CLUMP, _CATALOGUE_CLUMP = 74, 78
_EXTENTS_SIZE, _CATALOGUE_SIZE = 130, 146
_EXTENTS = 4  # behind the size of either tree: three pairs of first block and count


def tree_room(size: int) -> int:
    """The bytes that one tree of a volume of that size gets in addition, before rounding up."""
    return min(size // _SHARE, (_MAPPED_NODES // 2) * _NODE)


def with_tree_room(image: bytes) -> bytes | None:
    """The same volume with larger trees.

    Args:
        image: a volume as machfs has just written it: its used blocks are those at its beginning,
            the tree of extents is empty, and the catalogue is the last of them.

    Returns:
        The volume, or None where so many blocks are not free.
    """
    volume = bytearray(image)

    def field(offset: int, form: str) -> int:
        value: int = struct.unpack_from(form, volume, _MASTER_BLOCK + offset)[0]
        return value

    def put(offset: int, form: str, value: int) -> None:
        for start in (_MASTER_BLOCK, len(volume) - _FROM_END):
            struct.pack_into(form, volume, start + offset, value)

    block_size, free = field(_BLOCK_SIZE, ">L"), field(_FREE, ">H")
    used = field(_BLOCKS, ">H") - free
    room = -(-tree_room(len(image)) // block_size)
    taken = 0
    # The catalogue is first: it ends where the free blocks begin, and so stays in one piece.
    for size_at, clump_at in ((_CATALOGUE_SIZE, _CATALOGUE_CLUMP), (_EXTENTS_SIZE, _EXTENTS_CLUMP)):
        tree_size = field(size_at, ">L")
        extra = min(room, (_MAPPED_NODES * _NODE - tree_size) // block_size)
        if extra <= 0:
            continue
        if taken + extra > free:
            return None
        start, count = (field(size_at + _EXTENTS + offset, ">H") for offset in (0, 2))
        at = field(_FIRST_BLOCK, ">H") * _NODE + start * block_size + _NODES
        nodes, free_nodes = struct.unpack_from(">LL", volume, at)
        added = extra * block_size // _NODE
        struct.pack_into(">LL", volume, at, nodes + added, free_nodes + added)
        put(size_at, ">L", tree_size + extra * block_size)
        put(clump_at, ">L", extra * block_size)
        if start + count == used + taken:
            put(size_at + _EXTENTS + 2, ">H", count + extra)
        else:
            put(size_at + _EXTENTS + 4, ">H", used + taken)
            put(size_at + _EXTENTS + 6, ">H", extra)
        taken += extra
    put(_FREE, ">H", free - taken)
    put(_CLUMP, ">L", 4 * block_size)
    for block in range(used, used + taken):
        volume[_BITMAP + block // 8] |= 0x80 >> block % 8
    return bytes(volume)
