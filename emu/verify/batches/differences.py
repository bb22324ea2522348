"""Where two images of guest memory differ, in the words of the program: "gObjects[3].x is 7".

The last stage on a program: expected images and the images of a `Batch` go in, both (scenes, image
size) uint8. Out come the indices of wrong scenes, which is quick, and for the first of them a
`Divergence` that names the first wrong value.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emu.base.masks import Mask
from emu.cases.keys.arguments import RESULT
from emu.machine import BareMachine
from emu.program import Variable, value_bits
from emu.report.limits import Natural
from emu.verify.batches.closeness import is_close, unmark_close
from emu.verify.calls.call_sequence import NO_CALL
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.slots.argument_layout import DISPOSED, RECORD, SIZE_OF
from emu.verify.places.slots.fields import Slot


@dataclass(frozen=True, slots=True, eq=False)
class Rerun:
    """A call that was made again with the complement of every byte that nobody had promised.

    Attributes:
        before: (image size,) uint8, the image that the first call began with.
        again: (image size,) uint8, the image that the second call began with.
        after: (image size,) uint8, the image that the second call left.
    """

    before: NDArray[np.uint8]
    again: NDArray[np.uint8]
    after: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where guest memory is not as expected.

    Attributes:
        place: the place in the program's words ("gObjects[17].sector_link").
        expected: the value that is right there, in words.
        found: the value that the call left, in words.
        address: the guest address of the first wrong byte.
        observed: whether the case observes the place; if not, it should have stayed unchanged.
        differing_bytes: how many bytes of the image differ in all.
        note: where the wrong value comes from ("it was 0 before"), or ""; with several calls also
            which of them is the first wrong one.
    """

    place: str
    expected: str
    found: str
    address: Natural
    observed: bool
    differing_bytes: Natural
    note: str = ""

    def __str__(self) -> str:
        notes = [self.note] if self.note else []
        notes += [] if self.observed else ["which the routine must not change"]
        rule = f" ({'; '.join(notes)})" if notes else ""
        return f"{self.place} is {self.found}, expected {self.expected}{rule}"


