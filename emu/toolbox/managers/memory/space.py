"""The Memory Manager's view of space: free memory, compaction, zones, temporary memory.

Source: Inside Macintosh: Memory, chapters 1 and 2.
"""

from __future__ import annotations

from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.handles import MemoryHandles
from emu.toolbox.managers.memory.heap import Heap
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode

_EVERYTHING = 1 << 32
"""More bytes than any hole has."""


class MemorySpaceManager(Manager):
    """How much is free, and where."""

    plumbing = True

    _memory: MemoryManager
    _handles: MemoryHandles
    _dispatcher: Dispatcher

    def _zone(self) -> Heap:
        """The current zone."""
        self._memory.application.notice_glue()
        return self._memory.zones.current

    # -- free space --------------------------------------------------------------------------------

    @routine("FUNCTION FreeMem: LONGINT", variants={"FreeMemSys": 0xA41C})
    def free_mem(self, *, trap: int = 0) -> int:
        """Free bytes in the zone, however scattered."""
        self._memory.error(0)
        return self._zone().free

    @routine("FUNCTION MaxBlock: LONGINT", variants={"MaxBlockSys": 0xA461})
    def max_block(self, *, trap: int = 0) -> int:
        """The largest block that compaction could make room for; it is not done."""
        self._memory.error(0)
        zone = self._zone()
        return max(zone.largest_room() - zone.space.form.size, 0)

    @routine("FUNCTION MaxMem (VAR grow: Size): Size", architecture="powerpc")
    def max_mem(self, grow: int) -> int:
        """Purge and compact everything; the largest block that is free then."""
        free = self._compact_all()
        self.guest.put32(grow, self._growth())
        return free

    @routine(
        "FUNCTION MaxMem: Size",
        registers="-> D0",
        variants={"MaxMemSys": 0xA51D},
        architecture="m68k",
    )
    def max_mem_68k(self, *, trap: int) -> int:
        """The same; the bytes by which the zone can grow are given in A0."""
        free = self._compact_all()
        self.also_return("a0", self._growth())
        return free

    def _growth(self) -> int:
        application = self._memory.application
        return application.growth if self._memory.zones.current is application.heap else 0

    def _compact_all(self) -> int:
        zone = self._zone()
        zone.purge(_EVERYTHING)
        zone.compact()
        self._memory.error(0)
        return zone.largest

    @routine("FUNCTION CompactMem (cbNeeded: Size): Size", variants={"CompactMemSys": 0xA44C})
    def compact_mem(self, needed: int, *, trap: int) -> int:
        """Move blocks together; the largest free block."""
        memory = self._memory
        memory.zones.current.compact()
        memory.error(0)
        return memory.zones.current.largest

    @routine("PROCEDURE PurgeMem (cbNeeded: Size)", variants={"PurgeMemSys": 0xA44D})
    def purge_mem(self, needed: int, *, trap: int) -> None:
        """Throw away purgeable blocks until there is a free block of that size."""
        memory = self._memory
        if memory.zones.current.largest < needed:
            memory.zones.current.purge(needed + memory.heap.space.form.size)
        memory.error(0 if memory.zones.current.largest >= needed else ResultCode.memFullErr)

    @routine("PROCEDURE PurgeSpace (VAR total,contig: LONGINT)", architecture="powerpc")
    def purge_space(self, total: int, contiguous: int) -> None:
        """What would be free after a purge: in all, and in one piece."""
        in_all, in_one_piece = self._purge_space()
        self.guest.put32(total, in_all)
        self.guest.put32(contiguous, in_one_piece)

    @routine(
        "FUNCTION PurgeSpace: LONGINT",
        trap=0xA062,
        registers="-> D0",
        variants={"PurgeSpaceSys": 0xA462},
        architecture="m68k",
    )
    def purge_space_68k(self, *, trap: int) -> int:
        """The same; in one piece in A0."""
        in_all, in_one_piece = self._purge_space()
        self.also_return("a0", in_one_piece)
        return in_all

    def _purge_space(self) -> tuple[int, int]:
        heap = self._memory.zones.current
        purgeable = heap.purgeable_bytes()
        self._memory.error(0)
        return heap.free + purgeable, self.max_block() + purgeable

    @routine("PROCEDURE ReserveMem (cbNeeded: Size)", variants={"ReserveMemSys": 0xA440})
    def reserve_mem(self, needed: int, *, trap: int) -> None:
        """Make sure there is room low in the zone, where nonrelocatable blocks go anyway.

        Nothing moves if the room is there: MS-BASIC asks for a kilobyte more each time, up to all.
        """
        memory, zone = self._memory, self._zone()
        self.host.memory_stays = zone.largest >= needed
        has_room = self.host.memory_stays or zone.make_room(needed + zone.space.form.size)
        memory.error(0 if has_room else ResultCode.memFullErr)

    @routine("FUNCTION StackSpace: LONGINT")
    def stack_space(self) -> int:
        """Bytes between the stack pointer and the heap as it is now."""
        _, stack_pointer = self._dispatcher.caller_registers()
        self._memory.error(0)
        return stack_pointer - self._memory.application.end

    # -- zones -------------------------------------------------------------------------------------

    @routine("PROCEDURE MaxApplZone")
    def max_appl_zone(self) -> None:
        """Grow the zone to its limit; the stack has no more than is above that then."""
        self._memory.application.grow()
        self._memory.error(0)

    @routine("PROCEDURE MoreMasters")
    def more_masters(self) -> None:
        """Make a block of master pointers."""
        memory = self._memory
        memory.error(0 if memory.zones.current.more_masters() else ResultCode.memFullErr)

    @routine("FUNCTION GetZone: THz")
    def get_zone(self) -> int:
        """The current zone."""
        self._memory.error(0)
        return self.guest.u32(LowMemory.THE_ZONE)

    @routine("PROCEDURE SetZone (hz: THz)")
    def set_zone(self, zone: int) -> None:
        """Make a zone the current one."""
        self.guest.put32(LowMemory.THE_ZONE, zone)
        self._memory.error(0)

    @routine(
        "PROCEDURE InitZone (pGrowZone: ProcPtr; cMoreMasters: INTEGER; limitPtr,startPtr: Ptr)",
        architecture="powerpc",
    )
    def init_zone(self, grow_zone: int, masters: int, end: int, start: int) -> None:
        """Make a zone of the program's own memory; it is the current one then."""
        form = self._memory.heap.space.form
        if masters < 1 or end - start < form.zone_size + 2 * form.size + 4 * masters:
            what = f"{masters} master pointers in {end - start} bytes"
            raise self.host.stopped(f"InitZone: a zone cannot have {what}")
        self.guest.writable_offset(start, end - start)
        memory = self._memory
        memory.zones.make(start, end, memory, masters).grow_zone = grow_zone
        memory.error(0)

    @routine("PROCEDURE InitZone (zone: Ptr)", trap=0xA019, registers="A0", architecture="m68k")
    def init_zone_68k(self, block: int) -> None:
        """The same; the arguments are in a block: start, limit, master pointers, procedure."""
        guest = self.guest
        start, end, masters = guest.u32(block), guest.u32(block + 4), guest.i16(block + 8)
        self.init_zone(guest.u32(block + 10), masters, end, start)

    @routine("FUNCTION ApplicationZone: THz", imports=("ApplicZone",))
    def application_zone(self) -> int:
        """The application's zone."""
        return self._memory.heap.start

    @routine("FUNCTION SystemZone: THz")
    def system_zone(self) -> int:
        """The system's zone, which is small; blocks that do not fit are in the application's."""
        return self._memory.zones.system.start

    @routine("FUNCTION HandleZone (h: Handle): THz")
    def handle_zone(self, handle: int) -> int:
        """The zone of a handle."""
        memory = self._memory
        if not memory.check_handle(handle):
            return 0
        memory.error(0)
        return memory.zones.of_handle(handle).start

    @routine("FUNCTION PtrZone (p: Ptr): THz")
    def ptr_zone(self, address: int) -> int:
        """The zone of a nonrelocatable block."""
        memory = self._memory
        if memory.find_pointer(address) is None:
            return 0
        memory.error(0)
        return memory.zones.at(address).start

    @routine("FUNCTION GetApplLimit: Ptr")
    def get_appl_limit(self) -> int:
        """How far the zone may grow."""
        return self.guest.u32(LowMemory.APPLICATION_LIMIT)

    @routine("PROCEDURE SetApplLimit (zoneLimit: Ptr)")
    def set_appl_limit(self, limit: int) -> None:
        """Set how far the zone may grow; memFullErr if it needs more already."""
        done = self._memory.application.set_limit(limit)
        self._memory.error(0 if done else ResultCode.memFullErr)

    @routine("PROCEDURE SetGrowZone (growZone: ProcPtr)")
    def set_grow_zone(self, procedure: int) -> None:
        """Set what is called when memory is full."""
        self._memory.zones.current.grow_zone = procedure
        self._memory.error(0)

    @routine("FUNCTION TopMem: Ptr")
    def top_mem(self) -> int:
        """The end of memory."""
        return self.guest.u32(LowMemory.MEM_TOP)

    # -- temporary memory --------------------------------------------------------------------------

    @routine("FUNCTION TempFreeMem: LONGINT")
    def temp_free_mem(self) -> int:
        """Free temporary memory: the zone's own, and what it may get."""
        return self.free_mem() + self._growth()

    @routine("FUNCTION TempMaxMem (VAR grow: Size): Size")
    def temp_max_mem(self, grow: int) -> int:
        """The largest block of temporary memory."""
        largest = self.max_mem(grow)
        return largest + self._growth()

    @routine("FUNCTION TempTopMem: Ptr")
    def temp_top_mem(self) -> int:
        """The end of memory."""
        return self.top_mem()

    @routine("FUNCTION TempNewHandle (logicalSize: Size; VAR resultCode: OSErr): Handle")
    def temp_new_handle(self, size: int, result_code: int) -> int:
        """A handle to temporary memory: the zone's own."""
        handle = self._memory.new_handle(size)
        self._put_error(result_code)
        return handle

    @routine("PROCEDURE TempHLock (h: Handle; VAR resultCode: OSErr)")
    def temp_h_lock(self, handle: int, result_code: int) -> None:
        """HLock."""
        self._memory.lock(handle)
        self._put_error(result_code)

    @routine("PROCEDURE TempHUnlock (h: Handle; VAR resultCode: OSErr)")
    def temp_h_unlock(self, handle: int, result_code: int) -> None:
        """HUnlock."""
        self._memory.unlock(handle)
        self._put_error(result_code)

    @routine("PROCEDURE TempDisposeHandle (h: Handle; VAR resultCode: OSErr)")
    def temp_dispose_handle(self, handle: int, result_code: int) -> None:
        """DisposeHandle."""
        self._handles.dispose_handle(handle)
        self._put_error(result_code)

    def _put_error(self, place: int) -> None:
        if place:
            self.guest.put16(place, self.guest.u16(LowMemory.MEMORY_ERROR))
