"""Calls a function of a shared library of this computer, by cffi, and says what it leaves.

This runs in a process of its own, since the function may crash it. The function is called twice,
and memory that the call does not fill holds bytes of no meaning: in the second call their
complement. So it is seen which values the function wrote.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.verify.host_function import HostFunction, LoadedFunction, load_function

PATIENCE = 30
"""Seconds that a call may take."""

_NULL, _OUTSIDE = -1, -2


@dataclass(frozen=True, slots=True)
class Given:
    """The memory that a pointer leads to.

    Attributes:
        values: what it holds: numbers, text, members by their names, or what it points to. None if
            it begins as anything.
        count: how many elements there is room for; None for a single one.
    """

    values: Any
    count: int | None


@dataclass(frozen=True, slots=True)
class Into:
    """Pointers to elements of an array.

    Attributes:
        indices: the elements: -1 for the null pointer, and the number of elements for a pointer to
            the place behind the last one.
        array: the name of the array, such as "*first"; "" for the only one of that type.
    """

    indices: NDArray[Any]
    array: str


@dataclass(frozen=True, slots=True)
class _Element:
    """Pointers that are laid when all arrays have their places: their memory, type and name."""

    memory: NDArray[Any]
    kind: Any
    given: Into
    name: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """An observed place: the variable ("*out", "return"), a member or "", and where it points."""

    name: str
    variable: str
    member: str
    into: str


@dataclass(frozen=True, slots=True)
class Left:
    """What a function leaves in a place.

    Attributes:
        value: the values after the first call, with pointers as indices: -1 for null, -2 for one to
            no element of the array it is said to point into.
        unwritten: where the function wrote nothing.
        unclear: where the value depends on memory that the call does not fill.
    """

    value: NDArray[Any]
    unwritten: NDArray[np.bool_]
    unclear: NDArray[np.bool_]


def call_twice(
    function: HostFunction, arguments: Mapping[str, Any], wanted: tuple[Wanted, ...]
) -> dict[str, Left]:
    """Call a function twice with the same arguments.

    Args:
        function: the function.
        arguments: for each parameter in its order a number, members by their names, `Given` for
            memory that a pointer leads to, `Into` for a pointer into such memory, or None for the
            null pointer.
        wanted: what is asked for.

    Raises:
        UsageError: there is no such library or function; or an argument does not fit its parameter;
            or there is no such place.
    """
    loaded = load_function(function)
    calls = [_Call(loaded, arguments, inverted) for inverted in (False, True)]
    before = [{one.name: call.raw(one) for one in wanted if call.has(one)} for call in calls]
    for call in calls:
        call.run()
    return {one.name: _left(one, calls, before) for one in wanted}


def _left(
    wanted: Wanted, calls: Sequence[_Call], before: Sequence[Mapping[str, NDArray[Any]]]
) -> Left:
    """Compare what two calls leave in a place with each other, and with what was there before."""
    values = [call.value(wanted) for call in calls]
    same = same_bytes(*values)
    unwritten = np.zeros_like(same)
    if all(wanted.name in one for one in before):
        kept = [
            same_bytes(s[wanted.name], call.raw(wanted))
            for s, call in zip(before, calls, strict=True)
        ]
        unwritten = kept[0] & kept[1] & (~same | bool(wanted.into))
    return Left(values[0], unwritten, ~same & ~unwritten)


class _Call:
    """The memory of one call."""

    def __init__(
        self, loaded: LoadedFunction, arguments: Mapping[str, Any], inverted: bool
    ) -> None:
        self._loaded = loaded
        self._ffi = loaded.ffi
        self._noise = np.random.PCG64([1994])
        self._inverted = inverted
        self._kept: list[Any] = []
        self._memory: dict[str, NDArray[Any]] = {}
        self._kinds: dict[str, Any] = {}
        self._elements: list[_Element] = []
        types = self._ffi.typeof(loaded.call).args
        if len(types) != len(arguments):
            raise UsageError(f"{loaded.words} takes {len(types)} arguments, not {len(arguments)}")
        laid = [
            self._argument(kind, name, given)
            for kind, (name, given) in zip(types, arguments.items(), strict=True)
        ]
        for element in self._elements:
            self._lay_element(element)
        self._arguments = [
            self._ffi.cast(f"{kind.cname} *", memory)[0]
            for kind, memory in zip(types, laid, strict=True)
        ]

    def run(self) -> None:
        """Make the call; a call that does not return ends this process."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(PATIENCE)
        try:
            result = self._loaded.call(*self._arguments)
        finally:
            signal.alarm(0)
        kind = self._ffi.typeof(self._loaded.call).result
        if kind.kind != "void":
            self._memory["return"] = self._new(kind, 1).reshape(())
            self._ffi.cast(f"{kind.cname} *", self._kept[-1])[0] = result

    def has(self, wanted: Wanted) -> bool:
        """Whether a place is there: the result is not before the call."""
        return wanted.variable in self._memory

    def raw(self, wanted: Wanted) -> NDArray[Any]:
        """A copy of what a place holds, with pointers as addresses."""
        return self._place(wanted).copy()

    def value(self, wanted: Wanted) -> NDArray[Any]:
        """What a place holds, with pointers as indices."""
        place = np.asarray(self._place(wanted))
        if not wanted.into:
            return place.copy()
        pool = self._memory.get(wanted.into)
        if pool is None:
            raise UsageError(f"{self._loaded.words}: there is no array {wanted.into}")
        offset = place.astype(np.int64) - int(pool.__array_interface__["data"][0])
        index, rest = np.divmod(offset, pool.dtype.itemsize)
        inside = (rest == 0) & (index >= 0) & (index <= len(pool))
        return np.where(place == 0, _NULL, np.where(inside, index, _OUTSIDE))

    # -- inside ------------------------------------------------------------------------------

    def _place(self, wanted: Wanted) -> NDArray[Any]:
        if not self.has(wanted):
            raise UsageError(f"{self._loaded.words} leaves nothing in {wanted.variable}")
        found: Any = self._memory[wanted.variable]
        for name in wanted.member.split(".") if wanted.member else []:
            if name not in (found.dtype.names or ()):
                raise UsageError(f"{self._loaded.words}: {wanted.variable} has no {wanted.member}")
            found = found[name]
        if found.dtype.names:
            raise UsageError(f"{self._loaded.words}: say which member of {wanted.name} is meant")
        return np.asarray(found)

    def _new(self, kind: Any, count: int) -> NDArray[Any]:
        """Memory for some values, filled with bytes of no meaning."""
        dtype = self._loaded.dtype_of(kind)
        memory = self._ffi.new("char[]", dtype.itemsize * count)
        self._kept.append(memory)
        view = np.frombuffer(self._ffi.buffer(memory), dtype=np.uint8)
        words = np.asarray(self._noise.random_raw(len(view) // 8 + 1))
        view[:] = words.view(np.uint8)[: len(view)] ^ (0xFF if self._inverted else 0)
        return view.view(dtype)

    def _argument(self, kind: Any, name: str, given: Any) -> Any:
        """Memory that holds an argument."""
        one = self._new(kind, 1)
        memory = self._kept[-1]
        if isinstance(given, Given):
            self._require_pointer(kind, name)
            one[0] = self._address(self._pointed(kind.item, f"*{name}", given))
        elif given is None:
            self._require_pointer(kind, name)
            one[0] = 0
        else:
            self._store(one, kind, given, name)
        return memory

    def _address(self, memory: Any) -> int:
        return int(self._ffi.cast("uintptr_t", memory))

    def _require_pointer(self, kind: Any, name: str) -> None:
        if kind.kind != "pointer":
            raise UsageError(f"{self._loaded.words}: {name} is a {kind.cname}, no pointer")

    def _pointed(self, kind: Any, name: str, given: Given) -> Any:
        """The address of memory that holds what is given."""
        kind = self._kind_in_memory(kind)
        self._kinds[name] = kind
        values = self._new(kind, given.count or 1)
        memory = self._kept[-1]
        self._memory[name] = values if given.count else values.reshape(())
        inside = given.values
        if isinstance(inside, Given):
            self._require_pointer(kind, name)
            values[0] = self._address(self._pointed(kind.item, f"*{name}", inside))
        elif inside is not None:
            self._store(values, kind, inside, name)
        return memory

    def _store(self, memory: NDArray[Any], kind: Any, given: Any, name: str) -> None:
        """Put numbers, pointers or members into memory of a type, from its beginning on."""
        if isinstance(given, dict):
            for member, values in given.items():
                found, its_kind = self._member(memory, kind, member, name)
                self._store(found, its_kind, values, f"{name}.{member}")
            return
        if isinstance(given, Into):
            self._require_pointer(kind, name)
        if kind.kind == "pointer":
            into = given if isinstance(given, Into) else Into(np.asarray(given), "")
            self._elements.append(_Element(memory, kind, into, name))
            return
        values = np.atleast_1d(np.asarray(given))
        if len(values) > len(memory):
            raise UsageError(
                f"{self._loaded.words}: {len(values)} values for {name}, with room for "
                f"{len(memory)}"
            )
        with np.errstate(all="ignore"):
            laid = values.astype(memory.dtype)
            fits = (laid == values) | ((laid != laid) & (values != values))
        if not fits.all():
            raise UsageError(f"{self._loaded.words}: {name} cannot hold {values[~fits][0]}")
        memory[: len(values)] = laid

    def _member(self, memory: Any, kind: Any, member: str, name: str) -> tuple[NDArray[Any], Any]:
        """The memory of a member of structs, and the member's type."""
        for part in member.split("."):
            fields = dict(kind.fields or ()) if kind.kind in ("struct", "union") else {}
            if part not in fields:
                raise UsageError(f"{self._loaded.words}: {name} has no {member}")
            memory, kind = memory[part], fields[part].type
        while kind.kind == "array":
            kind = kind.item
        return memory, kind

    def _lay_element(self, element: _Element) -> None:
        """Put pointers to elements of an array into memory."""
        name = self._array_of(element)
        array = self._memory[name]
        indices = np.atleast_1d(element.given.indices).astype(np.int64)
        if len(indices) > len(element.memory):
            raise UsageError(
                f"{self._loaded.words}: {len(indices)} values for {element.name}, with room for "
                f"{len(element.memory)}"
            )
        if indices.size and not (indices.min() >= _NULL and indices.max() <= len(array)):
            raise UsageError(
                f"{self._loaded.words}: an index for {element.name} is beyond the array {name}"
            )
        base = int(array.__array_interface__["data"][0])
        places = base + indices * array.dtype.itemsize
        element.memory[: len(indices)] = np.where(indices == _NULL, 0, places)

    def _array_of(self, element: _Element) -> str:
        """The name of the array that pointers lead into."""
        arrays = {name for name, memory in self._memory.items() if memory.ndim}
        wanted = element.given.array
        if wanted in arrays:
            return wanted
        known = ", ".join(sorted(arrays)) or "none"
        if wanted:
            raise UsageError(
                f"{self._loaded.words}: there is no array {wanted} for {element.name} to point "
                f"into; there are: {known}"
            )
        target = self._kind_in_memory(element.kind.item)
        alike = [name for name in sorted(arrays) if self._kinds[name] is target]
        if len(alike) != 1:
            raise UsageError(
                f"{self._loaded.words}: {element.name} is a {element.kind.cname}, and it is not "
                f"known into which array it points; say so with into; there are: {known}"
            )
        return alike[0]

    def _kind_in_memory(self, kind: Any) -> Any:
        """The type of the elements that a pointer to a type leads to: bytes, if it does not say."""
        is_bytes = kind.kind == "void" or kind.cname == "char"
        return self._ffi.typeof("unsigned char") if is_bytes else kind


def same_bytes(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Where two arrays have the same bytes."""
    size = one.dtype.itemsize
    pair = [np.ascontiguousarray(values).reshape(-1).view(np.uint8) for values in (one, other)]
    return np.asarray((pair[0] == pair[1]).reshape(*one.shape, size).all(axis=-1))
