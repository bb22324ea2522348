"""Finds out whether a case's Python code has changed a scene, attribute by attribute."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PLAIN = (str, bytes, int, bool)


def changed_attribute(before: object, after: object) -> str:
    """The first attribute that differs between a scene and its earlier copy, or "".

    Attributes of attributes are compared too, and are named with dots ("corners.x"). An attribute
    that only ``after`` has is no change: an object may store a result it has computed.
    """
    return next(_differing(before, after, set()), "").removeprefix(".")


def _differing(before: Any, after: Any, seen: set[int]) -> Iterator[str]:
    """The place where two values differ, as a suffix of the value's name (".x")."""
    if _is_plainly_same(before, after) or (identity := id(before)) in seen:
        return
    seen.add(identity)
    if type(before) is not type(after):
        yield ""
    elif isinstance(before, np.ndarray) and before.dtype.hasobject and before.shape == after.shape:
        yield from _differing(before.tolist(), after.tolist(), seen)
    elif isinstance(before, np.ndarray):
        if _contents(before) != _contents(after):
            yield ""
    elif isinstance(before, Mapping):
        if before.keys() != after.keys():
            yield ""
        else:
            yield from _inside([(f"[{key!r}]", before[key], after[key]) for key in before], seen)
    elif isinstance(before, (list, tuple)):
        if len(before) != len(after):
            yield ""
        else:
            pairs = enumerate(zip(before, after, strict=True))
            yield from _inside([(f"[{index}]", pair, two) for index, (pair, two) in pairs], seen)
    elif isinstance(before, (str, bytes, bytearray, int, float, complex, Set, np.generic)):
        if repr(before) != repr(after):  # compared as text, because a NaN does not equal itself
            yield ""
    else:
        names = _attributes(before)
        gone = [name for name in names if not hasattr(after, name)]
        if gone:
            yield f".{gone[0]}"
        rest = [(f".{n}", getattr(before, n), getattr(after, n)) for n in names if n not in gone]
        yield from _inside(rest, seen)


def _inside(parts: list[tuple[str, Any, Any]], seen: set[int]) -> Iterator[str]:
    for name, before, after in parts:
        if not _is_plainly_same(before, after):  # as nearly all are, so no iterator is made
            for rest in _differing(before, after, seen):
                yield name + rest


def _is_plainly_same(before: Any, after: Any) -> bool:
    """Whether two values are one, or equal ones that hold no others; False if that is not clear."""
    if before is after:
        return True
    kind = type(before)
    if kind is not type(after):
        return False
    if kind is np.ndarray and not before.dtype.hasobject:
        return bool(_contents(before) == _contents(after))
    return kind in _PLAIN and bool(before == after)


def _contents(array: NDArray[Any]) -> tuple[object, ...]:
    held = array.tolist() if array.dtype.hasobject else array.tobytes()
    return array.dtype, array.shape, held


def _attributes(value: object) -> list[str]:
    """The names of an object's attributes, from its dictionary, its slots and its fields."""
    kind: Any = type(value)
    names = dict.fromkeys(getattr(value, "__dict__", ())) | _declared_by(kind)
    return [name for name in names if hasattr(value, name)]


@functools.lru_cache(maxsize=256)
def _declared_by(kind: type) -> dict[str, None]:
    """The names of the slots and the fields that a class and its parents have."""
    names: dict[str, None] = {}
    for each in kind.__mro__:
        slots = each.__dict__.get("__slots__", ())
        names |= dict.fromkeys((slots,) if isinstance(slots, str) else slots)
    if dataclasses.is_dataclass(kind):
        names |= dict.fromkeys(field.name for field in dataclasses.fields(kind))
    return names
