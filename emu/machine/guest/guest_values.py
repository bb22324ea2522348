"""Python values as values of guest types, and objects that Python puts into guest memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from emu.base.arguments import require
from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.machine.guest.typed_views import TypedView, needs_view, view_of, wide_value
from emu.program import Field, GuestType
from emu.program.model.wide_floats import WideFloat

GuestValue = int | bool | float | WideFloat | np.void | NDArray[Any] | None
"""A value that a guest function returns: a number, a struct as a NumPy record (as a `TypedView` if
it has bit-fields or a long double), or nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class GuestObject:
    """An object in guest memory that Python has made there.

    Give it to a guest function in place of its address.

    Attributes:
        address: its guest address.
        type: its type.
        value: a NumPy view of it in guest memory, in the guest's byte order. Its shape is () for
            one value, and the array's dimensions for an array.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
        >>> ball = macproof.Machine(program, "601").new("obj", x=100, y=-5)
        >>> int(ball["x"]), ball.type.size, len(bytes(ball))
        (100, 16, 16)
    """

    address: int
    type: GuestType
    value: NDArray[Any]

    def __index__(self) -> int:
        return self.address

    def __getitem__(self, place: Any) -> Any:
        return self.value[place]

    def __setitem__(self, place: Any, given: Any) -> None:
        self.value[place] = given

    def __bytes__(self) -> bytes:
        return self.value.tobytes()


@runtime_checkable
class GuestCallable(Protocol):
    """What guest code can call: a function of the guest program."""

    @property
    def pointer(self) -> int:
        """What a pointer to it holds."""


def mac_roman(text: str | bytes) -> bytes:
    """A text in Mac OS Roman; bytes are taken as they are.

    Raises:
        UsageError: a character is not in Mac OS Roman; or it is neither a string nor bytes.
    """
    if isinstance(text, bytes):
        return text
    try:
        return require(text, str, "text", "a string or bytes").encode("mac_roman")
    except UnicodeEncodeError as error:
        raise UsageError(f"{text[error.start]!r} is no character of Mac OS Roman") from None


def store(kind: GuestType, target: NDArray[Any], given: Any, what: str) -> None:
    """Write a Python value as one value of a guest type.

    Args:
        kind: the type.
        target: an array of shape () and of the type's dtype.
        given: a number; for a pointer an address, a `GuestObject`, a guest function or None; for a
            struct a mapping with a value for each member, the values in their order, or a NumPy
            record; for a union a mapping with one member.
        what: what the value is for, in words for messages ("short first").

    Raises:
        UsageError: the value is of another kind, or the type cannot hold it exactly.
    """
    if kind.kind == "struct":
        _store_struct(kind, target, given, what)
    elif kind.kind == "array":
        raise UsageError(f"{what} is an array and cannot be given as one value")
    elif kind.wide is not None:
        if np.ndim(given):
            raise UsageError(f"{given!r:.80} is given for {what}, which needs a number")
        target[...] = wide_value(kind, given, what)
    elif kind.kind == "float":
        _store_float(kind, target, given, what)
    elif kind.kind == "unknown":
        raise UsageError(f"{what} is of a type that macproof cannot pass")
    elif kind.bits is not None:
        number = np.array(_whole(kind, given, what), np.uint64 if kind.bits.width == 64 else None)
        target[...] = kind.bits.put(target, number)
    else:
        target[...] = _whole(kind, given, what)


def value_of(kind: GuestType, data: bytes) -> GuestValue:
    """A guest value as a Python value: a number, a Boolean, or a copy of a struct's record."""
    if kind.wide is not None:
        return kind.wide.number_at(data)
    value = np.frombuffer(data, kind.dtype)[0]
    if kind.bits is not None:
        value = kind.bits.read(np.frombuffer(data, kind.dtype))[0]
    if kind.kind == "boolean":
        return bool(value)
    if kind.kind == "struct":
        if needs_view(kind):
            return view_of(kind, np.frombuffer(data, np.uint8).copy())
        return np.void(value)
    return float(value) if kind.kind == "float" else int(value)


