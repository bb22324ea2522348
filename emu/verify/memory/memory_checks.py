"""Makes the calls of scenes with full checks of memory, and finds which undefined bytes matter.

To read bytes that nobody has stored is no mistake by itself: a struct is copied with its padding.
So a call that does is made again, with zeros, ones and the complement in place of these bytes. It
is a mistake if the call then executes other code, uses other addresses, or leaves other results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from emu.checks.memory import Judge, MemoryChecks, Mistake, Violation, marks_of, once
from emu.checks.objects import GuestVariable, Objects
from emu.machine import Batch
from emu.machine.calls.call_screen import CallScreen
from emu.machine.calls.checked_calls import CheckedCalls
from emu.machine.engine.watch.accesses import OUTSIDE, Access, AccessKind, ByteReplacement
from emu.machine.engine.watch.call_stack import StopPoint
from emu.verify.batches.bench import Bench
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.images.scene_images import SceneImages
from emu.verify.memory.strays import strays_of
from emu.verify.places.bound_case import BoundCase
from emu.verify.scenes.scene_spec import SceneSpec

_OTHER_BYTES = ((0, 0x00), (0, 0xFF), (0xFF, 0xFF))
"""What undefined bytes become: zeros, ones, and their complement; see `ByteReplacement`."""

_MOST_READS = 16  # instructions that are tried one by one
_MOST_CALLERS = 10  # mistakes whose callers are found
_INSTRUCTION = 2  # bytes: no instruction is shorter
_SMALL_STACK, _LARGE_STACK = 8 << 10, 32 << 10


def stack_limit(bound: BoundCase) -> int:
    """Bytes of stack that an application has, unless the case says something else.

    A Macintosh without Color QuickDraw gives it 8 KB, any other 32 KB (Inside Macintosh: Memory,
    chapter 1, "The Application Stack").
    """
    small = bound.machine.cpu.name == "68000"
    return bound.case.stack or (_SMALL_STACK if small else _LARGE_STACK)


class SceneChecks:
    """Makes the calls of scenes; with full checks of memory if the machine has a checking engine.

    Args:
        bench: the case on a program.
        images: what the calls begin with.
        specs: the name of the scene of each call.
        only: the kind of accesses that is judged; None for all.
        known: mistakes that are known and left out. To prove one and find its callers, its call is
            made again slowly.
    """

    def __init__(
        self,
        bench: Bench,
        images: SceneImages,
        specs: Sequence[SceneSpec],
        only: AccessKind | None = None,
        known: Collection[Mistake] = (),
    ) -> None:
        self._bench = bench
        self._bound = images.bound
        self._images = images
        self._specs = specs
        self._only = only
        self._known = known
        self._checked = bench.machine.calls.checked
        self._undefined: NDArray[np.bool_] | None = None

    def run(self) -> Batch:
        """Make the calls, and return the batch of `Bench.run`."""
        checked = self._checked
        if checked is not None:
            if checked.layout is not self._bound:
                mark(self._bound, checked)
            if self._only is None:
                self._undefined = undefined_bytes(self._bench, self._images)
            checked.clear()
        return self._run()

    def judge(self, batch: Batch) -> MemoryChecks | None:
        """Find what the calls did wrong in memory; None if the machine does not check.

        Args:
            batch: the batch that `run` has returned.
        """
        checked, bound = self._checked, self._bound
        if checked is None:
            return None
        machine, specs = bound.machine, self._specs
        judge = Judge(
            machine.program,
            machine.cpu,
            machine.memory,
            Objects(machine.program, arguments_of(bound)),
        )
        digests = list(checked.digests)
        seen = [access for access in checked.noted() if self._only in (None, access.kind)]
        noted = judge.new(seen, self._known)
        deepest, is_complete = checked.deepest, not checked.is_full
        reads = [access for access in noted if access.kind is AccessKind.READ_UNDEFINED]
        accesses = [access for access in noted if access.kind is not AccessKind.READ_UNDEFINED]
        accesses += self._mattering(reads, batch, digests)
        noted_at = {}
        violations = self._strays(judge, batch, accesses)
        for access, violation in judge.violations(accesses):
            noted_at[violation.address, violation.kind] = access
            violations.append(replace(violation, scene=str(specs[access.call])))
        limit = stack_limit(bound)
        if deepest > limit:
            violations.append(judge.deep_stack(bound.calls.first.routine, deepest, limit))
        results = [
            with_callers(
                bound,
                self._images,
                violation,
                noted_at.get((violation.address, violation.kind)),
            )
            if index < _MOST_CALLERS
            else violation
            for index, violation in enumerate(once(violations, bound.case.suppressed))
        ]
        return MemoryChecks(tuple(results), deepest, is_complete, len(batch.traced))

    def _strays(self, judge: Judge, batch: Batch, accesses: Sequence[Access]) -> list[Violation]:
        """Accesses to memory of the heap that belongs to no block, such as one that was freed.

        Two calls are made once more, slowly, to find them: the first that broke a rule or did not
        return, and the first with such an access.
        """
        failed = [*sorted(batch.violations), *([batch.completed] if batch.fault else [])]
        asked = [row for row in failed if row in batch.asked][:1]
        rows = dict.fromkeys(
            [*asked, *(access.call for access in accesses if judge.is_in_heap(access))][:2]
        )
        strays = []
        for row in rows:
            for stray in strays_of(self._bench, self._images.take([row])):
                violation = judge.stray(stray.place.address, stray.is_store, stray.what)
                strays.append(replace(violation, scene=str(self._specs[row])))
        return strays

    def _run(self) -> Batch:
        """Make the calls, with the bytes of their images marked as undefined that nobody stored."""
        checked = self._checked
        if checked is not None:
            checked.undefined = self._undefined
        try:
            return self._bench.run(self._images)
        finally:
            if checked is not None:
                checked.undefined = None

    def _mattering(
        self, reads: Sequence[Access], batch: Batch, digests: Sequence[int]
    ) -> list[Access]:
        """The reads of undefined bytes that matter: what the calls do depends on these bytes."""

        def matters(instruction: int | None) -> bool:
            return any(
                self._differs(ByteReplacement(*other, instruction), batch, digests)
                for other in _OTHER_BYTES
            )

        if not reads or not matters(None):
            return []
        return [access for access in reads[:_MOST_READS] if matters(access.instruction)] or [
            reads[0]
        ]

    def _differs(self, how: ByteReplacement, batch: Batch, digests: Sequence[int]) -> bool:
        """Whether the calls do anything else with other bytes in place of undefined ones."""
        checked = self._checked
        assert checked is not None
        checked.clear()
        checked.accesses.replace(how)
        try:
            again = self._run()
        finally:
            checked.accesses.replace(None)
        if again.completed != batch.completed or checked.digests != digests:
            return True
        return bool(self._bench.differences(self._images).rows(batch.after, again.after))


def with_callers(
    bound: BoundCase, images: SceneImages, violation: Violation, access: Access | None
) -> Violation:
    """A mistake with its callers, for which its call is made once more, slowly."""
    if access is None:
        return violation
    returns = bound.calls.callers(
        StopPoint(access.instruction, access.address, access.stack_pointer),
        images.before[access.call],
        images.around[access.call],
    )
    # A return address lies behind the call, where the next line or function may begin.
    places = [bound.machine.program.locate(address - _INSTRUCTION) for address in returns]
    callers = tuple(f"{at.symbol or at} ({at.source})" if at.line else str(at) for at in places)
    return replace(violation, callers=callers)


def undefined_bytes(bench: Bench, images: SceneImages) -> NDArray[np.bool_] | None:
    """The bytes that nobody has stored, since another fill inverts them: (calls, image size).

    A byte of which a bit-field gives some bits counts as stored: compilers compare such a byte as a
    whole where the other bits make no difference.

    None if a scene makes several calls in a row: the later ones find what the first stored.
    """
    if not images.bound.calls.is_single:
        return None
    inverted = [replace(preparation, inverted=True) for preparation in images.preparations]
    try:
        other = bench.before(images.scenes, inverted)
    except PrecedingCallError:
        return None
    return np.asarray(images.before ^ other.before == 0xFF)


def arguments_of(bound: BoundCase) -> Iterator[GuestVariable]:
    """The objects that the arguments of a case are."""
    return (
        GuestVariable.of(argument_variable.name, argument_variable)
        for argument_variable in bound.argument_variables
    )


def mark(bound: BoundCase, checked: CheckedCalls | CallScreen) -> None:
    """Mark variables and code for the checks. In the heap, only the arguments may be accessed."""
    machine, arguments = bound.machine, list(arguments_of(bound))
    base, objects = machine.memory.base, Objects(machine.program, arguments)
    checked.marks[:] = marks_of(machine.program, machine.memory, objects)
    for region in machine.memory.regions:
        if region.name == "heap":
            checked.marks[region.address - base : region.end - base] |= np.uint8(OUTSIDE)
    for argument in arguments:
        checked.marks[argument.start - base : argument.end - base] &= np.uint8(0xFF & ~OUTSIDE)
    checked.layout = bound
