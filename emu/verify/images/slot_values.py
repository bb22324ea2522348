"""Writes the numbers of scenes and of answers into the slots of images, many scenes at once.

A value goes three steps: `attributes` reads it as an array, `Columns` stacks the arrays of all
scenes, and `SlotValues.store` converts them to the slot's type, checks that each fits, and lays
them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import LINKED_LIST
from emu.cases.keys.parts import Scene
from emu.verify.calls.call_sequence import Routines
from emu.verify.images.attributes import attribute_of, read_values
from emu.verify.images.scripts import results_of, script_of
from emu.verify.places.bound_case import BoundCase
from emu.verify.places.linked_structures.pools import NULL
from emu.verify.places.misfits import Misfits, WiderTypes
from emu.verify.places.slots.argument_layout import CALLS, SCRIPT
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.columns import Column, ColumnItem, Columns, UniformArrays


class SlotValues:
    """The values of scenes and answers for the slots of a case, and how images hold them.

    Args:
        bound: the case laid onto a program.
    """

    def __init__(self, bound: BoundCase) -> None:
        self._case = bound.case
        self._slots = bound.slots
        self._wider = WiderTypes(bound)

    def inputs(self, scenes: Sequence[Scene], slot: Slot) -> Column:
        """The value of each scene for a slot that scenes fill in; a pointer is an index."""
        with self._slots.about(slot):
            filler = slot.phrase.attribute
            is_made = filler == LINKED_LIST or slot.variable.name in (CALLS, SCRIPT)
            return Columns.of(scenes).column(
                _key(slot),
                lambda item: self._filler(item, slot),
                filler if _is_plain(slot) and not is_made else "",
            )

    def _filler(self, item: ColumnItem, slot: Slot) -> NDArray[Any]:
        scene, filler = item.source, slot.phrase.attribute
        if self._case.script and slot.variable.name in (CALLS, SCRIPT):
            script = script_of(self._case, scene)
            return script if slot.variable.name == SCRIPT else np.array(len(script))
        if filler == LINKED_LIST:
            links = np.arange(1, max(scene.objects, 1) + 1)
            links[-1] = NULL
            return links
        who = f"a scene of {self._case.make} has"
        if not hasattr(type(scene), filler) and not hasattr(scene, filler):
            names = [
                name
                for name in dir(scene)
                if not name.startswith("_") and not callable(getattr(type(scene), name, None))
            ]
            hint = did_you_mean(filler, [*names, LINKED_LIST])
            raise CaseError(
                self._case.path, f"{who} no {filler}, which {slot.name} is to be filled with{hint}"
            )
        return read_values(item, slot, who, self._case.path)

    def answered(self, answers: Sequence[Any], slot: Slot) -> Column:
        """The value of each answer for an observed slot; a pointer is an index."""
        who, path = f"{self._case.reference} gives", self._case.path
        with self._slots.about(slot):
            return Columns.of(answers).column(
                _key(slot),
                lambda answer: read_values(answer, slot, who, path),
                slot.phrase.attribute if _is_plain(slot) else "",
            )

    def returned(
        self, slot: Slot, answers: Sequence[Any], plan: NDArray[np.int64], routines: Routines
    ) -> Column:
        """The values of each answer that the calls of a slot's routine should return.

        Args:
            slot: one of `CaseSlots.results`.
            answers: the answers.
            plan: (scenes, calls) the routines that each scene calls, from `CallSequence.plan`.
            routines: the routines.
        """
        who = f"{self._case.reference} gives"
        own = self._slots.results[slot]
        return Column.of(
            [
                results_of(
                    attribute_of(answer, slot.phrase.attribute, who, self._case.path),
                    own,
                    calls,
                    routines,
                    self._case,
                )
                for answer, calls in zip(Columns.of(answers).items(), plan, strict=True)
            ]
        )

    def store(
        self,
        slot: Slot,
        images: NDArray[np.uint8],
        column: Column,
        what: str,
        misfits: Misfits,
    ) -> None:
        """Write one array into the slot of each image, from the slot's first element on.

        Masked values leave the image as it is. A value that the slot's type cannot hold, while the
        reference's or another declaration could, is laid as its low bits and noted in ``misfits``:
        then the program is wrong. If no other declaration could hold it, the case is wrong.

        Args:
            slot: the slot.
            images: (scenes, image size) uint8; they are changed.
            column: an array for each image.
            what: the values in words, for messages: "the scene's key".
            misfits: gets a clause for each scene with a value that does not fit.

        Raises:
            CaseError: an array has the wrong shape or no room, or a value does not fit the slot and
                nobody declares a type that it would fit. Its ``rows`` has all such arrays.
        """
        target = slot.view(images)
        self._require_room(slot, column, what)
        first: CaseError | None = None
        for alike in column.alike:
            if alike.is_nothing:
                continue
            try:
                self._lay(slot, target, alike, what, misfits)
            except CaseError as error:
                first = first or error
                if error is not first:
                    first.rows = (*first.rows, *error.rows)
        if first is not None:
            raise first

    def _lay(
        self,
        slot: Slot,
        target: NDArray[Any],
        alike: UniformArrays,
        what: str,
        misfits: Misfits,
    ) -> None:
        """Write uniform arrays into a slot of the images, of which ``target`` is a view."""
        shape, masks = alike.shape, alike.masks
        rows = slice(None) if len(alike.rows) == len(target) else alike.rows
        place = (rows, slice(shape[0])) if shape else (rows,)
        if slot.type.bits is None:
            laid = self._as_stored(slot, alike, target.dtype, what, misfits)
        else:
            values = self._fitting(slot, alike, what, misfits)
            laid = slot.type.bits.put(target[place], values)
        target[place] = np.where(masks, target[place], laid) if masks.any() else laid

    def _as_stored(
        self, slot: Slot, alike: UniformArrays, kind: np.dtype[Any], what: str, misfits: Misfits
    ) -> NDArray[Any]:
        """The values of uniform arrays in the dtype of a slot."""
        if slot.type.kind == "pointer":
            addresses = self._addresses(slot, alike.values, what)
            given = replace(alike, values=addresses, laid={})
            return self._converted(slot, given, kind, what, misfits)
        if slot.type.wide is not None:
            return self._wide(slot, alike.values, alike.masks, what)
        if kind not in alike.laid:
            return self._converted(slot, alike, kind, what, misfits)
        return alike.laid[kind]

    def _require_room(self, slot: Slot, column: Column, what: str) -> None:
        """Check that each array of a column has room in a slot."""
        told = [
            (self._no_room(slot, alike.shape, what), alike.rows)
            for alike in column.alike
            if not alike.is_nothing
        ]
        refused = [(error, rows) for error, rows in told if error is not None]
        if refused:
            error = refused[0][0]
            error.rows = tuple(sorted(row for _, rows in refused for row in rows.tolist()))
            raise error

    def _no_room(self, slot: Slot, shape: tuple[int, ...], what: str) -> CaseError | None:
        """Why an array of a shape has no room in a slot; None if it has."""
        if len(shape) != len(slot.shape) or shape[1:] != slot.shape[1:]:
            is_room_missing = slot.variable.name.startswith("*") and not slot.shape
            return CaseError(
                self._case.path,
                f"{what} has shape {shape}, {slot.name} has {slot.shape}",
                remedy="Say how many elements there is room for, with count beside points_to."
                if is_room_missing
                else "",
            )
        if shape and shape[0] > slot.shape[0]:
            return CaseError(
                self._case.path,
                f"{what} has {shape[0]} values, {slot.name} has room for {slot.shape[0]}",
            )
        return None

    def _addresses(self, slot: Slot, indices: NDArray[Any], what: str) -> NDArray[Any]:
        """The addresses of elements, by their indices, in the array that a slot points into."""
        if indices.dtype.kind == "f":
            raise CaseError(
                self._case.path, f"{what} is {indices.dtype}, not the indices {slot.name} needs"
            )
        return self._slots.pools.addresses(slot, indices)

    def _fitting(
        self, slot: Slot, alike: UniformArrays, what: str, misfits: Misfits
    ) -> NDArray[Any]:
        """Numbers for a bit-field; each that is not masked must fit there."""
        bits, values = slot.type.bits, alike.values
        assert bits is not None
        most = 1 if slot.type.kind == "boolean" else bits.most
        fits = (values >= bits.least) & (values <= most) & (values == np.trunc(values))
        holds = f": a bit-field of {bits.width} bits holds {bits.least:,} to {most:,}"
        self._require_fit(slot, alike, fits | alike.masks, what, misfits, holds)
        whole = np.where(alike.masks, 0, values)
        return whole.astype(np.uint64 if bits.width == 64 and not bits.is_signed else np.int64)

    def _require_fit(
        self,
        slot: Slot,
        alike: UniformArrays,
        fits: NDArray[np.bool_],
        what: str,
        misfits: Misfits,
        holds: str = "",
    ) -> bool:
        """Refuse values that do not fit, unless another declaration of the place could hold them.

        Returns:
            Whether all fit. If not, the caller lays the low bits of the values.
        """
        fits = np.broadcast_to(fits, alike.values.shape)
        if fits.all():
            return True
        clause = self._wider.misfit(slot, alike.values, fits, what)
        rows = alike.rows[~fits.reshape(len(fits), -1).all(axis=1)].tolist()
        if clause:
            misfits.note(rows, clause)
            return False
        error = CaseError(
            self._case.path,
            f"{what} has values that {slot.name} ({slot.type.name}) cannot hold{holds}",
        )
        error.rows = tuple(rows)
        raise error

    def _wide(
        self, slot: Slot, values: NDArray[Any], masks: NDArray[np.bool_], what: str
    ) -> NDArray[Any]:
        """Numbers as a slot of long doubles holds them; one that would be rounded is an error."""
        form = slot.type.wide
        assert form is not None
        try:
            return form.encode(np.where(masks, 0, values.astype(object)))
        except (TypeError, ValueError) as error:
            raise CaseError(
                self._case.path,
                f"{what} has values that {slot.name} ({slot.type.name}) cannot hold: {error}",
            ) from None

    def _converted(
        self, slot: Slot, alike: UniformArrays, kind: np.dtype[Any], what: str, misfits: Misfits
    ) -> NDArray[Any]:
        """Values in the dtype of a slot; each must fit there, unless it is masked."""
        values, masks = alike.values, alike.masks
        if kind.kind in "iu" and np.can_cast(values.dtype, kind, "safe"):
            return values.astype(kind)  # every value of the narrower type fits the wider one
        with np.errstate(all="ignore"):  # NumPy would only warn; `_require_fit` raises an error
            laid = values.astype(kind)
            same = (laid == values) | masks
            if laid.dtype.kind == "f" or values.dtype.kind == "f":
                # Compared there and back, too: to compare 2**53 + 1 with its float, NumPy converts
                # it to that float first, and then they are equal.
                same &= (laid.astype(values.dtype) == values) | masks
                same |= (laid != laid) & (values != values)  # a NaN stays one in any float
        if self._require_fit(slot, alike, same, what, misfits):
            alike.laid[kind] = laid
        return laid


def _is_plain(slot: Slot) -> bool:
    """Whether a slot takes an array of numbers as it is, and no texts or names of functions."""
    return not (slot.phrase.text or slot.phrase.is_function)


def _key(slot: Slot) -> Hashable:
    """A key that is equal for slots of two programs if the same arrays are read for them."""
    return slot.name, slot.phrase, slot.shape, slot.type.size == 1, slot.type.wide is None
