"""Runs one call slowly and records what it does."""

from __future__ import annotations

from dataclasses import replace

from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.engine.quirks.recurrence import Recurrence
from emu.machine.engine.traced_run import TracedRun
from emu.machine.engine.watch.call_stack import StopPoint
from emu.machine.engine.watch.trace import Trace
from emu.machine.memory.memory import GuestMemory


class TracedEngine:
    """Runs one call slowly and records what it does.

    Args:
        cpu: the processor.
        memory: the guest memory.
        has_short_addresses: whether the bits of addresses are ignored that the processor does not
            put out. Otherwise an address that has one of them is a fault.
    """

    def __init__(self, cpu: Cpu, memory: GuestMemory, *, has_short_addresses: bool = False) -> None:
        self._cpu = cpu
        self._memory = memory
        self._has_short_addresses = has_short_addresses

    def run(
        self,
        start: int,
        until: int,
        *,
        blocks: int,
        seconds: float,
        watch: range | None = None,
        has_history: bool = False,
        has_loads: bool = False,
        entries: Entries | None = None,
        sought: StopPoint | None = None,
        finds_recurrence: bool = False,
    ) -> tuple[Trace, dict[str, int]]:
        """Run from one address to another, within a budget.

        Some engines do not tell where an exception happened. Then the call is run again on the same
        memory, with a hook on every instruction of the last block.

        Args:
            start: where to begin.
            until: the sentinel.
            blocks: how many blocks may be entered.
            seconds: how long it may take, in seconds of processor time.
            watch: guest addresses whose stores are to be recorded.
            has_history: whether every single store to them is kept, with the registers.
            has_loads: whether it is recorded which of them are read before they are stored to.
            entries: where guest code calls Python; None if it does not.
            sought: the access at which it stops, to say who has called that code.
            finds_recurrence: whether a call is ended that comes back to a state in which it was.
                Code that calls Python is not, since Python has a state, too.

        Returns:
            The record, and the general registers as they were at the end. The status register is
            not among them, because reading it changes it.
        """
        before = self._memory.buffer.copy() if self._cpu.loses_fault_address else None
        run = TracedRun(self._cpu, self._memory, blocks, seconds, entries)
        if self._has_short_addresses:
            run.shorten_addresses()
        if watch:
            run.watch(watch, has_history=has_history)
            if has_loads:
                run.watch_loads()
        if sought is not None:
            run.seek(sought)
        if finds_recurrence and entries is None:
            run.recurrence = Recurrence(self._memory)
        trace = run.run(start, until)
        if before is None or not trace.last_blocks or not _is_at_an_access(trace):
            return trace, run.registers()
        address = trace.last_blocks[-1]
        size = max(size for at, size in trace.block_counts if at == address)
        self._memory.buffer[:] = before
        again = TracedRun(self._cpu, self._memory, blocks, seconds, entries)
        again.note_instructions(range(address, address + size))
        again.run(start, until)
        place = address if again.instruction is None else again.instruction
        return replace(trace, program_counter=place), run.registers()


def _is_at_an_access(trace: Trace) -> bool:
    """Whether an instruction ended a run, and not a fetch or the budget."""
    refused = trace.bad_access is not None and trace.bad_access.access != "fetch"
    return bool(trace.interrupt) or refused
