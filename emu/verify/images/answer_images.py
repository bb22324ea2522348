"""Writes the reference's answers into images of memory: what calls on scenes should leave.

The second stage on the road of a scene: `SceneImages` and answers go in, `ExpectedImages` come out.
The expected image is the image before the call, with the observed values written over it. All data
memory is compared with it, not only what a case observes. So if the image after the call equals the
expected one, every observed value is right *and* nothing else was changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.keys.parts import Scene
from emu.verify.images.linked_values import LinkedValues
from emu.verify.images.observations import unchanged
from emu.verify.images.port_effects import PortEffects
from emu.verify.images.scene_images import ExpectedImages, SceneImages
from emu.verify.images.shared_images import SharedImages
from emu.verify.images.slot_values import SlotValues
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.misfits import Misfits
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.columns import Columns


class AnswerImages:
    """Makes the images that calls on one program should leave.

    Args:
        bound: the case laid onto the program.
        values: writes single values and arrays into images.
        linked: writes trees and lists into images.
        effects: writes what a reference that is an old program or a library sets beside what the
            case observes, such as ``gErr``.
        shared: gives images that other programs have made.
    """

    def __init__(
        self,
        bound: BoundCase,
        values: SlotValues,
        linked: LinkedValues,
        effects: PortEffects,
        shared: SharedImages,
    ) -> None:
        self._bound = bound
        self._shared = shared
        self._slots = bound.slots
        self._values = values
        self._linked = linked
        self._effects = effects

    def expect(self, images: SceneImages, answers: Sequence[Any]) -> ExpectedImages:
        """Lay answers beside the images that calls begin with.

        Args:
            images: what the calls begin with. ``images.before`` is changed if the reference is a
                routine that sets places which the case does not observe: these get the complement
                of the value that it sets. If it always sets ``gErr`` to 0, ``gErr`` begins as -1,
                so that a port which forgets to set it is found.
            answers: the reference's answer to each scene, in the same order. As of
                `BeforeImages.make`, programs with equal layouts share what is made of columns.

        Raises:
            CaseError: an answer lacks what the case observes, or it does not fit the program.
        """
        return self._shared.get(
            answers,
            id(images.before),  # the value keeps it alive, so no other has its identity
            partial(self._expected, images, answers),
            lambda laid: laid.expected,
        )

    def _expected(self, images: SceneImages, answers: Sequence[Any]) -> ExpectedImages:
        """`expect`, for this program alone."""
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
        """Write the observed values of answers over copies of images.

        Args:
            before: (scenes, image size), the images that the calls begin with.
            answers: the answer to each scene.
            misfits: gets a clause for each value that the program's type cannot hold.

        Returns:
            (scenes, image size), the images that the calls should leave, and the number of values
            that were written.

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
        """The image that a call should leave if an answer has only some of the observed values.

        Args:
            before: (image size,) the image that the call began with.
            after: (image size,) what it left. Observed values that the answer lacks or masks are
                taken from here, so that they cannot be wrong.
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
        """How many values of inputs are compared, since a call must leave its inputs as they were.

        Args:
            scenes: the scenes.
            count: only so many of the first scenes count; None is all.
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
        """Write the values that answers have for some slots into images; the number of values."""
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
