"""The blocks of a heap zone, and their headers.

With 32-bit addressing a header has twelve bytes: tag (0x00 free, 0x40 nonrelocatable, 0x80
relocatable), master pointer flags, a reserved byte, size correction, physical size, and the zone or
the handle's offset in it. With 24-bit addressing it has eight: tag and correction share a byte, the
next three are the size, and the flags are in the master pointer.
Source: Inside Macintosh: Memory, pp. 2-19 to 2-24.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from emu.toolbox.records.system import BlockHeader, Zone

FREE, POINTER, HANDLE = 0x00, 0x40, 0x80
"""Tags of blocks: free, nonrelocatable, relocatable."""

LOCKED, PURGEABLE, RESOURCE = 0x80, 0x40, 0x20
"""Master pointer flags, as HGetState gives them (Inside Macintosh: Memory, p. 2-25)."""

FILL = 0xD5
"""The byte that fills free memory. Four of them make an odd number that is no valid address, so a
program that uses it as a pointer faults."""

_WIDE_HEADER = BlockHeader.layout()
_NARROW_HEADER = struct.Struct(">II")
_TAGS, _CORRECTION, _SIZE = 0xC0, 0x0F, 0xFFFFFF


class HeapOwner(Protocol):
    """What a heap needs from the object that owns it."""

    def heap_damaged(self, problem: str, *, by_narrow_header: bool = False) -> Exception:
        """The error to raise when the heap is too damaged to go on.

        Args:
            problem: what is damaged.
            by_narrow_header: whether the program has written a header of 24-bit addressing.
        """

    def heap_finding(self, check: str, problem: str) -> None:
        """Record a mistake of the program that does not stop it."""

    def heap_changed(self, places: Sequence[tuple[int, int]]) -> None:
        """Record that bytes changed in some places, each from an address up to another.

        The engine forgets code that was translated from there.
        """

    def heap_purging(self, handle: int) -> None:
        """Record that a handle's block is about to be purged."""

    def heap_user(self) -> str:
        """The name of the routine that is using the heap."""

    def heap_use(self) -> HeapUse:
        """The call that is using the heap."""

    def heap_words(self, use: HeapUse) -> str:
        """A call that has used the heap, in words: its routine, its number and its caller."""


class HeapUse(NamedTuple):
    """A call of a routine that uses the heap.

    It is noted whenever a block moves, so it is put into words only where somebody reads them.

    Attributes:
        routine: the routine's name.
        number: which call of the Toolbox it is, from 1; 0 before the first.
        caller: the address of the instruction that calls it.
    """

    routine: str
    number: int = 0
    caller: int = 0


class HeaderFields(NamedTuple):
    """What a header says.

    Attributes:
        tag: the kind of the block.
        correction: the bytes behind its contents.
        size: its size in bytes, with header and slack.
    """

    tag: int
    correction: int
    size: int


@dataclass(frozen=True, slots=True)
class HeaderForm:
    """The form of the headers of a zone's blocks.

    Attributes:
        size: the bytes of a header.
        alignment: the sizes of blocks are multiples of it.
        zone_size: the bytes from a zone's address to its first block.
    """

    size: int
    alignment: int
    zone_size: int

    def physical_size(self, logical: int) -> int:
        """How many bytes a block with this many bytes of contents takes."""
        return max(self.size + (logical + self.alignment - 1 & -self.alignment), SMALLEST)

    def lead(self, zone: int) -> bytes:
        """The bytes from a zone's heapData to its first block: an empty block, or nothing.

        Programs that walk through a zone begin at heapData, as Swatch does. Where headers are wide
        blocks begin 12 bytes behind it, and such a walk needs a header there.
        """
        size = self.zone_size - Zone.heapData.offset
        return _WIDE_HEADER.pack(POINTER, 0, 0, 0, size, zone) if size else b""

    def header_of(self, block: Block, zone: int) -> bytes:
        """The bytes that the header of a block in a zone must hold."""
        slack, last = 0, 0
        if block.kind != FREE:
            slack = block.size - self.size - block.logical
            last = (block.handle - zone) & 0xFFFFFFFF if block.handle else zone  # it may lie below
        if self is NARROW:
            return _NARROW_HEADER.pack((block.kind | slack) << 24 | block.size, last)
        flags = block.flags if block.kind != FREE else 0
        return _WIDE_HEADER.pack(block.kind, flags, 0, slack, block.size, last)

    def fields(self, header: bytes) -> HeaderFields:
        """Read a header."""
        if self is NARROW:
            first, _ = _NARROW_HEADER.unpack(header)
            return HeaderFields(first >> 24 & _TAGS, first >> 24 & _CORRECTION, first & _SIZE)
        tag, _, _, correction, size, _ = _WIDE_HEADER.unpack(header)
        return HeaderFields(tag, correction, size)


SMALLEST = 12
"""The fewest bytes of a block, its header included."""

WIDE = HeaderForm(BlockHeader.size, 4, 64)
"""With 32-bit addressing; a `Zone` record has an unused part."""

NARROW = HeaderForm(_NARROW_HEADER.size, 2, 52)
"""With 24-bit addressing."""


def header_form(*, has_24_bits: bool) -> HeaderForm:
    """The form of headers with 24-bit or with 32-bit addressing."""
    return NARROW if has_24_bits else WIDE


class Block:
    """A block, used or free.

    Attributes:
        start: the address of its header.
        size: its size in bytes, with header and slack.
        kind: its tag.
        logical: the bytes its owner asked for.
        handle: the address of its master pointer; 0 if it has none.
        flags: the flags of its master pointer.
        before: the block below.
        after: the block above.
        header: the bytes that its header must hold.
        form: the form of its header.
        maker: the routine that made it.
    """

    __slots__ = (
        "after",
        "before",
        "flags",
        "form",
        "handle",
        "header",
        "kind",
        "logical",
        "maker",
        "size",
        "start",
    )
    before: Block
    after: Block

    def __init__(self, start: int, size: int, kind: int, form: HeaderForm) -> None:
        self.start = start
        self.size = size
        self.kind = kind
        self.form = form
        self.logical = 0
        self.handle = 0
        self.flags = 0
        self.header = b""
        self.maker = ""

    @property
    def content(self) -> int:
        """The address of its contents."""
        return self.start + self.form.size

    @property
    def end(self) -> int:
        """The first address after it."""
        return self.start + self.size

    @property
    def movable(self) -> bool:
        """Whether it may be moved."""
        return self.kind == HANDLE and not self.flags & LOCKED

    @property
    def size_and_maker(self) -> str:
        """Its size and the routine that made it, as text."""
        maker = f", made by {self.maker}" if self.maker else ""
        return f"{self.logical} bytes{maker}"

    def __str__(self) -> str:
        if self.kind == FREE:
            return f"the free block at 0x{self.content:08x}"
        whose = f" of handle 0x{self.handle:08x}" if self.handle else ""
        return f"the block at 0x{self.content:08x}{whose} ({self.size_and_maker})"
