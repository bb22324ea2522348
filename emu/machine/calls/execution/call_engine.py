"""An engine that runs calls at full speed, and the watchdog that ends what never returns."""

from __future__ import annotations

from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.calls.execution.fresh_stack import FreshStack
from emu.machine.code_coverage.changed_code import CodeChanges
from emu.machine.engine.base.watchdog import Watchdog
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.edges import EdgeCounter
from emu.machine.memory.memory import PAGE

_CHECKED_TAKES = 40  # times as long as a call whose accesses are not looked at, or less


class CallEngine:
    """An engine that runs calls, its watchdog, and its edge counter, if it has one.

    Args:
        entry: writes each call to guest memory and reads its result.
        patience: how long a call may take, in seconds.
        counts: whether it has an edge counter.
        checked: notes mistakes with memory; None notes none.
        has_short_addresses: as for `SlowCalls`.
    """

    def __init__(
        self,
        entry: CallEntry,
        patience: float,
        *,
        counts: bool = False,
        checked: CheckedCalls | None = None,
        has_short_addresses: bool = False,
    ) -> None:
        self._entry = entry
        self.engine = FastEngine(
            entry.cpu,
            entry.memory,
            accesses=None if checked is None else checked.accesses,
            has_short_addresses=has_short_addresses,
        )
        self._checked = checked
        self.watchdog = Watchdog(self.engine.stop, patience)
        self.edges: EdgeCounter | None = self.engine.count_edges() if counts else None
        self._gate = (-1, 0)
        self._stack: FreshStack | None = None

    def run(
        self,
        calls: Calls,
        patience: float,
        *,
        first: int = 0,
        changes: CodeChanges | None = None,
    ) -> int:
        """Make calls up to the last, or up to one that the watchdog may have disturbed.

        This loop is the hot path of macproof: it only copies memory and calls the engine.

        Args:
            calls: the calls; their results are written into the same object.
            patience: how long a call may take, in seconds.
            first: the index of the call to begin with.
            changes: notices that a call executes code which differs from the loaded code.

        Returns:
            The index of the first call whose result cannot be used: it calls the operating
            system, the watchdog may have disturbed it, or the engine may have taken an infinity for
            a NaN. The number of calls if all can be used.
        """
        start, until = self.enter(calls.site.routine)
        pieces = self._entry.data.pieces
        frame, stack = self._entry.frame, self._stack_of_calls()
        stacks = [surrounding.stack for surrounding in calls.surroundings]
        before, after = calls.before, calls.after
        entry_frames, frames = calls.entry_frames, calls.frames
        engine = self.engine
        run = engine.run
        checked, privileged = self._checked, engine.privileged
        privileged.clear()
        self.watchdog.seconds = patience if checked is None else patience * _CHECKED_TAKES
        with self.watchdog as watchdog, stack:
            for index in range(first, len(calls)):
                stack.begin(stacks[index])
                frame[:] = entry_frames[index]
                # All data memory is written and read, whatever the call uses of it: for 20 KiB that
                # takes 1.7 µs, where a hook on stores would send each of them the slow way.
                for part, memory in pieces:
                    memory[:] = before[index, part]
                if checked is not None:
                    checked.begin(calls, index)
                watchdog.calls += 1
                run(start, until)
                if checked is not None:
                    checked.end(calls, index)
                if changes is not None and changes.fresh:
                    changes.end_call(before[index])
                for part, memory in pieces:
                    after[index, part] = memory
                frames[index] = frame
                if privileged:
                    calls.privileged[index] = dict(privileged)
                    privileged.clear()
                if watchdog.barked or engine.called_system or engine.was_invalid:
                    return index
        return len(calls)

    def _stack_of_calls(self) -> FreshStack:
        """The stack of the calls, which is the same each time."""
        entry = self._entry
        if self._stack is None:
            is_told = self.engine.tells_pages and self._checked is None
            self._stack = FreshStack(entry.stack_region, entry.stack, is_told=is_told)
            self.engine.when_touched = self._stack.touch
        if entry.callbacks.entries is not None:
            self._stack.lay_all()
        return self._stack

    def enter(self, routine: int) -> tuple[int, int]:
        """Write the gate to a routine for this engine.

        Returns:
            The addresses at which the engine has to start and to stop.
        """
        entry = self._entry
        start, until = entry.open_gate(routine)
        gate = (routine, entry.callbacks.changes)
        # The engine has translated the old gate and does not notice that Python has replaced it.
        if gate != self._gate:
            self.engine.forget_code(start, PAGE)
            self._gate = gate
        self.engine.call_python(entry.callbacks.entries)
        return start, until