class Differences:
    """Finds where images of a machine differ, and says it in words.

    Args:
        bound: the case laid onto the machine's program.
        unchanged: words beside the case's own places that have to be as expected; see
            `AskingCalls.unchanged`.
        unobservable: guest addresses of data memory that is no part of any result, such as the
            memory of sanitizers.

    Attributes:
        padding: the bytes that are not compared.
    """

    def __init__(
        self,
        bound: BoundCase,
        unchanged: Sequence[Slot],
        unobservable: Sequence[range],
    ) -> None:
        machine, slots, layout = bound.machine, bound.slots, bound.layout
        self._bound = bound
        self._machine = machine
        self._effects: Sequence[Slot] = ()
        self._inputs = [*slots.inputs, *unchanged]
        self._floats = [slot for slot in slots.observed if slot.type.kind == "float"]
        uncompared = [structure.uncompared for structure in slots.linked]
        ignored = [*slots.ignored, *layout.unobserved]
        held = _held_bits(machine, list(layout.variables.values()), ignored)
        for place in unobservable:
            start = machine.data.offset(place.start)
            held[start : start + len(place)] = 0
        self._shared = np.flatnonzero((held != 0) & (held != 0xFF))
        """Bytes of which only some bits belong to a member: those of bit-fields."""
        self._bits = held[self._shared]
        self.padding = np.concatenate([np.flatnonzero(held == 0), *uncompared])
        """The bytes that are not compared, as offsets in an image: those between the members of a
        struct, ignored variables, unobservable memory, and the addresses of nodes in transcripts.
        """
        held[self.padding] = 0
        self.compared = held
        """(image size,) uint8, a 1 for each bit that is compared."""
        self._mask = Mask(held)

    def with_effects(self, effects: Sequence[Slot]) -> Differences:
        """A copy that also looks for wrong values in the places that a reference's routine wrote.

        Without it a wrong byte there would be named as memory that no call may change.

        Args:
            effects: `SceneImages.effects` of the images that are compared.
        """
        differences = copy.copy(self)
        differences._effects = effects
        return differences

    @property
    def _slots(self) -> list[tuple[Slot, bool]]:
        """The places to look for a wrong value, in that order, and whether each is observed."""
        observed = [*self._effects, *self._bound.slots.observed]
        return [*((slot, True) for slot in observed), *((slot, False) for slot in self._inputs)]

    def wrong(self, expected: NDArray[np.uint8], actual: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which bytes are wrong, bool of the shape of both images, (..., image size).

        Never wrong are padding, a float within its tolerance, and a NaN where a NaN is expected.
        """
        different = np.asarray(expected != actual)
        different[..., self.padding] = False
        if len(self._shared):
            changed = expected[..., self._shared] ^ actual[..., self._shared]
            different[..., self._shared] = (changed & self._bits) != 0
        for slot in self._floats:
            marks = slot.view(np.atleast_2d(different).view(np.uint8))
            if not np.ascontiguousarray(marks).view(np.uint8).any():
                continue
            wanted, seen = (slot.view(np.atleast_2d(image)) for image in (expected, actual))
            if slot.type.wide is None:
                marks[is_close(wanted, seen, slot)] = 0
            else:
                unmark_close(marks, wanted, seen, slot)
        return different

    def rows(self, expected: NDArray[np.uint8], actual: NDArray[np.uint8]) -> list[int]:
        """The indices of the images with a wrong byte, of images of shape (images, image size)."""
        # Nearly all images are equal, so all bytes are compared first by a mask alone; only the few
        # rows that differ are looked at float by float.
        rows = np.flatnonzero(self._mask.differing(expected, actual))
        if self._floats:
            rows = rows[self.wrong(expected[rows], actual[rows]).any(axis=1)]
        return [int(row) for row in rows]

    def first(
        self, expected: NDArray[np.uint8], actual: NDArray[np.uint8], rerun: Rerun | None = None
    ) -> Divergence | None:
        """Find the first wrong value of a call.

        It is looked for in trees and lists first, then in other observed values, in inputs, and
        last in any other byte.

        Args:
            expected: (image size,) uint8, what the call should leave.
            actual: (image size,) uint8, what it has left.
            rerun: the same call with its memory filled in another way, which shows where a wrong
                value comes from; None if it was not made.

        Returns:
            None if nothing is wrong.
        """
        first = self._first(expected, actual, rerun)
        call = None
        if first is not None and self._bound.case.calls:
            call = re.match(rf"{RECORD}\[(\d+)\]", first.place)
        if first is None or call is None:
            return first
        count = int(np.sum(self._bound.calls.plan(expected[np.newaxis]) != NO_CALL))
        words = f"call {int(call[1]) + 1} of {count}"
        return replace(first, note="; ".join([words, first.note] if first.note else [words]))

    def _first(
        self, expected: NDArray[np.uint8], actual: NDArray[np.uint8], rerun: Rerun | None
    ) -> Divergence | None:
        different = self.wrong(expected, actual)
        wrong = np.flatnonzero(different)
        if not len(wrong):
            return None
        for structure in self._bound.slots.linked:
            told_of = structure.difference(expected, actual)
            if told_of is not None:
                return Divergence(
                    place=told_of.place,
                    expected=told_of.expected,
                    found=told_of.found,
                    address=told_of.address,
                    observed=True,
                    differing_bytes=len(wrong),
                )
        first_wrong = self._first_place(different, expected, actual)
        if first_wrong is not None:
            slot, observed, index = first_wrong
            offset = slot.offset(index)
            part = slice(offset, offset + slot.type.size)
            first = offset + int(np.argmax(different[part]))
            wanted = self._words(slot, index, expected)
            words, note = self._value_found(slot, index, part, actual, rerun)
            if rerun is not None and observed and not note and words != "unset":
                note = self._value_before(slot, index, rerun, words=words, wanted=wanted)
            return Divergence(
                place=slot.place(index),
                expected=wanted,
                found=words,
                address=self._machine.data.address(first),
                observed=observed,
                differing_bytes=len(wrong),
                note=note,
            )
        return self._first_byte(wrong, expected, actual)

    def _first_byte(
        self, wrong: NDArray[np.int64], expected: NDArray[np.uint8], actual: NDArray[np.uint8]
    ) -> Divergence:
        """The first of the wrong bytes, of which none belongs to a place that the case names."""
        first = int(wrong[0])
        address = self._machine.data.address(first)
        location = self._machine.program.locate(address)
        place = f"byte {location.offset} of {location.symbol}" if location.symbol else ""
        place = place or self._bound.layout.beside(address) or "data memory"
        return Divergence(
            place=f"{place} (0x{address:08x})",
            expected=f"0x{int(expected[first]):02x}",
            found=f"0x{int(actual[first]):02x}",
            address=address,
            observed=False,
            differing_bytes=len(wrong),
        )

    def _first_place(
        self,
        different: NDArray[np.bool_],
        expected: NDArray[np.uint8],
        seen: NDArray[np.uint8],
    ) -> tuple[Slot, bool, tuple[int, ...]] | None:
        """The first slot with a wrong value, whether it is observed, and the value's index.

        If a scene makes several calls, it is the slot of the first call that went wrong.
        """
        first_place: tuple[Slot, bool, tuple[int, ...]] | None = None
        for slot, observed in self._slots:
            if first_place is not None and first_place[0].variable is not slot.variable:
                break
            # Bytes are compared and not values, since a NaN is not equal to itself.
            pieces = np.array(slot.view(different[np.newaxis].view(np.uint8))[0])
            marked = pieces[..., np.newaxis].view(np.uint8).any(axis=-1)
            if slot.type.bits is not None:  # its bytes hold other members too
                two = [slot.values(image[np.newaxis])[0] for image in (expected, seen)]
                marked = np.asarray(two[0] != two[1])
            if marked.any():
                index = tuple(int(i) for i in np.argwhere(marked)[0])
                if first_place is None or index[0] < first_place[2][0]:
                    first_place = slot, observed, index
                if slot.variable.name != RECORD or not index:
                    break
        return first_place

    def _value_found(
        self,
        slot: Slot,
        index: tuple[int, ...],
        part: slice,
        actual: NDArray[np.uint8],
        rerun: Rerun | None,
    ) -> tuple[str, str]:
        """A wrong value in words, and a note about where it comes from, if a second call shows it.

        The value is "unset" if both calls left what was there before. If the two calls, which began
        with different rubbish, left different values, the result depends on that rubbish.
        ``part`` is the range of the value's bytes in an image.
        """
        words = self._words(slot, index, actual)
        if rerun is None:
            return words, ""
        if slot.type.bits is None:
            before, again, after, seen = (
                image[part].tobytes() for image in (rerun.before, rerun.again, rerun.after, actual)
            )
        else:  # its bytes hold other members too
            before, again, after, seen = (
                slot.values(image[np.newaxis])[0][index].tobytes()
                for image in (rerun.before, rerun.again, rerun.after, actual)
            )
        if before == again:
            return words, ""
        if before == seen and again == after:
            return "unset", ""
        if after == seen:
            return words, ""
        rubbish = self._words(slot, index, rerun.before)
        return words, (
            f"it began as rubbish, {rubbish}, and the result depends on that; if the routine is "
            "meant to read it, name it under input"
        )

    def _value_before(
        self, slot: Slot, index: tuple[int, ...], rerun: Rerun, *, words: str, wanted: str
    ) -> str:
        """A note that the place held the found or the expected value before the call, or "".

        The expected value may be rubbish: a place that the reference leaves out must stay as
        filled.
        """
        if RESULT in re.split(r"[.\[]", slot.place(index)):
            return ""  # a result is no place, and has no value before its call
        was, again = (self._words(slot, index, image) for image in (rerun.before, rerun.again))
        if was == wanted:
            return f"it was {was} before"
        return f"it was {was} before, too" if was == words == again else ""

    def _words(self, slot: Slot, index: tuple[int, ...], image: NDArray[np.uint8]) -> str:
        """A value of an image of shape (image size,) in words; a pointer by what it points at."""
        value = slot.numbers(slot.values(image[np.newaxis])[0][index])
        if slot.variable.name.startswith(SIZE_OF) and int(value) == DISPOSED:
            return "none (disposed of)"
        is_pointer = slot.type.kind == "pointer"
        return (
            self._bound.slots.pools.words(int(value), slot)
            if is_pointer
            else str(np.asarray(value).item())
        )


def _held_bits(
    machine: BareMachine, arguments: Sequence[Variable], ignored: Sequence[Variable]
) -> NDArray[np.uint8]:
    """Which bits of an image are compared: uint8 of shape (image size,), a 1 for each such bit."""
    size = len(machine.pristine)
    held, within = np.zeros(size, dtype=np.uint8), np.zeros(size, dtype=np.bool_)
    globals_ = itertools.chain.from_iterable(machine.program.variables.values())
    for variable in (*globals_, *arguments):
        if variable.type.size <= machine.data.room(variable.address):
            offset = machine.data.offset(variable.address)
            part = slice(offset, offset + variable.type.size)
            within[part] = True
            held[part] |= value_bits(variable.type)
    for variable in ignored:
        start = machine.data.offset(variable.address)
        within[start : start + variable.type.size] = True
        held[start : start + variable.type.size] = 0
    held[~within] = 0xFF
    return held
