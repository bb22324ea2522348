"""Runs calls at full speed; the only hook answers page faults."""

from __future__ import annotations

from collections.abc import Callable

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.base.float_state import FloatState
from emu.machine.engine.base.models import (
    find_model,
    map_memory,
    map_short,
    open_engine,
    pages_of,
    permissions_of,
    register_id,
)
from emu.machine.engine.base.reading_clock import ReadingClock
from emu.machine.engine.quirks.infinities import (
    has_float_instruction,
    takes_infinity_for_nan,
)
from emu.machine.engine.quirks.special import SpecialInstructions
from emu.machine.engine.watch.accesses import Accesses
from emu.machine.engine.watch.edges import MOST_EDGES, Block, EdgeCounter
from emu.machine.engine.watch.recorder import record_instructions
from emu.machine.engine.watch.trace import RefusedInstruction
from emu.machine.engine.watch.translated_code import TranslatedCode
from emu.machine.memory.memory import GuestMemory, page_floor

_EXECUTE = unicorn_const.UC_PROT_EXEC


class FastEngine:
    """Runs calls at full speed, without saying why a call failed.

    The answer to a page fault says that data pages cannot be executed. Without it Unicorn would
    make every store twenty times slower, and a jump into data would execute the data.

    Args:
        cpu: the processor.
        memory: the guest memory.
        answer_pages: False leaves the page table to Unicorn, to measure how much time this costs.
        accesses: checks every access to memory; None makes the engine ten times as fast.
        has_short_addresses: whether the bits of addresses are ignored that the processor does not
            put out, because somebody else notes them; with ``accesses`` they always are.
    """

    def __init__(
        self,
        cpu: Cpu,
        memory: GuestMemory,
        *,
        answer_pages: bool = True,
        accesses: Accesses | None = None,
        has_short_addresses: bool = False,
    ) -> None:
        self._cpu = cpu
        self._accesses = accesses
        self._has_short_addresses = has_short_addresses or accesses is not None
        self._memory = memory
        self._answer_pages = answer_pages and cpu.memory_hooks
        self._pages: dict[int, int] = {}
        self.translated = TranslatedCode(memory)
        """Every block that guest code has executed or was about to execute, and those of the gate
        except its first."""
        self.called_system = False
        """Whether the last run ended with a call of the operating system."""
        self._interrupt = -1
        self.exception = -1
        """The engine's number of the exception that ended the last run; -1 if none did."""
        self.was_invalid = False
        """Whether an operation of the last run was invalid to the engine's floating-point unit: it
        may have taken an infinity for no number (see `emu.machine.engine.quirks.infinities`)."""
        self.when_touched: Callable[[int], object] = lambda address: None
        """Called with an address in a page before guest code touches that page first, and perhaps
        again later; only if `tells_pages`."""
        self._floats: FloatState | None = None
        self._clock = ReadingClock()
        self._special = SpecialInstructions(cpu, memory, self._clock.read)
        self._special.execution.on_executed = self._on_executed
        self._special.execution.state.on_touched = self._on_touched
        self.translated.observers.append(self._special.look)
        if accesses is not None:
            self._special.execution.state.place = self._special.execution.state.short
            self._special.execution.state.watchers.append(accesses.watcher)
        if takes_infinity_for_nan(cpu):
            self.translated.observers.append(self._look_for_floats)
        self._edges: EdgeCounter | None = None
        self.goes_on: Callable[[], bool] = lambda: False
        """Asked when the edge counter has stopped the engine; whether it goes on."""
        self._entries: Entries | None = None
        self._program_counter = register_id(cpu, "pc")
        self._engine = self._open()

    def _open(self) -> unicorn.Uc:
        engine = open_engine(self._cpu, find_model(self._cpu))
        map_memory(engine, self._memory)
        self._pages = pages_of(self._memory.regions)
        if self._answer_pages:
            # Unicorn's own table makes every page executable, and a store to such a page always
            # takes the slow path: 113 ns a round of a loop in place of 12 (docs/unicorn-stores.md).
            # The hook is called once for a page, not for each access.
            engine.ctl_set_tlb_mode(unicorn_const.UC_TLB_VIRTUAL)
            engine.hook_add(unicorn_const.UC_HOOK_TLB_FILL, self._answer_page)
        engine.hook_add(unicorn_const.UC_HOOK_INTR, self._on_interrupt)
        self.translated.attach(engine)
        self._special.attach(engine)
        record_instructions(engine, self._cpu, self._memory)
        if self._accesses is not None:
            self._accesses.attach(engine)
        if self._entries is not None:
            self._entries.attach(engine, self.stop)
        if self._edges is not None:
            self._edges.attach(engine)
        self._sound = True
        self._fresh = engine.context_save()
        self._floats = None
        return engine

    @property
    def tells_pages(self) -> bool:
        """Whether `when_touched` is called for every page that guest code touches."""
        return self._answer_pages

    def _on_touched(self, address: int, size: int) -> None:
        """An instruction that Python executes is about to touch some bytes."""
        self.when_touched(address)
        self.when_touched(address + size - 1)

    def _look_for_floats(self, block: Block, code: bytes) -> str:
        if self._floats is None and has_float_instruction(block, code):
            region = self._memory.find(block[0])
            if region is not None and region.name != "gate":
                self._floats = FloatState(self._cpu, self._engine)
        return ""

    def _on_interrupt(self, uc: unicorn.Uc, number: int, _: object) -> None:
        if not self._special.execution.state.is_running:
            self._sound = self._cpu.survives_faults
            if self._interrupt < 0:  # the engine may go on to another before it stops
                self._interrupt = number
            uc.emu_stop()

    def _answer_page(
        self, uc: unicorn.Uc, address: int, access: int, entry: object, _: object
    ) -> bool:
        page = page_floor(address)
        permissions = self._pages.get(page)
        if permissions is None and self._has_short_addresses:
            # They note it, and the call goes on as on a processor with fewer address lines.
            region = map_short(uc, self._cpu, self._memory, address)
            if region is not None:
                permissions = self._pages[page] = permissions_of(region)
        is_code = permissions is not None and permissions & _EXECUTE
        if access == unicorn_const.UC_MEM_FETCH and not is_code and self._special.lends(page):
            permissions = _EXECUTE
        if permissions is None:
            return False
        self.when_touched(page)
        if is_code:
            self._special.scan(page)
        entry.paddr = page  # type: ignore[attr-defined]
        entry.perms = permissions  # type: ignore[attr-defined]
        return True

    @property
    def refused(self) -> RefusedInstruction | None:
        """The instruction that ended the last run, because it cannot be executed; or None."""
        return self._special.execution.refused

    @property
    def privileged(self) -> dict[int, str]:
        """The privileged instructions that calls have executed: their titles by their addresses.

        The caller clears it.
        """
        return self._special.execution.privileged

    def run(self, start: int, until: int) -> None:
        """Run from one address to another, with all registers as they were when it was opened.

        So an earlier run cannot influence this one, not even by hidden state of the processor. The
        engine keeps its translated code and its page table.

        The caller reads from memory how the run ended. After a fault, an exception, an instruction
        that the engine must not execute, or `stop`, the exit register file has not been written.
        `called_system` tells whether that was because it called the operating system.
        """
        self._special.begin(until)
        self._special.execution.state.is_float_status_stale = False
        self._clock.reset()
        self._stopped = False
        self._interrupt = self.exception = -1
        self.called_system = False
        further: int | None = start
        try:
            # It copies the processor's whole struct, hidden state and all: 0.3 µs on a 68040 and
            # 1.7 on a 601. To write 16 or 32 registers would take 0.8 µs each and miss the rest.
            self._engine.context_restore(self._fresh)
            while further is not None and not self._stopped:
                self._engine.emu_start(further, until)
                further = self._further()
        except unicorn.UcError:
            self._sound = self._cpu.survives_faults
        self.was_invalid = self._floats is not None and self._floats.was_invalid
        if not self._sound:
            self._engine = self._open()  # 0.8 ms, so only where the engine could not run on

    def _further(self) -> int | None:
        """The address at which a stopped run has to go on, or None if the run is over."""
        if self._interrupt < 0:
            if self._edges is not None and self._edges.was_stopped:
                if not self.goes_on():
                    return None
                self._edges.go_on()
                return int(self._engine.reg_read(self._program_counter))
            further = self._special.next()
            number = self._special.execution.exception
        else:
            number, self._interrupt = self._interrupt, -1
            number, further = self._special.after_exception(number)
        self.exception = number if further is None else -1
        self.called_system = self.exception >= 0 and number == self._cpu.system_call
        return further

    def _on_executed(self, address: int, size: int) -> None:
        if (address, size) not in self.translated.code:
            self.translated.report((address, size))
        if self._edges is not None:
            self._edges.enter(address, size)

    def stop(self) -> None:
        """End the run under way, from any thread."""
        self._stopped = True
        self._sound = self._cpu.survives_faults
        self._engine.emu_stop()

    def count_edges(self, most: int = MOST_EDGES) -> EdgeCounter:
        """Count edges between blocks from now on; to be called before anything has run.

        Args:
            most: how many different edges there may be.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        # The attribute keeps it alive as long as the engine writes to it.
        self._edges = EdgeCounter(self._engine, most)
        return self._edges

    def call_python(self, entries: Entries | None) -> None:
        """Let guest code call Python at some addresses from now on."""
        if entries is not None and self._entries is None:
            self._entries = entries
            entries.attach(self._engine, self.stop)

    def forget_code(self, address: int, size: int) -> None:
        """Drop translations of code that Python has overwritten."""
        self._engine.ctl_remove_cache(address, address + size)
        self._special.scan_again(address, size)
