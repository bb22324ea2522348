"""One call, slowly, with everything said about it."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field, replace

import unicorn
from unicorn import unicorn_const

from emu.base.workers import end_stuck_worker
from emu.machine import watchdog
from emu.machine.cpu import Cpu
from emu.machine.engine.conditional_traps import ConditionalTraps
from emu.machine.engine.models import find_model, map_memory, open_engine, register_id
from emu.machine.engine.recorder import record_instructions
from emu.machine.engine.special import ReadingClock, Refused, SpecialInstructions
from emu.machine.memory import PAGE, GuestMemory

_ACCESS_WORDS = {
    unicorn_const.UC_MEM_READ_UNMAPPED: ("read", "unmapped memory"),
    unicorn_const.UC_MEM_WRITE_UNMAPPED: ("write", "unmapped memory"),
    unicorn_const.UC_MEM_FETCH_UNMAPPED: ("fetch", "unmapped memory"),
    unicorn_const.UC_MEM_READ_PROT: ("read", "memory that may not be read"),
    unicorn_const.UC_MEM_WRITE_PROT: ("write", "memory that may not be written"),
    unicorn_const.UC_MEM_FETCH_PROT: ("fetch", "memory that may not be executed"),
}
_LAST_BLOCKS = 12
_BLOCKS_BETWEEN_CLOCK_READINGS = 4096


@dataclass(frozen=True, slots=True)
class BadAccess:
    """A memory access the engine refused: what it was, where to, why, and from which address."""

    access: str
    reason: str
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Trace:
    """What a traced run saw.

    Attributes:
        completed: the sentinel was reached.
        blocks: how many translation blocks were entered.
        block_counts: entries by (address, size in bytes) of the block.
        last_blocks: addresses of the last blocks, oldest first.
        program_counter: where it stopped.
        interrupt: the processor exception it stopped with, in words.
        bad_access: the memory access it stopped with.
        exceeded: the limit it used up ("2000000 blocks"), or "".
        refused: the instruction that the engine must not execute, if it came to one.
        stores: for every watched address, the program counter of the last store to it.
    """

    completed: bool
    blocks: int
    block_counts: dict[tuple[int, int], int]
    last_blocks: tuple[int, ...]
    program_counter: int
    interrupt: str = ""
    bad_access: BadAccess | None = None
    exceeded: str = ""
    refused: Refused | None = None
    stores: dict[int, int] = field(default_factory=dict)


class TracedEngine:
    """Runs one call slowly and says everything about it."""

    def __init__(self, cpu: Cpu, memory: GuestMemory) -> None:
        self._cpu = cpu
        self._memory = memory

    def run(
        self,
        start: int,
        until: int,
        *,
        blocks: int,
        seconds: float,
        watch: range | None = None,
    ) -> tuple[Trace, dict[str, int]]:
        """Run from one address until another, within a budget.

        Where the engine forgets the place of an exception, it is found by running again on the
        same memory, with a hook on every instruction of the block that came last.

        Args:
            start: where to begin.
            until: the sentinel.
            blocks: how many blocks may be entered.
            seconds: how long it may take by the clock.
            watch: guest addresses whose stores are to be recorded.

        Returns:
            What was seen, and the general registers as they were at the end. The status register
            is not among them: reading it changes it.
        """
        if not self._cpu.loses_fault_address:
            return self._run(start, until, blocks=blocks, seconds=seconds, watch=watch)
        before = self._memory.buffer.copy()
        trace, registers = self._run(start, until, blocks=blocks, seconds=seconds, watch=watch)
        refused = trace.bad_access is not None and trace.bad_access.access != "fetch"
        if not (trace.interrupt or refused) or not trace.last_blocks:
            return trace, registers
        address = trace.last_blocks[-1]
        sizes = [size for at, size in trace.block_counts if at == address]
        executed: list[int] = []
        self._memory.buffer[:] = before
        self._run(
            start,
            until,
            blocks=blocks,
            seconds=seconds,
            block=range(address, address + max(sizes)),
            executed=executed,
        )
        place = executed[-1] if executed else address
        return replace(trace, program_counter=place), registers

    def _words(self, number: int) -> str:
        return self._cpu.interrupts.get(number, f"exception {number}")

    def _run(
        self,
        start: int,
        until: int,
        *,
        blocks: int,
        seconds: float,
        watch: range | None = None,
        block: range = range(0),
        executed: list[int] | None = None,
    ) -> tuple[Trace, dict[str, int]]:
        """One run; the addresses of instructions of ``block`` are put into ``executed``."""
        # A new engine each time: hooks and the sentinel are built into translated code, and a
        # traced run is rare.
        engine = open_engine(self._cpu, find_model(self._cpu))
        map_memory(engine, self._memory)
        counts: Counter[tuple[int, int]] = Counter()
        last: deque[int] = deque(maxlen=_LAST_BLOCKS)
        entered = 0
        ends = time.monotonic() + seconds
        outcome: dict[str, str] = {}
        refused: list[BadAccess] = []
        stores: dict[int, int] = {}
        watched = watch or range(0)
        traps = ConditionalTraps(self._cpu, self._memory, engine)
        interrupts: list[int] = []
        pc_id = register_id(self._cpu, "pc")

        special = SpecialInstructions(self._cpu, self._memory, ReadingClock().read)
        special.attach(engine)
        record_instructions(engine, self._cpu, self._memory)
        special.begin(until)
        for region in self._memory.regions:
            for page in range(region.address, region.end, PAGE) if region.executable else ():
                special.scan(page)

        def on_block(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            nonlocal entered
            if traps.testing:
                return
            new = (address, size) not in counts
            if new and special.look((address, size), self._memory.view(address, size).tobytes()):
                uc.emu_stop()
                return
            if entered >= blocks:
                outcome.setdefault("exceeded", f"{blocks} blocks")
                uc.emu_stop()
                return
            entered += 1
            counts[address, size] += 1
            last.append(address)
            if entered % _BLOCKS_BETWEEN_CLOCK_READINGS == 0 and time.monotonic() > ends:
                outcome.setdefault("exceeded", f"{seconds} seconds")
                uc.emu_stop()

        def on_bad_access(
            uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
        ) -> bool:
            word, reason = _ACCESS_WORDS[access]
            refused.append(BadAccess(word, reason, address, size))
            return False

        def on_interrupt(uc: unicorn.Uc, number: int, _: object) -> None:
            if not traps.testing:
                outcome.setdefault("interrupt", self._words(number))
                interrupts.append(number)
                uc.emu_stop()

        def on_store(
            uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
        ) -> None:
            program_counter = uc.reg_read(pc_id)
            stored = range(max(address, watched.start), min(address + size, watched.stop))
            stores.update(dict.fromkeys(stored, program_counter))

        general = [register_id(self._cpu, name) for name in self._cpu.general_registers]

        def on_possible_store(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            assert self._cpu.stored is not None
            code = self._memory.view(address, size).tobytes()
            found = self._cpu.stored(code, lambda number: int(uc.reg_read(general[number])))
            stored = range(max(found.start, watched.start), min(found.stop, watched.stop))
            stores.update(dict.fromkeys(stored, address))

        def on_instruction(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
            if executed is not None:
                executed[:] = [address]

        engine.hook_add(unicorn_const.UC_HOOK_BLOCK, on_block)
        if block:
            engine.hook_add(
                unicorn_const.UC_HOOK_CODE, on_instruction, begin=block.start, end=block.stop - 1
            )
        engine.hook_add(unicorn_const.UC_HOOK_MEM_INVALID, on_bad_access)
        engine.hook_add(unicorn_const.UC_HOOK_INTR, on_interrupt)
        if watched and self._cpu.stored is not None:
            engine.hook_add(unicorn_const.UC_HOOK_CODE, on_possible_store)
        elif watched:
            # An access that begins up to 15 bytes below may reach into the range.
            engine.hook_add(
                unicorn_const.UC_HOOK_MEM_WRITE,
                on_store,
                begin=max(watched.start - 15, 0),
                end=watched.stop - 1,
            )

        def on_executed(address: int, size: int) -> None:
            nonlocal entered
            entered += 1
            counts[address, size] += 1

        special.on_executed = on_executed
        further: int | None = start
        stuck = threading.Timer(seconds + watchdog.STUCK_SECONDS, end_stuck_worker)
        stuck.daemon = True
        stuck.start()
        try:
            while further is not None:
                engine.emu_start(further, until)
                if interrupts:
                    number, further = traps.resolve(interrupts.pop(), until)
                    outcome["interrupt"] = self._words(number)
                    if further is not None:
                        del outcome["interrupt"]
                else:
                    further = None if outcome or refused else special.next()
        except unicorn.UcError as error:
            outcome.setdefault("interrupt", "" if refused else str(error))
        finally:
            stuck.cancel()
        program_counter = engine.reg_read(pc_id)
        if outcome.get("interrupt"):
            program_counter -= self._cpu.interrupt_bias
        trace = Trace(
            completed=program_counter == until and not outcome and not refused,
            refused=special.refused,
            blocks=entered,
            block_counts=dict(counts),
            last_blocks=tuple(last),
            program_counter=program_counter,
            interrupt=outcome.get("interrupt", ""),
            bad_access=refused[0] if refused else None,
            exceeded=outcome.get("exceeded", ""),
            stores=stores,
        )
        registers = {
            name: engine.reg_read(register_id(self._cpu, name))
            for name in self._cpu.general_registers
        }
        return trace, registers
