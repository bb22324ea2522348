"""What scenes, or a reference's answers, say of the places of a program, stacked into arrays.

A case's programs mostly have the same places. So each attribute is read once for all of them, and
the values of all scenes are turned into guest values together.

Python code of a case that works on many scenes at once may give a sequence that also has what each
of its items has, in arrays of one axis more. Then no item is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class UniformArrays:
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

    arrays: Sequence[NDArray[Any]] | NDArray[Any]
    alike: tuple[UniformArrays, ...]
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
        return cls(
            tuple(arrays),
            alike,
            sizes,
            sum(int(uniform_arrays.masks.sum()) for uniform_arrays in alike),
        )

    @classmethod
    def stacked(cls, values: NDArray[Any]) -> Column:
        """The column of arrays that are stacked already, of shape ``(scenes, *shape)``."""
        rows = np.arange(len(values))
        sizes = np.full(len(values), values[:1].size, np.int64)
        return cls(values, (UniformArrays(rows, values, np.zeros((), np.bool_)),), sizes, 0)


def _stacked(rows: list[int], arrays: list[NDArray[Any]]) -> UniformArrays:
    masks = np.zeros((), np.bool_)
    if any(isinstance(array, np.ma.MaskedArray) for array in arrays):
        masks = np.stack([np.ma.getmaskarray(array) for array in arrays])
    return UniformArrays(np.array(rows), np.stack([np.asarray(array) for array in arrays]), masks)


class Columns(Sequence[Any]):
    """Scenes or answers, with what has been read of them.

    Args:
        items: the scenes or answers. If the sequence itself has an attribute of them, that is the
            array of all, whose first axis is the items.
        rows: which of the items these are, if not all of them in their order.
    """

    __slots__ = ("_columns", "_items", "_rows")

    def __init__(self, items: Iterable[Any], rows: Sequence[int] | None = None) -> None:
        self._items = items if isinstance(items, Sequence) else tuple(items)
        self._rows = range(len(self._items)) if rows is None else rows
        self._columns: dict[Hashable, Column] = {}

    @classmethod
    def of(cls, items: Iterable[Any]) -> Columns:
        """The items; if they are such a sequence already, that one with what it has read."""
        return items if isinstance(items, cls) else cls(items)

    def __len__(self) -> int:
        """How many items there are."""
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Columns: ...
    def __getitem__(self, index: int | slice) -> Any:
        """One of the items, or several."""
        if isinstance(index, slice):
            return Columns(self._items, self._rows[index])
        return self._items[self._rows[index]]

    def take(self, rows: Sequence[int]) -> Columns:
        """Those at some places, each as often as it is named."""
        return Columns(self._items, [self._rows[row] for row in rows])

    def stacked(self, attribute: str) -> NDArray[Any] | None:
        """An attribute of all items as an array of numbers, ``(items, *shape)``, if it is there.

        What is empty is left to each item, as NumPy does not know the kind of its numbers.
        """
        if isinstance(self._items, (list, tuple)):
            return None
        array = getattr(self._items, attribute, None)
        if type(array) is not np.ndarray or array.dtype.kind not in "biuf" or not array.size:
            return None
        if len(array) != len(self._items):
            return None
        every = len(self._rows) == len(array) and isinstance(self._rows, range)
        return array if every else array[np.asarray(self._rows, np.intp)]

    def column(
        self, key: Hashable, read: Callable[[Any], NDArray[Any]], attribute: str = ""
    ) -> Column:
        """The arrays that are read of each item.

        Args:
            key: stands for what ``read`` reads; with an equal one nothing is read again.
            read: gives the array of an item.
            attribute: what ``read`` reads, if it gives an array of numbers as it is; else "".
        """
        columns = self._columns.get(key)
        if columns is None:
            values = self.stacked(attribute) if attribute else None
            if values is None:
                columns = Column.of([read(item) for item in self])
            else:
                columns = Column.stacked(values)
            self._columns[key] = columns
        return columns
