"""Makes batches of calls on another engine; a call that does not return is explained by Unicorn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from emu.machine.calls.batch import Batch, CallTerms, SystemCallPolicy
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.fast_calls import FastCalls
from emu.machine.calls.faults import Fault
from emu.machine.calls.other_engine import EngineRefusal, OtherEngine, StoppedCall
from emu.program import Program


class OtherCalls:
    """Makes batches of calls on another engine than Unicorn.

    Args:
        program: the program, for messages.
        entry: what lays calls into guest memory.
        engine: the engine.
        unicorn: makes calls on Unicorn.
    """

    def __init__(
        self, program: Program, entry: CallEntry, engine: OtherEngine, unicorn: FastCalls
    ) -> None:
        self._program = program
        self._entry = entry
        self._unicorn = unicorn
        self.engine = engine

    def run(self, calls: Calls, terms: CallTerms) -> Batch:
        """Make calls up to the first that does not return; see `Machine.run_batch`.

        Raises:
            EngineRefusal: the program cannot be executed there, for example because it calls the
                operating system or Python.
        """
        if self._entry.callbacks.entries is not None or terms.asking.is_certain:
            raise self._refusal("it calls Python, or the Macintosh Toolbox")
        stopped = self.engine.run(self._entry, calls)
        done = len(calls) if stopped is None else stopped.call
        lost = np.flatnonzero(~self._entry.contract.returned(calls.frames[:done]))
        if len(lost):
            stopped = StoppedCall(int(lost[0]), "came to the call's end, but not by returning")
            done = stopped.call
        fault = None if stopped is None else self._explained(calls, stopped, terms)
        violations = self._entry.contract.violations(
            calls.frames[:done], calls.entry_frames[:done], calls.site
        )
        if done:  # as if the calls had been made in this memory
            self._entry.data.put(calls.after[done - 1])
            self._entry.frame[:] = calls.frames[done - 1]
        self._entry.settle(calls, done)
        return Batch(calls.after[:done], violations, fault)

    def _explained(self, calls: Calls, stopped: StoppedCall, terms: CallTerms) -> Fault:
        """Why a call does not return: what Unicorn says of it, or that the two disagree."""
        row = slice(stopped.call, stopped.call + 1)
        around = calls.surroundings[stopped.call]
        call = self._entry.calls(calls.site, calls.before[row], [around])
        batch = self._unicorn.run(call, replace(terms, asking=SystemCallPolicy.LEFT))
        if batch.asked:
            raise self._refusal("it calls the Macintosh Toolbox")
        here = f"{self.engine.version}: the call {stopped.why}"
        if batch.fault is not None:
            return replace(batch.fault, reason=f"{batch.fault.reason} ({here})")
        broken = "; ".join(batch.violations.get(0, ()))
        disagree = f"the engines disagree: {here}; on unicorn it returns"
        return Fault(
            reason=f"{broken} ({here})" if broken else disagree,
            kind="exception" if broken else "engine",
            location=self._program.locate(calls.site.routine),
            registers={},
            blocks=(),
            entered=0,
        )

    def _refusal(self, why: str) -> EngineRefusal:
        return EngineRefusal(
            f"{self._program.path}: {why}, which {self.engine.version} cannot answer. Use the "
            "engine unicorn"
        )
