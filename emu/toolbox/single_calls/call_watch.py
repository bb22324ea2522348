"""What guest code does to the heap in a call that is made once more, slowly, to be explained.

Two questions are answered. Which instruction was the last to store to a byte of a block, wherever
the block has moved since? And which instructions access memory of the heap that belongs to no
block: behind the end of one, or where one was before it moved or was disposed of?
"""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from emu.machine.calls.system import StrayAccess
from emu.program import Program
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import FREE, Block
from emu.toolbox.managers.memory.heap import Heap
from emu.toolbox.single_calls.given_blocks import GivenBlocks

_GLUE = 64
"""The most bytes of stack that glue takes, with the arguments that it passes on."""
_NEAR = 16
"""The most bytes from one access of a loop to the next, for both to be taken for one block's."""


@dataclass(frozen=True, slots=True, eq=False)
class _Zone:
    """The blocks of a zone as long as none moves: those in use, and where each begins."""

    revision: int
    starts: list[int]
    blocks: list[Block]


@dataclass(frozen=True, slots=True, eq=False)
class _Inside:
    """The last access of an instruction that was to a block."""

    block: Block
    address: int
    revision: int


@dataclass(frozen=True, slots=True, eq=False)
class BeforeRoutine:
    """What a routine of the Toolbox may change.

    Attributes:
        outer: `Host.calling` of the routine that has called the program back, or 0.
        watched: the watched bytes.
        blocks: the contents of the blocks of handles.
    """

    outer: int
    watched: bytes
    blocks: Mapping[Block, bytes]


