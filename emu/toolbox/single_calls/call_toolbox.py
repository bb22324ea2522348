"""The Toolbox for single calls: `emu.machine.calls.system.OperatingSystem`, implemented.

Each call gets a Macintosh that was just switched on, whose QuickDraw is ready: InitGraf was called,
and a port as large as the screen is open. Only calls that go on get it as the last has left it. The
memory of this Macintosh lies beside the program's,
and no image of a call contains it. So the program keeps its own memory, the Toolbox's heap is not
compared, and no call can influence the next. Low memory is closed to the program: a null pointer
is as wrong as in a call that asks nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from emu.base.errors import GuestError
from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.calls.faults import ENGINE, SLOW
from emu.machine.calls.system import (
    GivenBlock,
    Leftover,
    SystemCalls,
    SystemTerms,
)
from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.watch.accesses import Accesses
from emu.machine.engine.watch.edges import MOST_EDGES, Block, EdgeCounter
from emu.machine.memory.layout import shadowed
from emu.machine.memory.memory import GuestMemory
from emu.program import Program
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.powerpc import CALL_PREFIX, PowerPcDispatcher
from emu.toolbox.computer.clock import CallClock
from emu.toolbox.computer.declaration import Routine
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import (
    GuestStopError,
    Mistake,
    OutOfTimeError,
    ProgramExit,
    UnknownRoutineError,
)
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.sanitized_heap import SanitizedHeap, with_heap
from emu.toolbox.managers.quickdraw.ports.grafport import program_globals
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.single_calls.answers import Answers
from emu.toolbox.single_calls.call_watch import CallWatch
from emu.toolbox.single_calls.environment import (
    Environment,
    environment_of,
)
from emu.toolbox.single_calls.free_memory import FreeMemory
from emu.toolbox.single_calls.given_blocks import GivenBlocks
from emu.toolbox.single_calls.layout_beside import layout_beside
from emu.toolbox.single_calls.left_behind import Leftovers

_SETTINGS = Settings(depth=1)
_THE_PORT = 512
"""Where the pointer to the port lies in the page of globals, with QuickDraw's others below it."""

_PORT = 1024
_CLOSED = "low memory"


