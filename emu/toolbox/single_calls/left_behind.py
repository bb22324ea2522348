"""What a call leaves of a Macintosh that is not as it was before.

Looked at are the heap, the current port, the state of Random, the screen and the cursor. Nothing
else of the Toolbox is: neither windows, menus and events, nor files, resources and sound.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.system import GivenBlock, Leftover
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.toolbox.guest.guest_access import BadAddressError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import LOCKED, RESOURCE, Block
from emu.toolbox.managers.quickdraw.ports.grafport import program_globals
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.single_calls.given_blocks import GivenBlocks

HEAP, PORT, RANDOM, PIXELS, CURSOR = "heap", "port", "random", "pixels", "cursor"
_PARTS = {
    "rectangle": (0, GrafPort.visRgn.offset),
    "patterns": (GrafPort.bkPat.offset, GrafPort.pnLoc.offset),
    "pen": (GrafPort.pnLoc.offset, GrafPort.txFont.offset),
    "text": (GrafPort.txFont.offset, GrafPort.fgColor.offset),
    "colors": (GrafPort.fgColor.offset, GrafPort.picSave.offset),
    "recording": (GrafPort.picSave.offset, GrafPort.size),
}
"""The parts of a port's record, each from one offset to another."""

_WORDS = {
    "current": "another current port",
    "rectangle": "the port's rectangle, device or bit map",
    "visible": "the port's visible region",
    "clip": "the port's clipping region",
    "patterns": "the port's patterns",
    "pen": "the port's pen",
    "text": "the port's font, face, mode or size of text",
    "colors": "the port's colours",
    "recording": "an open picture, region or polygon, or other low-level routines, of the port",
}
_Thing = TypeVar("_Thing", Block, GivenBlock)
GONE = 2
"""The value of ``port.current`` if the current port is none any more; of ``cursor.obscured`` if the
cursor is obscured no more."""


@dataclass(frozen=True, slots=True, eq=False)
class _Before:
    """What there was before the call.

    Attributes:
        blocks: the blocks of all zones.
        locked: the handles whose blocks were locked.
        port: the address of the current port.
        parts: the parts of its record, and the contents of its regions.
        owned: the given blocks to which the program's variables lead.
        seed: the state of Random.
        screen: the bytes of the screen.
        cursor: its level, its image, and whether it is obscured.
    """

    blocks: frozenset[Block]
    locked: frozenset[int]
    port: int
    parts: dict[str, bytes]
    owned: frozenset[GivenBlock]
    seed: int
    screen: NDArray[np.uint8]
    cursor: tuple[int, bytes, bool]


