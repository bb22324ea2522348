"""Runs a whole program that stops at every trap, so that Python can answer it.

The registers are read once when the program stops and written once when it goes on. The status
register is never read, because reading it changes it. It is written only to answer a 68K trap.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import unicorn
from unicorn import unicorn_const
from unicorn.unicorn_py3 import unicorn as binding

from emu.base.errors import ToolMissingError
from emu.machine.cpu import Cpu
from emu.machine.engine.base.engine_registers import EngineRegisters
from emu.machine.engine.base.models import find_model, open_engine
from emu.machine.engine.base.processor_state import BEHIND_SENTINEL
from emu.machine.engine.base.reading_clock import ReadingClock
from emu.machine.engine.guest_pages import GuestPages
from emu.machine.engine.other_code import OtherCode
from emu.machine.engine.processor_context import ProcessorContext
from emu.machine.engine.quirks.special import SpecialInstructions
from emu.machine.engine.stops import Stop, StopKind
from emu.machine.engine.watch.access_log import AccessLog
from emu.machine.engine.watch.accesses import Accesses
from emu.machine.engine.watch.edges import EdgeCounter
from emu.machine.engine.watch.executed_code import ExecutedCode
from emu.machine.engine.watch.recorder import record_instructions
from emu.machine.engine.watch.seen_accesses import SeenAccesses
from emu.machine.engine.watch.translated_code import TranslatedCode
from emu.machine.engine.watch.watched_instructions import WatchedInstructions
from emu.machine.engine.watch.watched_ranges import WatchedRange, WatchedRanges
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion, page_floor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from emu.machine.engine.hooks.entry_hook import EntryHook
    from emu.machine.engine.hooks.instruction_counter import InstructionCounter
    from emu.machine.engine.hooks.stop_hook import StopHook
    from emu.machine.engine.quirks.extended_flags import ExtendedFlags

# A program that loads its segments again and again has new edges each time.
_MOST_EDGES = 1 << 18
_PYTHON_COSTS = 4_000
"""An instruction that Python executes takes as long as so many bytes of code."""


@functools.cache
def _exception(number: int) -> Stop:
    return Stop(StopKind.EXCEPTION, number)


_RETURNED, _ASKED, _WATCHED = map(Stop, (StopKind.RETURNED, StopKind.ASKED, StopKind.WATCHED))


class HostedEngine:
    """Runs guest code from stop to stop.

    ``registers`` are the registers with which the guest will go on, the program counter included:
    an array of unsigned 32-bit values. ``registers[index["d0"]]`` is D0. ``register_file`` has them
    read from the processor and written to it.

    Args:
        cpu: the processor.
        memory: the guest memory.
        sentinel: the address at which a run ends.
        closed: regions that guest code may not access; only Python may.
        shows_status_late: see `SpecialInstructions`.
    """

    def __init__(
        self,
        cpu: Cpu,
        memory: GuestMemory,
        sentinel: int,
        *,
        closed: Collection[MemoryRegion] = (),
        shows_status_late: bool = False,
    ) -> None:
        self._engine = open_engine(cpu, find_model(cpu))
        self.sentinel, self.memory = sentinel, memory
        now = ReadingClock().read
        self.special = SpecialInstructions(cpu, memory, now, shows_status_late=shows_status_late)
        """The instructions that Python executes in place of the engine; see `EngineState` for what
        can be replaced."""
        self.pages = GuestPages(self._engine, cpu, memory, self.special, closed)
        self._engine.hook_add(unicorn_const.UC_HOOK_INTR, self._on_interrupt)
        self.translated = TranslatedCode(memory)
        self.translated.attach(self._engine)
        self._take_instructions(cpu, sentinel)
        self.register_file = EngineRegisters(self._engine, cpu)
        self.registers, self.index = self.register_file.values, self.register_file.index
        self._cpu, self._pc = cpu, self.index["pc"]
        self._interrupts: list[int] = []
        self.watched = WatchedInstructions(self._engine)
        self.edges: EdgeCounter | None = None
        self.executed: ExecutedCode | None = None
        self._stop_hook: StopHook | None = None
        self._accesses: Accesses | None = None
        self._log: AccessLog | None = None
        self.other: OtherCode | None = None
        self.is_running = False
        self._fresh = self._engine.context_save()
        self.register_file.load()

    def _take_instructions(self, cpu: Cpu, sentinel: int) -> None:
        """Attach ``special``, which executes what the engine does not, or not rightly."""
        self.counter: InstructionCounter | None = None
        """Counts instructions, if `count_instructions` was called."""
        self.special.attach(self._engine)
        self.special.execution.state.place = self.pages.place
        self.special.execution.on_executed = self._on_executed
        record_instructions(self._engine, cpu, self.memory)
        self.special.begin(sentinel)
        self.translated.observers.append(self.special.look)

    def begin(self, start: int) -> None:
        """Make the processor as it was when the engine was opened, and about to run from there."""
        self._engine.context_restore(self._fresh)
        self.special.execution.state.is_float_status_stale = False
        self.register_file.load()
        self.registers[self._pc] = start

    @property
    def watched_accesses(self) -> SeenAccesses:
        """The watchers of single accesses."""
        watchers = self.special.execution.state.watchers
        return SeenAccesses(self._engine, self._cpu, self.memory, watchers)

    def extended_flags(self) -> ExtendedFlags:
        """The flags of XER; see there."""
        from emu.machine.engine.quirks.extended_flags import ExtendedFlags

        return ExtendedFlags(self._engine, self._cpu)

    def execute(self, code: bytes) -> None:
        """Have the processor execute an instruction that is not the program's, while it is stopped.

        It works on the processor's own registers; ``registers`` are written to it when the guest
        goes on.
        """
        self.special.execution.state.run(code)

    def flags(self) -> int:
        """The whole status register of a 68K, read without any change of it."""
        return self.special.execution.state.status_and_flags()

    @contextlib.contextmanager
    def interrupted(self) -> Iterator[None]:
        """Keep the processor's whole state, with its flags, during a block that runs other code."""
        context = self.context()
        yield
        self.go_back(context)

    def context(self) -> ProcessorContext:
        """The processor's whole state, as it is while the guest is stopped."""
        return ProcessorContext(self._engine.context_save(), tuple(self.registers))

    def go_back(self, context: ProcessorContext) -> None:
        """Have the guest go on from a state that it had."""
        self._engine.context_restore(context.engine)
        self.registers[:] = context.registers

    def run(self) -> Stop:
        """Go on at the program counter in ``registers``, until something stops the guest."""
        start, handle = binding.uclib.uc_emu_start, self._engine._uch
        self._interrupts.clear()
        self.register_file.store()
        (pages := self.pages).refused = None
        pc = self.registers[self._pc]
        self.watched.begin(pc)
        edges, executed = self.edges, self.executed
        if edges is None and self._stop_hook is None and self.counter is None:
            self._stop_hook = _make_stop_hook(self._engine)
        if executed is not None:
            executed.before_run(pc)
        special = self.special
        special.begin(self.sentinel)
        special.look_ahead(pc)
        self.is_running = True
        further: int | None = pc
        while further is not None:
            if self.other is not None:
                special.look_ahead(further := self.other.go_on(further))
            error = start(handle, further, self.sentinel, 0, 0)
            if error or pages.refused or self.watched.is_met:
                if (further := pages.short_jump(self.register_file.read("pc"))) is None:
                    break
                continue
            if executed is not None:
                executed.after_run()  # the clock may want to know what has been executed
            if self._is_due():
                break
            further = self._further()
        pages.refused = pages.refused or special.execution.bad_access
        self.is_running = False
        self.register_file.load()
        if edges is not None and executed is not None:
            executed.after_run()
            if edges.was_stopped:
                edges.go_on()
        return self._stop(error)

    def _is_due(self) -> bool:
        """Whether the program has to stop before an instruction that Python would execute now."""
        if self.counter is None or self._interrupts:
            return False
        return self.counter.stops_at(self.register_file.read("pc"))

    def _stop(self, error: int) -> Stop:
        """Why the guest stopped; ``error`` is the engine's."""
        if self.special.execution.refused is not None:
            return Stop(StopKind.FAULT, problem=str(self.special.execution.refused))
        if self._interrupts:
            return _exception(self._interrupts[0])
        if error or self.pages.refused:
            problem = str(unicorn.UcError(error)) if error else ""
            return Stop(StopKind.FAULT, bad_access=self.pages.refused, problem=problem)
        pc = self.registers[self._pc]
        self.watched.end(pc)
        if self.watched.is_met:
            if self.edges is not None:
                self.edges.take_back(pc)
            if self.counter is not None:
                self.counter.take_back(pc)
            return _WATCHED
        if pc == self.sentinel:
            return _RETURNED
        return _ASKED

    def _further(self) -> int | None:
        """Where the program goes on after the engine has stopped, or None if the run is over."""
        special = self.special
        if self.other is not None and self.other.has_stopped():
            return self.register_file.read("pc")
        if self._interrupts:
            number, further = special.after_exception(self._interrupts[0])
        else:
            further, number = special.next(), special.execution.exception
        if special.execution.was_stopped:
            # The stop was meant for the program, which goes on with this instruction. It cannot
            # wait for the next block: where the instruction comes again at once, there is none.
            assert further is not None
            special.execution.was_stopped = False
            self.register_file.write("pc", further)
            further = None
        self._interrupts = [number] if further is None and number >= 0 else []
        return further

    def stop(self) -> None:
        """End the run under way, from any thread. The guest can go on afterwards."""
        if self.edges is not None:
            self.edges.stop()
        elif self.counter is not None:
            self.counter.ask()
        elif self._stop_hook is not None:
            self._stop_hook.ask()

    def limit_code(self, most: int) -> None:
        """Have the guest stop before it has executed more bytes of code from now on.

        Where it stops is the same on any computer, however busy. With edges that are counted, a
        byte has to cost a cycle. It is not for an engine whose instructions are counted.
        """
        if self.edges is not None:
            self.edges.limit = self.edges.cycles + most
            return
        assert self.counter is None, "a counter of instructions has a limit of its own"
        self._stop_hook = self._stop_hook or _make_stop_hook(self._engine)
        self._stop_hook.budget = most

    @property
    def code_left(self) -> int:
        """How much of `limit_code` is left; 0 or less if the guest was stopped for it."""
        if self.edges is not None:
            return int(self.edges.limit - self.edges.cycles)
        return self._stop_hook.budget if self._stop_hook is not None else 0

    def forget_code(self, address: int, size: int) -> None:
        """Drop translations of code that Python has overwritten."""
        if size:
            self.forget_places([(address, address + size)])

    def forget_places(self, places: Sequence[tuple[int, int]]) -> None:
        """The same for several places at once, each from an address up to another.

        The engine is asked only about pages of which it has fetched code: the question is itself
        such a fetch, after which it would look at each store to the page for changed code.
        """
        self._drop_translations(places)
        self.special.scan_places(places)

    def free_places(self, places: Sequence[tuple[int, int]]) -> None:
        """The same where nothing is for the moment: special instructions are searched for later."""
        self._drop_translations(places)
        self.special.free_places(places)

    def _drop_translations(self, places: Sequence[tuple[int, int]]) -> None:
        for start, end in places:
            for page in self.pages.fetched.intersection(range(page_floor(start), end, PAGE)):
                self._engine.ctl_remove_cache(max(page, start), min(page + PAGE, end))

    def watch(self, address: int) -> None:
        """Stop whenever the instruction at this address is about to be executed."""
        self.watched.add(address)

    def unwatch(self, address: int) -> None:
        """Take back `watch`."""
        self.watched.remove(address)

    def watch_ranges(self, on_access: Callable[[WatchedRange], None]) -> WatchedRanges:
        """Ranges of memory of which code's accesses are told: none until they are set."""
        return WatchedRanges(self._engine, on_access)

    def look_at(self, accesses: Accesses) -> None:
        """Look at every access to memory from now on; to be called before anything has run."""
        self._accesses = accesses  # keeps it alive as long as the engine writes to it
        self.pages.maps_short = True
        accesses.attach(self._engine)
        self.special.execution.state.watchers.append(accesses.watcher)

    def stop_at_entries(self, shadow: NDArray[np.uint8], limit: int) -> tuple[EntryHook, StopHook]:
        """Stop before some blocks from now on; what may stop the engine for others comes first."""
        from emu.machine.engine.hooks.entry_hook import EntryHook

        self._stop_hook = self._stop_hook or _make_stop_hook(self._engine)
        return EntryHook(self._engine, self.memory, shadow, limit), self._stop_hook

    def log_accesses(self) -> AccessLog:
        """Log accesses to memory from now on; to be called before anything has run.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        self._log = log = AccessLog(self._cpu, self.memory)  # it lives as long as the engine
        log.attach(self._engine, self.special.execution.state.watchers)
        return log

    def count_edges(self, most: int = _MOST_EDGES) -> tuple[EdgeCounter, ExecutedCode]:
        """Count edges between blocks from now on; to be called before anything has run.

        Args:
            most: how many different edges there may be.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        self.edges = EdgeCounter(self._engine, most)
        self.executed = ExecutedCode(self.translated, self.edges)
        return self.edges, self.executed

    def count_instructions(self) -> InstructionCounter:
        """Count instructions from now on; to be called before accesses are looked at.

        The count is the same in every run that does the same, whenever `stop` is called. The
        counter can stop the engine before any instruction; the reason of that is `ASKED`.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        try:
            from emu.machine.engine.hooks.instruction_counter import InstructionCounter
        except ImportError as error:
            raise ToolMissingError("a debugger needs llvmlite: pip install llvmlite") from error
        assert self.edges is None, "edges and instructions are not counted together"
        own = self.sentinel + BEHIND_SENTINEL
        self.counter = InstructionCounter(self._engine, own, self.special.see)
        self.special.note_at = self.counter.note
        self.watched.add_again()  # the counter comes first, or one would be met twice
        self._engine.ctl_flush_tb()  # hooks are built into translated code
        return self.counter

    def _on_executed(self, address: int, size: int) -> None:
        if self.counter is not None:
            self.counter.add()
        if self.edges is not None:
            self.translated.report((address, size))
            self.edges.enter(address, size)
        elif self._stop_hook is not None:
            self._stop_hook.budget -= _PYTHON_COSTS

    # -- what the engine calls -----------------------------------------------------------------

    def _on_interrupt(self, uc: unicorn.Uc, number: int, _: object) -> None:
        if not self.special.execution.state.is_running:
            self._interrupts.append(number)
            uc.emu_stop()


def _make_stop_hook(engine: unicorn.Uc) -> StopHook:
    from emu.machine.engine.hooks.stop_hook import StopHook  # loaded only where a program is run

    return StopHook(engine)