class CallWatch:
    """Sees what a call does that a Macintosh answers.

    Args:
        mac: the Macintosh.
        given: the blocks that its calls are given.
        program: the program that calls.
        watched: addresses; what was the last to store to each is noted.
    """

    def __init__(
        self, mac: Macintosh, given: GivenBlocks, program: Program, watched: range
    ) -> None:
        self._mac = mac
        self._program = program
        self._given = given
        self._watched = watched
        self._plain: dict[int, int] = {}
        self._zones: dict[int, _Zone] = {}
        self._stores: dict[tuple[Block, int], int] = {}
        self._last: dict[int, _Inside] = {}
        self._strays: dict[tuple[int, bool], StrayAccess] = {}

    @property
    def strays(self) -> tuple[StrayAccess, ...]:
        """The accesses to memory that belongs to no block; see `SystemCalls.strays`."""
        return tuple(self._strays.values())

    @property
    def stores(self) -> Mapping[int, int]:
        """Of the watched addresses, the program counter of the last store to each.

        What is in the block of a handle is followed wherever the block has moved. The addresses are
        those where it is now, or, if it was given, where it is before and after the call.
        """
        watched, by_address = self._watched, dict(self._plain)
        homes = [
            (block, self._given.block_of(block)) for block in self._given.every if block.master
        ]
        moved = [
            (range(at, at + room), block)
            for at, room, block in (
                *((home.address, home.room, block) for home, block in homes if block is not None),
                *((block.content, block.logical, block) for block in self._movable()),
            )
        ]
        for place, block in moved:
            for address in range(max(watched.start, place.start), min(watched.stop, place.stop)):
                by_address.pop(address, None)  # which was of another block that lay there
                by = self._stores.get((block, address - place.start))
                if by is not None:
                    by_address[address] = by
        return by_address

    # -- what guest code does ----------------------------------------------------------------------

    @contextlib.contextmanager
    def seeing(self) -> Iterator[None]:
        """See what guest code accesses meanwhile."""
        layout, engine = self._mac.layout, self._mac.engine
        heap = range(layout.heap, layout.heap + layout.heap_size)
        every = self._given.every
        lows = [min(block.address, block.master or block.address) for block in every]
        highs = [max(block.address + block.room, block.master + 4) for block in every]
        given = range(min(lows, default=0), max(highs, default=0))
        with (
            engine.watched_accesses.noting_stores(self._watched) as self._plain,
            engine.watched_accesses.seeing(self._see, heap, has_loads=True),
            engine.watched_accesses.seeing(self._see_given, given, has_loads=True),
        ):
            yield

    def _see(self, instruction: int, address: int, size: int, is_store: bool) -> None:
        """See an access to the heap."""
        heap = self._mac.memory.zones.at(address)
        zone, block = self._zone(heap), self._block(heap, address)
        if block is None or address < block.content or address + size > _end(block):
            where = self._where(heap, block, self._last.get(instruction), address, size, is_store)
            self._note(instruction, address, size, is_store, where)
            return
        if block in heap.master_blocks:
            self._note(instruction, address, size, is_store, heap.handle_was(address))
        self._last[instruction] = _Inside(block, address, zone.revision)
        if is_store and block.handle:
            first = address - block.content
            self._stores.update(((block, first + n), instruction) for n in range(size))

    def _see_given(self, instruction: int, address: int, size: int, is_store: bool) -> None:
        """See an access to memory of the call's own, some of which is blocks or master pointers."""
        heap = self._mac.memory.heap
        where = heap.handle_was(address)
        for block in self._given.every:
            if address in range(block.address, block.address + block.room) and not block.master:
                where = heap.space.former.around(address)[1] if self._given.is_freed(block) else ""
        self._note(instruction, address, size, is_store, where)

    def _note(self, instruction: int, address: int, size: int, is_store: bool, where: str) -> None:
        if where:
            act = "writes" if is_store else "reads"
            what = f"{act} {size} byte{'s' * (size > 1)} at 0x{address:08x}, {where}"
            stray = StrayAccess(instruction, is_store, what)
            self._strays.setdefault((instruction, is_store), stray)

    def _where(
        self,
        heap: Heap,
        block: Block | None,
        last: _Inside | None,
        address: int,
        size: int,
        is_store: bool,
    ) -> str:
        """Where an access goes that does not go to a block alone; "" if it may go there.

        Args:
            heap: the zone.
            block: the block in use around the address, header and all; None if there is none.
            last: the access of the same instruction before.
            address: where it begins.
            size: how many bytes it has.
            is_store: whether it stores. A load from a header, or from what lies between the
                contents and the end of a block, is as harmless as on a Macintosh.
        """
        space = heap.space
        if last is not None and last.revision == space.revision:
            end = _end(last.block)
            if end < address + size and abs(address - last.address) <= _NEAR:
                return _behind(last.block, address) if is_store or block is None else ""
        was = space.former.around(address)[1]
        if was and (block is None or address < block.content):
            return was
        if block is not None and address >= block.content:
            return _behind(block, address) if is_store or address + size > block.end else ""
        below = self._below(heap, address)
        if block is None and address < space.last.start and below is not None:
            return f"free memory, {_behind(below, address)}"
        if is_store and block is not None:
            behind = f", {_behind(below, address)}" if below is not None else ""
            return f"the header of {block}{behind}"
        return ""

    # -- what routines of the Toolbox do -----------------------------------------------------------

    def before_routine(self) -> BeforeRoutine:
        """What a routine may change that is about to be performed."""
        before = self._contents()
        self._mac.host.calling = self._caller()
        return before

    def _contents(self) -> BeforeRoutine:
        read = self._mac.guest.read
        return BeforeRoutine(
            self._mac.host.calling,
            read(self._watched.start, len(self._watched)),
            {block: read(block.content, block.logical) for block in self._movable()},
        )

    def _caller(self) -> int:
        """The address of the instruction that calls a routine, in code of which lines are known.

        Glue has none. What it was called from is then the first word of the stack that leads behind
        an instruction of such code.
        """
        host, locate = self._mac.host, self._program.locate
        size = len(host.cpu.no_operation)
        direct = host.return_address - size
        if locate(direct).line:
            return direct
        guest, engine = self._mac.guest, self._mac.engine
        start = engine.registers[engine.index[host.cpu.stack_pointer]]
        end = min(start + _GLUE, self._mac.layout.stack_top)
        words = (guest.u32(place) for place in range(start, end - 3, 2))
        # An argument may be the address of a function; that is its beginning.
        callers = (
            word - size for word in words if locate(word - size).line and locate(word).offset
        )
        return next(callers, direct)

    def note_changes(self, before: BeforeRoutine) -> None:
        """Note what a routine has changed."""
        now, caller = self._contents(), self._mac.host.calling
        self._mac.host.calling = before.outer
        for address, old, new in zip(self._watched, before.watched, now.watched, strict=True):
            if old != new:
                self._plain[address] = caller
        fill = bytes([self._mac.memory.heap.space.memory.filling])
        for block, data in now.blocks.items():
            was = before.blocks.get(block, b"").ljust(len(data), fill)
            if was[: len(data)] != data:
                changed = (n for n, byte in enumerate(data) if byte != was[n])
                self._stores.update(((block, n), caller) for n in changed)

    # -- the blocks --------------------------------------------------------------------------------

    def _movable(self) -> Iterator[Block]:
        for zone in self._mac.memory.zones:
            yield from (handle for handle in zone.handles.values() if handle is not None)

    def _zone(self, heap: Heap) -> _Zone:
        space = heap.space
        zone = self._zones.get(space.start)
        if zone is None or zone.revision != space.revision:
            blocks = [block for block in space.walk() if block.kind != FREE]
            zone = _Zone(space.revision, [block.start for block in blocks], blocks)
            self._zones[space.start] = zone
        return zone

    def _below(self, heap: Heap, address: int) -> Block | None:
        """The last block in use that begins below an address."""
        zone = self._zone(heap)
        index = bisect_right(zone.starts, address - 1) - 1
        return zone.blocks[index] if index >= 0 else None

    def _block(self, heap: Heap, address: int) -> Block | None:
        """The block in use around an address, header and all."""
        zone = self._zone(heap)
        index = bisect_right(zone.starts, address) - 1
        block = zone.blocks[index] if index >= 0 else None
        return block if block is not None and address < block.end else None


def _end(block: Block) -> int:
    """The address behind the contents of a block."""
    return block.content + block.logical


def _behind(block: Block, address: int) -> str:
    distance = max(address - _end(block), 0) + 1
    return f"{distance} byte{'s' * (distance > 1)} behind the end of {block}"
