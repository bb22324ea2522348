"""Handles and pointers behave as Inside Macintosh says, and every misuse is found."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import (
    FILL,
    FREE,
    HANDLE,
    LOCKED,
    POINTER,
    PURGEABLE,
    RESOURCE,
    SMALLEST,
    WIDE,
    Block,
    HeapUse,
)
from emu.toolbox.managers.memory.block_moves import MOST_MOVED
from emu.toolbox.managers.memory.heap import Heap
from emu.toolbox.records.system import BlockHeader, Zone
from tests.examples import examples
from tests.rows import slow_but
from tests.toolbox.conftest import do, has_found, make_mac, run_code

ZONE, ZONE_SIZE = 0x2000, 0x8000
STALE = bytes([FILL])


class Damaged(Exception):
    """The heap cannot go on."""


class Owner:
    """Stands for the Memory Manager."""

    def __init__(self) -> None:
        self.findings: list[tuple[str, str]] = []
        self.purged: list[int] = []
        self.wants_24_bits = False

    def heap_damaged(self, problem: str, *, by_narrow_header: bool = False) -> Exception:
        self.wants_24_bits = by_narrow_header
        return Damaged(problem)

    def heap_finding(self, check: str, problem: str) -> None:
        self.findings.append((check, problem))

    def heap_changed(self, places: Sequence[tuple[int, int]]) -> None:
        pass

    def heap_purging(self, handle: int) -> None:
        self.purged.append(handle)

    def heap_use(self) -> HeapUse:
        return HeapUse(self.heap_user())

    def heap_words(self, use: HeapUse) -> str:
        return use.routine

    def heap_user(self) -> str:
        return "Test"


class Bench:
    """A small heap with its memory."""

    def __init__(self, size: int = ZONE_SIZE, *, flags_in_masters: bool = False) -> None:
        self.owner = Owner()
        self.memory = GuestMemory([MemoryRegion("all", 0x1000, 0x10000, True, False)])
        self.heap = Heap(
            self.memory, ZONE, ZONE + size, self.owner, flags_in_masters=flags_in_masters
        )

    def read(self, address: int, size: int) -> bytes:
        start = address - self.memory.base
        return bytes(self.memory.buffer[start : start + size])

    def write(self, address: int, data: bytes) -> None:
        start = address - self.memory.base
        self.memory.buffer[start : start + len(data)] = list(data)

    def long(self, address: int) -> int:
        return int.from_bytes(self.read(address, 4), "big")

    def address(self, handle: int) -> int:
        """Where a handle's block is, without the flags of its master pointer."""
        return self.long(handle) & (0xFFFFFF if self.heap.flags_in_masters else 0xFFFFFFFF)

    def block(self, handle: int) -> Block:
        block = self.heap.block_of(handle)
        assert block is not None
        return block

    def fill(self, handle: int, data: bytes) -> int:
        """Contents for a handle; where they are."""
        address = self.block(handle).content
        self.write(address, data)
        return address

    def check_headers(self) -> None:
        """Walk the headers in guest memory, as a Macintosh would, and compare with the book."""
        form, limit = self.heap.space.form, self.long(ZONE)
        place, seen, free, before_was_free = ZONE + form.zone_size, {}, 0, False
        while place < limit:
            tag, slack, size = form.fields(self.read(place, form.size))
            flags = self.read(place, 2)[1] if form is WIDE else None
            last = self.long(place + form.size - 4)
            assert tag in (FREE, POINTER, HANDLE)
            assert size >= SMALLEST and size % form.alignment == 0
            if tag == FREE:
                assert not before_was_free, "two free blocks lie side by side"
                free += size
                assert self.read(place + form.size, size - form.size) == STALE * (size - form.size)
            else:
                assert size - form.size - slack >= 0
                seen[place + form.size] = (tag, flags, size - form.size - slack)
            if tag == HANDLE:
                assert self.address(ZONE + last) == place + form.size
            if tag == POINTER:
                assert last == ZONE
            before_was_free = tag == FREE
            place += size
        assert place == limit
        assert free == self.heap.free == self.long(ZONE + 12)
        book = {
            b.content: (b.kind, b.flags if form is WIDE else None, b.logical)
            for b in self.heap.blocks.values()
        }
        assert seen == book


