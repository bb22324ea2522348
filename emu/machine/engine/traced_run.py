"""One traced run of a call: the hooks that record it, and the record."""

from __future__ import annotations

import functools
import time
from collections import Counter, deque

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.base.models import (
    find_model,
    map_memory,
    map_short,
    open_engine,
    register_id,
)
from emu.machine.engine.base.processor_state import Watcher
from emu.machine.engine.base.reading_clock import ReadingClock
from emu.machine.engine.base.watchdog import ended_if_stuck
from emu.machine.engine.hooks import several_words
from emu.machine.engine.quirks.recurrence import Recurrence
from emu.machine.engine.quirks.special import SpecialInstructions
from emu.machine.engine.watch.call_stack import CallStack, StopPoint
from emu.machine.engine.watch.edges import Block
from emu.machine.engine.watch.recorder import record_instructions
from emu.machine.engine.watch.trace import BadAccess, Store, Trace
from emu.machine.memory.memory import PAGE, GuestMemory

_ACCESS_WORDS = {
    unicorn_const.UC_MEM_READ_UNMAPPED: ("read", "unmapped memory"),
    unicorn_const.UC_MEM_WRITE_UNMAPPED: ("write", "unmapped memory"),
    unicorn_const.UC_MEM_FETCH_UNMAPPED: ("fetch", "unmapped memory"),
    unicorn_const.UC_MEM_READ_PROT: ("read", "memory that may not be read"),
    unicorn_const.UC_MEM_WRITE_PROT: ("write", "memory that may not be written"),
    unicorn_const.UC_MEM_FETCH_PROT: ("fetch", "memory that may not be executed"),
}
_LAST_BLOCKS = 12
_MOST_STORES = 200_000
_BLOCKS_BETWEEN_CLOCK_READINGS = 4096


