"""Counts how often calls go from one block of code to another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError
from emu.machine.calls.batch import CallTerms
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.execution.call_engine import CallEngine
from emu.machine.calls.execution.slow_calls import SlowCalls
from emu.machine.calls.faults import BUDGET, GuestFault
from emu.machine.code_coverage.changed_code import find_changing_code


class CountedCalls:
    """Makes calls in an engine that counts, which is built when it is first needed.

    Args:
        entry: what writes calls to guest memory.
        slow: what says why a call does not return.
    """

    def __init__(self, entry: CallEntry, slow: SlowCalls) -> None:
        self._entry = entry
        self._slow = slow
        self._runner: CallEngine | None = None

    def count(self, calls: Calls, terms: CallTerms) -> NDArray[np.void]:
        """Make calls and count edges between blocks; see `MachineCalls.count`."""
        patience = terms.budget.patience
        while True:
            if self._runner is None:
                self._runner = CallEngine(self._entry, terms.budget.patience, counts=True)
            edges = self._runner.edges
            assert edges is not None
            edges.clear()
            tried = self._runner.run(calls, patience)
            self._entry.callbacks.raise_error()
            stopped = np.flatnonzero(~self._entry.contract.returned(calls.frames[:tried]))
            place = int(stopped[0]) if len(stopped) else tried
            if place == len(calls):
                break
            if self._slow.has_system and self._runner.engine.called_system:
                raise GuestError("what calls the operating system is not counted")
            self._runner = None  # its engine may not have survived
            fault = self._slow.explain(*self._slow.trace(calls.site, calls.before[place], terms))
            is_long = terms.budget.instructions and fault is not None and fault.kind == BUDGET
            if fault is not None and not is_long:
                raise GuestFault(str(self._entry.program.locate(calls.site.routine)), fault)
            # The call does return, but was stopped too early. Its partial counts are of no use.
            if patience > terms.budget.seconds:
                raise GuestError(f"a call that is counted took more than {patience:g} seconds")
            patience *= 4
        records = edges.edges()
        self.refuse_changing_code(records, calls)
        return records

    def refuse_changing_code(self, records: NDArray[np.void], calls: Calls) -> None:
        """Refuse calls of a program that changes its own code.

        Args:
            records: `emu.machine.engine.watch.edges.EDGE` records of what some of them executed.
            calls: the calls.

        Raises:
            GuestError: code that was executed differs between two calls, or was changed by one.
        """
        changing = find_changing_code(
            records, self._entry.memory, self._entry.data, calls.before, calls.after
        )
        if changing is not None:
            raise GuestError(
                f"the program changes its own code at {self._entry.program.locate(changing)}; "
                "counts of what is at an address would say nothing"
            )
