"""Attributes of many scenes (or of many answers of a reference), read once and stacked into arrays.

For example, 50 scenes with an attribute ``left`` of shape (200,) become one array of shape
(50, 200). The room ``images`` then converts and lays it in a few NumPy calls, instead of 50 times.
All programs of a case mostly have the same places, so they share one `Columns`, and so do its
parts, such as the scenes of one layout. Each attribute of an item is read once for all of them: it
may be a property that packs bytes anew each time, which was half of a scene's time in
``examples/lzss``.

A generator or a reference that works on many scenes at once may return a sequence which itself has
the attributes of its items, stacked: ``scenes.left`` of shape (50, 200) beside ``scenes[3].left``
of shape (200,). Then that array is used, and no single item is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError

_Value = TypeVar("_Value")
_MOST_RECENT = 2


@dataclass(frozen=True, slots=True, eq=False)
class UniformArrays:
    """Arrays of equal shape and dtype.

    Attributes:
        rows: the index of the scene of each array, int64 of shape ``(arrays,)``.
        values: the arrays, of shape ``(arrays, *shape)``.
        masks: True for values that are not laid, so that memory stays as it is there; of the shape
            of ``values``, or a single False if all are laid.
        laid: ``values`` converted to the dtype of a slot, by that dtype. It is a cache: the slots
            of all 68K programs, for example, have one dtype, and the values are converted once.
    """

    rows: NDArray[np.int64]
    values: NDArray[Any]
    masks: NDArray[np.bool_]
    laid: dict[np.dtype[Any], NDArray[Any]] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each array."""
        return self.values.shape[1:]

    @property
    def is_nothing(self) -> bool:
        """Whether no value is laid; then nobody knows how many dimensions the values have."""
        return not self.values.size or bool(self.masks.all())


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One array for each scene.

    Attributes:
        arrays: the arrays, in the order of the scenes.
        alike: the same arrays, stacked in one group for each shape and dtype.
        sizes: how many values each array has, int64 of shape ``(scenes,)``.
        masked: how many values of all arrays are masked, so that memory stays as it is there.
    """

    arrays: Sequence[NDArray[Any]] | NDArray[Any]
    alike: tuple[UniformArrays, ...]
    sizes: NDArray[np.int64]
    masked: int

    @classmethod
    def of(cls, arrays: list[NDArray[Any]]) -> Column:
        """Group arrays and stack each group."""
        kinds: dict[tuple[tuple[int, ...], np.dtype[Any]], list[int]] = {}
        # The dtype is a part of the key, because NumPy stacks int64 and uint64 into float64, which
        # loses the low bits of numbers above 2 to the power of 53.
        for index, array in enumerate(arrays):
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


class ColumnItem:
    """A scene or an answer, and the attributes that have been read of it.

    Args:
        source: the scene or the answer.

    Attributes:
        source: as above.
    """

    __slots__ = ("_read", "source")

    def __init__(self, source: Any) -> None:
        self.source = source
        self._read: dict[str, Any] = {}

    def get(self, attribute: str) -> Any:
        """An attribute of the source, which is asked for it once.

        Raises:
            Exception: whatever the source raises; then it is asked again the next time.
        """
        if attribute not in self._read:
            self._read[attribute] = getattr(self.source, attribute)
        return self._read[attribute]


class RecentValues:
    """The last few values that were made of some items, by what they depend on beside the items.

    Example: the images of scenes in memory, which are equal for most programs of a case. Few are
    kept, since the images of a batch take 16 MB; programs of one layout mostly follow each other.

    Args:
        most: how many are kept.
    """

    __slots__ = ("_most", "_values")

    def __init__(self, most: int = _MOST_RECENT) -> None:
        self._most = most
        self._values: dict[Hashable, Any] = {}

    def get(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """The value of a key; ``make`` makes it if it is not there."""
        value: _Value = self._values.pop(key) if key in self._values else make()
        self._values[key] = value
        while len(self._values) > self._most:
            del self._values[next(iter(self._values))]
        return value


class Columns(Sequence[Any]):
    """A sequence of scenes or of answers that keeps each attribute which has been read of them.

    Args:
        items: the scenes or answers. If the sequence itself has an attribute of its items, that
            attribute is the stacked array of all items, with the items as its first axis.

    Attributes:
        recent: what has been made of all of them together, for whoever needs it next.
    """

    __slots__ = ("_arrays", "_columns", "_items", "_parts", "_read", "_rows", "recent")

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items if isinstance(items, Sequence) else tuple(items)
        self._rows: Sequence[int] = range(len(self._items))
        self._read: dict[int, ColumnItem] = {}
        self._arrays: dict[Hashable, dict[int, NDArray[Any]]] = {}
        self._columns: dict[Hashable, Column] = {}
        self._parts: dict[tuple[int, ...], Columns] = {}
        self.recent = RecentValues()

    @classmethod
    def of(cls, items: Iterable[Any]) -> Columns:
        """Make columns of some items; columns are returned as they are, with all they have read."""
        return items if isinstance(items, cls) else cls(items)

    def __len__(self) -> int:
        """How many items there are."""
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Columns: ...
    def __getitem__(self, index: int | slice) -> Any:
        """One item; or columns of several, as of `take`."""
        if isinstance(index, slice):
            return self.take(range(len(self))[index])
        return self._items[self._rows[index]]

    def take(self, rows: Sequence[int]) -> Columns:
        """Columns of the items at some indices, which may repeat.

        They share what is read of each item with these columns. Equal items give the same columns,
        since one program after another takes the scenes of a layout, or those that it has room for.
        """
        key = tuple(self._rows[row] for row in rows)
        if key not in self._parts:
            part = Columns(self._items)
            part._rows = key
            part._read, part._arrays, part._parts = self._read, self._arrays, self._parts
            self._parts[key] = part
        return self._parts[key]

    def items(self) -> Iterator[ColumnItem]:
        """The items, each with what has been read of it by all columns that share it."""
        for row in self._rows:
            item = self._read.get(row)
            if item is None:
                item = self._read[row] = ColumnItem(self._items[row])
            yield item

    def stacked(self, attribute: str) -> NDArray[Any] | None:
        """The attribute that the sequence has of all its items, of shape ``(items, *shape)``.

        Returns:
            None if the items have to be read one by one: the sequence has no such array, or an
            empty one, of which NumPy does not know whether it would be of floats or whole numbers.
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
        self, key: Hashable, read: Callable[[ColumnItem], NDArray[Any]], attribute: str = ""
    ) -> Column:
        """Read an array of each item, once for each key.

        Args:
            key: stands for ``read``. If a column with an equal key was read before, it is returned.
            read: gives the array of one item.
            attribute: the attribute of an item that ``read`` returns unchanged; then the stacked
                array is used if there is one. "" if ``read`` does more than that.

        Raises:
            MacproofError: what ``read`` raises first; its ``rows`` has the indices of all items of
                which it raises the like.
        """
        columns = self._columns.get(key)
        if columns is None:
            values = self.stacked(attribute) if attribute else None
            if values is None:
                arrays = self._arrays.setdefault(key, {})
                self._read_each(arrays, read)
                columns = Column.of([arrays[row] for row in self._rows])
            else:
                columns = Column.stacked(values)
            self._columns[key] = columns
        return columns

    def _read_each(
        self, arrays: dict[int, NDArray[Any]], read: Callable[[ColumnItem], NDArray[Any]]
    ) -> None:
        """Read the array of each item that has none yet; see `column`."""
        first: MacproofError | None = None
        for index, (row, item) in enumerate(zip(self._rows, self.items(), strict=True)):
            if row in arrays:
                continue
            try:
                arrays[row] = read(item)
            except MacproofError as error:
                first = first or error
                if type(error) is type(first):
                    first.rows = (*first.rows, index)
        if first is not None:
            raise first