class HeapMachine(RuleBasedStateMachine):
    """Random uses of a heap, against a model that knows only contents."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = self.make_bench()
        self.heap = self.bench.heap
        self.handles: dict[int, bytes | None] = {}
        self.pointers: dict[int, bytes] = {}
        self.serial = 0

    def make_bench(self) -> Bench:
        return Bench()

    def data(self, size: int) -> bytes:
        self.serial += 1
        return bytes((self.serial * 7 + n) % 200 for n in range(size))

    @rule(size=st.integers(0, 3000))
    def new_handle(self, size: int) -> None:
        handle = self.heap.new_handle(size)
        if handle:
            assert handle not in self.handles
            data = self.data(size)
            self.bench.fill(handle, data)
            self.handles[handle] = data
        self.notice_purges()

    @rule(size=st.integers(0, 3000))
    def new_pointer(self, size: int) -> None:
        address = self.heap.new_pointer(size)
        if address:
            assert address not in self.pointers
            data = self.data(size)
            self.bench.write(address, data)
            self.pointers[address] = data
        self.notice_purges()

    def notice_purges(self) -> None:
        for handle in self.bench.owner.purged:
            self.handles[handle] = None
        self.bench.owner.purged.clear()

    @rule(data=st.data())
    def dispose_handle(self, data: st.DataObject) -> None:
        if self.handles:
            handle = data.draw(st.sampled_from(sorted(self.handles)))
            self.heap.release_handle(handle)
            del self.handles[handle]

    @rule(data=st.data())
    def dispose_pointer(self, data: st.DataObject) -> None:
        if self.pointers:
            address = data.draw(st.sampled_from(sorted(self.pointers)))
            self.heap.dispose(self.heap.blocks[address])
            del self.pointers[address]

    @rule(data=st.data(), size=st.integers(0, 3000))
    def resize_handle(self, data: st.DataObject, size: int) -> None:
        full = sorted(h for h, contents in self.handles.items() if contents is not None)
        if full:
            handle = data.draw(st.sampled_from(full))
            block = self.bench.block(handle)
            before = block.content
            if self.heap.resize(block, size, may_move=not block.flags & LOCKED):
                kept = self.handles[handle] or b""
                contents = kept[:size] + self.data(max(size - len(kept), 0))
                assert self.bench.read(block.content, min(size, len(kept))) == kept[:size]
                self.bench.fill(handle, contents)
                self.handles[handle] = contents
            if block.flags & LOCKED:
                assert block.content == before

    @rule(data=st.data(), size=st.integers(0, 3000))
    def resize_pointer(self, data: st.DataObject, size: int) -> None:
        if self.pointers:
            address = data.draw(st.sampled_from(sorted(self.pointers)))
            if self.heap.resize(self.heap.blocks[address], size, may_move=False):
                kept = self.pointers[address][:size]
                contents = kept + self.data(max(size - len(kept), 0))
                assert self.bench.read(address, len(kept)) == kept
                self.bench.write(address, contents)
                self.pointers[address] = contents

    @rule(data=st.data(), flags=st.sampled_from([0, LOCKED, PURGEABLE, RESOURCE, LOCKED | 0x40]))
    def set_flags(self, data: st.DataObject, flags: int) -> None:
        full = sorted(h for h, contents in self.handles.items() if contents is not None)
        if full:
            self.heap.set_flags(self.bench.block(data.draw(st.sampled_from(full))), flags)

    @rule()
    def scramble(self) -> None:
        before = {
            b: b.content for b in self.heap.blocks.values() if b.kind == POINTER or not b.movable
        }
        self.heap.scramble(0)
        assert all(block.content == place for block, place in before.items())

    @rule()
    def compact(self) -> None:
        self.heap.compact()

    @rule()
    def purge_everything(self) -> None:
        self.heap.purge(1 << 30)
        self.notice_purges()

    @invariant()
    def contents_are_kept(self) -> None:
        for handle, data in self.handles.items():
            address = self.bench.address(handle)
            assert (address == 0) == (data is None)
            if data is not None:
                assert self.bench.read(address, len(data)) == data
        for address, data in self.pointers.items():
            assert self.bench.read(address, len(data)) == data

    @invariant()
    def headers_are_right(self) -> None:
        self.bench.check_headers()
        self.heap.verify_all(fill=True)
        assert self.bench.owner.findings == []


class NarrowHeapMachine(HeapMachine):
    """The same of a heap with 24-bit addressing."""

    def make_bench(self) -> Bench:
        return Bench(flags_in_masters=True)


TestHeap = HeapMachine.TestCase
TestNarrowHeap = NarrowHeapMachine.TestCase
TestHeap.settings = settings(max_examples=examples(60), stateful_step_count=40, deadline=None)


# -- scrambling --------------------------------------------------------------------------------


def test_scrambling_moves_every_unlocked_block_and_no_other() -> None:
    bench = Bench()
    handles = [bench.heap.new_handle(40 + n) for n in range(8)]
    bench.heap.set_flags(bench.block(handles[3]), LOCKED)
    pointer = bench.heap.new_pointer(32)
    for number, handle in enumerate(handles):
        bench.fill(handle, bytes([number]) * (40 + number))
    for _ in range(20):
        before = [bench.block(handle).content for handle in handles]
        bench.heap.scramble(0)
        after = [bench.block(handle).content for handle in handles]
        assert [a != b for a, b in zip(after, before, strict=True)] == [
            number != 3 for number in range(8)
        ]
        assert pointer in bench.heap.blocks
        for number in range(8):
            assert bench.read(after[number], 40 + number) == bytes([number]) * (40 + number)
    bench.check_headers()


def test_many_blocks_are_moved_in_turn() -> None:
    bench = Bench()
    handles = [bench.heap.new_handle(8) for _ in range(2 * MOST_MOVED + 50)]
    moved = set()
    for _ in range(3):
        before = {handle: bench.block(handle).content for handle in handles}
        bench.heap.scramble(0)
        now = {handle for handle in handles if bench.block(handle).content != before[handle]}
        assert len(now) == MOST_MOVED
        moved |= now
    assert moved == set(handles)
    bench.check_headers()


def test_where_a_moved_block_was_nothing_of_it_is_left() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(100)
    old = bench.fill(handle, bytes(range(100)))
    bench.heap.scramble(0)
    assert bench.read(old, 100) == STALE * 100


def test_code_that_is_being_executed_is_not_moved_but_reported() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(100)
    place = bench.block(handle).content
    bench.heap.scramble(place + 50)
    assert bench.block(handle).content == place
    assert [check for check, _ in bench.owner.findings] == ["unlocked code"]


def test_a_full_heap_is_scrambled_as_far_as_it_goes() -> None:
    bench = Bench(0x1000)
    handles = []
    while handle := bench.heap.new_handle(200):
        handles.append(handle)
    before = [bench.block(handle).content for handle in handles]
    bench.heap.scramble(0)
    assert [bench.block(handle).content for handle in handles] == before
    for handle in handles[::2]:
        bench.heap.dispose(bench.block(handle))
    kept = handles[1::2]
    before = [bench.block(handle).content for handle in kept]
    for place, handle in enumerate(kept):
        bench.fill(handle, bytes([place + 1]) * 200)
    bench.heap.scramble(0)
    moved = [bench.block(h).content != old for h, old in zip(kept, before, strict=True)]
    assert sum(moved) >= len(kept) // 2
    for place, handle in enumerate(kept):
        assert bench.read(bench.block(handle).content, 200) == bytes([place + 1]) * 200
    bench.check_headers()


# -- what a heap finds -------------------------------------------------------------------------


def test_a_write_through_a_stale_pointer_is_found_when_the_place_is_used_again() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(100)
    stale = bench.block(handle).content
    bench.heap.scramble(0)
    bench.write(stale + 8, b"late")
    bench.heap.new_handle(100)
    ((check, problem),) = bench.owner.findings
    assert check == "stale handle"
    assert f"0x{stale + 8:08x}, 8 bytes into where the block of handle 0x{handle:08x}" in problem
    assert "until Test moved it" in problem
    bench.heap.verify_all(fill=True)
    assert len(bench.owner.findings) == 1


def test_a_stale_write_into_a_part_of_a_larger_hole_is_found() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(400)
    stale = bench.block(handle).content
    bench.heap.scramble(0)
    bench.write(stale + 396, b"late")
    bench.heap.new_handle(40)
    assert [check for check, _ in bench.owner.findings] == ["stale handle"]


def test_a_grown_block_holds_nothing_of_the_hole_behind_it() -> None:
    bench = Bench()
    pointers = [bench.heap.new_pointer(16) for _ in range(4)]
    bench.heap.dispose(bench.heap.blocks[pointers[1]])
    first = bench.heap.blocks[pointers[0]]
    bench.write(pointers[0], bytes(16))
    for size in (20, 44):
        assert bench.heap.resize(first, size, may_move=False)
        assert bench.read(pointers[0], size) == bytes(16) + STALE * (size - 16)
    assert not bench.heap.resize(first, 45, may_move=False)


def test_relocatable_blocks_make_room_for_a_pointer_that_grows() -> None:
    bench = Bench()
    bench.heap.more_masters()
    pointer = bench.heap.new_pointer(16)
    handles = [bench.heap.new_handle(40) for _ in range(3)]
    for handle in handles:
        bench.fill(handle, b"kept" * 10)
    bench.heap.compact()
    assert bench.block(handles[-1]).start == pointer + 16
    assert bench.heap.resize(bench.heap.blocks[pointer], 100, may_move=False)
    for handle in handles:
        assert bench.read(bench.block(handle).content, 40) == b"kept" * 10
    bench.heap.compact()
    lowest = min((bench.block(handle) for handle in handles), key=lambda block: block.start)
    bench.heap.set_flags(lowest, LOCKED)
    assert not bench.heap.resize(bench.heap.blocks[pointer], 200, may_move=False)
    bench.check_headers()


def test_a_stale_write_is_found_at_the_end_at_the_latest() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(100)
    stale = bench.block(handle).content
    bench.heap.scramble(0)
    bench.write(stale, b"x")
    assert bench.owner.findings == []
    bench.heap.verify_all(fill=True)
    assert [check for check, _ in bench.owner.findings] == ["stale handle"]


def test_a_write_to_a_disposed_block_is_found() -> None:
    bench = Bench()
    address = bench.heap.new_pointer(5000)
    bench.heap.dispose(bench.heap.blocks[address])
    bench.write(address + 4999, b"x")
    bench.heap.new_pointer(5000)
    ((check, problem),) = bench.owner.findings
    assert check == "disposed block"
    assert "a block that Test had disposed of" in problem


def test_a_write_to_memory_that_was_never_used_is_found() -> None:
    bench = Bench()
    address = bench.heap.new_pointer(16)
    bench.write(address + 16 + 40, b"x")
    bench.heap.verify_all(fill=True)
    ((check, problem),) = bench.owner.findings
    assert check == "free memory"
    assert f"behind the block at 0x{address:08x} (16 bytes" in problem


@pytest.mark.parametrize("past", [0, 3, 7, 11])
def test_an_overrun_into_the_next_header_is_found(past: int) -> None:
    bench = Bench()
    first, second = bench.heap.new_pointer(16), bench.heap.new_pointer(24)
    bench.write(first + 16 + past, b"\x11")
    with pytest.raises(Damaged, match=f"the header of the block at 0x{second:08x}.*0x{first:08x}"):
        bench.heap.dispose(bench.heap.blocks[first])


def test_damage_is_found_by_the_way_when_other_blocks_are_used() -> None:
    bench = Bench()
    first = bench.heap.new_pointer(16)
    bench.heap.new_pointer(16)
    bench.write(first - 4, b"\x11")

    def use_others() -> None:
        for _ in range(200):
            bench.heap.dispose(bench.heap.blocks[bench.heap.new_pointer(8)])

    with pytest.raises(Damaged, match=f"0x{first:08x}"):
        use_others()


def test_an_overwritten_master_pointer_is_found() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(16)
    bench.write(handle, b"\x81")
    with pytest.raises(Damaged, match="master pointer"):
        bench.heap.block_of(handle)


def test_flags_are_in_the_master_pointers_of_a_24_bit_heap() -> None:
    bench = Bench(flags_in_masters=True)
    heap = bench.heap
    kept, other = heap.new_handle(16), heap.new_handle(16)
    heap.set_flags(bench.block(kept), LOCKED)
    place = bench.block(kept).content
    assert bench.long(kept) == 0x80000000 | place
    bench.write(kept, b"\x40")  # unlocked and made purgeable
    bench.write(other, b"\x80")  # locked
    before = bench.block(other).content
    heap.scramble(0)
    assert bench.block(kept).content != place and bench.block(other).content == before
    assert (heap.flags(kept), heap.flags(other)) == (PURGEABLE, LOCKED)
    heap.purge(ZONE_SIZE)
    assert bench.long(kept) == 0
    assert bench.owner.findings == []
    bench.check_headers()


def test_headers_of_a_24_bit_heap_have_eight_bytes() -> None:
    bench = Bench(flags_in_masters=True)
    pointer, handle, tiny = (
        *(bench.heap.new_pointer(10), bench.heap.new_handle(5)),
        bench.heap.new_pointer(0),
    )
    assert bench.read(pointer - 8, 8).hex(" ", 4) == f"40000012 {ZONE:08x}"
    content = bench.block(handle).content
    assert bench.read(content - 8, 8).hex(" ", 4) == f"8100000e {handle - ZONE:08x}"
    assert bench.read(tiny - 8, 4).hex() == "4400000c", "no block is smaller than twelve bytes"
    bench.heap.verify_all(fill=True)
    bench.check_headers()


@pytest.mark.parametrize("links", [False, True], ids=["master kept", "master given back"])
@pytest.mark.parametrize("use", ["scramble", "verify", "allocate", "resize another"])
def test_a_program_makes_a_block_stay_by_its_24_bit_header(links: bool, use: str) -> None:
    """As Apple's tools for the 68000 of 1984 do; then the block is as one of NewPtr."""
    bench = Bench(flags_in_masters=True)
    heap = bench.heap
    handle, other = heap.new_handle(16), heap.new_handle(16)
    place = bench.block(handle).content
    bench.write(place - 8, b"\x40" + bench.read(place - 7, 3) + ZONE.to_bytes(4, "big"))
    if links:
        bench.write(handle, bytes(4))
    match use:
        case "scramble":
            heap.scramble(0)
        case "verify":
            heap.verify_all()
        case "allocate":
            assert heap.new_pointer(ZONE_SIZE // 2)
        case _:
            assert heap.resize(bench.block(other), 400, may_move=True)
            heap.scramble(0)
    heap.verify_all(fill=True)
    block = heap.blocks[place]
    assert (block.kind, block.handle, block.movable) == (POINTER, 0, False)
    assert handle not in heap.handles
    heap.scramble(0)
    assert heap.blocks[place] is block
    heap.dispose(block)
    bench.check_headers()


def test_what_a_program_has_made_to_stay_it_may_dispose_of_at_once() -> None:
    mac = make_mac("68000", settings=Settings(machine="plus"))
    handle = do(mac, "NewHandle", 16)
    place = mac.memory.address(handle)
    mac.guest.put8(place - 8, 0x40 | mac.guest.u8(place - 8) & 0x0F)
    mac.guest.put32(place - 4, mac.layout.heap)
    mac.guest.put32(handle, 0)
    do(mac, "DisposePtr", place)
    assert not mac.outputs.findings
    do(mac, "DisposePtr", place)
    assert has_found(mac, f"0x{place:08x}")


@pytest.mark.parametrize(("tag", "wants"), [(12, False), (8, True)])
def test_a_24_bit_header_among_larger_ones_shows_for_which_macintosh_a_program_is(
    tag: int, wants: bool
) -> None:
    bench = Bench()
    place = bench.block(bench.heap.new_handle(16)).content
    bench.write(place - tag, b"\x40")
    bench.write(place - 4, ZONE.to_bytes(4, "big"))
    with pytest.raises(Damaged, match="header"):
        bench.heap.verify_all()
    assert bench.owner.wants_24_bits is wants


def test_flags_that_a_program_sets_in_a_master_pointer_hold() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(16)
    place = bench.read(handle, 4)
    bench.write(handle, b"\xc0")  # locked and purgeable, as with 24-bit addressing
    block = bench.heap.block_of(handle)
    assert block is not None
    assert (block.flags, block.movable) == (0xC0, False)
    assert bench.read(handle, 4) == place
    assert [check for check, _ in bench.owner.findings] == ["master pointer flags"]


@pytest.mark.parametrize(
    "use",
    [
        lambda heap, handle: heap.scramble(0),
        lambda heap, handle: heap.compact(),
        lambda heap, handle: heap.release_handle(handle),
        lambda heap, handle: heap.resize(heap.handles[handle], 400, may_move=True),
        lambda heap, handle: heap.set_flags(heap.handles[handle], LOCKED),
        lambda heap, handle: heap.verify_all(),
    ],
    ids=["scramble", "compact", "release", "resize", "lock", "verify"],
)
def test_an_overwritten_master_pointer_is_never_written_over(
    use: Callable[[Heap, int], object],
) -> None:
    bench = Bench()
    handle = bench.heap.new_handle(16)
    wrong = bytes.fromhex("00020000")
    bench.write(handle, wrong)
    expected = (
        f"master pointer of handle 0x{handle:08x} .16 bytes, made by .* was overwritten: "
        "it holds 0x00020000"
    )
    with pytest.raises(Damaged, match=expected):
        use(bench.heap, handle)
    assert bench.read(handle, 4) == wrong


@pytest.mark.parametrize(
    "use",
    [
        lambda heap, handle: heap.fill_handle(handle, 8),
        lambda heap, handle: heap.release_handle(handle),
        lambda heap, handle: heap.verify_all(),
    ],
    ids=["fill", "release", "verify"],
)
def test_the_master_pointer_of_an_empty_handle_stays_nil(
    use: Callable[[Heap, int], object],
) -> None:
    bench = Bench()
    handle = bench.heap.new_empty_handle()
    bench.write(handle, b"\0\2\0\0")
    with pytest.raises(Damaged, match=f"master pointer of the empty handle 0x{handle:08x}"):
        use(bench.heap, handle)


def test_a_header_in_front_of_an_overwritten_master_pointer_is_named_first() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(16)
    masters = next(b for b in bench.heap.blocks.values() if b.content <= handle < b.end)
    bench.write(masters.start, bytes(handle + 4 - masters.start))
    with pytest.raises(Damaged, match="the header of"):
        bench.heap.block_of(handle)


@pytest.mark.slow
@pytest.mark.parametrize("mac", slow_but(["68040"], ["68040", "601"]), indirect=True)
def test_a_write_to_the_master_pointer_of_a_disposed_handle_is_found(mac: Macintosh) -> None:
    handle = do(mac, "NewHandle", 16)
    do(mac, "DisposeHandle", handle)
    mac.memory.finish()
    assert not mac.outputs.findings
    mac.guest.put32(handle, 0)
    mac.memory.finish()
    what = f"0x00000000 to the master pointer 0x{handle:08x} of a disposed handle"
    assert list(mac.outputs.findings) == [("master pointer", f"the program wrote {what}")]
    mac.outputs.findings.clear()
    mac.memory.finish()
    mac.guest.put32(handle, 0)
    while do(mac, "NewHandle", 4) != handle:
        pass
    assert list(mac.outputs.findings) == [("master pointer", f"the program wrote {what}")]


def test_an_overwritten_master_pointer_is_found_at_the_end_at_the_latest(mac: Macintosh) -> None:
    handle = do(mac, "NewHandle", 16)
    mac.guest.put32(handle, 0x20000)
    with pytest.raises(GuestStopError, match=r"master pointer of .*made by NewHandle"):
        mac.memory.finish()


def test_a_disposed_handle_leads_nowhere() -> None:
    bench = Bench()
    handle = bench.heap.new_handle(16)
    bench.heap.release_handle(handle)
    assert bench.long(handle) == FILL * 0x01010101
    assert bench.heap.was_disposed(handle)


@given(size=st.sampled_from([-1, -(1 << 31), (1 << 31) - 1, ZONE_SIZE]))
def test_what_is_too_large_is_refused(size: int) -> None:
    bench = Bench()
    assert bench.heap.new_pointer(size) == 0
    assert bench.heap.new_handle(size) == 0
    bench.check_headers()


# -- routines ----------------------------------------------------------------------------------


def memory_error(mac: Macintosh) -> int:
    return mac.guest.i16(LowMemory.MEMORY_ERROR)


def checks(mac: Macintosh) -> list[str]:
    return [finding.check for finding in mac.outputs.findings.values()]


def test_the_zone_is_where_low_memory_says(mac: Macintosh) -> None:
    zone = mac.guest.u32(LowMemory.APPLICATION_ZONE)
    assert zone == mac.guest.u32(LowMemory.THE_ZONE) == mac.memory.heap.start
    assert mac.guest.u32(zone) == mac.layout.heap + mac.layout.heap_size - WIDE.size
    assert do(mac, "SystemZone") == mac.guest.u32(LowMemory.SYSTEM_ZONE) != zone
    assert do(mac, "HandleZone", do(mac, "NewHandle", 4)) == zone
    assert do(mac, "PtrZone", do(mac, "NewPtr", 4)) == zone


def make_zone(mac: Macintosh, start: int, size: int, masters: int = 8) -> None:
    if mac.cpu.architecture == "m68k":
        block = do(mac, "NewPtr", 14)
        mac.guest.write(block, struct.pack(">IIhI", start, start + size, masters, 0))
        do(mac, "InitZone", block)
    else:
        do(mac, "InitZone", 0, masters, start + size, start)


def test_a_zone_of_the_programs_own_has_its_blocks(mac: Macintosh) -> None:
    size = 10_000
    whole, outside = do(mac, "NewPtr", size), do(mac, "NewHandle", 8)
    make_zone(mac, whole, size)
    assert do(mac, "GetZone") == whole
    handle, pointer = do(mac, "NewHandle", 100), do(mac, "NewPtr", 50)
    for place in (handle, mac.memory.address(handle), pointer):
        assert whole <= place < whole + size
    assert do(mac, "HandleZone", handle) == do(mac, "PtrZone", pointer) == whole
    assert 0 < do(mac, "FreeMem") < size
    assert do(mac, "NewHandle", size) == 0 and memory_error(mac) == -108
    do(mac, "SetHandleSize", handle, 2000)
    assert do(mac, "GetHandleSize", handle) == 2000
    do(mac, "SetZone", mac.memory.heap.start)
    assert do(mac, "HandleZone", do(mac, "NewHandle", 8)) == mac.memory.heap.start
    assert do(mac, "HandleZone", outside) == mac.memory.heap.start
    do(mac, "DisposePtr", pointer)
    do(mac, "DisposeHandle", handle)
    assert checks(mac) == []
    do(mac, "DisposePtr", pointer)
    assert checks(mac) == ["double dispose"]


def test_damage_in_a_zone_of_the_programs_own_is_found(mac: Macintosh) -> None:
    whole = do(mac, "NewPtr", 4000)
    make_zone(mac, whole, 4000)
    pointer = do(mac, "NewPtr", 20)
    mac.guest.write(pointer + 20, bytes(12))
    with pytest.raises(GuestStopError, match="was overwritten"):
        mac.memory.finish()


def test_a_zone_ends_with_the_block_that_it_lies_in(mac: Macintosh) -> None:
    whole = do(mac, "NewPtr", 4000)
    make_zone(mac, whole, 4000)
    handle = do(mac, "NewHandle", 100)
    do(mac, "SetZone", mac.memory.heap.start)
    do(mac, "DisposePtr", whole)
    assert checks(mac) == []
    do(mac, "HLock", handle)
    assert checks(mac) == ["not a handle"]


@pytest.mark.parametrize(("size", "masters"), [(100, 8), (4000, 0), (-8, 8)])
def test_a_zone_that_cannot_be_is_refused(mac: Macintosh, size: int, masters: int) -> None:
    whole = do(mac, "NewPtr", 4000)
    with pytest.raises(GuestStopError, match="InitZone: a zone cannot have"):
        make_zone(mac, whole, size, masters)


@pytest.mark.parametrize("name", ["NewPtr", "NewPtrClear", "NewPtrSys", "NewPtrSysClear"])
def test_new_pointers_are_cleared_only_if_asked(mac: Macintosh, name: str) -> None:
    address = do(mac, name, 10)
    assert mac.guest.read(address, 10) == (bytes(10) if "Clear" in name else STALE * 10)
    assert do(mac, "GetPtrSize", address) == 10
    assert memory_error(mac) == 0
    do(mac, "DisposePtr", address)
    assert checks(mac) == []


@pytest.mark.parametrize("name", ["NewHandle", "NewHandleClear", "NewHandleSys"])
def test_new_handles(mac: Macintosh, name: str) -> None:
    handle = do(mac, name, 10)
    assert mac.memory.contents(handle) == (bytes(10) if "Clear" in name else STALE * 10)
    assert do(mac, "GetHandleSize", handle) == 10
    do(mac, "SetHandleSize", handle, 2000)
    assert do(mac, "GetHandleSize", handle) == 2000
    do(mac, "DisposeHandle", handle)
    assert checks(mac) == []


def test_every_call_that_may_move_memory_does(mac: Macintosh) -> None:
    handle = do(mac, "NewHandle", 100)
    before = mac.memory.address(handle)
    do(mac, "NewPtr", 4)
    assert mac.memory.address(handle) != before
    do(mac, "HLock", handle)
    locked = mac.memory.address(handle)
    do(mac, "NewPtr", 4)
    assert mac.memory.address(handle) == locked


def test_without_scrambling_blocks_stay() -> None:
    mac = make_mac(settings=Settings(scramble=False))
    handle = do(mac, "NewHandle", 100)
    before = mac.memory.address(handle)
    do(mac, "NewPtr", 4)
    assert mac.memory.address(handle) == before


def test_handle_state_is_kept_and_given(mac: Macintosh) -> None:
    handle = do(mac, "NewHandle", 4)
    for name, state in (
        ("HLock", 0x80),
        ("HPurge", 0xC0),
        ("HSetRBit", 0xE0),
        ("HUnlock", 0x60),
        ("HUnlock", 0x60),
        ("HNoPurge", 0x20),
        ("HClrRBit", 0x00),
    ):
        do(mac, name, handle)
        assert do(mac, "HGetState", handle) == state
        header = mac.memory.address(handle) - WIDE.size
        assert mac.guest.u8(header + 1) == state
    do(mac, "HSetState", handle, 0xFF)
    assert do(mac, "HGetState", handle) == 0xE0


def test_errors_are_given_the_mac_way(mac: Macintosh) -> None:
    assert do(mac, "NewHandle", 1 << 30) == 0
    assert memory_error(mac) == -108
    do(mac, "HLock", 0)
    assert memory_error(mac) == -109
    assert do(mac, "GetHandleSize", 0) == (-109 if mac.cpu.architecture == "m68k" else 0)
    assert do(mac, "MemError") == -109
    assert checks(mac) == []  # nil is an error that programs are told of


def test_a_trap_leaves_the_error_in_d0(mac_68k: Macintosh) -> None:
    registers = run_code(mac_68k, "a029 4e75", a0=0)  # _HLock; rts
    assert registers["d0"] == 0xFFFFFF93  # -109
    registers = run_code(mac_68k, "7064 a122 4e75")  # moveq #100,d0; _NewHandle; rts
    assert mac_68k.memory.handle_size(registers["a0"]) == 100
    assert registers["d0"] == 0


def test_double_dispose_is_found(mac: Macintosh) -> None:
    handle, address = do(mac, "NewHandle", 4), do(mac, "NewPtr", 4)
    for _ in range(2):
        do(mac, "DisposeHandle", handle)
        do(mac, "DisposePtr", address)
    assert checks(mac) == ["double dispose", "double dispose"]
    assert memory_error(mac) == -111


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("HLock", ()), ("GetHandleSize", ()), ("SetHandleSize", (8,)), ("EmptyHandle", ())],
)
def test_use_of_a_disposed_handle_is_found(
    mac: Macintosh, name: str, arguments: tuple[int, ...]
) -> None:
    handle = do(mac, "NewHandle", 4)
    do(mac, "DisposeHandle", handle)
    do(mac, name, handle, *arguments)
    assert checks(mac) == ["disposed handle"]


