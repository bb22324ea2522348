"""The calls that a case makes on one scene: one, or several in a row that keep their state.

In a case with ``repeat`` the arguments of all calls lie in the image as an array of records, and
a word says how many of them there are. So an image still holds everything that its calls need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emu.cycles.counting import Counts, count_calls
from emu.machine import PLAIN, Batch, CallSite, Machine, Surroundings


@dataclass(frozen=True, slots=True)
class CallSequence:
    """The calls of a case on one machine.

    Attributes:
        machine: the machine.
        first: the first call.
        counter: the address of the word that holds the number of calls; 0 for a single call.
    """

    machine: Machine
    first: CallSite
    counter: int = 0

    def site(self, step: int) -> CallSite:
        """The call of this number, from 0."""
        return replace(self.first, address=self.first.address + step * self.first.record.size)

    def run(
        self, before: NDArray[np.uint8], surroundings: Sequence[Surroundings] | None = None
    ) -> Batch:
        """Make the calls of each image, as `Machine.run_batch` makes single ones.

        Args:
            before: (scenes, image size) uint8.
            surroundings: what the calls of each scene find on the stack and in registers.

        Returns:
            The images after the last call of each scene, up to the first scene with a fault.
        """
        if not self.counter:
            return self.machine.run_batch(self.first, before, surroundings)
        around = list(surroundings or [PLAIN] * len(before))
        counts = self._counts(before)
        after, done = before.copy(), len(before)
        violations: dict[int, tuple[str, ...]] = {}
        fault = stale = None
        for step in range(counts.max(initial=0)):
            rows = np.flatnonzero(counts[:done] > step)
            batch = self.machine.run_batch(self.site(step), after[rows], [around[r] for r in rows])
            after[rows[: batch.completed]] = batch.after
            for index, sentences in batch.violations.items():
                told = tuple(f"call {step + 1}: {sentence}" for sentence in sentences)
                violations.setdefault(int(rows[index]), told)
            stale = stale or batch.stale
            if batch.fault is not None:
                done = int(rows[batch.completed])
                where = f"in call {step + 1} of {counts[done]}"
                fault = replace(batch.fault, reason=f"{batch.fault.reason} ({where})")
        kept = {row: sentences for row, sentences in violations.items() if row < done}
        return Batch(after[:done], kept, fault, stale)

    def count(self, before: NDArray[np.uint8]) -> Counts:
        """Count what the calls of all images execute; a scene with several calls counts once.

        Raises:
            GuestFault, GuestError, ToolMissingError: as of `count_calls`.
        """
        found: Counts | None = None
        for site, images in self._calls(before):
            one = count_calls(self.machine, site, images)
            found = one if found is None else found + one
        if found is None:
            return count_calls(self.machine, self.first, before[:0])
        return replace(found, calls=len(before))

    def last_store(
        self, address: int, before: NDArray[np.uint8], surroundings: Surroundings
    ) -> int | None:
        """The address of the instruction that is the last to store to an address.

        Args:
            address: the guest address.
            before: (image size,) uint8, the image that the calls begin with.
            surroundings: what the calls find on the stack and in registers.

        Returns:
            None if no call stores to it.
        """
        watch, found = range(address, address + 1), None
        for site, images in self._calls(before[np.newaxis], surroundings):
            trace, _ = self.machine.trace(site, images[0], watch=watch, surroundings=surroundings)
            found = trace.stores.get(address, found)
        return found

    def _calls(
        self, before: NDArray[np.uint8], surroundings: Surroundings = PLAIN
    ) -> Iterator[tuple[CallSite, NDArray[np.uint8]]]:
        """Each call, with the images that it begins with."""
        if not self.counter:
            yield self.first, before
            return
        counts = self._counts(before)
        images = before.copy()
        for step in range(counts.max(initial=0)):
            rows = np.flatnonzero(counts > step)
            yield self.site(step), images[rows]
            batch = self.machine.run_batch(
                self.site(step), images[rows], [surroundings] * len(rows)
            )
            images[rows[: batch.completed]] = batch.after
            if batch.fault is not None:
                return

    def _counts(self, images: NDArray[np.uint8]) -> NDArray[np.int64]:
        """How many calls each image wants."""
        start = self.machine.data.offset(self.counter)
        words = np.ascontiguousarray(images[:, start : start + 4])
        return words.view(">u4")[:, 0].astype(np.int64)
