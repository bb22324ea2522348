"""The calls of a machine: batches on many images, and single calls that are watched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.call_site import CallSite
from emu.machine.calls.batch import Batch, Budget, CallTerms, SystemCallPolicy
from emu.machine.calls.call_entry import CallEntry
from emu.machine.calls.call_screen import CallScreen
from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.calls.execution.call_engine import CallEngine
from emu.machine.calls.execution.counted_calls import CountedCalls
from emu.machine.calls.execution.fast_calls import FastCalls, WhenAnswered
from emu.machine.calls.execution.other_calls import OtherCalls
from emu.machine.calls.execution.slow_calls import SlowCalls
from emu.machine.calls.other_engine import OtherEngine
from emu.machine.calls.system import SystemMaker, SystemTerms
from emu.machine.code_coverage.executed_edges import ExecutedEdges
from emu.machine.code_coverage.new_code import NewCode
from emu.machine.engine.base.models import describe_engine
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.call_stack import StopPoint
from emu.machine.engine.watch.trace import Trace
from emu.machine.memory.surroundings import PLAIN, Surroundings


class MachineCalls:
    """Makes calls of a machine's routines, each on an image of the data memory.

    Args:
        entry: what writes calls to guest memory, in which the program is loaded.
        budget: the limits of a call.
        system: makes the operating system that answers calls of it; None makes such calls faults.
        covers: whether edges are counted.
        checked: notes mistakes with memory; None notes none.
        has_short_addresses: as for `SlowCalls`.

    Attributes:
        budget: as above.
        system_terms: the state of the operating system that calls find.
        checked: as above.
        screen: looks at the accesses of calls in another way; None looks at none.
        new_code: collects the code that calls execute for the first time.
        executed_edges: counts the edges that calls execute; None counts none.
    """

    def __init__(
        self,
        entry: CallEntry,
        budget: Budget,
        system: SystemMaker | None,
        *,
        covers: bool,
        checked: CheckedCalls | None,
        has_short_addresses: bool,
    ) -> None:
        self.budget = budget
        self.system_terms = SystemTerms()
        self.checked = checked
        self.screen: CallScreen | None = None
        self._entry = entry
        self._runner = runner = CallEngine(
            entry,
            budget.patience,
            counts=covers,
            checked=checked,
            has_short_addresses=has_short_addresses,
        )
        gate = entry.gate
        self.new_code = NewCode(runner.engine, gate)
        self.executed_edges = ExecutedEdges(range(gate.address, gate.end)) if covers else None
        if self.executed_edges is not None and runner.edges is not None:
            self.executed_edges.watch(runner.edges)
        self._slow = SlowCalls(
            entry, self.new_code, system, self.executed_edges, checked, has_short_addresses
        )
        self._fast = FastCalls(entry, runner, self._slow)
        self._counted = CountedCalls(entry, self._slow)
        self._other: OtherCalls | None = None

    def use(self, engine: OtherEngine) -> None:
        """Have another engine make the calls of `run` and `count` from now on."""
        self._other = OtherCalls(
            self._entry, engine, self._fast, self._counted, self.new_code, self.executed_edges
        )

    def close(self) -> None:
        """Free the engines and their memory of translated code."""
        self._entry.close()
        if self._other is not None:
            self._other.close()
        del self._runner, self._slow, self._fast, self._counted, self.new_code

    @property
    def engine(self) -> str:
        """Name and version of the engine that makes the calls of `run`."""
        return describe_engine() if self._other is None else self._other.engine.version

    @property
    def leaves_calls(self) -> bool:
        """Whether that engine leaves some calls to Unicorn; `Batch.untranslated` tells them."""
        return self._other is not None and self._other.engine.leaves_calls

    def number(self, numbers: NDArray[np.int64] | None) -> None:
        """Give numbers to the calls of the next batches, for whatever looks at their accesses.

        Args:
            numbers: the number of each call; None for 0, 1, 2 and so on.
        """
        if self.checked is not None:
            self.checked.numbers = numbers
        if self.screen is not None:
            self.screen.numbers = numbers

    def begin_system(self) -> None:
        """Let the operating system's present state count as its state before the next calls."""
        if self._slow.system is not None:
            self._slow.system.begin()

    def tell_of_answered(self, listener: WhenAnswered) -> None:
        """Have a function called after each call that is made with the operating system.

        Memory that the system gave the call can be read until the next call.
        """
        self._fast.when_answered = listener

    def show_computer(self, see: Callable[[Any], None]) -> None:
        """Have a function called with each computer on which calls are answered, from now on.

        It is called before the computer makes a call, such as with a `Macintosh`.
        """
        self._slow.see_computer = see

    def run(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        surroundings: Sequence[Surroundings] | None = None,
        *,
        asking: SystemCallPolicy = SystemCallPolicy.ANSWERED,
        watch: range | None = None,
    ) -> Batch:
        """Call a routine once on each of many images, at full speed.

        Args:
            routine: its address, or a call site that says how it gets its arguments.
            before: (calls, image size) uint8, the data image to begin each call with. It holds the
                record of the arguments, if the call site has an address.
            surroundings: the contents of stack and registers that each call begins with; by default
                `PLAIN`.
            asking: what is done with calls that call the operating system.
            watch: guest addresses. For calls that are made with the operating system,
                `Batch.stores` says which instruction stored to them last, and `Batch.strays` lists
                stray accesses. None watches nothing, which is faster.

        Returns:
            The images afterwards, up to the first call that did not return. The result of each
            call is in the record of its image.

        Raises:
            UsageError: the machine is closed, or another thread has called a routine of it before.
        """
        calls = self._entry.calls(routine, before, surroundings)
        runner = self._other or self._fast
        batch = runner.run(calls, replace(self._terms(), asking=asking, watch=watch))
        if self.screen is not None and self.screen.is_looking:
            self.screen.look(self._entry, calls, batch)
        return batch

    def count(self, routine: int | CallSite, before: NDArray[np.uint8]) -> NDArray[np.void]:
        """Make the calls of `run` once more, and count edges between blocks.

        Returns:
            `emu.machine.engine.watch.edges.EDGE` records of all calls, perhaps with the gate's.

        Raises:
            GuestFault: a call faulted or used up its budget.
            GuestError: the program changes its own code.
            ToolMissingError: llvmlite is not installed.
        """
        counted = self._other or self._counted
        return counted.count(self._entry.calls(routine, before), self._terms())

    def trace(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        *,
        watch: range | None = None,
        has_history: bool = False,
        has_loads: bool = False,
        surroundings: Surroundings = PLAIN,
        sought: StopPoint | None = None,
    ) -> tuple[Trace, dict[str, int]]:
        """Make one call slowly: count its blocks, and record its stores to ``watch``.

        With ``has_history`` every single store is in `Trace.history`, if the engine tells of it;
        with ``has_loads``, `Trace.loads` has what is read before anything is stored there.
        With ``sought`` it ends at that access to memory, and `Trace.callers` says who called.

        Afterwards guest memory is as the call left it. Of a call that calls the operating system,
        the record is of the code up to there, but the stores are those of the whole call.
        """
        site = self._entry.site(routine)
        return self._slow.trace(
            site,
            before,
            self._terms(),
            watch=watch,
            has_history=has_history,
            has_loads=has_loads,
            surroundings=surroundings,
            sought=sought,
        )

    def run_bare(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        engine: FastEngine | None = None,
    ) -> None:
        """Call a routine once on each of many images in a loop that keeps and checks nothing.

        It serves to measure what keeping and checking costs. ``engine`` replaces the machine's own
        engine; it must have been made for the machine's memory.
        """
        site = self._entry.site(routine)
        start, until = self._entry.prepare(site, before[0])
        if engine is None:
            self._runner.enter(site.routine)
            engine = self._runner.engine
        run, put = engine.run, self._entry.data.put
        for image in before:
            put(image)
            run(start, until)

    def prepare(
        self,
        routine: int | CallSite,
        before: NDArray[np.uint8],
        surroundings: Surroundings = PLAIN,
    ) -> tuple[int, int]:
        """Write everything that one call needs to guest memory, without making the call.

        An engine of your own that has the machine's ``memory`` can then make the call, for example
        with a hook on every instruction. `has_returned` tells whether the call returned.

        Args:
            routine: its address, or a call site that says how it gets its arguments.
            before: (image size,) uint8, the data image to begin with.
            surroundings: what the call finds on the stack and in registers.

        Returns:
            The addresses at which the engine has to start and to stop.

        Raises:
            UsageError: another thread has called a routine of this machine before.
        """
        return self._entry.prepare(self._entry.site(routine), before, surroundings)

    def has_returned(self) -> bool:
        """Whether the call that was prepared last has returned."""
        return self._entry.has_returned()

    def instructions(self, trace: Trace) -> int:
        """How many guest instructions a traced call executed, without the gate's."""
        cpu, memory, gate = self._entry.cpu, self._entry.memory, self._entry.gate
        return sum(
            count * cpu.count_instructions(memory.view(address, size).tobytes())
            for (address, size), count in trace.block_counts.items()
            if address not in gate
        )

    def _terms(self) -> CallTerms:
        return CallTerms(self.budget, self.system_terms)
