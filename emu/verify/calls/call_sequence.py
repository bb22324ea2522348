"""The calls that a case makes on one scene: one, or several in a row that keep their state.

The arguments of all calls lie in the image, as an array with a record for each call. A word of the
image may hold the number of calls, and bytes of it the routine of each call. For example, a scene
of a queue has the count 3 and the script Push, Push, Pop. So an image holds all that its calls
need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.cycles.base.counting import Counts, count_calls, counts_of
from emu.machine import PLAIN, BareMachine, Batch, CallSite, Surroundings, SystemCallPolicy
from emu.machine.calls.faults import GuestFault
from emu.machine.calls.system import StrayAccess
from emu.machine.engine.watch.call_stack import StopPoint
from emu.machine.engine.watch.trace import Trace
from emu.machine.memory import layout
from emu.verify.calls.successive_calls import Begin, CallRound, broken_by, call_in_a_row, one_by_one

NO_CALL = -1
"""What a plan has, in place of a routine's index, behind the last call of an image."""


@dataclass(frozen=True, slots=True)
class Routines:
    """The routines that a case calls, and where an image says which calls are made.

    Attributes:
        sites: for each routine, how its first call is made.
        names: the names of the routines, in the order of ``sites``.
        stride: the bytes from the record of one call to that of the next.
        order: the calls of every image, as indices into ``sites``, if the images do not say.
        counter: the address of the word that holds the number of calls; 0 if there is none.
        script: the address of the bytes that hold the routine of each call; 0 if there are none.
        most: the most calls that ``repeat`` has room for.
    """

    sites: tuple[CallSite, ...]
    names: tuple[str, ...]
    stride: int = 0
    order: tuple[int, ...] = (0,)
    counter: int = 0
    script: int = 0
    most: int = 0

    def site(self, routine: int, step: int) -> CallSite:
        """How call number ``step``, from 0, is made if it calls this routine."""
        site = self.sites[routine]
        return replace(site, address=site.address and site.address + step * self.stride)

    def words(self, routine: int, step: int, count: int) -> str:
        """A call in words: "call 3 of 7", and its routine if there are several."""
        name = f", {self.names[routine]}" if len(self.sites) > 1 else ""
        return f"call {step + 1} of {count}{name}"


@dataclass(frozen=True, slots=True)
class LastStore:
    """The instruction that was the last to store to an address.

    Attributes:
        address: its address.
        call: the call that executed it, in words; "" if there is only one.
    """

    address: int
    call: str = ""


def _begin(begin: Begin | None) -> SystemCallPolicy:
    """Repeat the calls that come before, if any; how the calls that follow treat the Toolbox."""
    if begin is None:
        return SystemCallPolicy.LEFT
    begin(0)
    return SystemCallPolicy.GOES_ON


