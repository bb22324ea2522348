"""Enlarges the two B-trees of a new HFS volume, so that they have room to grow.

machfs makes both trees as small as possible and lets them grow by one block at a time. When a Mac
adds files, as PortCheck does with its results, the trees would grow in single blocks between the
blocks of those files. The extents tree can record three pieces of itself and no fourth. A freshly
formatted disk has trees of a 128th of the volume (hfsutils' hformat: 12 blocks each on 800K). Here
both trees get that much more, in one piece behind the last file, and grow by that much.

Offsets in the master directory block and in a tree's header are from Inside Macintosh: Files,
chapter 2.
"""

from __future__ import annotations

import struct

_NODE = 512
_MASTER_BLOCK, _FROM_END = 1024, 1024
_BITMAP = 3 * _NODE
_SHARE = 128
_MAPPED_NODES = 2048  # nodes that the map in the header node can count
_HEADER_RECORD = 14
_NODES = _HEADER_RECORD + 22  # offset of two longs: the number of all nodes, and of free nodes

_BLOCKS, _BLOCK_SIZE, _CLUMP, _FIRST_BLOCK = 18, 20, 24, 28
_FREE = 34
_EXTENTS_CLUMP, _CATALOGUE_CLUMP = 74, 78
_EXTENTS_SIZE, _CATALOGUE_SIZE = 130, 146
_EXTENTS = 4  # after each tree's size: three pairs of first block and block count


def tree_room(size: int) -> int:
    """How many bytes each tree of a volume of this size gets in addition, before rounding up."""
    return min(size // _SHARE, (_MAPPED_NODES // 2) * _NODE)


def with_tree_room(image: bytes) -> bytes | None:
    """Make the same volume with larger trees.

    Args:
        image: a volume that machfs has just written: its used blocks are at its beginning, the
            extents tree is empty, and the catalogue comes last.

    Returns:
        The volume, or None if it has too few free blocks.
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
    # The catalogue grows first: it ends where the free blocks begin, so it stays in one piece.
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
