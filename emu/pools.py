"""The arrays that pointers of the guest point into, so that pointers are indices outside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.errors import CaseError
from emu.program import Variable
from emu.slots import Slot

NULL, OUTSIDE = -1, -2
"""The indices of the null pointer, and of a pointer to no element."""


_FIRST = 4


class Pools:
    """Arrays that a case names, each with the type that pointers into it have.

    Args:
        case_path: the case's file, for messages.
        variables: the variables it names.

    Raises:
        CaseError: two arrays are of the same struct.
    """

    def __init__(self, case_path: Path, variables: Iterable[Variable]) -> None:
        self._case_path = case_path
        self._arrays: dict[str, Variable] = {}
        self._tables: dict[str, NDArray[Any]] = {}
        for variable in variables:
            if not variable.type.shape:
                continue
            name = variable.type.scalar.name
            if name in self._arrays and variable.type.scalar.kind == "struct":
                raise CaseError(
                    case_path,
                    f"{self._arrays[name].name} and {variable.name} are both arrays of {name}, so "
                    "it is not known which one pointers point into",
                    remedy="Name one of them only.",
                )
            self._arrays[name] = variable

    def addresses(self, slot: Slot, indices: NDArray[Any]) -> NDArray[Any]:
        """What pointers to elements hold.

        Raises:
            CaseError: the slot is of no pointers, or of pointers to no array, or to none so long.
        """
        if slot.type.kind != "pointer":
            raise CaseError(self._case_path, f"{slot.name} is a {slot.type.name}, not a pointer")
        table = self._address_table(slot)
        # In a wide type: of an unsigned one the next after the last would be the first.
        places = indices.astype(np.int64) + 1
        if places.size and (places.min() < 0 or places.max() >= len(table)):
            raise CaseError(
                self._case_path, f"an index for {slot.name} is beyond the array it points into"
            )
        return np.asarray(table[places])

    def indices(self, slot: Slot, addresses: NDArray[Any]) -> NDArray[np.int64]:
        """Which elements pointers point at, `NULL`, or `OUTSIDE`."""
        pool = self._pool(slot)
        offset = addresses.astype(np.int64) - pool.address
        index, rest = np.divmod(offset, pool.type.dtype.itemsize)
        inside = (rest == 0) & (index >= 0) & (index < pool.type.shape[0])
        return np.where(addresses == 0, NULL, np.where(inside, index, OUTSIDE))

    def some_addresses(self) -> tuple[int, ...]:
        """What pointers into the first elements and to the last one of each array hold."""
        found = []
        for array in self._arrays.values():
            count = array.type.shape[0]
            places = dict.fromkeys([*range(min(count, _FIRST)), count - 1] if count else [])
            found += [array.address + array.type.dtype.itemsize * place for place in places]
        return tuple(found)

    def words(self, address: int) -> str:
        """A pointer in the program's words."""
        if address == 0:
            return "null"
        for pool in self._arrays.values():
            index, rest = divmod(address - pool.address, pool.type.dtype.itemsize)
            if rest == 0 and 0 <= index < pool.type.shape[0]:
                return f"&{pool.name}[{index}]"
        return f"0x{address:08x} (outside)"

    def _pool(self, slot: Slot) -> Variable:
        pool = self._arrays.get(slot.type.target)
        if pool is None:
            raise CaseError(
                self._case_path,
                f"{slot.name} is a pointer to {slot.type.target}, and no array of that is named "
                "in the case",
            )
        return pool

    def _address_table(self, slot: Slot) -> NDArray[Any]:
        """What a pointer to each element holds, after the null pointer."""
        if slot.name not in self._tables:
            pool = self._pool(slot)
            elements = pool.address + pool.type.dtype.itemsize * np.arange(pool.type.shape[0])
            self._tables[slot.name] = np.append(0, elements).astype(slot.type.dtype)
        return self._tables[slot.name]
