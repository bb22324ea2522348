"""Makes single calls slowly: traced, or with the answers of the operating system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.call_site import CallSite
from emu.machine.calls.batch import CallTerms, SystemCallPolicy
from emu.machine.calls.call_entry import CallEntry
from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.calls.execution.long_calls import LongCalls
from emu.machine.calls.faults import BUDGET, SLOW, Fault, explain_system_calls, explain_trace
from emu.machine.calls.system import OperatingSystem, SystemCalls, SystemMaker
from emu.machine.code_coverage.executed_edges import ExecutedEdges
from emu.machine.code_coverage.new_code import NewCode
from emu.machine.engine.quirks.infinities import find_infinity
from emu.machine.engine.traced_engine import TracedEngine
from emu.machine.engine.watch.call_stack import StopPoint
from emu.machine.engine.watch.trace import Trace
from emu.machine.memory.surroundings import PLAIN, Surroundings

_BLOCKS_AT_FIRST = 100_000
"""Blocks for which a call is traced before it is known that it needs more."""


class SlowCalls:
    """Makes one call at a time, and reports what it does and why it does not return.

    Args:
        entry: what writes calls to guest memory.
        new_code: collects code that is executed for the first time.
        make_system: makes the operating system that answers calls of it; None makes such calls
            faults.
        edges: counts the edges that `make` executes; None counts none.
        checked: notes mistakes with memory; None notes none.
        has_short_addresses: whether somebody notes addresses with bits that are not put out, so
            that calls with them go on.
    """

    def __init__(
        self,
        entry: CallEntry,
        new_code: NewCode,
        make_system: SystemMaker | None,
        edges: ExecutedEdges | None = None,
        checked: CheckedCalls | None = None,
        has_short_addresses: bool = False,
    ) -> None:
        self._entry = entry
        self._new_code = new_code
        self._long = LongCalls(entry)
        self._traced = TracedEngine(
            entry.cpu, entry.memory, has_short_addresses=has_short_addresses
        )
        self._make_system = make_system
        self._edges = edges
        self._checked = checked
        self.see_computer: Callable[[Any], None] | None = None
        """Is called with each computer that answers calls; see `OperatingSystem.show_computer`."""
        self.system: OperatingSystem | None = None
        """What answers the operating system, from the first call on that asks for something."""
        self.privileged: Mapping[int, str] = {}
        """The instructions that the last call of `make` executed and that are an operating
        system's alone: their titles by their addresses."""

    @property
    def has_system(self) -> bool:
        """Whether calls of the operating system are answered."""
        return self._make_system is not None

    def trace(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        terms: CallTerms,
        *,
        watch: range | None = None,
        has_history: bool = False,
        has_loads: bool = False,
        surroundings: Surroundings = PLAIN,
        sought: StopPoint | None = None,
    ) -> tuple[Trace, dict[str, int]]:
        """Count the blocks of a call and record its stores; see `MachineCalls.trace`."""
        start, until = self._entry.prepare(site, before, surroundings)
        budget = terms.budget
        trace, registers = self._traced.run(
            start,
            until,
            blocks=budget.blocks,
            seconds=budget.seconds,
            watch=watch,
            has_history=has_history,
            has_loads=has_loads,
            entries=self._entry.callbacks.entries,
            sought=sought,
            finds_recurrence=bool(budget.instructions),
        )
        self._entry.callbacks.raise_error()
        if self.has_system and trace.exception == self._entry.cpu.system_call >= 0:
            called = self._answered(site, before, surroundings, terms, watch)
            trace = replace(trace, stores=dict(called.stores))
        return trace, registers

    def explain(self, trace: Trace, registers: dict[str, int]) -> Fault | None:
        """Why a traced call did not return; None if it did."""
        return explain_trace(trace, registers, self._entry.program, self._entry.memory)

    def unlawful(self, executed: Mapping[int, str]) -> tuple[str, ...]:
        """Sentences about privileged instructions that a program executed."""
        return tuple(
            f"it executed {title} at {self._entry.program.locate(address)}, a privileged "
            "instruction, which only an operating system may execute"
            for address, title in sorted(executed.items())
        )

    def make(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        around: Surroundings,
        terms: CallTerms,
        *,
        asks: bool,
        was_invalid: bool = False,
        number: int = 0,
    ) -> tuple[Fault | None, SystemCalls | None]:
        """Make a call that did not return at full speed, or that is not to be tried at full speed.

        Args:
            site: what is called.
            before: the image to begin with.
            around: the contents of the stack and of registers that the call begins with.
            terms: the terms of the call.
            asks: whether it is made with the operating system.
            was_invalid: whether the engine may have taken an infinity for a NaN.
            number: the index of the call in its batch.

        Returns:
            Why it does not return, or None; and how it went with the operating system, or None.
        """
        self.privileged = {}
        if asks and self.has_system:
            called = self._answered(site, before, around, terms, terms.watch, number)
            return explain_system_calls(called, self._entry.program), called
        # It faulted, or the watchdog stopped it. It is run slowly, to say why.
        first = terms
        if terms.budget.instructions:  # a call that needs more of them is run to its end
            blocks = min(terms.budget.blocks, _BLOCKS_AT_FIRST)
            first = replace(terms, budget=replace(terms.budget, blocks=blocks))
        trace, registers = self.trace(site, before, first, surroundings=around)
        fault, self.privileged = self.explain(trace, registers), trace.privileged
        if fault is not None and trace.privileged:
            earlier = "; ".join(self.unlawful(trace.privileged))
            fault = replace(fault, reason=f"{fault.reason}; before that, {earlier}")
        if self._edges is not None:
            self._edges.note(trace.edges)
        is_open = fault is not None and fault.kind == BUDGET and not trace.recurs
        if fault is not None and is_open and terms.budget.instructions:
            fault = self._to_the_end(site, before, around, terms, fault)
        if fault is None and was_invalid:
            fault = self._infinity(site, before, around, terms, registers)
        if fault is None:
            self._new_code.add(trace.block_counts, self._entry.memory)
        return fault, None

    def _to_the_end(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        around: Surroundings,
        terms: CallTerms,
        fault: Fault,
    ) -> Fault | None:
        """Make a call that tracing has given up, as far as its budget of instructions goes.

        Returns:
            None if it returns; else the fault with the number of instructions.
        """
        most = terms.budget.instructions
        done = self._long.make(site, before, around, most)
        self.privileged = done.privileged
        if self._edges is not None:
            self._edges.note(done.edges)
        self._new_code.add((block for _, block in done.edges), self._entry.memory)
        if done.returned:
            return None
        if not done.is_used_up:
            why = self.explain(*self.trace(site, before, terms, surroundings=around))
            if why is not None and why.kind != BUDGET:
                return why
            reason = f"it faulted after {done.instructions:,} instructions, too many to be traced"
            return replace(fault, reason=reason, kind="exception")
        within = f"it did not return within {most:,} instructions"
        if terms.budget.is_stated:
            return replace(fault, reason=within)
        return replace(
            fault,
            reason=f"{within}, which may be too few: give it more with `budget:` in the case or "
            "--budget",
            kind=SLOW,
        )

    def _infinity(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        around: Surroundings,
        terms: CallTerms,
        registers: dict[str, int],
    ) -> Fault | None:
        """Why nothing is known of a call in which a register of the 68881 is infinite, or None."""
        start, until = self._entry.prepare(site, before, around)
        entries = self._entry.callbacks.entries
        place = find_infinity(
            self._entry.cpu, self._entry.memory, start, until, terms.budget.seconds, entries
        )
        self._entry.callbacks.raise_error()
        if place is None:
            return None  # the call has been made once more, to its end
        return Fault(
            reason="the engine takes an infinity in a floating-point register for no number (NaN), "
            "so what this call computes is not known",
            kind="engine",
            location=self._entry.program.locate(place),
            registers=registers,
            blocks=(),
            entered=0,
        )

    def _answered(
        self,
        site: CallSite,
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        terms: CallTerms,
        watch: range | None = None,
        number: int = 0,
    ) -> SystemCalls:
        """Make one call from its beginning, with the answers of the operating system."""
        start, until = self._entry.prepare(site, before, surroundings)
        if self.system is None:
            assert self._make_system is not None
            self.system = self._make_system(
                self._entry.cpu, self._entry.program, self._entry.memory, until
            )
            self._new_code.forgetting.append(self.system.forget_code)
            if self._edges is not None:
                self._edges.watch(self.system.count_edges())
            if self._checked is not None:
                self.system.look_at(self._checked)
        if self.see_computer is not None:
            self.system.show_computer(self.see_computer)
        entries = self._entry.callbacks.entries
        called = self.system.run(
            start,
            terms.budget.seconds,
            terms.system,
            watch,
            entries,
            blocks=terms.system.blocks(before),
            environment=surroundings.environment,
            goes_on=terms.asking is SystemCallPolicy.GOES_ON,
            number=number,
        )
        self._entry.callbacks.raise_error()
        self._new_code.add(called.code, self._entry.memory)
        return called
