"""Makes batches of calls at full speed; a call that does not return is made again slowly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.batch import Batch, CallTerms, SystemCallPolicy
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.execution.call_engine import CallEngine
from emu.machine.calls.execution.slow_calls import SlowCalls
from emu.machine.calls.faults import Fault
from emu.machine.calls.system import SystemCalls
from emu.machine.code_coverage.changed_code import CodeChanges
from emu.machine.engine.quirks.stale_code import StaleCode, find_stale_code

_MOST_SLACK = 16
"""How many times longer than `Budget.patience` a call may take after others were slow and right."""

Reader = Callable[[int, int], bytes | None]
WhenAnswered = Callable[[NDArray[np.uint8], SystemCalls, Reader], None]
"""Gets the image after a call, what the operating system says of it, and `OperatingSystem.read`."""


@dataclass(slots=True)
class _Progress:
    """What is known of the calls of a batch that were made so far.

    Attributes:
        fault: why the last one did not return.
        answered: what a system has done in calls, by the numbers of these.
        omitted: the numbers of calls that ask a system, which somebody else makes.
        traced: the numbers of calls that were made again slowly, without a system.
    """

    fault: Fault | None = None
    answered: dict[int, SystemCalls] = field(default_factory=dict)
    omitted: list[int] = field(default_factory=list)
    traced: list[int] = field(default_factory=list)


class FastCalls:
    """Makes batches of calls.

    Args:
        entry: what writes calls to guest memory, in which the program is loaded.
        runner: the engine, which has not run yet.
        slow: makes a single call again, slowly.
    """

    def __init__(self, entry: CallEntry, runner: CallEngine, slow: SlowCalls) -> None:
        self._entry = entry
        self._runner = runner
        self._slow = slow
        self._changes = CodeChanges(runner.engine, entry.memory)
        self._slack = 1
        self._listened: dict[int, NDArray[np.uint8]] = {}
        self.when_answered: WhenAnswered | None = None
        """What is told of each call that the operating system has answered."""

    def run(self, calls: Calls, terms: CallTerms) -> Batch:
        """Make calls up to the first that does not return; see `MachineCalls.run`."""
        asking = terms.asking
        engine = self._runner.engine
        progress = _Progress()
        done = 0
        while done < len(calls) and progress.fault is None:
            asks, noticed = asking.is_certain, False
            if not asks:
                done, noticed = self._at_full_speed(calls, terms, done)
                asks = noticed and engine.called_system
            if done == len(calls):
                break
            if asks and asking is SystemCallPolicy.LEFT and self._slow.has_system:
                progress.omitted.append(done)
                calls.frames[done] = calls.entry_frames[done]
                done += 1
                continue
            progress.fault, answered = self._slow.make(
                calls.site,
                calls.before[done],
                calls.surroundings[done],
                terms,
                asks=asks,
                was_invalid=noticed and engine.was_invalid,
                number=done,
            )
            if answered is not None:
                progress.answered[done] = answered
            calls.privileged[done] = self._slow.privileged
            if progress.fault is None:
                if answered is None:
                    progress.traced.append(done)
                if terms.budget.instructions and not noticed and answered is None:
                    # It is slow and right, and so may the others be: fewer of them run twice.
                    self._slack = min(4 * self._slack, _MOST_SLACK)
                self._keep(calls, done, answered)
                done += 1
        return self._batch(calls, terms, done, progress)

    def _batch(self, calls: Calls, terms: CallTerms, done: int, progress: _Progress) -> Batch:
        """What the calls that were made have done; see `MachineCalls.run`."""
        answered_calls = progress.answered
        violations = self._violations(calls, done, answered_calls)
        self._entry.settle(calls, done)
        for call, image in self._listened.items():
            calls.after[call] = image
        self._listened.clear()
        for call in progress.omitted:
            violations.pop(call, None)
            calls.after[call] = calls.before[call]
        return Batch(
            calls.after[:done],
            violations,
            progress.fault,
            self._stale(calls, terms),
            asked=(*progress.omitted, *answered_calls),
            stores={
                place: by
                for system_calls in answered_calls.values()
                for place, by in system_calls.stores.items()
            },
            left={
                call: system_calls.left
                for call, system_calls in answered_calls.items()
                if system_calls.left
            },
            traced=tuple(progress.traced),
            strays=tuple(
                stray for system_calls in answered_calls.values() for stray in system_calls.strays
            ),
        )

    def _violations(
        self, calls: Calls, done: int, answered_calls: Mapping[int, SystemCalls]
    ) -> dict[int, tuple[str, ...]]:
        """The rules that calls have broken: of the contract, of the system, and of its privileges.

        Args:
            calls: the calls.
            done: how many of them have returned.
            answered_calls: what the operating system tells of calls, by their index.
        """
        frames, entry_frames = calls.frames[:done], calls.entry_frames[:done]
        violations = self._entry.contract.violations(frames, entry_frames, calls.site)
        for call, answered in answered_calls.items():
            if answered.mistakes:
                violations[call] = (*violations.get(call, ()), *answered.mistakes)
        for call, executed in calls.privileged.items():
            if executed and call < done:
                violations[call] = (*violations.get(call, ()), *self._slow.unlawful(executed))
        return violations

    def _at_full_speed(self, calls: Calls, terms: CallTerms, first: int) -> tuple[int, bool]:
        """Make calls from the first one on.

        Returns:
            The index of the first that has not returned, or how many there are; and whether the
            engine has noticed something of it, such as that it calls the operating system.
        """
        tried = self._runner.run(
            calls,
            terms.budget.patience * self._slack,
            first=first,
            changes=self._changes,
        )
        self._entry.callbacks.raise_error()
        stopped = np.flatnonzero(~self._entry.contract.returned(calls.frames[first:tried]))
        return (first + int(stopped[0]), False) if len(stopped) else (tried, True)

    def _keep(self, calls: Calls, call: int, answered: SystemCalls | None) -> None:
        """Keep what a call has left that was made slowly."""
        calls.after[call] = self._entry.data.copy()
        calls.frames[call] = self._entry.frame
        if answered and self.when_answered is not None and self._slow.system is not None:
            self._entry.settle(calls, call + 1)  # so that the image has the result
            self.when_answered(calls.after[call], answered, self._slow.system.read)
            self._listened[call] = calls.after[call].copy()

    def _stale(self, calls: Calls, terms: CallTerms) -> StaleCode | None:
        """The first stale code that calls of the batch have executed, or None."""
        changed = self._changes.take()
        if self._entry.cpu.cache_effect is None:
            return None  # and what the last call has left stays in memory
        for call in changed:
            offset = self._entry.data.offset(call.address)
            if call.before[offset : offset + len(call.code)].tobytes() == call.code:
                continue  # the image already had this code, so the call did not change it
            way = self._entry.prepare(calls.site, call.before)
            stale = find_stale_code(
                self._entry.cpu,
                self._entry.memory,
                *way,
                terms.budget.seconds,
                self._entry.callbacks.entries,
            )
            if stale is not None:
                return stale
        return None