class Leftovers:
    """Compares a Macintosh with what it was when this was made.

    Args:
        mac: the Macintosh.
        given: the blocks that calls on it are given.
        program: the memory that a program keeps to itself: its globals, not the stack.
    """

    def __init__(self, mac: Macintosh, given: GivenBlocks, program: GuestMemory) -> None:
        self._mac = mac
        self._given = given
        self._program = program
        self._freed_before = len(given.freed)
        self._before = _Before(
            blocks=frozenset(self._blocks()) - set(map(given.block_of, given.every)),
            locked=frozenset(self._locked()),
            port=self._port(),
            parts=self._parts(self._port()),
            owned=frozenset(self._owned()),
            seed=self._seed(),
            screen=self._screen().copy(),
            cursor=self._cursor(),
        )
        self._numbers: dict[str, int] = {}
        self._left: dict[Leftover, None] = {}

    def look(self) -> tuple[tuple[Leftover, ...], dict[str, int]]:
        """What is not as it was: in words, and as numbers by their names."""
        self._numbers, self._left = {}, {}
        self._look_at_heap()
        self._look_at_port()
        if self._seed() != self._before.seed:
            self._note(RANDOM, "the state of Random", RANDOM, self._seed())
        self._look_at_screen()
        self._look_at_cursor()
        return tuple(self._left), self._numbers

    def _note(self, kind: str, what: str, name: str, number: int) -> None:
        self._left[Leftover(kind, what)] = None
        self._numbers[name] = number & 0xFFFFFFFF

    # -- the heap ----------------------------------------------------------------------------------

    def _look_at_heap(self) -> None:
        own = {self._given.block_of(block) for block in self._given.every}
        new = [
            block
            for block in self._blocks()
            if block not in self._before.blocks and block not in own and not block.flags & RESOURCE
        ]
        freed = len(self._given.freed) - self._freed_before
        gone = sum(1 for block in self._before.blocks if not self._is_there(block))
        kept = self._reachable(self._places(new), self._roots()) if new else set()
        for block in new:
            where = "the program's variables lead to" if block in kept else "nothing leads to"
            self._note(HEAP, f"a block that {block.maker} made, and that {where}", "", 0)
        if freed:
            self._note(HEAP, "a block that it was given is disposed of", "", 0)
        still = self._owned() if self._before.owned else set()
        if any(not self._given.is_freed(block) for block in self._before.owned - still):
            what = "a block that it was given, and that nothing leads to any more"
            self._note(HEAP, what, "", 0)
        if len(new) != freed + gone:
            self._numbers["heap.blocks"] = (len(new) - freed - gone) & 0xFFFFFFFF
        locked = frozenset(self._locked())
        if locked - self._before.locked:
            self._note(HEAP, "a handle that is locked", "heap.locked", len(locked))
        self._numbers.pop("", None)

    def _is_there(self, block: Block) -> bool:
        return any(zone.blocks.get(block.content) is block for zone in self._mac.memory.zones)

    def _blocks(self) -> Iterator[Block]:
        for zone in self._mac.memory.zones:
            masters = zone.master_blocks
            yield from (block for block in zone.blocks.values() if block not in masters)

    def _locked(self) -> Iterator[int]:
        for zone in self._mac.memory.zones:
            for handle, block in zone.handles.items():
                if block is not None and block.flags & LOCKED:
                    yield handle

    def _owned(self) -> set[GivenBlock]:
        """The given blocks to which the program's variables lead, or another such block."""
        places: dict[int, tuple[GivenBlock, int, int]] = {}
        for given_block in self._given.every:
            block = self._given.block_of(given_block)
            if block is not None:
                size = min(block.logical, given_block.room)
                places[given_block.master or given_block.address] = given_block, block.content, size
        roots = (root for root in self._roots() if root.name != "heap")  # that is the caller's
        return self._reachable(places, roots) if places else set()

    def _places(self, blocks: list[Block]) -> dict[int, tuple[Block, int, int]]:
        return {
            place: (block, block.content, block.logical)
            for block in blocks
            for place in (block.handle, block.content)
            if place
        }

    def _roots(self) -> Iterator[MemoryRegion]:
        for region in self._program.regions:
            if region.writable and region.name != "stack":
                yield region

    def _reachable(
        self, left: dict[int, tuple[_Thing, int, int]], roots: Iterable[MemoryRegion]
    ) -> set[_Thing]:
        """The things to which a region leads, or another such thing.

        Args:
            left: the things by the addresses that lead to them, with where the contents of each
                are, and how many bytes.
            roots: the regions.
        """
        guest = self._mac.guest.memory
        reached: set[_Thing] = set()
        pieces = [guest.view(region.address, region.size) for region in roots]
        while pieces:
            lefts = [left[place] for piece in pieces for place in _words(piece) & left.keys()]
            pieces = [guest.view(at, size) for block, at, size in lefts if block not in reached]
            reached |= {block for block, _, _ in lefts}
        return reached

    # -- QuickDraw ---------------------------------------------------------------------------------

    def _look_at_port(self) -> None:
        before, port = self._before, self._port()
        if port != before.port:
            is_there = self._is_port(port)
            words = _WORDS["current"] if is_there else "a current port that is none any more"
            self._note(PORT, words, "port.current", 1 if is_there else GONE)
        for name, now in self._parts(before.port).items():
            if now != before.parts.get(name):
                self._note(PORT, _WORDS[name], f"port.{name}", zlib.crc32(now) | 1)

    def _port(self) -> int:
        return self._mac.guest.u32(self._mac.quickdraw.globals)

    def _is_port(self, port: int) -> bool:
        """Whether there is memory for a port, with regions that are handles."""
        try:
            record = GrafPort(self._mac.guest, port)
            regions = record.visRgn, record.clipRgn
        except BadAddressError:
            return False
        return all(map(self._mac.memory.is_handle, regions))

    def _parts(self, port: int) -> dict[str, bytes]:
        try:
            record = self._mac.guest.read(port, GrafPort.size)
        except BadAddressError:
            return {}
        parts = {name: record[start:end] for name, (start, end) in _PARTS.items()}
        regions = {"visible": GrafPort.visRgn.of(record), "clip": GrafPort.clipRgn.of(record)}
        for name, region in regions.items():
            is_there = self._mac.memory.is_handle(region)
            parts[name] = self._mac.memory.contents(region) if is_there else b""
        return parts

    def _seed(self) -> int:
        seed = program_globals(self._mac.guest, self._mac.quickdraw.globals).randSeed
        return int(seed) & 0xFFFFFFFF

    def _screen(self) -> NDArray[np.uint8]:
        layout = self._mac.layout
        return self._mac.guest.memory.view(layout.screen, layout.screen_size)

    def _look_at_screen(self) -> None:
        screen = self._screen()
        if not np.array_equal(screen, self._before.screen):
            changed = int(np.unpackbits(screen ^ self._before.screen).sum())
            self._note(PIXELS, "pixels of the screen", "pixels.changed", changed)
            self._numbers["pixels.digest"] = zlib.crc32(screen.tobytes()) | 1

    # -- the cursor --------------------------------------------------------------------------------

    def _cursor(self) -> tuple[int, bytes, bool]:
        cursor = self._mac.quickdraw_cursor
        return cursor.level, cursor.image, cursor.is_obscured

    def _look_at_cursor(self) -> None:
        (level, image, obscured), before = self._cursor(), self._before.cursor
        if level != before[0]:
            self._note(
                CURSOR,
                "a cursor that is hidden more or less often",
                "cursor.level",
                level - before[0],
            )
        if image != before[1]:
            self._note(CURSOR, "another image of the cursor", "cursor.image", zlib.crc32(image) | 1)
        if obscured != before[2]:
            self._note(CURSOR, "an obscured cursor", "cursor.obscured", 1 if obscured else GONE)


def _words(piece: NDArray[np.uint8]) -> set[int]:
    """The 32-bit words at the even addresses of a piece of memory that begins at one."""
    halves = piece[: len(piece) & ~1].view(">u2").astype(np.uint32)
    return set(((halves[:-1] << 16) | halves[1:]).tolist()) if len(halves) > 1 else set()
