"""A Macintosh without a ROM: engine, memory, managers, and the loop that ties them together."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from emu.base.errors import GuestError
from emu.base.workers import end_stuck_worker
from emu.machine import watchdog
from emu.machine.cpu import Cpu
from emu.machine.engine import HostedEngine, Stop, StopKind
from emu.machine.memory import GuestMemory
from emu.toolbox.call_log import CallLog
from emu.toolbox.clock import Clock
from emu.toolbox.declaration import Declared, Routine, parse_heading
from emu.toolbox.declarations import declarations
from emu.toolbox.findings import Finding, GuestStopped, ProgramEnded, UnknownRoutineError
from emu.toolbox.guest_access import BadAddressError, GuestAccess
from emu.toolbox.layout import GAP, LOW_MEMORY_SIZE, SENTINEL, Layout, LowMemory
from emu.toolbox.low_memory import LowMemoryGuard
from emu.toolbox.m68k import M68kDispatcher
from emu.toolbox.managers.all import make_managers
from emu.toolbox.managers.events.manager import WAITING
from emu.toolbox.outputs import Outputs, console_text
from emu.toolbox.powerpc import PowerPcDispatcher
from emu.toolbox.settings import Application, Settings

if TYPE_CHECKING:
    from emu.toolbox.managers.controls.manager import ControlManager
    from emu.toolbox.managers.controls.tracking import ControlTracking
    from emu.toolbox.managers.dialogs.events import DialogEvents
    from emu.toolbox.managers.dialogs.manager import DialogManager
    from emu.toolbox.managers.memory.manager import MemoryManager
    from emu.toolbox.managers.menus.manager import MenuManager
    from emu.toolbox.managers.quickdraw.bits import Bits
    from emu.toolbox.managers.quickdraw.colors import Colors
    from emu.toolbox.managers.quickdraw.cursor import CursorManager
    from emu.toolbox.managers.quickdraw.fonts import FontManager
    from emu.toolbox.managers.quickdraw.manager import QuickDraw
    from emu.toolbox.managers.quickdraw.pen import Pen
    from emu.toolbox.managers.quickdraw.pictures.manager import Pictures
    from emu.toolbox.managers.quickdraw.polygons import Polygons
    from emu.toolbox.managers.quickdraw.ports import Ports
    from emu.toolbox.managers.quickdraw.procedures import Procedures
    from emu.toolbox.managers.quickdraw.regions import Regions
    from emu.toolbox.managers.quickdraw.text import Text
    from emu.toolbox.managers.resources.manager import ResourceManager
    from emu.toolbox.managers.system.segments import SegmentLoader
    from emu.toolbox.managers.text.edit import TextEditManager
    from emu.toolbox.managers.time.tasks import TimeManager
    from emu.toolbox.managers.windows.manager import WindowManager
    from emu.toolbox.managers.windows.tracking import WindowTracking
    from emu.toolbox.managers.windows.updates import WindowUpdates

_HEARTBEAT_SECONDS = 0.2
_DEEPEST = 40
"""The most nested callbacks; each takes about ten of Python's 1,000 stack frames."""

_MOST_FINDINGS = 1000
"""The most mistakes that are kept; messages that differ only in an address could go on forever."""


