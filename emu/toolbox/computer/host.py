"""The machine as managers see it: guest memory, processor, clock, and what a run leaves behind."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from emu.base.errors import GuestError
from emu.machine.cpu import Cpu
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.memory.layout import GRANULE
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.toolbox.computer.clock import TICKS_A_SECOND, Clock
from emu.toolbox.computer.declaration import Routine
from emu.toolbox.computer.macintosh_models import has_color_quickdraw, machine_of
from emu.toolbox.computer.outputs import Outputs
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.guest.findings import (
    CHECKS,
    GuestStopError,
    Mistake,
    MisuseError,
    Sureness,
    UnknownRoutineError,
)
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.guest.layout import (
    EMPTY,
    GRAFTS,
    LOW_MEMORY_SIZE,
    ROM_ERROR,
    ROM_HEADER,
    ROM_SCREEN_SIZE,
    SENTINEL,
    SHADOW,
    Layout,
    LowMemory,
)
from emu.toolbox.guest.low_memory import is_known
from emu.toolbox.guest.stack_guard import StackGuard

_MOST_FINDINGS = 1000
"""The most mistakes that are kept; messages that differ only in an address could go on forever."""

_TICK = int(1_000_000 / TICKS_A_SECOND)
"""Microseconds from one interrupt of the vertical retrace to the next."""

_LONGEST_NAME = 31
_START_AGAIN = bytes.fromhex("3f3c0002a895")  # move.w #2,-(sp); _ShutDown, that is ShutDwnStart

_SCREEN_SIZE = "205f 225f 32bc{height:04x} 225f 32bc{width:04x} 4ed0"
"""Code of ScrnSize (VAR h,v: INTEGER): stores the screen's size and returns."""
_SYSTEM_ERROR = bytes.fromhex("00000000a9c9")  # ori.b #0,d0; nil to who takes it for a pointer


class CallGuest(Protocol):
    """Calls a routine of the program; see `Macintosh.call_guest`."""

    def __call__(
        self, address: int, heading: str, *values: Any, registers: str | None = None
    ) -> Any:
        """Call the routine at an address, declared by a Pascal heading; its result."""


def _new_engine(cpu: Cpu, layout: Layout) -> HostedEngine:
    memory = GuestMemory([*layout.regions(), SHADOW])
    return HostedEngine(cpu, memory, SENTINEL, closed=[SHADOW, EMPTY], shows_status_late=True)