def test_what_is_no_handle_or_pointer_is_found(mac: Macintosh) -> None:
    handle, address = do(mac, "NewHandle", 4), do(mac, "NewPtr", 4)
    do(mac, "DisposeHandle", address)
    do(mac, "DisposePtr", mac.memory.address(handle))
    do(mac, "DisposePtr", address + 2)
    do(mac, "DisposePtr", 0)
    assert checks(mac) == ["not a handle", "not a pointer", "not a pointer", "not a pointer"]


def test_a_pointer_used_after_disposal_is_found(mac: Macintosh) -> None:
    address = do(mac, "NewPtr", 4)
    do(mac, "DisposePtr", address)
    do(mac, "GetPtrSize", address)
    assert checks(mac) == ["disposed pointer"]


def test_a_stale_write_is_reported_when_the_program_ends(mac: Macintosh) -> None:
    handle = do(mac, "NewHandle", 100)
    stale = mac.memory.address(handle)
    do(mac, "NewPtr", 4)
    mac.guest.write(stale + 50, b"\0")
    mac.memory.finish()
    assert "stale handle" in checks(mac)


def test_a_damaged_heap_stops_the_program(mac: Macintosh) -> None:
    address = do(mac, "NewPtr", 4)
    mac.guest.write(address + 4, bytes(12))
    with pytest.raises(GuestStopError, match=r"the header of .* was overwritten"):
        do(mac, "DisposePtr", address)


