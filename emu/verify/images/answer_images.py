"""Writes what references say into images of memory: what calls on scenes should leave.

The whole data memory of the program is compared, not only what a case observes: the expected
image is the image before the call with the observed values written over it. If the image after
the call equals it, every observed value is right *and* nothing else was changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.parts import Scene
from emu.verify.images.linked_values import LinkedValues
from emu.verify.images.observations import unchanged
from emu.verify.images.port_effects import PortEffects
from emu.verify.images.scene_images import ExpectedImages, SceneImages
from emu.verify.images.slot_values import SlotValues
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.misfits import Misfits
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.columns import Columns


class AnswerImages:
    """Makes the images that calls on one program should leave.

    Args:
        bound: the case laid onto the program.
        values: puts values into places.
        linked: puts trees and lists there.
        effects: puts what an old program's routine writes unobserved there.
    """

    def __init__(
        self, bound: BoundCase, values: SlotValues, linked: LinkedValues, effects: PortEffects
    ) -> None:
        self._bound = bound
        self._slots = bound.slots
        self._values = values
        self._linked = linked
        self._effects = effects

    def expect(self, images: SceneImages, answers: Sequence[Any]) -> ExpectedImages:
        """The images with what the calls should leave.

        Args:
            images: those that the calls begin with. Places that the reference's routine sets,
                whatever they hold and without being observed, get the complement of what it leaves
                there: ``images.before`` is changed.
            answers: the reference's answer to each scene, in the same order.

        Raises:
            CaseError: an answer lacks what the case observes, or it does not fit the program.
        """
        misfits = Misfits(images.misfits)
        expected, values = self.answered(images.before, answers, misfits)
        effects: tuple[Slot, ...] = ()
        if self._bound.case.routine is not None:
            count, effects = self._effects.lay(images.before, expected, answers, misfits)
            values += count
        same = {field.name: getattr(images, field.name) for field in fields(SceneImages)}
        same |= {"misfits": misfits.rows, "effects": effects}
        return ExpectedImages(**same, expected=expected, values=values)

    def answered(
        self, before: NDArray[np.uint8], answers: Sequence[Any], misfits: Misfits
    ) -> tuple[NDArray[np.uint8], int]:
        """What calls should leave as far as a case observes it, and how many values that are.

        Args:
            before: (scenes, image size), the images that the calls begin with.
            answers: the answer to each scene.
            misfits: takes what the program cannot hold of them.

        Raises:
            CaseError: as of `expect`.
        """
        images, answers = before.copy(), Columns.of(answers)
        values = self._lay(before, images, answers, self._slots.observed, misfits)
        if self._slots.linked:
            for image, answer in zip(images, answers, strict=True):
                values += self._linked.expect(image, answer)
        return images, values

    def partly_answered(
        self, before: NDArray[np.uint8], after: NDArray[np.uint8], answer: Any
    ) -> NDArray[np.uint8]:
        """What a call should leave if an answer says only some of what is observed.

        Args:
            before: (image size,) the image that the call began with.
            after: (image size,) what it left; what the answer lacks or masks may be anything.
            answer: an object with attributes as a reference's answer has them. Trees and lists that
                pointers link are not compared.

        Raises:
            CaseError: what it says does not fit the program.
        """
        image = unchanged(self._bound, before, after)[np.newaxis].copy()
        said = [slot for slot in self._slots.observed if hasattr(answer, slot.phrase.attribute)]
        self._lay(before[np.newaxis], image, Columns([answer]), said, Misfits())
        return np.asarray(image[0])

    def inputs_compared(self, scenes: Sequence[Scene], count: int | None = None) -> int:
        """How many input values of scenes are checked to be untouched.

        Args:
            scenes: the scenes.
            count: how many of them, from the first; None is all.
        """
        sizes = [self._values.inputs(scenes, slot).sizes for slot in self._slots.inputs]
        return sum(int(size[:count].sum()) for size in sizes)

    def _lay(
        self,
        before: NDArray[np.uint8],
        images: NDArray[np.uint8],
        answers: Columns,
        slots: Sequence[Slot],
        misfits: Misfits,
    ) -> int:
        """Put what answers say of some places into images; how many values that are."""
        values = 0
        results, calls = self._slots.results, self._bound.calls
        plan = calls.plan(before) if results else None
        for slot in slots:
            if plan is not None and slot in results:
                wanted = self._values.returned(slot, answers, plan, calls.routines)
            else:
                wanted = self._values.answered(answers, slot)
            with self._slots.about(slot):
                what = f"the reference's {slot.phrase.attribute}"
                self._values.store(slot, images, wanted, what, misfits)
            self._bound.lengths.expect(slot, images, wanted)
            values += int(wanted.sizes.sum()) - wanted.masked
        return values