@dataclass(frozen=True, slots=True)
class CallSequence:
    """The calls of a case on one machine.

    Attributes:
        machine: the machine.
        routines: the routines.
    """

    machine: BareMachine
    routines: Routines

    @property
    def first(self) -> CallSite:
        """The first call."""
        return self.routines.sites[0]

    @property
    def is_single(self) -> bool:
        """Whether one call is made on every image."""
        return not self.routines.counter and len(self.routines.order) == 1

    def run(
        self,
        before: NDArray[np.uint8],
        surroundings: Sequence[Surroundings] | None = None,
        begin: Begin | None = None,
    ) -> Batch:
        """Make the calls of each image, as `MachineCalls.run` makes single ones.

        Args:
            before: (scenes, image size) uint8, the images that the calls begin with.
            surroundings: what the calls of each scene find on the stack and in registers.
            begin: as for `call_in_a_row`.

        Returns:
            The images after the last call of each scene, up to the first scene with a fault.
        """
        if self.is_single and begin is None:
            batch = self.machine.calls.run(self.first, before, surroundings)
            broken = {
                row: broken_by(self.machine.program, self.first.routine, sentences)
                for row, sentences in batch.violations.items()
            }
            return replace(batch, violations=broken)
        return self._run_in_a_row(before, surroundings, begin)

    def _run_in_a_row(
        self,
        before: NDArray[np.uint8],
        surroundings: Sequence[Surroundings] | None,
        begin: Begin | None,
    ) -> Batch:
        """Make several calls of each image."""
        around = surroundings or [PLAIN] * len(before)
        plan = self.plan(before)
        counts = np.sum(plan != NO_CALL, axis=1)
        run = call_in_a_row(self.machine, list(self._steps(plan)), before, around, begin)

        def words(step: CallRound, row: int) -> str:
            return self.routines.words(step.routine, step.number, counts[row])

        fault, failed = run.fault, run.failed
        if fault is not None and failed is not None and not self.is_single:
            fault = replace(fault, reason=f"{fault.reason} (in {words(failed, run.done)})")
        violations = {
            row: violation
            if self.is_single
            else tuple(f"{words(step, row)}: {sentence}" for sentence in violation)
            for row, (step, violation) in run.violations.items()
        }
        asked, after = tuple(run.asked), run.after[: run.done]
        traced = tuple(sorted(run.traced))
        return Batch(
            after,
            violations,
            fault,
            run.stale,
            asked,
            left=run.left,
            traced=traced,
            untranslated=run.untranslated,
        )

    def count(self, before: NDArray[np.uint8]) -> Counts:
        """Count what the calls of all images execute; a scene with several calls counts once.

        Raises:
            GuestFault, GuestError, ToolMissingError: as of `count_calls`.
        """
        counts: Counts | None = None
        for step, images in self._calls(before):
            call_counts = count_calls(self.machine, step.site, images)
            counts = call_counts if counts is None else counts + call_counts
        if counts is None:
            return count_calls(self.machine, self.first, before[:0])
        return replace(counts, calls=len(before))

    def count_answered(self, before: NDArray[np.uint8]) -> Counts:
        """Count what calls execute that ask the Toolbox, without what that does; see `count`.

        The machine covers what calls execute (`MachineCalls.executed_edges`).

        Raises:
            GuestFault: a call does not return.
            GuestError: it executes code that can be written.
        """
        executed, steps = self.machine.calls.executed_edges, list(self._steps(self.plan(before)))
        assert executed is not None
        executed.take()
        for row, image in enumerate(before):
            own = [step for step in steps if row in step.rows]
            for step, _, batch in one_by_one(
                self.machine, own, image, PLAIN, SystemCallPolicy.BEGINS
            ):
                if batch.fault is not None:
                    raise GuestFault(self.routines.names[step.routine], batch.fault)
        return counts_of(self.machine, len(before), executed.take())

    def last_store(
        self,
        address: int,
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        begin: Begin | None = None,
    ) -> LastStore | None:
        """The instruction that is the last to store to an address.

        Args:
            address: the guest address.
            before: (image size,) uint8, the image that the calls begin with.
            surroundings: what the calls find on the stack and in registers.
            begin: as for `call_in_a_row`.

        Returns:
            None if no call stores to it.
        """
        watch = range(address, address + 1)
        return self._last_store(lambda site: watch, before, surroundings, begin)

    def stray_store(
        self,
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        begin: Begin | None = None,
    ) -> LastStore | None:
        """The instruction that stores to its caller's stack frame, beyond the call's arguments.

        The arguments are those of `last_store`. If several do, it is the one that stores to the
        lowest address.
        """
        frame = self.machine.memory.region("stack").end - layout.FRAME_SIZE

        def beyond_arguments(site: CallSite) -> range:
            return range(frame + site.form.stack_bytes, frame + layout.CALLER_FRAME)

        return self._last_store(beyond_arguments, before, surroundings, begin)

    def strays(
        self,
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        begin: Begin | None = None,
    ) -> tuple[tuple[StrayAccess, str], ...]:
        """The accesses to memory of the Toolbox's heap that belongs to no block.

        The arguments are those of `last_store`. With each comes the call that makes it, in words.
        """
        strays: list[tuple[StrayAccess, str]] = []
        for words, _, _, batch in self._one_by_one(
            before, surroundings, _begin(begin), lambda site: range(0)
        ):
            strays += [(stray, words) for stray in batch.strays]
        return tuple(strays)

    def callers(
        self, sought: StopPoint, before: NDArray[np.uint8], surroundings: Surroundings
    ) -> tuple[int, ...]:
        """The return addresses of all calls that are active at an access, the innermost first.

        Args:
            sought: the access to memory.
            before: (image size,) uint8, the image that the calls begin with.
            surroundings: what the calls find on the stack and in registers.

        Returns:
            Empty if no call gets to that access before it asks the Toolbox.
        """
        for _, step, image, batch in self._one_by_one(before, surroundings):
            if batch.asked:
                break
            trace, _ = self.machine.calls.trace(
                step.site, image, surroundings=surroundings, sought=sought
            )
            if trace.callers is not None:
                gate = self.machine.memory.region("gate")
                return tuple(caller for caller in trace.callers if caller not in gate)
        return ()

    def histories(
        self, before: NDArray[np.uint8], surroundings: Surroundings
    ) -> Iterator[tuple[str, Trace]]:
        """Make the calls slowly, one after the other, and record their stores, also in the stack.

        Args:
            before: (image size,) uint8, the image that the calls begin with.
            surroundings: what the calls find on the stack and in registers.

        Yields:
            For each call, its words ("" if it is the only one) and the record of its stores.

        Raises:
            UsageError: a call asks the Toolbox, or the engine does not tell what is stored.
        """
        machine = self.machine
        if machine.cpu.stored is not None:
            raise UsageError(f"what a {machine.cpu.name} stores is not told by the engine")
        for words, step, image, batch in self._one_by_one(before, surroundings):
            if batch.asked:
                raise UsageError(
                    "the routine calls the Toolbox, and what that stores is not recorded step by "
                    "step"
                )
            trace, _ = machine.calls.trace(
                step.site,
                image,
                watch=machine.data.addresses,
                has_history=True,
                surroundings=surroundings,
            )
            yield words, trace

    def _last_store(
        self,
        watch: Callable[[CallSite], range],
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        begin: Begin | None,
    ) -> LastStore | None:
        """The last store to the lowest of some addresses that is stored to at all."""
        last_store, asking = None, _begin(begin)
        for words, step, image, batch in self._one_by_one(before, surroundings, asking, watch):
            stores = batch.stores
            if not batch.asked:
                trace, _ = self.machine.calls.trace(
                    step.site, image, watch=watch(step.site), surroundings=surroundings
                )
                stores = trace.stores
            if stores:
                last_store = LastStore(stores[min(stores)], words)
        return last_store

    def _one_by_one(
        self,
        before: NDArray[np.uint8],
        surroundings: Surroundings,
        asking: SystemCallPolicy = SystemCallPolicy.LEFT,
        watch: Callable[[CallSite], range | None] = lambda site: None,
    ) -> Iterator[tuple[str, CallRound, NDArray[np.uint8], Batch]]:
        """The call in words, "" if it is the only one, and then what `one_by_one` yields of it."""
        plan = self.plan(before[np.newaxis])
        count = int(np.sum(plan != NO_CALL))
        steps = list(self._steps(plan))
        for step, image, batch in one_by_one(
            self.machine, steps, before, surroundings, asking, watch
        ):
            words = self.routines.words(step.routine, step.number, count)
            yield "" if self.is_single else words, step, image, batch

    def counts(self, images: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The number of calls of each image, int64 of shape (images,), if there is a counter."""
        start = self.machine.data.offset(self.routines.counter)
        words = np.ascontiguousarray(images[:, start : start + 4])
        return words.view(">u4")[:, 0].astype(np.int64)

    def plan(self, images: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The index of the routine of each call, of shape (images, most calls of any image).

        An image with fewer calls has `NO_CALL` behind its last one.
        """
        routines = self.routines
        if not routines.counter:
            return np.tile(np.array(routines.order, np.int64), (len(images), 1))
        counts = self.counts(images)
        most = counts.max(initial=0)
        plan = np.zeros((len(images), most), np.int64)
        if routines.script and most:
            start = self.machine.data.offset(routines.script)
            plan[:] = images[:, start : start + most]
        plan[np.arange(most) >= counts[:, np.newaxis]] = NO_CALL
        return plan

    def _steps(self, plan: NDArray[np.int64]) -> Iterator[CallRound]:
        """The calls of a plan, grouped into those of one number and one routine: one batch each."""
        for number in range(plan.shape[1]):
            for routine in range(len(self.routines.sites)):
                rows = np.flatnonzero(plan[:, number] == routine)
                if len(rows):
                    yield CallRound(self.routines.site(routine, number), rows, number, routine)

    def _calls(self, before: NDArray[np.uint8]) -> Iterator[tuple[CallRound, NDArray[np.uint8]]]:
        """Each group of calls, with the images that they begin with."""
        images = before.copy()
        for step in self._steps(self.plan(before)):
            yield step, images[step.rows]
            if self.is_single:
                return
            batch = self.machine.calls.run(step.site, images[step.rows])
            images[step.rows[: batch.completed]] = batch.after
            if batch.fault is not None:
                return
