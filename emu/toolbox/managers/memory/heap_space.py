"""The space of a heap zone: blocks side by side, with their headers.

Kind and place of every block are stored twice: in headers in guest memory, which a program can
damage, and in Python, where it cannot. The two are compared whenever a block is used, so damage is
found soon after it was done. Free memory is filled with one byte value. So a program that reads it
gets a striking value, and a write to it is found when the memory is used again.

Source: Inside Macintosh: Memory, pp. 2-19 to 2-24.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from operator import attrgetter

from emu.machine.memory.memory import GuestMemory
from emu.toolbox.managers.memory.block import (
    FILL,
    FREE,
    HANDLE,
    NARROW,
    POINTER,
    SMALLEST,
    Block,
    HeaderForm,
    HeapOwner,
)
from emu.toolbox.managers.memory.former_blocks import FormerBlocks
from emu.toolbox.managers.memory.heap_memory import HeapMemory
from emu.toolbox.records.system import Zone

_START = attrgetter("start")


class HeapSpace:
    """The blocks of one zone, in the order of their addresses.

    Args:
        memory: guest memory.
        start: the address for the zone record.
        end: the first address after the zone.
        owner: the object that is told of mistakes and changes.
        form: the form of the blocks' headers.

    Attributes:
        start: the zone's address.
        memory: its bytes.
        form: as given.
        former: the blocks that have moved or were freed.
        last: the trailer, an empty free block at the end.
        holes: the other free blocks, from the lowest to the highest.
        free: the bytes in all holes, including headers.
        changes: how often space was taken or freed since all headers were last compared.
        watches_slack: whether writes are told that go between the contents and the end of a block.
            A program on a Macintosh gets away with them.
        on_stay: is called with a relocatable block that the program has made one that stays.
        revision: how often a header was written: as long as it is the same, no block has moved.
    """

    def __init__(
        self, memory: GuestMemory, start: int, end: int, owner: HeapOwner, form: HeaderForm
    ) -> None:
        self.start = start
        self.form = form
        self.free = 0
        self.changes = 0
        self.revision = 0
        self.watches_slack = False
        self.on_stay: Callable[[Block], None] = lambda block: None
        self.memory = HeapMemory(memory, FILL)
        self._base, self._view = self.memory.base, self.memory.bytes
        self._owner = owner
        self.former = FormerBlocks(owner, form)
        self._whole_at = ""
        self._postponed: list[tuple[int, int]] | None = None
        first, trailer = start + form.zone_size, (end & -form.alignment) - form.size
        self._first = hole = Block(first, trailer - first, FREE, form)
        self.last = Block(trailer, form.size, FREE, form)
        hole.after, self.last.before = self.last, hole
        hole.before = hole  # never used: no block lies below the first one
        self.holes = [hole]
        self.memory.write(start, bytes(hole.start - start))
        self.memory.put(start + Zone.bkLim.offset, self.last.start)
        self.memory.write(start + Zone.heapData.offset, form.lead(start))
        self.memory.fill(hole.start, hole.end)
        self.write_header(hole)
        self.write_header(self.last)
        self._count(hole.size)

    def extend(self, end: int) -> None:
        """Let the zone end farther up."""
        last, form = self.last, self.form
        self._whole_at = ""
        trailer = (end & -form.alignment) - form.size
        added = Block(last.start, trailer - last.start, POINTER, form)
        added.before, added.after = last.before, last
        last.before.after = last.before = added
        last.start = trailer
        self.write_header(last)
        self.memory.put(self.start + Zone.bkLim.offset, trailer)
        if added.size:
            self.release(added)

    def fill_with(self, fill: int) -> None:
        """Let free memory hold another byte from now on."""
        if fill == self.memory.filling:
            return
        self.memory.fill_with(fill)
        for block in self.walk():
            if block.kind == FREE:
                self.memory.fill(block.content, block.end)
            else:
                self.fill_slack(block)

    def fill_slack(self, block: Block) -> None:
        """Fill what lies behind a used block's contents."""
        self.memory.fill(block.content + block.logical, block.end)

    def changed(self, start: int, end: int) -> None:
        """Record that bytes were written where code may have been."""
        if self._postponed is None:
            self._owner.heap_changed([(start, end)])
        else:
            self._postponed.append((start, end))

    def postpone(self) -> None:
        """Collect the calls of `changed` until `catch_up` passes them on."""
        self._postponed = []

    def catch_up(self) -> None:
        """Tell the owner of the collected changes; adjoining ones are joined."""
        postponed, self._postponed = self._postponed, None
        joined: list[tuple[int, int]] = []
        low = high = -1
        for start, end in sorted(postponed or ()):
            if start > high:
                if high > low:
                    joined.append((low, high))
                low, high = start, end
            elif end > high:
                high = end
        if high > low:
            joined.append((low, high))
        if joined:
            self._owner.heap_changed(joined)

    def write_header(self, block: Block) -> None:
        """Write a block's header."""
        self.revision += 1
        block.header = self.form.header_of(block, self.start)
        self.memory.write(block.start, block.header)

    # -- taking and giving back --------------------------------------------------------------------

    def hole_for(self, wanted: int, *, from_top: bool = True) -> Block | None:
        """The highest or the lowest hole that is large enough; None if there is none."""
        for hole in reversed(self.holes) if from_top else self.holes:
            if hole.size >= wanted:
                return hole
        return None

    def is_hole(self, block: Block) -> bool:
        """Whether a block is free space."""
        return block.kind == FREE and block is not self.last

    def carve(self, hole: Block, wanted: int, *, from_top: bool) -> Block:
        """Take a block out of a hole; the caller must write its header."""
        self.verify(hole)
        if hole.size - wanted < SMALLEST:
            self.inspect(hole.content, hole.end)
            self.holes.remove(hole)
            self._count(-hole.size)
            hole.kind = POINTER
            return hole
        self._count(-wanted)
        if from_top:
            end = hole.start + hole.size
            start = end - wanted
            self.inspect(start, end)
            block = Block(start, wanted, POINTER, self.form)
            block.before, block.after = hole, hole.after
            hole.after.before = hole.after = block
        else:
            self.inspect(hole.content, hole.content + wanted)
            block = Block(hole.start, wanted, POINTER, self.form)
            self._link_below(block, hole)
            hole.start += wanted
            self.memory.fill(block.start, block.content)
        hole.size -= wanted
        self.write_header(hole)
        return block

    def release(self, block: Block) -> None:
        """Make a hole of a block, and join it with free neighbours.

        The engine forgets code that was translated from there now. So nothing needs to be forgotten
        when the place is used again.
        """
        start, end = block.start, block.start + block.size
        self._count(block.size)
        after = block.after
        if self.is_hole(after):
            self._absorb(after)
            block.size += after.size
            end = after.content
        before = block.before
        if before.kind == FREE and block is not self._first:
            before.size += block.size
            before.after = block.after
            block.after.before = before
            hole = before
        else:
            hole = block
            hole.kind, hole.handle, hole.flags, hole.logical = FREE, 0, 0, 0
            insort(self.holes, hole, key=_START)
        self.memory.fill(start, end)
        self.write_header(hole)
        self.changed(start, end)

    def replace(self, block: Block, place: Block) -> Block:
        """Move a used block to a place that was carved for it; the hole that it leaves."""
        old = Block(block.start, block.size, POINTER, self.form)
        old.handle = block.handle
        old.before, old.after = block.before, block.after
        if block is self._first:
            self._first = old
        else:
            block.before.after = old
        block.after.before = old
        # If the place adjoins the block, its links must now lead to the block's new neighbours.
        block.before, block.after = place.before, place.after
        if place is self._first:
            self._first = block
        else:
            place.before.after = block
        place.after.before = block
        block.start, block.size = place.start, place.size
        return old

    def slide(self, hole: Block, block: Block) -> None:
        """Exchange a hole and the block above it."""
        self.verify(hole)
        self.inspect(hole.content, hole.end)
        self.memory.copy(block.start, hole.start, block.size)
        before, above = block.start, block.after
        end = before + block.size
        block.start, hole.start = hole.start, hole.start + block.size
        self._link_below(block, hole)
        hole.after, above.before = above, hole
        self.memory.fill(max(hole.start, before), end)
        if self.is_hole(above):
            self._absorb(above)
            self.memory.fill(above.start, above.content)
            hole.size += above.size
        self.write_header(hole)
        self.changed(block.start, end)

    def shrink(self, block: Block, wanted: int) -> None:
        """Shrink a block to a physical size, if the rest is large enough for a hole."""
        if block.size - wanted < SMALLEST:
            return
        rest = Block(block.start + wanted, block.size - wanted, POINTER, self.form)
        rest.before, rest.after = block, block.after
        block.after.before = block.after = rest
        block.size = wanted
        self.release(rest)

    def grow(self, block: Block, wanted: int) -> None:
        """Grow a block to a physical size by taking bytes from the hole after it."""
        extra = self.carve(block.after, wanted - block.size, from_top=False)
        block.after = extra.after
        extra.after.before = block
        self.memory.fill(extra.start, min(extra.content, extra.end))
        block.size += extra.size

    def _link_below(self, block: Block, hole: Block) -> None:
        """Put a block between a hole and what is below the hole."""
        block.before, block.after = hole.before, hole
        if hole is self._first:
            self._first = block
        else:
            hole.before.after = block
        hole.before = block

    def _absorb(self, hole: Block) -> None:
        """Remove a hole whose bytes now belong to another block."""
        self.holes.remove(hole)
        hole.before.after = hole.after
        hole.after.before = hole.before

    def _count(self, change: int) -> None:
        self.free += change
        self.changes += 1
        self.memory.put(self.start + Zone.zcbFree.offset, self.free)

    # -- checking ----------------------------------------------------------------------------------

    def walk(self) -> Iterator[Block]:
        """Every block from the lowest to the highest; the trailer is the last."""
        block = self._first
        while block is not self.last:
            yield block
            block = block.after
        yield block

    def block_around(self, address: int) -> Block | None:
        """The block, used or free, that an address lies in."""
        return next((b for b in self.walk() if b.start <= address < b.end), None)

    def verify(self, block: Block) -> None:
        """Check a block's header and the next block's."""
        view, base, header = self._view, self._base, self.form.size
        if self.watches_slack:
            self._verify_slack(block)
        start, after = block.start - base, block.after
        if view[start : start + header] != block.header:
            raise self._damaged(block)
        start = after.start - base
        if view[start : start + header] != after.header:
            self._note_change(after)

    def verify_all(self, *, fill: bool = False) -> None:
        """Check every header; with ``fill`` also look for writes to free memory."""
        view, base, header = self._view, self._base, self.form.size
        for block in self.walk():
            if self.watches_slack:
                self._verify_slack(block)
            start = block.start - base
            if view[start : start + header] != block.header:
                self._note_change(block)
        if fill:
            for hole in self.holes:
                self.inspect(hole.content, hole.end)
        self.changes = 0
        self._whole_at = self._owner.heap_user()

    def _note_change(self, block: Block) -> None:
        """See what a program has made of a block by its header.

        Raises:
            Exception: it is no block any more; as of `HeapOwner.heap_damaged`.
        """
        if self.form is not NARROW or not self._is_to_stay(block):
            raise self._damaged(block)
        self.on_stay(block)

    def _is_to_stay(self, block: Block) -> bool:
        """Whether the program has made it a block that stays, by a header of eight bytes.

        Apple's tools for the 68000 of 1984 do so, and link its master pointer into the zone's list.
        """
        header, before = self.memory.read(block.start, self.form.size), block.header
        is_same = header[:-8] == before[:-8] and header[-7:-4] == before[-7:-4]
        tag, zone = header[-8] & 0xC0, int.from_bytes(header[-4:], "big")
        return is_same and block.kind == HANDLE and (tag, zone) == (POINTER, self.start)

    def _damaged(self, block: Block) -> Exception:
        problem, is_narrow = self._damage(block), self._is_to_stay(block)
        return self._owner.heap_damaged(problem, by_narrow_header=is_narrow)

    def _verify_slack(self, block: Block) -> None:
        """Report writes to the few bytes between a used block's contents and its end."""
        behind = block.content + block.logical
        if block.kind != FREE and self.memory.first_stray(behind, block.end) is not None:
            self._owner.heap_finding("free memory", f"the program wrote behind the end of {block}")
            self.fill_slack(block)

    def last_time(self) -> str:
        """A sentence that says when the heap was last found whole; "" if it was never checked."""
        return f" At {self._whole_at} the heap was still whole." if self._whole_at else ""

    def _damage(self, block: Block) -> str:
        header = self.memory.read(block.start, self.form.size)
        below = f" It lies behind {block.before}." if block is not self._first else ""
        return (
            f"the header of {block} was overwritten: it is {header.hex(' ', 4)} instead of "
            f"{block.header.hex(' ', 4)}.{below}{self.last_time()}"
        )

    # -- what is left in free memory ---------------------------------------------------------------

    def inspect(self, start: int, end: int) -> None:
        """Report writes to free memory between two addresses; it may be about to be used."""
        stray = self.memory.first_stray(start, end)
        if stray is not None:
            self._owner.heap_finding(*self._stray_write(stray))
            self.memory.fill(start, end)

    def _stray_write(self, address: int) -> tuple[str, str]:
        """The names of the check and the problem for a write to free memory."""
        wrote = f"the program wrote to 0x{address:08x}, "
        check, where = self.former.around(address)
        if check:
            return check, f"{wrote}{where}"
        hole = self.block_around(address)
        below = hole.before if hole is not None and hole is not self._first else None
        behind = f" behind {below}" if below is not None else ""
        return "free memory", f"{wrote}which is free memory{behind}"
