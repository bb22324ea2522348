"""Makes several calls of each image, one after the other, so that their state goes on.

Each call of all images is made at once, as long as none asks anything of the operating system. An
image whose call asks gets a system for itself: that call and all later ones of the image are made
with it, and what it has handed out, such as a handle, stays valid from one to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from emu.machine import (
    BareMachine,
    Batch,
    CallSite,
    Fault,
    StaleCode,
    Surroundings,
    SystemCallPolicy,
)
from emu.machine.calls.system import Leftover
from emu.program import Program

Begin = Callable[[int], None]
"""Makes the calls again that came before those of an image, by its row, with a fresh system."""


@dataclass(frozen=True, slots=True)
class CallRound:
    """Calls of one routine that are the next on some images.

    Attributes:
        site: what is called.
        rows: the images.
        number: the number of the call, from 0.
        routine: the index of the routine among those that are called.
    """

    site: CallSite
    rows: NDArray[np.int64]
    number: int
    routine: int


def broken_by(program: Program, routine: int, sentences: Iterable[str]) -> tuple[str, ...]:
    """Clauses about broken rules of the call contract, each with the routine and its line.

    For example "register d3 was 0x1 and came back as 0x2 (Neg, neg.c:12)".
    """
    at = program.locate(routine)
    words = ", ".join(filter(None, (at.symbol, at.source)))
    return tuple(f"{sentence} ({words})" if words else sentence for sentence in sentences)


@dataclass(slots=True, eq=False)
class SuccessiveResults:
    """What became of calls in a row.

    Attributes:
        program: the program, for messages.
        after: (images, image size) uint8; of an image from ``done`` on, it is of no use.
        done: how many images have got all their calls, up to the first with a fault.
        violations: by image, the first step that broke rules of the contract, and what it broke.
        fault: why a call of the image after the last done one did not return, or None.
        failed: the step that did not return.
        stale: the first code that was changed and executed without emptying the caches.
        asked: the images whose calls have asked the operating system.
        left: what the last calls have left of it otherwise than it was, by image.
        traced: the images of which a call was made again slowly; see `Batch.traced`.
    """

    program: Program
    after: NDArray[np.uint8]
    done: int
    violations: dict[int, tuple[CallRound, tuple[str, ...]]] = field(default_factory=dict)
    fault: Fault | None = None
    failed: CallRound | None = None
    stale: StaleCode | None = None
    asked: list[int] = field(default_factory=list)
    left: dict[int, tuple[Leftover, ...]] = field(default_factory=dict)
    traced: set[int] = field(default_factory=set)

    def note(self, step: CallRound, rows: NDArray[np.int64], batch: Batch) -> None:
        """Note what a step has done to some images."""
        self.after[rows[: batch.completed]] = batch.after
        for index, sentences in batch.violations.items():
            broken = broken_by(self.program, step.site.routine, sentences)
            self.violations.setdefault(int(rows[index]), (step, broken))
        self.left |= {int(row): batch.left.get(index, ()) for index, row in enumerate(rows)}
        self.stale = self.stale or batch.stale
        self.traced |= {int(rows[index]) for index in batch.traced}
        if batch.fault is not None:
            self.done, self.fault, self.failed = int(rows[batch.completed]), batch.fault, step


def call_in_a_row(
    machine: BareMachine,
    steps: Sequence[CallRound],
    before: NDArray[np.uint8],
    around: Sequence[Surroundings],
    begin: Begin | None = None,
) -> SuccessiveResults:
    """Make the calls of each image in their order.

    Args:
        machine: the machine.
        steps: all calls, in the order of their numbers.
        before: (images, image size) uint8, what the first call of each begins with.
        around: what the calls of each image find on the stack and in registers.
        begin: brings the operating system where it was when an image came to be; None if nothing
            has asked it before.
    """
    run = SuccessiveResults(machine.program, before.copy(), len(before))
    first_asked = np.full(len(before), -1 if begin is None else 0)
    for step in steps:
        rows = step.rows[(step.rows < run.done) & (first_asked[step.rows] < 0)]
        if len(rows):
            if machine.checked is not None:
                machine.checked.numbers = rows
            batch = machine.run_batch(
                step.site,
                run.after[rows],
                [around[row] for row in rows],
                asking=SystemCallPolicy.LEFT,
            )
            run.note(step, rows, batch)
            first_asked[rows[list(batch.asked)]] = step.number
    for row in np.flatnonzero(first_asked >= 0).tolist():
        if row >= run.done:
            break
        run.asked.append(row)
        left = [step for step in steps if step.number >= first_asked[row] and row in step.rows]
        asking = SystemCallPolicy.GOES_ON if begin is not None else SystemCallPolicy.BEGINS
        if machine.checked is not None:
            machine.checked.numbers = np.array([row])
        if begin is not None:
            begin(row)
        for step, _, batch in one_by_one(machine, left, run.after[row], around[row], asking):
            run.note(step, np.array([row]), batch)
    if machine.checked is not None:
        machine.checked.numbers = None
    run.violations = {
        row: violation for row, violation in run.violations.items() if row <= run.done
    }
    return run


def one_by_one(
    machine: BareMachine,
    steps: Sequence[CallRound],
    image: NDArray[np.uint8],
    around: Surroundings,
    asking: SystemCallPolicy = SystemCallPolicy.LEFT,
    watch: Callable[[CallSite], range | None] = lambda site: None,
) -> Iterator[tuple[CallRound, NDArray[np.uint8], Batch]]:
    """Make calls of one image in their order, up to one that does not return.

    Args:
        machine: the machine.
        steps: the calls.
        image: (image size,) uint8, what the first of them begins with.
        around: what they find on the stack and in registers.
        asking: `SystemCallPolicy.LEFT` makes them without an operating system up to the one that
            asks.
        watch: the guest addresses to watch in a call, None for none; the batches say what has
            stored there, and of stray accesses, of calls that were made with the operating system.

    Yields:
        Each call, the image that it began with, and what became of it.
    """
    for step in steps:
        begun, watched = image[np.newaxis].copy(), watch(step.site)
        batch = machine.run_batch(step.site, begun, [around], asking=asking, watch=watched)
        if batch.asked and asking is SystemCallPolicy.LEFT:
            asking = SystemCallPolicy.BEGINS
            batch = machine.run_batch(step.site, begun, [around], asking=asking, watch=watched)
        yield step, begun[0], batch
        if batch.fault is not None:
            return
        image = batch.after[0]
        if asking is SystemCallPolicy.BEGINS:
            asking = SystemCallPolicy.GOES_ON
