"""Open Transport's utilities: memory, strings, time, tasks and lists.

Source: Inside Macintosh: Networking With Open Transport, chapter "Utilities Reference".
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.c_library.strings import CStrings
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.networking.open_transport.providers import Providers, open_transport

_SECOND = 1_000_000
_FIRST_TASK = 0x00F40001
_TASK = "PROCEDURE Task (arg: Ptr)"


class OpenTransportUtilities(Manager):
    """Memory, strings, time and tasks."""

    plumbing = True
    powerpc_only = True

    _memory: MemoryManager
    _strings: CStrings
    _providers: Providers

    def __post_init__(self) -> None:
        self._tasks: dict[int, tuple[int, int]] = {}
        self._scheduled: set[int] = set()

    # -- memory and strings ------------------------------------------------------------------------

    @open_transport(
        "FUNCTION OTAllocMem (size: UInt32): Ptr", "OTAllocMemPriv", "OTAllocMemInContext"
    )
    def allocate(self, size: int) -> int:
        """Memory; 0 if there is not so much."""
        return self._memory.new_pointer(size)

    @open_transport("PROCEDURE OTFreeMem (mem: Ptr)")
    def free(self, memory: int) -> None:
        """Free it."""
        if memory:
            self._memory.dispose_pointer(memory)

    @open_transport("PROCEDURE OTMemcpy (dest: Ptr; src: Ptr; nBytes: UInt32)", "OTMemmove")
    def copy(self, target: int, source: int, count: int) -> None:
        """Copy bytes."""
        self._strings.memcpy(target, source, count)

    @open_transport("PROCEDURE OTMemset (dest: Ptr; toSet: UInt32; nBytes: UInt32)")
    def fill(self, target: int, value: int, count: int) -> None:
        """Fill bytes."""
        self._strings.memset(target, value, count)

    @open_transport("PROCEDURE OTMemzero (dest: Ptr; nBytes: UInt32)")
    def clear(self, target: int, count: int) -> None:
        """Fill bytes with zeros."""
        self._strings.memset(target, 0, count)

    @open_transport("FUNCTION OTMemcmp (mem1: Ptr; mem2: Ptr; nBytes: UInt32): BOOLEAN")
    def is_same(self, first: int, second: int, count: int) -> bool:
        """Whether bytes are the same."""
        return not self._strings.memcmp(first, second, count)

    @open_transport("FUNCTION OTStrLength (str: Ptr): UInt32")
    def length(self, text: int) -> int:
        """The length of a C string."""
        return len(self.guest.c_string(text))

    @open_transport("PROCEDURE OTStrCopy (dest: Ptr; src: Ptr)")
    def copy_string(self, target: int, source: int) -> None:
        """Copy a C string."""
        self.guest.write(target, self.guest.c_string(source) + b"\0")

    @open_transport("PROCEDURE OTStrCat (dest: Ptr; src: Ptr)")
    def append_string(self, target: int, source: int) -> None:
        """Append a C string."""
        self.copy_string(target + len(self.guest.c_string(target)), source)

    @open_transport("FUNCTION OTStrEqual (src1: Ptr; src2: Ptr): BOOLEAN")
    def is_same_string(self, first: int, second: int) -> bool:
        """Whether C strings are the same."""
        return self.guest.c_string(first) == self.guest.c_string(second)

    # -- time --------------------------------------------------------------------------------------

    @open_transport("PROCEDURE OTGetTimeStamp (currentTime: Ptr)")
    def get_time(self, place: int) -> None:
        """The time, in 64 bits."""
        self.guest.write(place, self.host.clock.read().to_bytes(8, "big"))

    def _since(self, place: int) -> int:
        start = int.from_bytes(self.guest.read(place, 8), "big")
        return max(self.host.clock.read() - start, 0)

    @open_transport("FUNCTION OTElapsedMilliseconds (startTime: Ptr): UInt32")
    def milliseconds_since(self, place: int) -> int:
        """How long ago a time was."""
        return self._since(place) // 1000 & 0xFFFFFFFF

    @open_transport("FUNCTION OTElapsedMicroseconds (startTime: Ptr): UInt32")
    def microseconds_since(self, place: int) -> int:
        """How long ago a time was."""
        return self._since(place) & 0xFFFFFFFF

    @open_transport("FUNCTION OTGetClockTimeInSecs: UInt32")
    def seconds(self) -> int:
        """Seconds since the machine was started."""
        return self.host.clock.now() // _SECOND

    @open_transport("PROCEDURE OTDelay (seconds: UInt32)")
    def delay(self, seconds: int) -> None:
        """Wait."""
        self.host.clock.wait(min(seconds, 3600) * _SECOND)

    @open_transport("PROCEDURE OTIdle")
    def idle(self) -> None:
        """Give Open Transport time, which it does not need."""

    # -- tasks -------------------------------------------------------------------------------------

    @open_transport(
        "FUNCTION OTCreateDeferredTask (proc: ProcPtr; arg: Ptr): Ptr",
        "OTCreateDeferredTaskPriv",
        "OTCreateDeferredTaskInContext",
        "OTCreateSystemTask",
        "OTCreateSystemTaskPriv",
        "OTCreateTimerTask",
        "OTCreateTimerTaskPriv",
        "OTCreateTimerTaskInContext",
    )
    def make_task(self, procedure: int, argument: int) -> int:
        """A task that can be called later; its reference."""
        reference = _FIRST_TASK + len(self._tasks)
        self._tasks[reference] = procedure, argument
        return reference

    @open_transport(
        "FUNCTION OTScheduleDeferredTask (dtCookie: Ptr): BOOLEAN",
        "OTScheduleInterruptTask",
        "OTScheduleSystemTask",
    )
    def schedule(self, task: int) -> bool:
        """Call a task soon; False if it waits already."""
        return self._plan(task, 0)

    @open_transport("FUNCTION OTScheduleTimerTask (timerTask: Ptr; milliSeconds: UInt32): BOOLEAN")
    def schedule_after(self, task: int, milliseconds: int) -> bool:
        """Call a task after a time."""
        return self._plan(task, milliseconds * 1000)

    def _plan(self, task: int, microseconds: int) -> bool:
        if task not in self._tasks or task in self._scheduled:
            return False
        self._scheduled.add(task)
        self._providers.later(lambda: self._call(task), microseconds)
        return True

    def _call(self, task: int) -> None:
        if task in self._scheduled:
            self._scheduled.remove(task)
            procedure, argument = self._tasks[task]
            self.host.call_guest(procedure, _TASK, argument)

    @open_transport(
        "FUNCTION OTDestroyDeferredTask (dtCookie: Ptr): LONGINT",
        "OTDestroySystemTask",
        "OTDestroyTimerTask",
    )
    def forget_task(self, task: int) -> int:
        """Be done with a task, also while it waits."""
        self._scheduled.discard(task)
        return 0

    @open_transport("FUNCTION OTCancelTimerTask (timerTask: Ptr): BOOLEAN", "OTCancelSystemTask")
    def cancel_task(self, task: int) -> bool:
        """No longer call a task that waits."""
        waited = task in self._scheduled
        self._scheduled.discard(task)
        return waited

    @open_transport("FUNCTION OTCanMakeSyncCall: BOOLEAN", "OTCanLoadLibraries")
    def can_wait(self) -> bool:
        """Whether a call may wait, which it may not at interrupt time."""
        return True

    @open_transport("FUNCTION OTIsAtInterruptLevel: BOOLEAN")
    def is_interrupt(self) -> bool:
        """Whether an interrupt is being served."""
        return False

    @open_transport("PROCEDURE OTEnterInterrupt", "OTLeaveInterrupt")
    def mark_interrupt(self) -> None:
        """Say that an interrupt begins or ends."""

    # -- ports -------------------------------------------------------------------------------------

    @open_transport("FUNCTION OTGetIndexedPort (portRecord: Ptr; index: UInt32): BOOLEAN")
    @open_transport("FUNCTION OTFindPort (portRecord: Ptr; portName: Ptr): BOOLEAN")
    @open_transport("FUNCTION OTFindPortByRef (portRecord: Ptr; ref: UInt32): BOOLEAN")
    def find_port(self, record: int, which: int) -> bool:
        """Describe a port that hardware has registered: none has."""
        return False
