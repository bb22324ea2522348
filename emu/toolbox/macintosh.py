"""A Macintosh without a ROM: engine, memory, managers, and the loop that ties them together."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.stops import Stop, StopKind
from emu.toolbox.calls.call_log import CallLog
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.calls.processors import GuestProcessor, Processors
from emu.toolbox.computer.busy_waits import BusyWaits
from emu.toolbox.computer.clock import Clock
from emu.toolbox.computer.declaration import ManagerRoutine, Routine, callback
from emu.toolbox.computer.heartbeat import Heartbeat, RoutineTooLongError
from emu.toolbox.computer.host import Host
from emu.toolbox.computer.outputs import console_text
from emu.toolbox.computer.run_time import RunTime
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.declarations import declarations, every_trap, named_calls
from emu.toolbox.guest.fault_description import describe_fault, describe_stack
from emu.toolbox.guest.findings import (
    GuestStopError,
    MisuseError,
    NilGivenError,
    OutOfTimeError,
    ProgramExit,
)
from emu.toolbox.guest.guest_access import BadAddressError
from emu.toolbox.guest.layout import SHADOW, Layout
from emu.toolbox.guest.low_memory import LowMemoryGuard
from emu.toolbox.managers.all_managers import Managers
from emu.toolbox.managers.construction import make_managers
from emu.toolbox.managers.events.waiting import HARMLESS, WAITING
from emu.toolbox.managers.memory.sanitized_heap import SanitizedHeap
from emu.toolbox.managers.memory.stale_registers import report_misuse
from emu.toolbox.managers.processes.fragments import FragmentError

_WITHOUT_WORK = WAITING | HARMLESS
_DEEPEST = 40
"""The most nested callbacks; each takes about ten of Python's 1,000 stack frames."""


Call = tuple[Routine, Callable[..., Any], Sequence[Any], dict[str, Any]]
Perform = Callable[[Routine, Callable[..., Any], Sequence[Any], dict[str, Any]], Any]
"""The arguments of `Macintosh.perform`, and the method itself."""


