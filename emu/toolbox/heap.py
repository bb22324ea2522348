"""A heap zone in guest memory: blocks with the headers of a 32-bit Macintosh, and their book.

What every block is and where it lies is kept twice: as headers in guest memory, where a program
can see and damage them, and in Python, where it cannot. Whenever a block is used the two are
compared, so damage is found near the routine that did it. Free memory is filled with one byte, so
that reading it is visible and writing to it is found when it is used again.

A header has twelve bytes: tag (0x00 free, 0x40 nonrelocatable, 0x80 relocatable), master pointer
flags, a reserved byte, size correction, physical size, and the zone or the handle's offset in it.
Source: Inside Macintosh: Memory, pp. 2-19 to 2-24.
"""

from __future__ import annotations

import struct
from bisect import insort
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Protocol

from emu.machine.memory import GuestMemory

FREE, POINTER, HANDLE = 0x00, 0x40, 0x80
"""Tags of blocks: free, nonrelocatable, relocatable."""

LOCKED, PURGEABLE, RESOURCE = 0x80, 0x40, 0x20
"""Master pointer flags, as HGetState gives them (Inside Macintosh: Memory, p. 2-25)."""

FILL = 0xD5
"""What free memory holds. Four of them are no address, and odd."""

HEADER_SIZE = 12
ZONE_SIZE = 64
"""A zone record with its unused part; 52 bytes of it are defined."""

MASTERS_IN_A_BLOCK = 64

_HEADER = struct.Struct(">BBBBII")
_LONG = struct.Struct(">I")
_ALIGNMENT = 4
_SMALL = 4096
_FILLED = bytes([FILL]) * _SMALL
_NO_MASTER = FILL * 0x01010101
_REMEMBERED = 4096
_START = attrgetter("start")

_BLOCK_LIMIT, _FREE_BYTES, _MASTERS = 0, 12, 20
"""Offsets of the zone record's bkLim, zcbFree and moreMast."""


class HeapOwner(Protocol):
    """What a heap needs of its surroundings."""

    def heap_damaged(self, problem: str) -> Exception:
        """The error to raise when it cannot go on."""

    def heap_finding(self, check: str, problem: str) -> None:
        """A mistake of the program that does not stop it."""

    def heap_changed(self, address: int, size: int) -> None:
        """Python has written there: what was translated from there is no longer right."""

    def heap_purging(self, handle: int) -> None:
        """A handle's block is about to be purged."""

    def heap_user(self) -> str:
        """The routine at work."""


