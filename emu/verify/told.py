"""What scenes, or a reference's answers, say of the places of a program, stacked into arrays.

A case's programs mostly have the same places. So each attribute is read once for all of them, and
the values of all scenes are turned into guest values together.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Arrays of equal shape and dtype.

    Attributes:
        rows: the indices of their scenes, int64 of shape ``(arrays,)``.
        values: the arrays, of shape ``(arrays, *shape)``.
        masks: which of the values leave memory as it is, of the same shape; or one False.
        laid: ``values`` as slots hold them, by the slots' dtypes.
    """

    rows: NDArray[np.int64]
    values: NDArray[Any]
    masks: NDArray[np.bool_]
    laid: dict[np.dtype[Any], NDArray[Any]] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each array."""
        return self.values.shape[1:]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One array for each scene.

    Attributes:
        arrays: the arrays.
        alike: the same, grouped by shape and dtype.
        sizes: how many values each array has, int64 of shape ``(scenes,)``.
        masked: how many values of all arrays leave memory as it is.
    """

    arrays: tuple[NDArray[Any], ...]
    alike: tuple[Alike, ...]
    sizes: NDArray[np.int64]
    masked: int

    @classmethod
    def of(cls, arrays: list[NDArray[Any]]) -> Column:
        """Group arrays and stack each group."""
        kinds: dict[tuple[tuple[int, ...], np.dtype[Any]], list[int]] = {}
        for index, array in enumerate(arrays):  # int64 beside uint64 would become float64
            kinds.setdefault((array.shape, array.dtype), []).append(index)
        alike = tuple(_stacked(rows, [arrays[row] for row in rows]) for rows in kinds.values())
        sizes = np.array([array.size for array in arrays], np.int64)
        return cls(tuple(arrays), alike, sizes, sum(int(one.masks.sum()) for one in alike))


def _stacked(rows: list[int], arrays: list[NDArray[Any]]) -> Alike:
    masks = np.zeros((), np.bool_)
    if any(isinstance(array, np.ma.MaskedArray) for array in arrays):
        masks = np.stack([np.ma.getmaskarray(array) for array in arrays])
    return Alike(np.array(rows), np.stack([np.asarray(array) for array in arrays]), masks)


class Told(tuple[Any, ...]):
    """Scenes or answers, with what has been read of them."""

    @classmethod
    def of(cls, items: Iterable[Any]) -> Told:
        """The items; if they are such a tuple already, that one with what it has read."""
        return items if isinstance(items, cls) else cls(items)

    @functools.cached_property
    def _columns(self) -> dict[Hashable, Column]:
        return {}

    def column(self, key: Hashable, read: Callable[[Any], NDArray[Any]]) -> Column:
        """The arrays that are read of each item.

        Args:
            key: stands for what ``read`` reads; with an equal one nothing is read again.
            read: gives the array of an item.
        """
        found = self._columns.get(key)
        if found is None:
            found = self._columns[key] = Column.of([read(item) for item in self])
        return found
