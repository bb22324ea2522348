"""Turns scenes into guest images, references into expected images, and differences into words.

The whole data memory of the program is compared, not only what a case observes: the expected
image is the image before the call with the observed values written over it. If the image after
the call equals it, every observed value is right *and* nothing else was changed. Words are
looked for only where images differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.case import LINKED_LIST, Case, Observed, Scene
from emu.errors import CaseError, ProgramError
from emu.machine import Machine
from emu.program import GuestType, Variable

_COMPARABLE = {"integer", "boolean", "enumeration", "pointer"}

POISON = 0xA5
"""What observed memory holds before calls on scenes with an odd seed, so that a value the routine
forgot to set is seen. On scenes with an even seed it is as the loader leaves it, so that a routine
that trusts stale state gets far enough to show what it makes of it."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where guest memory is not as expected.

    Attributes:
        place: in the program's words ("gObjects[17].sector_link").
        expected: the value the reference demands there, in words.
        found: what the guest left.
        address: the guest address of the first wrong byte.
        observed: whether the case observes the place; if not, it should have stayed unchanged.
        differing_bytes: how many bytes of the image differ in all.
    """

    place: str
    expected: str
    found: str
    address: int
    observed: bool
    differing_bytes: int

    def __str__(self) -> str:
        rule = "" if self.observed else " (which the routine must not change)"
        return f"{self.place} is {self.found}, expected {self.expected}{rule}"


@dataclass(frozen=True, slots=True)
class _Slot:
    """A variable, or one member of an array of structs, within the image."""

    variable: Variable
    member: str
    type: GuestType
    start: int

    @property
    def name(self) -> str:
        return f"{self.variable.name}.{self.member}" if self.member else self.variable.name

    def view(self, images: NDArray[np.uint8]) -> NDArray[Any]:
        """The slot's values in every image, shape (images, *variable shape)."""
        whole = images[:, self.start : self.start + self.variable.type.size]
        values = whole.view(self.variable.type.dtype)
        values = values.reshape(len(images), *self.variable.type.shape)
        return values[self.member] if self.member else values


