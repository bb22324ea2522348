"""Moves numbers between scenes, answers of references and the slots of guest images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import LINKED_LIST, Case
from emu.cases.parts import Scene
from emu.verify.argument_layout import CALLS, SCRIPT
from emu.verify.attributes import attribute_of, read_values
from emu.verify.call_sequence import Routines
from emu.verify.case_slots import CaseSlots
from emu.verify.fields import Slot
from emu.verify.pools import NULL
from emu.verify.scripts import results_of, script_of


class SlotValues:
    """What scenes and answers say of the slots of a case, and how images hold it.

    Args:
        case: the case.
        slots: its slots in a program.
    """

    def __init__(self, case: Case, slots: CaseSlots) -> None:
        self._case = case
        self._slots = slots

    def given(self, scene: Scene, slot: Slot) -> NDArray[Any]:
        """What fills a slot for one scene; pointers as indices."""
        try:
            return self._filler(scene, slot)
        except CaseError:  # entering a context for each array would cost a tenth of a call
            with self._slots.about(slot):
                raise

    def _filler(self, scene: Scene, slot: Slot) -> NDArray[Any]:
        filler = slot.phrase.attribute
        if self._case.script and slot.variable.name in (CALLS, SCRIPT):
            script = script_of(self._case, scene)
            return script if slot.variable.name == SCRIPT else np.array(len(script))
        if filler == LINKED_LIST:
            links = np.arange(1, max(scene.objects, 1) + 1)
            links[-1] = NULL
            return links
        who = f"a scene of {self._case.make} has"
        if not hasattr(type(scene), filler) and not hasattr(scene, filler):
            known = [
                name
                for name in dir(scene)
                if not name.startswith("_") and not callable(getattr(type(scene), name, None))
            ]
            hint = did_you_mean(filler, [*known, LINKED_LIST])
            raise CaseError(
                self._case.path, f"{who} no {filler}, which {slot.name} is to be filled with{hint}"
            )
        return read_values(scene, slot, who, self._case.path)

    def answered(self, answer: Any, slot: Slot) -> NDArray[Any]:
        """What a reference's answer says of an observed slot."""
        try:
            return read_values(answer, slot, f"{self._case.reference} gives", self._case.path)
        except CaseError:
            with self._slots.about(slot):
                raise

    def returned(
        self, slot: Slot, answers: Sequence[Any], plan: NDArray[np.int64], routines: Routines
    ) -> list[NDArray[Any]]:
        """What each answer says that the calls of a slot's routine return.

        Args:
            slot: one of `CaseSlots.results`.
            answers: the answers.
            plan: which routines each scene calls, from `CallSequence.plan`.
            routines: the routines.
        """
        who = f"{self._case.reference} gives"
        own = self._slots.results[slot]
        return [
            results_of(
                attribute_of(answer, slot.phrase.attribute, who, self._case.path),
                own,
                calls,
                routines,
                self._case,
            )
            for answer, calls in zip(answers, plan, strict=True)
        ]

    def store(
        self, slot: Slot, images: NDArray[np.uint8], arrays: Sequence[NDArray[Any]], what: str
    ) -> None:
        """Put one array into the slot of each image, from its beginning on.

        Masked values of an array leave the image as it is.
        """
        alike: dict[tuple[tuple[int, ...], np.dtype[Any]], list[int]] = {}
        for index, array in enumerate(arrays):  # int64 beside uint64 would become float64
            alike.setdefault((array.shape, array.dtype), []).append(index)
        target = slot.view(images)
        for (shape, _), rows in alike.items():
            self._require_room(slot, shape, what)
            masks = np.zeros((), np.bool_)
            if any(isinstance(arrays[row], np.ma.MaskedArray) for row in rows):
                masks = np.stack([np.ma.getmaskarray(arrays[row]) for row in rows])
            values = np.stack([np.asarray(arrays[row]) for row in rows])
            if slot.type.kind == "pointer":
                values = self._addresses(slot, values, what)
            place = (rows, slice(shape[0])) if shape else (rows,)
            if slot.type.wide is not None:
                laid = self._wide(slot, values, masks, what)
            elif slot.type.bits is None:
                laid = self._converted(slot, values, masks, target.dtype, what)
            else:
                laid = slot.type.bits.put(target[place], self._fitting(slot, values, masks, what))
            target[place] = np.where(masks, target[place], laid) if masks.any() else laid

    def _require_room(self, slot: Slot, shape: tuple[int, ...], what: str) -> None:
        """Check that an array of a shape has room in a slot."""
        if len(shape) != len(slot.shape) or shape[1:] != slot.shape[1:]:
            is_room_missing = slot.variable.name.startswith("*") and not slot.shape
            raise CaseError(
                self._case.path,
                f"{what} has shape {shape}, {slot.name} has {slot.shape}",
                remedy="Say how many elements there is room for, with count beside points_to."
                if is_room_missing
                else "",
            )
        if shape and shape[0] > slot.shape[0]:
            raise CaseError(
                self._case.path,
                f"{what} has {shape[0]} values, {slot.name} has room for {slot.shape[0]}",
            )

    def _addresses(self, slot: Slot, indices: NDArray[Any], what: str) -> NDArray[Any]:
        """The pointers to elements of the array that a slot points into."""
        if indices.dtype.kind == "f":
            raise CaseError(
                self._case.path, f"{what} is {indices.dtype}, not the indices {slot.name} needs"
            )
        return self._slots.pools.addresses(slot, indices)

    def _fitting(
        self, slot: Slot, values: NDArray[Any], masks: NDArray[np.bool_], what: str
    ) -> NDArray[Any]:
        """Numbers for a bit-field; each that is not masked must fit there."""
        bits = slot.type.bits
        assert bits is not None
        most = 1 if slot.type.kind == "boolean" else bits.most
        fits = (values >= bits.least) & (values <= most) & (values == np.trunc(values))
        if not (fits | masks).all():
            raise CaseError(
                self._case.path,
                f"{what} has values that {slot.name} ({slot.type.name}) cannot hold: a bit-field "
                f"of {bits.width} bits holds {bits.least:,} to {most:,}",
            )
        whole = np.where(masks, 0, values)
        return whole.astype(np.uint64 if bits.width == 64 and not bits.is_signed else np.int64)

    def _wide(
        self, slot: Slot, values: NDArray[Any], masks: NDArray[np.bool_], what: str
    ) -> NDArray[Any]:
        """Numbers as a slot of long doubles holds them; none that is not masked is rounded."""
        form = slot.type.wide
        assert form is not None
        try:
            return form.laid(np.where(masks, 0, values.astype(object)))
        except (TypeError, ValueError) as error:
            raise CaseError(
                self._case.path,
                f"{what} has values that {slot.name} ({slot.type.name}) cannot hold: {error}",
            ) from None

    def _converted(
        self,
        slot: Slot,
        values: NDArray[Any],
        masks: NDArray[np.bool_],
        kind: np.dtype[Any],
        what: str,
    ) -> NDArray[Any]:
        """Values as a slot holds them; each that is not masked must fit there."""
        with np.errstate(all="ignore"):  # what does not fit is told in words
            laid = values.astype(kind)
            same = (laid == values) | masks
            if laid.dtype.kind == "f" or values.dtype.kind == "f":
                # A number that is lost in the other kind comes back as another.
                same &= (laid.astype(values.dtype) == values) | masks
                same |= (laid != laid) & (values != values)  # a NaN stays one in any float
        if not same.all():
            raise CaseError(
                self._case.path,
                f"{what} has values that {slot.name} ({slot.type.name}) cannot hold",
            )
        return laid
