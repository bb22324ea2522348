"""A heap zone: handles and pointers to blocks in its space (see `heap_space`).

A nonrelocatable block gets the lowest free place and a relocatable one the highest, so that the two
kinds do not mix.
Source: Inside Macintosh: Memory, chapters 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from emu.machine.memory.memory import GuestMemory
from emu.toolbox.managers.memory.block import (
    HANDLE,
    POINTER,
    PURGEABLE,
    Block,
    HeapOwner,
    HeapUse,
    header_form,
)
from emu.toolbox.managers.memory.block_moves import BlockMoves
from emu.toolbox.managers.memory.heap_space import HeapSpace
from emu.toolbox.managers.memory.masters import FreeMasters
from emu.toolbox.managers.memory.used_masters import UsedMasters
from emu.toolbox.records.system import Zone

MASTERS_IN_A_BLOCK = 64


class Heap:
    """A heap zone.

    Args:
        memory: guest memory.
        start: the address for the zone record.
        end: the first address after the zone.
        owner: the object that is told of mistakes and changes.
        masters: how many master pointers `more_masters` makes at once.
        flags_in_masters: whether a master pointer's highest byte has its flags, as with 24-bit
            addressing, where programs set and clear them there, and headers are narrow.
        more_space: makes the zone larger, so that it has a hole of so many bytes, or says that it
            cannot.

    Attributes:
        space: the blocks and free space of the zone.
        start: the zone's address.
        end: the first address after it.
        grow_zone: the program's routine to call when the zone is full, or 0.
        handles: the block of every handle; None for an empty one.
        blocks: every used block, by the address of its contents.
        master_blocks: those of them that hold master pointers.
        flags_in_masters: as given.
        other_ends: tells of each new block whether it is taken from the end of the zone that it
            usually is not; blocks are taken from the usual ones when it tells nothing more.
    """

    def __init__(
        self,
        memory: GuestMemory,
        start: int,
        end: int,
        owner: HeapOwner,
        masters: int = MASTERS_IN_A_BLOCK,
        *,
        flags_in_masters: bool = False,
        more_space: Callable[[int], bool] = lambda wanted: False,
    ) -> None:
        form = header_form(has_24_bits=flags_in_masters)
        self.space = HeapSpace(memory, start, end, owner, form)
        self.space.on_stay = self._let_stay
        self.start, self.end = start, end
        self.grow_zone = 0
        self.handles: dict[int, Block | None] = {}
        self.blocks: dict[int, Block] = {}
        self.master_blocks: set[Block] = set()
        self.other_ends: Iterator[bool] = iter(())
        self.more_space = more_space
        self.flags_in_masters = flags_in_masters
        self._owner, self._masters_in_a_block = owner, masters
        self._masters = FreeMasters(self.space, owner)
        self._movable: dict[Block, None] = {}
        self._used = UsedMasters(self.space, owner, self._movable, flags_in_masters)
        self._moves = BlockMoves(
            self.space, self._used, self.blocks, self._movable, owner, more_space
        )
        self.space.memory.put(start + Zone.moreMast.offset, masters << 16)

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
        handle = self._masters.take()
        self.handles[handle] = None
        self.space.memory.put(handle, 0)
        return handle

    def fill_handle(self, handle: int, size: int) -> bool:
        """Give an empty handle a block; False if there is no room."""
        block = self._allocate(size, HANDLE)
        if block is None:
            return False
        self._used.verify(handle, None)
        block.handle = handle
        self.space.write_header(block)
        self.handles[handle] = block
        self._movable[block] = None
        self._used.point(block)
        return True

    def adopt(self, handle: int, size: int) -> bool:
        """Make a word anywhere in memory the master pointer of a new block; False without room."""
        self.handles[handle] = None
        self.space.memory.put(handle, 0)
        return self.fill_handle(handle, size)

    def spoil(self, handle: int) -> None:
        """Let any use of a handle that is disposed of be a fault."""
        self._masters.spoil(handle)

    @property
    def has_free_masters(self) -> bool:
        """Whether the next handle needs no new block of master pointers."""
        return bool(self._masters)

    def more_masters(self) -> bool:
        """Make another block of master pointers; False if there is no room."""
        block = self._allocate(4 * self._masters_in_a_block, POINTER)
        if block is None:
            return False
        self._masters.add(block)
        self.master_blocks.add(block)
        return True

    def _allocate(self, size: int, kind: int) -> Block | None:
        space, wanted = self.space, self.space.form.physical_size(size)
        if size < 0:
            return None
        from_top = (kind == HANDLE) != next(self.other_ends, False)
        hole = space.hole_for(wanted, from_top=from_top)
        if hole is None and self.make_room(wanted):
            hole = space.hole_for(wanted, from_top=from_top)
        if hole is None:
            return None
        block = space.carve(hole, wanted, from_top=from_top)
        block.kind, block.logical, block.maker = kind, size, self._owner.heap_user()
        space.write_header(block)
        self.blocks[block.content] = block
        self._look_around()
        return block

    def make_room(self, wanted: int) -> bool:
        """Compact the zone, let it grow, or purge it, for a hole of so many physical bytes."""
        if wanted <= self.space.free:
            self.compact()
            if self.space.hole_for(wanted) is not None:
                return True
        if self.more_space(wanted):
            return True
        if wanted <= self.space.free:
            self.look_at_changes()
            self._moves.gather(wanted)
        if self.space.hole_for(wanted) is None:
            if wanted > self.space.free + self.purgeable_bytes():
                return False
            self.purge(wanted)
        return self.space.hole_for(wanted) is not None

    def extend(self, end: int) -> None:
        """Let the zone end farther up."""
        self.space.extend(end)
        self.end = end

    def dispose(self, block: Block) -> None:
        """Free a block. A handle that led to it is empty afterwards."""
        self._moves.verify(block)
        del self.blocks[block.content]
        self.space.former.note(block, moved=False)
        if block.handle:
            self._movable.pop(block, None)
            self.handles[block.handle] = None
            self.space.memory.put(block.handle, 0)
        self.space.release(block)
        self._look_around()

    def _let_stay(self, block: Block) -> None:
        """Take note that a program has made a relocatable block one that stays."""
        self._movable.pop(block, None)
        del self.handles[block.handle]
        self._masters.give_back(block.handle)
        block.kind, block.handle, block.flags = POINTER, 0, 0
        self.space.write_header(block)

    def release_handle(self, handle: int) -> None:
        """Free a handle, and its block if it has one."""
        block = self.handles[handle]
        if block is not None:
            self.dispose(block)
        else:
            self._used.verify(handle, None)
        del self.handles[handle]
        self._masters.give_back(handle)

    def resize(self, block: Block, size: int, *, may_move: bool) -> bool:
        """Change a block's logical size; False, and no change, if there is no room."""
        space, wanted = self.space, self.space.form.physical_size(size)
        self._moves.verify(block)
        if wanted <= block.size:
            space.shrink(block, wanted)
        elif self._has_room_behind(block, wanted, may_move=may_move):
            space.grow(block, wanted)
        else:
            hole = space.hole_for(wanted) if may_move else None
            if hole is None and may_move and self._resize_among_others(block, size):
                return True
            if hole is None and may_move and self.more_space(wanted):
                hole = space.hole_for(wanted)
            if hole is None:
                return False
            self._moves.into(hole, block, size)
            return True
        block.logical = size
        space.write_header(block)
        space.fill_slack(block)
        return True

    def _resize_among_others(self, block: Block, size: int) -> bool:
        """Change a relocatable block's size where the blocks round it have to move for that."""
        space, handle, flags = self.space, block.handle, block.flags
        if self.space.form.physical_size(size) > self.largest_room(without=block):
            return False
        contents = space.memory.read(block.content, min(block.logical, size))
        del self.blocks[block.content], self._movable[block]
        space.former.note(block, moved=True)
        self.handles[handle] = None
        space.memory.put(handle, 0)
        space.release(block)
        self.compact()
        if not self.fill_handle(handle, size):
            return False
        moved = self.handles[handle]
        assert moved is not None
        space.memory.write(moved.content, contents)
        self.set_flags(moved, flags)
        return True

    def largest_room(self, without: Block | None = None) -> int:
        """The bytes of the largest hole that compaction could make.

        Args:
            without: a block that counts as free.
        """
        largest = run = 0
        for block in self.space.walk():
            # Movable blocks would be moved down and leave their space at the end of the run.
            if block is without or self.space.is_hole(block):
                run += block.size
            elif not block.movable:
                largest, run = max(largest, run), 0
        return max(largest, run)

    def _has_room_behind(self, block: Block, wanted: int, *, may_move: bool) -> bool:
        """Whether a block can grow where it is; if it may not move, others make room for it."""

        def has_room() -> bool:
            return self.space.is_hole(block.after) and block.size + block.after.size >= wanted

        if may_move or has_room():
            return has_room()
        behind = block.after.after if self.space.is_hole(block.after) else block.after
        if behind is self.space.last and self.more_space(wanted - block.size):
            return True
        self._moves.out_of_the_way(block, wanted)
        return has_room()

    # -- finding and checking ----------------------------------------------------------------------

    @property
    def free(self) -> int:
        """The number of free bytes, including headers of free blocks."""
        return self.space.free

    @property
    def largest(self) -> int:
        """The size in bytes of the largest block that fits without moving anything."""
        header = self.space.form.size
        return max((hole.size for hole in self.space.holes), default=header) - header

    def was_disposed(self, handle: int) -> bool:
        """Whether it is a handle that has been disposed of."""
        return self._masters.disposed(handle) is not None

    def disposal_of(self, handle: int) -> HeapUse | None:
        """The call that has disposed of a handle, if it was disposed of."""
        return self._masters.disposed(handle)

    def handle_was(self, address: int) -> str:
        """The disposed handle whose master pointer was at an address, in words; "" if none was."""
        use = self._masters.disposed(address)
        if use is None:
            return ""
        return f"the master pointer of a handle that {self._owner.heap_words(use)} had disposed of"

    def block_of(self, handle: int) -> Block | None:
        """Check an existing handle, and return its block; None if the handle is empty."""
        self._used.verify(handle, self.handles[handle])
        return self.handles.get(handle)

    def block_around(self, address: int) -> Block | None:
        """The block, used or free, that an address lies in."""
        return self.space.block_around(address)

    def verify_all(self, *, fill: bool = False) -> None:
        """Check all headers and master pointers; with ``fill`` also the contents of free memory."""
        for handle, block in list(self.handles.items()):
            self._used.verify(handle, block)
        self.space.verify_all(fill=fill)
        if fill:
            self._masters.verify_all()

    def _look_around(self) -> None:
        """Check all headers from time to time: seldom enough to keep the cost low."""
        if self.space.changes > 64 + len(self.blocks):
            self.verify_all()

    def set_flags(self, block: Block, flags: int) -> None:
        """Set a relocatable block's master pointer flags."""
        if flags != block.flags:
            self._moves.verify(block)
            self._used.set_flags(block, flags)

    def flags(self, handle: int) -> int:
        """The flags of a handle's master pointer; 0 if it is empty or none."""
        block = self.handles.get(handle)
        if block is not None and self.flags_in_masters:
            self._used.verify(handle, block)
        return block.flags if block is not None else 0

    def look_at_changes(self) -> None:
        """Learn which blocks the program has locked, unlocked and made to stay by itself."""
        if self.flags_in_masters:
            self.space.verify_all()
            for handle, block in list(self.handles.items()):
                self._used.verify(handle, block)

    # -- moving ------------------------------------------------------------------------------------

    def scramble(self, running: int) -> None:
        """Move blocks that may be moved, to find programs that keep their old addresses.

        Args:
            running: the address at which the program goes on; the block of this code stays.
        """
        self.look_at_changes()
        if self._movable:
            self._moves.scramble(running)
            self._look_around()

    def move_high(self, block: Block) -> None:
        """Move a block to the highest hole that it fits into."""
        self._moves.high(block)

    def compact(self) -> None:
        """Move blocks down into the holes below them."""
        self.verify_all()
        self._moves.compact()

    def purge(self, wanted: int) -> None:
        """Empty purgeable handles until there is a hole of this many physical bytes."""
        self.look_at_changes()
        for block in list(self._movable):
            if block.flags & PURGEABLE:
                self._owner.heap_purging(block.handle)
                self.dispose(block)
                self.compact()
                if self.space.hole_for(wanted) is not None:
                    return

    def purgeable_bytes(self) -> int:
        """How many bytes purging would free."""
        return sum(block.size for block in self._movable if block.flags & PURGEABLE)