class Macintosh(Managers):
    """Runs one program. Its managers are attributes, declared in `Managers`.

    Args:
        cpu: the processor.
        layout: the addresses of everything in guest memory.
        settings: what the user asked for.
        clock: tells the program the time.
        application: the program's name and resources.
        engine: a processor with the memory of the layout, to be used again; a new one if left out.

    Attributes:
        host: what managers may use of the machine. Its processor, memory, clock, layout, settings
            and outputs are attributes here too.
        dispatcher: answers traps on a 68K, imports on a PowerPC.
        managers: all managers by their names, under which each is an attribute as well.
        calls: how often each routine was called.
        instead: functions that answer routines instead of their managers, by the routine's name.
        after: functions to call after a routine has been called, by the routine's name.
        on_resume: are called before guest code goes on.
        on_stop: is called after it has stopped.
        run_guest: runs guest code until something stops it; a debugger's own method comes between.
    """

    def __init__(
        self,
        cpu: Cpu,
        layout: Layout,
        settings: Settings,
        clock: Clock,
        application: Application | None = None,
        engine: HostedEngine | None = None,
    ) -> None:
        self.host = host = Host(cpu, layout, settings, clock, application, engine)
        self.cpu, self.layout, self.settings, self.clock = cpu, layout, settings, clock
        self.engine, self.guest, self.outputs = host.engine, host.guest, host.outputs
        self.calls: Counter[str] = Counter()
        self.log = CallLog(self.guest, self.is_plumbing) if settings.keep_log else None
        self.instead: dict[str, Callable[..., Any]] = {}
        self.after: dict[str, Callable[[], None]] = {}
        self.on_resume: list[Callable[[], None]] = []
        self.on_stop: Callable[[], None] | None = None
        self.run_guest: Callable[[], Stop] = self.engine.run
        self.on_heartbeat: Callable[[], None] = lambda: None
        arranged = declarations(cpu.architecture)
        self._plumbing = arranged.plumbing
        self.dispatcher: M68kDispatcher | PowerPcDispatcher = (
            M68kDispatcher(host, self, arranged.by_trap, named_calls)
            if cpu.architecture == "m68k"
            else PowerPcDispatcher(host, self, arranged.by_name, every_trap)
        )
        self._processors = self._make_processors(host)
        self._runs: dict[HostedEngine, Callable[[], Stop]] = {}
        self._watches: dict[int, Callable[[], None]] = {}
        self.heartbeat = Heartbeat(self.engine)
        self._busy_waits = BusyWaits(host)
        self._shown = -1  # the time that low memory has
        self._last: tuple[str, Any] = "", None  # the routine performed last, and its result
        self._low_memory = LowMemoryGuard(self.guest)
        host.call_guest, host.open_shadow = self.call_guest, self._open_shadow
        self.managers = make_managers(host, self.dispatcher)
        vars(self).update(self.managers)
        self.dispatcher.install()
        for manager in self.managers.values():
            manager.start()
        self._low_memory.accept()

    def _open_shadow(self) -> int:
        """`Host.open_shadow`: from now on, what may be accessed of the heap is kept there."""
        if SHADOW not in self.engine.memory.regions:
            return 0
        if not self.host.has_shadow:
            self.host.has_shadow = True
            self.engine.pages.open(SHADOW)
            heap = SanitizedHeap(self.memory, self.engine.memory, SHADOW.address)
            self.on_resume.append(heap.mark)
        return SHADOW.address

    def _make_processors(self, host: Host) -> Processors | None:
        """A second processor for 68K code, where the first one is a PowerPC."""
        if self.cpu.architecture == "m68k":
            return None

        def make_dispatcher() -> M68kDispatcher:
            return M68kDispatcher(host, self, declarations("m68k").by_trap, named_calls)

        first = GuestProcessor(self.cpu, self.engine, self.dispatcher)
        processors = Processors(self, first, make_dispatcher)
        host.is_68k, host.call_68k = processors.is_68k, processors.call_68k
        return processors

    def use(self, processor: GuestProcessor) -> None:
        """Run this processor from now on; the other one waits."""
        assert isinstance(processor.dispatcher, M68kDispatcher | PowerPcDispatcher)
        self._runs[self.engine] = self.run_guest  # a debugger's own, if there is one
        self.cpu, self.dispatcher = processor.cpu, processor.dispatcher
        self.host.cpu = processor.cpu
        self.engine = self.host.engine = self.heartbeat.engine = processor.engine
        self.run_guest = self._runs.get(processor.engine, processor.engine.run)

    # -- running ----------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the loaded program until it ends.

        Raises:
            UnknownRoutineError: it calls a routine that macproof does not have.
            GuestStopped: it faulted, broke a rule or exceeded its time.
            GuestError: a routine could not do what was asked.
        """
        with self._limited_time():
            self._run_to_the_end()
        for manager in self.managers.values():
            manager.finish()

    def run_call(self) -> None:
        """Run a routine that somebody else has prepared to be called, until it returns.

        Raises:
            UnknownRoutineError, GuestStopped, GuestError: as of `run`.
            ProgramEnded: it ended the program.
        """
        self._low_memory.accept()  # what the one who prepared the call has written there
        with self._limited_time():
            self.run_until_return()

    @contextlib.contextmanager
    def _limited_time(self) -> Iterator[None]:
        """Stop the guest from time to time, to see whether its time is over."""
        self.heartbeat.time = RunTime(self.settings.timeout)
        try:
            with self.heartbeat.beating():
                yield
        except RoutineTooLongError:
            self._stop_in_time(self.heartbeat.time.problem)

    def _run_to_the_end(self) -> None:
        self._show_time()
        try:
            try:
                self.fragments.initialise()
            except FragmentError as error:
                raise self.host.stopped(
                    f"the initialisation routine of {error.name} failed: the program cannot start"
                ) from error
            self.run_until_return()
            self.dispatcher.check_end()
        except ProgramExit:
            pass
        with contextlib.suppress(ProgramExit):
            self.fragments.terminate()

    def run_until_return(self) -> None:
        """Run guest code until it returns to the sentinel, and answer every trap on the way."""
        engine, answer = self.engine, self.dispatcher.answer
        while True:
            for function in self.on_resume:
                function()
            stop = self.run_guest()
            if self.on_stop is not None:
                self.on_stop()
            if self.heartbeat.is_due:
                self._on_heartbeat()
                if stop.kind is StopKind.ASKED:
                    self._end_wait()
            if self.host.fatal is not None:
                raise self.host.stopped_at_finding(self.host.fatal)
            if stop.kind is StopKind.ASKED and self.clock.tick_is_due():
                self._show_time()
                self.clock.plan()
            if stop.kind is StopKind.EXCEPTION:
                try:
                    answer(stop)
                except BadAddressError as error:
                    own = range(self.host.guard.place.stop, self.layout.stack_top + 1)
                    stack = describe_stack(self.host.stack_pointer, own)
                    raise self.host.stopped(f"{error}; {stack}") from error
            elif stop.kind is StopKind.RETURNED:
                return
            elif stop.kind is StopKind.WATCHED:
                self._watches[engine.registers[engine.index["pc"]]]()
            elif stop.kind is StopKind.FAULT:
                raise self.fault(stop)

    def _on_heartbeat(self) -> None:
        self.heartbeat.is_due = False
        waits = self.heartbeat.is_hasty = self._busy_waits.on_heartbeat()
        if waits or not (self.clock.counts_ticks or self.clock.passes_in_calls):
            self._show_time()
        self.on_heartbeat()
        if self.heartbeat.time.late() > 0:
            self._stop_in_time(self.heartbeat.time.problem)

    def _end_wait(self) -> None:
        """Do the next task that is due, if the program waits in a loop for what it will do."""
        due = self.time.next_due
        if self.host.depth or due == float("inf"):
            return
        waits = self._busy_waits.comes_round()
        self.heartbeat.is_due = False  # The next one is to see what the program does meanwhile.
        if not waits:
            return
        self.heartbeat.is_hasty = True  # It may wait for the task after that, and so on.
        self.clock.wait(max(int(due) - self.clock.now(), 0))
        self._show_time()
        with self.engine.interrupted():
            self.time.run_due()

    def _show_time(self) -> None:
        self._shown = self.clock.now()
        self.host.show_time()
        self._low_memory.accept_time()

    def _stop_in_time(self, reason: str) -> NoReturn:
        raise OutOfTimeError(str(self.host.stopped(reason)))

    def perform(
        self,
        routine: Routine,
        handler: Callable[..., Any],
        arguments: Sequence[Any],
        extra: dict[str, Any],
    ) -> Any:
        """Do one routine: check, call its handler, log, and let memory move; its result."""
        host = self.host
        outer, host.routine = (host.routine, host.arguments), routine
        host.arguments, host.memory_stays = arguments, False
        self.calls[routine.name] += 1
        host.calls_made += 1
        if routine.name not in _WITHOUT_WORK:
            host.worked = True
        self._low_memory.check(host.report, self._last)
        host.check_variables(routine, arguments)
        log = self.log
        entry = log.begin(routine, arguments) if log is not None else None
        try:
            result = self.instead.get(routine.name, handler)(*arguments, **extra)
        except BadAddressError as error:
            shown = ", ".join(_argument(value) for value in arguments)
            raise self.host.stopped(f"{routine.name} ({shown}): {error}") from error
        except NilGivenError as error:
            host.report("nil argument", f"{routine.name} was given nil: {error}")
            result = routine.result.nothing if routine.result is not None else None
        except MisuseError as error:
            report_misuse(host, self.memory.zones, routine.name, error)
            result = routine.result.nothing if routine.result is not None else None
        except ProgramExit:
            host.routine = None
            raise
        finally:
            if log is not None and entry is not None:
                log.end(entry)
        if log is not None and entry is not None:
            log.finish(entry, result)
        if host.fatal is not None:
            raise host.stopped_at_finding(host.fatal)
        self._last = routine.name, result
        if routine.moves_memory and self.settings.scramble and not host.memory_stays:
            self.memory.scramble()
        if routine.name in self.after:
            self.after[routine.name]()
        if self.clock.passes_in_calls and self._busy_waits.after_call(self._shown):
            self._show_time()
        self._low_memory.accept()
        host.routine, host.arguments = outer
        return result

    def interpose(self, conduct: Callable[[Perform, Call], Any]) -> None:
        """Have every routine done by a function from now on.

        Args:
            conduct: gets what does a routine, and the arguments for it; returns its result.
        """
        perform = self.perform
        vars(self)["perform"] = lambda *call: conduct(perform, call)

    def handler(self, declared: ManagerRoutine) -> Callable[..., Any]:
        """The method that does a routine."""
        method: Callable[..., Any] = getattr(self.managers[declared.manager], declared.method)
        return method

    def call_guest(
        self, address: int, heading: str, *values: Any, registers: str | None = None
    ) -> Any:
        """Call a routine of the program, such as a dialog filter; its result.

        Args:
            address: a procedure pointer of the program's processor.
            heading: the routine's heading in Pascal; its name does not matter.
            values: its arguments.
            registers: for a routine that runs at interrupt time, the 68K registers of its
                parameters and of its result, such as "A0,A1 -> D0"; None for a Pascal routine.

        Raises:
            GuestStopped: callbacks are nested too deep.
        """
        self._low_memory.accept()
        outer = self.host.routine, self.host.arguments
        if self.host.depth >= _DEEPEST:
            raise self.host.stopped(
                f"routines of the program are called back {_DEEPEST} deep: one calls the routine "
                "of the Toolbox that calls it"
            )
        self.host.depth += 1
        try:
            called = callback(heading, registers)
            calls = (
                self.dispatcher.call_guest if self._processors is None else self._processors.call
            )
            value = calls(address, called, values)
        finally:
            self.host.depth -= 1
        self.host.routine, self.host.arguments = outer
        self._low_memory.check(self.host.report, self._last)
        return value

    def watch(self, address: int, action: Callable[[], None]) -> None:
        """Call a function whenever the instruction at an address is about to be executed."""
        self._watches[address] = action
        self.engine.watch(address)

    def unwatch(self, address: int) -> None:
        """Undo `watch`."""
        self._watches.pop(address, None)
        self.engine.unwatch(address)

    # -- what managers need -----------------------------------------------------------------------

    def text_so_far(self) -> str:
        """The text that the program has written to its console, or else drawn in its windows."""
        if self.outputs.console:
            return console_text(bytes(self.outputs.console))
        return self.quickdraw_text.text_so_far()

    def is_plumbing(self, name: str) -> bool:
        """Whether a routine is left out of the normalised log."""
        return name in self._plumbing

    def fault(self, stop: Stop) -> GuestStopError:
        """The error of a program that the engine has stopped for a fault."""
        host = self.host
        where = host.guard.place, host.stack_pointer
        return host.stopped(describe_fault(stop, self.guest.memory, host.has_shadow, *where))


def _argument(value: Any) -> str:
    return f"0x{value:x}" if isinstance(value, int) and value > 0xFFFF else str(value)
