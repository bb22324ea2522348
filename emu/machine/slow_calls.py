"""Makes single calls slowly: traced, or with the answers of the operating system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from emu.machine.batch import Asking, Terms
from emu.machine.call_entry import CallEntry
from emu.machine.call_site import CallSite
from emu.machine.checked_calls import CheckedCalls
from emu.machine.cpu import Cpu
from emu.machine.engine import Sought, Trace, TracedEngine, find_infinity
from emu.machine.executed_edges import ExecutedEdges
from emu.machine.faults import Fault, explain_system_calls, explain_trace
from emu.machine.memory import GuestMemory
from emu.machine.new_code import NewCode
from emu.machine.surroundings import PLAIN, Surroundings
from emu.machine.system import System, SystemCalls, SystemMaker
from emu.program import Program


class SlowCalls:
    """Makes one call at a time, to say what it does and why it does not return.

    Args:
        program: the program, for messages.
        cpu: the processor.
        memory: guest memory.
        entry: what writes calls there.
        new_code: where code that is executed for the first time is noted.
        make_system: makes what answers calls of the operating system; without one they are faults.
        edges: where the edges that `make` executes are counted; None if nobody wants to know.
        checked: what notes mistakes with memory; None if nobody wants to know.
    """

    def __init__(
        self,
        program: Program,
        cpu: Cpu,
        memory: GuestMemory,
        entry: CallEntry,
        new_code: NewCode,
        make_system: SystemMaker | None,
        edges: ExecutedEdges | None = None,
        checked: CheckedCalls | None = None,
    ) -> None:
        self._program = program
        self._cpu = cpu
        self._memory = memory
        self._entry = entry
        self._new_code = new_code
        self._traced = TracedEngine(cpu, memory, has_short_addresses=checked is not None)
        self._make_system = make_system
        self._edges = edges
        self._checked = checked
        self.system: System | None = None
        """What answers the operating system, from the first call on that asks for something."""

    @property
    def has_system(self) -> bool:
        """Whether calls of the operating system are answered."""
        return self._make_system is not None

    def trace(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        terms: Terms,
        *,
        watch: range | None = None,
        has_history: bool = False,
        surroundings: Surroundings = PLAIN,
        sought: Sought | None = None,
    ) -> tuple[Trace, dict[str, int]]:
        """Count the blocks of a call and record its stores; see `Machine.trace`."""
        start, until = self._entry.prepare(site, before, surroundings)
        budget = terms.budget
        trace, registers = self._traced.run(
            start,
            until,
            blocks=budget.blocks,
            seconds=budget.seconds,
            watch=watch,
            has_history=has_history,
            entries=self._entry.callbacks.entries,
            sought=sought,
        )
        self._entry.callbacks.raise_error()
        if self.has_system and trace.exception == self._cpu.system_call >= 0:
            called = self._answered(site, before, surroundings, terms, watch or range(0))
            trace = replace(trace, stores=dict(called.stores))
        return trace, registers

    def explain(self, trace: Trace, registers: dict[str, int]) -> Fault | None:
        """Why a traced call did not return; None if it did."""
        return explain_trace(trace, registers, self._program, self._memory)

    def make(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        around: Surroundings,
        terms: Terms,
        *,
        asks: bool,
        was_invalid: bool = False,
        number: int = 0,
    ) -> tuple[Fault | None, SystemCalls | None]:
        """Make a call that did not come back at full speed, or that is not tried so.

        Args:
            site: what is called.
            before: the image to begin with.
            around: what the call finds on the stack and in registers.
            terms: the terms of the call.
            asks: whether it is made with the operating system.
            was_invalid: whether the engine may have taken an infinity for no number.
            number: the index of the call in its batch.

        Returns:
            Why it does not return, if it does not; and what the operating system tells of it.
        """
        if asks and self.has_system:
            called = self._answered(site, before, around, terms, terms.watch, number)
            return explain_system_calls(called, self._program), called
        # It faulted, or the watchdog stopped it. It is run slowly, to say why.
        trace, registers = self.trace(site, before, terms, surroundings=around)
        fault = self.explain(trace, registers)
        if self._edges is not None:
            self._edges.note(trace.edges)
        if fault is None and was_invalid:
            fault = self._infinity(site, before, around, terms, registers)
        if fault is None:
            self._new_code.add(trace.block_counts, self._memory)
        return fault, None

    def _infinity(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        around: Surroundings,
        terms: Terms,
        registers: dict[str, int],
    ) -> Fault | None:
        """Why nothing is known of a call in which a register of the 68881 is infinite, or None."""
        start, until = self._entry.prepare(site, before, around)
        entries = self._entry.callbacks.entries
        place = find_infinity(self._cpu, self._memory, start, until, terms.budget.seconds, entries)
        self._entry.callbacks.raise_error()
        if place is None:
            return None  # the call has been made once more, to its end
        return Fault(
            reason="the engine takes an infinity in a floating-point register for no number (NaN), "
            "so what this call computes is not known",
            kind="engine",
            location=self._program.locate(place),
            registers=registers,
            blocks=(),
            entered=0,
        )

    def _answered(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        terms: Terms,
        watch: range = range(0),
        number: int = 0,
    ) -> SystemCalls:
        """Make one call from its beginning, with the answers of the operating system."""
        start, until = self._entry.prepare(site, before, surroundings)
        if self.system is None:
            assert self._make_system is not None
            self.system = self._make_system(self._cpu, self._program, self._memory, until)
            self._new_code.forgetting.append(self.system.forget_code)
            if self._edges is not None:
                self._edges.watch(self.system.count_edges())
            if self._checked is not None:
                self.system.look_at(self._checked)
        entries = self._entry.callbacks.entries
        called = self.system.run(
            start,
            terms.budget.seconds,
            terms.system,
            watch,
            entries,
            blocks=terms.system.blocks(before),
            environment=surroundings.environment,
            goes_on=terms.asking is Asking.GOES_ON,
            number=number,
        )
        self._entry.callbacks.raise_error()
        self._new_code.add(called.code, self._memory)
        return called
