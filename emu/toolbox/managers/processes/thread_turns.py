"""Whose turn it is among the threads of a program, and how one leaves the processor to another.

Threads take turns in the order in which they were made, unless the program's own scheduler says
who is next. A thread cannot be entered while a routine that another one has called back from the
Toolbox has still to return.
Sources: Thread Manager for Macintosh Applications (Apple, 1994: states, results); the public
interface Threads.h of version 1.2 (selectors and parameters).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from emu.machine.engine.processor_context import ProcessorContext
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.thread_switches import END, END_TRAP, SWITCH, SWITCH_TRAP, thread_switch
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode

CURRENT, APPLICATION = 1, 2
READY, STOPPED, RUNNING = 0, 1, 2

_THREAD_DISPATCH = 0xABF2
_SCHEDULER = "FUNCTION Scheduler (schedulerInfo: Ptr): LONGINT"
_SWITCHER = "PROCEDURE Switcher (threadBeingSwitched: LONGINT; switchProcParam: Ptr)"
_SCHEDULER_SIZE = 16
_Method = TypeVar("_Method", bound=Callable[..., int])


@dataclass(slots=True)
class Thread:
    """A thread.

    Attributes:
        id: its number.
        stack: where its stack begins; the program's own is not a block.
        size: how many bytes it has.
        entry: its routine, until it has begun.
        argument: what that gets.
        result: where its result goes; 0 for nowhere.
        state: ready, stopped or running.
        place: where it goes on.
        context: its processor's state, while another one runs.
        is_over: whether it has disposed of itself, and goes when the next is entered.
        value: its result then.
        procedures: routines of the program with an argument each: called when it is left ("out"),
            entered ("in"), and when it ends ("end").
    """

    id: int
    stack: int
    size: int
    entry: int = 0
    argument: int = 0
    result: int = 0
    state: int = READY
    place: int = 0
    context: ProcessorContext | None = None
    is_over: bool = False
    value: int = 0
    procedures: dict[str, tuple[int, int]] = field(default_factory=dict)


def thread_call(
    heading: str, selector: int, imports: tuple[str, ...] = ()
) -> Callable[[_Method], _Method]:
    """Declare a routine of the Thread Manager."""
    return routine(heading, trap=_THREAD_DISPATCH, selector=("D0", selector), imports=imports)


class ThreadTurns(Manager):
    """Lets threads take turns.

    Attributes:
        threads: them, by their numbers.
        current: the one that runs.
        switch: moves the processor.
    """

    _dispatcher: Dispatcher
    _memory: MemoryManager

    def start(self) -> None:
        """Begin with the thread that is the program."""
        layout = self.host.layout
        main = Thread(APPLICATION, layout.stack, layout.stack_top - layout.stack, state=RUNNING)
        self.switch = thread_switch(self.host, self._dispatcher)
        self.threads = {APPLICATION: main}
        self.current = self._next = main
        self._callers: list[int] = []
        self._scheduler = self._critical = 0

    # -- for other managers ------------------------------------------------------------------------

    def find(self, number: int) -> Thread | None:
        """The thread of a number; None if there is none."""
        return self.current if number == CURRENT else self.threads.get(number)

    def _note_callers(self) -> None:
        """Bring up to date by whom the routines were called that have still to return."""
        depth = self.host.depth
        del self._callers[depth:]
        self._callers += [self.current.id] * (depth - len(self._callers))

    def _may_run(self, thread: Thread) -> bool:
        waits = thread.id in self._callers and self._callers[-1] != thread.id
        return thread.state != STOPPED and not waits

    def _choose(self, suggested: int) -> Thread | None:
        """Who is next: by the program's scheduler, as suggested, or in turn."""
        self._note_callers()
        if self._scheduler:
            suggested = self._scheduled(suggested)
        wanted = self.find(suggested)
        if wanted is not None and self._may_run(wanted):
            return wanted
        numbers = sorted(self.threads)
        after = [number for number in numbers if number > self.current.id]
        for number in (*after, *numbers):
            if self._may_run(self.threads[number]):
                return self.threads[number]
        return None

    def _scheduled(self, suggested: int) -> int:
        record = self._memory.new_pointer(_SCHEDULER_SIZE)
        words = (_SCHEDULER_SIZE, self.current.id, suggested, 0)
        self.guest.write(record, b"".join(word.to_bytes(4, "big") for word in words))
        number = int(self.host.call_guest(self._scheduler, _SCHEDULER, record)) & 0xFFFFFFFF
        self._memory.dispose_pointer(record)
        return number

    def reschedule(self, suggested: int) -> int:
        """Leave the current thread, if there is another one whose turn it is."""
        following = self._choose(suggested)
        if following is None:
            raise self._deadlock()
        if following is not self.current:
            self._next = following
            self.current.place = self.switch.detour()
        return 0

    def _no_turn(self) -> GuestStopError:
        return self.host.stopped("the program went where only a thread's call or end leads to")

    def _deadlock(self) -> GuestStopError:
        return self.host.stopped(
            "all threads of the program are stopped, so that none could ever go on"
        )

    @routine(f"PROCEDURE {SWITCH}", trap=SWITCH_TRAP, registers="")
    def switch_threads(self) -> None:
        """Exchange the current thread for the next: what yielding leads to."""
        left = self.current
        if left is self._next:
            raise self._no_turn()
        if left.is_over:
            self.forget(left, left.value)
        else:
            self._call("out", left)
            left.context = self.switch.leave(left.place)
            left.state = READY if left.state == RUNNING else left.state
        self._enter(self._next)

    def _enter(self, thread: Thread) -> None:
        self.current, thread.state = thread, RUNNING
        if thread.context is not None:
            self.switch.enter(thread.context)
        else:
            self.switch.begin(thread.entry, thread.argument, thread.stack, thread.size)
        self._call("in", thread)

    def _call(self, when: str, thread: Thread) -> None:
        procedure, argument = thread.procedures.get(when, (0, 0))
        if procedure:
            self.host.call_guest(procedure, _SWITCHER, thread.id, argument)

    @routine(f"PROCEDURE {END}", trap=END_TRAP, registers="")
    def endthread_call(self) -> None:
        """End a thread whose routine has returned."""
        if self.current.id == APPLICATION:
            raise self._no_turn()
        self.forget(self.current, self.switch.result())
        following = self._choose(0)
        if following is None:
            raise self._deadlock()
        self._next = following
        self._enter(following)

    def forget(self, thread: Thread, result: int) -> None:
        """Take a thread away that has ended, with its stack, and store its result."""
        self._call("end", thread)
        if thread.result:
            self.guest.put32(thread.result, result)
        del self.threads[thread.id]
        self._memory.dispose_pointer(thread.stack)

    # -- taking turns ------------------------------------------------------------------------------

    @thread_call("FUNCTION YieldToThread (suggestedThread: LONGINT): OSErr", 0x205)
    def yield_to(self, suggested: int) -> int:
        """Let a thread go on, or for 0 the next."""
        if suggested and self.find(suggested) is None:
            return ResultCode.threadNotFoundErr
        return self.reschedule(suggested)

    @routine("FUNCTION YieldToAnyThread: OSErr", architecture="powerpc")
    def yield_to_any(self) -> int:
        """Let the next thread go on."""
        return self.reschedule(0)

    @thread_call(
        "FUNCTION SetThreadState (threadToSet: LONGINT; newState: INTEGER; "
        "suggestedThread: LONGINT): OSErr",
        0x508,
    )
    def set_state(self, number: int, state: int, suggested: int) -> int:
        """Stop a thread, make it ready, or let it go on at once."""
        thread = self.find(number)
        if thread is None:
            return ResultCode.threadNotFoundErr
        if thread is self.current:
            if state == RUNNING:
                return 0
            thread.state = state
            return self.reschedule(suggested)
        thread.state = STOPPED if state == STOPPED else READY
        return self.reschedule(number) if state == RUNNING else 0

    @thread_call("FUNCTION ThreadBeginCritical: OSErr", 0xB)
    def begin_critical(self) -> int:
        """Keep preemptive threads out, of which there are none."""
        self._critical += 1
        return 0

    @thread_call("FUNCTION ThreadEndCritical: OSErr", 0xC)
    def end_critical(self) -> int:
        """The end of it."""
        if not self._critical:
            return ResultCode.threadProtocolErr
        self._critical -= 1
        return 0

    @thread_call(
        "FUNCTION SetThreadStateEndCritical (threadToSet: LONGINT; newState: INTEGER; "
        "suggestedThread: LONGINT): OSErr",
        0x512,
    )
    def set_state_and_end_critical(self, number: int, state: int, suggested: int) -> int:
        """Both at once."""
        return int(self.end_critical() or self.set_state(number, state, suggested))

    @thread_call("FUNCTION SetThreadScheduler (threadScheduler: ProcPtr): OSErr", 0x209)
    def set_scheduler(self, scheduler: int) -> int:
        """Say who chooses the next thread; nil for turns."""
        self._scheduler = scheduler
        return 0
