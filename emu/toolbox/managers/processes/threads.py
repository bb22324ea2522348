"""The Thread Manager: makes cooperative threads, each with a stack of its own in the heap.

There are no preemptive threads: a program that asks for one is told that there are too many, as
when the pool of them is empty.
Sources: as in `thread_turns`.
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.processes.thread_turns import (
    APPLICATION,
    READY,
    STOPPED,
    Thread,
    ThreadTurns,
    thread_call,
)
from emu.toolbox.records.results import ResultCode

_COOPERATIVE = 1
_SUSPENDED, _PREMADE, _IF_NEEDED = 1, 2, 4
_DEFAULT_STACK = 24 << 10
_TASK = 1
"""What stands for the program among tasks."""


class ThreadManager(Manager):
    """Makes threads, ends them, and tells about them."""

    _memory: MemoryManager
    _turns: ThreadTurns

    def __post_init__(self) -> None:
        self._newest = APPLICATION
        self._pool: list[int] = []

    # -- making and ending -------------------------------------------------------------------------

    @thread_call(
        "FUNCTION NewThread (threadStyle: LONGINT; threadEntry: ProcPtr; threadParam: Ptr; "
        "stackSize: Size; options: LONGINT; threadResult: Ptr; threadMade: Ptr): OSErr",
        0xE03,
    )
    def newthread_call(
        self, style: int, entry: int, argument: int, size: int, options: int, result: int, made: int
    ) -> int:
        """Make a thread that waits for its turn; only cooperative ones can be made."""
        size = size if size > 0 else _DEFAULT_STACK
        fits = [stack for stack in self._pool if stack >= size]
        is_short = options & _PREMADE and not fits and not options & _IF_NEEDED
        if style != _COOPERATIVE or is_short:
            return ResultCode.threadTooManyReqsErr
        if options & _PREMADE and fits:
            self._pool.remove(min(fits))
        stack = self._memory.new_pointer(size)
        if not stack:
            return ResultCode.memFullErr
        self._newest += 1
        state = STOPPED if options & _SUSPENDED else READY
        thread = Thread(self._newest, stack, size, entry, argument, result, state)
        self._turns.threads[thread.id] = thread
        if made:
            self.guest.put32(made, thread.id)
        return 0

    @thread_call(
        "FUNCTION DisposeThread (threadToDump: LONGINT; threadResult: Ptr; "
        "recycleThread: BOOLEAN): OSErr",
        0x504,
    )
    def dispose_thread(self, number: int, result: int, recycle: bool) -> int:
        """End a thread, perhaps the current one, whose call then does not return."""
        thread = self._turns.find(number)
        if thread is None:
            return ResultCode.threadNotFoundErr
        if thread.id == APPLICATION:
            return ResultCode.threadProtocolErr
        if recycle:
            self._pool.append(thread.size)
        if thread is not self._turns.current:
            self._turns.forget(thread, result)
            return 0
        thread.state, thread.is_over, thread.value = STOPPED, True, result
        return self._turns.reschedule(0)

    @thread_call(
        "FUNCTION CreateThreadPool (threadStyle: LONGINT; numToCreate: INTEGER; "
        "stackSize: Size): OSErr",
        0x501,
    )
    def create_pool(self, style: int, count: int, size: int) -> int:
        """Have threads ready to be used; their stacks are taken from the heap when they are."""
        if style != _COOPERATIVE:
            return ResultCode.memFullErr
        self._pool += [size if size > 0 else _DEFAULT_STACK] * max(count, 0)
        return 0

    @thread_call(
        "FUNCTION GetFreeThreadCount (threadStyle: LONGINT; VAR freeCount: INTEGER): OSErr", 0x402
    )
    def free_count(self, style: int, result: int) -> int:
        """How many threads are in the pool."""
        return int(self.free_count_of(style, 0, result))

    @thread_call(
        "FUNCTION GetSpecificFreeThreadCount (threadStyle: LONGINT; stackSize: Size; "
        "VAR freeCount: INTEGER): OSErr",
        0x615,
    )
    def free_count_of(self, style: int, size: int, result: int) -> int:
        """How many of them have a stack of a size or larger."""
        fits = [stack for stack in self._pool if stack >= size and style == _COOPERATIVE]
        self.guest.put16(result, len(fits))
        return 0

    # -- asking ------------------------------------------------------------------------------------

    @thread_call(
        "FUNCTION GetCurrentThread (VAR currentThreadID: LONGINT): OSErr",
        0x206,
        imports=("MacGetCurrentThread",),
    )
    def current_thread(self, result: int) -> int:
        """The number of the thread that asks."""
        self.guest.put32(result, self._turns.current.id)
        return 0

    @thread_call(
        "FUNCTION GetThreadState (threadToGet: LONGINT; VAR threadState: INTEGER): OSErr", 0x407
    )
    def get_state(self, number: int, result: int) -> int:
        """Whether a thread is ready (0), stopped (1) or running (2)."""
        thread = self._turns.find(number)
        if thread is None:
            return ResultCode.threadNotFoundErr
        self.guest.put16(result, thread.state)
        return 0

    @thread_call(
        "FUNCTION GetDefaultThreadStackSize (threadStyle: LONGINT; VAR stackSize: Size): OSErr",
        0x413,
    )
    def default_stack_size(self, style: int, result: int) -> int:
        """The size of the stack of a thread for which none is given: 24 KB."""
        self.guest.put32(result, _DEFAULT_STACK)
        return 0

    @thread_call(
        "FUNCTION ThreadCurrentStackSpace (thread: LONGINT; VAR freeStack: LONGINT): OSErr", 0x414
    )
    def stack_space(self, number: int, result: int) -> int:
        """How many bytes of a thread's stack are free."""
        thread = self._turns.find(number)
        if thread is None:
            return ResultCode.threadNotFoundErr
        top = thread.stack + thread.size
        if thread is self._turns.current:
            top = self.host.stack_pointer
        elif thread.context is not None:
            top = thread.context.registers[self._turns.switch.stack_index]
        self.guest.put32(result, max(top - thread.stack, 0))
        return 0

    @thread_call("FUNCTION GetThreadCurrentTaskRef (VAR threadTRef: Ptr): OSErr", 0x20E)
    def task(self, result: int) -> int:
        """What stands for the program, for its interrupt routines."""
        self.guest.put32(result, _TASK)
        return 0

    @thread_call(
        "FUNCTION GetThreadStateGivenTaskRef (threadTRef: Ptr; threadToGet: LONGINT; "
        "VAR threadState: INTEGER): OSErr",
        0x60F,
    )
    def get_state_of(self, task: int, number: int, result: int) -> int:
        """A thread's state, for an interrupt routine."""
        error = self.get_state(number, result)
        return int(error) if task == _TASK else ResultCode.threadProtocolErr

    @thread_call(
        "FUNCTION SetThreadReadyGivenTaskRef (threadTRef: Ptr; threadToSet: LONGINT): OSErr", 0x410
    )
    def set_ready_of(self, task: int, number: int) -> int:
        """Have an interrupt routine make a stopped thread ready."""
        thread = self._turns.find(number)
        if thread is None:
            return ResultCode.threadNotFoundErr
        if task != _TASK or thread.state != STOPPED:
            return ResultCode.threadProtocolErr
        thread.state = READY
        return 0

    # -- routines of the program -------------------------------------------------------------------

    @thread_call(
        "FUNCTION SetThreadSwitcher (thread: LONGINT; threadSwitcher: ProcPtr; "
        "switchProcParam: Ptr; inOrOut: BOOLEAN): OSErr",
        0x70A,
    )
    def set_switcher(self, number: int, switcher: int, argument: int, is_in: bool) -> int:
        """Have a routine called when a thread is entered or left."""
        return self._set_procedure(number, "in" if is_in else "out", switcher, argument)

    @thread_call(
        "FUNCTION SetThreadTerminator (thread: LONGINT; threadTerminator: ProcPtr; "
        "terminationProcParam: Ptr): OSErr",
        0x611,
    )
    def set_terminator(self, number: int, terminator: int, argument: int) -> int:
        """Have a routine called when a thread ends."""
        return self._set_procedure(number, "end", terminator, argument)

    def _set_procedure(self, number: int, when: str, procedure: int, argument: int) -> int:
        thread = self._turns.find(number)
        if thread is None:
            return ResultCode.threadNotFoundErr
        thread.procedures[when] = procedure, argument
        return 0

    @thread_call(
        "FUNCTION SetDebuggerNotificationProcs (notifyNewThread: ProcPtr; "
        "notifyDisposeThread: ProcPtr; notifyThreadScheduler: ProcPtr): OSErr",
        0x60D,
    )
    def set_debugger(self, *procedures: int) -> int:
        """Take note of a debugger's routines; none is called."""
        return 0
