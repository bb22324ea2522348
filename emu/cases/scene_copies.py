"""Copies scenes, so that a reference cannot change what it is asked about."""

from __future__ import annotations

import copy
import copyreg
import functools
from typing import Any

import numpy as np

_UNCHANGING = (int, float, bool, str, bytes, complex, type(None))
_OWN_WAYS = ("__deepcopy__", "__setstate__", "__getnewargs__", "__getnewargs_ex__")
_USUAL_WAYS = ("__reduce_ex__", "__reduce__", "__getstate__", "__new__")


class _Plain:
    """A class whose objects have a dictionary and nothing else: no slots, no list inside."""


_SIZES = _Plain.__basicsize__, _Plain.__dictoffset__


def copy_of(scene: Any) -> Any:
    """What `copy.deepcopy` gives.

    Most scenes are objects with a dictionary of numbers, texts and arrays. That takes 17 us of
    `copy.deepcopy`, which looks for more, and 4 us here (a scene of ``examples/quicksort``).
    """
    kind: Any = type(scene)
    values = _copied(vars(scene)) if _has_dictionary_alone(kind) else None
    if values is None:
        return copy.deepcopy(scene)
    made = object.__new__(kind)
    made.__dict__.update(values)
    return made


def _copied(values: dict[str, Any]) -> dict[str, Any] | None:
    """Copies of values; None if some may hold others, or are there twice."""
    copies: dict[str, Any] = {}
    arrays: list[Any] = []
    for name, value in values.items():
        if type(value) in _UNCHANGING:
            copies[name] = value
            continue
        is_array = type(value) is np.ndarray and not value.dtype.hasobject
        if not is_array or any(value is other for other in arrays):
            return None
        arrays.append(value)
        copies[name] = value.copy(order="K")
    return copies


@functools.lru_cache(maxsize=256)
def _has_dictionary_alone(kind: type) -> bool:
    """Whether all that an object of a class has is in its dictionary, and is copied as usual."""
    return (
        kind not in copyreg.dispatch_table
        and (kind.__basicsize__, kind.__dictoffset__) == _SIZES
        and not any(hasattr(kind, name) for name in _OWN_WAYS)
        and all(getattr(kind, n, None) is getattr(object, n, None) for n in _USUAL_WAYS)
    )
