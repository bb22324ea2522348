"""The Memory Manager: the application's zone, and handles and pointers in it.

The routines for handles are in `handles`, those for pointers in `pointers`, locking and purging in
`states`, free space and zones in `space`, copying in `copies`. A zone is in `heap`. Besides the
application's and the system's there are those that the program makes with InitZone; what it asks of
temporary memory comes from the application's as well.
Source: Inside Macintosh: Memory, chapters 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import MisuseError, Sureness
from emu.toolbox.guest.layout import HEAP_START, SYSTEM_ZONE_START, LowMemory
from emu.toolbox.managers.memory.application_zone import ApplicationZone
from emu.toolbox.managers.memory.block import HANDLE, LOCKED, Block, HeapUse
from emu.toolbox.managers.memory.heap import Heap
from emu.toolbox.managers.memory.stale_registers import stale_source
from emu.toolbox.managers.memory.zones import Zones
from emu.toolbox.records.results import ResultCode

CLEAR, SYSTEM = 0x200, 0x400
"""Bits of a trap word that ask for a block filled with zeros, and for one in the system's zone."""
_FIRST_MASTER_BLOCKS = 4
_FARTHEST = 1 << 20
_GROW_ZONE = "FUNCTION GrowZone (byteCount: Size): LONGINT"


class ResourceKeeper(Protocol):
    """Who knows which handles are resources: the Resource Manager."""

    def purging(self, handle: int) -> None:
        """A handle's block is about to be purged."""

    def describe(self, handle: int) -> str:
        """Type, ID and name of a resource, for messages."""

    def forget(self, handle: int) -> None:
        """A resource's handle is disposed of."""


