"""Turns scenes into guest images, references into expected images, and differences into words.

The whole data memory of the program is compared, not only what a case observes: the expected
image is the image before the call with the observed values written over it. If the image after
the call equals it, every observed value is right *and* nothing else was changed. Words are
looked for only where images differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, ProgramError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import LINKED_LIST, Case, Observed, Scene
from emu.machine import Machine, Surroundings
from emu.verify.differences import Differences, Divergence, Rerun
from emu.verify.fields import Slot
from emu.verify.fills import Donor, Fill, Preparation
from emu.verify.pools import NULL, Pools

_COMPARABLE = {"integer", "boolean", "enumeration", "float", "pointer"}


class BoundCase:
    """A case bound to a machine: names resolved, types checked, offsets known.

    Raises:
        CaseError, ProgramError: a name of the case is not in the program, or of the wrong kind.
    """

    def __init__(self, case: Case, machine: Machine) -> None:
        self.case = case
        self.machine = machine
        self.routine = machine.program.function(case.call)
        self._require_no_parameters()
        self._inputs = [
            (self._slot(variable, member), filler)
            for variable, members in case.inputs.items()
            for member, filler in members.items()
        ]
        for slot, filler in self._inputs:
            if filler == LINKED_LIST and (slot.type.kind != "pointer" or not slot.shape):
                raise CaseError(
                    case.path,
                    f"{slot.name} is a {slot.type.name}, not a pointer in an array, so it cannot "
                    "be filled with a linked list",
                )
        self._observed = [(self._slot(o.variable, o.member), o) for o in case.observed]
        arrays = {slot.variable.name: slot.variable for slot, _ in self._inputs}
        arrays |= {slot.variable.name: slot.variable for slot, _ in self._observed}
        slots = [slot for slot, _ in self._inputs] + [slot for slot, _ in self._observed]
        self._pools = Pools(case.path, arrays.values(), slots)
        self.differences = Differences(
            machine,
            self._pools,
            [slot for slot, _ in self._observed],
            [slot for slot, _ in self._inputs],
        )
        self._addresses = self._pools.some_addresses()
        fillable = np.zeros((1, len(machine.pristine)), dtype=np.uint8)
        for slot, _ in [*self._observed, *self._inputs]:
            every = slot.view(fillable)
            every[...] = np.frombuffer(b"\xff" * every.dtype.itemsize, every.dtype)[0]
        self._fillable = fillable[0] != 0

    def _require_no_parameters(self) -> None:
        """Refuse a routine that would be called with whatever lies where its arguments should."""
        signature = self.machine.program.signature(self.case.call)
        needs = signature.needs(self.case.call) if signature is not None else ""
        if needs:
            line = self.case.lines.get(self.case.call)
            raise CaseError(
                self.case.path,
                f"{needs}, and a case cannot give arguments yet",
                where="" if line is None else f"line {line}",
                remedy="Call a small driver without parameters",
            )

    # -- images ------------------------------------------------------------------------------

    def before(
        self, scenes: Sequence[Scene], preparations: Sequence[Preparation] | None = None
    ) -> NDArray[np.uint8]:
        """(scenes, image size) images to begin calls with.

        Arrays of the scenes may have different lengths; calls of one batch are most alike in
        their work if the scenes have the same number of objects.

        Args:
            scenes: the scenes.
            preparations: how memory that is promised to nobody is filled, for each of them; as
                the loader leaves it if left out.

        Raises:
            CaseError: a scene lacks what the case fills in, or it does not fit the program.
        """
        images = np.tile(self.machine.pristine, (len(scenes), 1))
        if preparations is not None:
            self._fill(images, preparations)
        for slot, filler in self._inputs:
            given = [self._given(scene, slot, filler) for scene in scenes]
            self._store_arrays(slot, images, given, f"the scene's {filler}")
        return images

    def surroundings(self, preparations: Sequence[Preparation]) -> list[Surroundings]:
        """What calls that are prepared so find on the stack and in registers."""
        return [one.surroundings(self._addresses) for one in preparations]

    def _fill(self, images: NDArray[np.uint8], preparations: Sequence[Preparation]) -> None:
        """Fill the places of images that a case names."""
        donors = [one.donor for one in preparations if one.donor is not None]
        left = iter(self._left_by(donors) if donors else ())
        for image, one in zip(images, preparations, strict=True):
            if one.fill is Fill.STALE:
                np.copyto(image, next(left), where=self._fillable)
            elif one.fill is not Fill.LOADED:
                np.copyto(image, one.pattern(len(image)), where=self._fillable)
            if one.inverted:
                np.bitwise_xor(image, 0xFF, out=image, where=self._fillable)

    def _left_by(self, donors: Sequence[Donor]) -> NDArray[np.uint8]:
        """Images as calls on other scenes leave them.

        Arrays that a scene or its results do not fill go on with the same values, so that the
        end of each looks like the rest.
        """
        scenes = [donor.scene for donor in donors]
        images, _ = self.expected(self.before(scenes), [donor.answer for donor in donors])
        filled = [
            (slot, [self._given(s, slot, filler) for s in scenes]) for slot, filler in self._inputs
        ]
        filled += [
            (slot, [self._answered(donor.answer, o) for donor in donors])
            for slot, o in self._observed
        ]
        for slot, arrays in filled:
            for values, array in zip(slot.view(images), arrays, strict=True):
                if slot.shape and 0 < len(array) < slot.shape[0]:
                    rest = values[len(array) :]
                    rest[...] = np.resize(values[: len(array)], rest.shape)
        return images

    def expected(
        self, before: NDArray[np.uint8], references: Sequence[Any]
    ) -> tuple[NDArray[np.uint8], int]:
        """The images calls should leave, and how many values of the reference they hold.

        Args:
            before: what `before` gave.
            references: the reference's answer to each scene, in the same order.

        Raises:
            CaseError: a reference lacks what the case observes, or it does not fit the program.
        """
        images = before.copy()
        values = 0
        for slot, observed in self._observed:
            wanted = [self._answered(answer, observed) for answer in references]
            self._store_arrays(slot, images, wanted, f"the reference's {observed.attribute}")
            values += sum(array.size for array in wanted)
        return images, values

    def inputs_compared(self, scenes: Sequence[Scene]) -> int:
        """How many input values of scenes are checked to be untouched."""
        return sum(
            self._given(scene, slot, filler).size
            for slot, filler in self._inputs
            for scene in scenes
        )

    def _given(self, scene: Scene, slot: Slot, filler: str) -> NDArray[Any]:
        """What fills a slot for one scene; pointers as indices."""
        if filler == LINKED_LIST:
            links = np.arange(1, max(scene.objects, 1) + 1)
            links[-1] = NULL
            return links
        who = f"a scene of {self.case.make} has"
        if not hasattr(type(scene), filler) and not hasattr(scene, filler):
            known = [
                name
                for name in dir(scene)
                if not name.startswith("_") and not callable(getattr(type(scene), name, None))
            ]
            hint = did_you_mean(filler, [*known, LINKED_LIST])
            raise CaseError(
                self.case.path, f"{who} no {filler}, which {slot.name} is to be filled with{hint}"
            )
        return self._array(scene, filler, who)

    def _answered(self, answer: Any, observed: Observed) -> NDArray[Any]:
        """What a reference's answer says of something observed."""
        return self._array(answer, observed.attribute, f"{self.case.reference} gives")

    def _array(self, source: Any, attribute: str, who: str) -> NDArray[Any]:
        """An attribute of a scene, or of a reference's answer, as an array of numbers.

        ``who`` begins the messages.
        """
        try:
            found = getattr(source, attribute)
        except AttributeError as error:
            raise CaseError(self.case.path, f"{who} no {attribute}") from error
        except (Exception, SystemExit) as error:  # a property may be anybody's code
            why = f"{type(error).__name__}: {error}"
            raise CaseError(self.case.path, f"{who} no {attribute} ({why})") from error
        try:
            array = np.asarray(found)
        except ValueError as error:
            raise CaseError(
                self.case.path, f"{who} {attribute} in rows of different lengths"
            ) from error
        if array.size == 0 and array.dtype == np.float64:
            return array.astype(np.int64)  # NumPy's idea of an empty list
        if array.dtype.kind not in "biuf":
            raise CaseError(self.case.path, f"{who} {attribute} as {array.dtype}, not as numbers")
        return array

    def _store_arrays(
        self, slot: Slot, images: NDArray[np.uint8], arrays: Sequence[NDArray[Any]], what: str
    ) -> None:
        """Put one array into the slot of each image, from its beginning on."""
        by_shape: dict[tuple[int, ...], list[int]] = {}
        for index, array in enumerate(arrays):
            by_shape.setdefault(array.shape, []).append(index)
        target = slot.view(images)
        for shape, rows in by_shape.items():
            if len(shape) != len(slot.shape) or shape[1:] != slot.shape[1:]:
                raise CaseError(
                    self.case.path, f"{what} has shape {shape}, {slot.name} has {slot.shape}"
                )
            if shape and shape[0] > slot.shape[0]:
                raise CaseError(
                    self.case.path,
                    f"{what} has {shape[0]} values, {slot.name} has room for {slot.shape[0]}",
                )
            values = np.stack([arrays[row] for row in rows])
            if slot.type.kind == "pointer":
                if values.dtype.kind == "f":
                    raise CaseError(
                        self.case.path,
                        f"{what} is {values.dtype}, not the indices {slot.name} needs",
                    )
                values = self._pools.addresses(slot, values)
            with np.errstate(all="ignore"):  # what does not fit is told in words
                laid = values.astype(target.dtype)
                fits = bool((laid == values).all())
                if laid.dtype.kind == "f" or values.dtype.kind == "f":
                    # A number that is lost in the other kind comes back as another.
                    fits = fits and bool((laid.astype(values.dtype) == values).all())
            if not fits:
                raise CaseError(
                    self.case.path,
                    f"{what} has values that {slot.name} ({slot.type.name}) cannot hold",
                )
            target[(rows, slice(shape[0])) if shape else (rows,)] = laid

    # -- words -------------------------------------------------------------------------------

    def divergence(
        self,
        expected: NDArray[np.uint8],
        found: NDArray[np.uint8],
        rerun: Rerun | None = None,
    ) -> Divergence | None:
        """The first difference of two images of shape (image size,), or None.

        ``rerun`` says what became of the scene with its memory filled in another way.
        """
        return self.differences.first(expected, found, rerun)

    def rerun(
        self, before: NDArray[np.uint8], scene: Scene, preparation: Preparation
    ) -> Rerun | None:
        """The same call with the complement of every filled byte; None if it does not come back.

        ``before`` is the image the call began with.
        """
        other = replace(preparation, inverted=True)
        again = self.before([scene], [other])
        batch = self.machine.run_batch(self.routine, again, self.surroundings([other]))
        return Rerun(before, again[0], batch.after[0]) if batch.completed else None

    def observation(self, image: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        """Everything a case observes or fills in, from an image of shape (image size,).

        Pointers appear as the index of the element they point at: -1 for null, -2 for anything
        outside. Values are in the host's byte order, so observations of different processors
        can be compared.
        """
        values = {}
        for slot in [s for s, _ in self._observed] + [s for s, _ in self._inputs]:
            raw = slot.view(image[np.newaxis])[0]
            if slot.type.kind == "pointer":
                values[slot.name] = self._pools.indices(slot, raw)
            else:
                host = np.float64 if slot.type.kind == "float" else np.int64
                values[slot.name] = raw.astype(host)
        return values

    # -- inside ------------------------------------------------------------------------------

    def _slot(self, name: str, member: str) -> Slot:
        variable = self.machine.program.variable(name)
        start = self.machine.data.offset(variable.address)
        kind = variable.type.scalar
        if member:
            field = variable.type.field(member)
            if field is None:
                raise ProgramError(
                    self.machine.program.path,
                    f"{name} is not an array of structs with a {member}, nor such a struct",
                )
            kind = field.type.scalar
        elif kind.kind == "struct":
            raise CaseError(self.case.path, f"say which member of {name} is meant")
        if kind.kind not in _COMPARABLE:
            raise CaseError(
                self.case.path,
                f"{name}{'.' if member else ''}{member} is a {kind.name}; only numbers and "
                "pointers can be set or compared",
            )
        if variable.type.size > self.machine.data.room(variable.address):
            raise ProgramError(
                self.machine.program.path, f"{name} reaches beyond the program's data memory"
            )
        return Slot(variable, member, kind, start)
