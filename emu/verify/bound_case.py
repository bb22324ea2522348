"""Turns scenes into guest images, references into expected images, and differences into words.

The whole data memory of the program is compared, not only what a case observes: the expected
image is the image before the call with the observed values written over it. If the image after
the call equals it, every observed value is right *and* nothing else was changed. Words are
looked for only where images differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, ProgramError
from emu.base.yaml_document import did_you_mean
from emu.cases.arguments import RESULT, Phrase
from emu.cases.case import LINKED_LIST, Case, Observed, Scene
from emu.cases.programs import Subject
from emu.machine import Cpu, Surroundings
from emu.machine.program_file import program_and_cpu
from emu.program import Field, GuestType, Program, Variable
from emu.toolbox.machine import Machine
from emu.verify.argument_layout import RECORD, heap_size, lay_arguments
from emu.verify.attributes import read_values
from emu.verify.blame import Blame
from emu.verify.call_sequence import CallSequence
from emu.verify.called_before import BeforeFailed, CalledBefore
from emu.verify.declared import declared
from emu.verify.differences import Differences, Divergence, Rerun
from emu.verify.fields import Slot
from emu.verify.fills import Donor, Fill, Preparation
from emu.verify.pools import NULL, Pools
from emu.verify.toolbox_answers import store_answers

_COMPARABLE = {"integer", "boolean", "enumeration", "float", "pointer"}


class BoundCase:
    """A case bound to a machine: names resolved, types checked, offsets known.

    Raises:
        CaseError, ProgramError: a name of the case is not in the program, or of the wrong kind.
    """

    def __init__(self, case: Case, machine: Machine) -> None:
        self.case = case
        self.machine = machine
        self._layout = lay_arguments(case, machine)
        self._blame = Blame(case, self._layout)
        self.calls = CallSequence(machine, self._layout.site, self._layout.counter)
        answers = self._layout.answers
        machine.answers = {name: one.address for name, one in answers.items()}
        self._answers = [
            Slot(one, (), one.type, machine.data.offset(one.address), Phrase(case.toolbox[name]))
            for name, one in answers.items()
        ]
        self._before = CalledBefore(case, machine)
        self._inputs = [
            self._slot(self._variable(variable), member, phrase, filled=True)
            for variable, members in case.inputs.items()
            for member, phrase in members.items()
        ]
        self._inputs += [
            self._slot(one.variable, one.member, one.phrase, filled=True)
            for one in self._layout.fillings
        ]
        self._observed = [
            self._slot(self._variable(one.variable), self._member(one), one.phrase, filled=False)
            for one in case.observed
        ]
        slots = [*self._observed, *self._inputs]
        for slot in self._inputs:
            self._require_fillable(slot)
        arrays = {slot.variable.name: slot.variable for slot in [*self._inputs, *self._observed]}
        arrays |= self._layout.variables
        self._pools = Pools(case.path, arrays.values())
        for slot in slots:
            with self._about(slot):
                self._pools.check(slot)
        self.differences = Differences(
            machine,
            self._pools,
            self._observed,
            self._inputs,
            [self._variable(name) for name in self._kept_of(case.ignored)],
            self._layout.beside,
        )
        self._addresses = self._pools.some_addresses()
        self._fillable = self._places_to_fill(slots)
        self._constants = [
            (machine.data.offset(place), np.frombuffer(address.to_bytes(4, "big"), np.uint8))
            for place, address in self._layout.addresses.items()
        ]

    @classmethod
    def of(cls, case: Case, subject: Subject) -> BoundCase:
        """The case laid onto a program, on a machine of its own.

        Raises:
            CaseError, ProgramError: a name of the case is not in the program, or of a wrong kind.
        """
        program, cpu = program_and_cpu(subject, None)
        if case.prototype or case.convention:
            program = declared(program, case, case.call, case.prototype, case.convention)
        return cls.on(case, program, cpu)

    @classmethod
    def on(cls, case: Case, program: Program, cpu: Cpu) -> BoundCase:
        """The case laid onto a program that has been read, on a machine of its own.

        Raises:
            CaseError, ProgramError: as of `of`.
        """
        return cls(case, Machine(program, cpu, heap_size=heap_size(case, program, cpu)))

    def _require_fillable(self, slot: Slot) -> None:
        if slot.phrase.attribute == LINKED_LIST and (slot.type.kind != "pointer" or not slot.shape):
            raise CaseError(
                self.case.path,
                f"{slot.name} is a {slot.type.name}, not a pointer in an array, so it cannot "
                "be filled with a linked list",
            )
        if slot.phrase.tolerance:
            with self._about(slot):
                problem = f"{slot.name} is filled, so within says nothing"
                raise CaseError(self.case.path, problem)

    def _places_to_fill(self, slots: Sequence[Slot]) -> NDArray[np.bool_]:
        """Which bytes of an image may begin as anything: slots, and the heap of the arguments."""
        fillable = np.zeros((1, len(self.machine.pristine)), dtype=np.uint8)
        for slot in slots:
            every = slot.view(fillable)
            every[...] = np.frombuffer(b"\xff" * every.dtype.itemsize, every.dtype)[0]
        if self._layout.start:
            start = self.machine.data.offset(self._layout.start)
            fillable[0, start : start + self._layout.end - self._layout.start] = 0xFF
        return np.asarray(fillable[0] != 0)

    def _about(self, slot: Slot) -> AbstractContextManager[None]:
        """Adds the line of the case file to errors about a slot."""
        filled = any(one is slot for one in self._inputs)
        return self._blame.about(slot.variable, slot.member, filled=filled)

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
            BeforeFailed: a routine that is called before did not return, or broke a rule.
        """
        images = np.tile(self.machine.pristine, (len(scenes), 1))
        if preparations is not None:
            self._fill(images, preparations)
        for slot in self._answers:
            store_answers(self.case, slot, images, [self._given(one, slot) for one in scenes])
        around = None if preparations is None else self.surroundings(preparations)
        images = self._before.call(images, around)
        for place, address in self._constants:
            images[:, place : place + 4] = address
        for slot in self._inputs:
            given = [self._given(scene, slot) for scene in scenes]
            with self._about(slot):
                self._store_arrays(slot, images, given, f"the scene's {slot.phrase.attribute}")
        return images

    def surroundings(self, preparations: Sequence[Preparation]) -> list[Surroundings]:
        """What calls that are prepared so find on the stack and in registers."""
        return [one.surroundings(self._addresses) for one in preparations]

    def _fill(self, images: NDArray[np.uint8], preparations: Sequence[Preparation]) -> None:
        """Fill the places of images that a case names."""
        donors = [one.donor for one in preparations if one.donor is not None]
        try:
            left = iter(self._left_by(donors) if donors else ())
        except BeforeFailed as failed:
            failed.row = [one.donor for one in preparations].index(donors[failed.row])
            raise
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
        filled = [(slot, [self._given(one, slot) for one in scenes]) for slot in self._inputs]
        filled += [
            (slot, [self._answered(donor.answer, slot) for donor in donors])
            for slot in self._observed
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
        for slot in self._observed:
            wanted = [self._answered(answer, slot) for answer in references]
            with self._about(slot):
                self._store_arrays(slot, images, wanted, f"the reference's {slot.phrase.attribute}")
            values += sum(array.size for array in wanted)
            values -= sum(int(np.sum(a.mask)) for a in wanted if isinstance(a, np.ma.MaskedArray))
        return images, values

    def inputs_compared(self, scenes: Sequence[Scene]) -> int:
        """How many input values of scenes are checked to be untouched."""
        return sum(self._given(scene, slot).size for slot in self._inputs for scene in scenes)

    def _given(self, scene: Scene, slot: Slot) -> NDArray[Any]:
        """What fills a slot for one scene; pointers as indices."""
        try:
            return self._filler(scene, slot)
        except CaseError:  # entering a context for each array would cost a tenth of a call
            with self._about(slot):
                raise

    def _filler(self, scene: Scene, slot: Slot) -> NDArray[Any]:
        filler = slot.phrase.attribute
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
        return read_values(scene, slot, who, self.case.path)

    def _answered(self, answer: Any, slot: Slot) -> NDArray[Any]:
        """What a reference's answer says of an observed slot."""
        try:
            return read_values(answer, slot, f"{self.case.reference} gives", self.case.path)
        except CaseError:
            with self._about(slot):
                raise

    def _store_arrays(
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
            if len(shape) != len(slot.shape) or shape[1:] != slot.shape[1:]:
                is_room_missing = slot.variable.name.startswith("*") and not slot.shape
                raise CaseError(
                    self.case.path,
                    f"{what} has shape {shape}, {slot.name} has {slot.shape}",
                    remedy="Say how many elements there is room for, with count beside points_to."
                    if is_room_missing
                    else "",
                )
            if shape and shape[0] > slot.shape[0]:
                raise CaseError(
                    self.case.path,
                    f"{what} has {shape[0]} values, {slot.name} has room for {slot.shape[0]}",
                )
            masks = np.zeros((), np.bool_)
            if any(isinstance(arrays[row], np.ma.MaskedArray) for row in rows):
                masks = np.stack([np.ma.getmaskarray(arrays[row]) for row in rows])
            values = np.stack([np.asarray(arrays[row]) for row in rows])
            if slot.type.kind == "pointer":
                if values.dtype.kind == "f":
                    raise CaseError(
                        self.case.path,
                        f"{what} is {values.dtype}, not the indices {slot.name} needs",
                    )
                values = self._pools.addresses(slot, values)
            with np.errstate(all="ignore"):  # what does not fit is told in words
                laid = values.astype(target.dtype)
                same = (laid == values) | masks
                if laid.dtype.kind == "f" or values.dtype.kind == "f":
                    # A number that is lost in the other kind comes back as another.
                    same &= (laid.astype(values.dtype) == values) | masks
                    same |= (laid != laid) & (values != values)  # a NaN stays one in any float
                fits = bool(same.all())
            if not fits:
                raise CaseError(
                    self.case.path,
                    f"{what} has values that {slot.name} ({slot.type.name}) cannot hold",
                )
            place = (rows, slice(shape[0])) if shape else (rows,)
            target[place] = np.where(masks, target[place], laid) if masks.any() else laid

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
        try:
            again = self.before([scene], [other])
        except BeforeFailed:
            return None
        batch = self.calls.run(again, self.surroundings([other]))
        return Rerun(before, again[0], batch.after[0]) if batch.completed else None

    @property
    def observed(self) -> tuple[Slot, ...]:
        """The places that the case observes."""
        return tuple(self._observed)

    def observation(self, image: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        """Everything a case observes or fills in, from an image of shape (image size,).

        Pointers appear as the index of the element they point at: -1 for null, -2 for anything
        outside. Values are in the host's byte order, so observations of different processors
        can be compared.
        """
        values = {}
        for slot in [*self._observed, *self._inputs]:
            raw = slot.view(image[np.newaxis])[0]
            if slot.type.kind == "pointer":
                values[slot.name] = self._pools.indices(slot, raw)
            else:
                host = np.float64 if slot.type.kind == "float" else np.int64
                values[slot.name] = raw.astype(host)
        return values

    # -- inside ------------------------------------------------------------------------------

    def _variable(self, name: str) -> Variable:
        """A global or a static of the program, or a part of the arguments."""
        if name == RESULT and self.case.repeat:
            return self._layout.variables[RECORD]
        if name in self._layout.variables:
            return self._layout.variables[name]
        if name.startswith("*"):
            known = [one for one in self._layout.variables if one.startswith("*")]
            hint = did_you_mean(name, known)
            raise self.case.error(name, f"no argument points to {name}{hint}")
        return self.machine.program.variable(name)

    def _kept_of(self, names: Sequence[str]) -> list[str]:
        """The variables of the program among some that are to be ignored.

        An optimising compiler drops a static that is only written, so it need not be ignored.
        """
        program = self.machine.program
        known = [name for name in (*program.variables, *program.dropped) if "::" in name]
        for name in names:
            if "::" in name and name not in known:
                hint = did_you_mean(name, known)
                raise self.case.error(name, f"there is no static variable {name}{hint}")
        return [name for name in names if name not in program.dropped]

    def _member(self, observed: Observed) -> str:
        """The path to what is observed: results of several calls are members of their records."""
        if observed.variable != RESULT or not self.case.repeat:
            return observed.member
        return f"{RESULT}.{observed.member}".rstrip(".")

    def _slot(self, variable: Variable, member: str, phrase: Phrase, *, filled: bool) -> Slot:
        """The place of a variable, or of a member of it."""
        with self._blame.about(variable, member, filled=filled):
            return self._found(variable, member, phrase)

    def _found(self, variable: Variable, member: str, phrase: Phrase) -> Slot:
        start = self.machine.data.offset(variable.address)
        kind = variable.type.scalar
        path: list[Field] = []
        for name in member.split(".") if member else []:
            field = kind.field(name)
            if field is None:
                names = [one.name for one in kind.fields]
                if variable.name in self._layout.variables:
                    raise self._no_member(variable, path, kind, name)
                raise ProgramError(
                    self.machine.program.path,
                    f"{variable.name} is not an array of structs with a {member}, nor such a "
                    f"struct{did_you_mean(name, names)}",
                )
            path.append(field)
            kind = field.type.scalar
        where = ".".join([variable.name, *(one.name for one in path)])
        if kind.kind == "struct":
            raise CaseError(self.case.path, f"say which member of {where} is meant")
        if kind.kind not in _COMPARABLE:
            raise CaseError(
                self.case.path,
                f"{where} is a {kind.name}; only numbers and pointers can be set or compared",
            )
        if variable.type.size > self.machine.data.room(variable.address):
            raise ProgramError(
                self.machine.program.path,
                f"{variable.name} reaches beyond the program's data memory",
            )
        if phrase.text and kind.size != 1:
            raise CaseError(
                self.case.path, f"{where} is a {kind.name}; a text needs an array of bytes"
            )
        if phrase.tolerance and kind.kind != "float":
            raise CaseError(self.case.path, f"{where} is a {kind.name}; within is for floats")
        if phrase.into and kind.kind != "pointer":
            raise CaseError(self.case.path, f"{where} is a {kind.name}, not a pointer")
        return Slot(variable, tuple(path), kind, start, phrase)

    def _no_member(
        self, variable: Variable, path: Sequence[Field], kind: GuestType, name: str
    ) -> CaseError:
        """An error about a part of the arguments that has no such member."""
        where = ".".join([variable.name, *(one.name for one in path)])
        hint = did_you_mean(name, [one.name for one in kind.fields])
        what = f"has no member {name}{hint}" if kind.fields else "is no struct"
        return CaseError(self.case.path, f"{where} ({kind.name}) {what}")