class Block:
    """A block, used or free.

    Attributes:
        start: the address of its header.
        size: with header and slack, in bytes.
        kind: its tag.
        logical: the bytes its owner asked for.
        handle: the address of its master pointer; 0 if it has none.
        flags: the master pointer's.
        before: the block below.
        after: the block above.
        header: what its header must hold.
        maker: the routine that made it.
    """

    __slots__ = (
        "after",
        "before",
        "flags",
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

    def __init__(self, start: int, size: int, kind: int) -> None:
        self.start = start
        self.size = size
        self.kind = kind
        self.logical = 0
        self.handle = 0
        self.flags = 0
        self.header = b""
        self.maker = ""

    @property
    def content(self) -> int:
        """The address of what it holds."""
        return self.start + HEADER_SIZE

    @property
    def end(self) -> int:
        """The first address behind it."""
        return self.start + self.size

    @property
    def movable(self) -> bool:
        """Whether it may be moved."""
        return self.kind == HANDLE and not self.flags & LOCKED

    def __str__(self) -> str:
        if self.kind == FREE:
            return f"the free block at 0x{self.content:08x}"
        made = f", made by {self.maker}" if self.maker else ""
        whose = f" of handle 0x{self.handle:08x}" if self.handle else ""
        return f"the block at 0x{self.content:08x}{whose} ({self.logical} bytes{made})"


@dataclass(frozen=True, slots=True)
class _Ghost:
    """Where a block was."""

    start: int
    end: int
    handle: int
    moved: bool
    routine: str


def physical_size(logical: int) -> int:
    """Bytes a block takes for that many of contents."""
    return HEADER_SIZE + (logical + _ALIGNMENT - 1 & -_ALIGNMENT)


class Heap:
    """One zone.

    Args:
        memory: guest memory.
        start: where the zone record is to be.
        end: the first address behind the zone.
        owner: whom to tell what is found.

    Attributes:
        start: the zone's address.
        handles: the block of every handle; None for an empty one.
        blocks: every used block, by the address of its contents.
        free: free bytes, headers of free blocks included.
    """

    def __init__(self, memory: GuestMemory, start: int, end: int, owner: HeapOwner) -> None:
        self.start = start
        self.handles: dict[int, Block | None] = {}
        self.blocks: dict[int, Block] = {}
        self.free = 0
        self._base = memory.base
        self._array = memory.buffer
        self._view = memory.buffer.data.cast("B")
        self._owner = owner
        self._masters: deque[int] = deque()
        self._disposed: set[int] = set()
        self._ghosts: deque[_Ghost] = deque(maxlen=_REMEMBERED)
        self._movable: dict[Block, None] = {}
        self._changes = 0
        self._whole_at = ""
        end &= -_ALIGNMENT
        self._first = hole = Block(start + ZONE_SIZE, end - HEADER_SIZE - start - ZONE_SIZE, FREE)
        self._last = Block(end - HEADER_SIZE, HEADER_SIZE, FREE)
        hole.after, self._last.before = self._last, hole
        hole.before = hole  # never followed: the first block has nothing below
        self._holes = [hole]
        self._array[start - self._base : hole.start - self._base] = 0
        self._put(start + _BLOCK_LIMIT, self._last.start)
        self._put(start + _MASTERS, MASTERS_IN_A_BLOCK << 16)
        self._fill(hole.start, hole.end)
        self._write_header(hole)
        self._write_header(self._last)
        self._count(hole.size)

    # -- allocation --------------------------------------------------------------------------------

    def new_pointer(self, size: int) -> int:
        """The address of a nonrelocatable block; 0 if there is no room."""
        block = self._allocate(size, POINTER)
        return block.content if block else 0

    def new_handle(self, size: int) -> int:
        """A handle with a block; 0 if there is no room."""
        handle = self.new_empty_handle()
        if handle and not self.fill_handle(handle, size):
            self.release_handle(handle)
            return 0
        return handle

    def new_empty_handle(self) -> int:
        """A handle without a block; 0 if there is no room for a master pointer."""
        if not self._masters and not self.more_masters():
            return 0
        handle = self._masters.popleft()
        self._disposed.discard(handle)
        self.handles[handle] = None
        self._put(handle, 0)
        return handle

    def fill_handle(self, handle: int, size: int) -> bool:
        """Give an empty handle a block; False if there is no room."""
        block = self._allocate(size, HANDLE)
        if block is None:
            return False
        block.handle = handle
        self._write_header(block)
        self.handles[handle] = block
        self._movable[block] = None
        self._put(handle, block.content)
        return True

    def more_masters(self) -> bool:
        """Make another block of master pointers; False if there is no room."""
        block = self._allocate(4 * MASTERS_IN_A_BLOCK, POINTER)
        if block is None:
            return False
        masters = range(block.content, block.content + block.logical, 4)
        self._masters.extend(masters)
        return True

    def dispose(self, block: Block) -> None:
        """Free a block. A handle that led to it is empty afterwards."""
        self.verify(block)
        del self.blocks[block.content]
        self._remember(block, moved=False)
        if block.handle:
            self._movable.pop(block, None)
            self.handles[block.handle] = None
            self._put(block.handle, 0)
        self._release(block)
        self._look_around()

    def release_handle(self, handle: int) -> None:
        """Free a handle, and its block if it has one."""
        block = self.handles[handle]
        if block is not None:
            self.dispose(block)
        del self.handles[handle]
        self._disposed.add(handle)
        self._masters.append(handle)
        # A Macintosh chains free master pointers here; this makes their use a fault instead.
        self._put(handle, _NO_MASTER)

    def was_disposed(self, handle: int) -> bool:
        """Whether it was a handle once, and is none now."""
        return handle in self._disposed

    def ghost_at(self, address: int) -> str:
        """In words, whose contents began at an address before they moved or were freed; or ""."""
        for ghost in reversed(self._ghosts):
            if ghost.start + HEADER_SIZE == address:
                return _story(ghost)
        return ""

    def resize(self, block: Block, size: int, *, may_move: bool) -> bool:
        """Change a block's logical size; False if there is no room and it stays as it is."""
        self.verify(block)
        wanted = physical_size(size)
        if wanted <= block.size:
            self._shrink(block, size, wanted)
            return True
        after = block.after
        if self._is_hole(after) and block.size + after.size >= wanted:
            self._grow(block, after, size, wanted)
            return True
        if not may_move:
            return self._make_room_behind(block, wanted) and self.resize(
                block, size, may_move=False
            )
        hole = self._hole_for(wanted)
        if hole is None:
            return False
        self._take_over(block, self._carve(hole, wanted, from_top=True), size)
        return True

    # -- finding and checking ----------------------------------------------------------------------

    def block_of(self, handle: int) -> Block | None:
        """The block of a handle that exists, checked; None if the handle is empty."""
        block = self.handles[handle]
        expected = block.content if block is not None else 0
        offset = handle - self._base
        found = _LONG.unpack_from(self._view, offset)[0]
        if found != expected:
            whose = str(block) if block is not None else f"the empty handle 0x{handle:08x}"
            raise self._owner.heap_damaged(
                f"the master pointer of {whose} was overwritten: it holds 0x{found:08x} instead "
                f"of 0x{expected:08x}{self._last_time()}"
            )
        return block

    def verify(self, block: Block) -> None:
        """Compare a block's header, and the next one's, with what they must be."""
        for one in (block, block.after):
            start = one.start - self._base
            if self._view[start : start + HEADER_SIZE] != one.header:
                raise self._owner.heap_damaged(self._damage(one))

    def verify_all(self, *, fill: bool = False) -> None:
        """Compare every header; and with ``fill`` look for writes to free memory."""
        view, base = self._view, self._base
        for one in self.walk():
            start = one.start - base
            if view[start : start + HEADER_SIZE] != one.header:
                raise self._owner.heap_damaged(self._damage(one))
        if fill:
            for hole in self._holes:
                self._inspect(hole.content, hole.end)
        self._changes = 0
        self._whole_at = self._owner.heap_user()

    def walk(self) -> Iterator[Block]:
        """Every block from the lowest to the highest; the trailer is the last."""
        block = self._first
        while block is not self._last:
            yield block
            block = block.after
        yield block

    def block_around(self, address: int) -> Block | None:
        """The block, used or free, that an address lies in."""
        return next((b for b in self.walk() if b.start <= address < b.end), None)

    def set_flags(self, block: Block, flags: int) -> None:
        """Set a relocatable block's master pointer flags."""
        if flags == block.flags:
            return
        self.verify(block)
        block.flags = flags
        self._write_header(block)
        if flags & LOCKED:
            self._movable.pop(block, None)
        else:
            self._movable[block] = None

    @property
    def largest(self) -> int:
        """The contents of the largest block that could be made without moving anything."""
        return max((hole.size for hole in self._holes), default=HEADER_SIZE) - HEADER_SIZE

    # -- moving ------------------------------------------------------------------------------------

    def scramble(self, running: int) -> None:
        """Move every block that may be moved to where it was not.

        Args:
            running: the address at which the program goes on: its block is left alone.
        """
        if not self._movable:
            return
        for block in list(self._movable):
            if block.start <= running < block.end:
                self._owner.heap_finding(
                    "unlocked code", f"the program executes code in {block}, which may move"
                )
                continue
            wanted = physical_size(block.logical)
            hole = self._hole_for(wanted)
            if hole is not None:
                self.verify(block)
                self._take_over(block, self._carve(hole, wanted, from_top=True), block.logical)
        self._look_around()

    def move_high(self, block: Block) -> None:
        """Move a block as high as there is a hole for it."""
        wanted = physical_size(block.logical)
        hole = self._hole_for(wanted)
        if hole is not None and hole.start > block.start:
            self.verify(block)
            self._take_over(block, self._carve(hole, wanted, from_top=True), block.logical)

    def compact(self) -> None:
        """Move blocks down into the holes below them."""
        self.verify_all()
        block = self._first
        while block is not self._last:
            after = block.after
            if block.kind == FREE and after.movable:
                self._slide(block, after)
                block = after  # now below the hole
            block = block.after

    def purge(self, wanted: int) -> None:
        """Empty purgeable handles until a hole is as large as that (physical bytes)."""
        for block in list(self._movable):
            if block.flags & PURGEABLE:
                self._owner.heap_purging(block.handle)
                self.dispose(block)
                self.compact()
                if self._hole_for(wanted) is not None:
                    return

    def purgeable_bytes(self) -> int:
        """What purging would free."""
        return sum(block.size for block in self._movable if block.flags & PURGEABLE)

    # -- inside ------------------------------------------------------------------------------------

    def _allocate(self, size: int, kind: int) -> Block | None:
        if size < 0:
            return None
        wanted = physical_size(size)
        if wanted > self.free and wanted > self.free + self.purgeable_bytes():
            return None
        # Relocatable blocks go to the top, so that the others stay together at the bottom.
        from_top = kind == HANDLE
        hole = self._hole_for(wanted, from_top=from_top)
        if hole is None:
            self.compact()
            hole = self._hole_for(wanted, from_top=from_top)
        if hole is None:
            self.purge(wanted)
            hole = self._hole_for(wanted, from_top=from_top)
        if hole is None:
            return None
        block = self._carve(hole, wanted, from_top=from_top)
        block.kind, block.logical, block.maker = kind, size, self._owner.heap_user()
        self._write_header(block)
        self.blocks[block.content] = block
        self._look_around()
        return block

    def _hole_for(self, wanted: int, *, from_top: bool = True) -> Block | None:
        for hole in reversed(self._holes) if from_top else self._holes:
            if hole.size >= wanted:
                return hole
        return None

    def _carve(self, hole: Block, wanted: int, *, from_top: bool) -> Block:
        """Take a block out of a hole; its header is not yet written."""
        self.verify(hole)
        if hole.size - wanted < HEADER_SIZE:
            self._inspect(hole.content, hole.end)
            self._holes.remove(hole)
            self._count(-hole.size)
            hole.kind = POINTER
            return hole
        self._count(-wanted)
        if from_top:
            self._inspect(max(hole.end - wanted, hole.content), hole.end)
            block = Block(hole.end - wanted, wanted, POINTER)
            block.before, block.after = hole, hole.after
            hole.after.before = hole.after = block
            hole.size -= wanted
        else:
            self._inspect(hole.content, hole.start + wanted + HEADER_SIZE)
            block = Block(hole.start, wanted, POINTER)
            block.before, block.after = hole.before, hole
            if hole is self._first:
                self._first = block
            else:
                hole.before.after = block
            hole.before = block
            hole.start += wanted
            hole.size -= wanted
            self._fill(block.start, block.content)
        self._write_header(hole)
        return block

    def _release(self, block: Block) -> None:
        """Make a hole of a block, and one hole of it and its free neighbours."""
        start, end = block.start, block.end
        self._count(block.size)
        after = block.after
        if self._is_hole(after):
            self._holes.remove(after)
            self._unlink(after)
            block.size += after.size
            end = after.content
        before = block.before
        if block is not self._first and before.kind == FREE:
            before.size += block.size
            self._unlink(block)
            hole = before
        else:
            hole = block
            hole.kind, hole.handle, hole.flags, hole.logical = FREE, 0, 0, 0
            insort(self._holes, hole, key=_START)
        self._fill(start, end)
        self._write_header(hole)
        self._owner.heap_changed(start, end - start)

    def _is_hole(self, block: Block) -> bool:
        return block.kind == FREE and block is not self._last

    def _unlink(self, block: Block) -> None:
        block.before.after = block.after
        block.after.before = block.before

    def _take_over(self, block: Block, place: Block, size: int) -> None:
        """Move a block's contents to a place carved for it; the old place becomes a hole."""
        old = Block(block.start, block.size, POINTER)
        old.handle = block.handle
        self._copy(block.content, place.content, min(block.logical, size))
        old.before, old.after = block.before, block.after
        if block is self._first:
            self._first = old
        else:
            block.before.after = old
        block.after.before = old
        # The place may be the block's neighbour, whose links now lead to the old block.
        block.before, block.after = place.before, place.after
        if place is self._first:
            self._first = block
        else:
            place.before.after = block
        place.after.before = block
        del self.blocks[old.content]
        block.start, block.size, block.logical = place.start, place.size, size
        self.blocks[block.content] = block
        self._write_header(block)
        if block.handle:
            self._put(block.handle, block.content)
        self._remember(old, moved=True)
        self._release(old)
        self._owner.heap_changed(block.start, block.size)

    def _slide(self, hole: Block, block: Block) -> None:
        """Exchange a hole and the block above it."""
        self.verify(hole)
        self._inspect(hole.content, hole.end)
        ghost = Block(block.start, block.size, POINTER)
        ghost.handle = block.handle
        self._remember(ghost, moved=True)
        del self.blocks[block.content]
        self._copy(block.start, hole.start, block.size)
        block.start, hole.start = hole.start, hole.start + block.size
        if hole is self._first:
            self._first = block
        else:
            hole.before.after = block
        above = block.after
        block.before, block.after = hole.before, hole
        hole.before, hole.after = block, above
        above.before = hole
        self.blocks[block.content] = block
        self._put(block.handle, block.content)
        self._fill(hole.start, hole.end)
        self._owner.heap_changed(block.start, block.size + hole.size)
        if self._is_hole(above):
            self._holes.remove(above)
            self._unlink(above)
            self._fill(above.start, above.content)
            hole.size += above.size
        self._write_header(hole)

    def _shrink(self, block: Block, size: int, wanted: int) -> None:
        if block.size - wanted >= HEADER_SIZE:
            rest = Block(block.start + wanted, block.size - wanted, POINTER)
            rest.before, rest.after = block, block.after
            block.after.before = block.after = rest
            block.size = wanted
            self._release(rest)
        block.logical = size
        self._write_header(block)

    def _grow(self, block: Block, hole: Block, size: int, wanted: int) -> None:
        """Take bytes from the hole behind a block."""
        extra = self._carve(hole, wanted - block.size, from_top=False)
        block.after = extra.after
        extra.after.before = block
        self._fill(extra.start, min(extra.content, extra.end))
        block.size += extra.size
        block.logical = size
        self._write_header(block)

    def _make_room_behind(self, block: Block, wanted: int) -> bool:
        """Move relocatable blocks away from behind one that cannot move itself."""
        needed = wanted - block.size
        found, in_the_way, one = 0, [], block.after
        while found < needed and one is not self._last:
            if one.kind != FREE and not one.movable:
                return False
            if one.kind != FREE:
                in_the_way.append(one)
            found += one.size
            one = one.after
        if found < needed:
            return False
        limit = one.start
        for other in in_the_way:
            size = physical_size(other.logical)
            hole = next(
                (
                    h
                    for h in reversed(self._holes)
                    if h.size >= size and not block.start <= h.start < limit
                ),
                None,
            )
            if hole is None:
                return False
            self._take_over(other, self._carve(hole, size, from_top=True), other.logical)
        return True

    def _copy(self, source: int, target: int, size: int) -> None:
        source -= self._base
        target -= self._base
        self._view[target : target + size] = self._view[source : source + size]

    def _fill(self, start: int, end: int) -> None:
        size = end - start
        start -= self._base
        if size <= _SMALL:
            self._view[start : start + size] = _FILLED[:size]
        else:
            self._array[start : start + size] = FILL

    def _put(self, address: int, value: int) -> None:
        _LONG.pack_into(self._view, address - self._base, value)

    def _count(self, change: int) -> None:
        self.free += change
        self._changes += 1
        _LONG.pack_into(self._view, self.start + _FREE_BYTES - self._base, self.free)

    def _write_header(self, block: Block) -> None:
        if block.kind == FREE:
            slack, last = 0, 0
        else:
            slack = block.size - HEADER_SIZE - block.logical
            last = block.handle - self.start if block.handle else self.start
        block.header = _HEADER.pack(block.kind, block.flags, 0, slack, block.size, last)
        start = block.start - self._base
        self._view[start : start + HEADER_SIZE] = block.header

    def _look_around(self) -> None:
        """Check all headers, as often as it costs no more than what has changed."""
        if self._changes > 64 + len(self.blocks):
            self.verify_all()

    def _remember(self, block: Block, *, moved: bool) -> None:
        user = self._owner.heap_user()
        self._ghosts.append(_Ghost(block.start, block.end, block.handle, moved, user))

    def _inspect(self, start: int, end: int) -> None:
        """Look for writes to free memory that is about to be used, and take note of them."""
        size = end - start
        offset = start - self._base
        if size <= _SMALL:
            if self._view[offset : offset + size] == _FILLED[:size]:
                return
        elif bool((self._array[offset : offset + size] == FILL).all()):
            return
        piece = self._array[offset : offset + size]
        address = start + int((piece != FILL).argmax())
        self._owner.heap_finding(*self._stray_write(address))
        self._fill(start, end)

    def _stray_write(self, address: int) -> tuple[str, str]:
        for ghost in reversed(self._ghosts):
            if ghost.start <= address < ghost.end:
                distance = address - ghost.start - HEADER_SIZE
                where = (
                    f"0x{address:08x}, {distance} bytes into " if distance else f"0x{address:08x}, "
                )
                check = "stale handle" if ghost.moved else "disposed block"
                return check, f"the program wrote to {where}{_story(ghost)}"
        hole = self.block_around(address)
        below = hole.before if hole is not None and hole is not self._first else None
        behind = f", behind {below}" if below is not None else ""
        return "free memory", f"the program wrote to free memory at 0x{address:08x}{behind}"

    def _damage(self, block: Block) -> str:
        start = block.start - self._base
        found = bytes(self._view[start : start + HEADER_SIZE])
        below = f" It lies behind {block.before}." if block is not self._first else ""
        return (
            f"the header of {block} was overwritten: it is {found.hex(' ', 4)} instead of "
            f"{block.header.hex(' ', 4)}.{below}{self._last_time()}"
        )

    def _last_time(self) -> str:
        return f" At {self._whole_at} the heap was still whole." if self._whole_at else ""


def _story(ghost: _Ghost) -> str:
    if ghost.moved:
        return f"where the block of handle 0x{ghost.handle:08x} was until {ghost.routine} moved it"
    whose = f" of handle 0x{ghost.handle:08x}" if ghost.handle else ""
    return f"a block{whose} that {ghost.routine} had disposed of"
