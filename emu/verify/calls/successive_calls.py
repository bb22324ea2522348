"""Makes several calls on each image in a row, each on the memory that the one before left.

The n-th calls of all images are made in one batch, as long as none of them asks the Toolbox. An
image whose call asks gets a Toolbox of its own: that call and all later ones of the image are made
with it, so that a handle from one call is valid in the next.
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
"""Given the row of an image, repeats the calls before its own, with a fresh Toolbox."""


@dataclass(frozen=True, slots=True)
class CallRound:
    """The calls of one number and one routine, on all images that make it.

    Attributes:
        site: how the routine is called.
        rows: the indices of the images.
        number: the number of the call, from 0.
        routine: the index of the routine.
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
    """The results of calls in a row, which grow with each round.

    Attributes:
        program: the program, for messages.
        after: (images, image size) uint8, the images as the last calls left them; those from index
            ``done`` on mean nothing.
        done: the number of images of which all calls returned, up to the first with a fault.
        violations: by image, the first round that broke rules of the contract, and these rules.
        fault: why a call on image ``done`` did not return; None if all did.
        failed: the round that did not return.
        stale: the first code that was changed and executed without flushing the caches.
        asked: the images whose calls have asked the Toolbox.
        left: by image, what its last call left changed in the Toolbox.
        traced: the images of which a call was made again slowly; see `Batch.traced`.
        untranslated: why Unicorn has made a call of an image; see `Batch.untranslated`.
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
    untranslated: dict[int, str] = field(default_factory=dict)

    def note(self, step: CallRound, rows: NDArray[np.int64], batch: Batch) -> None:
        """Add the results of a round on some images."""
        self.after[rows[: batch.completed]] = batch.after
        for index, sentences in batch.violations.items():
            broken = broken_by(self.program, step.site.routine, sentences)
            self.violations.setdefault(int(rows[index]), (step, broken))
        self.left |= {int(row): batch.left.get(index, ()) for index, row in enumerate(rows)}
        self.stale = self.stale or batch.stale
        self.traced |= {int(rows[index]) for index in batch.traced}
        self.untranslated |= {int(rows[index]): why for index, why in batch.untranslated.items()}
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
        steps: the rounds of calls, in the order of their numbers.
        before: (images, image size) uint8, what the first call of each begins with.
        around: what the calls of each image find on the stack and in registers.
        begin: repeats the calls that came before those of an image, so that its Toolbox is again as
            they left it; None if they did not ask the Toolbox.
    """
    run = SuccessiveResults(machine.program, before.copy(), len(before))
    first_asked = np.full(len(before), -1 if begin is None else 0)
    for step in steps:
        rows = step.rows[(step.rows < run.done) & (first_asked[step.rows] < 0)]
        if len(rows):
            machine.calls.number(rows)
            batch = machine.calls.run(
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
        machine.calls.number(np.array([row]))
        if begin is not None:
            begin(row)
        for step, _, batch in one_by_one(machine, left, run.after[row], around[row], asking):
            run.note(step, np.array([row]), batch)
    machine.calls.number(None)
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
        image: (image size,) uint8, what the first call begins with.
        around: what they find on the stack and in registers.
        asking: `SystemCallPolicy.LEFT` makes them without a Toolbox up to the first call that asks
            it; that call and all later ones are made with it.
        watch: gives the guest addresses to watch during a call, or None. The batch says which
            instruction stored there, and has the stray accesses of a call made with the Toolbox.

    Yields:
        Each call, the image that it began with, and its batch.
    """
    for step in steps:
        begun, watched = image[np.newaxis].copy(), watch(step.site)
        batch = machine.calls.run(step.site, begun, [around], asking=asking, watch=watched)
        if batch.asked and asking is SystemCallPolicy.LEFT:
            asking = SystemCallPolicy.BEGINS
            batch = machine.calls.run(step.site, begun, [around], asking=asking, watch=watched)
        yield step, begun[0], batch
        if batch.fault is not None:
            return
        image = batch.after[0]
        if asking is SystemCallPolicy.BEGINS:
            asking = SystemCallPolicy.GOES_ON