class CalledToolbox:
    """Makes calls of one program, and answers what they ask of the Toolbox.

    Args:
        cpu: the processor.
        program: the program.
        memory: the memory that calls are prepared in.
        until: the address at which a call has returned.

    Raises:
        UsageError: the program leaves no room for the Toolbox's memory.
    """

    def __init__(self, cpu: Cpu, program: Program, memory: GuestMemory, until: int) -> None:
        self._cpu = cpu
        self._program = program
        self._theirs = memory
        self._layout = layout_beside(program, memory)
        regions = self._layout.regions()
        own = GuestMemory(regions)
        low = own.region(_CLOSED)
        self._shadowed = shadowed(program, memory.regions)
        self._engine = HostedEngine(cpu, own, until, closed=(low,))
        self._own = own
        self._cleared = [
            own.view(region.address, region.size)
            for region in regions
            if region.name in ("low memory", "heap", "globals", "jump table", "screen")
        ]
        self._calls = {
            symbol.address: symbol.name.removeprefix(CALL_PREFIX)
            for symbol in program.symbols
            if symbol.name.startswith(CALL_PREFIX)
        }
        self._mac: _WatchedMacintosh | None = None
        self._checked: CheckedCalls | None = None
        self._new: list[Block] = []
        self._see: Callable[[Any], None] = lambda mac: None
        self._engine.translated.observers.append(self._on_block)

    def run(
        self,
        start: int,
        seconds: float,
        terms: SystemTerms,
        watch: range | None,
        entries: Entries | None,
        *,
        blocks: Sequence[GivenBlock] = (),
        environment: int = 0,
        goes_on: bool = False,
        number: int = 0,
    ) -> SystemCalls:
        """Make the call that was prepared in the machine's memory; see `OperatingSystem.run`."""
        mac = self._mac
        if mac is None or not goes_on:
            mac = self._mac = self._switched_on(seconds, terms, environment)
        self._copy_memory()
        mac.given.add(blocks)
        mac.given.lend()
        if mac.leftovers is None:
            mac.leftovers = Leftovers(mac, mac.given, self._theirs)
        self._new.clear()
        mac.outputs.findings.clear()
        if entries is not None:
            self._call_python(mac, entries)
        if self._checked is not None:
            self._checked.begin_answered(number, self._own)
        self._engine.begin(start)
        mac.watch_of = None if watch is None else CallWatch(mac, mac.given, self._program, watch)
        self._see(mac)
        with nullcontext() if mac.watch_of is None else mac.watch_of.seeing():
            problem, kind = self._problem_of(mac)
        leftovers, state = self._look_around(mac)
        self._give_memory(mac)
        registers, index = self._engine.registers, self._engine.index
        return SystemCalls(
            problem=problem,
            kind=kind,
            program_counter=registers[index["pc"]],
            registers={name: registers[index[name]] for name in self._cpu.general_registers},
            mistakes=tuple(map(_words_of, mac.outputs.findings.values())),
            stores={} if mac.watch_of is None else mac.watch_of.stores,
            strays=() if mac.watch_of is None else mac.watch_of.strays,
            code=tuple(self._new),
            left=leftovers,
            state=state,
            freed=mac.given.freed,
            moved=mac.given.moved,
        )

    def begin(self) -> None:
        """Begin with what the last call has left; see `OperatingSystem.begin`."""
        if self._mac is not None:
            self._mac.leftovers = None

    def _look_around(self, mac: _WatchedMacintosh) -> tuple[tuple[Leftover, ...], dict[str, int]]:
        """Check the heap, and see what is not as it was before; `Leftovers.look`.

        A heap that is destroyed is a mistake of the program, whatever else has become of the call.
        """
        mac.host.routine = None
        try:
            mac.given.check()
            mac.memory.finish()
        except GuestStopError as error:
            mac.host.report("memory", _first_line(error))
            return (), {}
        leftovers, state = ((), {}) if mac.leftovers is None else mac.leftovers.look()
        return (
            *leftovers,
            *(leftover for each in mac.answers.values() for leftover in each.leftovers()),
        ), state

    def show_computer(self, see: Callable[[Any], None]) -> None:
        """Have a function called before each call; see `OperatingSystem.show_computer`."""
        self._see = see

    def count_edges(self) -> EdgeCounter:
        """Count the edges that calls execute; see `OperatingSystem.count_edges`."""
        return self._engine.count_edges(MOST_EDGES)[0]

    def read(self, address: int, size: int) -> bytes | None:
        """Memory of the last call; see `OperatingSystem.read`."""
        region = self._own.find(address)
        if region is None or region.name == _CLOSED or address + size > region.end:
            return None
        return self._own.view(address, size).tobytes()

    def look_at(self, checked: CheckedCalls) -> None:
        """Note what is wrong with accesses to memory; see `OperatingSystem.look_at`."""
        self._checked = checked
        checked.answered = Accesses(self._cpu, self._own, checked.accesses.stack)
        self._engine.look_at(checked.answered)

    def forget_code(self, address: int, size: int) -> None:
        """Report code there as new when it is executed again."""
        self._engine.forget_code(address, size)

    def _problem_of(self, mac: Macintosh) -> tuple[str, str]:
        """Make the call; `SystemCalls.problem` and its kind."""
        try:
            mac.run_call()
        except UnknownRoutineError as error:
            return _first_line(error), "engine"
        except GuestStopError as error:
            problem = _first_line(error)
            if mac.host.routine is not None and mac.host.routine.name not in problem:
                problem += f", in a call of {mac.host.routine.name}"
            if isinstance(error, OutOfTimeError):
                return f"{problem}, which decides nothing", SLOW
            refused = self._engine.special.execution.refused
            return problem, ENGINE if refused is not None and not refused.why else "exception"
        except GuestError as error:
            return str(error), "exception"
        except ProgramExit:
            return "it ended the program", "exception"
        except _StoppedByPython:
            return "a Python function that it called failed", "exception"
        return "", ""

    def _call_python(self, mac: _WatchedMacintosh, entries: Entries) -> None:
        """Let guest code call Python where the entries say."""
        engine = self._engine
        place = engine.index[self._cpu.stack_pointer]

        def enter(address: int) -> None:
            self._give_memory(mac)
            if not entries.action(address, engine.registers[place]):
                raise _StoppedByPython
            self._take_memory(mac)

        for address in entries.addresses:
            mac.watch(address, functools.partial(enter, address))

    def _switched_on(self, seconds: float, terms: SystemTerms, number: int) -> _WatchedMacintosh:
        """A Macintosh on which nothing has run yet, with QuickDraw ready."""
        for view in self._cleared:
            view.fill(0)
        fixed = {
            name: int.from_bytes(self._theirs.view(address, 4).tobytes(), "big")
            for name, address in terms.fixed.items()
        }
        environment = environment_of(number).fixed(fixed)
        screen = environment.screen_width, environment.screen_height
        settings = replace(_SETTINGS, timeout=seconds, screen=screen)
        clock = CallClock(first_ticks=environment.ticks, first_seconds=environment.date)
        mac = _WatchedMacintosh(self._cpu, self._layout, settings, clock, engine=self._engine)
        if self._checked is not None and self._checked.answered is not None:
            FreeMemory(mac, self._checked.answered)
        if self._shadowed is not None:
            mac.on_resume.append(SanitizedHeap(mac.memory, mac.guest.memory).mark)
        mac.host.locate = lambda address: str(self._program.locate(address))
        if isinstance(mac.dispatcher, M68kDispatcher):
            mac.dispatcher.needs_a5 = False
        elif isinstance(mac.dispatcher, PowerPcDispatcher):
            mac.dispatcher.take_calls(self._calls)
        _prepare(mac, environment, self._layout.globals_start)
        mac.given, mac.answers = GivenBlocks(mac.memory), {}
        for name, address in terms.answers.items():
            mac.instead[name] = mac.answers[name] = Answers(name, address, mac)
        return mac

    def _on_block(self, block: Block, code: bytes) -> str:
        if self._theirs.find(block[0]) is not None:
            self._new.append(block)
        return ""

    def _take_memory(self, mac: _WatchedMacintosh) -> None:
        """Go on with what somebody else has left in the machine's memory."""
        self._copy_memory()
        mac.given.lend()

    def _copy_memory(self) -> None:
        """Copy the machine's memory, as far as it differs from what is here."""
        for region in self._theirs.regions:
            given = self._theirs.view(region.address, region.size)
            here = self._own.view(region.address, region.size)
            if region.executable:
                if (given == here).all():
                    continue
                self._engine.forget_code(region.address, region.size)
            here[:] = given
        if self._shadowed is not None:
            with_heap(self._own, self._shadowed, self._layout.heap + self._layout.heap_size)

    def _give_memory(self, mac: _WatchedMacintosh) -> None:
        """Copy back what the call may have written."""
        mac.given.take_back()
        if self._shadowed is not None:
            with_heap(self._own, self._shadowed, self._shadowed.end)
        for region in self._theirs.regions:
            if region.writable:
                here = self._own.view(region.address, region.size)
                self._theirs.view(region.address, region.size)[:] = here


