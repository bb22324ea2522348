"""Moves blocks of a heap zone: to compact it, to make room, and to find those who rely on places.

Source: Inside Macintosh: Memory, chapters 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.managers.memory.block import Block, HeapOwner
from emu.toolbox.managers.memory.heap_space import HeapSpace
from emu.toolbox.managers.memory.used_masters import UsedMasters

MOST_MOVED = 100
"""The most blocks that one call of `BlockMoves.scramble` moves; the next one goes on after them."""


class BlockMoves:
    """Moves blocks, and lets their master pointers lead to where they are then.

    Args:
        space: the blocks and free space of the zone.
        used: the master pointers.
        blocks: every used block, by the address of its contents; kept up to date.
        movable: the blocks that are not locked, the one first that was moved longest ago.
        owner: the object that is told of mistakes.
        more_space: makes the zone larger, for a hole of so many bytes at its end, or says that it
            cannot.
    """

    def __init__(
        self,
        space: HeapSpace,
        used: UsedMasters,
        blocks: dict[int, Block],
        movable: dict[Block, None],
        owner: HeapOwner,
        more_space: Callable[[int], bool],
    ) -> None:
        self._space = space
        self._more_space = more_space
        self._used = used
        self._blocks = blocks
        self._movable = movable
        self._owner = owner

    def verify(self, block: Block) -> None:
        """Check a used block's header, and its master pointer if it has one.

        Raises:
            Exception: one was overwritten; as of `HeapOwner.heap_damaged`.
        """
        self._space.verify(block)
        if block.handle:
            self._used.verify(block.handle, block)

    def into(self, hole: Block, block: Block, size: int, *, from_top: bool = True) -> None:
        """Move a block into a hole and change its logical size."""
        space = self._space
        self.verify(block)
        place = space.carve(hole, space.form.physical_size(size), from_top=from_top)
        space.memory.copy(block.content, place.content, min(block.logical, size))
        old = space.replace(block, place)
        block.logical = size
        del self._blocks[old.content]
        self._blocks[block.content] = block
        space.write_header(block)
        self._used.point(block)
        space.former.note(old, moved=True)
        space.release(old)

    def scramble(self, running: int) -> None:
        """Move blocks that may be moved, to find programs that keep their old addresses.

        Args:
            running: the address at which the program goes on; the block of this code stays.
        """
        movable, space = self._movable, self._space
        blocks = list(movable)
        if len(blocks) > MOST_MOVED:
            blocks = blocks[:MOST_MOVED]
            for block in blocks:
                del movable[block]
                movable[block] = None
        space.postpone()
        try:
            for block in blocks:
                if block.start <= running < block.start + block.size:
                    self._owner.heap_finding(
                        "unlocked code", f"the program executes code in {block}, which may move"
                    )
                    continue
                size = space.form.physical_size(block.logical)
                hole = space.hole_for(size)
                if hole is None and self._more_space(size):
                    hole = space.hole_for(size)
                if hole is not None:
                    self.into(hole, block, block.logical)
        finally:
            space.catch_up()

    def high(self, block: Block) -> None:
        """Move a block to the highest hole that it fits into."""
        hole = self._space.hole_for(self._space.form.physical_size(block.logical))
        if hole is not None and hole.start > block.start:
            self.into(hole, block, block.logical)

    def compact(self) -> None:
        """Move blocks down into the holes below them."""
        space = self._space
        space.postpone()
        block = next(space.walk())
        while block is not space.last:
            after = block.after
            if space.is_hole(block) and after.movable:
                space.former.note(after, moved=True)
                del self._blocks[after.content]
                space.slide(block, after)
                self._blocks[after.content] = after
                self._used.point(after)
            else:
                block = after
        space.catch_up()

    def gather(self, wanted: int) -> None:
        """Move blocks down past those that cannot move, until there is a hole of so many bytes.

        A Macintosh does not do that. But there no block lies between two that cannot move because
        it was scrambled, so that the program is not to blame for the holes.
        """
        space = self._space
        for block in sorted(self._movable, key=lambda block: block.start, reverse=True):
            size = space.form.physical_size(block.logical)
            below = (h for h in space.holes if h.start < block.start)
            hole = next((h for h in below if h.size >= size), None)
            if hole is not None:
                self.into(hole, block, block.logical, from_top=False)
                if space.hole_for(wanted) is not None:
                    return

    def out_of_the_way(self, block: Block, wanted: int) -> None:
        """Move relocatable blocks away from the space after a block that cannot move.

        Args:
            block: it.
            wanted: the bytes that it shall have. It may get fewer.
        """
        space = self._space
        room, in_the_way, behind = block.size, [], block.after
        while room < wanted and behind is not space.last:
            if behind.movable:
                in_the_way.append(behind)
            elif not space.is_hole(behind):
                return
            room += behind.size
            behind = behind.after
        limit = behind.start
        for other in in_the_way:
            size = space.form.physical_size(other.logical)
            elsewhere = (h for h in reversed(space.holes) if not block.start <= h.start < limit)
            hole = next((h for h in elsewhere if h.size >= size), None)
            if hole is None:
                return
            self.into(hole, other, other.logical)