class Macintosh:
    """Runs one program. Its managers are attributes, named as in `managers.all`.

    Args:
        cpu: the processor.
        layout: the addresses of everything in guest memory.
        settings: what the user asked for.
        clock: tells the program the time.
        application: the program's name and resources.
        engine: a processor with the memory of the layout, to be used again; a new one if left out.

    Attributes:
        guest: guest memory.
        engine: the processor.
        dispatcher: answers traps on a 68K, imports on a PowerPC.
        outputs: texts and pictures that the program made, and its mistakes.
        calls: how often each routine was called.
        routine: the routine being performed, or None.
        locate: a function that describes what is at an address of the program.
        instead: functions that answer routines instead of their managers, by the routine's name.
        after: functions to call after a routine has been called, by the routine's name.
        initialisers: procedure pointers to be called before the program's main routine.
        terminators: procedure pointers to be called after it.
        exit_status: the status that the program passed to the C library's exit, if that is known.
        worked: whether the program has called any routine outside `WAITING` since this was last set
            to False.
    """

    if TYPE_CHECKING:
        memory: MemoryManager
        resources: ResourceManager
        segments: SegmentLoader
        time: TimeManager
        control_tracking: ControlTracking
        controls: ControlManager
        dialog_events: DialogEvents
        dialogs: DialogManager
        fonts: FontManager
        quickdraw: QuickDraw
        quickdraw_bits: Bits
        quickdraw_colors: Colors
        quickdraw_cursor: CursorManager
        quickdraw_pen: Pen
        quickdraw_pictures: Pictures
        quickdraw_polygons: Polygons
        quickdraw_ports: Ports
        quickdraw_procedures: Procedures
        quickdraw_regions: Regions
        quickdraw_text: Text
        menus: MenuManager
        text_edit: TextEditManager
        window_tracking: WindowTracking
        window_updates: WindowUpdates
        windows: WindowManager

    def __init__(
        self,
        cpu: Cpu,
        layout: Layout,
        settings: Settings,
        clock: Clock,
        application: Application | None = None,
        engine: HostedEngine | None = None,
    ) -> None:
        self.application = application or Application()
        self.cpu = cpu
        self.layout = layout
        self.settings = settings
        self.clock = clock
        self.engine = engine or HostedEngine(cpu, GuestMemory(layout.regions()), SENTINEL)
        self.guest = GuestAccess(self.engine.memory)
        clock.attach(cpu, self.engine)
        self.engine.special.now = lambda: clock.read() * 1000
        self.outputs = Outputs()
        self.calls: Counter[str] = Counter()
        self.log = CallLog(self.guest, self.is_plumbing) if settings.keep_log else None
        self.routine: Routine | None = None
        self.worked = False
        self.exit_status = 0
        self.locate: Callable[[int], str] = lambda address: f"0x{address:08x}"
        self.instead: dict[str, Callable[..., Any]] = {}
        self.after: dict[str, Callable[[], None]] = {}
        self.initialisers: list[int] = []
        self.terminators: list[int] = []
        self.on_heartbeat: Callable[[], None] = lambda: None
        arranged = declarations(cpu.architecture)
        self._plumbing = arranged.plumbing
        self.dispatcher: M68kDispatcher | PowerPcDispatcher = (
            M68kDispatcher(self, arranged.by_trap)
            if cpu.architecture == "m68k"
            else PowerPcDispatcher(self, arranged.by_name)
        )
        self._watches: dict[int, Callable[[], None]] = {}
        self._deadline = float("inf")
        self._beat_due = False
        self._locating = False
        self._a5 = 0
        self._depth = 0
        self._low_memory = LowMemoryGuard(self.guest)
        self._set_low_memory()
        self.managers = make_managers(self)
        self.dispatcher.install()
        for manager in self.managers.values():
            manager.start()
        self._low_memory.accept()

    def __getattr__(self, name: str) -> Any:
        managers = self.__dict__.get("managers", {})
        if name in managers:
            return managers[name]
        raise AttributeError(name)

    def _set_low_memory(self) -> None:
        guest, layout = self.guest, self.layout
        for address, value in (
            (LowMemory.MEM_TOP, layout.stack_top),
            (LowMemory.BUFFER_POINTER, layout.stack_top),
            (LowMemory.HEAP_END, layout.heap + layout.heap_size),
            (LowMemory.APPLICATION_LIMIT, layout.heap + layout.heap_size),
            (LowMemory.CURRENT_A5, layout.a5),
            (LowMemory.CURRENT_STACK_BASE, layout.stack_top),
            (LowMemory.SCREEN_BASE, layout.screen),
            (LowMemory.TIME, self.clock.seconds()),
            (LowMemory.DOUBLE_CLICK_TIME, 32),
            (LowMemory.CARET_TIME, 32),
        ):
            guest.put32(address, value)
        guest.put16(LowMemory.ROM_VERSION, 0x3FFF)
        guest.put16(LowMemory.CURRENT_JUMP_TABLE_OFFSET, 32)
        guest.put16(LowMemory.FILE_CONTROL_BLOCK_LENGTH, 94)  # since the Macintosh Plus
        guest.put8(LowMemory.WINDOW_MANAGER_STATE, 0xFF)
        guest.put8(LowMemory.QUICKDRAW_STATE, 0xFF)
        self._a5 = layout.a5

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
        stopping = threading.Event()
        self._deadline = time.monotonic() + self.settings.timeout
        beat = threading.Thread(target=self._beat, args=(stopping,), daemon=True)
        beat.start()
        try:
            yield
        finally:
            stopping.set()
            beat.join()

    def _run_to_the_end(self) -> None:
        try:
            for routine in self.initialisers:
                # The address of the record about the fragment; no program made by known compilers
                # reads it.
                block = self.memory.new_pointer(64, clear=True)
                error = self.call_guest(routine, "FUNCTION Initialise (block: Ptr): OSErr", block)
                if error:
                    raise self.stopped(f"the program's initialisation routine gave error {error}")
            self.run_until_return()
            self.dispatcher.check_end()
        except ProgramEnded:
            pass
        try:
            for routine in self.terminators:
                self.call_guest(routine, "PROCEDURE Terminate")
        except ProgramEnded:
            pass

    def _beat(self, stopping: threading.Event) -> None:
        # The engine holds back signals such as Ctrl-C, so it is stopped from time to time and
        # continued.
        unheard = 0
        while not stopping.wait(_HEARTBEAT_SECONDS):
            unheard = unheard + 1 if self._beat_due and self.engine.is_running else 0
            if unheard * _HEARTBEAT_SECONDS > watchdog.STUCK_SECONDS:
                end_stuck_worker()
            self._beat_due = True
            self.engine.stop()

    def run_until_return(self) -> None:
        """Run guest code until it returns to the sentinel, and answer every trap on the way."""
        engine, answer = self.engine, self.dispatcher.answer
        while True:
            stop = engine.run()
            if self._beat_due:
                self._on_heartbeat()
            if stop.kind is StopKind.ASKED and self.clock.tick_is_due():
                self.show_time()
                self._low_memory.accept_time()
                self.clock.plan()
            if stop.kind is StopKind.EXCEPTION:
                try:
                    answer(stop)
                except BadAddressError as error:
                    raise self.stopped(f"{error}; {self._describe_stack()}") from error
            elif stop.kind is StopKind.RETURNED:
                return
            elif stop.kind is StopKind.WATCHED:
                self._watches[engine.registers[engine.index["pc"]]]()
            elif stop.kind is StopKind.FAULT:
                raise self._fault(stop)

    def _describe_stack(self) -> str:
        """Describe the stack, for the error when the dispatcher itself cannot go on."""
        pointer = self.engine.registers[self.engine.index[self.cpu.stack_pointer]]
        stack = self.guest.memory.region("stack")
        if pointer in stack:
            return f"the stack pointer is 0x{pointer:08x}"
        return (
            f"the stack pointer is 0x{pointer:08x}, outside the stack "
            f"(0x{stack.address:08x} to 0x{stack.end:08x})"
        )

    def _on_heartbeat(self) -> None:
        self._beat_due = False
        if not self.clock.counts_ticks:
            self.show_time()
            self._low_memory.accept_time()
        self.on_heartbeat()
        if time.monotonic() > self._deadline:
            raise self.stopped(f"it did not end within {self.settings.timeout:g} seconds")

    def perform(
        self,
        routine: Routine,
        handler: Callable[..., Any],
        arguments: Sequence[Any],
        extra: dict[str, Any],
    ) -> Any:
        """Do one routine: check, call its handler, log, and let memory move; its result."""
        outer, self.routine = self.routine, routine
        self.calls[routine.name] += 1
        if routine.name not in WAITING:
            self.worked = True
        self._low_memory.check(self.report)
        for place in routine.variables:
            if arguments[place] < LOW_MEMORY_SIZE:
                self.report(
                    "low memory",
                    f"{routine.name} was given address 0x{arguments[place]:x} for its variable "
                    f"{routine.parameters[place].name}",
                )
        log = self.log
        entry = log.begin(routine, arguments) if log is not None else None
        try:
            result = self.instead.get(routine.name, handler)(*arguments, **extra)
        except BadAddressError as error:
            shown = ", ".join(_argument(value) for value in arguments)
            raise self.stopped(f"{routine.name} ({shown}): {error}") from error
        except ProgramEnded:
            self.routine = None
            raise
        finally:
            if log is not None and entry is not None:
                log.end(entry)
        if log is not None and entry is not None:
            log.finish(entry, result)
        if routine.moves_memory and self.settings.scramble:
            self.memory.scramble()
        if routine.name in self.after:
            self.after[routine.name]()
        self._low_memory.accept()
        self.routine = outer
        return result

    def handler(self, declared: Declared) -> Callable[..., Any]:
        """The method that does a routine."""
        method: Callable[..., Any] = getattr(self.managers[declared.manager], declared.method)
        return method

    def call_guest(self, address: int, heading: str, *values: Any) -> Any:
        """Call a routine of the program, such as a dialog filter; its result.

        Args:
            address: a procedure pointer of the program's processor.
            heading: the routine's heading in Pascal; its name does not matter.
            values: its arguments.

        Raises:
            GuestStopped: callbacks are nested too deep.
        """
        _, parameters, result = parse_heading(heading)
        self._low_memory.accept()
        outer = self.routine
        if self._depth >= _DEEPEST:
            raise self.stopped(
                f"routines of the program are called back {_DEEPEST} deep: one calls the routine "
                "of the Toolbox that calls it"
            )
        self._depth += 1
        try:
            value = self.dispatcher.call_guest(address, parameters, result, values)
        finally:
            self._depth -= 1
        self.routine = outer
        self._low_memory.check(self.report)
        return value

    def check_preserved(self, names: Sequence[str], before: Sequence[int]) -> None:
        """Report registers that a routine of the program should have preserved."""
        registers, index = self.engine.registers, self.engine.index
        changed = [name for name in names if registers[index[name]] != before[index[name]]]
        if changed:
            self.report(
                "callback",
                f"a routine of the program that was called back changed {', '.join(changed)}",
            )

    def watch(self, address: int, action: Callable[[], None]) -> None:
        """Call a function whenever the instruction at an address is about to be executed."""
        self._watches[address] = action
        self.engine.watch(address)

    def unwatch(self, address: int) -> None:
        """Undo `watch`."""
        self._watches.pop(address, None)
        self.engine.unwatch(address)

    # -- what managers need -----------------------------------------------------------------------

    def current_a5(self) -> int:
        """The value of the global CurrentA5."""
        return self.guest.u32(LowMemory.CURRENT_A5)

    def show_time(self) -> None:
        """Update the low-memory globals that hold the time."""
        self.guest.put32(LowMemory.TICKS, self.clock.ticks())
        self.guest.put32(LowMemory.TIME, self.clock.seconds())

    def text_so_far(self) -> str:
        """The text that the program has written to its console, or else drawn in its windows."""
        if self.outputs.console:
            return console_text(bytes(self.outputs.console))
        return self.quickdraw.text_so_far() if "quickdraw" in self.managers else ""

    def is_plumbing(self, name: str) -> bool:
        """Whether a routine is left out of the normalised log."""
        return name in self._plumbing

    def report(self, check: str, problem: str) -> None:
        """Record a mistake of the program that does not stop it."""
        key = (check, problem)
        found = self.outputs.findings
        if len(found) >= _MOST_FINDINGS and key not in found:
            key = check, problem = "findings", f"more than {_MOST_FINDINGS:,} mistakes were found"
        before = found.get(key)
        if before is not None:
            found[key] = dataclasses.replace(before, times=before.times + 1)
            return
        # # Without a routine there is no caller.
        routine, caller = (self.routine.name, self.caller()) if self.routine else ("", "")
        found[key] = Finding(check, problem, routine, caller)

    def caller(self) -> str:
        """A description of the place from which the routine being performed was called."""
        return self._place(self.dispatcher.return_address)

    def _place(self, address: int) -> str:
        """Describe an address by `locate`; a damaged heap, which that reads, must not fail it."""
        if self._locating:
            return f"0x{address:08x}"
        self._locating = True
        try:
            return self.locate(address)
        except GuestError:
            return f"0x{address:08x}"
        finally:
            self._locating = False

    def exception_name(self, number: int) -> str:
        """The name of a processor exception."""
        return self.cpu.interrupts.get(number, f"number {number}")

    def stopped(self, reason: str) -> GuestStopped:
        """The error that ends a run, with the place and the registers."""
        return GuestStopped("\n".join([reason, *self._where()]))

    def unknown_routine(self, what: str, arguments: str) -> UnknownRoutineError:
        """The error for a routine that macproof does not have."""
        return UnknownRoutineError(
            "\n".join(
                [
                    f"the program called {what}, which macproof does not have",
                    f"  with {arguments}",
                    *self._where(),
                    "  To add it, declare it on a manager in emu/toolbox/managers with @routine,",
                    "  by its Pascal heading in Inside Macintosh; tests/toolbox has examples.",
                ]
            )
        )

    def _fault(self, stop: Stop) -> GuestStopped:
        bad = stop.bad_access
        if bad is None:
            return self.stopped(f"the engine stopped: {stop.problem}")
        region = self.guest.memory.find(bad.address)
        where = f" ({region.name})" if region else ""
        act = {"fetch": "jump to", "read": "read of", "write": "write to"}[bad.access]
        stack = self.guest.memory.region("stack")
        if stack.address - GAP <= bad.address < stack.address:
            where = f": the stack of {stack.size:,} bytes has overflowed"
        return self.stopped(f"{act} {bad.reason} at 0x{bad.address:08x}{where}")

    def _where(self) -> list[str]:
        registers, index = self.engine.registers, self.engine.index
        pc = registers[index["pc"]]
        lines = [f"  at {self._place(pc)}"]
        if self.routine is not None:
            lines.append(f"  in a call of {self.routine.name} from {self.caller()}")
        items = [f"{name:>3} {registers[number]:08x}" for name, number in index.items()]
        lines += ["    " + "  ".join(items[i : i + 8]) for i in range(0, len(items), 8)]
        return lines


def _argument(value: Any) -> str:
    return f"0x{value:x}" if isinstance(value, int) and value > 0xFFFF else str(value)
