"""Finds what functions of a shared library write beside what a case observes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.masks import same_bytes
from emu.verify.answers.host.host_memory import HostMemory
from emu.verify.answers.host.library_globals import LibraryGlobals


@dataclass(frozen=True, slots=True)
class HostWrite:
    """A place that calls have written to.

    Attributes:
        values: the values after the calls; of a variable of the library, its bytes.
        unwritten: which of the values are as they were before.
        is_number: whether it can be compared; otherwise it is a pointer.
        is_raw: whether the values are the bytes of a variable whose type is not known.
    """

    values: NDArray[Any]
    unwritten: NDArray[np.bool_]
    is_number: bool = True
    is_raw: bool = False


HostWrites = dict[str, HostWrite]
"""The places that one run of the calls has written to, by their names."""


@dataclass(frozen=True, slots=True)
class HostEffects:
    """The writes of calls that were made twice, on memory that was filled differently.

    Attributes:
        values: the values in places behind pointers, and in variables that the case names; those
            that were not written are masked.
        variables: the bytes of other variables of the library that were written.
        others: places that cannot be compared, with their sizes.
    """

    values: dict[str, np.ma.MaskedArray]
    variables: dict[str, bytes]
    others: tuple[str, ...]


class HostWatch:
    """Finds the places that calls write to; it is made before the calls, and asked after them.

    Args:
        memory: the memory of the calls.
        variables: the library's own variables.
        places: the places that are observed, as variables and members; they are not watched.
    """

    def __init__(
        self, memory: HostMemory, variables: LibraryGlobals, places: Collection[tuple[str, str]]
    ) -> None:
        self._memory = memory
        self._variables = variables
        self._leaves = [
            (leaf, is_number)
            for leaf, is_number in memory.leaves()
            if not any(memory.covers(variable, member, leaf) for variable, member in places)
        ]
        self._before = [memory.held_bytes(leaf) for leaf, _ in self._leaves]
        self._held = variables.contents()

    def writes(self) -> HostWrites:
        """The places that were written since this object was made."""
        host_writes: HostWrites = {}
        for (observed_place, is_number), before in zip(self._leaves, self._before, strict=True):
            after = self._memory.held_bytes(observed_place)
            if before.tobytes() != after.tobytes():
                host_writes[observed_place.name] = HostWrite(
                    after, same_bytes(before, after), is_number
                )
        for name, held in self._variables.contents().items():
            if held != self._held[name]:
                values = np.frombuffer(held, np.uint8)
                host_writes[name] = HostWrite(values, np.zeros(len(values), np.bool_), is_raw=True)
        return host_writes


def joined(both: Sequence[HostWrites]) -> HostEffects:
    """Compare the writes of the same calls, which were made twice on memory filled differently."""
    first, second = both
    values: dict[str, np.ma.MaskedArray] = {}
    variables: dict[str, bytes] = {}
    others: list[str] = []
    for name in dict.fromkeys([*first, *second]):
        host_write, other = first.get(name), second.get(name)
        seen = host_write or other
        assert seen is not None
        unwritten = np.logical_and.reduce([each.unwritten for each in (host_write, other) if each])
        same = host_write is not None and other is not None
        if host_write is not None and other is not None:
            same = bool((same_bytes(host_write.values, other.values) | unwritten).all())
        if not same or not seen.is_number:
            others.append(f"{name}, {seen.values.nbytes} bytes")
        elif not seen.is_raw:
            values[name] = np.ma.MaskedArray(seen.values, unwritten)
        else:
            variables[name] = seen.values.tobytes()
    return HostEffects(values, variables, tuple(others))