class Comparison:
    """A case bound to a machine: names resolved, types checked, offsets known.

    Raises:
        CaseError, ProgramError: a name of the case is not in the program, or of the wrong kind.
    """

    def __init__(self, case: Case, machine: Machine) -> None:
        self.case = case
        self.machine = machine
        self.routine = machine.program.function(case.call)
        self._inputs = [
            (self._slot(variable, member), filler)
            for variable, members in case.inputs.items()
            for member, filler in members.items()
        ]
        self._observed = [(self._slot(o.variable, o.member), o) for o in case.observed]
        arrays = {slot.variable.name: slot.variable for slot, _ in self._inputs}
        arrays |= {slot.variable.name: slot.variable for slot, _ in self._observed}
        self._pools = self._find_pools(arrays.values())
        self._tables: dict[str, NDArray[Any]] = {}

    def _find_pools(self, variables: Iterable[Variable]) -> dict[str, Variable]:
        """The array that a pointer to each type points into."""
        pools: dict[str, Variable] = {}
        for variable in variables:
            if not variable.type.shape:
                continue
            name = variable.type.scalar.name
            if name in pools and variable.type.scalar.kind == "struct":
                raise CaseError(
                    self.case.path,
                    f"{pools[name].name} and {variable.name} are both arrays of {name}, so it is "
                    "not known which one pointers point into",
                    remedy="Name one of them only.",
                )
            pools[name] = variable
        return pools

    # -- images ------------------------------------------------------------------------------

    def before(self, scenes: Sequence[Scene]) -> NDArray[np.uint8]:
        """(scenes, image size) images to begin calls with.

        All scenes must have the same number of objects.

        Raises:
            CaseError: the program has no room for so many objects.
        """
        images = np.tile(self.machine.pristine, (len(scenes), 1))
        objects = len(scenes[0].corners)
        for slot, _ in self._observed:
            target = slot.view(images)
            poison = np.frombuffer(bytes([POISON]) * target.dtype.itemsize, target.dtype)[0]
            target[[scene.seed % 2 == 1 for scene in scenes]] = poison
        corners = np.stack([scene.corners for scene in scenes])
        for slot, filler in self._inputs:
            values = slot.view(images)
            if objects > values.shape[1]:
                raise CaseError(
                    self.case.path,
                    f"a scene has {objects} objects, {slot.variable.name} room for "
                    f"{values.shape[1]}",
                )
            if filler == LINKED_LIST:
                links = np.arange(1, objects + 1)
                links[-1:] = -1
                values[:, :objects] = self._addresses(slot, links)
            else:
                column = corners[:, :, "xy".index(filler)]
                if slot.type.kind != "integer":
                    raise CaseError(
                        self.case.path, f"{slot.name} is a {slot.type.name}, not an integer"
                    )
                limits = np.iinfo(values.dtype)
                if column.size and (column.min() < limits.min or column.max() > limits.max):
                    raise CaseError(
                        self.case.path, f"a coordinate does not fit {slot.name} ({slot.type.name})"
                    )
                values[:, :objects] = column
        return images

    def expected(
        self, before: NDArray[np.uint8], references: Sequence[Any]
    ) -> tuple[NDArray[np.uint8], int]:
        """The images calls should leave, and how many values of the reference they hold.

        Args:
            before: what `before` gave.
            references: the reference's answer to each scene, in the same order.
        """
        images = before.copy()
        values = 0
        for slot, observed in self._observed:
            wanted = self._wanted(references, observed)
            target = slot.view(images)
            if wanted.ndim != target.ndim or wanted.shape[2:] != target.shape[2:]:
                raise CaseError(
                    self.case.path,
                    f"the reference's {observed.attribute} has shape {wanted.shape[1:]}, "
                    f"{slot.name} has {target.shape[1:]}",
                )
            if wanted.ndim > 1 and wanted.shape[1] > target.shape[1]:
                raise CaseError(
                    self.case.path,
                    f"the reference's {observed.attribute} has {wanted.shape[1]} values, "
                    f"{slot.name} has room for {target.shape[1]}",
                )
            if slot.type.kind == "pointer":
                wanted = self._addresses(slot, wanted)
            part = target[:, : wanted.shape[1]] if wanted.ndim > 1 else target
            part[...] = wanted
            if (part != wanted).any():
                raise CaseError(
                    self.case.path,
                    f"the reference's {observed.attribute} has values that {slot.name} "
                    f"({slot.type.name}) cannot hold",
                )
            values += wanted.size
        return images, values

    def inputs_compared(self, objects: int) -> int:
        """How many input values of a scene are checked to be untouched."""
        return objects * len(self._inputs)

    # -- words -------------------------------------------------------------------------------

    def divergence(
        self, expected: NDArray[np.uint8], found: NDArray[np.uint8]
    ) -> Divergence | None:
        """The first difference of two images of shape (image size,).

        Observed values come first, then inputs, then any other byte.
        """
        wrong = np.flatnonzero(expected != found)
        if not len(wrong):
            return None
        slots = [(slot, True) for slot, _ in self._observed]
        slots += [(slot, False) for slot, _ in self._inputs]
        for slot, observed in slots:
            both = slot.view(np.stack([expected, found]))
            different = np.argwhere(both[0] != both[1])
            if len(different):
                index = tuple(int(i) for i in different[0])
                brackets = "".join(f"[{i}]" for i in index)
                member = f".{slot.member}" if slot.member else ""
                return Divergence(
                    place=f"{slot.variable.name}{brackets}{member}",
                    expected=self._words(slot.type, both[0][index]),
                    found=self._words(slot.type, both[1][index]),
                    address=self._address_of(slot, index, expected, found),
                    observed=observed,
                    differing_bytes=len(wrong),
                )
        address = self.machine.image_address(int(wrong[0]))
        location = self.machine.program.locate(address)
        place = f"byte {location.offset} of {location.symbol}" if location.symbol else "data memory"
        return Divergence(
            place=f"{place} (0x{address:08x})",
            expected=f"0x{int(expected[wrong[0]]):02x}",
            found=f"0x{int(found[wrong[0]]):02x}",
            address=address,
            observed=False,
            differing_bytes=len(wrong),
        )

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
                values[slot.name] = self._indices(slot, raw)
            else:
                values[slot.name] = raw.astype(np.int64)
        return values

    # -- inside ------------------------------------------------------------------------------

    def _slot(self, name: str, member: str) -> _Slot:
        variable = self.machine.program.variable(name)
        start = self.machine.image_offset(variable.address)
        kind = variable.type.scalar
        if member:
            field = variable.type.field(member)
            if field is None or not variable.type.shape:
                raise ProgramError(
                    self.machine.program.path, f"{name} is not an array of structs with a {member}"
                )
            kind = field.type
        elif kind.kind == "struct":
            raise CaseError(self.case.path, f"say which member of {name} is meant")
        if kind.kind not in _COMPARABLE:
            raise CaseError(
                self.case.path,
                f"{name}{'.' if member else ''}{member} is a {kind.name}; only whole numbers and "
                "pointers can be set or compared",
            )
        if variable.type.size > self._room(variable.address):
            raise ProgramError(
                self.machine.program.path, f"{name} reaches beyond the program's data memory"
            )
        return _Slot(variable, member, kind, start)

    def _room(self, address: int) -> int:
        """How many bytes of data memory there are from an address on."""
        return next(s + size - address for s, size in self.machine.spans if s <= address < s + size)

    def _pool(self, slot: _Slot) -> Variable:
        pool = self._pools.get(slot.type.target)
        if pool is None:
            raise CaseError(
                self.case.path,
                f"{slot.name} is a pointer to {slot.type.target}, and no array of that is named "
                "in the case",
            )
        return pool

    def _addresses(self, slot: _Slot, indices: NDArray[Any]) -> NDArray[Any]:
        if slot.type.kind != "pointer":
            raise CaseError(self.case.path, f"{slot.name} is a {slot.type.name}, not a pointer")
        table = self._address_table(slot)
        # In a wide type: of an unsigned one the next after the last would be the first.
        places = indices.astype(np.int64) + 1
        if places.size and (places.min() < 0 or places.max() >= len(table)):
            raise CaseError(
                self.case.path, f"an index for {slot.name} is beyond the array it points into"
            )
        return np.asarray(table[places])

    def _address_table(self, slot: _Slot) -> NDArray[Any]:
        """What a pointer to each element holds, after the null pointer."""
        if slot.name not in self._tables:
            pool = self._pool(slot)
            elements = pool.address + pool.type.dtype.itemsize * np.arange(pool.type.shape[0])
            self._tables[slot.name] = np.append(0, elements).astype(slot.type.dtype)
        return self._tables[slot.name]

    def _indices(self, slot: _Slot, addresses: NDArray[Any]) -> NDArray[np.int64]:
        pool = self._pool(slot)
        offset = addresses.astype(np.int64) - pool.address
        index, rest = np.divmod(offset, pool.type.dtype.itemsize)
        inside = (rest == 0) & (index >= 0) & (index < pool.type.shape[0])
        return np.where(addresses == 0, -1, np.where(inside, index, -2))

    def _wanted(self, references: Sequence[Any], observed: Observed) -> NDArray[Any]:
        name = f"{self.case.reference} gives"
        try:
            wanted = np.stack([getattr(r, observed.attribute) for r in references])
        except AttributeError as error:
            raise CaseError(self.case.path, f"{name} no {observed.attribute}") from error
        except ValueError as error:
            raise CaseError(
                self.case.path, f"{name} {observed.attribute} in different shapes"
            ) from error
        if wanted.dtype.kind not in "biu":
            raise CaseError(
                self.case.path, f"{name} {observed.attribute} as {wanted.dtype}, not as integers"
            )
        return wanted

    def _words(self, kind: GuestType, value: Any) -> str:
        number = int(value)
        poison = int.from_bytes(bytes([POISON]) * kind.size, "big")
        if number & (1 << 8 * kind.size) - 1 == poison:
            return "unset"
        if kind.kind != "pointer":
            return str(number)
        if number == 0:
            return "null"
        for pool in self._pools.values():
            index, rest = divmod(number - pool.address, pool.type.dtype.itemsize)
            if rest == 0 and 0 <= index < pool.type.shape[0]:
                return f"&{pool.name}[{index}]"
        return f"0x{number:08x} (outside)"

    def _address_of(
        self,
        slot: _Slot,
        index: tuple[int, ...],
        expected: NDArray[np.uint8],
        found: NDArray[np.uint8],
    ) -> int:
        """The guest address of the first wrong byte of one element."""
        flat = int(np.ravel_multi_index(index, slot.variable.type.shape)) if index else 0
        offset = slot.start + flat * slot.variable.type.dtype.itemsize
        if slot.member:
            field = slot.variable.type.field(slot.member)
            offset += field.offset if field else 0
        width = slot.type.size
        wrong = np.flatnonzero(expected[offset : offset + width] != found[offset : offset + width])
        return self.machine.image_address(offset + int(wrong[0]))
