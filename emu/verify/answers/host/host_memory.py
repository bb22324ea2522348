"""Lays the arguments of functions of a shared library into this computer's memory, and calls them.

Memory that a call does not fill holds bytes of no meaning. What a pointer leads to belongs to the
name of the parameter, or of the member of a struct ("rec->data"): two calls in a row that give it
get the same memory.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.program.model.bits import BitField
from emu.verify.answers.host.host_function import LoadedLibrary
from emu.verify.answers.host.host_members import (
    bits_of,
    element_of,
    leaves_of,
    put_bits,
    read_bits,
)
from emu.verify.answers.host.host_values import (
    NULL,
    OUTSIDE,
    ElementPointers,
    HostCall,
    ObservedPlace,
    Pointee,
)

PATIENCE = 30
"""Seconds that a call may take."""

_Member = tuple[NDArray[Any], Any, BitField | None]


@dataclass(frozen=True, slots=True)
class _Element:
    """Pointers that are laid when all arrays have their places: their memory, type and name."""

    memory: NDArray[Any]
    kind: Any
    given: ElementPointers
    name: str


class HostMemory:
    """The memory of calls in a row.

    Args:
        loaded: the library.
        calls: the calls.
        inverted: whether memory that the calls do not fill holds the complement of the random
            bytes that it holds otherwise.
        variables: the memory of the library's variables, by their names in the case.

    Raises:
        UsageError: an argument does not fit its parameter.
    """

    def __init__(
        self,
        loaded: LoadedLibrary,
        calls: Sequence[HostCall],
        inverted: bool,
        variables: Mapping[str, Any],
    ) -> None:
        self._loaded = loaded
        self._words = loaded.words
        self._ffi = loaded.ffi
        self._noise = np.random.PCG64([1994])
        self._inverted = inverted
        self._kept: list[Any] = []
        self._memory: dict[str, NDArray[Any]] = {}
        self._kinds: dict[str, Any] = {}
        self._places: dict[str, Any] = {}
        self._elements: list[_Element] = []
        for name, kind in loaded.kinds.items():
            self._kinds[name] = kind
            view = self._view(variables[name], kind, 1)
            self._memory[name] = view.reshape(view.shape[1:])
        laid = [self._lay(call) for call in calls]
        self._words = loaded.words
        self._calls = [
            (loaded.calls[host_call.function], arguments)
            for host_call, arguments in zip(calls, laid, strict=True)
        ]

    def _lay(self, call: HostCall) -> list[tuple[Any, Any]]:
        """The arguments of a call: the type of each, and the memory that holds it."""
        self._words = words = self._loaded.names[call.function]
        types = self._ffi.typeof(self._loaded.calls[call.function]).args
        if len(types) != len(call.arguments):
            raise UsageError(f"{words} takes {len(types)} arguments, not {len(call.arguments)}")
        return [
            (kind, self._argument(kind, name, given))
            for kind, (name, given) in zip(types, call.arguments.items(), strict=True)
        ]

    def fill_globals(self, given: Mapping[str, Any]) -> None:
        """Give the library's variables their values, when nothing but the calls is left to be made.

        Raises:
            UsageError: a value does not fit its variable, or a pointer leads to no array.
        """
        for name, value in given.items():
            self._store(self._memory[name], self._kinds[name], value, name)
        for element in self._elements:
            self._lay_element(element)

    def run(self, numbers: range | None = None) -> None:
        """Make the calls, or some of them; one that does not return ends this process."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        for number in range(len(self._calls)) if numbers is None else numbers:
            call, laid = self._calls[number]
            arguments = [self._ffi.cast(f"{kind.cname} *", memory)[0] for kind, memory in laid]
            signal.alarm(PATIENCE)
            try:
                result = call(*arguments)
            finally:
                signal.alarm(0)
            kind = self._ffi.typeof(call).result
            if kind.kind != "void":
                self._kinds[f"return {number}"] = kind
                self._memory[f"return {number}"] = self._new(kind, 1).reshape(())
                self._ffi.cast(f"{kind.cname} *", self._kept[-1])[0] = result

    def leaves(self) -> Iterator[tuple[ObservedPlace, bool]]:
        """The places behind pointers, and whether each is of numbers that can be compared.

        Pointers are none, and members of a union are none: another member may be meant.
        """
        for name, kind in self._kinds.items():
            for member, leaf, is_own in leaves_of(self._ffi, kind):
                place = f"{name}.{member}".rstrip(".")
                is_number = is_own and element_of(leaf).kind in ("primitive", "enum")
                yield ObservedPlace(place, name, member, ""), is_number

    def covers(self, variable: str, member: str, leaf: ObservedPlace) -> bool:
        """Whether a member is one of `leaves`, or a member of a union that has all its bytes."""
        if variable != leaf.variable or not f"{member}.".startswith(f"{leaf.member}."):
            return False
        inside = ObservedPlace(leaf.name, variable, member, "")
        return (
            member == leaf.member
            or self._finding(inside)[0].nbytes == self._finding(leaf)[0].nbytes
        )

    def held_bytes(self, leaf: ObservedPlace) -> NDArray[Any]:
        """A copy of the values of one of `leaves`; of a union, or a struct in one, its bytes."""
        memory, _, bits = self._finding(leaf)
        if bits is not None:
            return read_bits(bits, memory)
        return np.atleast_1d(memory.copy()).view(np.uint8) if memory.dtype.names else memory.copy()

    def has(self, wanted: ObservedPlace) -> bool:
        """Whether a place exists already: a result does only after its call."""
        return wanted.variable in self._memory

    def raw(self, wanted: ObservedPlace) -> NDArray[Any]:
        """A copy of the values of a place, with pointers as addresses."""
        return self._place(wanted).copy()

    def array_for(self, wanted: ObservedPlace) -> str:
        """The array that pointers in a place are given as indices of; "" for a place of numbers."""
        _, kind, _ = self._finding(wanted)
        return self._array_of(kind, wanted.into, wanted.name) if kind.kind == "pointer" else ""

    def value(self, wanted: ObservedPlace) -> NDArray[Any]:
        """A copy of the values of a place, with pointers as indices."""
        place = np.asarray(self._place(wanted))
        array = self.array_for(wanted)
        if not array:
            return place.copy()
        pool = np.atleast_1d(self._memory[array])
        offset = place.astype(np.int64) - int(pool.__array_interface__["data"][0])
        index, rest = np.divmod(offset, pool.strides[0])
        inside = (rest == 0) & (index >= 0) & (index <= len(pool))
        return np.where(place == 0, NULL, np.where(inside, index, OUTSIDE))

    # -- inside ------------------------------------------------------------------------------

    def _finding(self, wanted: ObservedPlace) -> _Member:
        """The memory of a place, its type, and which bits of it are meant if not all are."""
        if not self.has(wanted):
            raise UsageError(f"{self._words} leaves nothing in {wanted.variable}")
        kind, variable = self._kinds[wanted.variable], wanted.variable
        return self._member(self._memory[variable], kind, wanted.member, variable)

    def _place(self, wanted: ObservedPlace) -> NDArray[Any]:
        memory, _, bits = self._finding(wanted)
        if memory.dtype.names:
            raise UsageError(f"{self._words}: say which member of {wanted.name} is meant")
        return memory if bits is None else read_bits(bits, memory)

    def _new(self, kind: Any, count: int) -> NDArray[Any]:
        """Memory for some values, filled with random bytes or their complement."""
        memory = self._ffi.new("char[]", self._loaded.dtype_of(kind).itemsize * count)
        self._kept.append(memory)
        return self._view(self._ffi.buffer(memory), kind, count)

    def _view(self, memory: Any, kind: Any, count: int) -> NDArray[Any]:
        """The values in memory of a type, which is filled with random bytes or their complement."""
        raw = np.frombuffer(memory, dtype=np.uint8)
        words = np.asarray(self._noise.random_raw(len(raw) // 8 + 1))
        raw[:] = words.view(np.uint8)[: len(raw)] ^ (0xFF if self._inverted else 0)
        dtype = self._loaded.dtype_of(kind)
        return raw.view(dtype.base).reshape(count, *dtype.shape)

    def _argument(self, kind: Any, name: str, given: Any) -> Any:
        """Memory that holds an argument."""
        new = self._new(kind, 1)
        memory = self._kept[-1]
        self._store(new.reshape(new.shape[1:]), kind, given, name)
        return memory

    def _address(self, memory: Any) -> int:
        return int(self._ffi.cast("uintptr_t", memory))

    def _require_pointer(self, kind: Any, name: str) -> None:
        if kind.kind != "pointer":
            raise UsageError(f"{self._words}: {name} is a {kind.cname}, no pointer")

    def _pointed(self, kind: Any, name: str, given: Pointee) -> Any:
        """The address of memory that holds the given values; calls with one name share it."""
        if name in self._places:
            return self._places[name]
        kind = self._kind_in_memory(kind)
        self._kinds[name] = kind
        values = self._new(kind, given.count or 1)
        memory = self._places[name] = self._kept[-1]
        self._memory[name] = values if given.count else values.reshape(values.shape[1:])
        self._store(self._memory[name], kind, given.values, name)
        return memory

    def _store(self, memory: NDArray[Any], kind: Any, given: Any, name: str) -> None:
        """Put numbers, pointers or members into memory of a type, from its beginning on."""
        if isinstance(given, dict):
            called = f"{name.lstrip('*')}{'->' if name.startswith('*') else '.'}"
            for member, inside in given.items():
                part, its_kind, bits = self._member(memory, kind, member, name)
                words = called if isinstance(inside, Pointee) else f"{name}."
                if bits is None:
                    self._store(part, its_kind, inside, f"{words}{member}")
                else:
                    self._store_bits(part, bits, inside, f"{words}{member}")
        elif isinstance(given, Pointee):
            self._require_pointer(kind, name)
            memory[...] = self._address(self._pointed(kind.item, f"*{name}", given))
        elif isinstance(given, ElementPointers):
            self._require_pointer(kind, name)
            self._elements.append(_Element(np.atleast_1d(memory), kind, given, name))
        elif kind.kind == "pointer" and given is not None:
            pointers = ElementPointers(np.asarray(given), "")
            self._elements.append(_Element(np.atleast_1d(memory), kind, pointers, name))
        elif given is not None:
            self._store_numbers(np.atleast_1d(memory), np.atleast_1d(np.asarray(given)), name)

    def _store_numbers(self, memory: NDArray[Any], values: NDArray[Any], name: str) -> None:
        is_row = values.ndim == memory.ndim
        if not is_row or any(n > room for n, room in zip(values.shape, memory.shape, strict=True)):
            count, room = ("x".join(map(str, each.shape)) for each in (values, memory))
            raise UsageError(f"{self._words}: {count} values for {name}, with room for {room}")
        if memory.dtype.names:
            raise UsageError(f"{self._words}: say which member of {name} is meant")
        with np.errstate(all="ignore"):
            laid = values.astype(memory.dtype)
            fits = (laid == values) | ((laid != laid) & (values != values))
        if not fits.all():
            raise UsageError(f"{self._words}: {name} cannot hold {values[~fits][0]}")
        memory[tuple(slice(count) for count in values.shape)] = laid

    def _store_bits(self, units: NDArray[Any], bits: BitField, given: Any, name: str) -> None:
        """Put numbers into a bit-field, and leave the other bits of its units as they are."""
        if isinstance(given, Pointee | ElementPointers | dict):
            raise UsageError(f"{self._words}: {name} is a bit-field, which holds a number")
        if given is None:
            return
        numbers = np.array(read_bits(bits, units))
        self._store_numbers(np.atleast_1d(numbers), np.atleast_1d(np.asarray(given)), name)
        wrong = (numbers < bits.least) | (numbers > bits.most)
        if wrong.any():
            raise UsageError(f"{self._words}: {name} cannot hold {numbers[wrong].flat[0]}")
        put_bits(bits, units, numbers)

    def _member(self, memory: Any, kind: Any, member: str, name: str) -> _Member:
        """The memory of a member of structs, its type, and its bits if it is a bit-field.

        ``member`` is "" for the whole.
        """
        kind, bits = element_of(kind), None
        for part in member.split(".") if member else []:
            fields = dict(kind.fields or ()) if kind.kind in ("struct", "union") else {}
            if part not in fields:
                raise UsageError(f"{self._words}: {name} has no {member}")
            memory, kind = memory[part], element_of(fields[part].type)
            bits = bits_of(fields[part], memory.dtype)
        return np.asarray(memory), kind, bits

    def _lay_element(self, element: _Element) -> None:
        """Put pointers to elements of an array into memory."""
        indices = np.atleast_1d(element.given.indices).astype(np.int64)
        if (indices == NULL).all():
            element.memory[: len(indices)] = 0
            return
        name = self._array_of(element.kind, element.given.array, element.name)
        array = np.atleast_1d(self._memory[name])
        if len(indices) > len(element.memory):
            raise UsageError(
                f"{self._words}: {len(indices)} values for {element.name}, with room for "
                f"{len(element.memory)}"
            )
        if indices.size and not (indices.min() >= NULL and indices.max() <= len(array)):
            raise UsageError(
                f"{self._words}: an index for {element.name} is beyond the array {name}"
            )
        base = int(array.__array_interface__["data"][0])
        places = base + indices * array.strides[0]
        element.memory[: len(indices)] = np.where(indices == NULL, 0, places)

    def _array_of(self, kind: Any, wanted: str, name: str) -> str:
        """The name of the array that pointers of a type in a place lead into.

        Args:
            kind: the type of the pointers.
            wanted: the array that the case names; "" for the only one of their type.
            name: the place, for messages.
        """
        arrays = {name for name, memory in self._memory.items() if memory.ndim}
        if wanted in arrays or wanted in self._loaded.kinds:
            return wanted
        names = ", ".join(sorted(arrays)) or "none"
        if wanted:
            raise UsageError(
                f"{self._words}: there is no array {wanted} for {name} to point into; there are: "
                f"{names}"
            )
        target = self._kind_in_memory(kind.item)
        alike = [name for name in sorted(arrays) if element_of(self._kinds[name]) is target]
        if len(alike) != 1:
            raise UsageError(
                f"{self._words}: {name} is a {kind.cname}, and it is not known into which array it "
                f"points; say so with into; there are: {names}"
            )
        return alike[0]

    def _kind_in_memory(self, kind: Any) -> Any:
        """The type of the elements that a pointer leads to; bytes for ``void *`` and ``char *``."""
        is_bytes = kind.kind == "void" or kind.cname == "char"
        return self._ffi.typeof("unsigned char") if is_bytes else kind
