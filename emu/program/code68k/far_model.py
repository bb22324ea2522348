"""Relocation lists of far-model segments, as MPW's and Metrowerks' linkers write them.

A list is a run of distances, each from the long before to the next one that is to be relocated,
counted in words from the beginning of the resource: a byte below 80 holds a distance of up to
127 words; a byte from 80 up and the next one hold 15 bits; 00 and four bytes, the first of them
with its top bit set, hold 31 bits; 00 00 ends the list.
Source: Inside Macintosh: Mac OS Runtime Architectures, chapter 10.
"""

from __future__ import annotations

import struct
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.code68k.code_layout import FAR_HEADER_SIZE, CodeSegment


def read_relocations(segment: CodeSegment, offset: int, path: Path) -> list[int]:
    """The offsets in a segment's resource of the longs that a list names.

    Args:
        segment: the segment.
        offset: where in it the list begins; 0 is no list.
        path: the file, for messages.

    Raises:
        ProgramError: the list is not ended, is damaged, or names a place outside the code.
    """
    if not offset:
        return []
    where = f"CODE {segment.id}, relocation list at offset {offset}"
    places: list[int] = []
    data, at, place = segment.data, offset, 0
    while True:
        head = data[at : at + 2].ljust(2, b"\0")
        if at + 1 > len(data) or (head[0] == 0 and at + 2 > len(data)):
            raise ProgramError(path, "it is not ended", where=where)
        if head[0] == 0 and head[1] == 0:
            return places
        if head[0] == 0:
            if not head[1] & 0x80 or at + 5 > len(data):
                raise ProgramError(path, f"it is damaged at offset {at}", where=where)
            words = struct.unpack_from(">I", data, at + 1)[0] & 0x7FFFFFFF
            at += 5
        elif head[0] & 0x80:
            if at + 2 > len(data):
                raise ProgramError(path, "it is not ended", where=where)
            words = (head[0] & 0x7F) << 8 | head[1]
            at += 2
        else:
            words = head[0]
            at += 1
        place += 2 * words
        if not FAR_HEADER_SIZE <= place <= len(data) - 4:
            raise ProgramError(path, f"it names offset {place} of {len(data)} bytes", where=where)
        places.append(place)


def relocate_segment(
    image: bytearray, segment: CodeSegment, base: int, a5: int, path: Path
) -> None:
    """Apply both lists of a far segment and note in its header what was done.

    Args:
        image: a copy of the segment's resource; it is changed in place.
        segment: the segment.
        base: the address that the resource is loaded at.
        a5: the program's A5.
        path: the file, for messages.
    """
    for offset, displacement in (
        (segment.a5_relocations, a5 - segment.a5_assumed),
        (segment.segment_relocations, base - segment.base_assumed),
    ):
        for place in read_relocations(segment, offset, path):
            value = struct.unpack_from(">I", image, place)[0]
            struct.pack_into(">I", image, place, (value + displacement) & 0xFFFFFFFF)
    struct.pack_into(">I", image, 24, a5)
    struct.pack_into(">I", image, 32, base)