def _whole(kind: GuestType, given: Any, what: str) -> int:
    if isinstance(given, (bytes, bytearray, str)) and kind.kind != "pointer":
        hint = f': int.from_bytes({given!r}, "big")' if isinstance(given, bytes) else ""
        raise UsageError(f"{given!r:.80} is given for {what}, which needs a whole number{hint:.80}")
    if kind.kind == "pointer" and isinstance(given, GuestCallable):
        given = given.pointer
    if isinstance(given, (bytes, bytearray, str)):
        raise UsageError(
            f"{given!r:.80} is given for {what}; put it into guest memory first, with "
            "machine.buffer, machine.c_string or machine.pascal_string"
        )
    try:
        value = 0 if given is None and kind.kind == "pointer" else index(given)
    except TypeError:
        hint = "; only an argument of its own can be a Python function" * callable(given)
        problem = f"{given!r:.80} is given for {what}, which needs a whole number{hint}"
        raise UsageError(problem) from None
    least, most = kind.limits
    if not least <= value <= most:
        which = "which" if kind.bits is None else f"a bit-field of {kind.bits.width} bits, which"
        raise UsageError(f"{value} is given for {what}, {which} holds {least:,} to {most:,}")
    return value


def _store_float(kind: GuestType, target: NDArray[Any], given: Any, what: str) -> None:
    if isinstance(given, WideFloat):
        given = _same_float(given)
    if isinstance(given, bool) or not isinstance(given, (int, float, np.integer, np.floating)):
        raise UsageError(f"{given!r:.80} is given for {what}, which needs a number")
    with np.errstate(over="ignore"):
        target[...] = given
    held = float(target)
    if held != given and given == given:
        hint = f"; give numpy.float32({given!r}) if that is meant" if kind.size == 4 else ""
        raise UsageError(f"{given!r} is given for {what}, which holds {held!r} instead{hint}")


def _same_float(given: WideFloat) -> float | WideFloat:
    """The float with the same value, or the number itself if there is none."""
    value = float(given)
    return value if value == given or given != given else given


def _store_struct(kind: GuestType, target: NDArray[Any], given: Any, what: str) -> None:
    names = [field.name for field in kind.fields]
    if isinstance(given, (np.void, TypedView)) and given.dtype.names is not None:
        given = {name: given[name] for name in given.dtype.names}
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise UsageError(f"{what} has no member {name}{did_you_mean(str(name), names)}")
        if kind.is_union and given:
            _store_union(kind, target, given, what)
            return
        missing = [name for name in names if name not in given]
        if missing:
            raise UsageError(f"{what} is given without its member {missing[0]}")
        values = [given[name] for name in names]
    elif isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        values = list(given)
    else:
        raise UsageError(
            f"{given!r:.80} is given for {what}, which needs its members: {', '.join(names)}"
        )
    if len(values) != len(names):
        raise UsageError(f"{what} has {len(names)} members, and {len(values)} are given")
    for field, value in zip(kind.fields, values, strict=True):
        _store_member(field, target, value, what)


def _store_union(
    kind: GuestType, target: NDArray[Any], given: Mapping[str, Any], what: str
) -> None:
    """Store one member of a union, or several that agree in the bytes that they share."""
    for field in kind.fields:
        if field.name in given:
            _store_member(field, target, given[field.name], what)
    for field in kind.fields:
        again = target.copy()
        if field.name in given:
            _store_member(field, again, given[field.name], what)
        if again.tobytes() != target.tobytes():
            raise UsageError(
                f"{what} is a union, and its {field.name} is given another value than the others; "
                "one of its members is enough"
            )


def _store_member(field: Field, target: NDArray[Any], value: Any, what: str) -> None:
    where = f"{what}.{field.name}"
    if field.type.shape:
        fill_array(field.type, target[field.name], value, where)
    else:
        store(field.type, target[field.name].reshape(()), value, where)


def fill_array(kind: GuestType, target: NDArray[Any], given: Any, what: str) -> None:
    """Write a Python sequence as an array of a guest type; it must have as many values.

    Raises:
        UsageError: it has more or fewer values, or the type cannot hold one exactly.
    """
    values = np.array(given, dtype=object) if not isinstance(given, (bytes, bytearray)) else given
    flat = list(values) if isinstance(values, (bytes, bytearray)) else list(values.ravel())
    places = target.reshape(-1)
    if len(flat) != len(places):
        raise UsageError(f"{what} has {len(places)} values, and {len(flat)} are given")
    for number, value in enumerate(flat):
        store(kind.scalar, places[number : number + 1].reshape(()), value, f"{what}[{number}]")
