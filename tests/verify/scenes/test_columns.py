"""What scenes say is read once, and arrays of one shape and dtype are stacked."""

from __future__ import annotations

from typing import Any

import numpy as np

from emu.verify.scenes.columns import Column, Columns


def test_each_item_is_read_once_for_a_key():
    read: list[int] = []

    def number(item: int) -> np.ndarray[Any, Any]:
        read.append(item)
        return np.array([item])

    told = Columns.of([3, 4])
    assert Columns.of(told) is told
    assert told.column("a", number) is told.column("a", number)
    assert read == [3, 4]
    told.column("b", number)
    assert read == [3, 4, 3, 4]


def test_arrays_of_other_shapes_and_dtypes_are_kept_apart():
    masked = np.ma.MaskedArray([7, 8, 9], [False, True, False])
    arrays = [np.arange(3), np.arange(2), np.arange(3, dtype=np.uint8), masked, np.arange(3) + 5]
    column = Column.of(arrays)
    assert [one.rows.tolist() for one in column.alike] == [[0, 3, 4], [1], [2]]
    assert column.alike[0].values.tolist() == [[0, 1, 2], [7, 8, 9], [5, 6, 7]]
    assert column.alike[0].masks.tolist() == [[False] * 3, [False, True, False], [False] * 3]
    assert not column.alike[1].masks.any()
    assert column.sizes.tolist() == [3, 2, 3, 3, 3]
    assert column.masked == 1
