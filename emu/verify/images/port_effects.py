"""Lays what an old program or a library writes beside what a case observes into a port's images.

For example, a case observes ``*out``, and the old routine also sets ``gErr``. If the port has a
global ``gErr``, its expected image holds what the old routine left there; if it has none, a note
says that this was not compared. See `emu.verify.places.slots.effects` for how effects are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.verify.images.answer_notes import AnswerNotes
from emu.verify.images.slot_values import SlotValues
from emu.verify.places.misfits import Misfits
from emu.verify.places.slots.effects import Effect, effects_in
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.columns import Column


class PortEffects:
    """The places of a program under test that its reference writes and the case does not observe.

    Args:
        find: finds the place in the program by its name, such as "gErr"; or raises MacproofError.
        values: writes values into images.
    """

    def __init__(self, find: Callable[[str], Slot], values: SlotValues) -> None:
        self._find = find
        self._values = values
        self._slots: dict[str, Slot | None] = {}

    def lay(
        self,
        before: NDArray[np.uint8],
        images: NDArray[np.uint8],
        answers: Iterable[Any],
        misfits: Misfits,
    ) -> tuple[int, tuple[Slot, ...]]:
        """Write the effects of each answer into images.

        A place that the reference's routine sets to a value, whatever it held before, holds the
        complement of that value before the call. Otherwise a port that does not set it would pass
        whenever the place holds the value already.

        Args:
            before: (scenes, image size), the images that calls begin with; they are changed.
            images: (scenes, image size), the images that they should leave; they are changed.
            answers: the reference's answer to each scene.
            misfits: gets a clause for each value that the program's type cannot hold.

        Returns:
            The number of values that were written, and the places, the last one first.
        """
        count, slots = 0, dict[str, Slot]()
        for row, answer in enumerate(answers):
            for effects in effects_in([answer]):
                for value in effects.values:
                    slot = self._slot(value)
                    if slot is not None:
                        slots[value.place] = slot
                        column = Column.of([_values(value, slot)])
                        own = Misfits()
                        self._values.store(slot, images[row : row + 1], column, value.place, own)
                        for clause in own.rows.get(0, ()):
                            misfits.note([row], clause)
                        count += int(column.sizes.sum()) - column.masked
                        _upset(value, slot, before[row : row + 1], images[row : row + 1])
        return count, tuple(reversed(slots.values()))

    def notes(self, answers: Iterable[Any]) -> AnswerNotes:
        """Which places are compared, and which writes are not."""
        compared: dict[str, None] = {}
        others: dict[str, None] = {}
        unfilled: dict[str, None] = {}
        unseen: dict[str, None] = {}
        for effects in effects_in(answers):
            others |= dict.fromkeys(effects.others)
            unfilled |= dict.fromkeys(effects.unfilled)
            unseen |= dict.fromkeys(effects.unseen)
            for value in effects.values:
                if self._slot(value) is None:
                    others[f"{value.place}, {value.values.nbytes} bytes"] = None
                else:
                    compared[value.place] = None
        return AnswerNotes(
            compared=tuple(compared),
            unobserved=tuple(others),
            unfilled=tuple(unfilled),
            unseen=tuple(unseen),
        )

    def _slot(self, effect: Effect) -> Slot | None:
        """The place of an effect in this program; None if it has none of its kind and size."""
        name = effect.place
        if name not in self._slots:
            try:
                slot: Slot | None = self._find(name)
            except MacproofError:
                slot = None
            if slot is not None and not _fits(effect, slot):
                slot = None
            self._slots[name] = slot
        return self._slots[name]


def _upset(
    effect: Effect, slot: Slot, before: NDArray[np.uint8], wanted: NDArray[np.uint8]
) -> None:
    """Write the complement of the value that a call has to set there into the image before it."""
    if effect.is_set is None or slot.type.bits is not None:
        return
    values = np.array(slot.view(wanted))
    other = (values[..., np.newaxis].view(np.uint8) ^ 0xFF).view(values.dtype)[..., 0]
    is_set = effect.is_set[np.newaxis]
    slot.view(before)[is_set] = other[is_set]


def _fits(effect: Effect, slot: Slot) -> bool:
    """Whether a place is one of numbers, and has as many as are left there."""
    if slot.type.kind == "pointer" or slot.type.wide is not None:
        return False
    if effect.is_raw:
        return slot.type.bits is None and slot.variable.type.size == effect.values.nbytes
    return bool(slot.shape == effect.values.shape)


def _values(effect: Effect, slot: Slot) -> NDArray[Any]:
    """The values of an effect; bytes of a variable on this computer become numbers of the place."""
    if not effect.is_raw:
        return effect.values
    native = slot.type.dtype.base.newbyteorder("=")
    return np.asarray(effect.values).view(native).reshape(slot.shape)
