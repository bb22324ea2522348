"""Finds out whether a call executes changed code that a real processor's caches might hide.

A program that changes its code must empty the caches afterwards. If it does not, a real processor
may still execute the old code.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from dataclasses import dataclass

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import CacheEffect, Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.base.models import find_model, map_memory, open_engine, register_id
from emu.machine.memory.memory import GuestMemory, MemoryRegion


@dataclass(frozen=True, slots=True)
class StaleCode:
    """Code that was changed and executed without emptying the caches in between.

    Attributes:
        address: the first changed word of the block that was executed.
        writer: the instruction that changed it. It is -1 if it was not found, because the call took
            too long or has an instruction that the engine must not execute.
    """

    address: int
    writer: int


def find_stale_code(
    cpu: Cpu,
    memory: GuestMemory,
    start: int,
    until: int,
    seconds: float,
    entries: Entries | None = None,
) -> StaleCode | None:
    """Run a call on memory that is prepared for it, and find the first stale code that it executes.

    A store stays in the data cache until an instruction writes that cache back to memory. After
    that, the old code stays in the instruction cache until an instruction empties that cache. Every
    such instruction counts for the whole cache, whatever lines it names. Such instructions are not
    noticed in code that the call has written itself.

    Returns:
        The stale code; None if there is none, or if the processor has no cache.
    """
    if cpu.cache_effect is None:
        return None
    run = _Run(cpu, memory, time.process_time() + seconds)
    if entries is not None:
        run.call_python(entries)
    return run.run(start, until)


class _Run:
    def __init__(self, cpu: Cpu, memory: GuestMemory, ends: float) -> None:
        self._memory = memory
        self._ends = ends
        self._cached: dict[int, int] = {}  # by address of a store: the instruction that stored
        self._in_memory: dict[int, int] = {}
        self._found: StaleCode | None = None
        self._engine = open_engine(cpu, find_model(cpu))
        self._pc = register_id(cpu, "pc")
        self._unit = len(cpu.no_operation)
        map_memory(self._engine, memory)
        self._changing = [r for r in memory.regions if r.writable and r.executable]
        self._before = {r.address: memory.view(r.address, r.size).copy() for r in self._changing}
        add = self._engine.hook_add
        for region in self._changing:
            reach = (region.address, region.end - 1)
            add(unicorn_const.UC_HOOK_MEM_WRITE, self._on_store, None, *reach)
            add(unicorn_const.UC_HOOK_BLOCK, self._on_block, region, *reach)
        for address, effect in _cache_instructions(cpu, memory):
            add(unicorn_const.UC_HOOK_CODE, self._on_cache, effect, address, address)
        for region in memory.regions:
            if region.executable:
                code = memory.view(region.address, region.size).tobytes()
                for offset, instruction in cpu.special(code).items():
                    if not instruction.by_engine:
                        at = region.address + offset
                        add(unicorn_const.UC_HOOK_CODE, self._give_up, None, at, at)
        add(unicorn_const.UC_HOOK_INTR, lambda uc, number, _: uc.emu_stop())

    def call_python(self, entries: Entries) -> None:
        """Let guest code call Python at some addresses."""
        entries.attach(self._engine, self._engine.emu_stop)

    def run(self, start: int, until: int) -> StaleCode | None:
        # A fault ends the run, but stale code that was executed before it counts.
        with contextlib.suppress(unicorn.UcError):
            self._engine.emu_start(start, until)
        return self._found

    def _on_store(
        self, uc: unicorn.Uc, access: int, address: int, size: int, value: int, _: object
    ) -> None:
        writer = uc.reg_read(self._pc)
        for at in range(address, address + size):
            self._cached[at] = writer
            self._in_memory.pop(at, None)

    def _on_cache(self, uc: unicorn.Uc, address: int, size: int, effect: CacheEffect) -> None:
        if effect.stores:
            self._in_memory |= self._cached
            self._cached.clear()
        if effect.invalidates:
            self._in_memory.clear()

    def _on_block(self, uc: unicorn.Uc, address: int, size: int, region: MemoryRegion) -> None:
        code = self._memory.view(address, size)
        start = address - region.address
        changed = code != self._before[region.address][start : start + size]
        for offset in changed.nonzero()[0].tolist():
            writer = self._cached.get(address + offset, self._in_memory.get(address + offset))
            if writer is not None:
                self._found = StaleCode(address + offset - offset % self._unit, writer)
                uc.emu_stop()
                return
        if time.process_time() > self._ends:
            self._give_up(uc, address, size, None)

    def _give_up(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        self._found = StaleCode(address, -1)
        uc.emu_stop()


def _cache_instructions(cpu: Cpu, memory: GuestMemory) -> Iterable[tuple[int, CacheEffect]]:
    """Every address in executable memory whose bytes look like an instruction for the caches."""
    assert cpu.cache_effect is not None
    unit = len(cpu.no_operation)
    for region in memory.regions:
        if not region.executable:
            continue
        words = memory.view(region.address, region.size).view(f">u{unit}")
        for index in range(len(words)):
            effect = cpu.cache_effect(int(words[index]))
            if effect is not None:
                yield region.address + index * unit, effect
