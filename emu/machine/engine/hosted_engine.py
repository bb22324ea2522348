"""Runs a whole program that stops at every trap, so that Python can answer it.

The registers are read once when the program stops and written once when it goes on. The status
register is never read, because reading it changes it. It is written only to answer a 68K trap.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import unicorn
from unicorn import ppc_const, unicorn_const
from unicorn.unicorn_py3 import unicorn as binding

from emu.base.errors import ToolMissingError
from emu.machine.cpu import AccessRefusedError, Cpu
from emu.machine.engine.base.models import (
    find_model,
    map_memory,
    map_short,
    open_engine,
    pages_of,
)
from emu.machine.engine.base.models import register_id as id_of_register
from emu.machine.engine.base.processor_state import BEHIND_SENTINEL
from emu.machine.engine.base.reading_clock import ReadingClock
from emu.machine.engine.quirks.special import SpecialInstructions
from emu.machine.engine.stops import Stop, StopKind
from emu.machine.engine.watch.access_log import AccessLog
from emu.machine.engine.watch.accesses import Accesses
from emu.machine.engine.watch.edges import EdgeCounter
from emu.machine.engine.watch.executed_code import ExecutedCode
from emu.machine.engine.watch.recorder import record_instructions
from emu.machine.engine.watch.seen_accesses import SeenAccesses
from emu.machine.engine.watch.trace import BadAccess
from emu.machine.engine.watch.translated_code import TranslatedCode
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion, page_floor

if TYPE_CHECKING:
    from emu.machine.engine.hooks.instruction_counter import InstructionCounter
    from emu.machine.engine.hooks.stop_hook import StopHook

_ACCESSES = {
    unicorn_const.UC_MEM_READ: "read",
    unicorn_const.UC_MEM_WRITE: "write",
    unicorn_const.UC_MEM_FETCH: "fetch",
}
# A program that loads its segments again and again has new edges each time.
_MOST_EDGES = 1 << 18
_PYTHON_COSTS = 4_000
"""An instruction that Python executes takes as long as so many bytes of code."""
_EXTRA_REGISTERS = {"M68K": ("pc",), "PPC": ("lr", "ctr", "pc")}


@functools.cache
def _exception(number: int) -> Stop:
    return Stop(StopKind.EXCEPTION, number)


_RETURNED = Stop(StopKind.RETURNED)
_ASKED = Stop(StopKind.ASKED)
_WATCHED = Stop(StopKind.WATCHED)


class HostedEngine:
    """Runs guest code from stop to stop.

    ``registers`` are the registers with which the guest will go on, the program counter included:
    an array of unsigned 32-bit values. ``registers[index["d0"]]`` is D0.

    Args:
        cpu: the processor.
        memory: the guest memory.
        sentinel: the address at which a run ends.
        closed: regions that guest code may not access; only Python may.
    """

    def __init__(
        self,
        cpu: Cpu,
        memory: GuestMemory,
        sentinel: int,
        *,
        closed: Collection[MemoryRegion] = (),
    ) -> None:
        self._engine = open_engine(cpu, find_model(cpu))
        self.sentinel = sentinel
        self.memory = memory
        self._pages = pages_of(
            memory_region for memory_region in memory.regions if memory_region not in closed
        )
        # What may be done with a page is decided when it is first used; see `_answer_page`.
        map_memory(self._engine, memory, further=_FETCH | _STORE)
        self._engine.ctl_set_tlb_mode(unicorn_const.UC_TLB_VIRTUAL)
        self._engine.hook_add(unicorn_const.UC_HOOK_TLB_FILL, self._answer_page)
        self._engine.hook_add(unicorn_const.UC_HOOK_INTR, self._on_interrupt)
        self.translated = TranslatedCode(memory)
        self.translated.attach(self._engine)
        self._take_instructions(cpu, sentinel)
        self._make_registers(cpu)
        self._handle = self._engine._uch
        self._library = binding.uclib
        self._cpu = cpu
        self._interrupts: list[int] = []
        self._refused: BadAccess | None = None
        self._code_pages: set[int] = set()
        self._fetched: set[int] = set()  # those and pages that were lent
        self._watches: dict[int, int] = {}
        self._watched = False
        self._passing = -1
        self._stopped_at = -1
        self.edges: EdgeCounter | None = None
        self.executed: ExecutedCode | None = None
        self._stop_hook: StopHook | None = None
        self._accesses: Accesses | None = None
        self._log: AccessLog | None = None
        self.is_running = False
        self.may_execute: Callable[[MemoryRegion], bool] = lambda region: False
        """Asked when guest code jumps into a region that is not executable; whether it goes on."""
        self.may_write: Callable[[MemoryRegion], bool] = lambda region: False
        """Asked when guest code writes to a region that is not writable; whether it goes on."""
        self.short_address: Callable[[int], int] = lambda address: address
        """Asked for the address that stands for one where there is no memory, to read or write."""
        self.touched: set[int] | None = None
        """The pages that guest code has accessed since `forget_pages`, if they are to be noted."""
        self._fresh = self._engine.context_save()
        self.load_registers()

    def double(self, number: int) -> float:
        """The contents of a floating-point register of the PowerPC."""
        value = self._engine.reg_read(ppc_const.UC_PPC_REG_FPR0 + number)
        return float(struct.unpack(">d", struct.pack(">Q", value))[0])

    def set_double(self, number: int, value: float) -> None:
        """Change a floating-point register of the PowerPC."""
        bits = struct.unpack(">Q", struct.pack(">d", value))[0]
        self._engine.reg_write(ppc_const.UC_PPC_REG_FPR0 + number, bits)

    def _take_instructions(self, cpu: Cpu, sentinel: int) -> None:
        """Make ``special``, which executes what the engine does not, or not rightly."""
        self.counter: InstructionCounter | None = None
        """Counts instructions, if `count_instructions` was called."""
        self.special = SpecialInstructions(cpu, self.memory, ReadingClock().read)
        """The instructions that Python executes in place of the engine; see `EngineState` for what
        can be replaced."""
        self.special.attach(self._engine)
        self.special.state.place = self._place
        self.special.on_executed = self._on_executed
        record_instructions(self._engine, cpu, self.memory)
        self.special.begin(sentinel)
        self.translated.observers.append(self.special.look)

    def _make_registers(self, cpu: Cpu) -> None:
        """Make ``registers``, and what the engine needs to read and write all of them at once."""
        names = (*cpu.general_registers, *_EXTRA_REGISTERS[cpu.family])
        self.index: Mapping[str, int] = {name: number for number, name in enumerate(names)}
        self.registers: Any = (ctypes.c_uint32 * len(names))()
        # The binding's own calls for many registers build lists each time and take 23 µs for the 17
        # of a 68040; with these, which are made once, the engine's function takes 0.7.
        self._ids = (ctypes.c_int * len(names))(*(id_of_register(cpu, name) for name in names))
        start = ctypes.addressof(self.registers)
        pointers = [start + 4 * number for number in range(len(names))]
        self._pointers = (ctypes.c_void_p * len(names))(*pointers)
        self._count = len(names)
        self._pc = self.index["pc"]

    def open_region(self, region: MemoryRegion) -> None:
        """Let guest code access a region that was closed."""
        self._pages |= pages_of([region])

    def begin(self, start: int) -> None:
        """Make the processor as it was when the engine was opened, and about to run from there."""
        self._engine.context_restore(self._fresh)
        self.special.state.is_float_status_stale = False
        self.load_registers()
        self.registers[self._pc] = start

    @property
    def watched_accesses(self) -> SeenAccesses:
        """The watchers of single accesses."""
        watchers = self.special.state.watchers
        return SeenAccesses(self._engine, self._cpu, self.memory, watchers)

    @contextlib.contextmanager
    def noting_stores(self, watched: range) -> Iterator[dict[int, int]]:
        """Note for each of some addresses the program counter of the last store to it."""
        stores: dict[int, int] = {}

        def see(instruction: int, place: int, size: int, is_store: bool) -> None:
            seen = range(max(place, watched.start), min(place + size, watched.stop))
            stores.update(dict.fromkeys(seen, instruction))

        with self.watched_accesses.seeing(see, watched):
            yield stores

    @contextlib.contextmanager
    def seeing_code(self, see: Callable[[int], None], places: Collection[range]) -> Iterator[None]:
        """Have a function called with the address of each instruction that is executed there."""

        def on_code(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            see(address)

        kind = unicorn_const.UC_HOOK_CODE
        hooks = [
            self._engine.hook_add(kind, on_code, begin=part.start, end=part.stop - 1)
            for part in places
            if part
        ]
        self._engine.ctl_flush_tb()  # hooks are built into translated code
        try:
            yield
        finally:
            for hook in hooks:
                self._engine.hook_del(hook)
            self._engine.ctl_flush_tb()

    def load_registers(self) -> None:
        """Fill ``registers`` with what the processor holds."""
        self._library.uc_reg_read_batch(self._handle, self._ids, self._pointers, self._count)

    def register_now(self, name: str) -> int:
        """What a register holds while the guest runs."""
        return int(self._engine.reg_read(id_of_register(self._cpu, name)))

    def execute(self, code: bytes) -> None:
        """Have the processor execute an instruction that is not the program's, while it is stopped.

        It works on the processor's own registers; ``registers`` are written to it when the guest
        goes on.
        """
        self.special.state.run(code)

    def flags(self) -> int:
        """The whole status register of a 68K, read without any change of it."""
        return self.special.state.status_and_flags()

    def write_register(self, name: str, value: int) -> None:
        """Set a register that is not among ``registers``, such as the 68K status register."""
        self._engine.reg_write(id_of_register(self._cpu, name), value)

    def run(self) -> Stop:
        """Go on at the program counter in ``registers``, until something stops the guest."""
        library, handle = self._library, self._handle
        self._interrupts.clear()
        self._refused = None
        self._watched = False
        library.uc_reg_write_batch(handle, self._ids, self._pointers, self._count)
        pc = self.registers[self._pc]
        # The watched instruction at which it stopped last is executed now; any other stops it.
        self._passing = pc if pc == self._stopped_at else -1
        self._stopped_at = -1
        edges, executed = self.edges, self.executed
        if edges is None and self._stop_hook is None and self.counter is None:
            self._stop_hook = _make_stop_hook(self._engine)
        if executed is not None:
            executed.before_run(pc)
        special = self.special
        special.begin(self.sentinel)
        self.is_running = True
        further: int | None = pc
        while further is not None:
            error = library.uc_emu_start(handle, further, self.sentinel, 0, 0)
            if error or self._refused or self._watched:
                break
            if executed is not None:
                executed.after_run()  # the clock may want to know what has been executed
            if self._is_due():
                break
            further = self._further()
        self._refused = self._refused or special.bad_access
        self.is_running = False
        library.uc_reg_read_batch(handle, self._ids, self._pointers, self._count)
        if edges is not None and executed is not None:
            executed.after_run()
            if edges.was_stopped:
                edges.go_on()
        return self._stop(error)

    def _is_due(self) -> bool:
        """Whether the program has to stop before an instruction that Python would execute now."""
        if self.counter is None or self._interrupts:
            return False
        return self.counter.stops_at(self.register_now("pc"))

    def _stop(self, error: int) -> Stop:
        """Why the guest stopped; ``error`` is the engine's."""
        if self.special.refused is not None:
            return Stop(StopKind.FAULT, problem=str(self.special.refused))
        if self._interrupts:
            return _exception(self._interrupts[0])
        if error or self._refused:
            problem = str(unicorn.UcError(error)) if error else ""
            return Stop(StopKind.FAULT, bad_access=self._refused, problem=problem)
        if self._watched:
            self._stopped_at = self.registers[self._pc]
            if self.edges is not None:
                self.edges.take_back(self._stopped_at)
            if self.counter is not None:
                self.counter.take_back(self._stopped_at)
            return _WATCHED
        if self._passing == self.registers[self._pc]:
            self._stopped_at = self._passing  # it was stopped again before it could pass
        if self.registers[self._pc] == self.sentinel:
            return _RETURNED
        return _ASKED

    def _further(self) -> int | None:
        """Where the program goes on after the engine has stopped, or None if the run is over."""
        special = self.special
        if self._interrupts:
            number, further = special.after_exception(self._interrupts[0])
        else:
            further, number = special.next(), special.exception
        if special.was_stopped:
            special.was_stopped = False
            self.stop()  # a stop that came meanwhile was meant for the program
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
        if self._stop_hook is None:
            self._stop_hook = _make_stop_hook(self._engine)
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
        for start, end in places:
            for page in self._fetched.intersection(range(page_floor(start), end, PAGE)):
                self._engine.ctl_remove_cache(max(page, start), min(page + PAGE, end))
        self.special.scan_places(places)

    def forget_pages(self) -> None:
        """Have `touched` begin anew: every page is noted when it is next accessed."""
        self.touched = set()
        self._library.uc_ctl(self._handle, _FLUSH_PAGES)

    def is_code(self, page: int) -> bool:
        """Whether code of a page has been executed."""
        return page in self._code_pages

    def watch(self, address: int) -> None:
        """Stop whenever the instruction at this address is about to be executed."""
        if address not in self._watches:
            self._watches[address] = self._engine.hook_add(
                unicorn_const.UC_HOOK_CODE, self._on_watched, begin=address, end=address
            )
            self._engine.ctl_flush_tb()  # hooks are built into translated code

    def unwatch(self, address: int) -> None:
        """Take back `watch`."""
        hook = self._watches.pop(address, None)
        if hook is not None:
            self._engine.hook_del(hook)
            self._engine.ctl_flush_tb()

    def look_at(self, accesses: Accesses) -> None:
        """Look at every access to memory from now on; to be called before anything has run."""
        self._accesses = accesses  # keeps it alive as long as the engine writes to it
        accesses.attach(self._engine)
        self.special.state.watchers.append(accesses.watcher)

    def log_accesses(self) -> AccessLog:
        """Log accesses to memory from now on; to be called before anything has run.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        log = AccessLog(self._cpu, self.memory)
        log.attach(self._engine, self.special.state.watchers)
        self._log = log  # keeps it alive as long as the engine writes to it
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
        for address in list(self._watches):  # the counter comes first, or one would be met twice
            self.unwatch(address)
            self.watch(address)
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

    def _answer_page(
        self, uc: unicorn.Uc, address: int, access: int, entry: object, _: object
    ) -> bool:
        page, permissions = self._page_for(uc, address, access)
        if not permissions:
            return False
        needed = _NEEDED[access]
        if needed == _FETCH:
            self._fetched.add(page)
            if self._pages.get(page, 0) & _FETCH:  # else it is only lent
                self._code_pages.add(page)
                self.special.scan(page)
        elif page not in self._code_pages:
            # Stores to an executable page are twenty times slower, because the engine checks
            # whether they change code. A page without executed code has no code to change.
            permissions &= ~_FETCH
        if self.touched is not None:
            self.touched.add(page)
        entry.paddr = page  # type: ignore[attr-defined]
        entry.perms = permissions  # type: ignore[attr-defined]
        return True

    def _page_for(self, uc: unicorn.Uc, address: int, access: int) -> tuple[int, int]:
        """The page at an address, and what may be done with it: 0 if not this, and why is kept."""
        page = page_floor(address)
        permissions = self._pages.get(page)
        needed = _NEEDED[access]
        if permissions is None and needed != _FETCH:
            short = page_floor(self.short_address(address))
            permissions = self._pages.get(short)
            if permissions is not None and self._accesses is not None:
                # They are told of the whole address only if something is mapped there.
                map_short(uc, self._cpu, self.memory, address, further=_FETCH | _STORE)
                self._pages[page] = permissions
            else:
                page = short
        if permissions is not None and not permissions & needed:
            region = self.memory.find(address)
            allows = {_FETCH: self.may_execute, _STORE: self.may_write}.get(needed)
            if region is not None and allows is not None and allows(region):
                permissions = self._pages[page] = permissions | needed
        has_needed = permissions is not None and permissions & needed
        if needed == _FETCH and not has_needed and self.special.lends(page):
            return page, _FETCH
        if permissions is None or not has_needed:
            reason = "unmapped memory" if permissions is None else _REASONS[needed]
            self._refused = BadAccess(_ACCESSES[access], reason, address, 0)
            return page, 0
        return page, permissions

    def _place(self, address: int, size: int, stores: bool) -> int:
        """Where an instruction that Python executes finds its operand: see `EngineState.place`."""
        access = unicorn_const.UC_MEM_WRITE if stores else unicorn_const.UC_MEM_READ
        for at in (address + size - 1 & 0xFFFFFFFF, address):
            page, permissions = self._page_for(self._engine, at, access)
            if not permissions and self._refused is not None:
                raise AccessRefusedError(_ACCESSES[access], self._refused.reason, at, size)
        place = page | address & PAGE - 1
        return place if self.memory.find(place) is not None else self.short_address(address)

    def _on_interrupt(self, uc: unicorn.Uc, number: int, _: object) -> None:
        if not self.special.state.is_running:
            self._interrupts.append(number)
            uc.emu_stop()

    def _on_watched(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        if address == self._passing:
            self._passing = -1
            return
        self._watched = True
        uc.emu_stop()


def _make_stop_hook(engine: unicorn.Uc) -> StopHook:
    from emu.machine.engine.hooks.stop_hook import StopHook  # loaded only where a program is run

    return StopHook(engine)


_FLUSH_PAGES = unicorn_const.UC_CTL_TLB_FLUSH | unicorn_const.UC_CTL_IO_WRITE << 30
_FETCH = unicorn_const.UC_PROT_EXEC
_STORE = unicorn_const.UC_PROT_WRITE
_NEEDED = {
    unicorn_const.UC_MEM_READ: unicorn_const.UC_PROT_READ,
    unicorn_const.UC_MEM_WRITE: unicorn_const.UC_PROT_WRITE,
    unicorn_const.UC_MEM_FETCH: _FETCH,
}
_REASONS = {
    1: "memory that may not be read",
    2: "memory that may not be written",
    4: "memory that may not be executed",
}
