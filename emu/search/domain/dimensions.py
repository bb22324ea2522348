"""The numbers of a case's scenes that a search changes, each with the range that it usually has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emu.cases.case import Case
from emu.cases.keys.parts import Scene
from emu.verify.scenes.changed_scenes import Value, fields_of

Box: TypeAlias = Mapping[str, tuple[int, int]]
"""For the name of each dimension its lowest and its highest value, both included."""

COUNT = "objects"
"""The name of the dimension that is the number of items."""

_MOST_COLUMNS = 8
_FARTHEST = 1 << 31  # for numbers of Python, whose type has no limit
_TIMES_AS_MANY = 4


@dataclass(frozen=True, slots=True)
class Dimension:
    """A number of each scene, or of each item of each scene.

    Attributes:
        name: the attribute that the case fills in, or the scene's field if no attribute is equal.
        field: the scene's field; "" is the number of items.
        column: the column of an array of two dimensions; -1 is the whole field.
        low: the lowest value that scenes of the case have.
        high: the highest.
        start: where a search begins: the lowest and highest of the middle half of these values; of
            numbers of items all that scenes have.
        least: the lowest value that is tried.
        most: the highest.
        ends: why nothing lower, and why nothing higher is tried, as clauses.
    """

    name: str
    field: str
    column: int
    low: int
    high: int
    start: tuple[int, int]
    least: int
    most: int
    ends: tuple[str, str]

    def of(self, scene: Scene) -> NDArray[Any]:
        """Its values in a scene, shape (values,)."""
        if not self.field:
            return np.array([scene.objects])
        return _part(fields_of(scene)[self.field], self.column)

    def extreme(self, scene: Scene, side: int) -> int | None:
        """The lowest (side 0) or highest (side 1) value in a scene; None if it has none."""
        return _extreme(self.of(scene), side)

    def extreme_of(self, value: Value, side: int) -> int | None:
        """The same of its field's value."""
        return _extreme(_part(value, self.column), side)


def _extreme(values: NDArray[Any], side: int) -> int | None:
    if not values.size:
        return None
    return _whole(values.max() if side else values.min(), side)


def _whole(value: Any, side: int) -> int:
    """The next whole number below (side 0) or above (side 1); of a whole number, itself."""
    if not isinstance(value, float | np.floating):
        return int(value)
    return math.ceil(value) if side else math.floor(value)


def dimensions_of(case: Case, scenes: Sequence[Scene]) -> list[Dimension]:
    """The dimensions of a case, with the ranges that they have in these scenes.

    Not among them are texts, bytes, truth values, arrays without elements, and fields whose names
    begin with "_".
    """
    dimensions = []
    for field, column in _places(scenes[0], scenes):
        parts = [_part(fields_of(scene)[field], column) for scene in scenes]
        values = np.concatenate(parts)
        if not values.size or not np.isfinite(values.astype(np.float64)).all():
            continue
        low, high = _whole(values.min(), 0), _whole(values.max(), 1)
        least, most, ends = _ends(fields_of(scenes[0])[field], field, low, high)
        name = _name(case, scenes, field, column)
        start = _middle_half(values)
        dimensions.append(
            Dimension(
                name=name,
                field=field,
                column=column,
                low=low,
                high=high,
                start=start,
                least=least,
                most=most,
                ends=(ends, ends),
            )
        )
    counts = [scene.objects for scene in scenes]
    if COUNT in case.attributes or any(_is_of_items(dimension, scenes) for dimension in dimensions):
        most = max(counts) * _TIMES_AS_MANY + 1
        why = "no scene has fewer items", f"no scene with more than {most} items is tried"
        # Not every generator makes scenes of every number of items, so they keep theirs at first.
        low, high = min(counts), max(counts)
        dimensions.append(
            Dimension(
                name=COUNT,
                field="",
                column=-1,
                low=low,
                high=high,
                start=(low, high),
                least=0,
                most=most,
                ends=why,
            )
        )
    return dimensions


def _middle_half(values: NDArray[Any]) -> tuple[int, int]:
    """The values above the lowest quarter and below the highest, as whole numbers among them."""
    ordered = np.sort(values, axis=None)
    quarter = len(ordered) // 4
    return _whole(ordered[quarter], 0), _whole(ordered[-1 - quarter], 1)


def _is_of_items(dimension: Dimension, scenes: Sequence[Scene]) -> bool:
    """Whether a dimension has a value for each item."""
    sizes = [dimension.of(scene).size for scene in scenes]
    return len(set(sizes)) > 1 and all(
        size == scene.objects for size, scene in zip(sizes, scenes, strict=True)
    )


def _places(first: Scene, scenes: Sequence[Scene]) -> Iterator[tuple[str, int]]:
    """Fields with numbers, and the column of each that has a few."""
    for name in fields_of(first):
        others = [fields_of(scene).get(name) for scene in scenes]
        if name.startswith("_") or not all(_is_number(number) for number in others):
            continue
        columns = {
            values.shape[1]
            for values in others
            if isinstance(values, np.ndarray) and values.ndim == 2
        }
        if len(columns) == 1 and 1 < min(columns) <= _MOST_COLUMNS:
            yield from ((name, column) for column in range(min(columns)))
        else:
            yield name, -1


def _is_number(value: Value) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iuf"
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _part(value: Value, column: int) -> NDArray[Any]:
    # A number alone is Python's, which may have more bits than one of NumPy.
    array = np.asarray(value, object if isinstance(value, int) else None)
    return array.reshape(-1) if column < 0 else array[:, column]


def _ends(value: Value, field: str, low: int, high: int) -> tuple[int, int, str]:
    """The limits of what is tried, and why they are those."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.dtype.itemsize <= 4:
        limits = np.iinfo(value.dtype)
        words = f"the scene's {field} has elements of the type {value.dtype}, which ends here"
        return int(limits.min), int(limits.max), words
    least, most = min(-_FARTHEST, low), max(_FARTHEST - 1, high)
    return least, most, "the search goes no farther than 32 bits"


def _name(case: Case, scenes: Sequence[Scene], field: str, column: int) -> str:
    """The attribute of the case that is this part of a field; the field if there is none."""
    if field in case.attributes and column < 0:
        return field
    for name in case.attributes:
        if name != COUNT and all(_is_same(scene, name, field, column) for scene in scenes):
            return name
    return field if column < 0 else f"{field}[:, {column}]"


def _is_same(scene: Scene, name: str, field: str, column: int) -> bool:
    if not scene.objects:
        return True  # a scene without items may have placeholders
    value = getattr(scene, name, None)
    if isinstance(value, (str, bytes)) or value is None:
        return False
    array, part = np.asarray(value), _part(fields_of(scene)[field], column)
    return array.shape == part.shape and bool((array == part).all())
