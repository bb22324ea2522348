"""Where the variables of a guest program are in the same program compiled for this computer.

The two differ in byte order, in the sizes of ``long`` and of pointers, and in where members are.
So values go from one to the other by their meaning: a pointer to an element becomes a pointer to
the element of the same number.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from numpy.typing import NDArray

from emu.machine.memory.memory import GuestMemory
from emu.program import GuestType, Program, Variable
from emu.program.elf.dwarf import read_debug_information

_NOWHERE = 0xDEAD << 48
"""Added to a guest address that is in no variable: an address that no processor of today takes."""
_LOST = 0xFFFFFFF0
"""The guest address that stands for an address of this computer that is in no variable."""
_MOST_NUMBERS = 4 << 20
"""Addresses from here on are searched for; a table has a number for each below."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A variable in both programs."""

    guest: Variable
    host: Variable


class HostLayout:
    """Variables and functions of a guest program, and the same of the native program.

    Args:
        program: the guest program.
        memory: guest memory, whose data pages a variable has to be in.
        native: the file of the native program.
    """

    def __init__(self, program: Program, memory: GuestMemory, native: Path) -> None:
        elf = ELFFile(io.BytesIO(native.read_bytes()))
        debug = read_debug_information(elf, native)
        self.symbols = dict(_symbols(elf))
        written = [
            range(section["sh_addr"], section["sh_addr"] + section["sh_size"])
            for section in elf.iter_sections()
            if section.name.startswith((".data", ".bss"))
        ]
        # A variable that the linker dropped has the address 0.
        linked = {
            name: variables
            for name, variables in debug.variables.items()
            if any(variables[0].address in part for part in written)
        }
        self.pairs = list(_pairs(program, memory, linked))
        paired = {pair.host.address for pair in self.pairs}
        self.others = [
            variables[0]
            for variables in linked.values()
            if variables[0].problem is None and variables[0].address not in paired
        ]
        """Variables of the native program alone, which begin every call as at its start."""
        self.signatures = debug.signatures
        places = dict(_same_places(self.pairs))
        for symbol in program.symbols:
            if symbol.kind == "function" and symbol.name in self.symbols:
                places.setdefault(symbol.address, self.symbols[symbol.name])
        places[0] = 0
        self._guest = np.array(sorted(places), np.uint64)
        self._host_of_guest = np.array([places[place] for place in sorted(places)], np.uint64)
        self._numbers = _numbers(self._guest)
        order = np.argsort(self._host_of_guest, kind="stable")
        self._host, self._guest_of_host = self._host_of_guest[order], self._guest[order]

    @property
    def size(self) -> int:
        """Bytes of all paired variables in the native program, one after the other."""
        return sum(pair.host.type.size for pair in self.pairs)

    def to_host(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        """Guest addresses as addresses of this computer."""
        wide = values.astype(np.uint64)
        index = _nearest(self._guest, wide, self._numbers)
        is_known = self._guest[index] == wide
        return np.where(is_known, self._host_of_guest[index], wide + np.uint64(_NOWHERE))

    def to_guest(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        """Addresses of this computer as guest addresses."""
        wide = values.astype(np.uint64)
        index = _nearest(self._host, wide)
        is_known = self._host[index] == wide
        came = wide >> np.uint64(48) == np.uint64(_NOWHERE >> 48)
        others = np.where(came, wide & np.uint64(0xFFFFFFFF), np.uint64(_LOST))
        return np.where(is_known, self._guest_of_host[index], others)

    def lay(self, images: NDArray[np.uint8], offsets: list[int], into: NDArray[np.uint8]) -> None:
        """Write the variables of images as the native program has them.

        Args:
            images: (calls, image size), data images of the guest.
            offsets: where each paired variable begins in an image.
            into: (calls, `size`) uint8.
        """
        at = 0
        for pair, start in zip(self.pairs, offsets, strict=True):
            source, kind = _values(images, start, pair.guest.type), pair.host.type
            target = np.zeros(source.shape, kind.dtype)
            self._copy(source, pair.guest.type, target, kind)
            into[:, at : at + kind.size] = _bytes(target, kind)
            at += kind.size

    def take(
        self,
        given: NDArray[np.uint8],
        left: NDArray[np.uint8],
        offsets: list[int],
        images: NDArray[np.uint8],
    ) -> None:
        """Write the values that calls have changed into images of the guest.

        What is not changed stays as it is there, where it may have had more bytes.

        Args:
            given: (calls, `size`) uint8, the native program's variables before the calls.
            left: the same after them.
            offsets: as for `lay`.
            images: (calls, image size), what the calls began with.
        """
        at = 0
        for pair, start in zip(self.pairs, offsets, strict=True):
            target = _values(images, start, pair.guest.type)
            before, after = (_values(image, at, pair.host.type) for image in (given, left))
            self._copy(after, pair.host.type, target, pair.guest.type, before)
            images[:, start : start + pair.guest.type.size] = _bytes(target, pair.guest.type)
            at += pair.host.type.size

    def _copy(
        self,
        source: NDArray[Any],
        source_type: GuestType,
        target: NDArray[Any],
        target_type: GuestType,
        before: NDArray[Any] | None = None,
    ) -> None:
        """Give all values of an array the same meaning in another.

        With ``before`` they go to the guest, and only those that differ from it.
        """
        if source_type.scalar.kind == "struct":
            for field in source_type.scalar.fields:
                other = target_type.field(field.name)
                assert other is not None
                name = field.name
                inner = None if before is None else before[name]
                self._copy(source[name], field.type, target[name], other.type, inner)
            return
        is_pointer = source_type.scalar.kind == "pointer"
        if before is None:
            target[...] = self.to_host(source) if is_pointer else source
            return
        changed = _differ(source, before)
        if changed.any():
            values = source[changed]
            target[changed] = self.to_guest(values) if is_pointer else values


def _numbers(places: NDArray[np.uint64]) -> NDArray[np.int32] | None:
    """The index of each place, by the place; None if a place is too high for a table.

    A search takes five times as long.
    """
    if int(places[-1]) >= _MOST_NUMBERS:
        return None
    numbers = np.zeros(int(places[-1]) + 1, np.int32)
    numbers[places] = np.arange(len(places))
    return numbers


def _differ(first: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Which values differ in their bytes: NaN is the same as itself."""
    kind = f"u{first.dtype.itemsize}"
    return np.asarray(
        np.ascontiguousarray(first).view(kind) != np.ascontiguousarray(other).view(kind)
    )


def _nearest(
    places: NDArray[np.uint64],
    wanted: NDArray[np.uint64],
    numbers: NDArray[np.int32] | None = None,
) -> NDArray[np.integer[Any]]:
    """For each address the index of the place that is equal to it, or of any if none is."""
    if numbers is None:
        return np.minimum(np.searchsorted(places, wanted), len(places) - 1)
    return numbers[np.minimum(wanted, np.uint64(len(numbers) - 1))]


def _values(rows: NDArray[np.uint8], start: int, kind: GuestType) -> NDArray[Any]:
    """A copy of one variable of each row, shape (rows, *its dimensions)."""
    part = rows[:, start : start + kind.size].copy()
    return part.view(kind.dtype).reshape(len(rows), *kind.shape)


def _bytes(values: NDArray[Any], kind: GuestType) -> NDArray[np.uint8]:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8).reshape(len(values), kind.size)


def _pairs(
    program: Program, memory: GuestMemory, natives: Mapping[str, Sequence[Variable]]
) -> Iterator[Pair]:
    for name, variables in program.variables.items():
        others = natives.get(name, [])
        if len(variables) != 1 or len(others) != 1:
            continue
        guest, host = variables[0], others[0]
        region = memory.find(guest.address)
        is_data = region is not None and region.writable
        if is_data and guest.problem is host.problem is None and _is_alike(guest.type, host.type):
            yield Pair(guest, host)


def _is_alike(kind: GuestType, other: GuestType) -> bool:
    """Whether values of one type can be given the same meaning in another."""
    first, second = kind.scalar, other.scalar
    if kind.shape != other.shape or first.kind != second.kind:
        return False
    if any(kind.bits or kind.wide or kind.kind == "unknown" for kind in (first, second)):
        return False
    if first.kind != "struct":
        return True
    names = [[field.name for field in kind.fields] for kind in (first, second)]
    alike = all(
        _is_alike(a.type, b.type) for a, b in zip(first.fields, second.fields, strict=False)
    )
    return names[0] == names[1] and alike and not first.is_union


def _same_places(pairs: list[Pair]) -> Iterator[tuple[int, int]]:
    """Guest addresses and those of this computer that mean the same, the surest last."""
    for pair in pairs:
        guest, host = pair.guest, pair.host
        yield guest.address + guest.type.size, host.address + host.type.size
    for pair in pairs:
        for start, other in _offsets(pair.guest.type, pair.host.type):
            yield pair.guest.address + start, pair.host.address + other


def _offsets(kind: GuestType, other: GuestType) -> Iterator[tuple[int, int]]:
    """The offsets of a value, its elements and their members in both programs."""
    inner = [(0, 0)]
    for field in kind.scalar.fields:
        same = other.field(field.name)
        assert same is not None
        inner += [(field.offset + a, same.offset + b) for a, b in _offsets(field.type, same.type)]
    for number in range(kind.size // kind.dtype.itemsize if kind.dtype.itemsize else 0):
        for a, b in inner:
            yield number * kind.dtype.itemsize + a, number * other.dtype.itemsize + b


def _symbols(elf: ELFFile) -> Iterator[tuple[str, int]]:
    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection):
            for symbol in section.iter_symbols():
                if symbol["st_value"] and symbol["st_shndx"] != "SHN_UNDEF":
                    yield symbol.name, symbol["st_value"]