def test_an_empty_handle_moves_memory_only_for_more_master_pointers(mac: Macintosh) -> None:
    other = mac.memory.new_handle(100)
    before = mac.memory.address(other)
    while mac.memory.heap.has_free_masters:
        do(mac, "NewEmptyHandle")
    assert mac.memory.address(other) == before
    do(mac, "NewEmptyHandle")
    assert mac.memory.address(other) != before


def test_memory_fills_up_and_purging_makes_room(mac: Macintosh) -> None:
    half = do(mac, "FreeMem") // 2 + 1000
    handle = do(mac, "NewHandle", half)
    assert do(mac, "NewHandle", half) == 0
    assert do(mac, "MaxBlock") < half
    do(mac, "HPurge", handle)
    assert do(mac, "NewHandle", half) != 0
    assert mac.memory.address(handle) == 0
    assert do(mac, "GetHandleSize", handle) == 0
    do(mac, "ReallocateHandle", handle, 10)
    assert do(mac, "GetHandleSize", handle) == 10


def test_compaction_makes_one_block_of_scattered_room() -> None:
    mac = make_mac(settings=Settings(scramble=False))
    handles = []
    while handle := do(mac, "NewHandle", 10000):
        handles.append(handle)
    for handle in handles[::2]:
        do(mac, "DisposeHandle", handle)
    assert mac.memory.heap.largest < 50000 <= do(mac, "MaxBlock")
    kept = handles[1]
    mac.guest.write(mac.memory.address(kept), b"kept")
    assert do(mac, "NewPtr", 50000) != 0
    assert mac.memory.contents(kept)[:4] == b"kept"
    assert checks(mac) == []