class Host:
    """What a manager may use of the machine. It knows no manager.

    Args:
        cpu: the processor.
        layout: the addresses of everything in guest memory.
        settings: what the user asked for.
        clock: tells the program the time.
        application: the program's name and resources.
        engine: a processor with the memory of the layout, to be used again; a new one if left out.

    Attributes:
        machine: the model of Macintosh that it says it is.
        guest: guest memory.
        guard: what keeps the stack out of the heap.
        outputs: texts and pictures that the program made, and its mistakes.
        routine: the routine being performed, or None.
        arguments: those of the routine being performed.
        memory_stays: whether the routine being performed, which may move memory, has had no cause
            to do so on a Macintosh either. The routine sets it.
        return_address: where the caller of the routine being performed goes on.
        calls_made: how many calls of routines there were, that of the routine being performed
            included.
        depth: how many routines of the program, called back one by another, have to return.
        calling: the address of the instruction of the program by which it called the routine being
            performed, behind all glue, if somebody has looked for it; 0 otherwise.
        worked: whether the program has called any routine that does not merely wait since this was
            last set to False.
        looked_at: the time at which the program last looked for an event, in microseconds.
        quickdraw_globals: where the variable thePort is that QuickDraw uses; 0 before InitGraf. The
            routines of a call find it by the A5 of that call.
        is_cut_short: whether the script has ended the run, or the Macintosh was switched off or is
            to start again: the program had nothing to tidy up.
        fatal: the mistake at which the run is to stop, if one was found and the user wants that.
        exit_status: the status that the program passed to the C library's exit, if that is known.
        locate: a function that describes what is at an address of the program.
        open_shadow: gives the program memory for the shadow of what it may access; the address of
            the shadow, or 0. The `Macintosh` provides it, too.
        has_shadow: whether it has asked for that.
        call_guest: calls a routine of the program, such as a dialog filter. The `Macintosh` that
            runs the program provides it.
        is_68k: whether a routine pointer of a PowerPC program leads to 68K code.
        call_68k: calls such code, as its procInfo says, with words; see `Processors`.
        connect_fragment: connects the PowerPC fragment at an address; its main symbol's address.
    """

    call_guest: CallGuest
    is_68k: Callable[[int], bool]
    call_68k: Callable[[int, int, Sequence[int]], int]
    connect_fragment: Callable[[int], int]
    open_shadow: Callable[[], int]

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
        self.machine = machine_of(settings.machine, cpu)
        self.clock = clock
        self.engine = engine or _new_engine(cpu, layout)
        self.guest = GuestAccess(self.engine.memory, closed=[SHADOW])
        self.guard = StackGuard(layout.stack)
        if layout.is_partition:
            self.guard.keep(self.engine.pages)
            self.guard.keep(self.guest)
        self.has_shadow = False
        clock.attach(cpu, self.engine)
        special = self.engine.special
        special.execution.state.now = lambda: clock.read() * 1000
        special.execution.state.wait = lambda: clock.wait(_TICK)
        special.execution.on_privileged = self._report_privileged
        self.outputs = Outputs()
        self.routine: Routine | None = None
        self.arguments: Sequence[Any] = ()
        self.memory_stays = False
        self.return_address = self.calls_made = self.calling = self.depth = 0
        self.worked = False
        self.looked_at = self.quickdraw_globals = 0
        self.exit_status = 0
        self.is_cut_short = False
        self.fatal: Mistake | None = None
        self.locate: Callable[[int], str] = lambda address: f"0x{address:08x}"
        self._locating = False
        self._set_low_memory()
        self.engine.pages.may_execute = self._may_execute
        self.engine.pages.may_write = self.guest.may_write = self._may_write
        if engine is None and cpu.address_lines < 32:
            self.engine.pages.short_address = self.guest.short_address = self._short_address

    def _set_low_memory(self) -> None:
        guest, layout = self.guest, self.layout
        for address, value in (
            (LowMemory.MEM_TOP, layout.a5 + layout.above_a5),
            (LowMemory.BUFFER_POINTER, layout.a5 + layout.above_a5),
            (LowMemory.APPLICATION_LIMIT, layout.limit),
            (LowMemory.CURRENT_A5, layout.a5),
            (LowMemory.CURRENT_STACK_BASE, layout.stack_top),
            (LowMemory.SCREEN_BASE, layout.screen),
            (LowMemory.TIME, self.clock.seconds()),
            (LowMemory.DOUBLE_CLICK_TIME, 32),
            (LowMemory.CARET_TIME, 32),
            (LowMemory.LOW_THREE_BYTES, 0x00FFFFFF),
            (LowMemory.MINIMUM_STACK, 1 << 10),
            (LowMemory.DEFAULT_STACK, layout.default_stack),
            (LowMemory.ROM_BASE, ROM_HEADER),
            (LowMemory.SOUND_BASE, LowMemory.SOUND_BUFFER),
            (LowMemory.ONE_ONE, 0x00010001),
            (LowMemory.MINUS_ONE, 0xFFFFFFFF),
            (LowMemory.SOUND_OF_GLUE, 0xFFFFFFFF),
            (LowMemory.SCREEN_VERTICAL_DOTS, 0x00480048),  # and horizontal, after it
        ):
            guest.put32(address, value)
        guest.put16(LowMemory.ROM_VERSION, 0x3FFF if self.has_color else 0x7FFF)
        guest.memory.write(ROM_HEADER + 8, self.machine.rom.to_bytes(2, "big") + _START_AGAIN)
        guest.memory.write(ROM_ERROR, _SYSTEM_ERROR)
        guest.put32(LowMemory.BUS_ERROR_VECTOR, ROM_ERROR)
        width, height = self.settings.screen
        guest.put_rect(LowMemory.CURSOR_PIN, 0, 0, height, width)
        size = _SCREEN_SIZE.format(height=height, width=width)
        guest.memory.write(ROM_SCREEN_SIZE, bytes.fromhex(size))
        guest.put32(LowMemory.SCREEN_SIZE_VECTOR, ROM_SCREEN_SIZE)
        guest.put16(LowMemory.CURRENT_JUMP_TABLE_OFFSET, 32)
        guest.put16(LowMemory.FILE_CONTROL_BLOCK_LENGTH, 94)  # since the Macintosh Plus
        name = self.application.name.encode("mac_roman", "replace")[:_LONGEST_NAME]
        guest.put_pascal_string(LowMemory.CURRENT_APPLICATION_NAME, name)
        processor = self.machine.processor
        guest.put8(LowMemory.PROCESSOR, processor - 1 if processor > 1 else 0)
        guest.put8(LowMemory.ADDRESSING_MODE, not self.has_24_bits)
        guest.put8(LowMemory.WINDOW_MANAGER_STATE, 0xFF)
        guest.put8(LowMemory.QUICKDRAW_STATE, 0xFF)

    def _short_address(self, address: int) -> int:
        """What is left of an address where there is no memory: a 68000 puts out 24 bits.

        Programs of the time kept flags in the others, as master pointers do.
        """
        mask = (1 << self.cpu.address_lines) - 1
        if self.has_shadow and address >= SHADOW.end:  # the shadow of an address with flags
            return SHADOW.address + (((address - SHADOW.address) * GRANULE) & mask) // GRANULE
        short = address & mask
        is_first = not any(check == "address" for check, _ in self.outputs.findings)
        if (
            is_first
            and not self.has_24_bits
            and short != address
            and self.guest.memory.find(short) is not None
        ):
            self.report(
                "address",
                f"0x{address & 0xFFFFFFFF:08x} is used as an address: only where addresses have 24 "
                "bits, as on a 68000, are the others ignored",
            )
        return short

    def _may_execute(self, region: MemoryRegion) -> bool:
        """Let 68K code run on the stack and among globals, where programs of the time put it."""
        return self.cpu.architecture == "m68k" and region.name in ("stack", "globals")

    def _may_write(self, region: MemoryRegion) -> bool:
        """Let a PowerPC program write among its code, where compilers put constant strings.

        A fragment's code is in ordinary memory unless virtual memory is switched on, which maps it
        from its file to be read only (PowerPC System Software, chapter 1).
        """
        if region not in self.layout.sections or not region.executable:
            return False
        if region == GRAFTS:
            return True
        self.report(
            "code section",
            f"the program changes its {region.name}, which cannot be written where virtual memory "
            "is switched on",
        )
        return True

    @property
    def has_color(self) -> bool:
        """Whether there is Color QuickDraw."""
        return has_color_quickdraw(self.settings, self.machine)

    @property
    def has_24_bits(self) -> bool:
        """Whether a chosen model has addresses of 24 bits, and so a heap with flags in masters.

        Without a choice a 68000 is one whose programs are to run on later models, too.
        """
        return bool(self.settings.machine) and self.machine.address_bits == 24

    def stripped(self, address: int) -> int:
        """An address without flags above the 24 bits that count, if there are such."""
        has_flags = self.has_24_bits and self.guest.memory.find(address) is None
        return address & 0xFFFFFF if has_flags else address

    def current_a5(self) -> int:
        """The value of the global CurrentA5."""
        return self.guest.u32(LowMemory.CURRENT_A5)

    def show_time(self) -> None:
        """Update the low-memory globals that hold the time."""
        self.guest.put32(LowMemory.TICKS, self.clock.ticks())
        self.guest.put32(LowMemory.TIME, self.clock.seconds())

    def routine_name(self, otherwise: str) -> str:
        """The name of the routine being performed; ``otherwise`` if none is."""
        return self.routine.name if self.routine else otherwise

    def report(self, check: str, problem: str, sureness: Sureness | None = None) -> None:
        """Record a mistake of the program that does not stop it.

        Args:
            check: which check found it.
            problem: what is wrong, as a sentence.
            sureness: how sure it is; as is usual for the check if left out.
        """
        key = (check, problem)
        findings = self.outputs.findings
        if len(findings) >= _MOST_FINDINGS and key not in findings:
            key = check, problem = "findings", f"more than {_MOST_FINDINGS:,} mistakes were found"
        before = findings.get(key)
        if before is not None:
            findings[key] = dataclasses.replace(before, times=before.times + 1)
            return
        # Without a routine there is no caller.
        routine, caller = (self.routine.name, self.caller()) if self.routine else ("", "")
        usual = CHECKS.get(check, Sureness.EVERY)
        sure = sureness or usual
        findings[key] = Mistake(check, problem, routine, caller, 1, sure)
        fails = sure is not Sureness.UNUSUAL and check not in self.settings.allowed
        if fails and self.settings.stops_at_findings and self.fatal is None:
            self.fatal = findings[key]

    def source_of(self, value: int) -> str:
        """How the routine being performed came to a value: as an argument, or in memory."""
        if self.routine is None or value in self.arguments:
            return "was given"
        return "found, in what it was given or in a global,"

    def caller(self) -> str:
        """A description of the place from which the routine being performed was called."""
        return self.place(self.return_address)

    @property
    def stack_pointer(self) -> int:
        """The stack pointer of the processor that runs."""
        return int(self.engine.registers[self.engine.index[self.cpu.stack_pointer]])

    @property
    def called_from(self) -> int:
        """The address of the instruction that calls the routine being performed."""
        return self.calling or self.return_address - len(self.cpu.no_operation)

    def place(self, address: int) -> str:
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

    def _report_privileged(self, address: int, title: str) -> None:
        self.report(
            "privileged instruction",
            f"the code at {self.place(address)} executes {title}, a privileged instruction: a "
            "Macintosh lets programs do so up to System 7, without virtual memory",
        )

    def exception_name(self, number: int) -> str:
        """The name of a processor exception."""
        return self.cpu.interrupts.get(number, f"number {number}")

    def check_variables(self, routine: Routine, arguments: Sequence[Any]) -> None:
        """Report VAR parameters of a call that lie in low memory."""
        for place in routine.variables:
            address = arguments[place]
            if address < LOW_MEMORY_SIZE and (address or not routine.skips_nil):
                self.report(
                    "low memory",
                    f"{routine.name} was given address 0x{address:x} for its variable "
                    f"{routine.parameters[place].name}",
                    Sureness.UNUSUAL if is_known(address) else None,
                )

    def stopped(self, reason: str) -> GuestStopError:
        """The error that ends a run, with the place and the registers."""
        return GuestStopError("\n".join([reason, *self._where()]))

    def stopped_at_finding(self, mistake: Mistake) -> GuestStopError:
        """The error that ends a run at a mistake, since the user wants that."""
        problem = f"{mistake.check}: {mistake.problem}"
        return self.stopped(f"{problem}; --stop-at-findings ends the run here")

    def misuse(self, check: str, problem: str) -> MisuseError:
        """The error of a call that does nothing, because it was given what it cannot work on."""
        return MisuseError(str(self.stopped(problem)), check, problem)

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

    def _where(self) -> list[str]:
        registers, index = self.engine.registers, self.engine.index
        pc = registers[index["pc"]]
        lines = [f"  at {self.place(pc)}"]
        if self.routine is not None:
            lines.append(f"  in a call of {self.routine.name} from {self.caller()}")
        items = [f"{name:>3} {registers[number]:08x}" for name, number in index.items()]
        lines += ["    " + "  ".join(items[i : i + 8]) for i in range(0, len(items), 8)]
        return lines
