"""Calls a function of a shared library of this computer, by cffi, and says what it leaves.

This runs in a process of its own, since the function may crash it. The function is called twice,
and memory that the call does not fill holds bytes of no meaning: in the second call their
complement. So it is seen which values the function wrote.
"""

from __future__ import annotations

import functools
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError

if TYPE_CHECKING:
    import cffi

PATIENCE = 30
"""Seconds that a call may take."""

_NULL, _OUTSIDE = -1, -2
_KEPT = 4
_MAC_TYPES = """
typedef unsigned char Boolean, Byte, UInt8, Str255[256], Str63[64], Str31[32], Str15[16];
typedef signed char SInt8, SignedByte;
typedef int16_t SInt16, OSErr;
typedef uint16_t UInt16;
typedef int32_t SInt32, Fixed, Fract, Size, OSStatus;
typedef uint32_t UInt32, OSType, ResType;
typedef char *Ptr, **Handle;
typedef unsigned char *StringPtr;
typedef struct { int16_t v, h; } Point;
typedef struct { int16_t top, left, bottom, right; } Rect;
typedef struct { uint16_t red, green, blue; } RGBColor;
"""


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function of a shared library.

    Attributes:
        library: the library's file.
        name: the function's name.
        prototype: how it is declared, in the types of this computer's C and of the Macintosh.
    """

    library: str
    name: str
    prototype: str


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
            memory that a pointer leads to, or None for the null pointer.
        wanted: what is asked for.

    Raises:
        UsageError: there is no such library or function; or an argument does not fit its parameter;
            or there is no such place.
    """
    loaded = _load(function)
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


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A function that has been loaded, with the library's own ``cffi.FFI``."""

    ffi: cffi.FFI
    call: Any
    words: str


@functools.lru_cache(maxsize=_KEPT)
def _load(function: HostFunction) -> _Loaded:
    import cffi  # here, because few cases need it

    ffi = cffi.FFI()
    words = f"{function.name} of {function.library}"
    try:
        ffi.cdef(_MAC_TYPES + function.prototype.replace("pascal ", "").rstrip("; \n") + ";")
    except (cffi.CDefError, cffi.FFIError) as error:
        raise UsageError(f"{function.prototype}: {str(error).splitlines()[0]}") from error
    try:
        return _Loaded(ffi, getattr(ffi.dlopen(function.library), function.name), words)
    except OSError as error:
        raise UsageError(f"{words}: {error}") from error
    except AttributeError as error:
        raise UsageError(
            f"{function.library} has no function {function.name}, or the prototype declares another"
        ) from error


class _Call:
    """The memory of one call."""

    def __init__(self, loaded: _Loaded, arguments: Mapping[str, Any], inverted: bool) -> None:
        self._loaded = loaded
        self._ffi = loaded.ffi
        self._noise = np.random.PCG64([1994])
        self._inverted = inverted
        self._kept: list[Any] = []
        self._memory: dict[str, NDArray[Any]] = {}
        types = self._ffi.typeof(loaded.call).args
        if len(types) != len(arguments):
            raise UsageError(f"{loaded.words} takes {len(types)} arguments, not {len(arguments)}")
        self._arguments = [
            self._argument(kind, name, given)
            for kind, (name, given) in zip(types, arguments.items(), strict=True)
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
        dtype = self._dtype(kind)
        memory = self._ffi.new("char[]", dtype.itemsize * count)
        self._kept.append(memory)
        view = np.frombuffer(self._ffi.buffer(memory), dtype=np.uint8)
        words = np.asarray(self._noise.random_raw(len(view) // 8 + 1))
        view[:] = words.view(np.uint8)[: len(view)] ^ (0xFF if self._inverted else 0)
        return view.view(dtype)

    def _argument(self, kind: Any, name: str, given: Any) -> Any:
        if isinstance(given, Given):
            self._require_pointer(kind, name)
            return self._ffi.cast(kind, self._pointed(kind.item, f"*{name}", given))
        if given is None:
            self._require_pointer(kind, name)
            return self._ffi.NULL
        one = self._new(kind, 1)
        self._store(one, given if isinstance(given, dict) else [given], name)
        return self._ffi.cast(f"{kind.cname} *", self._kept[-1])[0]

    def _require_pointer(self, kind: Any, name: str) -> None:
        if kind.kind != "pointer":
            raise UsageError(f"{self._loaded.words}: {name} is a {kind.cname}, no pointer")

    def _pointed(self, kind: Any, name: str, given: Given) -> Any:
        """The address of memory that holds what is given."""
        if kind.kind == "void" or kind.cname == "char":
            kind = self._ffi.typeof("unsigned char")
        values = self._new(kind, given.count or 1)
        memory = self._kept[-1]
        self._memory[name] = values if given.count else values.reshape(())
        inside = given.values
        if isinstance(inside, Given):
            self._require_pointer(kind, name)
            values[0] = int(
                self._ffi.cast("uintptr_t", self._pointed(kind.item, f"*{name}", inside))
            )
        elif inside is not None:
            self._store(values, inside, name)
        return memory

    def _store(self, memory: NDArray[Any], given: Any, name: str) -> None:
        """Put numbers or members into memory, from its beginning on."""
        if isinstance(given, dict):
            for member, values in given.items():
                found: Any = memory
                for part in member.split("."):
                    if part not in (found.dtype.names or ()):
                        raise UsageError(f"{self._loaded.words}: {name} has no {member}")
                    found = found[part]
                self._store(found, values, f"{name}.{member}")
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

    def _dtype(self, kind: Any) -> np.dtype[Any]:
        """The dtype of values of a type of this computer."""
        if kind.kind in ("primitive", "enum"):
            if kind.cname in ("float", "double"):
                return np.dtype("f8" if kind.cname == "double" else "f4")
            size = self._ffi.sizeof(kind)
            if kind.cname == "long double" or "_Complex" in kind.cname:
                raise UsageError(f"{self._loaded.words}: a {kind.cname} cannot be passed")
            is_signed = kind.cname == "char" or int(self._ffi.cast(kind, -1)) < 0
            return np.dtype(f"{'i' if is_signed else 'u'}{size}")
        if kind.kind == "pointer":
            return np.dtype(f"u{self._ffi.sizeof(kind)}")
        if kind.kind == "array":
            return np.dtype((self._dtype(kind.item), (kind.length,)))
        if kind.kind in ("struct", "union") and kind.fields:
            return np.dtype(
                {
                    "names": [name for name, _ in kind.fields],
                    "formats": [self._dtype(field.type) for _, field in kind.fields],
                    "offsets": [field.offset for _, field in kind.fields],
                    "itemsize": self._ffi.sizeof(kind),
                }
            )
        raise UsageError(f"{self._loaded.words}: a {kind.cname} cannot be passed")


def same_bytes(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Where two arrays have the same bytes."""
    size = one.dtype.itemsize
    pair = [np.ascontiguousarray(values).reshape(-1).view(np.uint8) for values in (one, other)]
    return np.asarray((pair[0] == pair[1]).reshape(*one.shape, size).all(axis=-1))
