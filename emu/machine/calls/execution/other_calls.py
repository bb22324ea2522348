"""Makes batches of calls on another engine; a call that does not return is explained by Unicorn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.batch import Batch, CallTerms, SystemCallPolicy
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.execution.counted_calls import CountedCalls
from emu.machine.calls.execution.fast_calls import FastCalls
from emu.machine.calls.faults import Fault
from emu.machine.calls.other_engine import EngineRefusal, OtherEngine, StoppedCall
from emu.machine.code_coverage.edges_of_calls import edges_together
from emu.machine.code_coverage.executed_edges import ExecutedEdges
from emu.machine.code_coverage.new_code import NewCode
from emu.machine.engine.watch.edges import EDGE, Block


class OtherCalls:
    """Makes batches of calls on another engine than Unicorn.

    Args:
        entry: what writes calls to guest memory.
        engine: the engine.
        unicorn: makes calls on Unicorn.
        counted: makes calls there, and counts what they execute.
        new_code: collects the code that calls execute for the first time.
        executed: collects the edges that they take; None if nobody asks.
    """

    def __init__(
        self,
        entry: CallEntry,
        engine: OtherEngine,
        unicorn: FastCalls,
        counted: CountedCalls,
        new_code: NewCode,
        executed: ExecutedEdges | None,
    ) -> None:
        self._executed = executed
        self._new_code = new_code
        self._told: set[Block] = set()
        new_code.forgetting.append(self._tell_again)
        self._entry = entry
        self._unicorn = unicorn
        self._counted = counted
        self.engine = engine

    def close(self) -> None:
        """Free the engine, and let go of Unicorn; no call can be made any more."""
        self.engine.close()
        del self._unicorn, self._counted

    def run(self, calls: Calls, terms: CallTerms) -> Batch:
        """Make calls up to the first that does not return; see `MachineCalls.run`.

        Raises:
            EngineRefusal: the program cannot be executed there, for example because it calls the
                operating system or Python.
        """
        if self._entry.callbacks.entries is not None or terms.asking.is_certain:
            why = "calls of Python, or of the Macintosh Toolbox"
            if self.engine.drops_calls:
                every = dict.fromkeys(range(len(calls)), why)
                return Batch(calls.after, {}, None, untranslated=every)
            if self.engine.leaves_calls:
                batch = self._unicorn.run(calls, terms)
                return replace(batch, untranslated=dict.fromkeys(range(batch.completed), why))
            raise self._refusal("it calls Python, or the Macintosh Toolbox")
        stopped = self.engine.run(self._entry, calls)
        self._tell(self.engine.take_reached())
        done = len(calls) if stopped is None else stopped.call
        has_returned = self._entry.contract.returned(calls.frames[:done])
        has_returned[[row for row in calls.left if row < done]] = True  # when they are made
        lost = np.flatnonzero(~has_returned)
        why = "came to the call's end, but not by returning"
        if self.engine.leaves_calls:
            calls.left.update(dict.fromkeys(map(int, lost), f"the call {why}"))
        elif len(lost):
            stopped = StoppedCall(int(lost[0]), why)
            done = stopped.call
        fault = None if stopped is None else self._explained(calls, stopped, terms)
        left = np.array(sorted(row for row in calls.left if row < done), np.intp)
        if len(left) and self.engine.drops_calls:
            untouched = calls.entry_frames[left]
            calls.frames[left] = self._entry.contract.expected_frames(untouched, calls.site)
            violations = self._settled(calls, done)
            batch = Batch(calls.after[:done], violations, fault, untranslated=calls.left)
        elif len(left):
            batch = self._with_left(calls, left, done, fault, terms)
        else:
            batch = Batch(calls.after[:done], self._settled(calls, done), fault)
        if self._executed is not None:
            self._executed.add(edges_together(calls.edges, batch.completed, calls.left))
        return replace(batch, edges=tuple(calls.edges))

    def count(self, calls: Calls, terms: CallTerms) -> NDArray[np.void]:
        """Make calls and count edges between blocks; see `MachineCalls.count`.

        Unicorn counts calls that the engine does not count, or that do not return there.
        """
        counted = np.zeros(len(calls), np.bool_)
        if self.engine.counts_edges and self._entry.callbacks.entries is None:
            self.engine.run(self._entry, calls)
            for some in calls.edges:
                counted[some.rows] = True
            counted &= self._entry.contract.returned(calls.frames)
            counted[list(calls.left)] = False
        left = np.flatnonzero(~counted)
        edges = edges_together(calls.edges, len(calls), left)
        records = np.array([(*edge, count) for edge, count in edges.items()], EDGE)
        if not len(left):
            return records
        others = self._entry.calls(calls.site, calls.before[left])
        more = self._counted.count(others, terms)
        calls.after[left] = others.after
        self._counted.refuse_changing_code(more, calls)  # among all calls, not these alone
        return np.concatenate([records, more])

    def _tell(self, reached: frozenset[Block]) -> None:
        """Tell of code that the engine has executed, once."""
        new = reached - self._told
        if new:
            self._new_code.add(new, self._entry.memory)
            self._told |= new

    def _tell_again(self, address: int, size: int) -> None:
        self._told.discard((address, size))

    def _settled(self, calls: Calls, done: int) -> dict[int, tuple[str, ...]]:
        """Finish calls as if they had been made in this memory; the rules that they have broken."""
        violations = self._entry.contract.violations(
            calls.frames[:done], calls.entry_frames[:done], calls.site
        )
        if done:
            self._entry.data.put(calls.after[done - 1])
            self._entry.frame[:] = calls.frames[done - 1]
        self._entry.settle(calls, done)
        return violations

    def _with_left(
        self,
        calls: Calls,
        left: NDArray[np.intp],
        done: int,
        fault: Fault | None,
        terms: CallTerms,
    ) -> Batch:
        """The batch of all calls, after Unicorn has made those that the engine has left to it.

        Args:
            calls: the calls.
            left: those that are left, in order.
            done: how many calls there are up to the first that did not return on the engine.
            fault: why that one did not.
            terms: what holds for all calls.
        """
        around = [calls.surroundings[row] for row in left]
        others = self._entry.calls(calls.site, calls.before[left], around)
        batch = self._unicorn.run(others, terms)
        returned = left[: batch.completed]
        if batch.fault is not None:
            done, fault = int(left[batch.completed]), batch.fault
        calls.frames[returned] = others.frames[: batch.completed]
        calls.after[returned] = batch.after
        kept = self._entry.data.copy() if batch.fault is not None else None
        violations = self._settled(calls, done)
        if kept is not None:
            self._entry.data.put(kept)  # the memory of the call that did not return
        calls.after[returned] = batch.after  # with what the operating system has answered
        for row in left:
            violations.pop(int(row), None)
        violations.update((int(left[place]), broken) for place, broken in batch.violations.items())
        return replace(
            batch,
            after=calls.after[:done],
            violations=violations,
            fault=fault,
            asked=tuple(int(left[place]) for place in batch.asked),
            left={int(left[place]): what for place, what in batch.left.items()},
            traced=tuple(int(left[place]) for place in batch.traced),
            untranslated={int(row): calls.left[int(row)] for row in returned},
        )

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
            location=self._entry.program.locate(calls.site.routine),
            registers={},
            blocks=(),
            entered=0,
        )

    def _refusal(self, why: str) -> EngineRefusal:
        return EngineRefusal(
            f"{self._entry.program.path}: {why}, which {self.engine.version} cannot answer. Use "
            "the engine unicorn"
        )