def test_the_largest_block_is_what_is_said(mac: Macintosh) -> None:
    for size in (100, 3000, 50):
        do(mac, "NewHandle", size)
    size = do(mac, "CompactMem", 1 << 30)
    assert do(mac, "NewPtr", size + 4) == 0
    assert do(mac, "NewPtr", size) != 0


# FUNCTION GrowZone (cbNeeded: Size): LONGINT: disposes of the handle behind it, once.
GROW_ZONE = bytes.fromhex(
    "41fa0016"  # lea handle(pc),a0
    "2010 4290"  # move.l (a0),d0; clr.l (a0)
    "2f400008"  # move.l d0,8(a7): the result
    "6704 2040 a023"  # beq.s skip; movea.l d0,a0; _DisposeHandle
    "205f 588f 4ed0"  # skip: movea.l (a7)+,a0; addq.l #4,a7; jmp (a0)
)


def test_max_mem_purges_everything(mac_68k: Macintosh) -> None:
    handles = [do(mac_68k, "NewHandle", 100) for _ in range(5)]
    for handle in handles:
        do(mac_68k, "HPurge", handle)
    do(mac_68k, "HLock", handles[2])
    do(mac_68k, "MaxMem")
    purged = [mac_68k.memory.address(handle) == 0 for handle in handles]
    assert purged == [True, True, False, True, True]


