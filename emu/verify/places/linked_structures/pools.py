"""Translates pointers of the guest into indices of array elements, and back.

Scenes and answers have indices, since addresses differ from program to program. An array that
pointers point into is a *pool*.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, ProgramError
from emu.base.yaml_document import did_you_mean
from emu.machine.abi.function_pointers import FunctionPointers
from emu.program import Variable
from emu.verify.places.slots.argument_layout import RECORD
from emu.verify.places.slots.fields import Slot, indexed_name

NULL, OUTSIDE = -1, -2
"""The indices of the null pointer, and of a pointer to no element."""


_FIRST = 4


class Pools:
    """Arrays that a case names, each with the type that pointers into it have.

    Args:
        case_path: the case's file, for messages.
        variables: the variables it names.
        slots: what it fills in and observes.
        functions: what pointers to functions hold.

    Raises:
        CaseError: a slot holds pointers, and no array or more than one is of what they point to.
    """

    def __init__(
        self,
        case_path: Path,
        variables: Iterable[Variable],
        slots: Iterable[Slot] = (),
        functions: FunctionPointers | None = None,
    ) -> None:
        self._case_path = case_path
        self._functions = functions
        self._arrays: dict[str, list[Variable]] = {}
        self._named: dict[str, Variable] = {}
        self._tables: dict[str, NDArray[Any]] = {}
        for variable in variables:
            if not variable.type.shape:
                continue
            self._named[variable.name] = variable
            name = variable.type.scalar.name
            if variable not in self._arrays.setdefault(name, []):
                self._arrays[name].append(variable)
        for slot in slots:
            self.check(slot)

    def check(self, slot: Slot) -> None:
        """Check that it is known which array a slot's pointers point into.

        Raises:
            CaseError: it holds pointers, and no array or more than one is of what they point to.
        """
        if slot.type.kind == "pointer" and not slot.phrase.is_function:
            self._pool(slot)

    def addresses(self, slot: Slot, indices: NDArray[Any]) -> NDArray[Any]:
        """The addresses of elements, by their indices; or of functions, by their names.

        Raises:
            CaseError: there is no such function; or the slot does not hold pointers, its pointers
                have no pool, or an index is beyond the pool's end.
        """
        if slot.type.kind != "pointer":
            raise CaseError(self._case_path, f"{slot.name} is a {slot.type.name}, not a pointer")
        if slot.phrase.is_function:
            return self._to_functions(slot, indices)
        table = self._address_table(slot)
        # As int64, because the indices may be of a smaller type: as uint8, 255 + 1 would be 0.
        places = indices.astype(np.int64) + 1
        if places.size and (places.min() < 0 or places.max() >= len(table)):
            raise CaseError(
                self._case_path, f"an index for {slot.name} is beyond the array it points into"
            )
        return np.asarray(table[places])

    def table(self, slot: Slot) -> NDArray[Any]:
        """The null pointer, and then the address of each element that a slot can point to.

        Raises:
            CaseError: it is not known which array it points into.
        """
        return self._address_table(slot)

    def indices(self, slot: Slot, addresses: NDArray[Any]) -> NDArray[np.int64]:
        """The indices of the elements that pointers point at, `NULL` or `OUTSIDE`.

        Pointers to functions are returned as their addresses.
        """
        if slot.phrase.is_function:
            return np.where(addresses == 0, NULL, addresses.astype(np.int64))
        pool = self._pool(slot)
        offset = addresses.astype(np.int64) - pool.address
        index, rest = np.divmod(offset, pool.type.dtype.itemsize)
        inside = (rest == 0) & (index >= 0) & (index < self._count(slot, pool))
        return np.where(addresses == 0, NULL, np.where(inside, index, OUTSIDE))

    def some_addresses(self) -> tuple[int, ...]:
        """The addresses of the first elements and of the last one of each array."""
        addresses = []
        for array in self._every():
            count = array.type.shape[0]
            places = dict.fromkeys([*range(min(count, _FIRST)), count - 1] if count else [])
            addresses += [array.address + array.type.dtype.itemsize * place for place in places]
        return tuple(addresses)

    def words(self, address: int, slot: Slot | None = None) -> str:
        """A pointer in the program's words.

        If the slot's pointer began at the first element of an array of its own, as ``*source`` does
        in ``**source``, the words say how far it has gone: "3 elements further".
        """
        if address == 0:
            return "null"
        if slot is not None and slot.phrase.into == f"*{slot.name}":
            pool = self._chosen_pool(slot)
            size = pool.type.dtype.itemsize
            steps, rest = divmod(address - pool.address, size)
            if rest == 0 and 0 <= steps < self._count(slot, pool):
                what = "byte" if size == 1 else "element"
                return f"{steps} {what}{'' if steps == 1 else 's'} further"
        for pool in self._every():
            index, rest = divmod(address - pool.address, pool.type.dtype.itemsize)
            if rest == 0 and 0 <= index < pool.type.shape[0]:
                return f"&{indexed_name(pool)}[{index}]"
        name = None if self._functions is None else self._functions.name(address)
        return name or f"0x{address:08x} (outside)"

    def _to_functions(self, slot: Slot, names: NDArray[Any]) -> NDArray[Any]:
        """The addresses that pointers to functions hold, by the functions' names."""
        assert self._functions is not None
        addresses = np.zeros(names.shape, slot.type.dtype)
        for place, name in np.ndenumerate(names):
            try:
                addresses[place] = self._functions.pointer(str(name))
            except ProgramError as error:
                raise CaseError(self._case_path, f"{slot.name}: {error.problem}") from error
        return addresses

    def _every(self) -> Iterator[Variable]:
        return itertools.chain.from_iterable(self._arrays.values())

    def _pool(self, slot: Slot) -> Variable:
        if slot.phrase.into:
            return self._chosen_pool(slot)
        target = slot.type.target
        pools = self._arrays.get(target, [])
        if not pools:
            raise CaseError(
                self._case_path,
                f"{slot.name} is a pointer to {target}, and the case names no array of {target}",
                remedy=_room_for(slot) if slot.name.startswith(f"{RECORD}.") else "",
            )
        if len(pools) > 1:
            raise CaseError(
                self._case_path,
                f"{slot.name} is a pointer to {target}, and {pools[0].name} and {pools[1].name} "
                "are both arrays of that, so it is not known which one it points into",
                remedy=f'Say which, as in "{slot.phrase.attribute} into {pools[0].name}".',
            )
        return pools[0]

    def _chosen_pool(self, slot: Slot) -> Variable:
        """The array that the case says a slot's pointers point into."""
        into = slot.phrase.into
        if slot.type.kind != "pointer":
            raise CaseError(self._case_path, f"{slot.name} is a {slot.type.name}, not a pointer")
        if into not in self._named:
            raise CaseError(
                self._case_path,
                f"{slot.name} is said to point into {into}, which is no array that the case fills "
                f"or observes{did_you_mean(into, self._named)}",
            )
        return self._named[into]

    def _count(self, slot: Slot, pool: Variable) -> int:
        """How many places a pointer may point at.

        In an array that the case chose, one of them is behind the last element, where a pointer
        that runs through the array ends.
        """
        return pool.type.shape[0] + bool(slot.phrase.into)

    def _address_table(self, slot: Slot) -> NDArray[Any]:
        """The null pointer, and then the address of each element."""
        if slot.name not in self._tables:
            pool = self._pool(slot)
            count = self._count(slot, pool)
            elements = pool.address + pool.type.dtype.itemsize * np.arange(count)
            self._tables[slot.name] = np.append(0, elements).astype(slot.type.dtype)
        return self._tables[slot.name]


def _room_for(slot: Slot) -> str:
    """How a case says that an argument points to an array of the scene."""
    argument, attribute = slot.name.rpartition(".")[2], slot.phrase.attribute
    return (
        f"If {attribute} is what it points to, write {argument}: "
        f"{{points_to: {attribute}, count: 40}}; the count is the room for it."
    )
