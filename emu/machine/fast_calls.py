"""Makes batches of calls at full speed, and each call slowly that does not come back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from emu.machine.batch import Batch, Terms
from emu.machine.call_engine import CallEngine
from emu.machine.call_entry import CallEntry, Calls
from emu.machine.changed_code import CodeChanges
from emu.machine.cpu import Cpu
from emu.machine.engine import StaleCode, find_stale_code
from emu.machine.faults import Fault
from emu.machine.memory import GuestMemory
from emu.machine.slow_calls import SlowCalls

WhenAnswered = Callable[[NDArray[np.uint8], Callable[[int, int], bytes | None]], None]
"""Gets the image after a call, and what reads memory of the operating system (`System.read`)."""


class FastCalls:
    """Makes batches of calls.

    Args:
        cpu: the processor.
        memory: guest memory with the program loaded.
        entry: what writes calls there.
        runner: the engine, which has not run yet.
        slow: what makes single calls again.
    """

    def __init__(
        self, cpu: Cpu, memory: GuestMemory, entry: CallEntry, runner: CallEngine, slow: SlowCalls
    ) -> None:
        self._cpu = cpu
        self._memory = memory
        self._entry = entry
        self._runner = runner
        self._slow = slow
        self._changes = CodeChanges(runner.engine, memory)
        self.when_answered: WhenAnswered | None = None
        """What is told of each call that the operating system has answered."""

    def run(self, calls: Calls, terms: Terms) -> Batch:
        """Make calls up to the first that does not return; see `Machine.run_batch`."""
        entry, contract = self._entry, self._entry.contract
        fault: Fault | None = None
        mistakes: dict[int, tuple[str, ...]] = {}
        done = 0
        while done < len(calls) and fault is None:
            tried = self._runner.run(
                entry, calls, terms.budget.patience, first=done, changes=self._changes
            )
            entry.callbacks.raise_error()
            stopped = np.flatnonzero(~contract.returned(calls.frames[done:tried]))
            asks = self._runner.engine.called_system and not len(stopped)
            done = done + int(stopped[0]) if len(stopped) else tried
            if done == len(calls):
                break
            fault, wrong = self._slow.make_again(
                calls.site,
                calls.before[done],
                calls.surroundings[done],
                terms,
                asks=asks,
                was_invalid=self._runner.engine.was_invalid and not len(stopped),
            )
            if wrong:
                mistakes[done] = wrong
            if fault is None:
                calls.after[done] = entry.data.copy()
                calls.frames[done] = entry.frame
                if asks and self.when_answered is not None and self._slow.system is not None:
                    entry.settle(calls, done + 1)  # so that the image has the result
                    self.when_answered(calls.after[done], self._slow.system.read)
                done += 1
        violations = contract.violations(calls.frames[:done], calls.entry_frames[:done], calls.site)
        for call, sentences in mistakes.items():
            violations[call] = (*violations.get(call, ()), *sentences)
        entry.settle(calls, done)
        return Batch(calls.after[:done], violations, fault, self._stale(calls, terms))

    def _stale(self, calls: Calls, terms: Terms) -> StaleCode | None:
        """The first stale code that calls of the batch have executed, or None."""
        for call in self._changes.take():
            offset = self._entry.data.offset(call.address)
            if call.before[offset : offset + len(call.code)].tobytes() == call.code:
                continue  # the image already had this code, so the call did not change it
            way = self._entry.prepare(calls.site, call.before)
            stale = find_stale_code(
                self._cpu,
                self._memory,
                *way,
                terms.budget.seconds,
                self._entry.callbacks.entries,
            )
            if stale is not None:
                return stale
        return None