def test_the_grow_zone_routine_is_asked(mac_68k: Macintosh) -> None:
    mac = mac_68k
    code = do(mac, "NewPtr", len(GROW_ZONE) + 4)
    reserve = do(mac, "NewHandle", do(mac, "FreeMem") - 2000)
    mac.guest.write(code, GROW_ZONE + reserve.to_bytes(4, "big"))
    assert do(mac, "NewPtr", 10000) == 0
    do(mac, "SetGrowZone", code)
    assert do(mac, "NewPtr", 10000) != 0
    assert not mac.memory.is_handle(reserve)
    assert do(mac, "NewPtr", 1 << 24) == 0


def test_a_call_goes_on_where_it_came_from_after_a_callback_has_made_calls(
    mac_68k: Macintosh,
) -> None:
    mac = mac_68k
    code = do(mac, "NewPtr", len(GROW_ZONE) + 4)
    reserve = do(mac, "NewHandle", do(mac, "FreeMem") - 2000)
    mac.guest.write(code, GROW_ZONE + reserve.to_bytes(4, "big"))
    do(mac, "SetGrowZone", code)
    # move.l #10000,d0; _NewPtrClear; moveq #5,d1; rts
    registers = run_code(mac, "203c00002710 a31e 7205 4e75")
    assert registers["d1"] == 5
    assert mac.guest.read(registers["a0"], 10000) == bytes(10000)