class TracedRun:
    """One run in an engine of its own: hooks and the sentinel are built into translated code.

    Args:
        cpu: the processor.
        memory: the guest memory.
        blocks: how many blocks may be entered.
        seconds: how long it may take, in seconds of processor time.
        entries: where guest code calls Python, or None.

    Attributes:
        instruction: the address of the last executed instruction of `note_instructions`, or None.
        recurrence: finds out that it goes round for ever; None if nobody wants to know.
    """

    def __init__(
        self,
        cpu: Cpu,
        memory: GuestMemory,
        blocks: int,
        seconds: float,
        entries: Entries | None,
    ) -> None:
        self.instruction: int | None = None
        self.recurrence: Recurrence | None = None
        self._has_short_addresses = False
        self._cpu = cpu
        self._memory = memory
        self._blocks = blocks
        self._seconds = seconds
        self._ends = time.process_time() + seconds
        self._pc = register_id(cpu, "pc")
        self._general = [register_id(cpu, name) for name in cpu.general_registers]
        self._watched = range(0)
        self._loads: set[int] = set()
        # The record so far.
        self._entered = 0
        self._counts: Counter[Block] = Counter()
        self._edges: Counter[tuple[Block, Block]] = Counter()
        self._previous: Block = (0, 0)
        self._last: deque[int] = deque(maxlen=_LAST_BLOCKS)
        self._interrupts: list[int] = []
        self._interrupt = ""
        self._exception = -1
        self._bad_access: BadAccess | None = None
        self._exceeded = ""
        self._stores: dict[int, int] = {}
        self._history: list[Store] = []
        self._calls: CallStack | None = None

        self._engine = open_engine(cpu, find_model(cpu))
        map_memory(self._engine, memory)
        self._clock = ReadingClock()
        self._special = SpecialInstructions(cpu, memory, self._clock.read)
        self._special.attach(self._engine)
        self._special.execution.on_executed = self._count
        record_instructions(self._engine, cpu, memory)
        self._engine.hook_add(unicorn_const.UC_HOOK_BLOCK, self._on_block)
        self._engine.hook_add(unicorn_const.UC_HOOK_MEM_INVALID, self._on_bad_access)
        self._engine.hook_add(unicorn_const.UC_HOOK_INTR, self._on_interrupt)
        if entries is not None:
            entries.attach(self._engine, self._engine.emu_stop)

    def shorten_addresses(self) -> None:
        """Ignore the bits of addresses that the processor does not put out."""
        self._has_short_addresses = True
        self._special.execution.state.place = self._special.execution.state.short

    def watch(self, addresses: range, *, has_history: bool = False) -> None:
        """Record which instructions store to these addresses, and what, if that is asked for."""
        self._watched = addresses
        if self._cpu.stored is not None:
            self._engine.hook_add(unicorn_const.UC_HOOK_CODE, self._on_possible_store)
            return
        # An access that begins up to 15 bytes below may reach into the range.
        first, last = max(addresses.start - 15, 0), addresses.stop - 1
        kind, on_store = unicorn_const.UC_HOOK_MEM_WRITE, self._on_store
        if has_history:
            on_store = self._on_kept_store
        self._engine.hook_add(kind, on_store, begin=first, end=last)
        self._special.execution.state.watchers.append(Watcher(kind, on_store, first, last))
        on_several = functools.partial(self._on_several, has_history)
        for place in several_words.places(self._cpu, self._memory):
            self._engine.hook_add(unicorn_const.UC_HOOK_CODE, on_several, begin=place, end=place)

    def watch_loads(self) -> None:
        """Record which of the watched addresses are read before anything is stored there."""
        first, last = max(self._watched.start - 15, 0), self._watched.stop - 1
        kind = unicorn_const.UC_HOOK_MEM_READ
        self._engine.hook_add(kind, self._on_load, begin=first, end=last)
        self._special.execution.state.watchers.append(Watcher(kind, self._on_load, first, last))

    def seek(self, sought: StopPoint) -> None:
        """Follow calls, and stop at an access."""
        self._calls = CallStack(self._cpu, self._memory, self._engine, sought)
        self._special.execution.state.watchers.append(self._calls.watcher)

    def note_instructions(self, block: range) -> None:
        """Keep the address of the last executed instruction at these addresses."""
        self._engine.hook_add(
            unicorn_const.UC_HOOK_CODE, self._on_instruction, begin=block.start, end=block.stop - 1
        )

    def run(self, start: int, until: int) -> Trace:
        """Run from one address to another and return the record."""
        self._special.begin(until)
        for region in self._memory.regions:
            for page in range(region.address, region.end, PAGE) if region.executable else ():
                self._special.scan(page)
        try:
            with ended_if_stuck(self._seconds):
                further: int | None = start
                while further is not None:
                    self._engine.emu_start(further, until)
                    further = self._next()
        except unicorn.UcError as error:
            if self._bad_access is None:
                self._interrupt = self._interrupt or str(error)
        return self._trace(until)

    def registers(self) -> dict[str, int]:
        """The general registers as they are now."""
        names = self._cpu.general_registers
        return {n: self._engine.reg_read(i) for n, i in zip(names, self._general, strict=True)}

    # -- what the engine calls ---------------------------------------------------------------

    def _on_block(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        if self._special.execution.state.is_running:
            return
        if (address, size) not in self._counts:
            code = self._memory.view(address, size).tobytes()
            if self._special.look((address, size), code):
                uc.emu_stop()
                return
        if self._entered >= self._blocks:
            self._exceed(f"{self._blocks} blocks")
            return
        self._count(address, size)
        self._last.append(address)
        recurrence = self.recurrence
        if recurrence is not None and recurrence.note(uc, address, self._entered, self._clock.time):
            self._exceed(
                f"{self._entered:,} blocks and never will: it came back to a state in which it was "
                "before"
            )
            return
        is_time_to_look = self._entered % _BLOCKS_BETWEEN_CLOCK_READINGS == 0
        if is_time_to_look and time.process_time() > self._ends:
            self._exceed(f"{self._seconds} seconds")

    def _on_bad_access(
        self, uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
    ) -> bool:
        if self._has_short_addresses and map_short(uc, self._cpu, self._memory, address):
            return True
        if self._bad_access is None:
            word, reason = _ACCESS_WORDS[access]
            self._bad_access = BadAccess(word, reason, address, size)
        return False

    def _on_interrupt(self, uc: unicorn.Uc, number: int, _: object) -> None:
        if not self._special.execution.state.is_running:
            self._interrupt = self._interrupt or self._words(number)
            self._interrupts.append(number)
            uc.emu_stop()

    def _on_store(
        self, uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
    ) -> None:
        self._note_store(range(address, address + size), uc.reg_read(self._pc))

    def _on_kept_store(
        self, uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
    ) -> None:
        data = (value & ((1 << 8 * size) - 1)).to_bytes(size, "big")
        self._keep_store(uc.reg_read(self._pc), address, data)

    def _on_several(
        self, has_history: bool, uc: unicorn.Uc, address: int, size: int, _: object
    ) -> None:
        start, data = several_words.stored(
            int.from_bytes(self._memory.view(address, size).tobytes(), "big"), self._register
        )
        seen = range(max(start, self._watched.start), min(start + len(data), self._watched.stop))
        if has_history and seen:
            self._keep_store(address, start, data)
        else:
            self._note_store(seen, address)

    def _keep_store(self, instruction: int, address: int, data: bytes) -> None:
        self._note_store(range(address, address + len(data)), instruction)
        registers = tuple(self._engine.reg_read(number) for number in self._general)
        self._history.append(Store(instruction, address, data, registers))
        if len(self._history) >= _MOST_STORES:
            self._exceed(f"{_MOST_STORES} stores that are kept")

    def _on_possible_store(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        assert self._cpu.stored is not None
        code = self._memory.view(address, size).tobytes()
        stored = self._cpu.stored(code, self._register)
        self._note_store(stored, address)

    def _on_load(
        self, uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
    ) -> None:
        self._loads.update(set(range(address, address + size)).difference(self._stores))

    def _on_instruction(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        self.instruction = address

    # -- inside ------------------------------------------------------------------------------

    def _register(self, number: int) -> int:
        """The value of a general register, by its number."""
        return int(self._engine.reg_read(self._general[number]))

    @property
    def _is_over(self) -> bool:
        has_come = self._calls is not None and self._calls.callers is not None
        return bool(self._interrupt or self._exceeded or self._bad_access or has_come)

    def _words(self, number: int) -> str:
        return self._cpu.interrupts.get(number, f"exception {number}")

    def _count(self, address: int, size: int) -> None:
        self._entered += 1
        self._counts[address, size] += 1
        self._edges[self._previous, (address, size)] += 1
        self._previous = (address, size)

    def _exceed(self, limit: str) -> None:
        self._exceeded = self._exceeded or limit
        self._engine.emu_stop()

    def _note_store(self, stored: range, instruction: int) -> None:
        seen = range(max(stored.start, self._watched.start), min(stored.stop, self._watched.stop))
        self._stores.update(dict.fromkeys(seen, instruction))

    def _next(self) -> int | None:
        """Where to go on after the engine has stopped, or None if the run is over."""
        if self._interrupts:
            number, further = self._special.after_exception(self._interrupts.pop())
        elif self._is_over:
            return None
        else:
            further, number = self._special.next(), self._special.execution.exception
        self._interrupt = self._words(number) if further is None and number >= 0 else ""
        self._exception = number if further is None else -1
        self._bad_access = self._bad_access or self._special.execution.bad_access
        return None if self._is_over else further

    def _trace(self, until: int) -> Trace:
        program_counter = self._engine.reg_read(self._pc)
        if self._interrupt:
            program_counter -= self._cpu.interrupt_bias
        return Trace(
            completed=program_counter == until and not self._is_over,
            refused=self._special.execution.refused,
            privileged=self._special.execution.privileged,
            blocks=self._entered,
            block_counts=dict(self._counts),
            last_blocks=tuple(self._last),
            program_counter=program_counter,
            interrupt=self._interrupt,
            bad_access=self._bad_access,
            exceeded=self._exceeded,
            stores=self._stores,
            loads=frozenset(self._loads),
            exception=self._exception,
            edges=dict(self._edges),
            history=tuple(self._history),
            recurs=self.recurrence is not None and self.recurrence.found,
            callers=None if self._calls is None else self._calls.callers,
        )
