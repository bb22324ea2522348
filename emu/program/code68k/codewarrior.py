"""Reads how CodeWarrior's linker keeps the addresses and the globals of a 68K application.

The start-up code does with them what a loader does elsewhere. 'XREF' n has three lists of longs in
'CODE' n: those get A5, the address of 'CODE' 1, and that of the segment itself. 'XREF' 0 is the
same for the globals. 'DATA' 0 has what lies about A5 at the beginning: globals, and behind the
first entry of the jump table all others, as ``_LoadSeg, offset (long), id``. Both come plain, each
list and piece with its size before it, or packed. Source: the start-up code in such applications.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from emu.program.code68k.code_layout import LARGEST_WORLD

if TYPE_CHECKING:
    from emu.program.mac_file.mac_file import MacFile

_LISTS = 3
_LOADSEG = 0xA9F0
_ENTRY = struct.Struct(">HIH")
_FIRST_ENTRY = 0x28
"""Where the second entry of the jump table lies; the first one is that of 'CODE' 0."""


@dataclass(frozen=True, slots=True)
class References:
    """Longs that hold addresses, by their offsets from the beginning of the resource, or from A5.

    Attributes:
        of_a5: those that A5 is added to.
        of_first: those that the address of 'CODE' 1 is added to.
        of_own: those that the address of their own segment is added to.
    """

    of_a5: tuple[int, ...] = ()
    of_first: tuple[int, ...] = ()
    of_own: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Linkage:
    """What the start-up code of one application does before its main function.

    Attributes:
        references: of each segment by its id, and of the globals under 0, counted from A5.
        pieces: the bytes that get into memory, each with its distance from A5.
        entries: the jump table behind its first entry: distance from A5, segment, offset in it.
        findings: what cannot be read, in sentences without a full stop.
    """

    references: Mapping[int, References] = field(default_factory=dict)
    pieces: tuple[tuple[int, bytes], ...] = ()
    entries: tuple[tuple[int, int, int], ...] = ()
    findings: tuple[str, ...] = ()


class DamageError(Exception):
    """A resource is no such list, or no such data; the text says what is wrong."""


def read_linkage(file: MacFile) -> Linkage | None:
    """The resources 'XREF' and 'DATA' of an application; None if this linker did not make it."""
    lists = file.resources.of_type("XREF")
    if not lists:
        return None
    references, findings = {}, []
    pieces: list[tuple[int, bytes]] = []
    for resource in lists:
        try:
            references[resource.id] = read_references(resource.data)
        except DamageError as error:
            findings.append(f"XREF {resource.id} cannot be read: {error}")
    data = file.resources.find("DATA", 0)
    try:
        pieces = read_pieces(data.data) if data is not None else []
    except DamageError as error:
        findings.append(f"DATA 0 cannot be read: {error}")
    return Linkage(references, tuple(pieces), tuple(_jump_entries(pieces)), tuple(findings))


def add_addresses(
    image: bytearray, references: References, own: int, first: int, a5: int, zero: int = 0
) -> int:
    """Make addresses of the longs in a loaded resource, or in the globals.

    Args:
        image: the resource; it is changed in place.
        references: which longs.
        own: the address that it is loaded at.
        first: the address of 'CODE' 1.
        a5: the program's A5.
        zero: where in the image offsets are counted from.

    Returns:
        How many of them lie outside of it.
    """
    outside = 0
    for places, base in (
        (references.of_a5, a5),
        (references.of_first, first),
        (references.of_own, own),
    ):
        for place in places:
            at = zero + place
            if 0 <= at <= len(image) - 4:
                value = int.from_bytes(image[at : at + 4], "big") + base
                image[at : at + 4] = (value & 0xFFFFFFFF).to_bytes(4, "big")
            else:
                outside += 1
    return outside


def read_references(data: bytes) -> References:
    """The lists of an 'XREF' resource.

    Raises:
        DamageError: it is neither plain nor packed.
    """
    plain = _plain_lists(data)
    return References(*(plain if plain is not None else _packed_lists(data)))


def _plain_lists(data: bytes) -> list[tuple[int, ...]] | None:
    at, lists = 0, []
    for _ in range(_LISTS):
        count = int.from_bytes(data[at : at + 4], "big")
        end = at + 4 + 4 * count
        if len(data) < at + 4 or len(data) < end:
            return None
        lists.append(struct.unpack_from(f">{count}i", data, at + 4))
        at = end
    return lists if at == len(data) else None


def _packed_lists(data: bytes) -> Iterator[tuple[int, ...]]:
    source = _Bytes(data)
    for _ in range(_LISTS):
        places, place = [], 0
        for _ in range(min(source.number(4), len(data))):
            first = source.number(1)
            if first & 0x80:
                place += 2 * _signed(first, 7)
            elif first & 0x40:
                place += 2 * _signed(first << 8 | source.number(1), 14)
            else:
                place = 2 * _signed(first << 24 | source.number(3), 30)
            places.append(place)
        yield tuple(places)


def read_pieces(data: bytes) -> list[tuple[int, bytes]]:
    """What 'DATA' 0 puts into memory: the distance from A5 of each piece, and its bytes.

    Raises:
        DamageError: it is neither plain nor packed.
    """
    plain = _plain_pieces(data)
    return plain if plain is not None else list(_packed_pieces(data))


def _plain_pieces(data: bytes) -> list[tuple[int, bytes]] | None:
    at, pieces = 0, []
    while at < len(data) - 1:
        size = int.from_bytes(data[at : at + 4], "big")
        if size:
            start = _signed(int.from_bytes(data[at + 4 : at + 8], "big"), 32)
            pieces.append((start, data[at + 8 : at + 8 + size]))
        at += 8 + size if size else 4
    return pieces if at in (len(data), len(data) - 1) else None


def _packed_pieces(data: bytes) -> Iterator[tuple[int, bytes]]:
    source = _Bytes(data)
    for _ in range(_LISTS):
        start = _signed(source.number(4), 32)
        piece = bytearray()
        while head := source.number(1):
            piece += _unpacked(head, source)
            if len(piece) > LARGEST_WORLD:
                raise DamageError(f"it unpacks to more than {LARGEST_WORLD:,} bytes")
        yield start, bytes(piece)


def _unpacked(head: int, source: _Bytes) -> bytes:
    """The bytes that one of a piece stands for, with those behind it perhaps."""
    if head & 0x80:
        return source.bytes((head & 0x7F) + 1)
    if head & 0x40:
        return bytes((head & 0x3F) + 1)
    if head & 0x20:
        return source.bytes(1) * ((head & 0x1F) + 1)
    if head & 0x10:
        return b"\xff" * ((head & 0xF) + 1)
    match head:
        case 1:
            return bytes(4) + b"\xff\xff" + source.bytes(2)
        case 2:
            return bytes(4) + b"\xff" + source.bytes(3)
        case 3:
            return b"\xa9\xf0\0\0" + source.bytes(2) + b"\0" + source.bytes(1)
        case 4:
            return b"\xa9\xf0\0" + source.bytes(3) + b"\0" + source.bytes(1)
    raise DamageError(f"the byte {head} at offset {source.at - 1} stands for nothing")


def _jump_entries(pieces: list[tuple[int, bytes]]) -> Iterator[tuple[int, int, int]]:
    """The entries of the jump table: distance from A5, segment, offset in it."""
    for start, piece in pieces:
        if start < _FIRST_ENTRY:
            continue
        for at in range(-(start % 8) % 8, len(piece) - 7, 8):
            trap, offset, segment = _ENTRY.unpack_from(piece, at)
            if trap == _LOADSEG:
                yield start + at, segment, offset


class _Bytes:
    """Bytes that are read from the first to the last."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def bytes(self, count: int) -> bytes:
        content = self._data[self.at : self.at + count]
        if len(content) < count:
            raise DamageError(f"it ends after {len(self._data)} bytes, in the middle")
        self.at += count
        return content

    def number(self, count: int) -> int:
        return int.from_bytes(self.bytes(count), "big")


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value