def test_code_in_handles_can_be_executed_wherever_it_has_moved(mac_68k: Macintosh) -> None:
    mac = mac_68k
    handles = [mac.memory.handle_from(bytes.fromhex(f"70{number:02x}4e75")) for number in range(6)]
    for _ in range(30):
        for number, handle in enumerate(handles):
            code = bytes.fromhex("4ef9") + mac.memory.address(handle).to_bytes(4, "big")
            assert run_code(mac, code)["d0"] == number
        mac.memory.scramble()


def test_copies_of_handles(mac_68k: Macintosh) -> None:
    mac = mac_68k
    handle = mac.memory.handle_from(b"text")
    copy = do(mac, "HandToHand", handle)
    assert copy != handle
    assert mac.memory.contents(copy) == b"text"
    do(mac, "HandAndHand", handle, copy)
    assert mac.memory.contents(copy) == b"texttext"
    address = do(mac, "NewPtr", 3)
    mac.guest.write(address, b"abc")
    do(mac, "PtrAndHand", address, copy, 3)
    assert mac.memory.contents(copy) == b"texttextabc"
    do(mac, "PtrToXHand", address, copy, 2)
    assert mac.memory.contents(copy) == b"ab"
    made = do(mac, "PtrToHand", address, 3)
    assert mac.memory.contents(made) == b"abc"
    assert do(mac, "RecoverHandle", mac.memory.address(made)) == made
    assert do(mac, "RecoverHandle", address) == 0


def test_copies_of_handles_through_variables() -> None:
    mac = make_mac("601")
    variable = do(mac, "NewPtr", 4)
    handle = mac.memory.handle_from(b"text")
    mac.guest.put32(variable, handle)
    assert do(mac, "HandToHand", variable) == 0
    assert mac.guest.u32(variable) != handle
    assert mac.memory.contents(mac.guest.u32(variable)) == b"text"
    assert do(mac, "PtrToHand", variable, variable, 4) == 0
    assert mac.memory.handle_size(mac.guest.u32(variable)) == 4


@given(source=st.integers(0, 60), target=st.integers(0, 60), count=st.integers(0, 40))
@settings(max_examples=30, deadline=None)
def test_block_move_handles_overlap(source: int, target: int, count: int) -> None:
    mac = SHARED
    place = mac.memory.new_pointer(100)
    data = bytes(range(100))
    mac.guest.write(place, data)
    do(mac, "BlockMove", place + source, place + target, count)
    expected = bytearray(data)
    expected[target : target + count] = data[source : source + count]
    assert mac.guest.read(place, 100) == expected
    mac.memory.dispose_pointer(place)


SHARED = make_mac()


def test_block_move_of_code_is_seen_by_the_engine(mac_68k: Macintosh) -> None:
    mac = mac_68k
    place = mac.memory.new_pointer(4)
    mac.guest.write(place, bytes.fromhex("70014e75"))  # moveq #1,d0; rts
    jump = bytes.fromhex("4ef9") + place.to_bytes(4, "big")
    assert run_code(mac, jump)["d0"] == 1
    other = mac.memory.new_pointer(4)
    mac.guest.write(other, bytes.fromhex("70024e75"))
    do(mac, "BlockMove", other, place, 4)
    assert run_code(mac, jump)["d0"] == 2


@pytest.mark.parametrize("name", ["BlockMove", "BlockMoveData"])
@pytest.mark.parametrize(
    ("target", "count", "found"),
    [
        (0x9DE, 4, "BlockMove wrote 4 bytes to low memory at 0x09de"),
        (0, 1, "BlockMove wrote 1 byte to low memory at nil"),
        (LowMemory.SCRATCH_20, 20, ""),
        (
            LowMemory.SCRATCH_20,
            21,
            "BlockMove wrote 21 bytes to low memory at 0x01e4, of which 0x01f8 is the system's",
        ),
        (0x3000, 4, ""),
    ],
)
def test_a_copy_to_low_memory_is_reported(
    mac: Macintosh, name: str, target: int, count: int, found: str
) -> None:
    source = do(mac, "NewPtr", 32)
    if target == 0x3000:
        target = do(mac, "NewPtr", 32)
    do(mac, name, source, target, count)
    assert list(mac.outputs.findings) == ([("low memory", found)] if found else [])