class MemoryManager(Manager):
    """Handles, pointers and the error of the last call.

    Attributes:
        application: the application's zone, as far as it grows.
        heap: the zone itself.
        zones: that one, the system's, and those that the program has made.
        adopted: nonrelocatable blocks outside of all zones, by the address of their contents.
        resources: the Resource Manager, which makes itself known here.
    """

    plumbing = True

    resources: ResourceKeeper = field(init=False)

    def __post_init__(self) -> None:
        memory, has_flags = self.guest.memory, self.host.has_24_bits
        system = Heap(memory, SYSTEM_ZONE_START, HEAP_START, self, flags_in_masters=has_flags)
        system.more_masters()
        self.application = ApplicationZone(self.host, self)
        self.heap = self.application.heap
        for _ in range(_FIRST_MASTER_BLOCKS):
            self.heap.more_masters()
        self.zones = Zones(self.guest, self.heap, system)
        self.adopted: dict[int, Block] = {}
        self.guest.put32(LowMemory.SYSTEM_ZONE, system.start)
        for place in (LowMemory.APPLICATION_ZONE, LowMemory.THE_ZONE):
            self.guest.put32(place, self.heap.start)

    def finish(self) -> None:
        """Look for damage and stray writes that no later call has come across."""
        for zone in self.zones:
            zone.verify_all(fill=True)

    # -- what the heap tells -----------------------------------------------------------------------

    def heap_damaged(self, problem: str, *, by_narrow_header: bool = False) -> Exception:
        """The error to raise when the heap is destroyed."""
        if any(check == "stale handle" for check, _ in self.host.outputs.findings):
            problem += (
                " The program wrote through a stale handle before, as is told below. With "
                "--no-scramble blocks stay where they are, and it may get further."
            )
        if by_narrow_header and self.host.cpu.architecture == "m68k":
            problem += self.host.outputs.wish_for_plus("changes headers of 24-bit addressing")
        return self.host.stopped(problem)

    def heap_finding(self, check: str, problem: str) -> None:
        """Note a mistake found in the heap."""
        self.host.report(check, problem)

    def heap_changed(self, places: Sequence[tuple[int, int]]) -> None:
        """Code that was translated from there is gone."""
        self.host.engine.free_places(places)

    def heap_purging(self, handle: int) -> None:
        """A resource that was changed may have to be written first."""
        self.resources.purging(handle)

    def heap_user(self) -> str:
        """The routine being performed."""
        current = self.host.routine
        return current.name if current is not None else "the program's start"

    def heap_use(self) -> HeapUse:
        """The call being performed."""
        return HeapUse(self.heap_user(), self.host.calls_made, self.host.called_from)

    def heap_words(self, use: HeapUse) -> str:
        """A call that has used the heap, in words."""
        if not use.number:
            return use.routine
        at = self.host.place(use.caller)
        return f"{use.routine}, call {use.number:,} of the Toolbox, at {at},"

    # -- for other managers ------------------------------------------------------------------------

    def error(self, code: int) -> int:
        """Set MemErr; the code again."""
        self.guest.put16(LowMemory.MEMORY_ERROR, code)
        return code

    def new_pointer(self, size: int, clear: bool = False, *, of_system: bool = False) -> int:
        """The address of a new nonrelocatable block, or 0 if memory is full; sets MemErr."""
        address = self.zones.for_block(size, of_system=of_system).new_pointer(size)
        if address and clear:
            self.guest.view(address, size)[:] = 0
        self.error(0 if address else ResultCode.memFullErr)
        return address

    def dispose_pointer(self, address: int) -> None:
        """Free a nonrelocatable block; sets MemErr."""
        block = self.find_pointer(address)
        if block is not None and self.adopted.pop(address, None) is not None:
            self.heap.space.former.note(block, moved=False)
            self.guest.view(address, block.logical)[:] = self.heap.space.memory.filling
            self.error(0)
        elif block is not None:
            self.zones.forget(block.content, block.end)
            self.zones.at(address).dispose(block)
            self.error(0)

    def resize_pointer(self, address: int, size: int) -> bool:
        """Change the size of a nonrelocatable block; False if there is no room. Sets MemErr."""
        block = self.find_pointer(address)
        if block is None:
            return False
        if address in self.adopted:
            done = 0 <= size <= block.size - block.form.size
            block.logical = size if done else block.logical
        else:
            done = size >= 0 and self.zones.at(address).resize(block, size, may_move=False)
        self.error(0 if done else ResultCode.memFullErr)
        return done

    def new_handle(self, size: int, clear: bool = False, *, of_system: bool = False) -> int:
        """A new handle to a block, or 0 if memory is full; sets MemErr."""
        handle = self.zones.for_block(size, of_system=of_system).new_handle(size)
        if handle and clear:
            self.guest.view(self.address(handle), size)[:] = 0
        self.error(0 if handle else ResultCode.memFullErr)
        return handle

    def new_empty_handle(self, size: int = 0) -> int:
        """A handle without a block, where there is room for one of a size. Sets MemErr.

        Memory moves only for more master pointers.
        """
        zone = self.zones.for_block(size)
        self.host.memory_stays = zone.has_free_masters
        handle = zone.new_empty_handle()
        self.error(0 if handle else ResultCode.memFullErr)
        return handle

    def handle_from(self, data: bytes) -> int:
        """A new handle with that contents, or 0 if memory is full."""
        handle = self.new_handle(len(data))
        if handle:
            self.guest.write(self.address(handle), data)
        return handle

    def dispose_handle(self, handle: int) -> None:
        """Free a handle and its block."""
        if self.check_handle(handle):
            self.zones.of_handle(handle).release_handle(handle)

    def is_handle(self, handle: int) -> bool:
        """Whether it is a handle in use."""
        return any(handle in zone.handles for zone in self.zones)

    def is_pointer(self, address: int) -> bool:
        """Whether a nonrelocatable block begins there."""
        block = self.heap.blocks.get(address)
        return (block is not None and block.kind != HANDLE) or address in self.adopted

    def address(self, handle: int) -> int:
        """Where the handle's block is; 0 if it is empty, or none at all."""
        if not self.check_handle(handle):
            return 0
        block = self.zones.of_handle(handle).block_of(handle)
        return block.content if block is not None else 0

    def handle_size(self, handle: int) -> int:
        """The size of its contents; 0 if it has none."""
        if not self.check_handle(handle):
            return 0
        block = self.zones.of_handle(handle).block_of(handle)
        return block.logical if block is not None else 0

    def resize_handle(self, handle: int, size: int) -> bool:
        """Change the size of its contents; False if there is no room. Sets MemErr."""
        return self.set_handle_size(handle, size) == 0

    def set_handle_size(self, handle: int, size: int) -> int:
        """Change the size of its contents; the error, which is also in MemErr."""
        block = self.find(handle)
        if block is None:
            return self.last_error
        zone, may_move = self.zones.of_handle(handle), not block.flags & LOCKED
        if size >= 0 and zone.resize(block, size, may_move=may_move):
            return self.error(0)
        if size >= 0 and may_move:
            zone.compact()
            if zone.resize(block, size, may_move=True):
                return self.error(0)
        return self.error(ResultCode.memFullErr)

    def contents(self, handle: int) -> bytes:
        """A copy of its contents; b"" if it has none."""
        address = self.address(handle)
        return self.guest.read(address, self.handle_size(handle)) if address else b""

    def reachable(self, handle: int) -> bytes:
        """What a routine that asks for no size can read through a handle: its contents.

        To a Mac the address of a variable that holds an address is as good as a handle. There the
        bytes go on to the end of that memory, or for `_FARTHEST`.
        """
        if self.is_handle(handle) or any(zone.was_disposed(handle) for zone in self.zones):
            return self.contents(handle)
        variable = self.guest.memory.find(handle)
        place = 0 if variable is None or handle + 4 > variable.end else self.guest.u32(handle)
        region = self.guest.memory.find(place)
        if not place or place & 1 or region is None or place < HEAP_START:
            return self.contents(handle)
        return self.guest.read(place, min(region.end - place, _FARTHEST))

    def set_contents(self, handle: int, data: bytes) -> bool:
        """Replace its contents; False if there is no room."""
        zone = self.zones.of_handle(handle)
        if handle in zone.handles and zone.handles[handle] is None:
            if not zone.fill_handle(handle, len(data)):
                self.error(ResultCode.memFullErr)
                return False
        elif self.handle_size(handle) != len(data) and not self.resize_handle(handle, len(data)):
            return False
        address = self.address(handle)
        self.guest.write(address, data)
        self.host.engine.forget_code(address, len(data))
        return True

    def lock(self, handle: int) -> None:
        """Keep its block where it is."""
        self.change_flags(handle, LOCKED, 0)

    def unlock(self, handle: int) -> None:
        """Let its block move again."""
        self.change_flags(handle, 0, LOCKED)

    def flags(self, handle: int) -> int:
        """Its master pointer flags (`heap.LOCKED` and so on); 0 for an empty handle."""
        return self.zones.of_handle(handle).flags(handle)

    def change_flags(self, handle: int, add: int, remove: int) -> int:
        """Set and clear master pointer flags; the error, which is also in MemErr."""
        block = self.find(handle)
        if block is None:
            return self.last_error
        self.zones.of_handle(handle).set_flags(block, block.flags & ~remove | add)
        return self.error(0)

    def scramble(self) -> None:
        """Move every block that may move."""
        for zone in self.zones:
            zone.scramble(self.host.return_address)

    def check_handle(self, handle: int) -> bool:
        """Whether the program passed a handle; if not, that is reported and MemErr set."""
        if self.is_handle(handle):
            return True
        self._no_handle(handle)
        return False

    def find(self, handle: int) -> Block | None:
        """The block of a handle that the program passed; or None, and MemErr is set."""
        if not self.check_handle(handle):
            return None
        block = self.zones.of_handle(handle).block_of(handle)
        if block is None:
            self.error(ResultCode.nilHandleErr)
        return block

    @property
    def last_error(self) -> int:
        """What MemErr holds."""
        return self.guest.i16(LowMemory.MEMORY_ERROR)

    def size_error(self) -> int:
        """What GetHandleSize and GetPtrSize return for what has no size."""
        # The trap gives the error in D0; PowerPC's library and high-level 68K glue give 0.
        return self.last_error if self.host.cpu.architecture == "m68k" else 0

    def _no_handle(self, handle: int) -> None:
        if handle == 0:
            self.error(ResultCode.nilHandleErr)
            return
        name, given = self.heap_user(), self.host.source_of(handle)
        check, words = self._fault_of(handle)
        if check == "disposed handle":
            check = "double dispose" if name == "DisposeHandle" else check
            self.host.report(check, f"{name} {given} {words}")
        else:
            source = stale_source(self.host, self.zones, handle)
            problem = f"{name} {given} {words}{source}"
            self.host.report(check, problem, Sureness.SOME if source else None)
        self.error(ResultCode.memWZErr)

    def no_handle(self, handle: int, what: str) -> MisuseError:
        """The error of a call that was given what is no handle in place of something's."""
        check, words = self._fault_of(handle)
        return self.host.misuse(check, f"the {what} is {words}")

    def _fault_of(self, handle: int) -> tuple[str, str]:
        """What is wrong with what is no handle: the check that finds it, and words."""
        use = next(filter(None, (zone.disposal_of(handle) for zone in self.zones)), None)
        if use is None:
            return "not a handle", f"0x{handle:08x}, which is no handle"
        # Without the call's number: in a loop it is one mistake.
        by = f"{use.routine} at {self.host.place(use.caller)}" if use.number else use.routine
        return "disposed handle", f"handle 0x{handle:08x}, which {by} had disposed of"

    def find_pointer(self, address: int) -> Block | None:
        """The nonrelocatable block at an address the program passed; or None, with MemErr set."""
        if address in self.adopted:
            return self.adopted[address]
        zone = self.zones.at(address)
        block = zone.blocks.get(address)
        if block is not None and block.kind == HANDLE:
            zone.look_at_changes()
        if block is not None and block.kind != HANDLE:
            return block
        name = self.heap_user()
        given = self.host.source_of(address)
        what = f"{name} {given} 0x{address:08x}, "
        story = zone.space.former.at(address)
        if address == 0:
            what = f"{name} {given} nil"
            check = "not a pointer"
        elif block is not None:
            check = "not a pointer"
            what += "which is the block of a handle"
        elif story:
            check = "double dispose" if name == "DisposePtr" else "disposed pointer"
            what += story
        else:
            check = "not a pointer"
            what += "which is no block of the heap"
        # For nil a Macintosh answers with an error and does nothing else.
        self.host.report(check, what, Sureness.UNUSUAL if address == 0 else None)
        self.error(ResultCode.memWZErr)
        return None

    def with_growth(self, attempt: Callable[[], int], size: int) -> int:
        """Try again as long as the program's grow-zone routine frees memory."""
        result = attempt()
        while not result and self.zones.current.grow_zone:
            if not self.host.call_guest(self.zones.current.grow_zone, _GROW_ZONE, size):
                break
            result = attempt()
        return result

    # -- the error of the last call ----------------------------------------------------------------

    @routine("FUNCTION MemError: OSErr")
    def mem_error(self) -> int:
        """The error of the last Memory Manager call."""
        return self.last_error