def _prepare(mac: Macintosh, environment: Environment, globals_at: int) -> None:
    """Let a Macintosh have an environment, and QuickDraw be ready."""
    mac.memory.heap.space.fill_with(environment.fill)
    mac.memory.heap.space.watches_slack = True
    mac.host.show_time()
    mac.quickdraw_ports.init_graf(globals_at + _THE_PORT)
    mac.quickdraw_ports.open_port(globals_at + _PORT)
    program_globals(mac.guest, globals_at + _THE_PORT).randSeed = environment.random_seed
    across, down = environment.pen
    GrafPort(mac.guest, globals_at + _PORT).pnLoc = Point(down, across)
    mac.memory.heap.other_ends = environment.ends()


class _StoppedByPython(Exception):
    """A Python function that guest code has called says that it must not go on."""


class _WatchedMacintosh(Macintosh):
    """Notes what routines of the Toolbox change in a call that is watched.

    Attributes:
        watch_of: what watches the call under way; None if nothing does.
        given: the blocks that calls are given.
        leftovers: compares what calls leave with what was there; None before the first.
        answers: what answers routines in the place of the Toolbox, by their names.
    """

    watch_of: CallWatch | None = None
    given: GivenBlocks
    leftovers: Leftovers | None = None
    answers: dict[str, Answers]

    def perform(
        self,
        routine: Routine,
        handler: Callable[..., Any],
        arguments: Sequence[Any],
        extra: dict[str, Any],
    ) -> Any:
        """Do one routine; see `Macintosh.perform`."""
        if self.watch_of is None:
            return super().perform(routine, handler, arguments, extra)
        before = self.watch_of.before_routine()
        result = super().perform(routine, handler, arguments, extra)
        self.watch_of.note_changes(before)
        return result


def _words_of(mistake: Mistake) -> str:
    where = f" (found in a call of {mistake.routine})" if mistake.routine else ""
    return f"{mistake.problem}{where}"


def _first_line(error: GuestError) -> str:
    return str(error).partition("\n")[0]