def test_block_move_from_nowhere_stops(mac: Macintosh) -> None:
    with pytest.raises(GuestStopError, match="no memory"):
        do(mac, "BlockMove", 0x7000_0000, mac.layout.heap, 10)


def test_temporary_memory(mac: Macintosh) -> None:
    code = do(mac, "NewPtr", 2)
    handle: Any = do(mac, "TempNewHandle", 100, code)
    assert mac.memory.handle_size(handle) == 100
    assert mac.guest.i16(code) == 0
    assert do(mac, "TempNewHandle", 1 << 30, code) == 0
    assert mac.guest.i16(code) == -108


def test_resources_are_not_disposed_of_as_handles(mac: Macintosh) -> None:
    handle = do(mac, "NewHandle", 4)
    do(mac, "HSetRBit", handle)
    do(mac, "DisposeHandle", handle)
    assert checks(mac) == ["disposed resource"]


def test_blocks_between_locked_ones_make_room_for_a_large_one() -> None:
    """Scrambling puts blocks between two that cannot move, where a Macintosh has none."""
    bench = Bench()
    heap = bench.heap
    handles = [heap.new_handle(size) for size in (0x1800, 0x1800, 0x2E00)]
    heap.set_flags(bench.block(handles[2]), LOCKED)
    heap.release_handle(handles[0])
    bench.fill(handles[1], b"kept")
    heap.compact()
    assert 0x1800 < heap.largest < 0x3000 < heap.free
    assert heap.new_handle(0x3000)
    assert bench.read(bench.block(handles[1]).content, 4) == b"kept"
    bench.check_headers()


def test_a_block_grows_where_others_have_to_move_for_it(mac: Macintosh) -> None:
    blocks = [do(mac, "NewHandle", 150_000) for _ in range(6)]
    mac.guest.write(mac.memory.address(blocks[2]), b"kept")
    do(mac, "HSetState", blocks[2], PURGEABLE)
    for handle in (blocks[0], blocks[4]):
        do(mac, "DisposeHandle", handle)
    assert do(mac, "MaxBlock") < 500_000
    do(mac, "SetHandleSize", blocks[2], 500_000)
    assert do(mac, "MemError") == 0
    assert do(mac, "GetHandleSize", blocks[2]) == 500_000
    assert do(mac, "HGetState", blocks[2]) == PURGEABLE
    assert mac.guest.read(mac.memory.address(blocks[2]), 4) == b"kept"
    do(mac, "SetHandleSize", blocks[2], 700_000)
    assert do(mac, "MemError") == -108
    assert do(mac, "GetHandleSize", blocks[2]) == 500_000
    mac.memory.finish()
    assert checks(mac) == []


def test_damage_after_a_write_through_a_stale_handle_tells_how_to_get_further(
    mac: Macintosh,
) -> None:
    handle, pointer = do(mac, "NewHandle", 100), do(mac, "NewPtr", 20)
    old = mac.memory.address(handle)
    while mac.memory.address(handle) == old:
        do(mac, "NewHandle", 100)
    mac.guest.write(old, b"oops")
    do(mac, "CompactMem", 0)
    assert "stale handle" in checks(mac)
    mac.guest.write(pointer + 20, bytes(12))
    with pytest.raises(GuestStopError, match="--no-scramble"):
        mac.memory.finish()


def test_reserving_room_that_is_there_moves_nothing() -> None:
    mac = make_mac()
    handle = mac.memory.new_handle(100)
    before = mac.memory.address(handle)
    do(mac, "ReserveMem", 1000)
    assert mac.memory.address(handle) == before
    do(mac, "NewHandle", 1000)
    assert mac.memory.address(handle) != before, "as a call does that may move memory"


def test_blocks_of_the_systems_zone_are_there_until_it_is_full(mac: Macintosh) -> None:
    """As code does that installs a driver: it looks where master pointer and block are."""
    system, zone = mac.memory.zones.system, mac.memory.heap.start
    handle, pointer = do(mac, "NewHandleSys", 4), do(mac, "NewPtrSys", 4)
    assert do(mac, "HandleZone", handle) == do(mac, "PtrZone", pointer) == system.start
    assert system.start < handle < system.end
    do(mac, "SetZone", do(mac, "SystemZone"))
    own, large = do(mac, "NewHandle", 4), do(mac, "NewHandle", 100_000)
    assert (do(mac, "HandleZone", own), do(mac, "HandleZone", large)) == (system.start, zone)
    do(mac, "SetZone", zone)
    assert do(mac, "HandleZone", do(mac, "NewHandle", 4)) == zone
    for one in (own, large, handle):
        do(mac, "DisposeHandle", one)
    do(mac, "DisposePtr", pointer)
    mac.memory.finish()
    assert not mac.outputs.findings


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_program_can_walk_through_a_zone_from_heap_data_on(cpu: str) -> None:
    """As Swatch does, with the headers of a 32-bit zone."""
    mac = make_mac(cpu)
    handle, pointer = mac.memory.new_handle(100), mac.memory.new_pointer(50)
    in_system = do(mac, "NewHandleSys", 100), do(mac, "NewPtrSysClear", 50)
    for start in (mac.guest.u32(LowMemory.APPLICATION_ZONE), mac.guest.u32(LowMemory.SYSTEM_ZONE)):
        zone = Zone(mac.guest, start)
        place, found = start + Zone.heapData.offset, dict[int, int]()
        while place < zone.bkLim:
            header = BlockHeader(mac.guest, place)
            assert header.tag in (0, 0x40, 0x80)
            found[place + BlockHeader.size] = header.tag
            assert header.physicalSize >= BlockHeader.size
            place += header.physicalSize
        assert place == zone.bkLim
        if start == mac.guest.u32(LowMemory.SYSTEM_ZONE):
            handle, pointer = in_system
        assert (found[mac.memory.address(handle)], found[pointer]) == (0x80, 0x40)
