"""What scenes say is read once, and arrays of one shape and dtype are stacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emu.base.errors import CaseError, UsageError
from emu.verify.scenes.columns import Column, ColumnItem, Columns, RecentValues
from emu.verify.scenes.fills import Donor, Donors, Fill, Preparation, Preparations


def test_each_item_is_read_once_for_a_key():
    read: list[int] = []

    def number(item: ColumnItem) -> np.ndarray[Any, Any]:
        read.append(item.source)
        return np.array([item.source])

    told = Columns.of([3, 4])
    assert Columns.of(told) is told
    assert told.column("a", number) is told.column("a", number)
    assert read == [3, 4]
    told.column("b", number)
    assert read == [3, 4, 3, 4]


def test_parts_share_what_is_read_and_two_programs_get_the_same_part():
    read: list[str] = []

    class Scene:
        def __getattr__(self, name: str) -> list[int]:
            read.append(name)
            return [1, 2]

    def values(item: ColumnItem) -> np.ndarray[Any, Any]:
        return np.array(item.get("packed"))

    whole = Columns([Scene(), Scene(), Scene()])
    first = whole.take([2, 0, 2])
    assert first.column("a", values).alike[0].values.shape == (3, 2)
    assert read == ["packed"] * 2
    assert whole.take(range(2)).take([0]).column("a", values).sizes.tolist() == [2]
    assert whole.take((2, 0, 2)) is first
    whole.column("b", values)
    assert read == ["packed"] * 3, "the second scene's alone was new"


def test_parts_of_parts_are_the_parts_of_the_whole():
    columns = Columns(range(5))
    part = columns.take([1, 2, 4]).take([0, 2])
    assert part is columns.take([1, 4])
    assert part is not columns.take([4, 1])


def test_the_last_two_values_are_kept():
    made: list[str] = []

    def value(key: str) -> str:
        return recent.get(key, lambda: made.append(key) or key.upper())

    recent = RecentValues()
    assert [value(key) for key in "abaab"] == [*"ABAAB"]
    assert made == [*"ab"]
    value("a"), value("c")
    assert made == [*"abc"]
    value("a"), value("b")
    assert made == [*"abcb"], "b was asked for the longest time ago"


def test_what_cannot_be_read_is_asked_for_again():
    item = ColumnItem(object())
    for _ in range(2):
        with pytest.raises(AttributeError):
            item.get("missing")


def test_all_items_are_told_of_which_the_same_cannot_be_read():
    def read(item: ColumnItem) -> np.ndarray[Any, Any]:
        if item.source == "odd":
            raise CaseError("case.yaml", "it is odd")
        if item.source == "lost":
            raise UsageError("it is lost")
        return np.array([item.source])

    with pytest.raises(CaseError, match="it is odd") as caught:
        Columns.of([1, "odd", "lost", 4, "odd"]).column("a", read)
    assert caught.value.rows == (1, 4)


def test_preparations_of_some_calls_keep_their_donors_as_columns():
    scenes, answers = Columns("abc"), Columns("xyz")
    donors = [Donor(scenes, answers, place) for place in range(3)]
    stale = [Preparation(Fill.STALE, donor=donor) for donor in donors]
    plan = Preparations.of(
        [stale[0], Preparation(), *stale[1:]], Donors([0, 2, 3], scenes, answers, range(3))
    )
    some = plan.take([3, 1, 0])
    assert [one.donor for one in some] == [donors[2], None, donors[0]]
    assert some.donors.rows == [0, 2]
    assert [*some.donors.scenes] == ["c", "a"]
    assert [*some.donors.answers] == ["z", "x"]
    assert plan.take([3, 1, 0]).donors.scenes is some.donors.scenes


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
