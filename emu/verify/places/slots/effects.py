"""Effects: what the routine of an old program writes beside what a case observes.

They belong to its answer. Those in memory behind its arguments' pointers, and in globals that the
port has under the same names, are compared. Any other is reported, and there is no verdict until
the case names it, under ``observe`` or ``ignore``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.masks import same_bytes
from emu.program import GuestType, Variable
from emu.verify.answers.host.host_call import PlaceResult
from emu.verify.places.slots.fields import Slot

EFFECTS = "other effects"
"""The attribute of an answer that holds its `Effects`; no place can have this name."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The values that a call leaves in a place which the case does not observe.

    Attributes:
        place: the place in the program's words: "*out", "gErr", "gState.count".
        values: the values in the place after the call; those that were not written are masked.
        is_set: which of the values are written whatever was there before; None if not known.
        is_raw: whether the values are the bytes of a variable of a library of this computer.
    """

    place: str
    values: np.ma.MaskedArray
    is_set: NDArray[np.bool_] | None = None
    is_raw: bool = False


@dataclass(frozen=True, slots=True)
class Effects:
    """All effects of one call: what it writes beside what a case observes.

    Attributes:
        values: what can be compared.
        others: places that cannot be compared, with their sizes: "A5-0x10cc, 4 bytes".
        unfilled: globals of the old program that the routine reads and no scene fills.
        unseen: what else the routine may write that nobody sees, as clauses.
    """

    values: tuple[Effect, ...] = ()
    others: tuple[str, ...] = ()
    unfilled: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    def without(self, names: Iterable[str]) -> Effects:
        """The same without some places and their members: "gErr", "*scratch", "A5-0x10cc"."""

        def stays(words: str) -> bool:
            place = words.partition(", ")[0]
            return not any(place == name or place.startswith(f"{name}.") for name in names)

        return Effects(
            tuple(value for value in self.values if stays(value.place)),
            tuple(other_place for other_place in self.others if stays(other_place)),
            self.unfilled,
            self.unseen,
        )


NO_EFFECTS = Effects()


def effects_in(answers: Iterable[Any]) -> Iterator[Effects]:
    """The effects of those answers that have some."""
    for answer in answers:
        effects: Effects = getattr(answer, EFFECTS, NO_EFFECTS)
        if effects is not NO_EFFECTS:
            yield effects


def leaves(variable: Variable, start: int) -> Iterator[Slot]:
    """The numbers and pointers that a variable is made of, each member of a struct on its own.

    Args:
        variable: the variable.
        start: where it begins in an image.
    """

    def inside(slot: Slot, kind: GuestType) -> Iterator[Slot]:
        if kind.kind != "struct" or kind.is_union:
            yield slot
            return
        for field in kind.fields:
            scalar = field.type.scalar
            yield from inside(replace(slot, path=(*slot.path, field), type=scalar), scalar)

    scalar = variable.type.scalar
    return inside(Slot(variable, (), scalar, start), scalar)


def elements_in(slot: Slot, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which elements of a place have a marked byte.

    Args:
        slot: the place.
        marked: (image size,), the bytes.
    """
    view = slot.view(marked[np.newaxis].view(np.uint8))[0]
    return np.asarray(np.array(view)[..., np.newaxis].view(np.uint8).any(axis=-1))


def left_in(slot: Slot, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> PlaceResult:
    """Compare what two calls, on memory that was filled differently, leave in a place.

    Args:
        slot: the place.
        before: (2, image size), the images that the calls began with.
        after: (2, image size), those that they left.
    """
    was, new = slot.values(before), slot.values(after)
    unwritten = same_bytes(was[0], new[0]) & same_bytes(was[1], new[1])
    return PlaceResult(new[0], unwritten, ~(unwritten | same_bytes(new[0], new[1])))
